// @ts-check
import { t } from "../../lang/lang.js";
import { Button, Cell, Empty, RowHead } from "../../parts/elements.js";
import { Notice, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useState } from "../../vendor/preact.js";
import { admin, listOf, ofUser } from "../api.js";
import { Confirm } from "../confirm.js";
import { KeyTable } from "../keys/table.js";
import { List, usePages } from "../pages.js";
import { goTo, Link } from "../route.js";
import { Back, Head, Revoked, Status } from "../words.js";

/** One person: the brands they act for, and their keys. @param {{ id: string }} properties */
export function PersonPage({ id }) {
	const [asked, setAsked] = useState("");
	const brands = usePages((cursor) => listOf(`${ofUser(id)}/brands`, "brands", { cursor }), [id]);
	const keys = usePages((cursor) => listOf("/keys", "keys", { user: id, cursor }), [id]);
	const close = () => setAsked("");
	return html`
		<${Back} view="people">${t("operator-people-back")}<//>
		<${Head} title=${id}>
			<${Button} onClick=${() => setAsked("sessions")}>${t("operator-people-sessions")}<//>
			<${Button} onClick=${() => setAsked("revoke")}>${t("operator-people-revoke")}<//>
			<${Button} kind="danger-quiet" onClick=${() => setAsked("erase")}>${t("operator-people-erase")}<//>
		<//>
		<p><${Link} to=${{ view: "audit", actor: id }}>${t("operator-people-audit")}<//></p>
		<h2>${t("operator-people-brands")}</h2>
		<${List} pages=${brands} name=${t("operator-people-brands")}
			heads=${[t("operator-head-brand"), t("operator-brands-role"), t("operator-head-status")]}
			empty=${html`<${Empty} icon="info" title=${t("operator-people-no-brands")}><p>${t("operator-people-no-brands-hint")}</p><//>`}
			row=${(/** @type {OperatorBrand} */ brand) => html`
				<tr role="row" key=${brand.brand_id}>
					<${RowHead}><${Link} to=${{ view: "brands", open: brand.brand_id }}>${brand.name}<//><code>${brand.brand_id}</code><//>
					<${Cell} name=${t("operator-brands-role")}>${t(`operator-brands-role-${brand.role}`)}<//>
					<${Cell} name=${t("operator-head-status")}><${Status} status=${brand.status} /><//>
				</tr>`} />
		<h2>${t("operator-keys-title")}</h2>
		<${KeyTable} pages=${keys} without="person" empty=${html`<${Empty} icon="key" title=${t("operator-people-no-keys")}><p>${t("operator-people-no-keys-hint")}</p><//>`} />
		${asked === "sessions" && html`<${EndSessions} id=${id} onClose=${close} />`}
		${asked === "revoke" && html`<${RevokeKeys} id=${id} onClose=${close} onDone=${keys.reload} />`}
		${asked === "erase" && html`<${ErasePerson} id=${id} onClose=${close} />`}`;
}

/** @param {{ id: string, onClose: () => void }} properties */
const EndSessions = ({ id, onClose }) => html`
	<${Confirm} title=${t("operator-people-sessions-title")} action=${t("operator-people-sessions-action")} failed=${t("operator-people-sessions-failed")} onClose=${onClose}
		run=${async () => {
			const { sessions } = await admin("POST", `${ofUser(id)}/end-sessions`);
			toast(t("operator-people-sessions-done", { count: sessions }));
			onClose();
		}}>
		<div class="named"><p>${id}</p></div>
		<p>${t("operator-people-sessions-means")}</p>
	<//>`;

/** @param {{ id: string, onClose: () => void, onDone: () => void }} properties */
function RevokeKeys({ id, onClose, onDone }) {
	const [done, setDone] = useState(/** @type {OperatorRevoked | null} */ (null));
	if (done) {
		return html`
			<${Modal} title=${t("operator-people-revoked", { count: done.revoked ?? 0 })} onClose=${onClose} actions=${html`<${Button} kind="primary" onClick=${onClose}>${t("close")}<//>`}>
				<div class="named"><p>${id}</p></div><${Revoked} done=${done} />
			<//>`;
	}
	return html`
		<${Confirm} title=${t("operator-people-revoke-title")} action=${t("operator-people-revoke-action")} typed=${id} failed=${t("operator-people-revoke-failed")} onClose=${onClose}
			run=${async () => {
				setDone(await admin("POST", `${ofUser(id)}/revoke-keys`));
				onDone();
			}}>
			<div class="named"><p>${id}</p></div>
			<p>${t("operator-people-revoke-means")}</p>
		<//>`;
}

/** @param {{ id: string, onClose: () => void }} properties */
const ErasePerson = ({ id, onClose }) => html`
	<${Confirm} title=${t("operator-people-erase-title")} action=${t("operator-people-erase-action")} typed=${id} failed=${t("operator-people-erase-failed")} onClose=${onClose}
		run=${async () => {
			const receipt = await admin("POST", `${ofUser(id)}/erase`);
			goTo({ view: "erasures", open: receipt.receipt_id });
		}}>
		<div class="named"><p>${id}</p></div>
		<${Notice} tone="warning" title=${t("operator-people-erase-final")}><p>${t("operator-people-erase-order")}</p><//>
		<p>${t("operator-people-erase-means")}</p>
	<//>`;
