// @ts-check
import { t } from "../../lang/lang.js";
import { Cell, Empty, RowHead } from "../../parts/elements.js";
import { html, useState } from "../../vendor/preact.js";
import { dateTime, number } from "../../parts/times.js";
import { listOf } from "../api.js";
import { FilterChoice, FilterField, Filters, FilterTime, filterValues, isFiltered, NoMatch } from "../filters.js";
import { List, usePages } from "../pages.js";
import { route } from "../route.js";
import { BrandLink, Fact, Head, PersonLink, Refresh } from "../words.js";
import { ACTIONS } from "./actions.js";
import { Difference } from "./difference.js";

const FILTERS = ["since", "until", "brand", "actor", "action"];
const WEEK_MS = 7 * 86_400_000;

/** Every change by a person or a command. */
export function View() {
	const [lastWeek] = useState(() => new Date(Date.now() - WEEK_MS).toISOString());
	const filters = filterValues(FILTERS);
	const pages = usePages((cursor) => listOf("/audit", "records", { ...filters, since: filters.since || lastWeek, cursor }), [route.value]);
	return html`
		<${Head} title=${t("operator-audit-title")} lead=${t("operator-audit-lead")}><${Refresh} onClick=${pages.reload} /><//>
		<${Filters} label=${t("operator-audit-filters")}>
			<${FilterTime} name="since" label=${t("operator-audit-since")} fallback=${lastWeek} error=${pages.error} />
			<${FilterTime} name="until" label=${t("operator-audit-until")} error=${pages.error} />
			<${FilterField} name="brand" label=${t("operator-filter-brand")} error=${pages.error} maxlength=${64} />
			<${FilterField} name="actor" label=${t("operator-audit-filter-actor")} error=${pages.error} />
			<${FilterChoice} name="action" label=${t("operator-audit-action")} options=${ACTIONS.map((action) => [action, action])} />
		<//>
		<${List} pages=${pages} name=${t("operator-audit-title")}
			heads=${[t("operator-audit-action"), t("operator-audit-actor"), t("operator-head-brand"), t("operator-audit-difference"), t("operator-audit-at")]}
			empty=${isFiltered(FILTERS)
				? html`<${NoMatch} names=${FILTERS} />`
				: html`<${Empty} icon="info" title=${t("operator-audit-empty")}><p>${t("operator-audit-empty-hint")}</p><//>`}
			row=${(/** @type {OperatorAuditRecord} */ record) => html`
				<tr role="row" key=${record.sequence}>
					<${RowHead}>${record.action}<code>${record.target.kind} ${record.target.id}</code><//>
					<${Cell} name=${t("operator-audit-actor")}>
						${record.role === "command_line" ? record.actor : html`<${PersonLink} id=${record.actor} />`}<small>${t(`operator-audit-role-${record.role}`)}</small><//>
					<${Cell} name=${t("operator-head-brand")}><${BrandLink} id=${record.brand_id} /><//>
					<${Cell} name=${t("operator-audit-difference")}><${Difference} before=${record.before} after=${record.after} /><${Origin} record=${record} /><//>
					<${Cell} name=${t("operator-audit-at")}>${dateTime(record.at)}<//>
				</tr>`} />`;
}

/** Where a change came from. @param {{ record: OperatorAuditRecord }} properties */
const Origin = ({ record }) => html`
	<details><summary>${t("operator-audit-origin")}</summary><dl class="small">
		<${Fact} name=${t("operator-audit-sequence")}>${number(record.sequence)}<//>
		<${Fact} name=${t("operator-audit-address")}>${record.address}<//>
		<${Fact} name=${t("operator-audit-request")}>${record.request_id}<//>
		<${Fact} name=${t("operator-audit-change")}>${record.change_id}<//>
		<${Fact} name=${t("operator-audit-hash")}><code>${record.hash}</code><//>
	</dl></details>`;
