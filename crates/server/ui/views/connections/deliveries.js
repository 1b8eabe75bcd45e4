// @ts-check
import { rich, t } from "../../lang/lang.js";
import { Badge, Skeleton, Button, Cell, DataTable, RowHead } from "../../parts/elements.js";
import { Choice } from "../../parts/fields.js";
import { announce, Failure } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { Time } from "../../parts/times.js";
import { listDeliveries, resendDelivery } from "./api.js";
import { eventName } from "./eventtypes.js";

const LOOK_AGAIN_MS = 1_500;
/** A try may take 10 seconds. */
const LOOKS_AFTER_RESEND = 10;
/** @type {Record<string, Tone>} */
const TONES = { pending: "info", delivered: "good", failed: "bad" };
const STATES = ["", "pending", "delivered", "failed"];

/** What was sent to an endpoint, with its answers. @param {{ endpoint: BrandEndpoint, onClose: () => void }} properties */
export function DeliveriesDialog({ endpoint: { endpoint_id: name }, onClose }) {
	const [status, setStatus] = useState("");
	const [older, setOlder] = useState(/** @type {BrandDeliveryPage | null} */ (null));
	/** How often the list is still loaded again because something was sent. */
	const [looks, setLooks] = useState(0);
	const first = useLoad(() => listDeliveries(name, status, ""), [name, status]);
	const more = useSend();
	const list = [...(first.data?.event_deliveries ?? []), ...(older?.event_deliveries ?? [])];
	const cursor = older ? older.next_cursor : first.data?.next_cursor;

	useEffect(() => {
		if (!looks) return undefined;
		const timer = setTimeout(async () => {
			await first.reload();
			setLooks(looks - 1);
		}, LOOK_AGAIN_MS);
		return () => clearTimeout(timer);
	}, [looks]);

	const showOlder = () => more.send(async () => {
		const page = await listDeliveries(name, status, cursor ?? "");
		setOlder({ ...page, event_deliveries: [...(older?.event_deliveries ?? []), ...page.event_deliveries] });
	});
	const refresh = async () => {
		setOlder(null);
		await first.reload();
		announce(t("connections-deliveries-fresh"));
	};

	return html`
		<${Modal} title=${t("connections-deliveries-title", { name })} onClose=${onClose} actions=${html`<${Button} onClick=${onClose}>${t("close")}<//>`}>
			<p class="soft small">${t("connections-deliveries-lead")}</p>
			<div class="toolbar">
				<${Choice} label=${t("connections-deliveries-state")} value=${status} options=${STATES.map((one) => [one, t(`connections-delivery-${one || "any"}`)])} onChange=${(/** @type {string} */ next) => {
					setOlder(null);
					setStatus(next);
				}} />
				<${Button} onClick=${refresh}>${t("connections-deliveries-refresh")}<//>
			</div>
			${Boolean(first.error) && html`<${Failure} title=${t("connections-deliveries-failed")} error=${first.error} retry=${first.reload} />`}
			${!first.data && !first.error && html`<${Skeleton} rows=${4} />`}
			${first.data && list.length === 0 && html`<p class="soft">${t(status ? "connections-deliveries-no-match" : "connections-deliveries-none")}</p>`}
			${list.length > 0 && html`
				<${DataTable} kind="events stacked connection-deliveries" name=${t("connections-deliveries-title", { name })} heads=${["event", "result", "when"].map((head) => t(`connections-deliveries-${head}`))}>
					${list.map((delivery) => html`<${DeliveryRow} key=${delivery.delivery_id} delivery=${delivery} onSent=${() => setLooks(LOOKS_AFTER_RESEND)} />`)}
				<//>`}
			${more.error && html`<${Failure} title=${t("connections-deliveries-failed")} error=${more.error} />`}
			${cursor && html`<p class="row centre"><${Button} disabled=${more.busy} onClick=${showOlder}>${t("connections-deliveries-older")}<//></p>`}
		<//>`;
}

/** @param {{ delivery: BrandDelivery, onSent: () => void }} properties */
function DeliveryRow({ delivery, onSent }) {
	const { type, status, attempts, at, last_status: answer, last_error: reason, next_try_at: next } = delivery;
	const { busy, error, send } = useSend();
	const resend = () => send(async () => {
		await resendDelivery(delivery.delivery_id);
		announce(t("connections-delivery-resent"));
		onSent();
	});
	const event = eventName(type);
	return html`
		<tr role="row">
			<${RowHead}>${event}<small><code>${type}</code></small><//>
			<${Cell} name=${t("connections-deliveries-result")}>
				<${Badge} tone=${TONES[status]}>${t(`connections-delivery-${status}`)}<//>
				<small>${[answer && t("connections-delivery-answer", { status: String(answer) }), attempts > 0 && t("connections-delivery-attempts", { count: attempts })].filter(Boolean).join(" · ")}</small>
				${status !== "delivered" && reason && html`<small>${reason}</small>`}
				${status === "pending" && next && attempts > 0 && html`<small>${rich("connections-delivery-next", { when: html`<${Time} at=${next} />` })}</small>`}
				${error && html`<${Failure} title=${t("connections-delivery-not-resent")} error=${error} />`}
			<//>
			<${Cell} name=${t("connections-deliveries-when")}>
				<p><${Time} at=${at} /></p>
				<p><${Button} kind="small" disabled=${busy} label=${t("connections-delivery-resend.label", { event })} onClick=${resend}>${t("connections-delivery-resend")}<//></p>
			<//>
		</tr>`;
}
