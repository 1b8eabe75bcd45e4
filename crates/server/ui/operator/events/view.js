// @ts-check
import { rich, t } from "../../lang/lang.js";
import { Button, Cell, Empty, RowHead } from "../../parts/elements.js";
import { Failure, toast } from "../../parts/messages.js";
import { html } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { number, Time } from "../../parts/times.js";
import { admin, listOf } from "../api.js";
import { FilterChoice, FilterField, Filters, filterValues, isFiltered, NoMatch } from "../filters.js";
import { List, usePages } from "../pages.js";
import { route } from "../route.js";
import { BrandLink, Head, Refresh, Status, statusOptions } from "../words.js";

const FILTERS = ["brand", "endpoint", "status"];

/** What was sent to the event endpoints. */
export function View() {
	const filters = filterValues(FILTERS);
	const pages = usePages((cursor) => listOf("/event-deliveries", "event_deliveries", { ...filters, cursor }), [route.value]);
	const { busy, error, send } = useSend();
	/** @param {OperatorDelivery} delivery */
	const resend = (delivery) => send(async () => {
		const next = await admin("POST", `/event-deliveries/${encodeURIComponent(delivery.delivery_id)}/resend`);
		pages.replace((one) => one.delivery_id === next.delivery_id, next);
		toast(t("operator-events-resent", { type: delivery.type }));
	});
	return html`
		<${Head} title=${t("operator-events-title")} lead=${t("operator-events-lead")}><${Refresh} onClick=${pages.reload} /><//>
		<${Filters} label=${t("operator-events-filters")}>
			<${FilterField} name="brand" label=${t("operator-filter-brand")} error=${pages.error} maxlength=${64} />
			<${FilterField} name="endpoint" label=${t("operator-events-filter-endpoint")} error=${pages.error} maxlength=${64} />
			<${FilterChoice} name="status" label=${t("operator-head-status")} options=${statusOptions(["pending", "delivered", "failed"])} />
		<//>
		${error && html`<${Failure} title=${t("operator-events-not-resent")} error=${error} />`}
		<${List} pages=${pages} name=${t("operator-events-title")}
			heads=${[t("operator-events-event"), t("operator-head-brand"), t("operator-events-endpoint"), t("operator-head-status"), t("operator-events-answer"), t("operator-events-tries"), t("operator-events-at"), t("operator-head-actions")]}
			empty=${isFiltered(FILTERS)
				? html`<${NoMatch} names=${FILTERS} />`
				: html`<${Empty} icon="info" title=${t("operator-events-empty")}><p>${t("operator-events-empty-hint")}</p><//>`}
			row=${(/** @type {OperatorDelivery} */ delivery) => html`
				<tr role="row" key=${delivery.delivery_id}>
					<${RowHead}>${delivery.type}<code>${delivery.event_id}</code><//>
					<${Cell} name=${t("operator-head-brand")}><${BrandLink} id=${delivery.brand_id} /><//>
					<${Cell} name=${t("operator-events-endpoint")}>${delivery.endpoint_id}<//>
					<${Cell} name=${t("operator-head-status")}><${Status} status=${delivery.status} /><//>
					<${Cell} name=${t("operator-events-answer")}>${delivery.last_status ?? "–"}${delivery.last_error && html`<small>${delivery.last_error}</small>`}<//>
					<${Cell} name=${t("operator-events-tries")}>${number(delivery.attempts)}${delivery.next_try_at && html`<small>${rich("operator-events-next", { when: html`<${Time} at=${delivery.next_try_at} />` })}</small>`}<//>
					<${Cell} name=${t("operator-events-at")}><${Time} at=${delivery.at} /><//>
					<td role="cell"><div class="row">
						<${Button} kind="small" disabled=${busy} label=${t("operator-events-resend-of", { type: delivery.type, endpoint: delivery.endpoint_id })} onClick=${() => resend(delivery)}>${t("operator-events-resend")}<//>
					</div></td>
				</tr>`} />`;
}
