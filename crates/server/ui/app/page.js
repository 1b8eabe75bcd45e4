// @ts-check
import { t } from "../lang/lang.js";
import { Failure } from "../parts/messages.js";
import { html, useLayoutEffect } from "../parts/preact.js";
import { OtherPerson } from "./exchange.js";
import { place, stayAt } from "./place.js";
import { screen } from "./screen.js";
import { Shell } from "./shell.js";
import { Insecure, NoBrand, SignIn, UnknownBrand } from "./signin.js";
import { VIEWS } from "./views.js";

/** @param {{ signIn: (link: SignInLink) => void, restart: () => void }} properties */
export function Page({ signIn, restart }) {
	const { kind } = screen.value;
	useLayoutEffect(() => {
		// A view says itself when it is ready.
		if (kind !== "brand") /** @type {HTMLElement} */ (document.getElementById("main")).ariaBusy = String(kind === "loading");
	}, [kind]);
	return html`<${Content} signIn=${signIn} restart=${restart} /><${OtherPerson} />`;
}

/** @param {{ signIn: (link: SignInLink) => void, restart: () => void }} properties */
function Content({ signIn, restart }) {
	const shown = screen.value;
	switch (shown.kind) {
		case "loading": return html`<${Loading} />`;
		case "failed": return html`<h1 tabindex="-1">${t("page-name")}</h1><${Failure} title=${t("page-not-loaded")} error=${shown.error} retry=${shown.retry} />`;
		case "insecure": return html`<${Insecure} />`;
		case "sign-in": return html`<${SignIn} reason=${shown.reason} signIn=${signIn} />`;
		case "no-brand": return html`<${NoBrand} me=${shown.me} retry=${restart} />`;
		case "unknown-brand": return html`<${UnknownBrand} me=${shown.me} wanted=${shown.wanted} open=${(/** @type {string} */ brand) => stayAt({ brand })} />`;
		default: return html`<${Shell} key=${shown.id} />`;
	}
}

/** The same shapes as the page shows before its scripts run, with the name of the view that comes. */
const Loading = () => html`
	<div class="skeleton-page">
		<h1 tabindex="-1">${isOther(place.value.view) ? t(`page-view-${place.value.view}`) : t("page-name")}</h1>
		<span class="visually-hidden" role="status">${t("loading")}</span>
		<span class="bone bone-line"></span>
		<span class="bone bone-bar"></span>
		${[1, 2, 3].map((row) => html`<span key=${row} class="bone bone-row"></span>`)}
	</div>`;

/** Whether it is a view beside the first one. @param {string} view */
const isOther = (view) => VIEWS.slice(1).some(({ id }) => id === view);
