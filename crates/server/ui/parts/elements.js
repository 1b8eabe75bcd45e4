// @ts-check
// Small elements that every view shows.
import { t } from "../lang/lang.js";
import { html } from "../vendor/preact.js";

export const ICONS = {
	plus: "M12 5v14M5 12h14",
	close: "M6 6l12 12M18 6L6 18",
	copy: "M9 9h10v11H9zM5 15V4h10",
	check: "M5 12.5l4.5 4.5L19 7.5",
	warning: "M12 4L2.8 20h18.4zM12 10v4.5M12 17.3v.1",
	info: "M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM12 11v5M12 7.8v.1",
	download: "M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14",
	key: "M8.5 8.8a3.7 3.7 0 100 7.4 3.7 3.7 0 000-7.4zM12.2 12.5H21m-3 0v3.2m-3-3.2v2.2",
	calendar: "M4 6.5h16V20H4zM4 10.5h16M8 4v4.5M16 4v4.5",
	upload: "M12 16V5m-4.5 4.5L12 5l4.5 4.5M5 20h14",
	search: "M10.5 4.5a6 6 0 100 12 6 6 0 000-12zM15 15l5 5",
};

/** A line drawing beside words that say the same, so it is hidden from screen readers. @param {{ name: keyof typeof ICONS }} properties */
export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

/**
 * `kind`: `primary`, `danger`, `danger-quiet`, `quiet`, `small`, or several of them. `label`: for screen readers, if the words alone are not clear.
 * `focus`: a name by which a dialog finds the button again after a redraw. `title`: shown on hover.
 * @param {{ kind?: string, icon?: keyof typeof ICONS, label?: string, title?: string, focus?: string, disabled?: boolean, onClick: (event: MouseEvent) => void, children?: any }} properties
 */
export const Button = ({ kind = "", icon, label, title, focus, disabled, onClick, children }) => html`
	<button type="button" class=${`button ${kind}`} aria-label=${label} title=${title} data-focus=${focus} disabled=${disabled} onClick=${onClick}>
		${icon && html`<${Icon} name=${icon} />`}${children}
	</button>`;

/** @param {{ label: string, onClick: () => void }} properties */
export const CloseButton = ({ label, onClick }) => html`
	<button type="button" class="icon-button" aria-label=${label} onClick=${onClick}><${Icon} name="close" /></button>`;

/** @param {{ tone: Tone, title?: string, children?: any }} properties */
export const Badge = ({ tone, title, children }) => html`<span class=${`badge ${tone}`} title=${title}>${children}</span>`;

/** Grey placeholders for what is loading. @param {{ rows: number }} properties */
export const Skeleton = ({ rows }) => html`
	<div class="skeleton" role="status"><span class="visually-hidden">${t("loading")}</span>${Array.from({ length: rows }, () => html`<span class="placeholder placeholder-row"></span>`)}</div>`;

/** What a view shows while there is nothing in it. @param {{ icon: keyof typeof ICONS, title: string, children?: any }} properties */
export const Empty = ({ icon, title, children }) => html`
	<div class="card empty"><${Icon} name=${icon} /><h2>${title}</h2>${children}</div>`;

/** The title of a view, what it is for, and its main action. @param {{ title: string, lead?: any, children?: any }} properties */
export const PageHead = ({ title, lead, children }) => html`
	<div class="page-head"><div><h1 tabindex="-1">${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>${children}</div>`;

/**
 * A table that turns into cards on a narrow screen. Roles are explicit, because screen readers lose the table then.
 * @param {{ name: string, heads: string[], kind?: string, children?: any }} properties
 */
export const DataTable = ({ name, heads, kind = "keys stacked", children }) => html`
	<table class=${kind} role="table" aria-label=${name}>
		<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
		<tbody role="rowgroup">${children}</tbody>
	</table>`;

/** @param {{ name: string, children?: any }} properties `name`: shown beside the value where the table becomes cards. */
export const Cell = ({ name, children }) => html`<td role="cell" data-name=${name}><div>${children}</div></td>`;

/** @param {{ children?: any }} properties */
export const RowHead = ({ children }) => html`<th scope="row" role="rowheader">${children}</th>`;

/** A name and its value in a `dl`. @param {{ name: string, children?: any }} properties */
export const Fact = ({ name, children }) => html`<dt>${name}</dt><dd>${children}</dd>`;
