// @ts-check
import { t } from "../../lang/lang.js";
import { html } from "../../vendor/preact.js";

/** How far an audit is. @param {{ audit: SiteAudit }} properties */
export function Running({ audit: { status, progress, url } }) {
	const known = progress ? progress.visited + progress.waiting : 0;
	const share = progress && known ? Math.min(100, Math.round((100 * progress.visited) / known)) : null;
	return html`
		<section class="card site-running" aria-label=${t("site-running")}>
			<div class="row"><span class="spinner" aria-hidden="true"></span><h2>${t(status === "queued" ? "site-queued" : "site-running")}</h2></div>
			<progress class="site-progress" aria-label=${t("site-progress")} max="100" value=${share}></progress>
			<p class="small">${progress ? t(`site-stage-${progress.stage}`, { visited: progress.visited, waiting: progress.waiting }) : t("site-stage-none")}</p>
			<p class="soft small site-address">${progress?.url ?? url}</p>
		</section>`;
}
