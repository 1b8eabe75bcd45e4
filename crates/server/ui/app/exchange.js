// @ts-check
import { api, ApiError } from "./api.js";
import { openDialog } from "../parts/dialog.js";
import { button, tag } from "../parts/dom.js";
import { currentSession } from "./session.js";

/** Only the newest link is asked about. */
let questions = new AbortController();

/**
 * Exchanges a link for a session. A link of another person may come from an attacker who wants keys to be created in
 * their brand, so the page asks first.
 * @param {SignInLink} link
 * @returns {Promise<Session | null>} `null`: the current session stays.
 */
export async function exchange(link) {
	questions.abort();
	questions = new AbortController();
	const { signal } = questions;
	try {
		return await api.signIn(link, false);
	} catch (error) {
		if (!(error instanceof ApiError) || error.code !== "other_user_signed_in") throw error;
		const current = currentSession() ?? await api.session().catch(() => null);
		if (signal.aborted || !(await ask(current?.user_id, error.signInUserId, signal))) return null;
		return api.signIn(link, true);
	}
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
