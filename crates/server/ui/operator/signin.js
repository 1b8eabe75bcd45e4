// @ts-check
import { SERVICE_URL } from "../app/api.js";
import { linkIn, LOGIN_URL, oidcLink } from "../app/session.js";
import { rich, t } from "../lang/lang.js";
import { Button } from "../parts/elements.js";
import { TextField } from "../parts/fields.js";
import { Notice } from "../parts/messages.js";
import { html, useEffect, useRef, useState } from "../vendor/preact.js";

/** @param {{ title: string, focus?: boolean, children?: any }} properties `focus`: it takes the place of something that the person saw. */
function Card({ title, focus, children }) {
	const heading = useRef(/** @type {any} */ (null));
	useEffect(() => {
		document.title = t("operator-page-title", { title });
		if (focus) heading.current.focus();
	}, [title]);
	return html`<div class="signin card"><h1 tabindex="-1" ref=${heading}>${title}</h1>${children}</div>`;
}

/** @param {{ signIn: (link: SignInLink) => void }} properties */
function PasteForm({ signIn }) {
	const [text, setText] = useState("");
	const [fault, setFault] = useState("");
	/** @param {Event} event */
	function submit(event) {
		event.preventDefault();
		const link = linkIn(text);
		setText("");
		setFault(link ? "" : t("operator-signin-not-a-link"));
		if (link) signIn(link);
	}
	return html`
		<form onSubmit=${submit}>
			<${TextField} type="password" label=${t("operator-signin-paste")} value=${text} onInput=${setText} fault=${fault} attributes=${{ autocomplete: "off" }} />
			<p class="row"><button type="submit" class=${`button ${LOGIN_URL || oidcLink() ? "" : "primary"}`}>${t("operator-signin-submit")}</button></p>
		</form>`;
}

/** Shown to people who are not signed in. @param {{ reason: SignInReason, signIn: (link: SignInLink) => void }} properties */
export function SignIn({ reason, signIn }) {
	const oidc = oidcLink();
	switch (reason) {
		case "none":
		case "out":
			return html`<${SignInCard} reason=${reason} title=${t(`operator-signin-${reason}`)} signIn=${signIn}><p>${t(oidc ? "operator-signin-account" : "operator-signin-about")}</p><//>`;
		case "link":
		case "ended":
			return html`
				<${SignInCard} reason=${reason} title=${t(`operator-signin-${reason}`)} signIn=${signIn}>
					<${Notice} tone="warning" title=${t(`operator-signin-${reason}-why`)}>${!oidc && html`<p>${t("operator-signin-again")}</p>`}<//>
				<//>`;
		default:
			return html`
				<${SignInCard} reason=${reason} title=${t(`page-sign-in-${reason}`)} signIn=${signIn}>
					<${Notice} tone="warning" title=${t(`page-sign-in-${reason}.why`)}><p>${t(`page-sign-in-${reason}.next`)}</p><//>
				<//>`;
	}
}

/** @param {{ reason: SignInReason, title: string, signIn: (link: SignInLink) => void, children?: any }} properties */
function SignInCard({ reason, title, signIn, children }) {
	const oidc = oidcLink();
	return html`
		<${Card} title=${title} focus=${reason !== "none"}>
			${children}
			${oidc && html`<p class="row"><a class="button primary" href=${oidc}>${t("operator-signin-submit")}</a></p>`}
			${LOGIN_URL && html`<p class="row"><a class=${`button ${oidc ? "" : "primary"}`} href=${LOGIN_URL}>${t(oidc ? "page-continue-application" : "operator-signin-continue")}</a></p>`}
			${oidc
				? html`<details><summary>${t("page-other-ways")}</summary><${Ways} signIn=${signIn} /></details>`
				: html`<h2>${t("operator-signin-how")}</h2><${Ways} signIn=${signIn} />`}
			<p class="small"><a href=${`${SERVICE_URL}/settings/mcp`}>${t("operator-to-settings")}</a></p>
		<//>`;
}

/** @param {{ signIn: (link: SignInLink) => void }} properties */
const Ways = ({ signIn }) => html`
	<ul>
		<li>${t("operator-signin-how-application")}</li>
		<li>${rich("operator-signin-how-command", { command: html`<code>svc-mcp token --user you --operator</code>` })}</li>
	</ul>
	<${PasteForm} signIn=${signIn} />`;

/** Browsers keep no session on an address without TLS, except on this machine. */
export const Insecure = () => html`<${Card} title=${t("operator-insecure")}><p>${t("operator-insecure-why")}</p><//>`;

/** Shown to people without the operator role. @param {{ user: string, signIn: (link: SignInLink) => void }} properties */
export const NotOperator = ({ user, signIn }) => html`
	<${Card} title=${t("operator-not-operator")} focus>
		<p>${t("operator-not-operator-why", { user })}</p>
		<p class="row"><a class="button primary" href=${`${SERVICE_URL}/settings/mcp`}>${t("operator-to-settings")}</a></p>
		<p class="soft">${t("operator-not-operator-next")}</p>
		<${PasteForm} signIn=${signIn} />
	<//>`;

/** @param {{ user: string, signOut: () => void }} properties */
export const Account = ({ user, signOut }) => html`
	<span class="role" title=${t("operator-signed-in-as", { user })}>${user}</span>
	<${Button} kind="small" onClick=${signOut}>${t("operator-sign-out")}<//>`;
