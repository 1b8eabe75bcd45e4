// @ts-check
// Shows the dialogs of the view, one at a time. Their code and texts are loaded when they are opened for the first time, so that the list appears sooner.
import { loadTools } from "../../app/brand.js";
import { loadTexts, t } from "../../lang/lang.js";
import { Skeleton } from "../../parts/elements.js";
import { Failure } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { closeDialog, shownDialog } from "./dialogs.js";

/** @type {Record<import("./dialogs.js").Name, () => Promise<any>>} */
const LOADERS = {
	create: async () => (await import("./create.js")).Create,
	details: async () => (await import("./details.js")).Details,
	edit: async () => (await import("./edit.js")).Edit,
	finish: async () => (await import("./rotate.js")).FinishRotation,
	reveal: async () => (await import("./reveal.js")).Reveal,
	revoke: async () => (await import("./revoke.js")).Revoke,
	rotate: async () => (await import("./rotate.js")).Rotate,
};

/** @type {Map<string, any>} */
const loaded = new Map();

/** Shows the dialog that is open. It gets `onClose`. */
export function Dialogs() {
	const open = shownDialog.value;
	if (!open) return null;
	const Dialog = loaded.get(open.name);
	// It is a direct child: a component between them would keep a shown secret in memory after the dialog is closed.
	return Dialog
		? html`<${Dialog} key=${open.number} ...${open.properties} onClose=${closeDialog} />`
		: html`<${Loading} key=${`loading ${open.number}`} open=${open} />`;
}

/** The place of a dialog while its code is loaded. @param {{ open: import("./dialogs.js").Open }} properties */
function Loading({ open }) {
	const [error, setError] = useState(/** @type {unknown} */ (null));

	async function load() {
		setError(null);
		try {
			const [Dialog] = await Promise.all([LOADERS[open.name](), loadTexts("keydialogs"), loadTools()]);
			loaded.set(open.name, Dialog);
			// It may be closed by now, or another one may be open.
			if (shownDialog.value === open) shownDialog.value = { ...open };
		} catch (problem) {
			setError(problem);
		}
	}
	useEffect(() => {
		load();
	}, []);

	return html`
		<${Modal} title=${t("loading")} onClose=${closeDialog}>
			${error ? html`<${Failure} title=${t("page-view-not-loaded")} error=${error} retry=${load} />` : html`<${Skeleton} rows=${4} />`}
		<//>`;
}
