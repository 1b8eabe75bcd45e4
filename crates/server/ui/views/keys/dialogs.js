// @ts-check
// Which dialog of the view is open. `dialogplace.js` loads and shows it.
import { signal } from "../../parts/preact.js";

/** @typedef {"create" | "details" | "edit" | "finish" | "reveal" | "revoke" | "rotate"} Name */
/** @typedef {{ name: Name, properties: object, number: number }} Open */

/** @type {import("../../parts/preact.js").Signal<Open | null>} */
export const shownDialog = signal(null);
let number = 0;

/** Opens a dialog in the place of the one that is open. @param {Name} name @param {object} [properties] */
export function openDialog(name, properties = {}) {
	shownDialog.value = { name, properties, number: ++number };
}

export function closeDialog() {
	shownDialog.value = null;
}
