// @ts-check
import { t } from "../lang/lang.js";
import { Button } from "../parts/elements.js";
import { TextField } from "../parts/fields.js";
import { Failure } from "../parts/messages.js";
import { Modal } from "../parts/modal.js";
import { html, useState } from "../vendor/preact.js";
import { useSend } from "../parts/requests.js";

/**
 * Asks before something is done. With `typed`, the person has to type exactly that text first.
 * @param {{ title: string, action: string, failed: string, typed?: string, kind?: string, run: () => Promise<void>, onClose: () => void, children?: any }} properties
 *   `action`: the words of the button. `failed`: what did not work, if `run` fails. `run` closes the dialog itself, by what its caller shows next.
 */
export function Confirm({ title, action, failed, typed, kind = "danger", run, onClose, children }) {
	const { busy, error, send } = useSend();
	const [text, setText] = useState("");
	const [fault, setFault] = useState("");
	function act() {
		if (typed && text.trim() !== typed) return setFault(t("operator-typed-wrong", { typed }));
		setFault("");
		send(run);
	}
	return html`
		<${Modal} title=${title} busy=${busy} onClose=${onClose} actions=${html`
			<${Button} disabled=${busy} onClick=${onClose}>${t("cancel")}<//>
			<${Button} kind=${kind} disabled=${busy} onClick=${act}>${action}<//>`}>
			<form class="stack" onSubmit=${(/** @type {Event} */ event) => {
				event.preventDefault();
				act();
			}}>
				${children}
				${typed && html`<${TextField} label=${t("operator-typed-label", { typed })} value=${text} onInput=${setText} fault=${fault}
					attributes=${{ autocomplete: "off", spellcheck: false, autocapitalize: "off" }} />`}
				${error && html`<${Failure} title=${failed} error=${error} />`}
			</form>
		<//>`;
}
