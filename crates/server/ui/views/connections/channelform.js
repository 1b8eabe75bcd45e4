// @ts-check
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { faultOf, Field, TextField } from "../../parts/fields.js";
import { Failure, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useRef, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { listChannels, putChannel } from "./api.js";
import { CHANNEL_FIELDS, settingsOf, typedFrom } from "./channelfields.js";
import { SecretDialog } from "./secret.js";
import { idFault, submits, withName } from "./forms.js";

/** @typedef {import("./channelfields.js").ChannelField} ChannelField */

/**
 * Adds a channel, or changes one.
 * @param {{ channel: BrandChannel | null, onSaved: () => Promise<void>, onClose: () => void }} properties
 */
export function ChannelDialog({ channel, onSaved, onClose }) {
	const [id, setId] = useState(channel?.channel_id ?? "");
	const [kind, setKind] = useState(/** @type {string} */ (channel?.kind ?? "webhook"));
	const [typed, setTyped] = useState(typedFrom(channel));
	const [taken, setTaken] = useState("");
	/** Set once it is saved and its secret has to be copied. @type {[{ secret: string | null } | null, Function]} */
	const [made, setMade] = useState(/** @type {{ secret: string | null } | null} */ (null));
	const { busy, error, send } = useSend();
	/** The answer to an earlier try got lost, so the channel may be there already. */
	const mayExist = useRef(false);

	const save = () => send(async () => {
		setTaken("");
		const name = id.trim();
		if (!channel && !mayExist.current && (await listChannels()).some((one) => one.channel_id === name)) return setTaken(t("connections-name-taken"));
		let saved;
		try {
			saved = await putChannel(name, kind, settingsOf(kind, typed));
		} catch (problem) {
			mayExist.current ||= !channel && /** @type {any} */ (problem).outcomeUnknown;
			throw problem;
		}
		await onSaved();
		const isGenerated = kind === "webhook" && !channel && !typed.secret;
		if (saved.secret || isGenerated) return setMade({ secret: saved.secret ?? null });
		toast(t(channel ? "connections-channel-changed" : "connections-channel-added", { name }));
		onClose();
	});

	if (made) return html`<${SecretDialog} name=${id.trim()} secret=${made.secret} lost=${t("connections-channel-secret-lost")} onClose=${onClose} />`;
	const nameFault = taken || idFault(error, "channel_id");
	return html`
		<${Modal} title=${t(channel ? "connections-channel-change-title" : "connections-channel-add-title")} busy=${busy} onClose=${onClose} actions=${html`
			<${Button} disabled=${busy} onClick=${onClose}>${t("cancel")}<//>
			<${Button} kind="primary" disabled=${busy} onClick=${submits("channel-form")}>${t("connections-save")}<//>`}>
			<form id="channel-form" onSubmit=${(/** @type {Event} */ event) => {
				event.preventDefault();
				save();
			}}>
				${error && !nameFault && html`<${Failure} title=${t("connections-channel-not-saved")} error=${error} />`}
				<${Field} label=${t("connections-channel-kind")}>${(/** @type {object} */ joined) => html`
					<select ...${joined} disabled=${Boolean(channel)} value=${kind} onChange=${(/** @type {any} */ event) => setKind(event.target.value)}>
						${Object.keys(CHANNEL_FIELDS).map((one) => html`<option value=${one} selected=${one === kind}>${t(`connections-kind-${one}`)}</option>`)}
					</select>`}<//>
				<${TextField} label=${t("connections-name")} hint=${t("connections-channel-name.hint")} value=${id} onInput=${setId} fault=${nameFault}
					attributes=${{ required: true, disabled: Boolean(channel), autocomplete: "off", spellcheck: false, pattern: "[A-Za-z0-9_\\-]{1,64}", title: t("connections-name.title") }} />
				${CHANNEL_FIELDS[kind].map((field) => html`
					<${Setting} key=${`${kind}-${field.name}`} kind=${kind} field=${field} channel=${channel} value=${typed[field.name] ?? ""}
						fault=${faultOf(error, `settings.${field.name}`)} onInput=${(/** @type {string} */ value) => setTyped({ ...typed, [field.name]: value })} />`)}
				<button type="submit" hidden></button>
			</form>
		<//>`;
}

/** @param {{ kind: string, field: ChannelField, channel: BrandChannel | null, value: string, fault?: string, onInput: (value: string) => void }} properties */
function Setting({ kind, field, channel, value, fault, onInput }) {
	const id = `connections-${kind}-${field.name}`;
	const label = t(id);
	const isSet = field.secret && channel?.secret_set;
	const hint = isSet ? t("connections-secret-keep") : t(`${id}.hint`);
	if (field.options) {
		return html`
			<${Field} label=${label} hint=${hint} fault=${withName(label, fault)}>${(/** @type {object} */ joined) => html`
				<select ...${joined} onChange=${(/** @type {any} */ event) => onInput(event.target.value)}>
					${field.options?.map((option) => html`<option value=${option} selected=${option === (value || field.options?.[0])}>${t(`${id}-${option}`)}</option>`)}
				</select>`}<//>`;
	}
	return html`
		<${TextField} label=${label} hint=${hint} fault=${withName(label, fault)} type=${field.secret ? "password" : field.type === "number" ? "number" : "text"}
			value=${value} onInput=${onInput} attributes=${{
				required: Boolean(field.required && !isSet), spellcheck: false, autocomplete: field.secret ? "new-password" : "off",
				placeholder: isSet ? t("connections-secret-placeholder") : null, inputmode: field.type === "url" ? "url" : null,
			}} />`;
}
