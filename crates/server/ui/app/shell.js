// @ts-check
import { loadTexts, t } from "../lang/lang.js";
import { Skeleton } from "../parts/elements.js";
import { announce, Failure } from "../parts/messages.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { number } from "../parts/times.js";
import { loadTools } from "./brand.js";
import { workspace } from "./model.js";
import { route, ViewLink } from "./route.js";
import { VIEWS } from "./views.js";

const FIRST_LOOK_MS = 15_000;

/** The navigation and the view that the address names. */
export function Shell() {
	const { view } = route.value;
	const entry = VIEWS.find(({ id }) => id === view);
	usePolling(view === "approvals");
	return html`
		<${Navigation} current=${view} />
		${entry ? html`<${Loaded} key=${entry.id} entry=${entry} />` : html`<${UnknownView} />`}`;
}

/** Looks for calls that wait. The first view does not need the code for it, so it is loaded later. @param {boolean} isSeen Whether the view of approvals is open. */
function usePolling(isSeen) {
	useEffect(() => {
		/** @type {(() => void) | null} Null: the person has left. */
		let stop = () => {};
		const timer = setTimeout(() => {
			// If it cannot be loaded, the next view tries again.
			import("./waiting.js").then(({ startPolling }) => stop && (stop = startPolling(isSeen)), () => {});
		}, FIRST_LOOK_MS);
		return () => {
			clearTimeout(timer);
			stop?.();
			stop = null;
		};
	}, [isSeen]);
}

/** @param {{ current: string }} properties */
const Navigation = ({ current }) => html`
	<nav class="tab-row" aria-label=${t("page-views")}>
		<div class="tabs">
			${VIEWS.map(({ id }) => html`
				<${ViewLink} key=${id} view=${id} kind="tab" isCurrent=${current === id}>${t(`page-view-${id}`)}${id === "approvals" && html`<${WaitingCount} />`}<//>`)}
		</div>
	</nav>`;

/** How many calls wait for a decision. */
function WaitingCount() {
	const { total } = workspace.approvals;
	return total > 0 && html` <span class="tab-count"><span aria-hidden="true">${number(total)}</span><span class="visually-hidden">${t("page-waiting", { count: total })}</span></span>`;
}

/** @type {Map<string, Promise<void>>} */
const styles = new Map();

/** Adds the style sheet of a view, once. @param {string} [path] */
function loadStyle(path) {
	if (!path) return Promise.resolve();
	const known = styles.get(path);
	if (known) return known;
	const link = document.createElement("link");
	/** @type {Promise<void>} */
	const loaded = new Promise((resolve, reject) => {
		link.onload = () => resolve();
		link.onerror = () => {
			styles.delete(path);
			link.remove();
			reject(new Error(t("page-style-not-loaded")));
		};
	});
	styles.set(path, loaded);
	link.rel = "stylesheet";
	link.href = String(new URL(`../${path}`, import.meta.url));
	document.head.append(link);
	return loaded;
}

/** A view, once its code and texts are loaded. @param {{ entry: ViewEntry }} properties */
function Loaded({ entry }) {
	const [attempt, setAttempt] = useState(0);
	const [loaded, setLoaded] = useState(/** @type {{ View?: any, error?: unknown }} */ ({}));
	const title = t("page-title", { waiting: workspace.approvals.total, view: t(`page-view-${entry.id}`), brand: workspace.brand.name });
	useEffect(() => {
		document.title = title;
	}, [title, loaded]);
	useEffect(() => {
		let isOpen = true;
		setLoaded({});
		Promise.all([entry.load(), loadTexts(entry.id), loadStyle(entry.style), entry.needsTools && loadTools()]).then(([module]) => {
			if (!isOpen) return;
			setLoaded({ View: module.View });
			announce(t(`page-view-${entry.id}`));
		}, (error) => isOpen && setLoaded({ error }));
		return () => {
			isOpen = false;
		};
	}, [attempt]);
	useEffect(() => {
		setBusy(!loaded.View && !loaded.error);
	}, [loaded]);
	if (loaded.error) return html`<${Failure} title=${t("page-view-not-loaded")} error=${loaded.error} retry=${() => setAttempt(attempt + 1)} />`;
	return loaded.View ? html`<${loaded.View} />` : html`<${Skeleton} rows=${4} />`;
}

function UnknownView() {
	useEffect(() => setBusy(false), []);
	return html`
		<div class="card empty">
			<h1 tabindex="-1">${t("page-unknown-view")}</h1>
			<p><${ViewLink} view="keys">${t("page-view-keys")}<//></p>
		</div>`;
}

/** @param {boolean} isBusy */
function setBusy(isBusy) {
	/** @type {HTMLElement} */ (document.getElementById("main")).ariaBusy = String(isBusy);
}
