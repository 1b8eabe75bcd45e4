// @ts-check
import { workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { Failure, Notice } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useRef, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { createKey } from "./api.js";
import { NewSecret } from "./created.js";
import { newKey } from "./draft.js";
import { draftOf, isAtField, KeyForm } from "./form.js";
import { LostAnswer } from "./lost.js";

/**
 * Creates a key: the form, then its secret and how to connect an assistant with it.
 * @param {{ like?: Key, onClose: () => void }} properties `like`: a key whose settings the form starts with.
 */
export function Create({ like, onClose }) {
	const [draft, setDraft] = useState(() => draftOf(like));
	const [created, setCreated] = useState(/** @type {{ key: Key, secret: string } | null} */ (null));
	const [lost, setLost] = useState(/** @type {{ wanted: NewKey, known: string[] } | null} */ (null));
	const form = useRef(/** @type {any} */ (null));
	const { busy, error, send } = useSend();

	/** @param {Key} key @param {string} secret */
	function finish(key, secret) {
		setCreated({ key, secret });
		// The key exists even if the list cannot be reloaded now.
		workspace.refresh();
	}

	const submit = () => send(async () => {
		const wanted = newKey(draft);
		const known = workspace.keys.map((key) => key.key_id);
		try {
			const { api_key: secret, ...key } = await createKey(workspace.brand.brand_id, wanted);
			finish(key, secret);
		} catch (refusal) {
			if (!(/** @type {any} */ (refusal).outcomeUnknown)) throw refusal;
			setLost({ wanted, known });
		}
	});

	if (created) return html`<${NewSecret} of=${created.key} secret=${created.secret} title=${t("keys-ready", { label: created.key.label })} onClose=${onClose} />`;
	if (lost) return html`<${LostAnswer} wanted=${lost.wanted} known=${lost.known} tryAgain=${() => setLost(null)} finish=${finish} onClose=${onClose} />`;
	const notice = error && !isAtField(error) && html`<${Refusal} error=${error} onClose=${onClose} />`;
	const actions = html`
		<${Button} onClick=${() => !busy && onClose()}>${t("cancel")}<//>
		<${Button} kind="primary" onClick=${() => form.current.requestSubmit()}>${t(busy ? "keys-creating" : "keys-create")}<//>`;
	return html`
		<${Modal} title=${t("keys-create-title")} busy=${busy} onClose=${onClose} actions=${actions}>
			<${KeyForm} draft=${draft} onDraft=${setDraft} form=${form} error=${error} notice=${notice} onSubmit=${submit} />
		<//>`;
}

/** @param {{ error: any, onClose: () => void }} properties */
const Refusal = ({ error, onClose }) => (error.code === "key_limit_reached"
	? html`<${Notice} tone="bad" title=${t("keys-limit-reached")}><p>${error.message}</p><p class="row"><${Button} onClick=${onClose}>${t("keys-see-keys")}<//></p><//>`
	: html`<${Failure} title=${t("keys-not-created")} error=${error} />`);
