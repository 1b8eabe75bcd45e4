// @ts-check
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { announce, Notice } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useRef, useState } from "../../vendor/preact.js";

/**
 * Shows a signing secret, this once. It asks before it is closed without a copy.
 * @param {{ name: string, secret: string | null, lost: string, onClose: () => void }} properties
 * `secret`: null if it did not arrive. `lost`: what to do then.
 */
export function SecretDialog({ name, secret, lost, onClose }) {
	const [copied, setCopied] = useState(false);
	const [warned, setWarned] = useState(false);
	const shown = useRef(/** @type {any} */ (null));

	async function copy() {
		try {
			await navigator.clipboard.writeText(secret ?? "");
			setCopied(true);
			announce(t("connections-secret-copied"));
		} catch {
			getSelection()?.selectAllChildren(shown.current);
			announce(t("connections-secret-selected"));
			shown.current.addEventListener("copy", () => setCopied(true), { once: true });
		}
	}
	const close = () => {
		if (secret && !copied && !warned) return setWarned(true);
		onClose();
	};

	return html`
		<${Modal} title=${t(secret ? "connections-secret-title" : "connections-secret-lost-title")} onClose=${close}
			actions=${html`<${Button} kind=${copied || !secret ? "primary" : ""} onClick=${close}>${t(warned && !copied ? "connections-secret-close-anyway" : "connections-secret-done")}<//>`}>
			${secret
				? html`
					<p>${t("connections-secret-once", { name })}</p>
					<div class="secret-row" data-once=${copied ? null : ""}>
						<code class="secret" tabindex="0" ref=${shown}>${secret}</code>
						<${Button} kind=${copied ? "small" : "small primary"} icon="copy" label=${t("connections-secret-copy.label")} onClick=${copy}>${t(copied ? "connections-secret-copied" : "connections-secret-copy")}<//>
					</div>
					<p class="soft small">${t("connections-secret-use")}</p>`
				: html`<${Notice} tone="warning" title=${t("connections-secret-lost", { name })}><p>${lost}</p><//>`}
			${warned && !copied && html`<${Notice} tone="bad" title=${t("connections-secret-not-copied")}><p>${t("connections-secret-not-copied-next")}</p><//>`}
		<//>`;
}
