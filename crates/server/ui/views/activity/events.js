// @ts-check
import { api } from "../../app/api.js";
import { bones, button, cell, choice, dataTable, fill, tag } from "../../parts/dom.js";
import { counted, keyLabel, personName, reasonWords, toolTitle, workspace } from "../../app/model.js";
import { failure } from "../../parts/notice.js";
import { timeElement } from "../../parts/time.js";

const EVENTS_A_PAGE = "25";
const KINDS = [["", "All"], ["created", "Created"], ["revealed", "Secret shown"], ["updated", "Changed"], ["paused", "Paused"], ["resumed", "Resumed"], ["revoked", "Revoked"], ["cancelled", "Work cancelled"], ["call", "Calls"], ["approved", "Approved"], ["rejected", "Rejected"], ["list", "Tool lists"], ["post", "Posts"], ["audit", "Audits"], ["rotated", "Rotated"], ["rotation_finished", "Old secret ended"], ["leaked", "Leaked"], ["expiring", "Expires soon"]];
/** What a person did to a post, by the tool that does the same. @type {Record<string, string>} */
const POST_ACTIONS = {
	update_post: "changed", publish_post: "published", retry_post: "published again", cancel_post: "cancelled", withdraw_post: "withdrew",
	delete_post: "deleted",
};
const RESULTS = [["", "Any"], ["ok", "Allowed or done"], ["denied", "Refused"], ["error", "Failed"]];
const BADGES = { ok: ["Allowed", "good"], error: ["Failed", "warning"], denied: ["Refused", "bad"] };

/** What happened, in a sentence. @param {ActivityEvent} event @returns {Part[]} */
function sentence(event) {
	const key = tag("strong", keyLabel(event.key_id));
	const person = personName(event.actor);
	switch (event.kind) {
		case "created": return [`${person} created `, key];
		case "revealed": return [`${person} ${event.outcome === "ok" ? "showed" : "tried to show"} the secret of `, key];
		case "updated": return [`${person} changed `, key];
		case "approved":
		case "rejected": return [`${person} ${event.kind} a call of `, key, event.tool && `: ${toolTitle(event.tool)}`];
		case "paused": return [`${person} ${event.reason === "owner_removed" ? "removed the creator of" : "paused"} `, key];
		case "resumed": return [`${person} resumed `, key];
		case "revoked": return [`${person} revoked `, key];
		case "cancelled": return [`${counted(event.count, "queued job")} of `, key, ` cancelled: ${event.tool ? toolTitle(event.tool) : "work"}`];
		case "post": return [`${person} ${POST_ACTIONS[event.tool ?? ""] ?? "changed"} a post of `, key];
		case "audit": return [`${person} started an audit of the site`];
		case "rotated": return [`${person} gave a new secret to `, key];
		case "rotation_finished": return [`${person} ended the old secret of `, key];
		case "leaked": return [key, " was reported as leaked, and was revoked"];
		case "expiring": return [key, " expires soon"];
		case "list": return [key, " listed its tools"];
		default: return [key, ` called ${event.tool ? toolTitle(event.tool) : "a tool"}`];
	}
}

/** @param {ActivityEvent[]} events */
export const eventTable = (events) => (events.length === 0
	? tag("p.soft", "Nothing has happened yet.")
	: dataTable(".events.stacked", "Events", ["What happened", "Result", "Took", "When"], events.map(eventRow)));

/** @param {ActivityEvent} event */
function eventRow(event) {
	const [word, tone] = BADGES[event.outcome];
	const byKey = event.kind === "call" || event.kind === "list";
	return tag("tr",
		tag("td.what", tag("div", sentence(event), event.outcome === "denied" && event.count > 1 && `, ${event.count.toLocaleString("en")} times within a minute`)),
		cell("Result", tag(`span.badge.${tone}`, !byKey && event.outcome === "ok" ? "Done" : word), event.reason && tag("small", reasonWords(event.reason))),
		cell("Took", byKey && event.latency_ms !== null ? `${Math.max(1, Math.round(event.latency_ms)).toLocaleString("en")} ms` : "–"),
		cell("When", timeElement(event.at)));
}

/** The brand's recent events with their filters. */
export function eventsView() {
	/** @type {Record<string, string>} */
	const filters = { kind: "", outcome: "", key_id: "" };
	const filterPlace = tag("div.toolbar");
	const place = tag("div");
	let latest = 0;

	const fetchPage = (cursor = "") => api.activity(workspace.brand.brand_id, { ...filters, limit: EVENTS_A_PAGE, cursor });

	async function loadFirst() {
		const mine = ++latest;
		fill(place, bones(6));
		try {
			const page = await fetchPage();
			if (mine === latest) drawEvents(page);
		} catch (error) {
			if (mine === latest) fill(place, failure("The events could not be loaded.", error, loadFirst));
		}
	}

	/** @param {ActivityPage} page */
	function drawEvents({ events, next_cursor: cursor, left_out: leftOut }) {
		if (!events.length && Object.values(filters).some(Boolean)) return fill(place, tag("p.soft", "No event fits these filters."));
		const table = eventTable(events);
		const note = tag("p.soft.small");
		const drawNote = () => fill(note, leftOut > 0 && `${counted(leftOut, "more allowed call")} in this time: counted above, but not listed, because there were too many at once.`);
		drawNote();
		const faultPlace = tag("div");
		const more = button("", "Show older events", async () => {
			const mine = latest;
			fill(faultPlace);
			try {
				const page = await fetchPage(cursor ?? "");
				if (mine !== latest) return;
				table.querySelector("tbody")?.append(...page.events.map(eventRow));
				cursor = page.next_cursor;
				leftOut += page.left_out;
				drawNote();
				more.hidden = !cursor;
			} catch (error) {
				fill(faultPlace, failure("The older events could not be loaded.", error));
			}
		});
		more.hidden = !cursor;
		fill(place, table, note, faultPlace, tag("p.row.centre", more));
	}

	return {
		root: tag("section.card", tag("h2", "Recent events"), filterPlace, place),
		async load() {
			const keys = workspace.keys.map((key) => [key.key_id, `${key.label} (${key.prefix}…)`]);
			fill(filterPlace,
				choice("Event", KINDS, filters, "kind", loadFirst),
				choice("Result", RESULTS, filters, "outcome", loadFirst),
				choice("Key", [["", "All keys"], ...keys], filters, "key_id", loadFirst));
			await loadFirst();
		},
	};
}
