// @ts-check
import { api } from "./api.js";
import { account, changes, screen, workspace } from "./model.js";

/** A tab that becomes visible after this time loads everything again: another tab or person may have changed something. */
const MAX_AGE_MS = 60_000;

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
	account.value = { me, brand };
	const id = brand.brand_id;
	const [now, members] = await Promise.all([current(id), api.members(id)]);
	if (signal.aborted) return;
	let lastLoaded = Date.now();

	async function refresh() {
		const now = await current(id).catch(() => null);
		if (!now || signal.aborted) return false;
		update(now);
		return true;
	}

	async function refreshEverything() {
		lastLoaded = Date.now();
		const [meNow, membersNow, now] = await Promise.all([api.me(), api.members(id), current(id)]);
		if (signal.aborted) return;
		const brandNow = meNow.brands.find((one) => one.brand_id === id);
		if (!brandNow) return restart();
		account.value = { me: meNow, brand: brandNow };
		update({ me: meNow, brand: brandNow, members: membersNow, ...now });
	}

	document.addEventListener("visibilitychange", () => {
		if (document.hidden || Date.now() - lastLoaded < MAX_AGE_MS) return;
		// A background refresh: if it fails, the page keeps what it shows.
		refreshEverything().catch(() => {});
	}, { signal });

	update({ me, brand, members, tools: workspace.tools ?? [], refresh, refreshEverything, ...now });
	screen.value = { kind: "brand", id };
}

/** @param {Partial<Workspace>} next */
function update(next) {
	Object.assign(workspace, next);
	changes.value += 1;
}

/** @type {Promise<void> | null} */
let tools = null;

/** Loads the tools, once. Their list is long and the first view does not need it. */
export function loadTools() {
	tools ??= api.tools().then((all) => update({ tools: all }), (error) => {
		// The next one who needs them tries again.
		tools = null;
		throw error;
	});
	return tools;
}

/** What changes while the page is open. @param {string} id */
async function current(id) {
	const [keys, approvals, approvalSettings] = await Promise.all([api.keys(id), api.approvals(id), api.approvalSettings(id)]);
	return { keys, approvals, approvalSettings };
}
