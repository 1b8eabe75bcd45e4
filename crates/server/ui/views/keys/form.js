// @ts-check
import { isMine, toolsOfScope, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Checkbox, Field, TextField } from "../../parts/fields.js";
import { html, useEffect, useId, useRef } from "../../vendor/preact.js";
import { dateName } from "../../parts/times.js";
import { networksIn } from "./draft.js";
import { allowedRules, RuleFieldset } from "./rules.js";
import { scopeWords } from "./words.js";

/**
 * The fault at a field, also for `tools` if it is at `tools[0]`.
 * @param {any} error
 * @param {string} field
 * @param {string[]} [items] What the person typed as items of a list: the fault names the item.
 */
function faultAt(error, field, items = []) {
	const fault = error?.fields?.find((/** @type {FieldFault} */ one) => one.field.split(/[.[]/)[0] === field);
	if (!fault) return undefined;
	const item = items[Number(/\d+/.exec(fault.field)?.[0] ?? NaN)];
	return t("keys-field-fault", { field: item ?? t(FIELDS[field]), fault: fault.message });
}

/** The fields that show their own faults. @type {Record<string, string>} */
const FIELDS = { label: "keys-label", tools: "keys-tools", expires_at: "keys-expiry", allowed_networks: "keys-networks" };

/** Whether a field of the form shows this error. @param {any} error */
export const isAtField = (error) => Object.keys(FIELDS).some((field) => faultAt(error, field));

/**
 * The form of a key: a new one, or one that is edited.
 * @param {{ draft: KeyDraft, onDraft: (draft: KeyDraft) => void, edited?: Key, form: { current: any }, error: any, notice?: any, onSubmit: () => void }} properties
 */
export function KeyForm({ draft, onDraft, edited, form, error, notice, onSubmit }) {
	const top = useRef(/** @type {any} */ (null));
	/** @param {Partial<KeyDraft>} next */
	const set = (next) => onDraft({ ...draft, ...next });
	useEffect(() => {
		if (!error) return;
		const faulty = form.current.querySelector("[aria-invalid=true], .faulty input");
		if (faulty) faulty.focus();
		else top.current.scrollIntoView({ block: "center" });
	}, [error]);
	// Only its creator can give a key back what it lost.
	const isOthers = edited && !isMine(edited);
	const scopes = /** @type {Scope[]} */ (edited?.scope === "read" ? ["read"] : ["read", "write"]);
	return html`
		<form ref=${form} onSubmit=${(/** @type {Event} */ event) => {
			event.preventDefault();
			onSubmit();
		}}>
			<div ref=${top}>${notice}</div>
			<${TextField} label=${t("keys-label")} hint=${t("keys-label-hint")} fault=${faultAt(error, "label")} value=${draft.label}
				onInput=${(/** @type {string} */ label) => set({ label })} attributes=${{ required: true, autocomplete: "off", autofocus: true }} />
			<fieldset>
				<legend>${t("keys-what-it-can")}</legend>
				${scopes.map((scope) => html`<${ScopeCard} key=${scope} scope=${scope} checked=${scope === "read" ? draft.scope === "read" : draft.scope !== "read"}
					onChoose=${() => set({ scope: scope === "write" && edited ? edited.scope : scope })} />`)}
				${edited && edited.scope !== "read" && html`<p class="soft small">${t("keys-scope-narrow")}</p>`}
			</fieldset>
			${draft.scope !== "read" && html`<${RuleFieldset} rules=${allowedRules(edited)} value=${draft.approval} onChange=${(/** @type {Rule} */ approval) => set({ approval })} />`}
			<${ToolField} draft=${draft} set=${set} only=${isOthers && edited.tools} fault=${faultAt(error, "tools")} />
			<${ExpiryField} draft=${draft} set=${set} edited=${edited} fault=${faultAt(error, "expires_at")} />
			<${TextField} label=${t("keys-networks")} hint=${t("keys-networks-hint")} fault=${faultAt(error, "allowed_networks", networksIn(draft))} rows=${2} value=${draft.networks}
				onInput=${(/** @type {string} */ networks) => set({ networks })} attributes=${{ autocomplete: "off", spellcheck: false }} />
			${!edited && html`<${Checkbox} checked=${draft.canReveal} onChange=${(/** @type {boolean} */ canReveal) => set({ canReveal })}>${t("keys-can-reveal")}<small>${t("keys-can-reveal-hint")}</small><//>`}
			<button type="submit" hidden></button>
		</form>`;
}

/** @param {{ scope: Scope, checked: boolean, onChoose: () => void }} properties */
function ScopeCard({ scope, checked, onChoose }) {
	const id = useId();
	const opened = toolsOfScope(scope);
	return html`
		<div class="scope-card">
			<label class="check"><input type="radio" name="scope" checked=${checked} aria-describedby=${id} onChange=${onChoose} /><span><strong>${scopeWords(scope)}</strong></span></label>
			<p class="soft" id=${id}>${t(`keys-scope-${scope}-means`)}</p>
			<details><summary>${t("keys-opens-tools", { count: opened.length })}</summary>
				<ul class="tool-names">${opened.map((tool) => html`<li key=${tool.name}>${tool.title || tool.name}</li>`)}</ul>
			</details>
		</div>`;
}

/** @param {{ draft: KeyDraft, set: (next: Partial<KeyDraft>) => void, only: string[] | null | undefined | false, fault?: string }} properties `only`: the tools that can be chosen. */
function ToolField({ draft, set, only, fault }) {
	const id = useId();
	const offered = toolsOfScope(draft.scope).filter((tool) => !only || only.includes(tool.name));
	return html`
		<fieldset class=${`field ${fault ? "faulty" : ""}`} aria-describedby=${id}>
			<legend>${t("keys-tools")}</legend>
			<${Checkbox} checked=${draft.narrowed} disabled=${Boolean(only)} onChange=${(/** @type {boolean} */ narrowed) => set({ narrowed })}>${t("keys-only-some")}<//>
			${draft.narrowed && html`<div class="tool-choices">${offered.map(({ name, title, access }) => html`
				<${Checkbox} key=${name} checked=${!draft.leftOut.includes(name)}
					onChange=${(/** @type {boolean} */ chosen) => set({ leftOut: chosen ? draft.leftOut.filter((one) => one !== name) : [...draft.leftOut, name] })}>
					${title || name}${access === "write" && html`<span class="tag">${t("keys-writes")}</span>`}
				<//>`)}</div>`}
			<p class="field-fault" id=${id}>${fault}</p>
		</fieldset>`;
}

const LIFETIMES = ["0", "7", "30", "90", "365", "date"];

/** @param {{ draft: KeyDraft, set: (next: Partial<KeyDraft>) => void, edited?: Key, fault?: string }} properties */
function ExpiryField({ draft, set, edited, fault }) {
	const date = useRef(/** @type {any} */ (null));
	const kept = edited?.expires_at ? t("keys-lifetime-keep", { date: dateName(edited.expires_at) }) : t("keys-lifetime-keep-never");
	const offered = edited ? ["keep", ...LIFETIMES.filter((days) => days !== "0" || (edited.expires_at && isMine(edited)))] : LIFETIMES;
	useEffect(() => {
		if (draft.lifetime === "date" && !draft.date) date.current.focus();
	}, [draft.lifetime]);
	return html`
		<${Field} label=${t("keys-expiry")} hint=${t("keys-expiry-hint")} fault=${fault}>${(/** @type {object} */ joined) => html`
			<select ...${joined} value=${draft.lifetime} onChange=${(/** @type {any} */ event) => set({ lifetime: event.target.value })}>
				${offered.map((one) => html`<option key=${one} value=${one} selected=${one === draft.lifetime}>${one === "keep" ? kept : t(`keys-lifetime-${one}`)}</option>`)}
			</select>
			${draft.lifetime === "date" && html`<input type="date" ref=${date} required aria-label=${t("keys-expiry-date")} value=${draft.date} onInput=${(/** @type {any} */ event) => set({ date: event.target.value })} />`}`}<//>`;
}

const leftOutOf = (/** @type {string[] | null | undefined} */ tools) =>
	(tools ? workspace.tools.map((tool) => tool.name).filter((name) => !tools.includes(name)) : []);

/** What the form starts with. @param {Key} [key] @param {boolean} [isEdited] Else it is the pattern of a new key. @returns {KeyDraft} */
export const draftOf = (key, isEdited = false) => ({
	label: key?.label ?? "",
	scope: isEdited && key ? key.scope : key && key.scope !== "read" ? "write" : "read",
	approval: key?.approval ?? "none",
	narrowed: Boolean(key?.tools),
	leftOut: leftOutOf(key?.tools),
	lifetime: isEdited ? "keep" : "0",
	date: "",
	networks: key?.allowed_networks?.join("\n") ?? "",
	canReveal: key?.can_reveal ?? true,
});
