// @ts-check
import { t } from "../../lang/lang.js";
import { Skeleton, Cell, Empty, RowHead } from "../../parts/elements.js";
import { Failure, Notice } from "../../parts/messages.js";
import { html, useEffect } from "../../vendor/preact.js";
import { useLoad } from "../../parts/requests.js";
import { dateTime, number, Time } from "../../parts/times.js";
import { admin, listOf } from "../api.js";
import { List, usePages } from "../pages.js";
import { Link, route } from "../route.js";
import { Back, Fact, Head, Refresh, Status } from "../words.js";

const POLL_INTERVAL_MS = 2_000;

export const View = () => (route.value.open ? html`<${Receipt} id=${route.value.open} />` : html`<${Erasures} />`);

/** All receipts. */
function Erasures() {
	const pages = usePages((cursor) => listOf("/erasures", "erasures", { cursor }), [route.value]);
	return html`
		<${Head} title=${t("operator-erasures-title")} lead=${t("operator-erasures-lead")}><${Refresh} onClick=${pages.reload} /><//>
		<${List} pages=${pages} name=${t("operator-erasures-title")}
			heads=${[t("operator-erasures-subject"), t("operator-erasures-kind"), t("operator-head-status"), t("operator-erasures-rows"), t("operator-erasures-by"), t("operator-erasures-requested")]}
			empty=${html`<${Empty} icon="info" title=${t("operator-erasures-empty")}><p>${t("operator-erasures-empty-hint")}</p><//>`}
			row=${(/** @type {OperatorErasure} */ erasure) => html`
				<tr role="row" key=${erasure.receipt_id}>
					<${RowHead}><${Link} to=${{ view: "erasures", open: erasure.receipt_id }}>${erasure.subject}<//><//>
					<${Cell} name=${t("operator-erasures-kind")}>${t(`operator-erasures-kind-${erasure.kind}`)}<//>
					<${Cell} name=${t("operator-head-status")}><${Status} status=${erasure.status} /><//>
					<${Cell} name=${t("operator-erasures-rows")}>${number(erasure.deleted_rows)}<//>
					<${Cell} name=${t("operator-erasures-by")}>${erasure.requested_by}<//>
					<${Cell} name=${t("operator-erasures-requested")}><${Time} at=${erasure.requested_at} /><//>
				</tr>`} />`;
}

/** One receipt. It is loaded again until the erasure is done. @param {{ id: string }} properties */
function Receipt({ id }) {
	const { data, error, reload } = useLoad(() => admin("GET", `/erasures/${encodeURIComponent(id)}`), [id]);
	/** @type {OperatorErasure | null} */
	const receipt = data;
	const isErasing = receipt?.status === "erasing";
	useEffect(() => {
		if (!isErasing) return undefined;
		const timer = setInterval(() => {
			if (!document.hidden) reload();
		}, POLL_INTERVAL_MS);
		return () => clearInterval(timer);
	}, [isErasing]);
	return html`
		<${Back} view="erasures">${t("operator-erasures-back")}<//>
		<${Head} title=${t("operator-erasures-receipt")} lead=${html`<code>${id}</code>`} />
		${error && html`<${Failure} title=${t("operator-erasures-not-loaded")} error=${error} retry=${reload} />`}
		${!receipt && !error && html`<${Skeleton} rows=${4} />`}
		${receipt && html`
			<div role="status">
				${isErasing
					? html`<${Notice} tone="info" title=${t(`operator-erasures-running-${receipt.kind}`, { count: receipt.deleted_rows })}><p>${t("operator-erasures-running-next")}</p><//>`
					: html`<${Notice} tone="good" title=${t(`operator-erasures-done-${receipt.kind}`, { count: receipt.deleted_rows })}><p>${t(`operator-erasures-done-next-${receipt.kind}`)}</p><//>`}
			</div>
			<section class="card" aria-label=${t("operator-erasures-receipt")}><dl>
				<${Fact} name=${t("operator-head-status")}><${Status} status=${receipt.status} /><//>
				<${Fact} name=${t(`operator-erasures-subject-${receipt.kind}`)}><code>${receipt.subject}</code><//>
				<${Fact} name=${t("operator-erasures-rows")}>${number(receipt.deleted_rows)}<//>
				<${Fact} name=${t("operator-erasures-by")}>${receipt.requested_by}<//>
				<${Fact} name=${t("operator-erasures-requested")}>${dateTime(receipt.requested_at)}<//>
				<${Fact} name=${t("operator-erasures-finished")}>${receipt.finished_at && dateTime(receipt.finished_at)}<//>
			</dl></section>`}`;
}
