// @ts-check
import { openCreate } from "./create.js";
import { keysView } from "./keys.js";
import { ApiError } from "../../app/api.js";
import { changes, counted, workspace } from "../../app/model.js";
import { addressOf } from "../../app/place.js";
import { button, fill, icon, tag } from "../../parts/dom.js";
import { announce, notice, toast } from "../../parts/notice.js";
import { html, useLayoutEffect, useRef } from "../../parts/preact.js";

/** The keys of the brand. */
export function View() {
	const root = useRef(/** @type {any} */ (null));
	const draw = useRef(() => {});
	useLayoutEffect(() => {
		const summary = tag("p.lead");
		const bannerPlace = tag("div");
		const keys = keysView();
		draw.current = () => {
			fill(summary, summaryWords());
			fill(bannerPlace, banner(), waitingLine());
			keys.draw();
		};
		document.title = `MCP keys · ${workspace.brand.name}`;
		fill(root.current,
			tag("div.page-head",
				tag("div", tag("h1", { tabindex: "-1" }, "MCP keys"), summary),
				tag("div.row", button(".quiet", "Refresh", refresh), button(".primary", "Create key", () => openCreate(), { "data-focus": "create" }, icon("plus")))),
			bannerPlace, tag("div.stack", keys.root));
	}, []);
	useLayoutEffect(() => draw.current(), [changes.value]);
	return html`<div class="view" ref=${root}></div>`;
}

async function refresh() {
	try {
		await workspace.refreshEverything();
		announce("Up to date.");
	} catch (error) {
		if (error instanceof ApiError && error.status !== 401) toast(`Not refreshed. ${error.message}`);
	}
}

/** Who can do what, at a glance. */
function summaryWords() {
	const current = workspace.keys.filter((key) => key.status === "active");
	const { name } = workspace.brand;
	if (!current.length) return `Connect an assistant such as Claude or Cursor to ${name}.`;
	const active = current.filter((key) => !key.paused);
	const paused = current.length - active.length;
	const pausedWords = paused ? ` ${counted(paused, "key is", "keys are")} paused.` : "";
	if (!active.length) return `No active key for ${name}.${pausedWords}`;
	const writing = active.filter((key) => key.scope !== "read").length;
	const people = new Set(active.map((key) => key.created_by)).size;
	return `${counted(active.length, "active key")} for ${name}, ${writing || "none"} can write, held by ${counted(people, "person", "people")}.${pausedWords}`;
}

function waitingLine() {
	const { total } = workspace.approvals;
	return total > 0 && tag("p", tag("a", { href: addressOf({ view: "approvals" }) }, `${counted(total, "action waits", "actions wait")} for approval`));
}

function banner() {
	const { name, plan, role, mcp_active: active } = workspace.brand;
	if (active) return null;
	return notice("warning", `MCP is not active on the plan “${plan.name}”`,
		tag("p", "Every key is kept, but each call with one is refused (403) until MCP is active again. A key created now starts to work then, too."),
		tag("p", role === "admin" ? `What to do: move ${name} to a plan that includes MCP.` : `What to do: ask an administrator of ${name} for a plan that includes MCP.`,
			" The keys then work at once, and nothing has to be set up anew."));
}
