// @ts-check
import { ApiError } from "../../app/api.js";
import { workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Skeleton, Button } from "../../parts/elements.js";
import { announce, Failure, Notice } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { SecretBox } from "../../parts/secret.js";
import { revealKey } from "./api.js";
import { Connect } from "./connect.js";
import { openDialog } from "./dialogs.js";
import { endWords } from "./words.js";

const REVEAL_TIMEOUT_S = 30;

/** Shows a key's secret for 30 seconds, or says why it cannot be shown. @param {{ of: Key, onClose: () => void }} properties */
export const Reveal = ({ of, onClose }) => (of.can_reveal ? html`<${Revealed} of=${of} onClose=${onClose} />` : html`<${NoSecret} of=${of} onClose=${onClose} />`);

/** @typedef {{ step: "loading" | "hidden" } | { step: "shown", secret: string } | { step: "failed", error: unknown } | { step: "gone", words: string }} Progress */

/** @param {{ of: Key, onClose: () => void }} properties */
function Revealed({ of, onClose }) {
	const [progress, setProgress] = useState(/** @type {Progress} */ ({ step: "loading" }));
	const isOpen = useRef(true);

	function hide() {
		setProgress({ step: "hidden" });
		announce(t("keys-hidden-announced"));
	}

	async function reveal() {
		setProgress({ step: "loading" });
		try {
			const secret = await revealKey(of);
			// The dialog was closed or the tab hidden while the request ran: do not show the secret.
			if (!isOpen.current) return;
			if (!document.hasFocus()) return hide();
			setProgress({ step: "shown", secret });
			announce(t("keys-shown-announced", { seconds: REVEAL_TIMEOUT_S }));
		} catch (error) {
			if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
				await workspace.refresh();
				const now = workspace.keys.find((one) => one.key_id === of.key_id);
				if (now?.status !== "active") return setProgress({ step: "gone", words: endWords(now) });
			}
			setProgress({ step: "failed", error });
		}
	}
	useEffect(() => {
		reveal();
		return () => {
			isOpen.current = false;
		};
	}, []);

	if (progress.step === "gone") {
		const actions = html`
			<${Button} onClick=${onClose}>${t("close")}<//>
			<${Button} kind="primary" onClick=${() => openDialog("create", { like: of })}>${t("keys-create-new")}<//>`;
		return html`<${Modal} title=${of.label} onClose=${onClose} actions=${actions}><${Notice} tone="warning" title=${progress.words}><p>${t("keys-gone-means")}</p><//><//>`;
	}
	const secret = progress.step === "shown" ? progress.secret : null;
	return html`
		<${Modal} title=${of.label} onClose=${onClose} actions=${html`<${Button} kind="primary" onClick=${onClose}>${t("keys-done")}<//>`}>
			<div class="secret-place">
				${progress.step === "loading" && html`<${Skeleton} rows=${1} />`}
				${progress.step === "failed" && html`<${Failure} title=${t("keys-not-shown")} error=${progress.error} retry=${reveal} />`}
				${progress.step === "hidden" && html`
					<div class="secret-row"><code class="secret soft">${of.prefix}••••••••••••</code><${Button} kind="small" onClick=${reveal}>${t("keys-show-again")}<//></div>
					<p class="soft small">${t("keys-hidden")}</p>`}
				${secret && html`<${ShownSecret} secret=${secret} hide=${hide} />`}
			</div>
			<${Connect} of=${of} secret=${secret} />
		<//>`;
}

/** A secret that hides itself. @param {{ secret: string, hide: () => void }} properties */
function ShownSecret({ secret, hide }) {
	const [left, setLeft] = useState(REVEAL_TIMEOUT_S);
	useEffect(() => {
		const shown = new AbortController();
		const ticking = setInterval(() => setLeft((before) => before - 1), 1000);
		addEventListener("blur", hide, { signal: shown.signal });
		document.addEventListener("visibilitychange", hide, { signal: shown.signal });
		return () => {
			clearInterval(ticking);
			shown.abort();
		};
	}, []);
	useEffect(() => {
		if (left <= 0) hide();
	}, [left]);
	return html`<${SecretBox} secret=${secret} label=${t("keys-copy-key")} /><p class="soft small">${t("keys-hides-in", { seconds: left })}</p>`;
}

/** @param {{ of: Key, onClose: () => void }} properties */
function NoSecret({ of, onClose }) {
	const replace = () => openDialog("revoke", { of, afterwards: () => openDialog("create", { like: of }) });
	const actions = html`
		<${Button} onClick=${onClose}>${t("close")}<//>
		<${Button} kind="primary" onClick=${replace}>${t("keys-revoke-and-create")}<//>`;
	return html`
		<${Modal} title=${of.label} onClose=${onClose} actions=${actions}>
			<${Notice} tone="info" title=${t("keys-no-secret")}><p>${t("keys-no-secret-why")}</p><p>${t("keys-no-secret-next")}</p><//>
		<//>`;
}
