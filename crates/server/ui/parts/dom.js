// @ts-check
// Builds elements. A string only ever becomes a text node, so nothing a person typed can turn into markup.

/** Explicit roles: when CSS turns rows into cards, screen readers would no longer see a table. @type {Record<string, string>} */
const ROLES = { table: "table", thead: "rowgroup", tbody: "rowgroup", tr: "row", td: "cell" };

/**
 * `tag("p.soft", { title: "…" }, "words", child)`
 * @template {string} S
 * @param {S} selector A tag and its classes.
 * @param {...Part} parts
 * @returns {Made<S>}
 */
export function tag(selector, ...parts) {
	const [name, ...classes] = selector.split(".");
	const made = document.createElement(name);
	add(made, [{ class: classes.join(" ") || null, role: ROLES[name] }, parts]);
	return /** @type {Made<S>} */ (made);
}

/** The same for SVG. @param {keyof SVGElementTagNameMap} tag @param {...Part} parts */
export function drawing(tag, ...parts) {
	const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
	add(made, parts);
	return made;
}

/** @param {Element} made @param {Part[]} parts */
function add(made, parts) {
	for (const part of parts) {
		if (!part) continue;
		if (typeof part === "string" || part instanceof Node) made.append(part);
		else if (Array.isArray(part)) add(made, part);
		else for (const [name, value] of Object.entries(part)) {
			if (typeof value === "function") made.addEventListener(name.slice(2), value);
			else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value === true ? "" : String(value));
		}
	}
}

/** @param {Element} parent @param {...Part} parts */
export function fill(parent, ...parts) {
	parent.replaceChildren();
	add(parent, parts);
}

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

let lastId = 0;

/** A fresh id, for joining a label to its field. */
export const freshId = () => `id-${++lastId}`;

/** @param {string} classes Such as `.small`. @param {string} words @param {(event: MouseEvent) => void} onclick @param {...Part} parts */
export const button = (classes, words, onclick, ...parts) =>
	tag(`button.button${classes}`, { type: "button", onclick }, parts, words);

/** @param {string} name @param {() => void} onclick */
export const closeButton = (name, onclick) => tag("button.icon-button", { type: "button", "aria-label": name, onclick }, icon("close"));

/**
 * A labelled choice that keeps `target[name]`.
 * @param {string} label
 * @param {string[][]} options Value and words of each.
 * @param {Record<string, string>} target
 * @param {string} name
 * @param {() => void} onchange
 */
export function choice(label, options, target, name, onchange) {
	const select = tag("select", {
		onchange: () => {
			target[name] = select.value;
			onchange();
		},
	}, options.map(([value, words]) => tag("option", { value, selected: value === target[name] }, words)));
	return tag("label.choice", tag("span", label), select);
}

/** @param {HTMLInputElement} box @param {...Part} words */
export const checkbox = (box, ...words) => tag("label.check", box, tag("span", words));

/** A name and its value in a `dl`. @param {string} name @param {...Part} value */
export const fact = (name, ...value) => [tag("dt", name), tag("dd", value)];

const ICONS = {
	plus: "M12 5v14M5 12h14",
	close: "M6 6l12 12M18 6L6 18",
	copy: "M9 9h10v11H9zM5 15V4h10",
	check: "M5 12.5l4.5 4.5L19 7.5",
	warning: "M12 4L2.8 20h18.4zM12 10v4.5M12 17.3v.1",
	info: "M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM12 11v5M12 7.8v.1",
	download: "M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14",
	key: "M8.5 8.8a3.7 3.7 0 100 7.4 3.7 3.7 0 000-7.4zM12.2 12.5H21m-3 0v3.2m-3-3.2v2.2",
	search: "M10.5 4.5a6 6 0 100 12 6 6 0 000-12zM15 15l5 5",
};

/** A line drawing beside words that say the same, so it is hidden from screen readers. @param {keyof typeof ICONS} name */
export const icon = (name) =>
	drawing("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, drawing("path", { d: ICONS[name] }));

/** @param {string} classes @param {string} name @param {string[]} heads @param {Part[]} rows */
export function dataTable(classes, name, heads, rows) {
	return tag(`table${classes}`, { "aria-label": name },
		tag("thead", tag("tr", heads.map((head) => tag("th", { scope: "col", role: "columnheader" }, head)))), tag("tbody", rows));
}

/** @param {string} name Shown beside the value where the table becomes cards. @param {...Part} parts */
export const cell = (name, ...parts) => tag("td", { "data-name": name }, tag("div", parts));

/** Grey shapes that hold the place of what is loading. @param {number} rows */
export const bones = (rows) => tag("div.bones", { role: "status" }, tag("span.visually-hidden", "Loading…"),
	Array.from({ length: rows }, () => tag("span.bone.bone-row")));
