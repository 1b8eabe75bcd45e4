// @ts-check
import { t } from "../lang/lang.js";
import { html, useState } from "../vendor/preact.js";
import { Button } from "./elements.js";
import { Notice } from "./messages.js";

/**
 * Asks before a dialog is closed in which something was typed.
 * @param {boolean} hasTyped
 * @param {() => void} onClose
 */
export function useDiscard(hasTyped, onClose) {
	const [isAsking, setAsking] = useState(false);
	const mayClose = () => {
		setAsking(hasTyped);
		return !hasTyped;
	};
	return {
		mayClose,
		close: () => mayClose() && onClose(),
		question: isAsking && hasTyped && html`
			<${Notice} tone="bad" title=${t("discard-question")}>
				<p class="row"><${Button} kind="small" onClick=${() => setAsking(false)}>${t("discard-keep")}<//><${Button} kind="small danger-quiet" onClick=${onClose}>${t("discard")}<//></p>
			<//>`,
	};
}
