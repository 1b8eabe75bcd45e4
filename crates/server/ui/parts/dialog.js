// @ts-check
import { closeButton, fill, freshId, tag } from "./dom.js";

/**
 * Opens a modal dialog.
 * @param {{ mayClose?: () => boolean, onClose?: () => void }} [options]
 *   `mayClose` is asked when a person wants to close it; `onClose` runs once it is closed.
 * @returns {OpenDialog}
 */
export function openDialog({ mayClose, onClose } = {}) {
	const titleId = freshId();
	const opener = document.activeElement;
	let busy = false;

	const tryToClose = () => {
		if (!busy && mayClose?.() !== false) box.close();
	};
	const title = tag("h2", { id: titleId, tabindex: "-1" });
	const body = tag("div.dialog-body");
	const actions = tag("div.dialog-actions");
	const box = tag("dialog", {
		"aria-labelledby": titleId,
		oncancel: (event) => {
			event.preventDefault();
			tryToClose();
		},
		onclose: () => {
			box.remove();
			onClose?.();
			giveFocusBack(opener);
		},
	},
	tag("div.dialog-head", title, closeButton("Close", tryToClose)), body, actions,
	tag("div.visually-hidden", { role: "status" }));

	document.body.append(box);
	box.showModal();

	return {
		box,
		close: () => box.close(),
		show(words, parts, buttons) {
			title.textContent = words;
			fill(body, parts);
			fill(actions, buttons);
			body.scrollTop = 0;
			// Content without controls must be scrollable by keyboard.
			body.tabIndex = body.querySelector("a, button, input") ? -1 : 0;
			title.focus();
		},
		setBusy(value) {
			busy = value;
			box.setAttribute("aria-busy", String(value));
			// A second Escape gets past a prevented `cancel`; this closes that way, where the browser knows it.
			box.setAttribute("closedby", value ? "none" : "closerequest");
		},
		isBusy: () => busy,
	};
}

/** Restores the focus. The browser does this itself, unless the list was redrawn and the opener is gone. @param {Element | null} opener */
function giveFocusBack(opener) {
	if (opener?.isConnected || document.querySelector("dialog[open]")) return;
	const name = opener?.getAttribute("data-focus");
	const heir = name && document.querySelector(`[data-focus="${CSS.escape(name)}"]`);
	/** @type {HTMLElement | null} */ (heir || document.querySelector("main h1"))?.focus();
}
