// @ts-check
// Keys that act without a modifier. They can be switched off, because voice input may press them by accident.
import { t } from "../../lang/lang.js";
import { Checkbox } from "../../parts/fields.js";
import { html, signal, useEffect, useRef } from "../../vendor/preact.js";

/** Until the page is loaded again. */
const areOn = signal(true);

/** Runs the action of a pressed key, unless the focus is in a field. @param {Record<string, () => unknown>} actions By the key's name. False: the key keeps its own meaning. */
export function useShortcuts(actions) {
	const latest = useRef(actions);
	latest.current = actions;
	useEffect(() => {
		/** @param {KeyboardEvent} event */
		function press(event) {
			const action = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
			if (!action || !areOn.value || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
			if (/** @type {Element} */ (event.target).closest("input, select, textarea, [contenteditable]")) return;
			if (action() !== false) event.preventDefault();
		}
		document.addEventListener("keydown", press);
		return () => document.removeEventListener("keydown", press);
	}, []);
}

/** The key of a button, for eyes only: the button has it as `aria-keyshortcuts`. @param {{ name: string }} properties */
export const Key = ({ name }) => areOn.value && html`<kbd aria-hidden="true">${name}</kbd>`;

export const ShortcutSwitch = () => html`
	<div class="shortcuts soft small">
		<${Checkbox} checked=${areOn.value} onChange=${(/** @type {boolean} */ on) => {
			areOn.value = on;
		}}>${t("approvals-shortcuts")}<//>
		${areOn.value && html`<p>${t("approvals-shortcuts-help")}</p>`}
	</div>`;
