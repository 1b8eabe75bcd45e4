// @ts-check
// The screens of people who are not signed in, or have no brand to show. They are loaded when one of them is needed.
import { rich, t } from "../lang/lang.js";
import { Button } from "../parts/elements.js";
import { Notice } from "../parts/messages.js";
import { html, useEffect, useId, useRef, useState } from "../vendor/preact.js";
import { askForCode } from "./embed.js";
import { stayAt } from "./route.js";
import { linkIn, LOGIN_URL, oidcLink } from "./session.js";

/** @param {{ title: string, takesFocus?: boolean, children?: any }} properties */
function Card({ title, takesFocus, children }) {
	const heading = useRef(/** @type {any} */ (null));
	useEffect(() => {
		document.title = t("page-title-settings", { title });
		if (takesFocus) heading.current.focus();
	}, [title]);
	return html`<div class="signin card"><h1 tabindex="-1" ref=${heading}>${title}</h1>${children}</div>`;
}

/**
 * For people who are not signed in.
 * @param {{ reason: SignInReason, signIn: (link: SignInLink) => void }} properties
 */
function SignIn({ reason, signIn }) {
	const oidc = oidcLink();
	const about = oidc && reason === "none" ? t("page-with-account") : t(`page-sign-in-${reason}.about`);
	const next = oidc && (reason === "ended" || reason === "link") ? t("page-come-back") : t(`page-sign-in-${reason}.next`);
	// A button and no redirect: a redirect could loop, and would sign a person in again after a sign-out.
	return html`
		<${Card} title=${t(`page-sign-in-${reason}`)} takesFocus=${reason !== "none"}>
			${reason === "none" || reason === "out"
				? html`<p>${about}</p>`
				: html`<${Notice} tone="warning" title=${t(`page-sign-in-${reason}.why`)}><p>${next}</p><//>`}
			${oidc && html`<p class="row"><a class="button primary" href=${oidc}>${t("page-sign-in")}</a></p>`}
			${LOGIN_URL && html`<p class="row"><a class=${`button ${oidc ? "" : "primary"}`} href=${LOGIN_URL}>${t(oidc ? "page-continue-application" : "page-continue")}</a></p>`}
			${oidc
				? html`<details><summary>${t("page-other-ways")}</summary><${Ways} signIn=${signIn} /></details>`
				: html`<h2>${t("page-how-to-get-in")}</h2><${Ways} signIn=${signIn} />`}
		<//>`;
}

/** @param {{ signIn: (link: SignInLink) => void }} properties */
const Ways = ({ signIn }) => html`
	<ul>
		<li>${rich("page-from-application", { where: html`<strong>${t("page-from-application.where")}</strong>` })}</li>
		<li>${rich("page-on-own-machine", { where: html`<strong>${t("page-on-own-machine.where")}</strong>`, command: html`<code>svc-mcp token --user you</code>` })}</li>
	</ul>
	<${LinkForm} signIn=${signIn} />`;

/** @param {{ signIn: (link: SignInLink) => void }} properties */
function LinkForm({ signIn }) {
	const id = useId();
	const field = useRef(/** @type {any} */ (null));
	const [isWrong, setWrong] = useState(false);

	/** @param {Event} event */
	function submit(event) {
		event.preventDefault();
		const link = linkIn(field.current.value);
		// The field keeps no secret.
		field.current.value = "";
		if (link) return signIn(link);
		setWrong(true);
		field.current.focus();
	}
	return html`
		<form onSubmit=${submit}>
			<p><strong>${t("page-paste-link")}</strong></p>
			<div class="row">
				<input type="password" autocomplete="off" ref=${field} aria-label=${t("page-link-field")} aria-describedby=${id} aria-invalid=${isWrong ? "true" : null} />
				<button type="submit" class=${`button ${LOGIN_URL || oidcLink() ? "" : "primary"}`}>${t("page-sign-in")}</button>
			</div>
			<p class="field-fault" id=${id} role="alert">${isWrong && t("page-not-a-link")}</p>
		</form>`;
}

/** Inside a frame: shown until the application hands over a code. @param {{ reason: SignInReason }} properties */
const InFrame = ({ reason }) => html`
	<${Card} title=${t(`embed-title-${reason}`)}>
		<p>${t("embed-explanation")}</p>
		<p class="row"><${Button} kind="primary" onClick=${askForCode}>${t("embed-ask")}<//></p>
	<//>`;

/** Browsers keep no session on an address without TLS, except on this machine. */
const Insecure = () => html`<${Card} title=${t("page-insecure")}><p>${t("page-insecure-why")}</p><//>`;

/** For a person without a brand. @param {{ me: Me, retry: () => void }} properties */
const NoBrand = ({ me, retry }) => html`
	<${Card} title=${t("page-no-brand")}>
		<p>${t("page-no-brand-next")}</p>
		<p><code>${me.user_id}</code></p>
		<p class="row"><${Button} kind="primary" onClick=${retry}>${t("page-look-again")}<//></p>
	<//>`;

/** The address names a brand that the person does not act for. @param {{ me: Me, wanted: string }} properties */
const UnknownBrand = ({ me, wanted }) => html`
	<${Card} title=${t("page-unknown-brand")} takesFocus>
		<p>${rich("page-unknown-brand-why", { brand: html`<code>${wanted}</code>`, user: html`<strong>${me.user_id}</strong>` })}</p>
		<p>${t("page-unknown-brand-next")}</p>
		<ul class="plain-list">${me.brands.map((brand) => html`<li key=${brand.brand_id}><${Button} onClick=${() => stayAt({ brand: brand.brand_id })}>${brand.name}<//></li>`)}</ul>
	<//>`;

/** @param {{ shown: PageScreen, signIn: (link: SignInLink) => void, restart: () => void }} properties */
export function Outside({ shown, signIn, restart }) {
	switch (shown.kind) {
		case "sign-in": return html`<${SignIn} key=${shown.reason} reason=${shown.reason} signIn=${signIn} />`;
		case "in-frame": return html`<${InFrame} reason=${shown.reason} />`;
		case "no-brand": return html`<${NoBrand} me=${shown.me} retry=${restart} />`;
		case "unknown-brand": return html`<${UnknownBrand} me=${shown.me} wanted=${shown.wanted} />`;
		default: return html`<${Insecure} />`;
	}
}
