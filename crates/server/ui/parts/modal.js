// @ts-check
import { t } from "../lang/lang.js";
import { html, signal, useId, useLayoutEffect, useRef } from "../vendor/preact.js";
import { CloseButton } from "./elements.js";

/** A component that a person must see also while a dialog is open, such as the end of their session. @type {import("../vendor/preact.js").Signal<any>} */
export const pageNote = signal(null);
/** How many dialogs are open. Nothing behind them can be used. */
export const openModals = signal(0);

/**
 * A modal dialog. It is open while it is rendered. The focus starts at the field with `autofocus`, else at the title.
 * While `busy` it cannot be closed, so that a request that runs keeps the place for its answer.
 * @param {{ title: string, isWide?: boolean, busy?: boolean, mayClose?: () => boolean, onClose: () => void, actions?: any, children?: any }} properties
 */
export function Modal({ title, isWide = false, busy = false, mayClose, onClose, actions, children }) {
	const id = useId();
	const box = useRef(/** @type {any} */ (null));
	const heading = useRef(/** @type {any} */ (null));
	const isOpen = useRef(false);
	useLayoutEffect(() => {
		const opener = document.activeElement;
		const dialog = box.current;
		dialog.showModal();
		isOpen.current = true;
		openModals.value += 1;
		return () => {
			isOpen.current = false;
			openModals.value -= 1;
			dialog.close();
			giveFocusBack(opener);
		};
	}, []);
	// A new title is a new step, so its reader starts at the top.
	useLayoutEffect(() => (box.current.querySelector("[autofocus]") ?? heading.current).focus(), [title]);

	const tryToClose = () => {
		if (!busy && mayClose?.() !== false) onClose();
	};
	// A second Escape gets past a prevented `cancel`; `closedby` closes that way, where the browser knows it.
	return html`
		<dialog ref=${box} class=${isWide ? "wide" : null} aria-labelledby=${id} aria-busy=${String(busy)} closedby=${busy ? "none" : "closerequest"}
			onCancel=${(/** @type {Event} */ event) => {
				event.preventDefault();
				tryToClose();
			}}
			onClose=${() => isOpen.current && onClose()}>
			<div class="dialog-head"><h2 id=${id} ref=${heading} tabindex="-1">${title}</h2><${CloseButton} label=${t("close")} onClick=${tryToClose} /></div>
			${pageNote.value && html`<${pageNote.value} />`}
			<div class="dialog-body" tabindex="0" role="group" aria-labelledby=${id}>${children}</div>
			<div class="dialog-actions">${actions}</div>
			<div class="visually-hidden" role="status"></div>
		</dialog>`;
}

/** Restores the focus. The browser does this itself, unless the opener was redrawn and is gone. @param {Element | null} opener */
function giveFocusBack(opener) {
	if (document.querySelector("dialog[open]")) return;
	const name = opener?.getAttribute("data-focus");
	const target = opener?.isConnected ? opener : name && document.querySelector(`[data-focus="${CSS.escape(name)}"]`);
	/** @type {HTMLElement | null} */ (target || document.querySelector("main h1"))?.focus();
}
