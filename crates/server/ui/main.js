// @ts-check
import { api, ApiError, onSignedOut } from "./api.js";
import { leaveBrand, openBrand } from "./brand.js";
import { byId, fill, tag } from "./dom.js";
import { failure } from "./notice.js";
import { currentToken, forgetToken, setToken, takeTokenFromAddress } from "./session.js";
import { showNoBrand, showSignIn } from "./signin.js";
import { mayReplaceSession } from "./switchuser.js";
import { keepTimesFresh } from "./time.js";

const main = byId("main");
/** What the page shows before this script runs, kept for loading again. */
const skeleton = /** @type {Node} */ (main.firstElementChild);

async function start() {
	closeDialogs();
	main.ariaBusy = "true";
	fill(main, skeleton.cloneNode(true));
	try {
		const me = await api.me();
		if (!me.brands.length) return showNoBrand(me.user_id, start);
		const wanted = new URLSearchParams(location.search).get("brand");
		await openBrand(me, me.brands.find((brand) => brand.brand_id === wanted) ?? me.brands[0], start);
	} catch (error) {
		if (error instanceof ApiError && error.status === 401) return;
		fill(main, tag("h1", { tabindex: "-1" }, "MCP keys"), failure("Your settings could not be loaded.", error, start));
	}
	main.ariaBusy = "false";
}

function closeDialogs() {
	for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

onSignedOut(() => {
	forgetToken();
	leaveBrand();
	closeDialogs();
	showSignIn(true, start);
});

// The back button must not bring back a visible secret.
addEventListener("pagehide", closeDialogs);

// A new sign-in link in the same tab changes only the fragment, so the page is not reloaded.
addEventListener("hashchange", async () => {
	const token = takeTokenFromAddress();
	if (!token || (currentToken() && !(await mayReplaceSession(token)))) return;
	setToken(token);
	start();
});

keepTimesFresh();
setToken(takeTokenFromAddress());
if (currentToken()) start();
else showSignIn(false, start);
