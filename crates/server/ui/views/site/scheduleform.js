// @ts-check
import { workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { faultOf, Field, TextField } from "../../parts/fields.js";
import { Failure, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useState } from "../../vendor/preact.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { createSchedule, timeZone } from "./api.js";

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const DAYS = Array.from({ length: 31 }, (_, index) => String(index + 1));

/** @param {{ known: SiteSchedule[], onAdded: (notes: string[]) => Promise<void>, onClose: () => void }} properties */
export function ScheduleDialog({ known, onAdded, onClose }) {
	const [typed, setTyped] = useState({ kind: "audit", every: "week", weekday: "monday", day: "1", at: "09:00" });
	const { data: zone } = useLoad(timeZone, [workspace.brand.brand_id]);
	const { busy, error, send } = useSend();
	/** @param {keyof typeof typed} name */
	const set = (name) => (/** @type {string} */ value) => setTyped({ ...typed, [name]: value });

	const save = () => send(async () => {
		const { kind, every, weekday, day, at } = typed;
		const wanted = /** @type {NewSiteSchedule} */ ({ kind, every, at, ...(every === "week" ? { weekday } : { day: Number(day) }) });
		const { schedule, notes = [] } = await createSchedule(wanted);
		toast(t(known.some((one) => one.schedule_id === schedule.schedule_id) ? "site-schedule-known" : "site-schedule-added"));
		onClose();
		await onAdded(notes);
	});

	return html`
		<${Modal} title=${t("site-schedule-add-title")} busy=${busy} onClose=${onClose} actions=${html`
			<${Button} disabled=${busy} onClick=${onClose}>${t("cancel")}<//>
			<${Button} kind="primary" disabled=${busy} onClick=${() => /** @type {any} */ (document.getElementById("schedule-form")).requestSubmit()}>${t("site-schedule-save")}<//>`}>
			<form id="schedule-form" onSubmit=${(/** @type {Event} */ event) => {
				event.preventDefault();
				save();
			}}>
				${error && html`<${Failure} title=${t("site-schedule-not-added")} error=${error} />`}
				<${Select} label=${t("site-schedule-kind")} hint=${t(`site-schedule-${typed.kind}.hint`)} value=${typed.kind} onInput=${set("kind")}
					options=${["audit", "report"].map((kind) => [kind, t(`site-schedule-${kind}`)])} />
				<${Select} label=${t("site-schedule-every")} value=${typed.every} onInput=${set("every")}
					options=${["week", "month"].map((every) => [every, t(`site-every-${every}`)])} />
				${typed.every === "week"
					? html`<${Select} key="weekday" label=${t("site-schedule-weekday")} value=${typed.weekday} onInput=${set("weekday")} options=${WEEKDAYS.map((day) => [day, t(`site-${day}`)])} />`
					: html`<${Select} key="day" label=${t("site-schedule-day")} hint=${t("site-schedule-day.hint")} value=${typed.day} onInput=${set("day")} options=${DAYS.map((day) => [day, day])} />`}
				<${TextField} label=${t("site-schedule-at")} hint=${zone ? t("site-schedule-at.hint", { zone }) : ""} type="time" value=${typed.at} onInput=${set("at")}
					fault=${faultOf(error, "at")} attributes=${{ required: true }} />
				<button type="submit" hidden></button>
			</form>
		<//>`;
}

/** @param {{ label: string, hint?: string, value: string, onInput: (value: string) => void, options: string[][] }} properties */
const Select = ({ label, hint, value, onInput, options }) => html`
	<${Field} label=${label} hint=${hint}>${(/** @type {object} */ joined) => html`
		<select ...${joined} onChange=${(/** @type {any} */ event) => onInput(event.target.value)}>
			${options.map(([option, words]) => html`<option key=${option} value=${option} selected=${option === value}>${words}</option>`)}
		</select>`}<//>`;
