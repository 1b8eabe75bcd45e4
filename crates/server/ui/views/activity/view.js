// @ts-check
import { workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Skeleton } from "../../parts/elements.js";
import { Choice } from "../../parts/fields.js";
import { Failure } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { useLoad } from "../../parts/requests.js";
import { loadUsage } from "./api.js";
import { Events } from "./events.js";
import { Limits, ToolTable, UsageChart } from "./usage.js";

const PERIODS = ["7", "30", "90"];

/** What the brand's keys did. */
export function View() {
	const [days, setDays] = useState("30");
	const { data, error, reload } = useLoad(() => loadUsage(workspace.brand.brand_id, days), [days]);
	const title = t("activity-calls");
	return html`
		<div class="view">
			<h1 tabindex="-1">${t("activity-title")}</h1>
			<section class="activity">
				<section class="card">
					<div class="card-head"><h2>${title}</h2><${Choice} label=${t("activity-period")} options=${PERIODS.map((one) => [one, t("activity-days", { count: Number(one) })])} value=${days} onChange=${setDays} /></div>
					<div class="chart-place">
						${error && html`<${Failure} title=${t("activity-usage-not-loaded")} error=${error} retry=${reload} />`}
						${!error && (data ? html`<${UsageChart} usage=${data} />` : html`<span class="placeholder placeholder-chart"></span>`)}
					</div>
				</section>
				<div class="two">
					<section class="card"><h2>${t("activity-tools")}</h2>${data ? html`<${ToolTable} usage=${data} />` : !error && html`<${Skeleton} rows=${4} />`}</section>
					<section class="card"><h2>${t("activity-limits")}</h2>${data ? html`<${Limits} peaks=${data.peaks} />` : !error && html`<${Skeleton} rows=${3} />`}</section>
				</div>
				<${Events} />
			</section>
		</div>`;
}
