// @ts-check
import { button, byId, fill, freshId, tag } from "../parts/dom.js";
import { notice } from "../parts/notice.js";
import { linkIn, LOGIN_URL } from "./session.js";
import { signOutButton } from "./signout.js";

/** @param {string} title @param {...Part} parts */
function showCard(title, ...parts) {
	const heading = tag("h1", { tabindex: "-1" }, title);
	fill(byId("account"));
	byId("main").ariaBusy = "false";
	fill(byId("main"), tag("div.signin.card", heading, parts));
	document.title = `${title} · Settings`;
	return heading;
}

/** Why a person sees the sign-in: its title, and what happened. @type {Record<SignInReason, () => [string, Part]>} */
const REASONS = {
	none: () => ["Sign in to manage MCP keys", tag("p", "This page opens by a personal link. You stay signed in for at most 12 hours, until you sign out.")],
	out: () => ["You are signed out", tag("p", "Your keys are kept and go on working.")],
	ended: () => ["Your sign-in has ended", notice("warning", "For your safety a sign-in lasts only a while.",
		tag("p", "Nothing is lost: your keys are kept and go on working. Open a fresh link to come back."))],
	link: () => ["This link does not work any more", notice("warning", "A sign-in link works once, and only for a short time.",
		tag("p", "Open a fresh link to sign in. Your keys are kept and go on working."))],
};

/**
 * Shown to people who are not signed in.
 * @param {SignInReason} reason
 * @param {(link: SignInLink) => void} signIn
 */
export function showSignIn(reason, signIn) {
	const id = freshId();
	const fault = tag("p.field-fault", { id, role: "alert" });
	const field = tag("input", { type: "password", autocomplete: "off", "aria-label": "Sign-in link", "aria-describedby": id });
	const form = tag("form", {
		onsubmit: (event) => {
			event.preventDefault();
			const link = linkIn(field.value);
			field.value = "";
			if (link) return signIn(link);
			fault.textContent = "This is not a sign-in link. Copy the whole link, from “http” to its very end, and paste it again.";
			field.ariaInvalid = "true";
			field.focus();
		},
	},
	tag("p", tag("strong", "Or paste the link here")),
	tag("div.row", field, tag(`button.button${LOGIN_URL ? "" : ".primary"}`, { type: "submit" }, "Sign in")), fault);

	const [title, about] = REASONS[reason]();
	const heading = showCard(title, about,
		// A button and no redirect: a redirect could loop, and would sign a person in again after a sign-out.
		LOGIN_URL && tag("p.row", tag("a.button.primary", { href: LOGIN_URL }, "Continue to sign in")),
		tag("h2", "How to get in"),
		tag("ul",
			tag("li", tag("strong", "From your application: "), "open its settings and choose MCP. It brings you here signed in."),
			tag("li", tag("strong", "On your own machine: "), "open the link that the service printed when it started. For another one, run ",
				tag("code", "svc-mcp token --user you"), " and paste what it prints below.")),
		form);
	if (reason !== "none") heading.focus();
}

/** Browsers keep no session on an address without TLS, except on this machine. */
export function showInsecure() {
	showCard("This page needs a secure connection",
		tag("p", "Open it with an address that begins with https. Without it, nobody can stay signed in safely, because everybody on the way could read along."));
}

/** For a person without a brand. @param {string} userId @param {() => void} retry */
export function showNoBrand(userId, retry) {
	showCard("You are not a member of a brand yet",
		tag("p", "Keys belong to a brand. Ask an administrator of your brand to add you, and give them your user id:"),
		tag("p", tag("code", userId)),
		tag("p.row", button(".primary", "Look again", retry)));
	fill(byId("account"), signOutButton());
}

/** The address names a brand that the person does not act for. @param {Me} me @param {string} wanted @param {(brand: Brand) => void} open */
export function showUnknownBrand(me, wanted, open) {
	const heading = showCard("You do not act for this brand",
		tag("p", "The address of this page names the brand ", tag("code", wanted), ", and ", tag("strong", me.user_id), " is not a member of it. It may not exist."),
		tag("p", "Ask an administrator of the brand to add you, or open one of your brands:"),
		tag("ul.plain-list", me.brands.map((brand) => tag("li", button("", brand.name, () => open(brand))))));
	fill(byId("account"), signOutButton());
	heading.focus();
}
