// @ts-check
// The form in which a person changes the arguments of a call before they approve it.
import { t } from "../../lang/lang.js";
import { Difference } from "../../parts/difference.js";
import { Checkbox, Choice, faultOf, TextField } from "../../parts/fields.js";
import { zoneWords } from "../../parts/localtimes.js";
import { html } from "../../vendor/preact.js";
import { argumentLabel, changedFields, MODES } from "./arguments.js";

const JSON_ROWS = 3;
const TEXT_ROWS = 6;

/** @param {{ before: ArgumentField[], after: ArgumentField[], channels: Channel[], error: unknown, onChange: (fields: ArgumentField[]) => void }} properties */
export function Editing({ before, after, channels, error, onChange }) {
	const changed = changedFields(before, after);
	/** @param {string} name @param {string} value */
	const set = (name, value) => onChange(after.map((field) => (field.name === name ? { ...field, value } : field)));
	return html`
		<form onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
			${after.map((field) => html`<${ArgumentInput} key=${field.name} field=${field} channels=${channels}
				fault=${faultOf(error, field.name) ?? faultOf(error, `arguments.${field.name}`)} onInput=${(/** @type {string} */ value) => set(field.name, value)} />`)}
		</form>
		<section class="changes" aria-label=${t("approvals-changes")}>
			<h3>${t("approvals-changes")}</h3>
			${changed.length === 0 && html`<p class="soft small">${t("approvals-no-changes")}</p>`}
			<${Changes} before=${before} changed=${changed} />
		</section>`;
}

/** @param {{ before: ArgumentField[], changed: ArgumentField[] }} properties */
export const Changes = ({ before, changed }) => changed.map(({ name, value }) => html`
	<div key=${name}><h4>${argumentLabel(name)}</h4><${Difference} from=${before.find((field) => field.name === name)?.value ?? ""} to=${value} /></div>`);

/** @param {{ field: ArgumentField, channels: Channel[], fault?: string, onInput: (value: string) => void }} properties */
function ArgumentInput({ field: { name, kind, value }, channels, fault, onInput }) {
	const label = argumentLabel(name);
	if (kind === "flag") return html`<${Checkbox} checked=${value === "true"} onChange=${(/** @type {boolean} */ checked) => onInput(String(checked))}>${label}<//>`;
	if (kind === "channels") return html`<${ChannelBoxes} label=${label} chosen=${value.split(",").filter(Boolean)} channels=${channels} fault=${fault} onChange=${(/** @type {string[]} */ names) => onInput(names.join(","))} />`;
	if (kind === "mode") return html`<${Choice} label=${label} options=${MODES.map((mode) => [mode, t("approvals-mode", { mode })])} value=${value} onChange=${onInput} />`;
	const rows = kind === "text" ? TEXT_ROWS : kind === "json" ? JSON_ROWS : undefined;
	const type = kind === "time" ? "datetime-local" : kind === "number" ? "number" : "text";
	const hint = kind === "time" ? t("approvals-your-zone", { zone: zoneWords() }) : kind === "json" ? t("approvals-json") : undefined;
	return html`<${TextField} label=${label} value=${value} rows=${rows} type=${type} hint=${hint} fault=${fault} onInput=${onInput} />`;
}

/** @param {{ label: string, chosen: string[], channels: Channel[], fault?: string, onChange: (names: string[]) => void }} properties */
function ChannelBoxes({ label, chosen, channels, fault, onChange }) {
	const names = [...new Set([...channels.map((channel) => channel.channel_id), ...chosen])];
	return html`
		<fieldset class="channel-boxes"><legend>${label}</legend>
			${names.map((name) => html`
				<${Checkbox} key=${name} checked=${chosen.includes(name)}
					onChange=${(/** @type {boolean} */ isChosen) => onChange(names.filter((one) => (one === name ? isChosen : chosen.includes(one))))}>${name}<//>`)}
			${fault && html`<p class="field-fault" role="alert">${fault}</p>`}
		</fieldset>`;
}
