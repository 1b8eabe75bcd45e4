// @ts-check
// The brand and the view that the address names, and links to others.
import { html, signal } from "../vendor/preact.js";
import { readRoute } from "./opened.js";

/** @type {import("../vendor/preact.js").Signal<Route>} */
export const route = signal(readRoute());

/** @param {Partial<Route>} next */
export function addressOf(next) {
	const { brand, view } = { ...route.value, ...next };
	return `?${new URLSearchParams({ ...(brand && { brand }), ...(view !== "keys" && { view }) })}`;
}

/** @param {Partial<Route>} next */
export function goTo(next) {
	history.pushState(null, "", addressOf(next));
	route.value = readRoute();
}

/** Corrects the address without a step in the history. @param {Partial<Route>} next */
export function stayAt(next) {
	history.replaceState(null, "", addressOf(next));
	route.value = readRoute();
}

addEventListener("popstate", () => {
	route.value = readRoute();
});

/** A link to a view of the open brand. @param {{ view: string, kind?: string, isCurrent?: boolean, children?: any }} properties */
export const ViewLink = ({ view, kind, isCurrent, children }) => html`
	<a class=${kind} href=${addressOf({ view })} aria-current=${isCurrent ? "page" : null} onClick=${(/** @type {MouseEvent} */ event) => open(event, view)}>${children}</a>`;

/** A click with a modifier opens another tab, as for every link. @param {MouseEvent} event @param {string} view */
function open(event, view) {
	if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
	event.preventDefault();
	goTo({ view });
}
