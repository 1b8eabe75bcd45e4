// @ts-check
import { html } from "../parts/preact.js";
import { addressOf, goTo } from "./place.js";

/** A link to a view of the open brand. @param {{ view: string, kind?: string, isCurrent?: boolean, children?: any }} properties */
export const ViewLink = ({ view, kind, isCurrent, children }) => html`
	<a class=${kind} href=${addressOf({ view })} aria-current=${isCurrent ? "page" : null} onClick=${(/** @type {MouseEvent} */ event) => open(event, view)}>${children}</a>`;

/** A click with a modifier opens another tab, as for every link. @param {MouseEvent} event @param {string} view */
function open(event, view) {
	if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
	event.preventDefault();
	goTo({ view });
}
