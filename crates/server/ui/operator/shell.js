// @ts-check
import { loadTexts, t } from "../lang/lang.js";
import { Skeleton } from "../parts/elements.js";
import { announce, Failure } from "../parts/messages.js";
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Link, route } from "./route.js";
import { VIEWS } from "./views.js";
import { Head } from "./words.js";

/** The navigation and the view that the address names. */
export function Console() {
	const { view = "brands", open = "" } = route.value;
	const entry = VIEWS.find(({ id }) => id === view);
	return html`
		<${Navigation} current=${view} />
		${entry ? html`<${Loaded} key=${`${view}/${open}`} entry=${entry} />` : html`<${UnknownView} />`}`;
}

/** @param {{ current: string }} properties */
function Navigation({ current }) {
	const row = useRef(/** @type {any} */ (null));
	useEffect(() => {
		// On a narrow screen the current view may be outside of the row.
		const tab = row.current.querySelector("[aria-current]");
		if (tab) row.current.scrollLeft = tab.offsetLeft - row.current.offsetLeft - 16;
	}, [current]);
	return html`
		<nav class="tab-row" aria-label=${t("page-views")} ref=${row}>
			<div class="tabs">${VIEWS.map(({ id }) => html`<${Link} class="tab" to=${{ view: id }} current=${current === id}>${t(`operator-view-${id}`)}<//>`)}</div>
		</nav>`;
}

/** A view, once its code and texts are loaded. @param {{ entry: OperatorView }} properties */
function Loaded({ entry }) {
	const [attempt, setAttempt] = useState(0);
	const [loaded, setLoaded] = useState(/** @type {{ View?: any, error?: unknown }} */ ({}));
	useEffect(() => {
		let isOpen = true;
		setLoaded({});
		Promise.all([entry.load(), ...[entry.id, ...entry.texts ?? []].map((name) => loadTexts(`operator-${name}`))]).then(([module]) => {
			if (!isOpen) return;
			setLoaded({ View: module.View });
			announce(t(`operator-view-${entry.id}`));
		}, (error) => isOpen && setLoaded({ error }));
		return () => {
			isOpen = false;
		};
	}, [attempt]);
	useEffect(() => {
		/** @type {HTMLElement} */ (document.getElementById("main")).ariaBusy = String(!loaded.View && !loaded.error);
	}, [loaded]);
	if (loaded.error) return html`<${Failure} title=${t("page-view-not-loaded")} error=${loaded.error} retry=${() => setAttempt(attempt + 1)} />`;
	return loaded.View ? html`<div class="view"><${loaded.View} /></div>` : html`<${Skeleton} rows=${6} />`;
}

const UnknownView = () => html`
	<div class="view">
		<${Head} title=${t("page-unknown-view")} />
		<p><${Link} to=${{ view: "brands" }}>${t("operator-view-brands")}<//></p>
	</div>`;
