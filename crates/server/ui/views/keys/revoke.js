// @ts-check
import { personName, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { Checkbox } from "../../parts/fields.js";
import { Failure, Notice, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { FullTime, listed } from "../../parts/times.js";
import { revokeKey } from "./api.js";

/** @type {WorkKind[]} */
const WORK = ["posts", "mails", "jobs", "approvals", "schedules"];

/** "3 posts and 1 approval", or nothing. @param {Partial<Record<WorkKind, number>>} counts */
function workWords(counts) {
	const found = WORK.filter((kind) => counts[kind]);
	return found.length ? listed(found.map((kind) => t(`keys-work-${kind}`, { count: counts[kind] ?? 0 }))) : "";
}

/**
 * Asks, naming the key and its last use, then revokes it and says what was cancelled.
 * @param {{ of: Key, onClose: () => void, afterwards?: () => void }} properties `afterwards`: what follows once it is revoked, such as creating its replacement.
 */
export function Revoke({ of, onClose, afterwards }) {
	const { label } = of;
	const [keepsQueued, setKeepsQueued] = useState(false);
	const [done, setDone] = useState(/** @type {RevokedKey | null} */ (null));
	const { busy, error, send } = useSend();

	function leave() {
		onClose();
		afterwards?.();
	}

	const revoke = () => send(async () => {
		const result = await revokeKey(of, keepsQueued);
		// The key is revoked even if the list cannot be reloaded now.
		of.status = "revoked";
		await workspace.refresh();
		if (workWords(result.cancelled) || workWords(result.already_sending)) return setDone(result);
		leave();
		toast(t("keys-revoked", { label }));
	});

	if (done) {
		const [cancelled, sending] = [workWords(done.cancelled), workWords(done.already_sending)];
		return html`
			<${Modal} title=${t("keys-revoked-title", { label })} onClose=${leave} actions=${html`<${Button} kind="primary" onClick=${leave}>${t("close")}<//>`}>
				<${Notice} tone="good" title=${t("keys-revoked-means")}>${cancelled && html`<p>${t("keys-cancelled", { work: cancelled })}</p>`}<//>
				${sending && html`<${Notice} tone="warning" title=${t("keys-already-sending", { work: sending })} />`}
			<//>`;
	}
	const actions = html`
		<${Button} onClick=${() => !busy && onClose()}>${t("keys-keep-it")}<//>
		<${Button} kind="danger" onClick=${revoke}>${t(busy ? "keys-revoking" : "keys-revoke-confirm")}<//>`;
	return html`
		<${Modal} title=${t("keys-revoke-title")} busy=${busy} onClose=${onClose} actions=${actions}>
			<div class="named"><p>${label}</p><code>${of.prefix}…</code></div>
			<dl>
				<dt>${t("keys-fact-used")}</dt><dd><${FullTime} at=${of.last_used_at} /></dd>
				<dt>${t("keys-fact-created-by")}</dt><dd>${personName(of.created_by)}</dd>
			</dl>
			<p>${t("keys-revoke-means")}</p>
			<p>${t(keepsQueued ? "keys-revoke-keeps" : "keys-revoke-cancels")}</p>
			${of.scope !== "read" && html`<${Checkbox} checked=${keepsQueued} disabled=${busy} onChange=${setKeepsQueued}>${t("keys-keep-queued")}<//>`}
			${error && html`<${Failure} title=${t("keys-not-revoked", { label })} error=${error} />`}
		<//>`;
}
