// @ts-check
import { loadTexts, rich, t } from "../lang/lang.js";
import { Button } from "../parts/elements.js";
import { Modal } from "../parts/modal.js";
import { html, signal } from "../vendor/preact.js";
import { api, ApiError } from "./api.js";
import { currentSession } from "./session.js";

/** Whether to continue as the person of a link. @typedef {{ current?: string, linked: string, answer: (yes: boolean) => void }} Question */

/** @type {import("../vendor/preact.js").Signal<Question | null>} */
const question = signal(null);
/** Only the newest link is asked about. */
let newest = 0;

/**
 * Exchanges a link for a session. A link of another person may come from an attacker who wants keys to be created in
 * their brand, so the page asks first.
 * @param {SignInLink} link
 * @returns {Promise<Session | null>} `null`: the current session stays.
 */
export async function exchange(link) {
	const mine = ++newest;
	question.value?.answer(false);
	try {
		return await api.signIn(link, false);
	} catch (error) {
		if (!(error instanceof ApiError) || error.code !== "other_user_signed_in") throw error;
		await loadTexts("signin");
		const current = currentSession() ?? await api.session().catch(() => null);
		if (mine !== newest || !(await ask(current?.user_id, error.signInUserId))) return null;
		return api.signIn(link, true);
	}
}

/** @param {string | undefined} current @param {string} linked @returns {Promise<boolean>} */
const ask = (current, linked) => new Promise((resolve) => {
	question.value = {
		current,
		linked,
		answer: (yes) => {
			question.value = null;
			resolve(yes);
		},
	};
});

/** The question, while there is one. */
export function OtherPerson() {
	if (!question.value) return null;
	const { current, linked, answer } = question.value;
	const stay = () => answer(false);
	const actions = html`
		<${Button} kind="person" onClick=${() => answer(true)}>${t("page-continue-as", { user: linked })}<//>
		<${Button} kind="person primary" onClick=${stay}>${current ? t("page-stay-as", { user: current }) : t("page-stay")}<//>`;
	const names = { linked: html`<strong>${linked}</strong>`, current: html`<strong>${current}</strong>` };
	return html`
		<${Modal} key=${linked} title=${t("page-other-person")} onClose=${stay} actions=${actions}>
			<p>${rich(current ? "page-link-of-other" : "page-link-of", names)}</p>
			<p>${t("page-link-warning")}</p>
		<//>`;
}
