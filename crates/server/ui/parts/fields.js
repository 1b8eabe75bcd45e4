// @ts-check
// Fields of forms. Each has its label, its hint, and the fault that the service found in it.
import { html, useId } from "../vendor/preact.js";

/**
 * Gives its control an id, a label, a hint and a fault. The control is a function, because it needs the attributes that join them.
 * @param {{ label: string, hint?: any, fault?: string, children: (attributes: object) => any }} properties
 */
export function Field({ label, hint, fault, children }) {
	const id = useId();
	return html`
		<div class="field">
			<label for=${id}>${label}</label>
			${hint && html`<p class="soft small" id=${`${id}-hint`}>${hint}</p>`}
			${children({ id, "aria-invalid": fault ? "true" : null, "aria-describedby": [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ") || null })}
			${fault && html`<p class="field-fault" id=${`${id}-fault`} role="alert">${fault}</p>`}
		</div>`;
}

/** @param {{ label: string, value: string, onInput: (value: string) => void, hint?: any, fault?: string, type?: string, rows?: number, attributes?: object }} properties */
export const TextField = ({ label, value, onInput, hint, fault, type = "text", rows, attributes }) => html`
	<${Field} label=${label} hint=${hint} fault=${fault}>${(/** @type {object} */ joined) => (rows
		? html`<textarea ...${joined} ...${attributes} rows=${rows} value=${value} onInput=${(/** @type {any} */ event) => onInput(event.target.value)}></textarea>`
		: html`<input ...${joined} ...${attributes} type=${type} value=${value} onInput=${(/** @type {any} */ event) => onInput(event.target.value)} />`)}<//>`;

/** A labelled choice. @param {{ label: string, options: string[][], value: string, onChange: (value: string) => void }} properties `options`: value and words of each. */
export const Choice = ({ label, options, value, onChange }) => html`
	<label class="choice"><span>${label}</span>
		<select value=${value} onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
			${options.map(([option, words]) => html`<option value=${option} selected=${option === value}>${words}</option>`)}
		</select>
	</label>`;

/** @param {{ checked: boolean, onChange: (checked: boolean) => void, disabled?: boolean, children?: any }} properties */
export const Checkbox = ({ checked, onChange, disabled, children }) => html`
	<label class="check"><input type="checkbox" checked=${checked} disabled=${disabled} onChange=${(/** @type {any} */ event) => onChange(event.target.checked)} /><span>${children}</span></label>`;

/** The fault of one field, from the answer of the service. @param {unknown} error @param {string} field */
export const faultOf = (error, field) => /** @type {any} */ (error)?.fields?.find((/** @type {FieldFault} */ fault) => fault.field === field)?.message;
