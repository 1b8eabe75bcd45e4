// @ts-check
// The dialogs of the view. Their code and texts are loaded when they are opened for the first time, so that the list appears sooner.
import { loadTexts, t } from "../../lang/lang.js";
import { Bones } from "../../parts/elements.js";
import { Failure } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, signal } from "../../parts/preact.js";

const LOADERS = {
	create: async () => (await import("./create.js")).Create,
	details: async () => (await import("./details.js")).Details,
	edit: async () => (await import("./edit.js")).Edit,
	finish: async () => (await import("./rotate.js")).FinishRotation,
	reveal: async () => (await import("./reveal.js")).Reveal,
	revoke: async () => (await import("./revoke.js")).Revoke,
	rotate: async () => (await import("./rotate.js")).Rotate,
};

/** @typedef {keyof typeof LOADERS} Name */
/** @typedef {{ name: Name, properties: object, number: number, error?: unknown }} Open */

/** @type {Map<Name, any>} */
const loaded = new Map();
/** The dialog that is open. @type {import("../../parts/preact.js").Signal<Open | null>} */
const shown = signal(null);
let number = 0;

/** Opens a dialog in the place of the one that is open. @param {Name} name @param {object} [properties] */
export async function openDialog(name, properties = {}) {
	const open = { name, properties, number: ++number };
	shown.value = open;
	if (loaded.has(name)) return;
	try {
		const [Dialog] = await Promise.all([LOADERS[name](), loadTexts("keydialogs")]);
		loaded.set(name, Dialog);
		// It may be closed by now, or another one may be open.
		if (shown.value?.number === open.number) shown.value = { ...open };
	} catch (error) {
		if (shown.value?.number === open.number) shown.value = { ...open, error };
	}
}

export function closeDialog() {
	shown.value = null;
}

/** The place of the dialogs in the view. Each gets `onClose`. */
export function Dialogs() {
	const open = shown.value;
	if (!open) return null;
	const Dialog = loaded.get(open.name);
	if (Dialog) return html`<${Dialog} key=${open.number} ...${open.properties} onClose=${closeDialog} />`;
	return html`
		<${Modal} key="loading" title=${t("loading")} onClose=${closeDialog}>
			${open.error ? html`<${Failure} title=${t("page-view-not-loaded")} error=${open.error} retry=${() => openDialog(open.name, open.properties)} />` : html`<${Bones} rows=${4} />`}
		<//>`;
}
