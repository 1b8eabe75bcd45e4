// @ts-check
// What happened, and what to do next.
import { ApiError } from "../app/api.js";
import { t } from "../lang/lang.js";
import { Button, Icon } from "./elements.js";
import { html } from "./preact.js";
import { rich } from "./rich.js";

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
