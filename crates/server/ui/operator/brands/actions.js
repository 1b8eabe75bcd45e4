// @ts-check
// What an operator does to a whole brand. Each asks first and says what it means.
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { faultOf, TextField } from "../../parts/fields.js";
import { Failure, Notice, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { admin, ofBrand } from "../api.js";
import { Confirm } from "../confirm.js";
import { goTo } from "../route.js";
import { Revoked } from "../words.js";

/** @typedef {{ brand: OperatorBrand, onClose: () => void, onDone: () => void }} Properties */

/** @param {{ brand: OperatorBrand }} properties */
const Named = ({ brand }) => html`<div class="named"><p>${brand.name}</p><small><code>${brand.brand_id}</code></small></div>`;

/** @param {Properties} properties */
export function SuspendBrand({ brand, onClose, onDone }) {
	const [reason, setReason] = useState("");
	const { busy, error, send } = useSend();
	const suspend = () => send(async () => {
		await admin("POST", `${ofBrand(brand.brand_id)}/suspend`, { ...(reason.trim() && { reason: reason.trim() }) });
		toast(t("operator-brands-was-suspended", { name: brand.name }));
		onDone();
		onClose();
	});
	return html`
		<${Modal} title=${t("operator-brands-suspend-title")} busy=${busy} onClose=${onClose} actions=${html`
			<${Button} disabled=${busy} onClick=${onClose}>${t("cancel")}<//>
			<${Button} kind="danger" disabled=${busy} onClick=${suspend}>${t("operator-brands-suspend-action")}<//>`}>
			<form class="stack" onSubmit=${(/** @type {Event} */ event) => {
				event.preventDefault();
				suspend();
			}}>
				<${Named} brand=${brand} />
				<p>${t("operator-brands-suspended-means")}</p>
				<p>${t("operator-brands-suspend-undo")}</p>
				<${TextField} label=${t("operator-brands-reason")} hint=${t("operator-brands-reason-hint")} value=${reason} onInput=${setReason}
					fault=${faultOf(error, "reason")} rows=${3} attributes=${{ maxlength: 500 }} />
				${error && html`<${Failure} title=${t("operator-brands-suspend-failed")} error=${error} />`}
			</form>
		<//>`;
}

/** @param {Properties} properties */
export const ResumeBrand = ({ brand, onClose, onDone }) => html`
	<${Confirm} title=${t("operator-brands-resume-title")} action=${t("operator-brands-resume-action")} kind="primary" failed=${t("operator-brands-resume-failed")} onClose=${onClose}
		run=${async () => {
			await admin("POST", `${ofBrand(brand.brand_id)}/resume`);
			toast(t("operator-brands-was-resumed", { name: brand.name }));
			onDone();
			onClose();
		}}>
		<${Named} brand=${brand} />
		<p>${t("operator-brands-resume-means")}</p>
	<//>`;

/** @param {Properties} properties */
export function RevokeBrandKeys({ brand, onClose, onDone }) {
	const [done, setDone] = useState(/** @type {OperatorRevoked | null} */ (null));
	if (done) {
		return html`
			<${Modal} title=${t("operator-brands-revoked", { count: done.revoked ?? 0 })} onClose=${onClose} actions=${html`<${Button} kind="primary" onClick=${onClose}>${t("close")}<//>`}>
				<${Named} brand=${brand} /><${Revoked} done=${done} />
			<//>`;
	}
	return html`
		<${Confirm} title=${t("operator-brands-revoke-title")} action=${t("operator-brands-revoke-action")} typed=${brand.brand_id} failed=${t("operator-brands-revoke-failed")} onClose=${onClose}
			run=${async () => {
				setDone(await admin("POST", `${ofBrand(brand.brand_id)}/revoke-keys`));
				onDone();
			}}>
			<${Named} brand=${brand} />
			<p>${t("operator-brands-revoke-means")}</p>
		<//>`;
}

/** @param {{ brand: OperatorBrand, onClose: () => void }} properties */
export const EraseBrand = ({ brand, onClose }) => html`
	<${Confirm} title=${t("operator-brands-erase-title")} action=${t("operator-brands-erase-action")} typed=${brand.brand_id} failed=${t("operator-brands-erase-failed")} onClose=${onClose}
		run=${async () => {
			const receipt = await admin("DELETE", ofBrand(brand.brand_id));
			goTo({ view: "erasures", open: receipt.receipt_id });
		}}>
		<${Named} brand=${brand} />
		<${Notice} tone="warning" title=${t("operator-brands-erase-final")}><p>${t("operator-brands-erase-export")}</p><//>
		<p>${t("operator-brands-erase-means")}</p>
	<//>`;
