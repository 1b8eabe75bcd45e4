// @ts-check
import { loadTexts, t } from "../lang/lang.js";
import { announce, toast } from "../parts/messages.js";
import { effect, html, render } from "../vendor/preact.js";
import { keepTimesFresh } from "../parts/times.js";
import { api, ApiError, forgetEarly, isRefused, onSessionEnded } from "./api.js";
import { leaveBrand, openBrand } from "./brand.js";
import { brandOf, openedWith } from "./early.js";
import { askForCode, isEmbedded, onCode } from "./embed.js";
import { exchange } from "./exchange.js";
import { hideWarning, SessionNote, showEnded, watchSession } from "./expiry.js";
import { AccountHead, applyBranding } from "./head.js";
import { account, screen } from "./model.js";
import { takeFailure, takeLink } from "./opened.js";
import { Page } from "./page.js";
import { route, stayAt } from "./route.js";
import { onOtherTab, setSession, tellOtherTabs } from "./session.js";

/** Whose brands the page shows. */
let shownUser = "";
/** The brand in the address when the page started. @type {string | null} */
let startedFor = null;
const failure = isEmbedded ? null : takeFailure();
/** Counts the starts: an older one that is slower shows nothing. */
let starts = 0;

/** @param {PageScreen} next */
function show(next) {
	closeDialogs();
	hideWarning();
	screen.value = next;
}

/** Signs in with a link, or goes on with the session of the browser. @param {SignInLink | null} link */
async function arrive(link) {
	if (!isSecureContext) return show({ kind: "insecure" });
	if (!shownUser) show({ kind: "loading" });
	try {
		const started = link && await exchange(link);
		if (started) return signedIn(started);
	} catch (error) {
		const problem = error instanceof ApiError ? error.message : "";
		if (!isRefused(error)) {
			if (shownUser) return toast(t("page-link-not-used", { problem }));
			return show({ kind: "failed", error, retry: () => arrive(link) });
		}
		if (!(await api.session().catch(() => null))) return leave("link");
		toast(t("page-link-not-used", { problem }));
	}
	if (shownUser) return;
	try {
		setSession(await api.session());
	} catch (error) {
		return isRefused(error) ? leave(failure ?? "none") : show({ kind: "failed", error, retry: () => arrive(null) });
	}
	start();
}

/** @param {Session} session */
function signedIn(session) {
	setSession(session);
	// The application has renewed the sign-in. What was typed stays.
	if (isEmbedded && session.user_id === shownUser) return hideWarning();
	tellOtherTabs();
	start();
}

async function start() {
	const mine = ++starts;
	show({ kind: "loading" });
	const wanted = route.value.brand;
	startedFor = wanted;
	try {
		const me = await api.me();
		if (mine !== starts) return;
		shownUser = me.user_id;
		const brand = brandOf(me, wanted);
		if (brand) {
			// The address names the brand, so that a reload or a lost membership never leads to another one.
			if (me.brands.length > 1) {
				startedFor = brand.brand_id;
				stayAt({ brand: brand.brand_id });
			}
			return await openBrand(me, brand, start);
		}
		account.value = { me };
		show(me.brands.length ? { kind: "unknown-brand", me, wanted: wanted ?? "" } : { kind: "no-brand", me });
	} catch (error) {
		if (mine !== starts || isRefused(error)) return;
		show({ kind: "failed", error, retry: start });
	}
}

function closeDialogs() {
	for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

/** Forgets the session and everything that it showed. @param {SignInReason} reason */
function leave(reason) {
	forgetEarly();
	setSession(null);
	shownUser = "";
	starts += 1;
	leaveBrand();
	account.value = null;
	show({ kind: isEmbedded ? "in-frame" : "sign-in", reason });
}

/** What was typed, and a secret that is shown only once, are not thrown away: the person signs in again in another tab. */
function sessionEnded() {
	if (isEmbedded) askForCode();
	if (document.querySelector("dialog[open] :is(form, [data-once])")) showEnded();
	else leave("ended");
}

onSessionEnded(sessionEnded);

function signedOut() {
	leave("out");
	tellOtherTabs();
}

watchSession(sessionEnded);

onOtherTab((session) => {
	forgetEarly();
	if (!session) return shownUser ? leave("out") : undefined;
	const isSameUser = session.user_id === shownUser;
	setSession(session);
	if (!isSameUser) return start();
	hideWarning();
	announce(t("page-signed-in-again"));
});

// The switcher, a button and the history of the browser change the brand in the address.
effect(() => {
	if (route.value.brand !== startedFor && shownUser) queueMicrotask(start);
});

// The back button must not bring back a visible secret.
addEventListener("pagehide", closeDialogs);

// A new sign-in link in the same tab changes only the fragment, so the page is not reloaded.
addEventListener("hashchange", () => {
	const link = takeLink();
	if (link) arrive(link);
});

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

keepTimesFresh();
await loadTexts("page");
/** @type {HTMLElement} */ (document.querySelector(".skip")).textContent = t("page-skip");
applyBranding();
render(html`<${AccountHead} onSignOut=${signedOut} />`, byId("account"));
render(html`<${SessionNote} />`, byId("session-note"));
render(html`<${Page} signIn=${arrive} restart=${start} />`, byId("main"));
if (isEmbedded) onCode((code) => arrive({ code }), () => leave("none"));
else arrive(openedWith);
