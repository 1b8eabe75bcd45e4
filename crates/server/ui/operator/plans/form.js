// @ts-check
import { t } from "../../lang/lang.js";
import { Checkbox, faultOf, TextField } from "../../parts/fields.js";
import { Failure } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { number } from "../../parts/times.js";
import { wordsFor } from "../words.js";

const MAX_QUOTA = 1_000_000;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** @param {string} text */
const isQuota = (text) => text === "" || (/^\d+$/.test(text) && Number(text) <= MAX_QUOTA);

/**
 * The fields of a plan. An empty quota means the default.
 * @param {{ plan?: OperatorPlan, defaults: Record<string, number | null>, save: (id: string, body: object) => Promise<void> }} properties Without `plan`: a new one.
 */
export function PlanForm({ plan, defaults, save }) {
	const names = Object.keys(defaults).sort();
	const first = {
		id: plan?.plan_id ?? "", name: plan?.name ?? "", mcp: plan?.mcp_enabled ?? true,
		quotas: /** @type {Record<string, string>} */ (Object.fromEntries(names.map((name) => [name, String(plan?.quotas?.[name] ?? "")]))),
	};
	const [typed, setTyped] = useState(first);
	const [checked, setChecked] = useState(false);
	const { busy, error, send } = useSend();
	const set = (/** @type {Partial<typeof first>} */ next) => setTyped({ ...typed, ...next });

	/** @type {Record<string, string>} */
	const faults = {
		id: plan || ID.test(typed.id.trim()) ? "" : t("operator-plans-id-wrong"),
		name: typed.name.trim() ? "" : t("operator-plans-name-missing"),
		...Object.fromEntries(names.map((name) => [name, isQuota(typed.quotas[name].trim()) ? "" : t("operator-plans-quota-wrong", { max: number(MAX_QUOTA) })])),
	};
	/** @param {Event} event */
	function submit(event) {
		event.preventDefault();
		setChecked(true);
		if (Object.values(faults).some(Boolean)) return;
		const changed = names.filter((name) => typed.quotas[name].trim() !== first.quotas[name]);
		send(() => save(typed.id.trim(), {
			name: typed.name.trim(), mcp_enabled: typed.mcp,
			quotas: Object.fromEntries(changed.map((name) => [name, typed.quotas[name].trim() === "" ? null : Number(typed.quotas[name].trim())])),
		}));
	}
	/** @param {string} name @param {string} field */
	const faultFor = (name, field) => (checked && faults[name]) || faultOf(error, field);
	const isChanged = JSON.stringify(typed) !== JSON.stringify(first);
	return html`
		<form class="card plan-form" data-changed=${isChanged ? "" : null} onSubmit=${submit} novalidate>
			${!plan && html`<${TextField} label=${t("operator-plans-id")} hint=${t("operator-plans-id-hint")} value=${typed.id} onInput=${(/** @type {string} */ id) => set({ id })}
				fault=${faultFor("id", "plan_id")} attributes=${{ maxlength: 64, autocomplete: "off", spellcheck: false }} />`}
			<${TextField} label=${t("operator-plans-name")} value=${typed.name} onInput=${(/** @type {string} */ name) => set({ name })}
				fault=${faultFor("name", "name")} attributes=${{ maxlength: 100, autocomplete: "off" }} />
			<${Checkbox} checked=${typed.mcp} onChange=${(/** @type {boolean} */ mcp) => set({ mcp })}>${t("operator-plans-mcp-enabled")}<//>
			<fieldset>
				<legend>${t("operator-plans-quotas")}</legend>
				<p class="soft small">${t("operator-plans-quotas-hint")}</p>
				<div class="quotas">${names.map((name) => html`
					<${TextField} label=${wordsFor("operator-plans-quota", name)} value=${typed.quotas[name]}
						hint=${defaults[name] === null ? null : t("operator-plans-default", { limit: number(defaults[name]) })}
						onInput=${(/** @type {string} */ text) => set({ quotas: { ...typed.quotas, [name]: text } })}
						fault=${faultFor(name, `quotas.${name}`)} attributes=${{ inputmode: "numeric", maxlength: 7, autocomplete: "off" }} />`)}
				</div>
				${!names.length && html`<p>${t("operator-plans-quotas-later")}</p>`}
			</fieldset>
			${error && html`<${Failure} title=${t("operator-plans-not-saved")} error=${error} />`}
			<p class="row"><button type="submit" class="button primary" disabled=${busy}>${t(plan ? "operator-plans-save" : "operator-plans-create")}</button></p>
		</form>`;
}
