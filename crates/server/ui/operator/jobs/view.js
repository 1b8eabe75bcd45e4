// @ts-check
import { rich, t } from "../../lang/lang.js";
import { Button, Cell, Empty, RowHead } from "../../parts/elements.js";
import { toast } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { number, Time } from "../../parts/times.js";
import { admin, listOf } from "../api.js";
import { Confirm } from "../confirm.js";
import { FilterChoice, FilterField, Filters, filterValues, isFiltered, NoMatch } from "../filters.js";
import { List, usePages } from "../pages.js";
import { route } from "../route.js";
import { BrandLink, Head, Refresh, Status, statusOptions, wordsFor } from "../words.js";
import { Held, HoldJobs, ResumeJobs } from "./hold.js";

const FILTERS = ["status", "kind", "brand"];
const KINDS = ["audit", "analysis", "publish", "withdraw", "report_email", "approval_notice", "schedule"];
/** What can be done with a job, by its status. @type {Record<string, string>} */
const ACTIONS = { failed: "retry", waiting: "cancel" };

/** The background work of all brands. */
export function View() {
	const filters = filterValues(FILTERS);
	const pages = usePages((cursor) => listOf("/jobs", "jobs", { ...filters, cursor }), [route.value]);
	const [asked, setAsked] = useState(/** @type {OperatorJob | null} */ (null));
	const [all, setAll] = useState("");
	/** @type {OperatorHold | null} */
	const hold = pages.answer?.hold ?? null;
	return html`
		<${Head} title=${t("operator-jobs-title")} lead=${t("operator-jobs-lead")}>
			<${Refresh} onClick=${pages.reload} />
			${pages.answer && !hold && html`<${Button} focus="hold" onClick=${() => setAll("hold")}>${t("operator-jobs-hold")}<//>`}
		<//>
		${hold && html`<${Held} hold=${hold} onResume=${() => setAll("resume")} />`}
		<${Filters} label=${t("operator-jobs-filters")}>
			<${FilterChoice} name="status" label=${t("operator-head-status")} options=${statusOptions(["waiting", "running", "done", "failed", "cancelled"])} />
			<${FilterChoice} name="kind" label=${t("operator-jobs-kind")} options=${KINDS.map((kind) => [kind, t(`operator-jobs-kind-${kind}`)])} />
			<${FilterField} name="brand" label=${t("operator-filter-brand")} error=${pages.error} maxlength=${64} />
		<//>
		<${List} pages=${pages} name=${t("operator-jobs-title")}
			heads=${[t("operator-jobs-job"), t("operator-head-brand"), t("operator-head-status"), t("operator-jobs-reason"), t("operator-jobs-attempts"), t("operator-jobs-when"), t("operator-head-actions")]}
			empty=${isFiltered(FILTERS)
				? html`<${NoMatch} names=${FILTERS} />`
				: html`<${Empty} icon="check" title=${t("operator-jobs-empty")}><p>${t("operator-jobs-empty-hint")}</p><//>`}
			row=${(/** @type {OperatorJob} */ job) => html`
				<tr role="row" key=${job.job_id}>
					<${RowHead}>${t(`operator-jobs-kind-${job.kind}`)}<code>${job.subject}</code><//>
					<${Cell} name=${t("operator-head-brand")}><${BrandLink} id=${job.brand_id} /><//>
					<${Cell} name=${t("operator-head-status")}><${Status} status=${job.status} />${job.held && html`<small>${t("operator-jobs-held-one")}</small>`}<//>
					<${Cell} name=${t("operator-jobs-reason")}>${job.reason ? wordsFor("operator-reason", job.reason) : "–"}<//>
					<${Cell} name=${t("operator-jobs-attempts")}>${number(job.attempts)}<//>
					<${Cell} name=${t("operator-jobs-when")}><${When} job=${job} /><//>
					<td role="cell"><div class="row">${ACTIONS[job.status] && html`
						<${Button} kind="small" focus=${job.job_id} label=${t(`operator-jobs-${ACTIONS[job.status]}-of`, { subject: job.subject })} onClick=${() => setAsked(job)}>${t(`operator-jobs-${ACTIONS[job.status]}`)}<//>`}
					</div></td>
				</tr>`} />
		${asked && html`<${ChangeJob} job=${asked} onClose=${() => setAsked(null)}
			onDone=${(/** @type {OperatorJob} */ next) => pages.replace((one) => one.job_id === next.job_id, next)} />`}
		${all === "hold" && html`<${HoldJobs} onClose=${() => setAll("")} onDone=${pages.reload} />`}
		${all === "resume" && hold && html`<${ResumeJobs} hold=${hold} onClose=${() => setAll("")} onDone=${pages.reload} />`}`;
}

/** @param {{ job: OperatorJob }} properties */
const When = ({ job }) => (job.ended_at
	? rich("operator-jobs-ended", { when: html`<${Time} at=${job.ended_at} />` })
	: rich("operator-jobs-due", { when: html`<${Time} at=${job.due_at} />` }));

/** @param {{ job: OperatorJob, onClose: () => void, onDone: (job: OperatorJob) => void }} properties */
function ChangeJob({ job, onClose, onDone }) {
	const action = ACTIONS[job.status];
	return html`
		<${Confirm} title=${t(`operator-jobs-${action}-title`)} action=${t(`operator-jobs-${action}-action`)} failed=${t("operator-jobs-change-failed")}
			kind=${action === "retry" ? "primary" : "danger"} onClose=${onClose}
			run=${async () => {
				onDone(await admin("POST", `/jobs/${encodeURIComponent(job.job_id)}/${action}`));
				toast(t(`operator-jobs-${action}-done`));
				onClose();
			}}>
			<div class="named"><p>${t(`operator-jobs-kind-${job.kind}`)}</p><small><code>${job.subject}</code></small></div>
			<p>${t(`operator-jobs-${action}-means`)}</p>
		<//>`;
}
