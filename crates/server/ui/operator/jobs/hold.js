// @ts-check
// Holding and resuming the jobs of all brands.
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { Checkbox } from "../../parts/fields.js";
import { Notice, toast } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { dateTime } from "../../parts/times.js";
import { admin } from "../api.js";
import { Confirm } from "../confirm.js";

/** @param {{ hold: OperatorHold, onResume: () => void }} properties */
export const Held = ({ hold, onResume }) => html`
	<${Notice} tone="warning" title=${t("operator-jobs-held")}>
		<p>${t(`operator-jobs-held-${hold.cause}`, { since: dateTime(hold.since) })}</p>
		${hold.backup_at && html`<p>${t("operator-jobs-held-backup", { at: dateTime(hold.backup_at) })}</p>`}
		<p class="row"><${Button} kind="primary" focus="hold" onClick=${onResume}>${t("operator-jobs-resume")}<//></p>
	<//>`;

/** @param {{ onClose: () => void, onDone: () => void }} properties */
export const HoldJobs = ({ onClose, onDone }) => html`
	<${Confirm} title=${t("operator-jobs-hold-title")} action=${t("operator-jobs-hold-action")} failed=${t("operator-jobs-hold-failed")} onClose=${onClose}
		run=${async () => {
			const { begun } = await admin("POST", "/jobs/hold");
			toast(t("operator-jobs-hold-done", { count: begun }));
			onDone();
			onClose();
		}}>
		<p>${t("operator-jobs-hold-means")}</p>
		<p>${t("operator-jobs-hold-undo")}</p>
	<//>`;

/** @param {{ hold: OperatorHold, onClose: () => void, onDone: () => void }} properties */
export function ResumeJobs({ hold, onClose, onDone }) {
	// After a restore, what was due before may have gone out already.
	const [cancels, setCancels] = useState(hold.cause === "restore");
	return html`
		<${Confirm} title=${t("operator-jobs-resume-title")} action=${t("operator-jobs-resume-action")} kind="primary" failed=${t("operator-jobs-resume-failed")} onClose=${onClose}
			run=${async () => {
				const { cancelled } = await admin("POST", "/jobs/resume", { cancel_due_before_hold: cancels });
				toast(t("operator-jobs-resume-done", { count: cancelled }));
				onDone();
				onClose();
			}}>
			<p>${t("operator-jobs-resume-means")}</p>
			<${Checkbox} checked=${cancels} onChange=${setCancels}>${t("operator-jobs-resume-cancel")}<//>
			<p class="soft small">${t("operator-jobs-resume-cancel-hint")}</p>
		<//>`;
}
