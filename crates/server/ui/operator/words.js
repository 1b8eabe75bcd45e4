// @ts-check
// Words and small elements that several views of the console share.
import { t } from "../lang/lang.js";
import { Badge, Button, PageHead } from "../parts/elements.js";
import { html, useEffect } from "../vendor/preact.js";
import { number } from "../parts/times.js";
import { hasMoved, Link, route } from "./route.js";

/** @type {Record<string, Tone>} */
const TONES = {
	active: "good", suspended: "bad", paused: "warning", expired: "warning", revoked: "off",
	erasing: "info", done: "good", waiting: "info", running: "info", failed: "bad", cancelled: "off",
	pending: "info", delivered: "good", approved: "good", rejected: "off",
	draft: "off", scheduled: "info", publishing: "info", published: "good", uncertain: "warning", withdrawing: "info", withdrawn: "off",
	ok: "good", error: "warning", denied: "bad",
};

/** @param {{ status: string }} properties */
export const Status = ({ status }) => html`<${Badge} tone=${TONES[status] ?? "off"}>${t(`operator-status-${status}`)}<//>`;

/** Options of a filter by status. @param {string[]} statuses */
export const statusOptions = (statuses) => statuses.map((status) => [status, t(`operator-status-${status}`)]);

/** The words for a code of the service. A code without words, and a sentence, stay as they are. @param {string} prefix @param {string} code */
export function wordsFor(prefix, code) {
	if (!/^\w+$/.test(code)) return code;
	const id = `${prefix}-${code}`;
	const words = t(id);
	return words === id ? code.replaceAll("_", " ") : words;
}

/** The title of a view. @param {{ title: string, lead?: any, children?: any }} properties */
export function Head({ title, lead, children }) {
	const { view, open } = route.value;
	useEffect(() => {
		document.title = t("operator-page-title", { title });
	}, [title]);
	useEffect(() => {
		// The element that was clicked is gone, so the focus goes to the title.
		if (hasMoved && document.activeElement === document.body) /** @type {HTMLElement | null} */ (document.querySelector("main h1"))?.focus();
	}, [view, open]);
	return html`<${PageHead} title=${title} lead=${lead}>${children && html`<div class="row">${children}</div>`}<//>`;
}

/** @param {{ onClick: () => void }} properties */
export const Refresh = ({ onClick }) => html`<${Button} kind="quiet" onClick=${onClick}>${t("operator-refresh")}<//>`;

/** The way back to the list of a view. @param {{ view: string, children?: any }} properties */
export const Back = ({ view, children }) => html`<p class="small"><${Link} to=${{ view }}>${children}<//></p>`;

/** @param {{ id: string | null }} properties */
export const BrandLink = ({ id }) => (id ? html`<${Link} to=${{ view: "brands", open: id }}>${id}<//>` : html`<span class="soft">–</span>`);

/** @param {{ id: string }} properties */
export const PersonLink = ({ id }) => html`<${Link} to=${{ view: "people", open: id }}>${id}<//>`;

/** A name and its value in a `dl`; without a value, nothing. @param {{ name: string, children?: any }} properties */
export const Fact = ({ name, children }) => (children || children === 0 ? html`<dt>${name}</dt><dd>${children}</dd>` : null);

/** What a revoke has cancelled, and what had been begun. @param {{ done: OperatorRevoked }} properties */
export function Revoked({ done }) {
	const counts = [
		...Object.entries(done.cancelled).map(([kind, count]) => [t(`operator-cancelled-${kind}`), count]),
		...Object.entries(done.already_sending).map(([kind, count]) => [t(`operator-sending-${kind}`), count]),
	].filter(([, count]) => count);
	if (!counts.length) return html`<p>${t("operator-cancelled-nothing")}</p>`;
	return html`<dl>${counts.map(([words, count]) => html`<${Fact} name=${words}>${number(Number(count))}<//>`)}</dl>`;
}
