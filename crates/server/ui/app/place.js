// @ts-check
// What the address says: `?brand=…&view=…`, so that a reload and a shared link lead to the same place.
import { html, signal } from "../parts/preact.js";

const read = () => {
	const query = new URLSearchParams(location.search);
	return { brand: query.get("brand"), view: query.get("view") ?? "keys" };
};

/** @type {import("../parts/preact.js").Signal<Place>} */
export const place = signal(read());

/** @param {Partial<Place>} next */
export function addressOf(next) {
	const { brand, view } = { ...place.value, ...next };
	return `?${new URLSearchParams({ ...(brand && { brand }), ...(view !== "keys" && { view }) })}`;
}

/** @param {Partial<Place>} next */
export function goTo(next) {
	history.pushState(null, "", addressOf(next));
	place.value = read();
}

/** Corrects the address without a step in the history. @param {Partial<Place>} next */
export function stayAt(next) {
	history.replaceState(null, "", addressOf(next));
	place.value = read();
}

addEventListener("popstate", () => {
	place.value = read();
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
