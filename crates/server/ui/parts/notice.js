// @ts-check
import { t } from "../lang/lang.js";
import { CloseButton, Icon } from "./elements.js";
import { html, render } from "./preact.js";

const TOAST_TIMEOUT_MS = 10_000;
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
	hiding = setTimeout(hide, TOAST_TIMEOUT_MS);
}
