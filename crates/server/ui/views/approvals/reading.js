// @ts-check
// What a call would do.
import { keyLabel, personName, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Fact } from "../../parts/elements.js";
import { FullTime } from "../../parts/localtimes.js";
import { html } from "../../vendor/preact.js";
import { Previews } from "../../parts/previews.js";
import { argumentLabel, readable } from "./arguments.js";

/** @param {{ approval: Approval, channels: Channel[] }} properties */
export function Reading({ approval, channels }) {
	const { preview, arguments: sent } = approval;
	const post = preview?.post;
	return html`
		${post && html`<${Previews} post=${{ ...post, media: post.media ?? [] }} names=${post.targets.map((/** @type {{ channel: string }} */ one) => one.channel)} channels=${channels} />`}
		<dl class="preview">
			${post ? html`<${PostFacts} post=${post} />` : html`<${CallFacts} approval=${approval} />`}
			${preview?.notes?.length > 0 && html`<${Fact} name=${t("approvals-notes")}>${readable(preview?.notes)}<//>`}
			<${AskedBy} approval=${approval} />
			<${Fact} name=${t("approvals-requested")}><${FullTime} at=${approval.requested_at} /><//>
			${approval.status === "pending" && html`<${Fact} name=${t("approvals-expires")}><${FullTime} at=${approval.expires_at} /><//>`}
		</dl>
		${post && html`<details><summary>${t("approvals-show-arguments")}</summary><dl class="preview"><${ArgumentFacts} sent=${sent} /></dl></details>`}`;
}

/** @param {{ approval: Approval }} properties */
function AskedBy({ approval: { key_id: id } }) {
	const key = workspace.keys.find((one) => one.key_id === id);
	return html`
		<${Fact} name=${t("approvals-key")}>${keyLabel(id)}<//>
		${key && html`<${Fact} name=${t("approvals-person")}>${personName(key.created_by)}<//>`}`;
}

/** @param {{ post: Record<string, any> }} properties The post as it would be afterwards. */
function PostFacts({ post: { targets, scheduled_at: at } }) {
	/** @param {string} status */
	const some = (status) => targets.some((/** @type {{ status: string }} */ target) => target.status === status);
	return html`
		<${Fact} name=${t("approvals-argument-channels")}>
			${targets.map((/** @type {Record<string, string>} */ { channel, status }) => html`<div>${t("approvals-target", { channel, status })}</div>`)}
		<//>
		<${Fact} name=${t("approvals-when")}>
			${some("scheduled") && at ? html`<${FullTime} at=${at} />` : t(some("draft") ? "approvals-stays-draft" : "approvals-at-once")}
		<//>`;
}

/** @param {{ approval: Approval }} properties */
function CallFacts({ approval: { preview, arguments: sent } }) {
	if (!preview?.subject) return html`<${ArgumentFacts} sent=${sent} />`;
	const { recipients, ...more } = sent;
	return html`
		<${Fact} name=${t("approvals-argument-subject")}>${preview.subject}<//>
		<${Fact} name=${t("approvals-argument-recipients")}>${readable(preview.recipients ?? recipients)}<//>
		<${ArgumentFacts} sent=${more} isMore />`;
}

/** @param {{ sent: Record<string, unknown>, isMore?: boolean }} properties */
function ArgumentFacts({ sent, isMore = false }) {
	const all = Object.entries(sent);
	if (!all.length) return !isMore && html`<${Fact} name=${t("approvals-arguments")}>${t("approvals-none")}<//>`;
	return all.map(([name, value]) => html`<${Fact} key=${name} name=${argumentLabel(name)}>${readable(value)}<//>`);
}
