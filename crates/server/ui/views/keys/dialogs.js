// @ts-check
// Which dialog of the view is open. `dialogloader.js` loads and shows it. A file of its own, because dialogs open each other.
import { signal } from "../../vendor/preact.js";

/** @typedef {"create" | "details" | "edit" | "finish" | "reveal" | "revoke" | "rotate"} Name */
/** @typedef {{ name: Name, properties: object, number: number }} Open */

/** @type {import("../../vendor/preact.js").Signal<Open | null>} */
export const shownDialog = signal(null);
let number = 0;

/** Opens a dialog in the place of the one that is open. @param {Name} name @param {object} [properties] */
export function openDialog(name, properties = {}) {
	shownDialog.value = { name, properties, number: ++number };
}

export function closeDialog() {
	shownDialog.value = null;
}
