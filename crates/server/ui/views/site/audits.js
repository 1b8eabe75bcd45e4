// @ts-check
import { keyLabel, personName } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Badge, Button, Cell, DataTable, RowHead } from "../../parts/elements.js";
import { Failure } from "../../parts/messages.js";
import { html } from "../../vendor/preact.js";
import { dateTime, number, Time } from "../../parts/times.js";

/** @type {Record<string, Tone>} */
const TONES = { queued: "info", running: "info", done: "good", failed: "bad", cancelled: "off" };

/**
 * The last audits.
 * @param {{ audits: SiteAudit[], shown?: string, onShow: (id: string) => void, onOlder: (() => void) | null, busy: boolean, error: unknown }} properties
 */
export const Audits = ({ audits, shown, onShow, onOlder, busy, error }) => html`
	<section class="card" aria-label=${t("site-audits")}>
		<h2>${t("site-audits")}</h2>
		<${DataTable} kind="events stacked site-audits" name=${t("site-audits")} heads=${["when", "state", "score", "found", "by", "fixes"].map((head) => t(`site-${head}`))}>
			${audits.map((audit) => html`<${AuditRow} key=${audit.audit_id} audit=${audit} isShown=${audit.audit_id === shown} onShow=${onShow} />`)}
		<//>
		${Boolean(error) && html`<${Failure} title=${t("site-failed")} error=${error} />`}
		${onOlder && html`<p class="row centre"><${Button} disabled=${busy} onClick=${onOlder}>${t("site-older")}<//></p>`}
	</section>`;

/** @param {{ audit: SiteAudit, isShown: boolean, onShow: (id: string) => void }} properties */
function AuditRow({ audit, isShown, onShow }) {
	const { status, score, pages, errors, warnings, requested_at: at, failure, end } = audit;
	const isDone = status === "done";
	return html`
		<tr role="row">
			<${RowHead}><${Time} at=${at} /><//>
			<${Cell} name=${t("site-state")}>
				<${Badge} tone=${TONES[status]}>${t(`site-status-${status}`)}<//>
				${failure && html`<small>${failure}</small>`}
				${isDone && end !== "complete" && html`<small>${t("site-partial-short")}</small>`}
			<//>
			<${Cell} name=${t("site-score")}>${isDone && score !== null ? number(score) : "–"}<//>
			<${Cell} name=${t("site-found")}>${isDone ? t("site-counts", { pages: pages ?? 0, errors: errors ?? 0, warnings: warnings ?? 0 }) : "–"}<//>
			<${Cell} name=${t("site-by")}>${requester(audit)}<//>
			<${Cell} name=${t("site-fixes")}>${isDone
				? html`<${Button} kind="small" disabled=${isShown} label=${isShown ? undefined : t("site-show.label", { when: dateTime(at) })} onClick=${() => onShow(audit.audit_id)}>${t(isShown ? "site-shown" : "site-show")}<//>`
				: "–"}<//>
		</tr>`;
}

/** @param {SiteAudit} audit */
function requester({ requested_by: id, requested_by_kind: kind }) {
	if (kind === "schedule") return t("site-by-schedule");
	return kind === "key" ? keyLabel(id) : personName(id);
}
