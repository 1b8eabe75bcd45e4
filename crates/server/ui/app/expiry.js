// @ts-check
// Warns before the session ends. What a person has typed stays: they sign in again in another tab and go on here.
import { rich, t } from "../lang/lang.js";
import { announce, Notice } from "../parts/messages.js";
import { openModals, pageNote } from "../parts/modal.js";
import { html } from "../vendor/preact.js";
import { Time } from "../parts/times.js";
import { api, isRefused } from "./api.js";
import { currentSession, LOGIN_URL, oidcLink, setSession } from "./session.js";

const WARN_BEFORE_MS = 5 * 60_000;
const CHECK_INTERVAL_MS = 1_000;

const HowTo = () => html`<p>${oidcLink() || LOGIN_URL
	? rich("page-sign-in-again", { link: html`<a href=${oidcLink() || LOGIN_URL} target="_blank" rel="noopener">${t("page-sign-in-again.link")}</a>` })
	: t("page-open-again")}</p>`;

const Ended = () => html`<div class="session-warning"><${Notice} tone="warning" title=${t("page-session-ended")}><${HowTo} /><//></div>`;

function EndsSoon() {
	const at = new Date(currentSession()?.ends ?? 0).toISOString();
	return html`
		<div class="session-warning">
			<${Notice} tone="warning" title=${t("page-session-ends-soon")}><p>${rich("page-session-ends", { when: html`<${Time} at=${at} />` })}</p><${HowTo} /><//>
		</div>`;
}

/** The warning in the head of the page. Nothing behind an open dialog can be used, so the dialog shows it then. */
export const SessionNote = () => openModals.value === 0 && pageNote.value && html`<${pageNote.value} />`;

export function hideWarning() {
	pageNote.value = null;
}

/** The session has ended while something was typed. */
export function showEnded() {
	pageNote.value = Ended;
	announce(t("page-session-ended"));
}

/** Another tab may have signed in meanwhile. @param {() => void} onEnd Called if the service does not accept the session any more. */
async function checkSession(onEnd) {
	try {
		setSession(await api.session());
		hideWarning();
	} catch (error) {
		if (isRefused(error)) onEnd();
	}
}

/** @param {() => void} onEnd Called once when a session has ended. */
export function watchSession(onEnd) {
	/** @type {Session | null} */
	let warned = null;
	/** @type {Session | null} */
	let ended = null;
	setInterval(() => {
		const session = currentSession();
		if (!session) return;
		const left = (session.ends ?? 0) - Date.now();
		if (left <= 0 && ended !== session) {
			ended = session;
			checkSession(onEnd);
		} else if (left > 0 && left <= WARN_BEFORE_MS && warned !== session) {
			warned = session;
			pageNote.value = EndsSoon;
			announce(t("page-session-ends-soon"));
		}
	}, CHECK_INTERVAL_MS);
}
