// @ts-check
// Warns before the session ends. What a person has typed stays: they sign in again in another tab and go on here.
import { byId, tag } from "../parts/dom.js";
import { announce, notice } from "../parts/notice.js";
import { currentSession, LOGIN_URL } from "./session.js";
import { timeElement } from "../parts/time.js";

const WARN_BEFORE_MS = 5 * 60_000;
const LOOK_EVERY_MS = 1_000;

/** @type {HTMLElement | null} */
let shown = null;

const howTo = () => tag("p", LOGIN_URL
	? tag("a", { href: LOGIN_URL, target: "_blank", rel: "noopener" }, "Sign in again in another tab")
	: "Open Settings → MCP from your application in another tab", ", then go on here. What you have typed stays.");

/** @param {HTMLElement} box @param {string} words */
function show(box, words) {
	hideWarning();
	shown = box;
	place();
	announce(words);
}

/** Nothing behind an open dialog can be used, so the warning goes into the dialog. */
function place() {
	if (!shown) return;
	const dialog = [...document.querySelectorAll("dialog[open]")].pop();
	const parent = dialog ?? byId("session-note");
	if (shown.parentElement !== parent) parent.insertBefore(shown, dialog ? dialog.querySelector(".dialog-body") : null);
}

export function hideWarning() {
	shown?.remove();
	shown = null;
}

/** The session has ended while something was typed. */
export const showEnded = () => show(tag("div.session-warning", notice("warning", "Your sign-in has ended", howTo())), "Your sign-in has ended.");

/** @param {() => void} onEnd Called once when the time of a session is over. */
export function watchSession(onEnd) {
	/** @type {Session | null} */
	let warned = null;
	/** @type {Session | null} */
	let ended = null;
	setInterval(() => {
		place();
		const session = currentSession();
		if (!session) return;
		const left = (session.ends ?? 0) - Date.now();
		if (left <= 0 && ended !== session) {
			ended = session;
			onEnd();
		} else if (left > 0 && left <= WARN_BEFORE_MS && warned !== session) {
			warned = session;
			const at = new Date(session.ends ?? 0).toISOString();
			show(tag("div.session-warning", notice("warning", "Your sign-in ends soon", tag("p", "It ends ", timeElement(at), "."), howTo())),
				"Your sign-in ends soon.");
		}
	}, LOOK_EVERY_MS);
}
