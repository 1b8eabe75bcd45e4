// @ts-check
import { openCreate } from "./create.js";
import { openDetails, stateBadge } from "./details.js";
import { button, cell, choice, dataTable, fill, icon, tag } from "../../parts/dom.js";
import { canRevoke, counted, isMine, personName, scopeWords, toolsOfKey, workspace } from "../../app/model.js";
import { openReveal } from "./reveal.js";
import { openRevoke } from "./revoke.js";
import { RULES } from "./rules.js";
import { dateName, timeElement, timeOrNever } from "../../parts/time.js";

// The first mail about the expiry is sent then.
const EXPIRES_SOON_MS = 14 * 86_400_000;

const COLUMNS = ["Key", "Access", "Created", "Last used", "Expires", "State", "Actions"];

/** Name, what it compares, whether the greatest comes first. @type {[string, (key: Key) => string | number, boolean][]} */
const SORTS = [
	["Newest first", (key) => key.created_at, true],
	["Oldest first", (key) => key.created_at, false],
	["Label, A to Z", (key) => key.label.toLocaleLowerCase(), false],
	["Last used, latest first", (key) => key.last_used_at ?? "", true],
	["Last used, never first", (key) => key.last_used_at ?? "", false],
	["Most access first", (key) => Number(key.scope !== "read"), true],
	["Expires soonest", (key) => key.expires_at ?? "~", false],
];

const STATES = [["current", "Not revoked"], ["active", "Active"], ["expired", "Expired"], ["revoked", "Revoked"], ["all", "All"]];
const ANYTHING = { words: "", state: "all", scope: "", owner: "" };

/** The list of keys with its filters. */
export function keysView() {
	/** @type {Record<string, string>} */
	const wanted = { ...ANYTHING, state: "current", sort: "0" };
	const tools = tag("div.toolbar");
	const count = tag("p.soft.small.count", { role: "status" });
	const list = tag("div");

	/** @param {Key} key */
	function fits(key) {
		const { words, state, scope, owner } = wanted;
		const text = `${key.label} ${key.prefix} ${personName(key.created_by)}`.toLocaleLowerCase();
		return (state === "all" || (state === "current" ? key.status !== "revoked" : key.status === state))
			&& (!scope || (scope === "read") === (key.scope === "read"))
			&& (!owner || (owner === "mine") === isMine(key))
			&& words.toLocaleLowerCase().split(/\s+/).every((word) => text.includes(word));
	}

	function drawToolbar() {
		const search = tag("input", {
			type: "search", "aria-label": "Search keys", placeholder: "Label, prefix or person", value: wanted.words,
			oninput: () => {
				wanted.words = search.value;
				drawList();
			},
		});
		fill(tools, tag("div.search", icon("search"), search),
			choice("State", STATES, wanted, "state", drawList),
			choice("Access", [["", "Any"], ["read", scopeWords("read")], ["write", scopeWords("write")]], wanted, "scope", drawList),
			choice("Created by", [["", "Anyone"], ["mine", "You"], ["others", "Others"]], wanted, "owner", drawList),
			choice("Sort", SORTS.map(([name], index) => [String(index), name]), wanted, "sort", drawList));
	}

	function drawList() {
		const [, value, greatestFirst] = SORTS[Number(wanted.sort)];
		// The keys come newest first, and sorting keeps that order among equals.
		const shown = workspace.keys.filter(fits).sort((left, right) =>
			(greatestFirst ? -1 : 1) * (Number(value(left) > value(right)) - Number(value(left) < value(right))));
		const all = counted(workspace.keys.length, "key");
		count.textContent = shown.length === workspace.keys.length ? all : `${shown.length} of ${all}`;
		fill(list, shown.length ? tag("div.card.table-card", dataTable(".keys.stacked", "Keys", COLUMNS, shown.map(keyRow))) : nothingFits());
	}

	const nothingFits = () => tag("div.card.empty", icon("search"), tag("h2", "No key fits these filters"),
		button("", "Show every key", () => {
			Object.assign(wanted, ANYTHING);
			drawToolbar();
			drawList();
		}));

	return {
		root: tag("section", tools, count, list),
		draw() {
			tools.hidden = count.hidden = !workspace.keys.length;
			if (tools.hidden) return fill(list, firstKey());
			if (!tools.firstChild) drawToolbar();
			drawList();
		},
	};
}

const firstKey = () => tag("div.card.empty", icon("key"),
	tag("h2", "No keys yet"),
	tag("p", `A key lets one assistant work for ${workspace.brand.name}, as far as you allow. Give each assistant its own, so that you can end one without touching the others.`),
	tag("ol", tag("li", "Create a key"), tag("li", "Paste one entry into your assistant"), tag("li", "See it connect, right here")),
	button(".primary", "Create the first key", () => openCreate(), icon("plus")));

/** One key. Another member's shows the same facts, but only its creator can show its secret. @param {Key} key */
function keyRow(key) {
	const { key_id: id, label, expires_at: expires } = key;
	const live = key.status === "active";
	const soon = live && expires && Date.parse(expires) - Date.now() < EXPIRES_SOON_MS;
	return tag("tr", { class: key.status === "revoked" && "faded" },
		tag("th", { scope: "row", role: "rowheader" },
			tag("button.link", { type: "button", "data-focus": `details ${id}`, onclick: () => openDetails(key) }, label),
			tag("code", `${key.prefix}…`)),
		cell("Access", scopeWords(key.scope),
			key.scope === "full" && tag("small", "scope “full”"),
			key.tools && tag("small", `only ${counted(toolsOfKey(key).length, "chosen tool")}`),
			key.approval !== "none" && tag("small", tag("span.badge.info", { title: RULES[key.approval][1] }, "Asks first"))),
		cell("Created", personName(key.created_by), tag("small", timeElement(key.created_at))),
		cell("Last used", timeOrNever(key.last_used_at),
			key.idle_since && tag("small", tag("strong.warning-text", `Not used since ${dateName(key.idle_since)}`))),
		cell("Expires", soon ? tag("strong.warning-text", "Expires ", timeElement(expires)) : timeOrNever(expires)),
		cell("State", stateBadge(key)),
		tag("td.actions", tag("div.row",
			live && isMine(key) && button(".small", "Show", () => openReveal(key), { "aria-label": `Show the secret of ${label}`, "data-focus": `show ${id}` }),
			canRevoke(key) && button(".small.danger-quiet", "Revoke", () => openRevoke(key), { "aria-label": `Revoke ${label}`, "data-focus": `revoke ${id}` }))));
}
