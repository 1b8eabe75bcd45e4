// @ts-check
import { loadTexts, t } from "../lang/lang.js";
import { Failure } from "../parts/messages.js";
import { html, useEffect, useLayoutEffect, useState } from "../vendor/preact.js";
import { OtherPerson } from "./exchange.js";
import { screen } from "./model.js";
import { route } from "./route.js";
import { Shell } from "./shell.js";
import { VIEWS } from "./views.js";

/** @param {{ signIn: (link: SignInLink) => void, restart: () => void }} properties */
export function Page({ signIn, restart }) {
	const { kind } = screen.value;
	useLayoutEffect(() => {
		// The other screens load their code first, and set it themselves.
		if (kind === "loading" || kind === "failed") /** @type {HTMLElement} */ (document.getElementById("main")).ariaBusy = String(kind === "loading");
	}, [kind]);
	return html`<${Content} signIn=${signIn} restart=${restart} /><${OtherPerson} />`;
}

/** @param {{ signIn: (link: SignInLink) => void, restart: () => void }} properties */
function Content({ signIn, restart }) {
	const shown = screen.value;
	switch (shown.kind) {
		case "loading": return html`<${Loading} />`;
		case "failed": return html`<h1 tabindex="-1">${t("page-name")}</h1><${Failure} title=${t("page-not-loaded")} error=${shown.error} retry=${shown.retry} />`;
		case "brand": return html`<${Shell} key=${shown.id} />`;
		default: return html`<${LoadedOutside} shown=${shown} signIn=${signIn} restart=${restart} />`;
	}
}

/** @param {{ shown: PageScreen, signIn: (link: SignInLink) => void, restart: () => void }} properties */
function LoadedOutside(properties) {
	const [loaded, setLoaded] = useState(/** @type {{ Outside?: any, error?: unknown }} */ ({}));
	useEffect(() => {
		Promise.all([import("./signin.js"), loadTexts("signin")]).then(([{ Outside }]) => setLoaded({ Outside }), (error) => setLoaded({ error }));
	}, []);
	useEffect(() => {
		/** @type {HTMLElement} */ (document.getElementById("main")).ariaBusy = String(!loaded.Outside && !loaded.error);
	}, [loaded]);
	if (loaded.error) return html`<${Failure} title=${t("page-view-not-loaded")} error=${loaded.error} retry=${() => location.reload()} />`;
	return loaded.Outside ? html`<${loaded.Outside} ...${properties} />` : html`<${Loading} />`;
}

/** The same placeholders as in `index.html`, with the title of the view that is loading. */
const Loading = () => html`
	<div class="skeleton-page">
		<h1 tabindex="-1">${isOther(route.value.view) ? t(`page-view-${route.value.view}`) : t("page-name")}</h1>
		<span class="visually-hidden" role="status">${t("loading")}</span>
		<span class="placeholder placeholder-line"></span>
		<span class="placeholder placeholder-bar"></span>
		${[1, 2, 3].map((row) => html`<span key=${row} class="placeholder placeholder-row"></span>`)}
	</div>`;

/** Whether it is a view, and not the first one. @param {string} view */
const isOther = (view) => VIEWS.slice(1).some(({ id }) => id === view);
