// @ts-check
import { changes, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Skeleton, Button, Empty, PageHead } from "../../parts/elements.js";
import { announce, Failure } from "../../parts/messages.js";
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { number } from "../../parts/times.js";
import { listAudits, runAudit } from "./api.js";
import { Audits } from "./audits.js";
import { Fixes } from "./fixes.js";
import { Running } from "./running.js";
import { Schedules } from "./schedules.js";
import { Score } from "./score.js";

const POLL_INTERVAL_MS = 2_000;

/** @param {SiteAudit} audit */
const isOpen = ({ status }) => status === "queued" || status === "running";

/** The state of the brand's website: its audits, what to fix, and what repeats. */
export function View() {
	const { name } = workspace.brand;
	const [older, setOlder] = useState(/** @type {SiteAuditPage | null} */ (null));
	/** The audit whose fixes a person wants to see. Null: a person has not chosen, and the newest are shown. @type {[string | null, (id: string | null) => void]} */
	const [chosen, setChosen] = useState(/** @type {string | null} */ (null));
	const loaded = useLoad(() => listAudits(""), [workspace.brand.brand_id]);
	const start = useSend();
	const more = useSend();

	const known = new Map([...(older?.audits ?? []), ...(loaded.data?.audits ?? [])].map((audit) => [audit.audit_id, audit]));
	const audits = [...known.values()].sort((left, right) => right.requested_at.localeCompare(left.requested_at));
	const open = audits.filter(isOpen);
	const newest = audits.find(({ status }) => status === "done");
	const shown = known.get(chosen ?? "") ?? newest;
	const cursor = older ? older.next_cursor : loaded.data?.next_cursor;

	useEffect(() => {
		document.title = t("site-document-title", { brand: name });
	}, [changes.value]);
	usePolling(open.length > 0, loaded.reload);
	useEnd(audits, () => setChosen(null));

	const run = () => start.send(async () => {
		await runAudit();
		announce(t("site-started"));
		await loaded.reload();
	});
	const showOlder = () => more.send(async () => {
		const page = await listAudits(cursor ?? "");
		setOlder({ ...page, audits: [...(older?.audits ?? []), ...page.audits] });
	});
	const runButton = html`<${Button} kind="primary" focus="run-audit" disabled=${start.busy || open.length > 0} onClick=${run}>${t(open.length > 0 ? "site-running" : "site-run")}<//>`;

	return html`
		<div class="view">
			<${PageHead} title=${t("site-title")} lead=${t("site-lead", { brand: name })}>${runButton}<//>
			${start.error && html`<${Failure} title=${t("site-not-started")} error=${start.error} />`}
			${Boolean(loaded.error) && html`<${Failure} title=${t("site-failed")} error=${loaded.error} retry=${loaded.reload} />`}
			${!loaded.data && !loaded.error && html`<div class="card"><${Skeleton} rows=${5} /></div>`}
			${open.map((audit) => html`<${Running} key=${audit.audit_id} audit=${audit} />`)}
			${loaded.data && audits.length === 0 && html`<${Empty} icon="search" title=${t("site-empty")}><p>${t("site-empty-next")}</p><//>`}
			${newest && html`<${Score} audits=${audits} newest=${newest} />`}
			${shown && html`<${Fixes} key=${shown.audit_id} audit=${shown} isNewest=${shown === newest} takesFocus=${chosen !== null} onNewest=${() => setChosen(newest?.audit_id ?? null)} />`}
			${audits.length > 0 && html`
				<${Audits} audits=${audits} shown=${shown?.audit_id} onShow=${setChosen} onOlder=${cursor ? showOlder : null} busy=${more.busy} error=${more.error} />`}
			<${Schedules} />
		</div>`;
}

/** Loads again while an audit runs and the page is seen. @param {boolean} wanted @param {() => Promise<void>} reload */
function usePolling(wanted, reload) {
	useEffect(() => {
		if (!wanted) return undefined;
		const timer = setInterval(() => {
			if (!document.hidden) reload();
		}, POLL_INTERVAL_MS);
		return () => clearInterval(timer);
	}, [wanted]);
}

/** Says how an audit ended that was seen running. @param {SiteAudit[]} audits @param {() => void} onDone */
function useEnd(audits, onDone) {
	const seen = useRef(/** @type {Set<string>} */ (new Set()));
	useEffect(() => {
		for (const audit of audits) {
			if (isOpen(audit)) seen.current.add(audit.audit_id);
			else if (seen.current.delete(audit.audit_id)) {
				announce(audit.status === "done" ? t("site-done", { score: number(audit.score ?? 0) }) : t("site-ended", { status: audit.status }));
				if (audit.status === "done") onDone();
			}
		}
	});
}
