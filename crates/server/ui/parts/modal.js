// @ts-check
import { t } from "../lang/lang.js";
import { CloseButton } from "./elements.js";
import { html, useEffect, useId, useRef } from "./preact.js";

/**
 * A modal dialog. It is open while it is rendered.
 * While `busy` it cannot be closed, so that a request that runs keeps the place for its answer.
 * @param {{ title: string, busy?: boolean, mayClose?: () => boolean, onClose: () => void, actions?: any, children?: any }} properties
 */
export function Modal({ title, busy = false, mayClose, onClose, actions, children }) {
	const id = useId();
	const box = useRef(/** @type {any} */ (null));
	const heading = useRef(/** @type {any} */ (null));
	useEffect(() => {
		const opener = document.activeElement;
		const dialog = box.current;
		dialog.showModal();
		return () => {
			dialog.close();
			giveFocusBack(opener);
		};
	}, []);
	// A new title is a new step, so its reader starts at the top.
	useEffect(() => heading.current.focus(), [title]);

	const tryToClose = () => {
		if (!busy && mayClose?.() !== false) onClose();
	};
	// A second Escape gets past a prevented `cancel`; `closedby` closes that way, where the browser knows it.
	return html`
		<dialog ref=${box} aria-labelledby=${id} aria-busy=${String(busy)} closedby=${busy ? "none" : "closerequest"}
			onCancel=${(/** @type {Event} */ event) => {
				event.preventDefault();
				tryToClose();
			}}>
			<div class="dialog-head"><h2 id=${id} ref=${heading} tabindex="-1">${title}</h2><${CloseButton} label=${t("close")} onClick=${tryToClose} /></div>
			<div class="dialog-body" tabindex="0" role="group" aria-labelledby=${id}>${children}</div>
			<div class="dialog-actions">${actions}</div>
			<div class="visually-hidden" role="status"></div>
		</dialog>`;
}

/** Restores the focus. The browser does this itself, unless the opener was redrawn and is gone. @param {Element | null} opener */
function giveFocusBack(opener) {
	if (document.querySelector("dialog[open]")) return;
	const name = opener?.getAttribute("data-focus");
	const heir = opener?.isConnected ? opener : name && document.querySelector(`[data-focus="${CSS.escape(name)}"]`);
	/** @type {HTMLElement | null} */ (heir || document.querySelector("main h1"))?.focus();
}
