// @ts-check
// Who is signed in. The secret of the session is in a cookie that no script can read, so a reload keeps the session.
import { forgetToken, isEmbedded } from "./embed.js";
import { meta } from "./opened.js";

/** @type {Session | null} */
let session = null;
let number = 0;

export const currentSession = () => session;

/** It changes with every sign-in, so that late answers to older requests are recognised. */
export const sessionNumber = () => number;

/** @param {Session | null} next */
export function setSession(next) {
	// The clock of this machine may be wrong, so only the time that is left counts.
	session = next && { ...next, ends: Date.now() + next.expires_in * 1000 };
	number += 1;
	if (!next) forgetToken();
}

/** The link that a person pasted: all of it, or only its code or token. @param {string} text @returns {SignInLink | null} */
export function linkIn(text) {
	const code = /\bsvc_code_[A-Za-z0-9]+\s*$/.exec(text);
	if (code) return { code: code[0].trim() };
	const token = /[\w-]+\.[\w-]+\.[\w-]+\s*$/.exec(text);
	return token && { token: token[0].trim() };
}

const OIDC_URL = meta("oidc-url");

/** Leads to the OpenID Connect provider, and back to this place. Empty: there is none. */
export const oidcLink = () => {
	const page = location.pathname.endsWith("/operator") ? "/operator" : "/settings/mcp";
	return OIDC_URL && `${OIDC_URL}?${new URLSearchParams({ return: page + location.search })}`;
};

/** The application's own page for signing in. Empty: there is none. */
export const LOGIN_URL = meta("login-url");

// A frame has a session of its own.
const channel = isEmbedded ? null : new BroadcastChannel("svc-mcp-session");

/** The tabs of a browser share the session, so they must know who is signed in. */
export const tellOtherTabs = () => channel?.postMessage(session);

/** @param {(session: Session | null) => void} listener Called when another tab signs in or out. */
export function onOtherTab(listener) {
	if (!channel) return;
	channel.onmessage = ({ data }) => listener(data && { ...data, expires_in: Math.max(0, ((data.ends ?? 0) - Date.now()) / 1000) });
}
