// @ts-check
// Calls that were decided, or whose time is over.
import { keyLabel, personName, toolTitle, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Difference } from "../../parts/difference.js";
import { Badge, Skeleton, Button, Cell, DataTable, RowHead } from "../../parts/elements.js";
import { Choice } from "../../parts/fields.js";
import { FullTime } from "../../parts/localtimes.js";
import { Failure, Notice } from "../../parts/messages.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { Time } from "../../parts/times.js";
import { listApprovals } from "./api.js";
import { argumentLabel } from "./arguments.js";

const STATUSES = ["done", "failed", "rejected", "expired", "cancelled"];
/** @type {Record<string, Tone>} */
const TONES = { done: "good", failed: "bad", rejected: "warning", expired: "off", cancelled: "off" };

/** How it ended, in a sentence. @param {Approval} approval */
export const endWords = ({ status, decided_by: by }) => t("approvals-end", {
	status: by ? status : "expired", who: by === workspace.me.user_id ? "me" : "other", person: personName(by),
});

/** How a call ended. @param {{ approval: Approval }} properties */
export const Decided = ({ approval }) => html`
	<${Notice} tone=${approval.status === "failed" ? "bad" : "info"} title=${endWords(approval)}>
		<p><${FullTime} at=${approval.decided_at ?? approval.expires_at} /></p>
		${approval.failure && html`<p>${approval.failure.message}</p>`}
		${approval.reason && html`<p>${t("approvals-with-reason", { reason: approval.reason })}</p>`}
		${approval.note && html`<p>${t("approvals-with-note", { note: approval.note })}</p>`}
	<//>
	${approval.changes?.length > 0 && html`
		<section class="changes"><h3>${t("approvals-changes-made")}</h3>
			${approval.changes.map(({ field, from, to }) => html`<div key=${field}><h4>${argumentLabel(field)}</h4><${Difference} from=${plain(from)} to=${plain(to)} /></div>`)}
		</section>`}`;

/** The service sends JSON, which may be cut. A text is shown without its quotes. @param {string | null} json */
function plain(json) {
	try {
		const value = JSON.parse(json ?? '""');
		return typeof value === "string" ? value : json ?? "";
	} catch {
		return json ?? "";
	}
}

/** @param {{ version: number, onOpen: (approval: Approval) => void }} properties `version`: it is loaded again when this changes. */
export function DecidedList({ version, onOpen }) {
	const [status, setStatus] = useState("");
	const [page, setPage] = useState(/** @type {ApprovalPage | null} */ (null));
	const { busy, error, send } = useSend();

	/** All without a status also has those that wait, so pages are read until one has others. @param {string | null} cursor */
	async function read(cursor) {
		let next;
		do {
			next = await listApprovals({ status, cursor });
			next.approvals = next.approvals.filter((one) => one.status !== "pending");
			cursor = next.next_cursor;
		} while (cursor && !next.approvals.length);
		return next;
	}

	const [first, setFirst] = useState(/** @type {{ error: unknown }} */ ({ error: null }));
	const [attempt, setAttempt] = useState(0);
	useEffect(() => {
		let isOpen = true;
		setFirst({ error: null });
		read(null).then((next) => isOpen && setPage(next), (failure) => isOpen && setFirst({ error: failure }));
		return () => {
			isOpen = false;
		};
	}, [status, version, attempt]);

	const older = () => send(async () => {
		const next = await read(page?.next_cursor ?? null);
		setPage({ ...next, approvals: [...page?.approvals ?? [], ...next.approvals] });
	});
	const filters = [["", t("approvals-status-all")], ...STATUSES.map((one) => [one, t("approvals-status", { status: one })])];
	return html`
		<section class="card"><h2>${t("approvals-decided")}</h2>
			<div class="toolbar"><${Choice} label=${t("approvals-filter")} options=${filters} value=${status} onChange=${(/** @type {string} */ next) => {
				setPage(null);
				setStatus(next);
			}} /></div>
			${first.error && html`<${Failure} title=${t("approvals-decided-not-loaded")} error=${first.error} retry=${() => setAttempt(attempt + 1)} />`}
			${!page && !first.error && html`<${Skeleton} rows=${3} />`}
			${page && !page.approvals.length && html`<p class="soft">${t(status ? "approvals-none-fits" : "approvals-none-decided")}</p>`}
			${page && page.approvals.length > 0 && html`<${DecidedTable} approvals=${page.approvals} onOpen=${onOpen} />`}
			${error && html`<${Failure} title=${t("approvals-older-not-loaded")} error=${error} />`}
			${page?.next_cursor && html`<p class="row centre"><${Button} disabled=${busy} onClick=${older}>${t("approvals-older-decided")}<//></p>`}
		</section>`;
}

/** @param {{ approvals: Approval[], onOpen: (approval: Approval) => void }} properties */
const DecidedTable = ({ approvals, onOpen }) => html`
	<${DataTable} name=${t("approvals-decided")} kind="events stacked" heads=${["what", "result", "by", "at"].map((head) => t(`approvals-head-${head}`))}>
		${approvals.map((approval) => html`
			<tr role="row" key=${approval.approval_id}>
				<${RowHead}><button type="button" class="link" data-focus=${`approval ${approval.approval_id}`} onClick=${() => onOpen(approval)}>${toolTitle(approval.tool)}</button><small>${keyLabel(approval.key_id)}</small><//>
				<${Cell} name=${t("approvals-head-result")}><${Badge} tone=${TONES[approval.status] ?? "off"}>${t("approvals-status", { status: approval.status })}<//><//>
				<${Cell} name=${t("approvals-head-by")}>${approval.decided_by ? personName(approval.decided_by) : "–"}<//>
				<${Cell} name=${t("approvals-head-at")}><${Time} at=${approval.decided_at ?? approval.expires_at} /><//>
			</tr>`)}
	<//>`;
