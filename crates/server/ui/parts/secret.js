// @ts-check
import { button, icon, tag } from "./dom.js";
import { announce } from "./notice.js";

const SAID_FOR_MS = 2_500;

/**
 * A button that copies what `source` shows. Where the browser does not allow it, the text is selected for the person to copy.
 * @param {string} name What is copied.
 * @param {HTMLElement} source
 * @param {() => void} onCopied
 */
export function copyButton(name, source, onCopied) {
	const words = tag("span", "Copy");
	return button(".small", "", async () => {
		try {
			await navigator.clipboard.writeText(source.textContent ?? "");
			words.textContent = "Copied";
			announce(`Copied: ${name}`);
			onCopied();
		} catch {
			getSelection()?.selectAllChildren(source);
			words.textContent = "Press Ctrl+C";
			announce("The text is selected. Press Ctrl+C or ⌘C to copy it.");
			source.addEventListener("copy", onCopied, { once: true });
		}
		setTimeout(() => { words.textContent = "Copy"; }, SAID_FOR_MS);
	}, { "aria-label": `Copy ${name}` }, icon("copy"), words);
}

/**
 * Shows a secret with its copy button. `hide` drops it.
 * @param {string} secret
 * @param {() => void} onCopied
 */
export function secretBox(secret, onCopied) {
	const shown = tag("code.secret", { tabindex: "0" }, secret);
	const root = tag("div.secret-row", shown, copyButton("the key", shown, onCopied));
	const hide = () => {
		shown.textContent = "";
		root.remove();
	};
	return { root, hide };
}
