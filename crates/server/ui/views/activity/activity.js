// @ts-check
import { api } from "../../app/api.js";
import { barChart } from "../../parts/chart.js";
import { bones, choice, dataTable, fill, tag } from "../../parts/dom.js";
import { eventsView } from "./events.js";
import { counted, keyLabel, toolTitle, workspace } from "../../app/model.js";
import { failure } from "../../parts/notice.js";
import { dayName } from "../../parts/time.js";

const TOOLS_SHOWN = 8;
const DAY_MS = 86_400_000;

/** What the brand's keys did. */
export function activityView() {
	const period = { days: "30" };
	let latest = 0;
	const [chart, tools, limits] = [tag("div.chart-place"), tag("div"), tag("div")];
	const events = eventsView();

	async function loadUsage() {
		const mine = ++latest;
		fill(chart, tag("span.bone.bone-chart"));
		fill(tools, bones(4));
		fill(limits, bones(3));
		try {
			const usage = await api.usage(workspace.brand.brand_id, period.days);
			// The response to an earlier choice may arrive late. It must not replace this one.
			if (mine !== latest) return;
			fill(chart, usageChart(usage));
			fill(tools, toolTable(usage));
			fill(limits, limitList(usage.peaks));
		} catch (error) {
			if (mine !== latest) return;
			fill(chart, failure("The usage could not be loaded.", error, loadUsage));
			fill(tools);
			fill(limits);
		}
	}

	return {
		root: tag("section.activity",
			tag("section.card",
				tag("div.card-head", tag("h2", "Calls a day"), choice("Period", [["7", "7 days"], ["30", "30 days"], ["90", "90 days"]], period, "days", loadUsage)), chart),
			tag("div.two",
				tag("section.card", tag("h2", "Most used tools"), tools),
				tag("section.card", tag("h2", "Rate limit, last hour"), limits)),
			events.root),
		load: async () => { await Promise.all([loadUsage(), events.load()]); },
	};
}

/** @typedef {{ calls: number, denied: number, errors: number }} Sum */

/** @param {UsageRow[]} rows @returns {Sum} */
const sum = (rows) => rows.reduce((sofar, row) => ({
	calls: sofar.calls + row.calls, denied: sofar.denied + row.denied, errors: sofar.errors + row.errors,
}), { calls: 0, denied: 0, errors: 0 });

/** @param {number} count */
const number = (count) => count.toLocaleString("en");

/** @param {string} name @param {string} first @param {Part[]} rows */
const countTable = (name, first, rows) => dataTable(".plain", name, [first, "Allowed", "Refused", "Failed"], rows);

/** @param {Part} head @param {Sum} counts */
const countRow = (head, { calls, denied, errors }) =>
	tag("tr", tag("th", { scope: "row", role: "rowheader" }, head), [calls, denied, errors].map((count) => tag("td", number(count))));

/** The chart, its sums and the same as a table. @param {Usage} usage */
function usageChart({ from, to, usage }) {
	const days = [];
	for (let time = Date.parse(from.slice(0, 10)); time <= Date.parse(to); time += DAY_MS) {
		const day = new Date(time).toISOString().slice(0, 10);
		days.push({ name: dayName(day), ...sum(usage.filter((row) => row.day.startsWith(day))) });
	}
	const total = sum(usage);
	const words = `${counted(total.calls, "call")} allowed, ${number(total.denied)} refused in ${counted(days.length, "day")}.`;
	return [
		tag("dl.sums",
			tag("div", tag("dt.allowed", "Allowed"), tag("dd", number(total.calls))),
			tag("div", tag("dt.denied", "Refused"), tag("dd", number(total.denied))),
			tag("div", tag("dt", "Allowed, but failed"), tag("dd", number(total.errors)))),
		total.calls + total.denied
			? barChart(days, words)
			: tag("p.soft", "No calls in this period. Once an assistant uses a key, its calls are drawn here."),
		tag("details", tag("summary", "Show as a table"),
			tag("div.scroll", { tabindex: "0", role: "region", "aria-label": "Calls a day, as a table" },
				countTable("Calls a day", "Day", days.toReversed().map((day) => countRow(day.name, day))))),
	];
}

/** @param {Usage} usage */
function toolTable({ usage }) {
	const names = [...new Set(usage.map((row) => row.tool))];
	const top = names.map((name) => ({ name, ...sum(usage.filter((row) => row.tool === name)) }))
		.sort((left, right) => right.calls + right.denied - left.calls - left.denied).slice(0, TOOLS_SHOWN);
	if (!top.length) return tag("p.soft", "No tool was used in this period.");
	return countTable("Most used tools", "Tool", top.map((tool) => countRow(
		[toolName(tool.name), bar((tool.calls + tool.denied) / (top[0].calls + top[0].denied))], tool)));
}

/** @param {string | null} name */
function toolName(name) {
	if (!name) return "Listing the tools";
	return name === "(unknown)" ? "Refused before a tool ran" : toolTitle(name);
}

/** How close each key came to the limit. @param {Peak[]} peaks */
function limitList(peaks) {
	if (!peaks.length) return tag("p.soft", "No key made a request in the last hour. Each may make 60 in a minute.");
	return [
		tag("p.soft.small", "The most requests that each key made in one minute. Beyond the limit a call is refused, and the assistant has to wait a moment."),
		tag("ul.limits", peaks.toSorted((left, right) => right.most_in_a_minute - left.most_in_a_minute).map((peak) => {
			const share = peak.most_in_a_minute / peak.limit;
			return tag("li", tag("span", keyLabel(peak.key_id)),
				tag("span", share >= 1 && tag("span.badge.warning", "At the limit"), ` ${peak.most_in_a_minute} of ${peak.limit}`),
				bar(share, share >= 0.8));
		})),
	];
}

/** A bar beside a number that says the same. @param {number} share @param {boolean} [high] */
function bar(share, high) {
	const filled = tag("span", { class: high && "high" });
	filled.style.width = `${Math.min(100, share * 100)}%`;
	return tag("span.bar", { "aria-hidden": "true" }, filled);
}
