// @ts-check
import { diffWords } from "../vendor/diff.js";
import { html } from "../vendor/preact.js";

/** What was removed and added, word by word. @param {{ from: string, to: string }} properties */
export const Difference = ({ from, to }) => html`
	<p class="difference">${diffWords(from, to).map((/** @type {{ value: string, added: boolean, removed: boolean }} */ { value, added, removed }) => {
		if (added) return html`<ins>${value}</ins>`;
		return removed ? html`<del>${value}</del>` : value;
	})}</p>`;
