// @ts-check
import { api, ApiError, isRefused, onSessionEnded } from "../app/api.js";
import { exchange, OtherPerson } from "../app/exchange.js";
import { hideWarning, SessionNote, showEnded, watchSession } from "../app/expiry.js";
import { takeFailure, takeLink } from "../app/opened.js";
import { onOtherTab, setSession, tellOtherTabs } from "../app/session.js";
import { loadTexts, t } from "../lang/lang.js";
import { Skeleton } from "../parts/elements.js";
import { announce, Failure, toast } from "../parts/messages.js";
import { html, render } from "../vendor/preact.js";
import { keepTimesFresh } from "../parts/times.js";
import { Console } from "./shell.js";
import { Account, Insecure, NotOperator, SignIn } from "./signin.js";

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The person whose data the page shows. Empty: nobody's. */
let shownUser = "";
const failure = takeFailure();
/** The role belongs to the session: the same person may sign in without it. */
let isOperator = false;

const messageOf = (/** @type {unknown} */ error) => (error instanceof ApiError ? error.message : t("unexpected-error"));

/** @param {any} content @param {boolean} [busy] */
function show(content, busy = false) {
	byId("main").ariaBusy = String(busy);
	render(html`${content}<${OtherPerson} />`, byId("main"));
}

/** @param {unknown} error @param {() => void} retry */
const showFailure = (error, retry) => show(html`<h1 tabindex="-1">${t("operator-title")}</h1><${Failure} title=${t("operator-not-loaded")} error=${error} retry=${retry} />`);

function showLoading() {
	hideWarning();
	show(html`<${Skeleton} key="loading" rows=${6} />`, true);
}

/** Signs in with a link, or goes on with the session of the browser. @param {SignInLink | null} link */
async function arrive(link) {
	if (!isSecureContext) return show(html`<${Insecure} />`);
	if (!shownUser) showLoading();
	try {
		const started = link && await exchange(link);
		if (started) {
			setSession(started);
			tellOtherTabs();
			return start(started);
		}
	} catch (error) {
		const session = await api.session().catch(() => null);
		if (!session && isRefused(error)) return leave("link");
		if (!session) return showFailure(error, () => arrive(link));
		toast(t("operator-link-not-used", { message: messageOf(error) }));
	}
	if (shownUser) return;
	try {
		const session = await api.session();
		setSession(session);
		start(session);
	} catch (error) {
		if (isRefused(error)) leave(failure ?? "none");
		else showFailure(error, () => arrive(null));
	}
}

/** @param {Session} session */
function start({ user_id: user, operator }) {
	shownUser = user;
	isOperator = operator;
	hideWarning();
	render(html`<${Account} user=${user} signOut=${signOut} />`, byId("account"));
	show(operator ? html`<${Console} key=${user} />` : html`<${NotOperator} user=${user} signIn=${arrive} />`);
}

async function signOut() {
	try {
		await api.signOut();
	} catch (error) {
		// 401: the session has ended already.
		if (!isRefused(error)) return toast(t("operator-still-signed-in", { message: messageOf(error) }));
	}
	leave("out");
	tellOtherTabs();
}

/** Forgets the session and everything that it showed. @param {SignInReason} reason */
function leave(reason) {
	setSession(null);
	shownUser = "";
	hideWarning();
	render(null, byId("account"));
	show(html`<${SignIn} key=${reason} reason=${reason} signIn=${arrive} />`);
}

/** Something that was typed is not thrown away: it can be sent after a sign-in in another tab. */
function sessionEnded() {
	if (document.querySelector("dialog[open] form, form[data-changed]")) showEnded();
	else leave("ended");
}

onSessionEnded(sessionEnded);

watchSession(sessionEnded);

onOtherTab((session) => {
	if (!session) return shownUser ? leave("out") : undefined;
	const isSame = session.user_id === shownUser && session.operator === isOperator;
	setSession(session);
	if (!isSame) return start(session);
	hideWarning();
	announce(t("operator-signed-in-again"));
});

// A new sign-in link in the same tab changes only the fragment, so the page is not reloaded.
addEventListener("hashchange", () => {
	const link = takeLink();
	if (link) arrive(link);
});

keepTimesFresh();
await Promise.all(["page", "signin", "operator"].map((name) => loadTexts(name)));
document.querySelectorAll("[data-text]").forEach((place) => {
	place.textContent = t(place.getAttribute("data-text") ?? "");
});
render(html`<${SessionNote} />`, byId("session-note"));
arrive(takeLink());
