// @ts-check
import { keyLabel, personValues, toolTitle } from "../../app/model.js";
import { rich, t } from "../../lang/lang.js";
import { Badge, Cell, DataTable } from "../../parts/elements.js";
import { html } from "../../vendor/preact.js";
import { number, Time } from "../../parts/times.js";

/** What a person can do to a post, by the tool that does the same. */
const POST_ACTIONS = ["update_post", "publish_post", "retry_post", "cancel_post", "withdraw_post", "delete_post"];

/** Whether a key did it, and not a person. @param {ActivityEvent} event */
const isByKey = ({ kind }) => kind === "call" || kind === "list";

/** The text of an event. @param {ActivityEvent} event */
function sentenceId({ kind, outcome, reason, tool }) {
	if (kind === "revealed" && outcome !== "ok") return "activity-did-not-reveal";
	if (kind === "paused" && reason === "owner_removed") return "activity-did-owner-removed";
	if (kind === "post") return `activity-did-${POST_ACTIONS.includes(tool ?? "") ? tool : "update_post"}`;
	if (["call", "approved", "rejected", "cancelled"].includes(kind) && !tool) return `activity-did-${kind}-unknown`;
	return `activity-did-${kind}`;
}

/** What happened, in a sentence. @param {{ event: ActivityEvent }} properties */
const Sentence = ({ event }) => rich(sentenceId(event), { key: html`<strong>${keyLabel(event.key_id)}</strong>` }, {
	...personValues(event.actor), tool: toolTitle(event.tool ?? ""), count: event.count,
	times: event.outcome === "denied" ? event.count : 1,
});

/** Codes without a text are shown as they are, and so are the names of changed fields. @param {string} code */
function reasonWords(code) {
	const words = t(`activity-because-${code}`);
	return words.startsWith("activity-because-") ? code.replaceAll("_", " ") : words;
}

const TONES = { ok: "good", error: "warning", denied: "bad" };

/** @param {{ event: ActivityEvent }} properties */
function EventRow({ event }) {
	const { outcome, reason, latency_ms: latency } = event;
	const result = !isByKey(event) && outcome === "ok" ? "done" : outcome;
	return html`
		<tr role="row">
			<td role="cell" class="what"><div><${Sentence} event=${event} /></div></td>
			<${Cell} name=${t("activity-column-result")}><${Badge} tone=${TONES[outcome]}>${t(`activity-result-${result}`)}<//>${reason && html`<small>${reasonWords(reason)}</small>`}<//>
			<${Cell} name=${t("activity-column-took")}>${isByKey(event) && latency !== null ? t("activity-took", { duration: number(Math.max(1, Math.round(latency))) }) : "–"}<//>
			<${Cell} name=${t("activity-column-when")}><${Time} at=${event.at} /><//>
		</tr>`;
}

/** @param {{ events: ActivityEvent[] }} properties */
export const EventTable = ({ events }) => (events.length
	? html`
		<${DataTable} kind="events stacked" name=${t("activity-events")} heads=${["what", "result", "took", "when"].map((column) => t(`activity-column-${column}`))}>
			${events.map((event) => html`<${EventRow} key=${event.event_id} event=${event} />`)}
		<//>`
	: html`<p class="soft">${t("activity-nothing")}</p>`);
