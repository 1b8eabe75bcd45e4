// @ts-check
import { activityView } from "./activity.js";
import { workspace } from "../../app/model.js";
import { tag } from "../../parts/dom.js";
import { html, useLayoutEffect, useRef } from "../../parts/preact.js";

/** What the brand's keys did. */
export function View() {
	const root = useRef(/** @type {any} */ (null));
	useLayoutEffect(() => {
		const activity = activityView();
		document.title = `Activity · ${workspace.brand.name}`;
		root.current.append(tag("h1", { tabindex: "-1" }, "Activity"), activity.root);
		activity.load();
	}, []);
	return html`<div class="view" ref=${root}></div>`;
}
