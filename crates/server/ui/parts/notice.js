// @ts-check
import { ApiError } from "../app/api.js";
import { button, byId, closeButton, fill, icon, tag } from "./dom.js";

const TOAST_STAYS_MS = 10_000;

/**
 * Tells screen readers. Behind an open modal dialog the page is inert and would stay silent,
 * so the text goes into the dialog's own live region.
 * @param {string} words
 */
export function announce(words) {
	const region = [...document.querySelectorAll("dialog[open] > [role=status]")].pop() ?? byId("live");
	region.textContent = words;
}

/** Shows a message in a corner of the page for a while. @param {string} words */
export function toast(words) {
	const box = tag("div.toast", icon("check"), tag("p", words), closeButton("Dismiss this message", () => box.remove()));
	fill(byId("toasts"), box);
	setTimeout(() => box.remove(), TOAST_STAYS_MS);
}

/** A coloured box with text. @param {Tone} tone @param {string} title @param {...Part} parts */
export const notice = (tone, title, ...parts) =>
	tag(`div.notice.${tone}`, { role: tone === "bad" && "alert" },
		icon(tone === "good" ? "check" : tone === "info" ? "info" : "warning"),
		tag("div", tag("p.notice-title", title), parts));

/** An error with a way to retry. @param {string} title What did not work. @param {unknown} error @param {() => void} [retry] */
export function failure(title, error, retry) {
	const known = error instanceof ApiError;
	return notice("bad", title,
		tag("p", known ? error.message : "Something unexpected went wrong in this page. Try again, or reload it."),
		known && error.requestId && tag("p.soft.small", "If it keeps happening, give your support this number: ", tag("code", error.requestId)),
		retry && tag("p.row", button("", "Try again", retry)));
}
