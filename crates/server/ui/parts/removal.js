// @ts-check
import { t } from "../lang/lang.js";
import { html } from "../vendor/preact.js";
import { Button } from "./elements.js";
import { Failure } from "./messages.js";
import { Modal } from "./modal.js";
import { useSend } from "./requests.js";

/**
 * Asks before something is removed. Its children say exactly what is lost.
 * @param {{ title: string, name: string, action: string, failed: string, remove: () => Promise<void>, onClose: () => void, children?: any }} properties
 * `name`: what is removed. `failed`: says that it was not.
 */
export function RemovalDialog({ title, name, action, failed, remove, onClose, children }) {
	const { busy, error, send } = useSend();
	return html`
		<${Modal} title=${title} busy=${busy} onClose=${onClose} actions=${html`
			<${Button} disabled=${busy} onClick=${onClose}>${t("cancel")}<//>
			<${Button} kind="danger" disabled=${busy} onClick=${() => send(remove)}>${action}<//>`}>
			${error && html`<${Failure} title=${failed} error=${error} />`}
			<div class="named"><p>${name}</p></div>
			${children}
		<//>`;
}
