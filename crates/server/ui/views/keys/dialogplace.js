// @ts-check
// The place of the dialogs in the view. Their code and texts are loaded when they are opened for the first time, so that the list appears sooner.
import { loadTools } from "../../app/brand.js";
import { loadTexts, t } from "../../lang/lang.js";
import { Bones } from "../../parts/elements.js";
import { Failure } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useEffect, useState } from "../../parts/preact.js";
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

/** Shows the dialog that is open. */
export function Dialogs() {
	const open = shownDialog.value;
	return open && html`<${Place} key=${open.number} open=${open} />`;
}

/** One dialog, while its code is loaded and after that. It gets `onClose`. @param {{ open: import("./dialogs.js").Open }} properties */
function Place({ open }) {
	const [{ Dialog, error }, setState] = useState({ Dialog: loaded.get(open.name), error: /** @type {unknown} */ (null) });

	async function load() {
		setState({ Dialog: null, error: null });
		try {
			const [Dialog] = await Promise.all([LOADERS[open.name](), loadTexts("keydialogs"), loadTools()]);
			loaded.set(open.name, Dialog);
			setState({ Dialog, error: null });
		} catch (error) {
			setState({ Dialog: null, error });
		}
	}
	useEffect(() => {
		if (!Dialog) load();
	}, []);

	if (Dialog) return html`<${Dialog} ...${open.properties} onClose=${closeDialog} />`;
	return html`
		<${Modal} title=${t("loading")} onClose=${closeDialog}>
			${error ? html`<${Failure} title=${t("page-view-not-loaded")} error=${error} retry=${load} />` : html`<${Bones} rows=${4} />`}
		<//>`;
}
