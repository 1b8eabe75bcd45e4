// @ts-check
// What the address says: the view, what is open in it, and its filters. A reload and a shared link lead to the same place.
import { html, signal } from "../vendor/preact.js";

/** @returns {Record<string, string>} */
const read = () => Object.fromEntries(new URLSearchParams(location.search));

/** @type {import("../vendor/preact.js").Signal<Record<string, string>>} */
export const route = signal(read());

/** Whether the person has opened another view since the page was loaded. Then the focus must be set. */
export let hasMoved = false;

/** @param {Record<string, string | null | undefined>} target Empty values are left out. */
export const addressOf = (target) => `?${new URLSearchParams(/** @type {string[][]} */ (Object.entries(target).filter(([, value]) => value)))}`;

/** @param {Record<string, string | null | undefined>} target */
export function goTo(target) {
	history.pushState(null, "", addressOf(target));
	hasMoved = true;
	route.value = read();
}

/** Changes some values of the address without a step in the history. @param {Record<string, string | null | undefined>} next */
export function stayAt(next) {
	history.replaceState(null, "", addressOf({ ...route.value, ...next }));
	route.value = read();
}

addEventListener("popstate", () => {
	hasMoved = true;
	route.value = read();
});

/**
 * A link inside of this page. A click with a modifier opens another tab, as for every link.
 * @param {{ to: Record<string, string | null | undefined>, class?: string, current?: boolean, children?: any }} properties
 */
export const Link = ({ to, class: name, current, children }) => html`
	<a class=${name} href=${addressOf(to)} aria-current=${current ? "page" : null} onClick=${(/** @type {MouseEvent} */ event) => {
		if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
		event.preventDefault();
		goTo(to);
	}}>${children}</a>`;
