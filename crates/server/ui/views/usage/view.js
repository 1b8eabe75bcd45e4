// @ts-check
import { changes, workspace } from "../../app/model.js";
import { ViewLink } from "../../app/route.js";
import { rich, t } from "../../lang/lang.js";
import { Badge, Skeleton, Button, PageHead } from "../../parts/elements.js";
import { announce, Failure } from "../../parts/messages.js";
import { html, useEffect } from "../../vendor/preact.js";
import { useLoad } from "../../parts/requests.js";
import { Time } from "../../parts/times.js";
import { listQuotas } from "./api.js";

/** Quotas of the same kind stand together. One that the page does not know comes last, under its own name. */
const GROUPS = {
	period: ["posts_per_day", "report_emails_per_day", "audits_per_day", "analyses_per_day", "keyword_searches_per_day", "connection_tests_per_hour"],
	now: ["open_long_jobs", "concurrent_waits", "queued_targets", "pending_approvals"],
	stored: ["keys", "schedules", "drafts", "stored_audits", "stored_analyses"],
};
const KNOWN = new Set(Object.values(GROUPS).flat());
const NEARLY_USED = 0.8;

/** What the plan of the brand allows, and how much of it is used. */
export function View() {
	const { name, plan } = workspace.brand;
	const { data, error, reload } = useLoad(listQuotas, [workspace.brand.brand_id]);
	useEffect(() => {
		document.title = t("usage-document-title", { brand: name });
	}, [changes.value]);
	const quotas = new Map(data?.map((quota) => [quota.name, quota]));
	const others = data?.filter((quota) => !KNOWN.has(quota.name)) ?? [];
	const refresh = async () => {
		await reload();
		announce(t("usage-fresh"));
	};
	return html`
		<div class="view">
			<${PageHead} title=${t("usage-title")} lead=${t("usage-lead", { brand: name, plan: plan.name })}>
				<${Button} kind="quiet" onClick=${refresh}>${t("usage-refresh")}<//>
			<//>
			${Boolean(error) && html`<${Failure} title=${t("usage-failed")} error=${error} retry=${reload} />`}
			${!data && !error && html`<div class="card"><${Skeleton} rows=${8} /></div>`}
			${data && html`
				<${Summary} quotas=${data} />
				<div class="usage-groups">
					${Object.entries(GROUPS).map(([group, names]) => html`
						<${Group} key=${group} title=${t(`usage-group-${group}`)} lead=${t(`usage-group-${group}.lead`)} quotas=${names.flatMap((one) => quotas.get(one) ?? [])} />`)}
					${others.length > 0 && html`<${Group} title=${t("usage-group-other")} lead="" quotas=${others} />`}
				</div>`}
			<p class="soft small">${rich("usage-more", { link: html`<${ViewLink} view="activity">${t("page-view-activity")}<//>` })}</p>
		</div>`;
}

/** @param {BrandQuota} quota */
const shareOf = ({ used, limit }) => (limit ? used / limit : used ? 1 : 0);

/** Stored ones are never used up: the oldest go. @param {BrandQuota} quota */
const isUsedUp = (quota) => quota.used >= quota.limit && !quota.name.startsWith("stored_");

/** Says first whether something needs attention. @param {{ quotas: BrandQuota[] }} properties */
function Summary({ quotas }) {
	const full = quotas.filter(isUsedUp).length;
	const near = quotas.filter((quota) => !isUsedUp(quota) && shareOf(quota) >= NEARLY_USED && !quota.name.startsWith("stored_")).length;
	const role = workspace.brand.role;
	return html`
		<section class=${`notice ${full ? "warning" : "info"} usage-summary`} aria-label=${t("usage-summary")}>
			<div>
				<p class="notice-title">${full ? t("usage-full", { count: full }) : near ? t("usage-near", { count: near }) : t("usage-enough")}</p>
				${full > 0 && html`<p>${t(role === "admin" ? "usage-full-next" : "usage-full-next-member")}</p>`}
			</div>
		</section>`;
}

/** @param {{ title: string, lead: string, quotas: BrandQuota[] }} properties */
const Group = ({ title, lead, quotas }) => html`
	<section class="card" aria-label=${title}>
		<h2 class="usage-title">${title}</h2>
		${lead && html`<p class="soft small">${lead}</p>`}
		<ul class="limits">${quotas.map((quota) => html`<${Quota} key=${quota.name} quota=${quota} />`)}</ul>
	</section>`;

/** The bar repeats the numbers beside it, so it is hidden from screen readers. @param {{ quota: BrandQuota }} properties */
function Quota({ quota }) {
	const { name, limit, used, frees_at: frees } = quota;
	const share = shareOf(quota);
	const isStored = name.startsWith("stored_");
	return html`
		<li>
			<span>${KNOWN.has(name) ? t(`usage-${name}`) : name}${isUsedUp(quota) && html` <${Badge} tone="warning">${t("usage-used-up")}<//>`}</span>
			<span>${t("usage-of", { used, limit })}</span>
			<span class="bar" aria-hidden="true"><span class=${share >= NEARLY_USED && !isStored ? "high" : ""} style=${{ width: `${Math.min(100, share * 100)}%` }}></span></span>
			<small class="usage-note">${frees && used > 0 ? rich("usage-frees", { when: html`<${Time} at=${frees} />` }) : used > 0 && KNOWN.has(name) ? t(`usage-${name}.frees`) : ""}</small>
		</li>`;
}
