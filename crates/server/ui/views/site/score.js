// @ts-check
import { t } from "../../lang/lang.js";
import { DataTable, RowHead } from "../../parts/elements.js";
import { html, useEffect, useRef, useState } from "../../parts/preact.js";
import { dateTime, number } from "../../parts/times.js";
import { dateName } from "../../parts/time.js";

const HEIGHT = 200;
const FOOT = 24;
const HEAD = 10;
const LEFT = 44;
/** The room that the name of a day needs. */
const LABEL_ROOM = 90;
const SIDE = 12;

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
				<${Line} points=${points} />
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

/** Drawn for the available width, so that the text keeps its size. @param {{ points: SiteAudit[] }} properties */
function Line({ points }) {
	const place = useRef(/** @type {any} */ (null));
	const [width, setWidth] = useState(0);
	useEffect(() => {
		const observer = new ResizeObserver(() => setWidth(place.current?.clientWidth ?? 0));
		observer.observe(place.current);
		return () => observer.disconnect();
	}, []);
	return html`<div class="chart" ref=${place}>${width > 0 && points.length > 0 && html`<${Drawing} points=${points} width=${width} />`}</div>`;
}

/** @param {{ points: SiteAudit[], width: number }} properties */
function Drawing({ points, width }) {
	const plot = HEIGHT - FOOT - HEAD;
	const room = width - LEFT - 2 * SIDE;
	/** @param {number} score */
	const y = (score) => HEAD + plot * (1 - score / 100);
	/** @param {number} index */
	const x = (index) => LEFT + SIDE + (points.length === 1 ? room / 2 : (room * index) / (points.length - 1));
	const labelEvery = Math.max(1, Math.ceil((LABEL_ROOM * points.length) / room));
	const path = points.map(({ score }, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(score ?? 0).toFixed(1)}`).join("");
	const [first, last] = [points[0], points[points.length - 1]];
	const words = t("site-score-words", { count: points.length, first: number(first.score ?? 0), last: number(last.score ?? 0) });
	return html`
		<svg role="img" aria-label=${words} width=${width} height=${HEIGHT}>
			${[0, 50, 100].map((score) => html`
				<line key=${score} x1=${LEFT} x2=${width} y1=${y(score)} y2=${y(score)} />
				<text class="end" x=${LEFT - 8} y=${y(score) + 4}>${number(score)}</text>`)}
			<path class="site-path" d=${path} />
			${points.map((audit, index) => {
				const back = points.length - 1 - index;
				const anchor = points.length > 1 && back === 0 ? "end" : points.length > 1 && index === 0 ? "" : "middle";
				return html`
					<circle key=${audit.audit_id} class=${audit.end === "complete" ? "site-point" : "site-point partial"} cx=${x(index)} cy=${y(audit.score ?? 0)} r="4.5">
						<title>${t("site-point", { when: dateTime(audit.requested_at), score: number(audit.score ?? 0) })}</title>
					</circle>
					${back % labelEvery === 0 && html`<text class=${anchor} x=${anchor === "end" ? width : anchor ? x(index) : LEFT} y=${HEIGHT - 6}>${dateName(audit.requested_at)}</text>`}`;
			})}
		</svg>`;
}
