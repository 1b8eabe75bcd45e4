// @ts-check
// Secrets and other texts that a person copies.
import { t } from "../lang/lang.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { Button } from "./elements.js";
import { announce } from "./messages.js";

const MESSAGE_TIMEOUT_MS = 2_500;

/**
 * A button that copies what `source` shows. Where the browser does not allow it, the text is selected for the person to copy.
 * @param {{ label: string, source: { current: any }, onCopied?: () => void }} properties `label`: such as "Copy the key".
 */
export function CopyButton({ label, source, onCopied }) {
	const [words, setWords] = useState("copy");
	useEffect(() => {
		if (words === "copy") return;
		const timer = setTimeout(() => setWords("copy"), MESSAGE_TIMEOUT_MS);
		return () => clearTimeout(timer);
	}, [words]);

	async function copy() {
		const shown = source.current;
		try {
			await navigator.clipboard.writeText(shown.textContent);
			setWords("copied");
			announce(t("copied-announced"));
			onCopied?.();
		} catch {
			getSelection()?.selectAllChildren(shown);
			setWords("copy-by-keyboard");
			announce(t("copy-selected"));
			if (onCopied) shown.addEventListener("copy", onCopied, { once: true });
		}
	}
	return html`<${Button} kind="small" icon="copy" label=${label} onClick=${copy}><span>${t(words)}</span><//>`;
}

/** A reference to an element. Its text is deleted when the element is removed, because a removed element may stay in memory. */
function useDroppedText() {
	const shown = useRef(/** @type {any} */ (null));
	useLayoutEffect(() => {
		const element = shown.current;
		return () => {
			element.textContent = "";
		};
	}, []);
	return shown;
}

/** A secret with its copy button. @param {{ secret: string, label: string, onCopied?: () => void }} properties */
export function SecretBox({ secret, label, onCopied }) {
	const shown = useDroppedText();
	return html`<div class="secret-row"><code class="secret" tabindex="0" ref=${shown}>${secret}</code><${CopyButton} label=${label} source=${shown} onCopied=${onCopied} /></div>`;
}

/** A text to copy, such as a line for a terminal. @param {{ name: string, text: string, label: string, onCopied?: () => void }} properties `name`: for screen readers. */
export function CodeBlock({ name, text, label, onCopied }) {
	const shown = useDroppedText();
	return html`
		<div class="code-block">
			<pre tabindex="0" role="region" aria-label=${name}><code ref=${shown}>${text}</code></pre>
			<${CopyButton} label=${label} source=${shown} onCopied=${onCopied} />
		</div>`;
}
