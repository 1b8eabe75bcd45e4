// @ts-check
import { api, ApiError, onSessionEnded } from "./api.js";
import { leaveBrand, openBrand } from "./brand.js";
import { applyBranding } from "./branding.js";
import { askForCode, isEmbedded, onCode, showWaiting } from "./embed.js";
import { byId, fill, tag } from "../parts/dom.js";
import { exchange } from "./exchange.js";
import { hideWarning, showEnded, watchSession } from "./expiry.js";
import { announce, failure, toast } from "../parts/notice.js";
import { place, stayAt } from "./place.js";
import { onOtherTab, setSession, takeLinkFromAddress, tellOtherTabs } from "./session.js";
import { showInsecure, showNoBrand, showSignIn, showUnknownBrand } from "./signin.js";
import { onSignOut } from "./signout.js";
import { loadTexts } from "../lang/lang.js";
import { keepTimesFresh } from "../parts/time.js";

const main = byId("main");
/** What the page shows before this script runs, kept for loading again. */
const skeleton = /** @type {Node} */ (main.firstElementChild);
/** Whose brands the page shows. */
let shownUser = "";

const isRefused = (/** @type {unknown} */ error) => error instanceof ApiError && error.status === 401;

/** @param {unknown} error @param {() => void} retry */
function showFailure(error, retry) {
	main.ariaBusy = "false";
	fill(main, tag("h1", { tabindex: "-1" }, "MCP keys"), failure("Your settings could not be loaded.", error, retry));
}

function showLoading() {
	closeDialogs();
	hideWarning();
	main.ariaBusy = "true";
	fill(main, skeleton.cloneNode(true));
}

/** Signs in with a link, or goes on with the session of the browser. @param {SignInLink | null} link */
async function arrive(link) {
	if (!isSecureContext) return showInsecure();
	if (!shownUser) showLoading();
	try {
		const started = link && await exchange(link);
		if (started) return signedIn(started);
	} catch (error) {
		if (!isRefused(error)) {
			if (shownUser) return toast(`You stay signed in: the link that was opened could not be used. ${error instanceof ApiError ? error.message : ""}`);
			return showFailure(error, () => arrive(link));
		}
		if (!(await api.session().catch(() => null))) return leave("link");
		toast(`You stay signed in: the link that was opened could not be used. ${error instanceof ApiError ? error.message : ""}`);
	}
	if (shownUser) return;
	try {
		setSession(await api.session());
	} catch (error) {
		return isRefused(error) ? leave("none") : showFailure(error, () => arrive(null));
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
	showLoading();
	try {
		const me = await api.me();
		shownUser = me.user_id;
		if (!me.brands.length) return showNoBrand(me.user_id, start);
		const wanted = place.value.brand;
		const brand = wanted === null ? me.brands[0] : me.brands.find((one) => one.brand_id === wanted);
		if (!brand) {
			return showUnknownBrand(me, wanted ?? "", (chosen) => {
				stayAt({ brand: chosen.brand_id });
				start();
			});
		}
		await openBrand(me, brand, start);
	} catch (error) {
		if (isRefused(error)) return;
		return showFailure(error, start);
	}
}

function closeDialogs() {
	for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

/** Forgets the session and everything that it showed. @param {SignInReason} reason */
function leave(reason) {
	setSession(null);
	shownUser = "";
	leaveBrand();
	closeDialogs();
	hideWarning();
	if (isEmbedded) return showWaiting(reason);
	showSignIn(reason, arrive);
}

/** Something that was typed is not thrown away: it can be sent after a sign-in in another tab. */
function sessionEnded() {
	if (isEmbedded) askForCode();
	if (document.querySelector("dialog[open] form")) showEnded();
	else leave("ended");
}

onSessionEnded(sessionEnded);
onSignOut(() => {
	leave("out");
	tellOtherTabs();
});

watchSession(async () => {
	try {
		// Another tab may have signed in meanwhile.
		setSession(await api.session());
		hideWarning();
	} catch (error) {
		if (isRefused(error)) sessionEnded();
	}
});

onOtherTab((session) => {
	if (!session) return shownUser ? leave("out") : undefined;
	const isSameUser = session.user_id === shownUser;
	setSession({ ...session, expires_in: Math.max(0, ((session.ends ?? 0) - Date.now()) / 1000) });
	if (!isSameUser) return start();
	hideWarning();
	announce("You are signed in again.");
});

// The back button must not bring back a visible secret.
addEventListener("pagehide", closeDialogs);

// A new sign-in link in the same tab changes only the fragment, so the page is not reloaded.
addEventListener("hashchange", () => {
	const link = takeLinkFromAddress();
	if (link) arrive(link);
});

keepTimesFresh();
await loadTexts("page");
applyBranding();
if (isEmbedded) onCode((code) => arrive({ code }));
else arrive(takeLinkFromAddress());
