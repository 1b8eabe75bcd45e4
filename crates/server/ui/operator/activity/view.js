// @ts-check
import { t } from "../../lang/lang.js";
import { Cell, Empty, RowHead } from "../../parts/elements.js";
import { html, useState } from "../../vendor/preact.js";
import { number, Time } from "../../parts/times.js";
import { listOf } from "../api.js";
import { Filters, FilterTime } from "../filters.js";
import { List, usePages } from "../pages.js";
import { route } from "../route.js";
import { BrandLink, Head, PersonLink, Refresh, Status, wordsFor } from "../words.js";

const DAY_MS = 86_400_000;
/** The service itself did it. */
const SERVICE = "svc-mcp";

/** Only requests of a key are allowed or refused. @param {OperatorEvent} event */
const resultOf = ({ kind, outcome }) => (outcome === "ok" && kind !== "call" && kind !== "list" ? "done" : outcome);

/** What happened with the keys of all brands. */
export function View() {
	const [yesterday] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
	const { since = yesterday, until } = route.value;
	const pages = usePages((cursor) => listOf("/activity", "events", { since, until, cursor }), [route.value]);
	return html`
		<${Head} title=${t("operator-activity-title")} lead=${t("operator-activity-lead")}><${Refresh} onClick=${pages.reload} /><//>
		<${Filters} label=${t("operator-activity-filters")}>
			<${FilterTime} name="since" label=${t("operator-activity-since")} fallback=${yesterday} error=${pages.error} />
			<${FilterTime} name="until" label=${t("operator-activity-until")} error=${pages.error} />
		<//>
		<${List} pages=${pages} name=${t("operator-activity-title")}
			heads=${[t("operator-activity-event"), t("operator-head-brand"), t("operator-activity-actor"), t("operator-activity-result"), t("operator-activity-at")]}
			empty=${html`<${Empty} icon="info" title=${t("operator-activity-empty")}><p>${t("operator-activity-empty-hint")}</p><//>`}
			row=${(/** @type {OperatorEvent} */ event) => html`
				<tr role="row" key=${event.event_id}>
					<${RowHead}>${wordsFor("operator-activity-kind", event.kind)}${event.tool && html` <span class="excerpt">${event.tool}</span>`}<code>${event.key_id}</code><//>
					<${Cell} name=${t("operator-head-brand")}><${BrandLink} id=${event.brand_id} /><//>
					<${Cell} name=${t("operator-activity-actor")}>${event.actor === SERVICE ? t("operator-activity-service") : html`<${PersonLink} id=${event.actor} />`}<//>
					<${Cell} name=${t("operator-activity-result")}><${Status} status=${resultOf(event)} />
						${event.reason && html`<small>${wordsFor("operator-reason", event.reason)}</small>`}
						${event.count > 1 && html`<small>${t("operator-activity-count", { count: number(event.count) })}</small>`}<//>
					<${Cell} name=${t("operator-activity-at")}><${Time} at=${event.at} /><//>
				</tr>`} />`;
}
