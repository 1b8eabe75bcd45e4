// @ts-check
import { isMine, workspace } from "../../app/model.js";
import { rich, t } from "../../lang/lang.js";
import { Skeleton, Button } from "../../parts/elements.js";
import { Failure, Notice } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { Time } from "../../parts/times.js";
import { revealKey, revokeKey } from "./api.js";

/**
 * The connection broke while a key was being created, so it may or may not exist. Checks that, and offers the next step for each case.
 * @param {{ wanted: NewKey, known: string[], tryAgain: () => void, finish: (key: Key, secret: string) => void, onClose: () => void }} properties
 *   `known`: the keys that existed before.
 */
export function LostAnswer({ wanted, known, tryAgain, finish, onClose }) {
	const { label } = wanted;
	const [found, setFound] = useState(/** @type {"looking" | "unknown" | "none" | Key} */ ("looking"));
	/** @type {[string, (value: string) => void]} */
	const [failed, setFailed] = useState("");
	const { busy, error, send } = useSend();

	async function look() {
		setFound("looking");
		const loaded = await workspace.refresh();
		// Newest first, so this is the key of the current attempt.
		const made = workspace.keys.find((key) => !known.includes(key.key_id) && key.label === label && isMine(key) && key.status === "active");
		setFound(loaded ? made ?? "none" : "unknown");
	}
	useEffect(() => {
		look();
	}, []);

	/** @param {string} title Shown if it fails. @param {() => Promise<void>} work */
	const attempt = (title, work) => () => {
		setFailed(title);
		send(work);
	};
	const close = html`<${Button} onClick=${onClose}>${t("close")}<//>`;
	/** @param {any} body @param {any} [actions] */
	const show = (body, actions) => html`<${Modal} title=${t("keys-lost")} busy=${busy || found === "looking"} onClose=${onClose} actions=${actions}>${body}<//>`;

	if (found === "looking") return show(html`<p>${t("keys-lost-looking", { label })}</p><${Skeleton} rows=${1} />`);
	if (found === "unknown") {
		return show(html`<${Notice} tone="bad" title=${t("keys-lost-unknown", { label })}><p>${t("keys-lost-unknown-means")}</p><//>`,
			html`${close}<${Button} kind="primary" onClick=${look}>${t("keys-look-again")}<//>`);
	}
	if (found === "none") {
		return show(html`<${Notice} tone="info" title=${t("keys-lost-none", { label })}><p>${t("keys-lost-none-means")}</p><//>`,
			html`<${Button} onClick=${look}>${t("keys-look-again")}<//><${Button} kind="primary" onClick=${tryAgain}>${t("try-again")}<//>`);
	}
	const reveal = attempt(t("keys-not-shown"), async () => finish(found, await revealKey(found)));
	const revoke = attempt(t("keys-not-revoked", { label }), async () => {
		await revokeKey(found);
		workspace.refresh();
		tryAgain();
	});
	return show(html`
		<${Notice} tone="warning" title=${t("keys-lost-created", { label })}>
			<p>${rich("keys-lost-created-when", { when: html`<${Time} at=${found.created_at} />`, prefix: html`<code>${found.prefix}…</code>` })}</p>
			<p>${t(found.can_reveal ? "keys-lost-show" : "keys-lost-secret")}</p>
		<//>
		${error && html`<${Failure} title=${failed} error=${error} />`}`,
	html`${close}
		<${Button} kind=${found.can_reveal ? "" : "primary"} onClick=${revoke}>${t("keys-revoke-and-retry")}<//>
		${found.can_reveal && html`<${Button} kind="primary" onClick=${reveal}>${t("keys-show-its-secret")}<//>`}`);
}
