// @ts-check
import { t } from "../../lang/lang.js";
import { Button, Cell, Empty, RowHead } from "../../parts/elements.js";
import { Modal } from "../../parts/modal.js";
import { html, useState } from "../../vendor/preact.js";
import { dateTime, Time } from "../../parts/times.js";
import { admin, listOf, ofBrand } from "../api.js";
import { Confirm } from "../confirm.js";
import { FilterChoice, Filters, isFiltered, NoMatch } from "../filters.js";
import { List, usePages } from "../pages.js";
import { route } from "../route.js";
import { Fact, Status, statusOptions } from "../words.js";

const STATUSES = ["draft", "scheduled", "publishing", "published", "failed", "uncertain", "cancelled", "withdrawing", "withdrawn"];

/** What can be done with a post, by the status of its channels. @type {[action: string, statuses: string[]][]} */
const ACTIONS = [["cancel", ["draft", "scheduled"]], ["withdraw", ["published", "uncertain"]], ["retry", ["failed"]]];

/** @param {OperatorPost} post */
const actionsFor = (post) => ACTIONS.filter(([, statuses]) => post.targets.some((target) => statuses.includes(target.status))).map(([action]) => action);

/** @param {OperatorPost} post */
const nameOf = (post) => post.title || post.text.slice(0, 80);

/** The posts of a brand. @param {{ id: string }} properties */
export function Posts({ id }) {
	const status = route.value.status ?? "";
	const pages = usePages((cursor) => listOf("/posts", "posts", { brand: id, status, cursor }), [id, status]);
	const [asked, setAsked] = useState(/** @type {{ post: OperatorPost, action: string } | null} */ (null));
	return html`
		<${Filters} label=${t("operator-brands-post-filters")}>
			<${FilterChoice} name="status" label=${t("operator-head-status")} options=${statusOptions(STATUSES)} />
		<//>
		<${List} pages=${pages} name=${t("operator-brands-part-posts")}
			heads=${[t("operator-brands-post"), t("operator-brands-channels"), t("operator-brands-post-scheduled"), t("operator-brands-post-created"), t("operator-head-actions")]}
			empty=${isFiltered(["status"]) ? html`<${NoMatch} names=${["status"]} />` : html`<${Empty} icon="info" title=${t("operator-brands-no-posts")}><p>${t("operator-brands-no-posts-hint")}</p><//>`}
			row=${(/** @type {OperatorPost} */ post) => html`
				<tr role="row" key=${post.post_id}>
					<${RowHead}>${post.title}<span class="excerpt">${post.text}</span><//>
					<${Cell} name=${t("operator-brands-channels")}>${post.targets.map((target) => html`
						<p class="row"><span>${target.channel}</span><${Status} status=${target.status} /></p>${target.error && html`<small>${target.error}</small>`}`)}<//>
					<${Cell} name=${t("operator-brands-post-scheduled")}>${post.scheduled_at ? dateTime(post.scheduled_at) : "–"}<//>
					<${Cell} name=${t("operator-brands-post-created")}><${Time} at=${post.created_at} /><//>
					<td role="cell"><div class="row">${actionsFor(post).map((action) => html`
						<${Button} kind="small" label=${t(`operator-brands-post-${action}-of`, { name: nameOf(post) })} onClick=${() => setAsked({ post, action })}>${t(`operator-brands-post-${action}`)}<//>`)}
					</div></td>
				</tr>`} />
		${asked && html`<${PostAction} brandId=${id} ...${asked} onClose=${() => setAsked(null)} onDone=${pages.reload} />`}`;
}

/** @param {{ brandId: string, post: OperatorPost, action: string, onClose: () => void, onDone: () => void }} properties */
function PostAction({ brandId, post, action, onClose, onDone }) {
	const [done, setDone] = useState(/** @type {{ targets?: { channel: string, done: boolean, message: string }[], notes?: string[] } | null} */ (null));
	if (done) {
		const failed = done.targets?.some((target) => !target.done);
		return html`
			<${Modal} title=${t(failed ? "operator-brands-post-partly" : `operator-brands-post-${action}-done`)} onClose=${onClose}
				actions=${html`<${Button} kind="primary" onClick=${onClose}>${t("close")}<//>`}>
				<dl>${done.targets?.map((target) => html`<${Fact} name=${target.channel}>${target.message}<//>`)}</dl>
				${done.notes?.map((note) => html`<p>${note}</p>`)}
			<//>`;
	}
	return html`
		<${Confirm} title=${t(`operator-brands-post-${action}-title`)} action=${t(`operator-brands-post-${action}-action`)} failed=${t("operator-brands-post-failed")}
			kind=${action === "retry" ? "primary" : "danger"} onClose=${onClose}
			run=${async () => {
				setDone(await admin("POST", `${ofBrand(brandId)}/posts/${encodeURIComponent(post.post_id)}/${action}`, { expected_version: post.version }));
				onDone();
			}}>
			<div class="named"><p>${nameOf(post)}</p></div>
			<p>${t(`operator-brands-post-${action}-means`)}</p>
		<//>`;
}
