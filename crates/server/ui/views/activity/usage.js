// @ts-check
import { keyLabel, toolTitle } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Bars } from "../../parts/chart.js";
import { Badge, DataTable, RowHead } from "../../parts/elements.js";
import { html } from "../../vendor/preact.js";
import { dayName, number } from "../../parts/times.js";

const MAX_TOOLS = 8;
const DAY_MS = 86_400_000;

/** @typedef {{ calls: number, denied: number, errors: number }} Sum */

/** @param {UsageRow[]} rows @returns {Sum} */
const sum = (rows) => rows.reduce((sofar, row) => ({
	calls: sofar.calls + row.calls, denied: sofar.denied + row.denied, errors: sofar.errors + row.errors,
}), { calls: 0, denied: 0, errors: 0 });

/** @param {{ name: string, first: string, children?: any }} properties */
const CountTable = ({ name, first, children }) => html`
	<${DataTable} kind="plain" name=${name} heads=${[first, t("activity-allowed"), t("activity-refused"), t("activity-failed")]}>${children}<//>`;

/** @param {{ counts: Sum, children?: any }} properties */
const CountRow = ({ counts: { calls, denied, errors }, children }) => html`
	<tr role="row"><${RowHead}>${children}<//>${[calls, denied, errors].map((count, index) => html`<td role="cell" key=${index}>${number(count)}</td>`)}</tr>`;

/** The calls of each day: their sums, drawn, and as a table. @param {{ usage: Usage }} properties */
export function UsageChart({ usage: { from, to, usage } }) {
	/** @type {(Sum & { name: string })[]} */
	const days = [];
	for (let time = Date.parse(from.slice(0, 10)); time <= Date.parse(to); time += DAY_MS) {
		const day = new Date(time).toISOString().slice(0, 10);
		days.push({ name: dayName(day), ...sum(usage.filter((row) => row.day.startsWith(day))) });
	}
	const { calls, denied, errors } = sum(usage);
	const bars = days.map((day) => ({ name: day.name, title: t("activity-day", { day: day.name, calls: day.calls, denied: day.denied }), values: [day.calls, day.denied] }));
	return html`
		<dl class="sums">
			<div><dt class="allowed">${t("activity-allowed")}</dt><dd>${number(calls)}</dd></div>
			<div><dt class="denied">${t("activity-refused")}</dt><dd>${number(denied)}</dd></div>
			<div><dt>${t("activity-allowed-failed")}</dt><dd>${number(errors)}</dd></div>
		</dl>
		${calls + denied > 0
			? html`<${Bars} bars=${bars} kinds=${["allowed", "denied"]} words=${t("activity-chart", { calls, denied, days: days.length })} />`
			: html`<p class="soft">${t("activity-no-calls")}</p>`}
		<details>
			<summary>${t("activity-as-table")}</summary>
			<div class="scroll" tabindex="0" role="region" aria-label=${t("activity-calls-table")}>
				<${CountTable} name=${t("activity-calls")} first=${t("activity-column-day")}>
					${days.toReversed().map((day) => html`<${CountRow} key=${day.name} counts=${day}>${day.name}<//>`)}
				<//>
			</div>
		</details>`;
}

/** @param {{ usage: Usage }} properties */
export function ToolTable({ usage: { usage } }) {
	const names = [...new Set(usage.map((row) => row.tool))];
	const top = names.map((name) => ({ name, ...sum(usage.filter((row) => row.tool === name)) }))
		.sort((left, right) => right.calls + right.denied - left.calls - left.denied).slice(0, MAX_TOOLS);
	if (!top.length) return html`<p class="soft">${t("activity-no-tools")}</p>`;
	return html`
		<${CountTable} name=${t("activity-tools")} first=${t("activity-column-tool")}>
			${top.map((tool) => html`<${CountRow} key=${tool.name} counts=${tool}>${toolName(tool.name)}<${Bar} share=${(tool.calls + tool.denied) / (top[0].calls + top[0].denied)} /><//>`)}
		<//>`;
}

/** @param {string | null} name */
function toolName(name) {
	if (!name) return t("activity-listing");
	return name === "(unknown)" ? t("activity-refused-before") : toolTitle(name);
}

/** How close each key came to the limit. @param {{ peaks: Peak[] }} properties */
export function Limits({ peaks }) {
	if (!peaks.length) return html`<p class="soft">${t("activity-no-requests")}</p>`;
	return html`
		<p class="soft small">${t("activity-limits-what")}</p>
		<ul class="limits">
			${peaks.toSorted((left, right) => right.most_in_a_minute - left.most_in_a_minute).map(({ key_id: id, most_in_a_minute: most, limit }) => html`
				<li key=${id}>
					<span>${keyLabel(id)}</span>
					<span>${most >= limit && html`<${Badge} tone="warning">${t("activity-at-limit")}<//>`} ${t("activity-of-limit", { most, limit })}</span>
					<${Bar} share=${most / limit} isHigh=${most >= 0.8 * limit} />
				</li>`)}
		</ul>`;
}

/** A bar beside a number that says the same. @param {{ share: number, isHigh?: boolean }} properties */
const Bar = ({ share, isHigh }) => html`
	<span class="bar" aria-hidden="true"><span class=${isHigh ? "high" : null} style=${{ width: `${Math.min(100, share * 100)}%` }}></span></span>`;
