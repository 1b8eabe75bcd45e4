// @ts-check
// The page inside a frame of the host application. It uses no cookie there: the application hands over a sign-in code by
// `postMessage`, and the secret of the session is only in the memory of this page.
import { t } from "../lang/lang.js";
import { button, byId, fill, tag } from "../parts/dom.js";
import { meta } from "./meta.js";

export const isEmbedded = window.parent !== window;

/** The pages that may hand over a code. */
const ORIGINS = meta("frame-ancestors").split(" ").filter(Boolean);
const ANSWER_LIMIT_MS = 10_000;

/** Before the person is warned that the sign-in ends. */
const RENEW_BEFORE_MS = 6 * 60_000;
const MIN_RENEWAL_MS = 60_000;

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
	if (token) renewal = setTimeout(askForCode, Math.max(MIN_RENEWAL_MS, session.expires_in * 1000 - RENEW_BEFORE_MS));
	return session;
}

/** Asks the application for a code. Only a page of a named origin gets the question. */
export function askForCode() {
	// Firefox does not know it. There, every named origin is tried.
	const parentOrigin = location.ancestorOrigins?.[0];
	for (const origin of ORIGINS) {
		if (!parentOrigin || origin === parentOrigin) window.parent.postMessage({ type: "svc-mcp:code-wanted" }, origin);
	}
}

/** @param {(code: string) => void} listener Called for each code of the application, also for one that nobody asked for. */
export function onCode(listener) {
	const late = setTimeout(() => showWaiting("none"), ANSWER_LIMIT_MS);
	addEventListener("message", (event) => {
		// Other frames of the same application, and other windows, are not the parent.
		if (event.source !== window.parent || !ORIGINS.includes(event.origin)) return;
		if (event.data?.type !== "svc-mcp:code" || typeof event.data.code !== "string") return;
		clearTimeout(late);
		listener(event.data.code);
	});
	askForCode();
}

/** Shown until the application hands over a code. @param {SignInReason} reason */
export function showWaiting(reason) {
	const heading = tag("h1", { tabindex: "-1" }, t(`embed-title-${reason}`));
	fill(byId("account"));
	byId("main").ariaBusy = "false";
	fill(byId("main"), tag("div.signin.card", heading, tag("p", t("embed-explanation")), tag("p.row", button(".primary", t("embed-ask"), askForCode))));
}
