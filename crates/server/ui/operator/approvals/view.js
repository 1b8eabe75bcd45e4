// @ts-check
import { t } from "../../lang/lang.js";
import { Cell, Empty, RowHead } from "../../parts/elements.js";
import { html } from "../../vendor/preact.js";
import { Time } from "../../parts/times.js";
import { listOf } from "../api.js";
import { FilterChoice, FilterField, Filters, filterValues, isFiltered, NoMatch } from "../filters.js";
import { List, usePages } from "../pages.js";
import { route } from "../route.js";
import { BrandLink, Head, Refresh, Status, statusOptions, wordsFor } from "../words.js";

const FILTERS = ["brand", "status"];
const STATUSES = ["pending", "approved", "done", "failed", "rejected", "expired", "cancelled"];

/** The calls of agents that wait for a person, or waited. Only people of the brand decide. */
export function View() {
	const filters = filterValues(FILTERS);
	const pages = usePages((cursor) => listOf("/approvals", "approvals", { ...filters, cursor }), [route.value]);
	return html`
		<${Head} title=${t("operator-approvals-title")} lead=${t("operator-approvals-lead")}><${Refresh} onClick=${pages.reload} /><//>
		<${Filters} label=${t("operator-approvals-filters")}>
			<${FilterField} name="brand" label=${t("operator-filter-brand")} error=${pages.error} maxlength=${64} />
			<${FilterChoice} name="status" label=${t("operator-head-status")} options=${statusOptions(STATUSES)} />
		<//>
		<${List} pages=${pages} name=${t("operator-approvals-title")}
			heads=${[t("operator-approvals-tool"), t("operator-head-brand"), t("operator-head-status"), t("operator-approvals-note"), t("operator-approvals-requested"), t("operator-approvals-decided"), t("operator-approvals-expires")]}
			empty=${isFiltered(FILTERS)
				? html`<${NoMatch} names=${FILTERS} />`
				: html`<${Empty} icon="check" title=${t("operator-approvals-empty")}><p>${t("operator-approvals-empty-hint")}</p><//>`}
			row=${(/** @type {OperatorApproval} */ approval) => html`
				<tr role="row" key=${approval.approval_id}>
					<${RowHead}>${approval.tool}<code>${approval.approval_id}</code><//>
					<${Cell} name=${t("operator-head-brand")}><${BrandLink} id=${approval.brand_id} /><//>
					<${Cell} name=${t("operator-head-status")}><${Status} status=${approval.status} /><//>
					<${Cell} name=${t("operator-approvals-note")}>${approval.reason ? wordsFor("operator-reason", approval.reason) : approval.note ?? "–"}<//>
					<${Cell} name=${t("operator-approvals-requested")}><${Time} at=${approval.requested_at} /><//>
					<${Cell} name=${t("operator-approvals-decided")}>${approval.decided_at ? html`<${Time} at=${approval.decided_at} />` : "–"}<//>
					<${Cell} name=${t("operator-approvals-expires")}>${approval.status === "pending" ? html`<${Time} at=${approval.expires_at} />` : "–"}<//>
				</tr>`} />`;
}
