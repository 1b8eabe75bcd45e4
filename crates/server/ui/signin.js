// @ts-check
import { button, byId, fill, freshId, tag } from "./dom.js";
import { notice } from "./notice.js";
import { takeTokenFromText } from "./session.js";

/** @param {string} title @param {...Part} parts */
function showCard(title, ...parts) {
	const heading = tag("h1", { tabindex: "-1" }, title);
	fill(byId("account"));
	byId("main").ariaBusy = "false";
	fill(byId("main"), tag("div.signin.card", heading, parts));
	document.title = `${title} · Settings`;
	return heading;
}

/**
 * Shown to people who are not signed in.
 * @param {boolean} ended Whether a session has expired.
 * @param {() => void} signIn Called when there is a token.
 */
export function showSignIn(ended, signIn) {
	const id = freshId();
	const fault = tag("p.field-fault", { id, role: "alert" });
	const field = tag("input", { type: "password", autocomplete: "off", "aria-label": "Sign-in link", "aria-describedby": id });
	const form = tag("form", {
		onsubmit: (event) => {
			event.preventDefault();
			const text = field.value;
			field.value = "";
			if (takeTokenFromText(text)) return signIn();
			fault.textContent = "This is not a sign-in link. Copy the whole link, from “http” to its very end, and paste it again.";
			field.ariaInvalid = "true";
			field.focus();
		},
	},
	tag("p", tag("strong", "Or paste the link here")),
	tag("div.row", field, tag("button.button.primary", { type: "submit" }, "Sign in")), fault);

	const heading = showCard(ended ? "Your sign-in has ended" : "Sign in to manage MCP keys",
		ended
			? notice("warning", "For your safety a sign-in lasts only a while.",
				tag("p", "Nothing is lost: your keys are kept and go on working. Open a fresh link to come back."))
			: tag("p", "This page opens by a personal link. It remembers you only while its tab is open, so it asks again after a reload."),
		tag("h2", "How to get in"),
		tag("ul",
			tag("li", tag("strong", "From your application: "), "open its settings and choose MCP. It brings you here signed in."),
			tag("li", tag("strong", "On your own machine: "), "open the link that the service printed when it started. For another one, run ",
				tag("code", "svc-mcp token --user you"), " and paste what it prints below.")),
		form);
	if (ended) heading.focus();
}

/** For a person without a brand. @param {string} userId @param {() => void} retry */
export function showNoBrand(userId, retry) {
	showCard("You are not a member of a brand yet",
		tag("p", "Keys belong to a brand. Ask an administrator of your brand to add you, and give them your user id:"),
		tag("p", tag("code", userId)),
		tag("p.row", button(".primary", "Look again", retry)));
}
