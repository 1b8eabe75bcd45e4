// @ts-check
// What happened, and what to do next.
import { ApiError } from "../app/api.js";
import { rich, t } from "../lang/lang.js";
import { html, render } from "../vendor/preact.js";
import { Button, CloseButton, Icon } from "./elements.js";

const TOAST_TIMEOUT_MS = 10_000;
let hiding = 0;

/** A coloured box with text. @param {{ tone: Tone, title: string, children?: any }} properties */
export const Notice = ({ tone, title, children }) => html`
	<div class=${`notice ${tone}`} role=${tone === "bad" ? "alert" : null}>
		<${Icon} name=${tone === "good" ? "check" : tone === "info" ? "info" : "warning"} />
		<div><p class="notice-title">${title}</p>${children}</div>
	</div>`;

/** An error with a way to retry. @param {{ title: string, error: unknown, retry?: () => void }} properties `title`: what did not work. */
export function Failure({ title, error, retry }) {
	const known = error instanceof ApiError ? error : null;
	return html`
		<${Notice} tone="bad" title=${title}>
			<p>${known ? known.message : t("unexpected-error")}</p>
			${known?.requestId && html`<p class="soft small">${rich("support-number", { number: html`<code>${known.requestId}</code>` })}</p>`}
			${retry && html`<p class="row"><${Button} onClick=${retry}>${t("try-again")}<//></p>`}
		<//>`;
}

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
