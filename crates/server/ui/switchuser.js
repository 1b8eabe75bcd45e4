// @ts-check
import { api, ApiError } from "./api.js";
import { openDialog } from "./dialog.js";
import { button, tag } from "./dom.js";
import { toast } from "./notice.js";

/** Only the newest link is asked about. */
let questions = new AbortController();

/**
 * Asks whether a link may replace the current session. A link of another person may come from an attacker who wants
 * keys to be created in their brand.
 * @param {string} token The token of the link.
 * @returns {Promise<boolean>} Whether the link's session replaces the current one.
 */
export async function mayReplaceSession(token) {
	questions.abort();
	questions = new AbortController();
	const { signal } = questions;
	let current;
	try {
		current = await api.me();
	} catch (error) {
		// The old sign-in has ended, so there is no session to protect.
		if (error instanceof ApiError && error.status === 401) return !signal.aborted;
	}
	let linked;
	try {
		linked = await api.me(token);
	} catch (error) {
		if (!signal.aborted) toast(`You stay signed in: the link that was opened could not be used. ${error instanceof ApiError ? error.message : ""}`);
		return false;
	}
	if (signal.aborted) return false;
	if (current?.user_id === linked.user_id) return true;
	return ask(current?.user_id, linked.user_id, signal);
}

/** @param {string | undefined} current @param {string} linked @param {AbortSignal} signal @returns {Promise<boolean>} */
function ask(current, linked, signal) {
	return new Promise((resolve) => {
		const dialog = openDialog({ onClose: () => resolve(false) });
		signal.addEventListener("abort", dialog.close);
		dialog.show("Continue as another person?", [
			tag("p", "The link that was opened belongs to ", tag("strong", linked), ".",
				current && [" You are signed in as ", tag("strong", current), "."]),
			tag("p", "Stay if you did not open this link yourself. If you continue, everything you do here happens in that person’s account."),
		], [
			button(".person", `Continue as ${linked}`, () => {
				resolve(true);
				dialog.close();
			}),
			button(".person.primary", current ? `Stay as ${current}` : "Stay signed in", dialog.close),
		]);
	});
}
