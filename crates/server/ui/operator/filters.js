// @ts-check
// Filters of lists. Their values are in the address.
import { t } from "../lang/lang.js";
import { Icon } from "../parts/elements.js";
import { Choice, faultOf } from "../parts/fields.js";
import { fieldOfTime, timeOfField } from "../parts/localtimes.js";
import { html, useEffect, useId, useRef, useState } from "../vendor/preact.js";
import { route, stayAt } from "./route.js";

const DEBOUNCE_MS = 300;

/** The values of these filters in the address. @param {string[]} names @returns {Record<string, string>} */
export const filterValues = (names) => Object.fromEntries(names.map((name) => [name, route.value[name] ?? ""]));

/** @param {string[]} names */
export const isFiltered = (names) => names.some((name) => route.value[name]);

/**
 * A text that follows the address, also when the person goes back. What is typed belongs to the address of that moment: an effect
 * would run after the address has changed, and could replace what was typed since.
 * @param {string} name @returns {[string, (text: string) => void]}
 */
function useText(name) {
	const valueNow = () => route.value[name] ?? "";
	const value = valueNow();
	const [typed, setTyped] = useState({ value, text: value });
	if (typed.value !== value) setTyped({ value, text: value });
	return [typed.value === value ? typed.text : value, (text) => setTyped({ value: valueNow(), text })];
}

/** Searches while the person types. @param {{ name: string, label: string, placeholder?: string }} properties */
export function SearchField({ name, label, placeholder }) {
	const [text, setText] = useText(name);
	const timer = useRef(0);
	useEffect(() => () => clearTimeout(timer.current), []);
	/** @param {string} next */
	function type(next) {
		setText(next);
		clearTimeout(timer.current);
		timer.current = setTimeout(() => stayAt({ [name]: next.trim() }), DEBOUNCE_MS);
	}
	return html`
		<div class="search">
			<${Icon} name="search" />
			<input type="search" aria-label=${label} placeholder=${placeholder ?? label} maxlength="255" autocomplete="off" spellcheck=${false}
				value=${text} onInput=${(/** @type {any} */ event) => type(event.target.value)} />
		</div>`;
}

/** A whole value, such as an id. It is used when the person presses Enter or leaves the field. @param {{ name: string, label: string, error?: unknown, maxlength?: number }} properties */
export function FilterField({ name, label, error, maxlength = 255 }) {
	const [text, setText] = useText(name);
	const id = useId();
	const fault = faultOf(error, name);
	return html`
		<label class="choice"><span>${label}</span>
			<input type="text" maxlength=${maxlength} autocomplete="off" spellcheck=${false} value=${text}
				aria-invalid=${fault ? "true" : null} aria-describedby=${fault ? id : null}
				onInput=${(/** @type {any} */ event) => setText(event.target.value)}
				onChange=${(/** @type {any} */ event) => stayAt({ [name]: event.target.value.trim() })} />
			${fault && html`<span class="field-fault" id=${id} role="alert">${fault}</span>`}
		</label>`;
}

/** @param {{ name: string, label: string, options: string[][] }} properties `options`: value and words of each, without "all". */
export const FilterChoice = ({ name, label, options }) => html`
	<${Choice} label=${label} value=${route.value[name] ?? ""} options=${[["", t("operator-filter-all")], ...options]}
		onChange=${(/** @type {string} */ value) => stayAt({ [name]: value })} />`;

/** A time, in the time zone of this machine. @param {{ name: string, label: string, fallback?: string, error?: unknown }} properties */
export function FilterTime({ name, label, fallback = "", error }) {
	const id = useId();
	const fault = faultOf(error, name);
	return html`
		<label class="choice"><span>${label}</span>
			<input type="datetime-local" value=${fieldOfTime(route.value[name] ?? fallback)} aria-invalid=${fault ? "true" : null} aria-describedby=${fault ? id : null}
				onChange=${(/** @type {any} */ event) => stayAt({ [name]: timeOfField(event.target.value) })} />
			${fault && html`<span class="field-fault" id=${id} role="alert">${fault}</span>`}
		</label>`;
}

/** @param {{ label: string, children?: any }} properties */
export const Filters = ({ label, children }) => html`
	<form class="toolbar" role="search" aria-label=${label} onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>${children}</form>`;

/** What a list without rows shows when filters are set. @param {{ names: string[] }} properties */
export const NoMatch = ({ names }) => html`
	<div class="card empty">
		<${Icon} name="search" />
		<h2>${t("operator-no-match")}</h2>
		<p>${t("operator-no-match-hint")}</p>
		<p><button type="button" class="button" onClick=${() => stayAt(Object.fromEntries(names.map((name) => [name, ""])))}>${t("operator-clear-filters")}</button></p>
	</div>`;
