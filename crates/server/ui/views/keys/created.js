// @ts-check
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { Notice } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { SecretBox } from "../../parts/secret.js";
import { Connect } from "./connect.js";

/**
 * Shows a new secret and how to use it. It stays until the dialog is closed, because a person goes back and forth to
 * their assistant's settings meanwhile.
 * @param {{ of: Key, secret: string, title: string, note?: any, onClose: () => void }} properties
 */
export function NewSecret({ of, secret, title, note, onClose }) {
	const [isTaken, setTaken] = useState(of.can_reveal);
	const [isWarned, setWarned] = useState(false);
	const warning = useRef(/** @type {any} */ (null));
	useEffect(() => {
		if (isWarned) warning.current.scrollIntoView({ block: "nearest" });
	}, [isWarned]);

	/** Warns before a secret is lost: it was not copied and can never be shown again. */
	function mayClose() {
		if (isTaken || isWarned) return true;
		setWarned(true);
		return false;
	}
	const take = () => setTaken(true);
	const done = html`<${Button} kind="primary" onClick=${() => mayClose() && onClose()}>${t(isWarned && !isTaken ? "keys-close-uncopied" : "keys-done")}<//>`;
	return html`
		<${Modal} title=${title} mayClose=${mayClose} onClose=${onClose} actions=${done}>
			<div data-once=${isTaken ? null : ""}><${SecretBox} secret=${secret} label=${t("keys-copy-key")} onCopied=${take} /></div>
			<div ref=${warning}>${isWarned && html`<${Notice} tone="bad" title=${t("keys-not-copied")}><p>${t("keys-not-copied-means")}</p><//>`}</div>
			${note}
			${of.can_reveal
				? html`<${Notice} tone="info" title=${t("keys-copy-or-later")}><p>${t("keys-copy-or-later-means")}</p><//>`
				: html`<${Notice} tone="warning" title=${t("keys-copy-now")}><p>${t("keys-copy-now-means")}</p><//>`}
			<${Connect} of=${of} secret=${secret} onCopied=${take} />
		<//>`;
}
