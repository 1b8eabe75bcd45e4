// @ts-check
// Keys of any brand, as several views show them.
import { t } from "../../lang/lang.js";
import { Button, Cell, RowHead } from "../../parts/elements.js";
import { Modal } from "../../parts/modal.js";
import { html, useState } from "../../vendor/preact.js";
import { dateTime, Time } from "../../parts/times.js";
import { admin } from "../api.js";
import { Confirm } from "../confirm.js";
import { List } from "../pages.js";
import { BrandLink, Fact, PersonLink, Revoked, Status } from "../words.js";

/** @param {Key} key */
export const statusOf = (key) => (key.status === "active" && key.paused ? "paused" : key.status);

/**
 * @param {{ pages: OperatorPages<Key>, empty: any, without?: "brand" | "person" }} properties `without`: the column that says the same in every row.
 */
export function KeyTable({ pages, empty, without }) {
	const [shown, setShown] = useState(/** @type {Key | null} */ (null));
	const [revoked, setRevoked] = useState(/** @type {Key | null} */ (null));
	const heads = [
		t("operator-keys-head-key"), without !== "brand" && t("operator-head-brand"), without !== "person" && t("operator-keys-head-creator"),
		t("operator-head-status"), t("operator-keys-head-scope"), t("operator-keys-head-used"), t("operator-keys-head-created"), t("operator-head-actions"),
	].filter(Boolean);
	return html`
		<${List} pages=${pages} name=${t("operator-keys-title")} heads=${heads} empty=${empty} row=${(/** @type {Key} */ key) => html`
			<tr role="row" key=${key.key_id}>
				<${RowHead}>${key.label}<code>${key.prefix}…</code><//>
				${without !== "brand" && html`<${Cell} name=${t("operator-head-brand")}><${BrandLink} id=${key.brand_id} /><//>`}
				${without !== "person" && html`<${Cell} name=${t("operator-keys-head-creator")}><${PersonLink} id=${key.created_by} /><//>`}
				<${Cell} name=${t("operator-head-status")}><${Status} status=${statusOf(key)} /><//>
				<${Cell} name=${t("operator-keys-head-scope")}>${t(`operator-keys-scope-${key.scope}`)}<//>
				<${Cell} name=${t("operator-keys-head-used")}><${Time} at=${key.last_used_at} /><//>
				<${Cell} name=${t("operator-keys-head-created")}><${Time} at=${key.created_at} /><//>
				<td role="cell"><div class="row">
					<${Button} kind="small" label=${t("operator-keys-show", { label: key.label })} onClick=${() => setShown(key)}>${t("operator-keys-details")}<//>
					${key.status !== "revoked" && html`<${Button} kind="small danger-quiet" label=${t("operator-keys-revoke", { label: key.label })} onClick=${() => setRevoked(key)}>${t("operator-keys-revoke-short")}<//>`}
				</div></td>
			</tr>`} />
		${shown && html`<${KeyDetails} item=${shown} onClose=${() => setShown(null)} />`}
		${revoked && html`<${RevokeKey} item=${revoked} onClose=${() => setRevoked(null)} onRevoked=${pages.reload} />`}`;
}

/** @param {{ item: Key }} properties */
const Named = ({ item }) => html`
	<div class="named"><p>${item.label}</p><small><code>${item.prefix}…</code></small></div>`;

/** @param {{ item: Key }} properties */
export const KeyFacts = ({ item }) => html`
	<dl>
		<${Fact} name=${t("operator-head-status")}><${Status} status=${statusOf(item)} /><//>
		<${Fact} name=${t("operator-head-brand")}><${BrandLink} id=${item.brand_id} /><//>
		<${Fact} name=${t("operator-keys-head-creator")}><${PersonLink} id=${item.created_by} /><//>
		<${Fact} name=${t("operator-keys-head-scope")}>${t(`operator-keys-scope-${item.scope}`)}<//>
		<${Fact} name=${t("operator-keys-approval")}>${t(`operator-keys-approval-${item.approval}`)}<//>
		<${Fact} name=${t("operator-keys-tools")}>${item.tools?.join(", ")}<//>
		<${Fact} name=${t("operator-keys-networks")}>${item.allowed_networks?.join(", ")}<//>
		<${Fact} name=${t("operator-keys-head-created")}>${dateTime(item.created_at)}<//>
		<${Fact} name=${t("operator-keys-expires")}>${item.expires_at && dateTime(item.expires_at)}<//>
		<${Fact} name=${t("operator-keys-head-used")}><${Time} at=${item.last_used_at} /><//>
		<${Fact} name=${t("operator-keys-address")}>${item.last_used_ip}<//>
		<${Fact} name=${t("operator-keys-client")}>${item.last_used_client}<//>
		<${Fact} name=${t("operator-keys-idle")}>${item.idle_since && dateTime(item.idle_since)}<//>
		<${Fact} name=${t("operator-keys-rotating")}>${item.rotating_until && dateTime(item.rotating_until)}<//>
		<${Fact} name=${t("operator-keys-paused")}>${item.paused_at && dateTime(item.paused_at)}<//>
		<${Fact} name=${t("operator-keys-paused-by")}>${item.paused_by}<//>
		<${Fact} name=${t("operator-keys-revoked-at")}>${item.revoked_at && dateTime(item.revoked_at)}<//>
		<${Fact} name=${t("operator-keys-revoked-reason")}>${item.revoked_reason && t(`operator-keys-reason-${item.revoked_reason}`)}<//>
		<${Fact} name=${t("operator-keys-id")}><code>${item.key_id}</code><//>
	</dl>`;

/** @param {{ item: Key, onClose: () => void }} properties */
const KeyDetails = ({ item, onClose }) => html`
	<${Modal} title=${item.label} onClose=${onClose} actions=${html`<${Button} onClick=${onClose}>${t("close")}<//>`}>
		<p><code>${item.prefix}…</code></p>
		<${KeyFacts} item=${item} />
	<//>`;

/** @param {{ item: Key, onClose: () => void, onRevoked: () => void }} properties */
export function RevokeKey({ item, onClose, onRevoked }) {
	const [done, setDone] = useState(/** @type {OperatorRevoked | null} */ (null));
	if (done) {
		return html`
			<${Modal} title=${t("operator-keys-was-revoked")} onClose=${onClose} actions=${html`<${Button} kind="primary" onClick=${onClose}>${t("close")}<//>`}>
				<${Named} item=${item} /><${Revoked} done=${done} />
			<//>`;
	}
	return html`
		<${Confirm} title=${t("operator-keys-revoke-title")} action=${t("operator-keys-revoke-action")} failed=${t("operator-keys-revoke-failed")} onClose=${onClose}
			run=${async () => {
				setDone(await admin("POST", `/keys/${encodeURIComponent(item.key_id)}/revoke`));
				onRevoked();
			}}>
			<${Named} item=${item} />
			<p>${t("operator-keys-revoke-about", { brand: item.brand_id, user: item.created_by })}</p>
			<p>${t("operator-keys-revoke-final")}</p>
		<//>`;
}
