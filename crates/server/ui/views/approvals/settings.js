// @ts-check
import { changes, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Checkbox, Choice } from "../../parts/fields.js";
import { Failure, toast } from "../../parts/messages.js";
import { html, useRef } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { saveEmails, saveSettings } from "./api.js";

const RULES = ["none", "outward", "all"];
const APPROVERS = ["members", "admins"];

/** Which calls of all keys wait, who decides, and whether the person gets emails about it. Each change is saved at once. */
export function Settings() {
	void changes.value;
	const settings = workspace.approvalSettings;
	const { error, send } = useSend();

	const last = useRef(Promise.resolve());

	/** A change waits for the one before it. @param {() => Promise<Partial<ApprovalSettings>>} work */
	function save(work) {
		last.current = last.current.then(() => send(async () => {
			try {
				Object.assign(settings, await work());
				toast(t("approvals-saved"));
			} finally {
				// After a refused change, this shows the stored value again.
				changes.value += 1;
			}
		}));
	}
	return html`
		<section class="card settings"><h2>${t("approvals-settings")}</h2>
			<p class="soft small">${t("approvals-settings-help")}</p>
			<${Checkbox} checked=${settings.emails} onChange=${(/** @type {boolean} */ enabled) => save(async () => {
				await saveEmails(enabled);
				return { emails: enabled };
			})}>${t("approvals-emails")}<//>
			${workspace.brand.role === "admin" && html`
				<div class="toolbar">
					<${Choice} label=${t("approvals-minimum")} options=${RULES.map((rule) => [rule, t("approvals-rule", { rule })])} value=${settings.approval_minimum}
						onChange=${(/** @type {Rule} */ rule) => save(() => saveSettings({ approval_minimum: rule }))} />
					<${Choice} label=${t("approvals-approvers")} options=${APPROVERS.map((who) => [who, t("approvals-approver", { who })])} value=${settings.approvers}
						onChange=${(/** @type {"members" | "admins"} */ approvers) => save(() => saveSettings({ approvers }))} />
				</div>`}
			${error && html`<${Failure} title=${t("approvals-not-saved")} error=${error} />`}
		</section>`;
}
