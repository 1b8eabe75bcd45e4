// @ts-check
// The page inside a frame of the host application. It uses no cookie there: the application hands over a sign-in code by
// `postMessage`, and the secret of the session is only in the memory of this page.
import { meta } from "./opened.js";

export const isEmbedded = window.parent !== window;

/** The pages that may hand over a code. */
const ORIGINS = meta("frame-ancestors").split(" ").filter(Boolean);
const CODE_TIMEOUT_MS = 10_000;

/** Earlier than the warning that the sign-in ends. */
const RENEW_BEFORE_MS = 6 * 60_000;
const MIN_RENEWAL_INTERVAL_MS = 60_000;

let token = "";
let renewal = 0;

/** The secret of the session. Empty: there is none, or it is in a cookie. */
export const sessionToken = () => token;

export function forgetToken() {
	token = "";
	clearTimeout(renewal);
}

/** Keeps the secret of a new session here, and returns the rest. @param {Session & { session_token?: string }} answer @returns {Session} */
export function keepToken({ session_token, ...session }) {
	token = session_token ?? "";
	clearTimeout(renewal);
	if (token) renewal = setTimeout(askForCode, Math.max(MIN_RENEWAL_INTERVAL_MS, session.expires_in * 1000 - RENEW_BEFORE_MS));
	return session;
}

/** Asks the application for a code. Only a page of a named origin gets the question. */
export function askForCode() {
	// Firefox has no `ancestorOrigins`, so every named origin is tried there.
	const parentOrigin = location.ancestorOrigins?.[0];
	for (const origin of ORIGINS) {
		if (!parentOrigin || origin === parentOrigin) window.parent.postMessage({ type: "svc-mcp:code-wanted" }, origin);
	}
}

/**
 * @param {(code: string) => void} listener Called for each code of the application, also for one that the page did not ask for.
 * @param {() => void} onSilence Called if the application does not answer the first question.
 */
export function onCode(listener, onSilence) {
	const late = setTimeout(onSilence, CODE_TIMEOUT_MS);
	addEventListener("message", (event) => {
		// Other frames of the same application, and other windows, are not the parent.
		if (event.source !== window.parent || !ORIGINS.includes(event.origin)) return;
		if (event.data?.type !== "svc-mcp:code" || typeof event.data.code !== "string") return;
		clearTimeout(late);
		listener(event.data.code);
	});
	askForCode();
}
