// @ts-check
import { ApiError } from "../../app/api.js";
import { isMine, personName, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { Failure, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useRef, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { changeKey } from "./api.js";
import { changesOf } from "./draft.js";
import { draftOf, isAtField, KeyForm } from "./form.js";

/** Changes the settings of a key. @param {{ of: Key, onClose: () => void }} properties */
export function Edit({ of, onClose }) {
	const [draft, setDraft] = useState(() => draftOf(of, true));
	const form = useRef(/** @type {any} */ (null));
	const { busy, error, send } = useSend();

	const submit = () => send(async () => {
		const wanted = changesOf(of, draft);
		const isChanged = Object.keys(wanted).length > 0;
		if (isChanged) await changeKey(of, wanted);
		await workspace.refresh();
		onClose();
		toast(isChanged ? t("keys-changed", { label: draft.label.trim() }) : t("keys-nothing-changed"));
	});

	const isUnknown = error instanceof ApiError && error.outcomeUnknown;
	const notice = error && !isAtField(error)
		? html`<${Failure} title=${t(isUnknown ? "keys-not-saved-unknown" : "keys-not-saved")} error=${error} />`
		: !isMine(of) && html`<p class="soft">${t("keys-edit-others", { owner: personName(of.created_by) })}</p>`;
	const actions = html`
		<${Button} onClick=${() => !busy && onClose()}>${t("cancel")}<//>
		<${Button} kind="primary" onClick=${() => form.current.requestSubmit()}>${t(busy ? "keys-saving" : "keys-save")}<//>`;
	return html`
		<${Modal} title=${t("keys-edit-title", { label: of.label })} busy=${busy} onClose=${onClose} actions=${actions}>
			<${KeyForm} draft=${draft} onDraft=${setDraft} edited=${of} form=${form} error=${error} notice=${notice} onSubmit=${submit} />
		<//>`;
}
