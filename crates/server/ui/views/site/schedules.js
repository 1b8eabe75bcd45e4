// @ts-check
import { keyLabel, workspace } from "../../app/model.js";
import { rich, t } from "../../lang/lang.js";
import { Skeleton, Button } from "../../parts/elements.js";
import { Failure, Notice, toast } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { RemovalDialog } from "../../parts/removal.js";
import { useLoad } from "../../parts/requests.js";
import { timeOfDay, dateTime, Time } from "../../parts/times.js";
import { deleteSchedule, listSchedules } from "./api.js";
import { ScheduleDialog } from "./scheduleform.js";

/** Audits and reports that repeat. Members read them, administrators change them. */
export function Schedules() {
	const { data, error, reload } = useLoad(listSchedules, [workspace.brand.brand_id]);
	const [adding, setAdding] = useState(false);
	const [removed, setRemoved] = useState(/** @type {SiteSchedule | null} */ (null));
	const [notes, setNotes] = useState(/** @type {string[]} */ ([]));
	const isAdmin = workspace.brand.role === "admin";
	/** @param {string[]} next */
	const added = async (next) => {
		setNotes(next);
		await reload();
	};
	return html`
		<section class="card site-schedules" aria-label=${t("site-schedules")}>
			<div class="card-head">
				<div><h2>${t("site-schedules")}</h2><p class="soft small">${t("site-schedules-lead")}</p></div>
				${isAdmin && html`<${Button} icon="plus" focus="add-schedule" onClick=${() => setAdding(true)}>${t("site-schedule-add")}<//>`}
			</div>
			${notes.length > 0 && html`<${Notice} tone="info" title=${t("site-schedule-notes")}>${notes.map((note) => html`<p key=${note}>${note}</p>`)}<//>`}
			${Boolean(error) && html`<${Failure} title=${t("site-schedules-failed")} error=${error} retry=${reload} />`}
			${!data && !error && html`<${Skeleton} rows=${2} />`}
			${data?.length === 0 && html`<p class="soft">${t(isAdmin ? "site-schedules-none" : "site-schedules-none-member")}</p>`}
			${data && data.length > 0 && html`
				<ul class="site-schedule-list">${data.map((schedule) => html`
					<${ScheduleRow} key=${schedule.schedule_id} schedule=${schedule} onRemove=${isAdmin ? () => setRemoved(schedule) : null} />`)}</ul>`}
		</section>
		${adding && html`<${ScheduleDialog} known=${data ?? []} onAdded=${added} onClose=${() => setAdding(false)} />`}
		${removed && html`<${ScheduleRemoval} schedule=${removed} onRemoved=${reload} onClose=${() => setRemoved(null)} />`}`;
}

/** When it runs, in words. @param {SiteSchedule} schedule */
const whenOf = ({ every, weekday, day, at, time_zone: zone }) => (every === "week"
	? t("site-schedule-week", { weekday: weekday ?? "", at: timeOfDay(at), zone })
	: t("site-schedule-month", { day: day ?? 1, at: timeOfDay(at), zone }));

/** @param {SiteSchedule} schedule */
const nameOf = (schedule) => t("site-schedule-name", { kind: t(`site-schedule-${schedule.kind}`), when: whenOf(schedule) });

/** @param {{ schedule: SiteSchedule, onRemove: (() => void) | null }} properties */
const ScheduleRow = ({ schedule, onRemove }) => html`
	<li>
		<div>
			<p><strong>${t(`site-schedule-${schedule.kind}`)}</strong></p>
			<p>${whenOf(schedule)}</p>
			<p class="soft small">${t("site-schedule-next", { at: dateTime(schedule.next_at) })}</p>
			${schedule.last_run_at && html`<p class="soft small">${rich("site-schedule-last", { when: html`<${Time} at=${schedule.last_run_at} />` })}</p>`}
			${schedule.last_failure && html`<p class="small warning-text">${t("site-schedule-failure", { reason: schedule.last_failure })}</p>`}
			${schedule.key_id && html`<p class="soft small">${t("site-schedule-key", { key: keyLabel(schedule.key_id) })}</p>`}
		</div>
		${onRemove && html`<${Button} kind="small danger-quiet" focus=${`remove-${schedule.schedule_id}`} label=${t("site-schedule-remove-of", { name: nameOf(schedule) })} onClick=${onRemove}>${t("remove")}<//>`}
	</li>`;

/** @param {{ schedule: SiteSchedule, onRemoved: () => Promise<void>, onClose: () => void }} properties */
function ScheduleRemoval({ schedule, onRemoved, onClose }) {
	const remove = async () => {
		await deleteSchedule(schedule.schedule_id);
		toast(t("site-schedule-removed"));
		onClose();
		await onRemoved();
	};
	return html`
		<${RemovalDialog} title=${t("site-schedule-remove-title")} name=${nameOf(schedule)} action=${t("site-schedule-remove")}
			failed=${t("site-schedule-not-removed")} remove=${remove} onClose=${onClose}>
			<p>${t(`site-schedule-loses-${schedule.kind}`, { at: dateTime(schedule.next_at) })}</p>
		<//>`;
}
