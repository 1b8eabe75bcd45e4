// @ts-check
import { t } from "../../lang/lang.js";
import { DataTable, RowHead } from "../../parts/elements.js";
import { Line } from "../../parts/chart.js";
import { html } from "../../vendor/preact.js";
import { dateName, dateTime, number } from "../../parts/times.js";

/** The newest score, and how it has changed. @param {{ audits: SiteAudit[], newest: SiteAudit }} properties */
export function Score({ audits, newest }) {
	// Audits that start elsewhere look at other pages, so their scores do not belong on the same line.
	const points = audits.filter(({ status, score, url }) => status === "done" && score !== null && url === newest.url).reverse();
	return html`
		<section class="card site-score" aria-label=${t("site-score")}>
			<div class="site-now">
				<h2>${t("site-score")}</h2>
				<p class="site-number">${newest.score === null ? "–" : number(newest.score)}</p>
				<p class="soft small">${t("site-score-of")}</p>
				<${Change} points=${points} />
				<dl class="sums">
					<div><dt>${t("site-pages")}</dt><dd>${number(newest.pages ?? 0)}</dd></div>
					<div><dt>${t("site-errors")}</dt><dd>${number(newest.errors ?? 0)}</dd></div>
					<div><dt>${t("site-warnings")}</dt><dd>${number(newest.warnings ?? 0)}</dd></div>
				</dl>
			</div>
			<div class="site-line">
				<${ScoreLine} audits=${points} />
				<details>
					<summary>${t("site-as-table")}</summary>
					<div class="scroll" tabindex="0" role="region" aria-label=${t("site-score-table")}>
						<${DataTable} kind="plain" name=${t("site-score-table")} heads=${[t("site-when"), t("site-score")]}>
							${points.toReversed().map((audit) => html`
								<tr role="row" key=${audit.audit_id}><${RowHead}>${dateTime(audit.requested_at)}<//><td role="cell">${number(audit.score ?? 0)}</td></tr>`)}
						<//>
					</div>
				</details>
			</div>
		</section>`;
}

/** @param {{ points: SiteAudit[] }} properties */
function Change({ points }) {
	const [last, before] = points.toReversed();
	if (!before) return null;
	const change = Math.round(((last.score ?? 0) - (before.score ?? 0)) * 10) / 10;
	const words = t(change > 0 ? "site-better" : change < 0 ? "site-worse" : "site-same", { points: Math.abs(change) });
	return html`<p class=${`small ${change > 0 ? "site-good" : change < 0 ? "site-bad" : "soft"}`}>${words}</p>`;
}

/** The scores over time. An audit that did not see the whole site has a hollow point. @param {{ audits: SiteAudit[] }} properties */
function ScoreLine({ audits }) {
	if (!audits.length) return null;
	const scores = audits.map(({ score }) => number(score ?? 0));
	const points = audits.map(({ requested_at: at, score, end }, index) => ({
		name: dateName(at), title: t("site-point", { when: dateTime(at), score: scores[index] }), value: score ?? 0, kind: end === "complete" ? "" : "partial",
	}));
	return html`<${Line} points=${points} top=${100} words=${t("site-score-words", { count: audits.length, first: scores[0], last: scores[scores.length - 1] })} />`;
}
