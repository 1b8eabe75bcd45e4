// @ts-check
import { activityView } from "./activity.js";
import { api, ApiError } from "./api.js";
import { approvalSettingsView } from "./approvalsettings.js";
import { openCreate } from "./create.js";
import { button, byId, choice, fill, icon, tag } from "./dom.js";
import { keysView } from "./keys.js";
import { counted, workspace } from "./model.js";
import { announce, notice, toast } from "./notice.js";
import { signOutButton } from "./signout.js";
import { waitingView } from "./waiting.js";

/** A tab that comes back after this long looks whether another tab or person changed something. */
const STALE_AFTER_MS = 60_000;

let open = new AbortController();

/** Cancels the requests of the brand that was shown before. */
export function leaveBrand() {
	open.abort();
	open = new AbortController();
}

/**
 * Loads a brand and shows it.
 * @param {Me} me
 * @param {Brand} brand
 * @param {() => void} restart Starts the page again with another brand.
 */
export async function openBrand(me, brand, restart) {
	leaveBrand();
	const { signal } = open;
	showAccount(me, brand, restart);
	const id = brand.brand_id;
	const [now, members, tools] = await Promise.all([current(id), api.members(id), api.tools()]);
	if (signal.aborted) return;
	Object.assign(workspace, { me, brand, members, tools, refresh, ...now });

	let lastLoaded = Date.now();
	const summary = tag("p.lead");
	const bannerPlace = tag("div");
	const parts = [waitingView(), keysView(), approvalSettingsView()];
	const activity = activityView();

	function draw() {
		fill(summary, summaryWords());
		fill(bannerPlace, banner());
		for (const part of parts) part.draw();
	}

	async function refresh() {
		const now = await current(id).catch(() => null);
		if (!now || signal.aborted) return false;
		Object.assign(workspace, now);
		draw();
		return true;
	}

	async function refreshEverything() {
		lastLoaded = Date.now();
		const [meNow, membersNow, now] = await Promise.all([api.me(), api.members(id), current(id)]);
		if (signal.aborted) return;
		const brandNow = meNow.brands.find((one) => one.brand_id === id);
		if (!brandNow) return restart();
		Object.assign(workspace, { me: meNow, brand: brandNow, members: membersNow, ...now });
		draw();
	}

	document.addEventListener("visibilitychange", () => {
		if (document.hidden || Date.now() - lastLoaded < STALE_AFTER_MS) return;
		// A background refresh: if it fails, the page keeps what it shows.
		refreshEverything().catch(() => {});
	}, { signal });

	const refreshButton = button(".quiet", "Refresh", async () => {
		try {
			await refreshEverything();
			if (!activity.root.hidden) await activity.load();
			announce("Up to date.");
		} catch (error) {
			if (error instanceof ApiError && error.status !== 401) toast(`Not refreshed. ${error.message}`);
		}
	});

	document.title = `MCP keys · ${brand.name}`;
	fill(byId("main"),
		tag("div.page-head",
			tag("div", tag("h1", { tabindex: "-1" }, "MCP keys"), summary),
			button(".primary", "Create key", () => openCreate(), { "data-focus": "create" }, icon("plus"))),
		bannerPlace,
		views([["Keys", tag("div.stack", parts.map((part) => part.root)), () => {}], ["Activity", activity.root, activity.load]], refreshButton));
	draw();
}

/** What changes while the page is open. @param {string} id */
async function current(id) {
	const [keys, approvals, approvalSettings] = await Promise.all([api.keys(id), api.approvals(id), api.approvalSettings(id)]);
	return { keys, approvals, approvalSettings };
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

function banner() {
	const { name, plan, role, mcp_active: active } = workspace.brand;
	if (active) return null;
	return notice("warning", `MCP is not active on the plan “${plan.name}”`,
		tag("p", "Every key is kept, but each call with one is refused (403) until MCP is active again. A key created now starts to work then, too."),
		tag("p", role === "admin" ? `What to do: move ${name} to a plan that includes MCP.` : `What to do: ask an administrator of ${name} for a plan that includes MCP.`,
			" The keys then work at once, and nothing has to be set up anew."));
}

/** @param {Me} me @param {Brand} brand @param {() => void} restart */
function showAccount(me, brand, restart) {
	const wanted = { brand: brand.brand_id };
	const keepPlace = () => history.replaceState(null, "", `?${new URLSearchParams(wanted)}`);
	// The address names the brand, so that a reload or a lost membership never leads to another one.
	if (me.brands.length > 1) keepPlace();
	fill(byId("account"),
		me.brands.length === 1
			? tag("span.brand-name", brand.name)
			: choice("Brand", me.brands.map((one) => [one.brand_id, one.name]), wanted, "brand", () => {
				keepPlace();
				restart();
			}),
		tag("span.role", brand.role === "admin" ? "Administrator" : "Member"),
		signOutButton());
}

/**
 * @param {[name: string, page: HTMLElement, onOpen: () => void][]} pages
 * @param {HTMLElement} aside
 */
function views(pages, aside) {
	const heads = pages.map(([name, , onOpen], index) => tag("button.tab", {
		type: "button",
		onclick: () => {
			show(index);
			onOpen();
		},
	}, name));
	/** @param {number} index */
	const show = (index) => heads.forEach((head, at) => {
		head.ariaCurrent = at === index ? "page" : null;
		pages[at][1].hidden = at !== index;
	});
	show(0);
	return [tag("nav.tab-row", { "aria-label": "Views" }, tag("div.tabs", heads), aside), pages.map(([, page]) => page)];
}
