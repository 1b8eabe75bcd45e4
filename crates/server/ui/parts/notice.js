// @ts-check
import { ApiError } from "../app/api.js";
import { t } from "../lang/lang.js";
import { button, icon, tag } from "./dom.js";
import { CloseButton, Icon } from "./elements.js";
import { html, render } from "./preact.js";

const TOAST_STAYS_MS = 10_000;
let hiding = 0;

/**
 * Tells screen readers. Behind an open modal dialog the page is inert and would stay silent,
 * so the text goes into the dialog's own live region.
 * @param {string} words
 */
export function announce(words) {
	const region = [...document.querySelectorAll("dialog[open] > [role=status]")].pop() ?? document.getElementById("live");
	if (region) region.textContent = words;
}

/** Shows a message in a corner of the page for a while. @param {string} words */
export function toast(words) {
	const place = /** @type {HTMLElement} */ (document.getElementById("toasts"));
	const hide = () => render(null, place);
	clearTimeout(hiding);
	render(html`<div class="toast"><${Icon} name="check" /><p>${words}</p><${CloseButton} label=${t("dismiss")} onClick=${hide} /></div>`, place);
	hiding = setTimeout(hide, TOAST_STAYS_MS);
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
		tag("p", known ? error.message : t("unexpected-error")),
		known && error.requestId && tag("p.soft.small", `${t("support-number")} `, tag("code", error.requestId)),
		retry && tag("p.row", button("", t("try-again"), retry)));
}
