// @ts-check
import { workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Skeleton, Button } from "../../parts/elements.js";
import { Choice } from "../../parts/fields.js";
import { Failure } from "../../parts/messages.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { loadEvents } from "./api.js";
import { EventTable } from "./table.js";

const PAGE_SIZE = "25";
const KINDS = ["created", "revealed", "updated", "paused", "resumed", "revoked", "cancelled", "call", "approved", "rejected", "list", "post", "audit", "rotated", "rotation_finished", "leaked", "expiring"];
const OUTCOMES = ["ok", "denied", "error"];

/** The brand's recent events with their filters. */
export function Events() {
	const [filters, setFilters] = useState({ kind: "", outcome: "", key_id: "" });
	/** @param {string} name */
	const set = (name) => (/** @type {string} */ value) => setFilters({ ...filters, [name]: value });
	const keys = workspace.keys.map((key) => [key.key_id, `${key.label} (${key.prefix}…)`]);
	return html`
		<section class="card">
			<h2>${t("activity-recent")}</h2>
			<div class="toolbar">
				<${Choice} label=${t("activity-filter-event")} options=${[["", t("activity-all")], ...KINDS.map((kind) => [kind, t(`activity-kind-${kind}`)])]} value=${filters.kind} onChange=${set("kind")} />
				<${Choice} label=${t("activity-filter-result")} options=${[["", t("activity-any")], ...OUTCOMES.map((outcome) => [outcome, t(`activity-outcome-${outcome}`)])]} value=${filters.outcome} onChange=${set("outcome")} />
				<${Choice} label=${t("activity-filter-key")} options=${[["", t("activity-all-keys")], ...keys]} value=${filters.key_id} onChange=${set("key_id")} />
			</div>
			<${EventList} key=${JSON.stringify(filters)} filters=${filters} />
		</section>`;
}

/** @param {{ filters: Record<string, string> }} properties */
function EventList({ filters }) {
	/** @param {string} cursor */
	const load = (cursor) => loadEvents(workspace.brand.brand_id, { ...filters, limit: PAGE_SIZE, cursor });
	const { data, error, reload } = useLoad(() => load(""), []);
	const [page, setPage] = useState(/** @type {ActivityPage | null} */ (null));
	const older = useSend();
	useEffect(() => setPage(data), [data]);

	if (error) return html`<${Failure} title=${t("activity-events-not-loaded")} error=${error} retry=${reload} />`;
	if (!page) return html`<${Skeleton} rows=${6} />`;
	if (!page.events.length && Object.values(filters).some(Boolean)) return html`<p class="soft">${t("activity-nothing-fits")}</p>`;
	const { events, left_out: leftOut, next_cursor: cursor } = page;
	const showOlder = () => older.send(async () => {
		const next = await load(cursor ?? "");
		setPage({ ...next, events: [...events, ...next.events], left_out: leftOut + next.left_out });
	});
	return html`
		<div>
			<${EventTable} events=${events} />
			${leftOut > 0 && html`<p class="soft small">${t("activity-left-out", { count: leftOut })}</p>`}
			${older.error && html`<${Failure} title=${t("activity-older-not-loaded")} error=${older.error} />`}
			${cursor && html`<p class="row centre"><${Button} onClick=${showOlder}>${t("activity-show-older")}<//></p>`}
		</div>`;
}
