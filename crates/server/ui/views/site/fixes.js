// @ts-check
import { t } from "../../lang/lang.js";
import { Badge, Skeleton, Button } from "../../parts/elements.js";
import { Failure, Notice } from "../../parts/messages.js";
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { useLoad } from "../../parts/requests.js";
import { dateTime } from "../../parts/times.js";
import { getAudit } from "./api.js";

/** @type {Record<string, Tone>} */
const TONES = { error: "bad", warning: "warning", notice: "info" };
const MAX_SHOWN = 5;

/**
 * What to fix, grouped by cause.
 * @param {{ audit: SiteAudit, isNewest: boolean, takesFocus: boolean, onNewest: () => void }} properties `takesFocus`: a person asked for this audit.
 */
export function Fixes({ audit, isNewest, takesFocus, onNewest }) {
	const heading = useRef(/** @type {any} */ (null));
	useEffect(() => {
		if (takesFocus) heading.current.focus();
	}, []);
	const { data, error, reload } = useLoad(() => getAudit(audit.audit_id), [audit.audit_id]);
	const [all, setAll] = useState(false);
	const fixes = data?.fixes ?? [];
	const shown = all ? fixes : fixes.slice(0, MAX_SHOWN);
	const { errors = 0, warnings = 0, notices = 0 } = data?.summary?.counts ?? {};
	const [covered, found] = [fixes.reduce((sum, fix) => sum + fix.issues, 0), errors + warnings + notices];
	// A note that begins with a name of the API is for agents.
	const notes = data?.summary?.notes?.filter((note) => !note.startsWith("`")) ?? [];
	return html`
		<section class="card site-fixes" aria-label=${t("site-fixes")}>
			<div class="card-head">
				<div>
					<h2 tabindex="-1" ref=${heading}>${t("site-fixes")}</h2>
					<p class="soft small">${t(isNewest ? "site-fixes-newest" : "site-fixes-older", { when: dateTime(audit.requested_at) })}</p>
				</div>
				${!isNewest && html`<${Button} kind="small" onClick=${onNewest}>${t("site-fixes-show-newest")}<//>`}
			</div>
			${audit.end !== "complete" && html`<${Notice} tone="info" title=${t("site-partial")}><p>${t("site-partial-next", { count: data?.summary?.left_out ?? 0 })}</p><//>`}
			${Boolean(error) && html`<${Failure} title=${t("site-fixes-failed")} error=${error} retry=${reload} />`}
			${!data && !error && html`<${Skeleton} rows=${4} />`}
			${data && fixes.length === 0 && html`<${Notice} tone="good" title=${t("site-no-fixes")} />`}
			${fixes.length > 0 && html`<ol class="site-fix-list">${shown.map((fix, index) => html`<${Fix} key=${index} fix=${fix} />`)}</ol>`}
			${shown.length < fixes.length && html`<p class="row centre"><${Button} onClick=${() => setAll(true)}>${t("site-fixes-all", { count: fixes.length })}<//></p>`}
			${fixes.length > 0 && covered < found && html`<p class="soft small">${t("site-fixes-cover", { covered, found })}</p>`}
			${notes.map((note) => html`<p class="soft small" key=${note}>${note}</p>`)}
		</section>`;
}

/** @param {{ fix: SiteFix }} properties */
const Fix = ({ fix }) => html`
	<li>
		<p class="site-fix-title"><strong>${fix.title}</strong><${Badge} tone=${TONES[fix.severity]}>${t(`site-severity-${fix.severity}`)}<//>
			${fix.score_gain > 0 && html`<span class="small site-good">${t("site-gain", { points: fix.score_gain })}</span>`}</p>
		<p>${fix.fix}</p>
		<p class="small site-address"><${Page} url=${fix.pages[0]} /></p>
		<p class="soft small">${t("site-fix-issues", { count: fix.issues })} ${t("site-fix-pages", { count: fix.pages_total })}</p>
		${(fix.pages_total > 1 || linksTo(fix).length > 0) && html`
			<details>
				<summary>${t("site-fix-show", { count: fix.pages_total })}</summary>
				<${Pages} urls=${fix.pages} />
				${fix.pages_total > fix.pages.length && html`<p class="soft small">${t("site-fix-more", { count: fix.pages_total - fix.pages.length })}</p>`}
				${linksTo(fix).length > 0 && html`<p class="small">${t("site-fix-linked-from")}</p><${Pages} urls=${linksTo(fix)} />`}
			</details>`}
	</li>`;

/** What leads to the page that does not work. @param {SiteFix} fix */
const linksTo = (fix) => fix.linked_from ?? [];

/** @param {{ urls: string[] }} properties */
const Pages = ({ urls }) => html`<ul class="site-pages">${urls.map((url) => html`<li key=${url}><${Page} url=${url} /></li>`)}</ul>`;

/** An address that was cut by the service is no link. @param {{ url?: string }} properties */
const Page = ({ url = "" }) => (/^https?:\/\//.test(url) && !url.endsWith("…") ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${url}</a>` : url);
