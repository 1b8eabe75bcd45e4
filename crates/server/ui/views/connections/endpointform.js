// @ts-check
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { Checkbox, faultOf, TextField } from "../../parts/fields.js";
import { Failure, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useRef, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { listEndpoints, putEndpoint } from "./api.js";
import { EVENT_TYPES, eventName } from "./eventtypes.js";
import { idFault, submits, withName } from "./forms.js";
import { SecretDialog } from "./secret.js";

/**
 * Adds an event endpoint, or changes one.
 * @param {{ endpoint: BrandEndpoint | null, onSaved: () => Promise<void>, onClose: () => void }} properties
 */
export function EndpointDialog({ endpoint, onSaved, onClose }) {
	const [id, setId] = useState(endpoint?.endpoint_id ?? "");
	const [url, setUrl] = useState(endpoint?.url ?? "");
	const [types, setTypes] = useState(/** @type {string[] | null} */ (endpoint?.types ?? null));
	const [enabled, setEnabled] = useState(endpoint?.enabled ?? true);
	const [rotate, setRotate] = useState(false);
	const [fault, setFault] = useState({ name: "", types: "" });
	const [secret, setSecret] = useState("");
	const { busy, error, send } = useSend();
	/** The answer to an earlier try got lost, so the endpoint may be there already, with a secret that was never shown. */
	const mayExist = useRef(false);

	const save = () => send(async () => {
		const name = id.trim();
		setFault({ name: "", types: "" });
		if (types?.length === 0) return setFault({ name: "", types: t("connections-endpoint-no-types") });
		if (!endpoint && !mayExist.current && (await listEndpoints()).some((one) => one.endpoint_id === name)) return setFault({ name: t("connections-name-taken"), types: "" });
		let saved;
		try {
			saved = await putEndpoint(name, { url: url.trim(), types, enabled, rotate_secret: rotate || mayExist.current });
		} catch (problem) {
			mayExist.current ||= /** @type {any} */ (problem).outcomeUnknown && (!endpoint || rotate);
			throw problem;
		}
		await onSaved();
		if (saved.secret) return setSecret(saved.secret);
		toast(t("connections-endpoint-changed", { name }));
		onClose();
	});

	if (secret) return html`<${SecretDialog} name=${id.trim()} secret=${secret} lost="" onClose=${onClose} />`;
	const nameFault = fault.name || idFault(error, "endpoint_id");
	const urlFault = withName(t("connections-endpoint-url"), faultOf(error, "url"));
	return html`
		<${Modal} title=${t(endpoint ? "connections-endpoint-change-title" : "connections-endpoint-add-title")} busy=${busy} onClose=${onClose} actions=${html`
			<${Button} disabled=${busy} onClick=${onClose}>${t("cancel")}<//>
			<${Button} kind="primary" disabled=${busy} onClick=${submits("endpoint-form")}>${t("connections-save")}<//>`}>
			<form id="endpoint-form" onSubmit=${(/** @type {Event} */ event) => {
				event.preventDefault();
				save();
			}}>
				${error && !nameFault && !urlFault && html`<${Failure} title=${t("connections-endpoint-not-saved")} error=${error} />`}
				<${TextField} label=${t("connections-name")} hint=${t("connections-endpoint-name.hint")} value=${id} onInput=${setId} fault=${nameFault}
					attributes=${{ required: true, disabled: Boolean(endpoint), autocomplete: "off", spellcheck: false, pattern: "[A-Za-z0-9_\\-]{1,64}", title: t("connections-name.title") }} />
				<${TextField} label=${t("connections-endpoint-url")} hint=${t("connections-endpoint-url.hint")} value=${url} onInput=${setUrl} fault=${urlFault}
					attributes=${{ required: true, autocomplete: "off", spellcheck: false, inputmode: "url" }} />
				<${Types} types=${types} onChange=${setTypes} fault=${fault.types} />
				<${Checkbox} checked=${enabled} onChange=${setEnabled}>${t("connections-endpoint-enabled")}<small>${t("connections-endpoint-enabled.hint")}</small><//>
				${endpoint && html`<${Checkbox} checked=${rotate} onChange=${setRotate}>${t("connections-endpoint-rotate")}<small>${t("connections-endpoint-rotate.hint")}</small><//>`}
				<button type="submit" hidden></button>
			</form>
		<//>`;
}

/** @param {{ types: string[] | null, onChange: (types: string[] | null) => void, fault: string }} properties */
function Types({ types, onChange, fault }) {
	/** @param {string} type @param {boolean} on */
	const set = (type, on) => onChange(on ? [...(types ?? []), type] : (types ?? []).filter((one) => one !== type));
	return html`
		<fieldset>
			<legend>${t("connections-endpoint-events")}</legend>
			<label class="check"><input type="radio" name="types" checked=${types === null} onChange=${() => onChange(null)} /><span>${t("connections-endpoint-all-types")}</span></label>
			<label class="check"><input type="radio" name="types" checked=${types !== null} onChange=${() => onChange(types ?? [])} /><span>${t("connections-endpoint-some-types")}</span></label>
			${types && html`
				<div class="connection-types">
					${Object.entries(EVENT_TYPES).map(([group, members]) => html`
						<fieldset key=${group}>
							<legend>${t(`connections-events-${group}`)}</legend>
							${members.map((type) => html`
								<${Checkbox} key=${type} checked=${types.includes(type)} onChange=${(/** @type {boolean} */ on) => set(type, on)}>
									${eventName(type)}
								<//>`)}
						</fieldset>`)}
				</div>`}
			${fault && html`<p class="field-fault" role="alert">${fault}</p>`}
		</fieldset>`;
}
