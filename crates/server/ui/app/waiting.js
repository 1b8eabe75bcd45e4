// @ts-check
// The calls that wait for a decision. They are loaded again in every view, so that their number in the title of the tab stays right.
import { t } from "../lang/lang.js";
import { announce } from "../parts/messages.js";
import { signal } from "../vendor/preact.js";
import { api } from "./api.js";
import { changes, workspace } from "./model.js";

const POLL_INTERVAL_MS = 15_000;
/** In other views, and in a tab that is not shown. */
const SLOW_INTERVAL_MS = 60_000;
const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

/** Whether the last look has failed. */
export const isBehind = signal(false);

/** @param {ApprovalPage} page */
export function showWaiting(page) {
	workspace.approvals = page;
	changes.value += 1;
}

/** Loads what waits again, as far as it is shown. Returns whether there is a new one. */
export async function refreshWaiting() {
	const shown = workspace.approvals;
	const known = new Set(shown.approvals.map(({ approval_id: id }) => id));
	const limit = Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, known.size));
	const page = await api.approvals(workspace.brand.brand_id, limit);
	// Something newer was loaded meanwhile.
	if (shown !== workspace.approvals) return false;
	showWaiting(page);
	return page.approvals.some(({ approval_id: id, requested_at: at }) => !known.has(id) && at > (shown.approvals[0]?.requested_at ?? ""));
}

/**
 * Looks for new calls now and from time to time, and at once when the person comes to see them. Returns how to stop it.
 * @param {boolean} isSeen Whether the view of approvals is open.
 */
export function startPolling(isSeen) {
	let isOpen = true;
	let lastLook = 0;

	/** @param {boolean} [atOnce] */
	async function look(atOnce = false) {
		if (!atOnce && (document.hidden || !isSeen) && Date.now() - lastLook < SLOW_INTERVAL_MS) return;
		lastLook = Date.now();
		try {
			const isNew = await refreshWaiting();
			if (!isOpen) return;
			isBehind.value = false;
			if (isNew) announce(t("page-new-waiting", { count: workspace.approvals.total }));
		} catch {
			// The list stays as it was. The next look may succeed.
			if (isOpen) isBehind.value = true;
		}
	}
	const timer = setInterval(look, POLL_INTERVAL_MS);
	const shown = () => look(isSeen && !document.hidden);
	document.addEventListener("visibilitychange", shown);
	look(true);
	return () => {
		isOpen = false;
		clearInterval(timer);
		document.removeEventListener("visibilitychange", shown);
	};
}
