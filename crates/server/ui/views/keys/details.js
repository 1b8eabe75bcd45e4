// @ts-check
import { isMine, personName, toolsOfKey, workspace } from "../../app/model.js";
import { loadTexts, rich, t } from "../../lang/lang.js";
import { Skeleton, Button, Fact } from "../../parts/elements.js";
import { Failure, Notice, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html } from "../../vendor/preact.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { dateName, dateTime, FullTime, relative, Time } from "../../parts/times.js";
import { changeKey, keyActivity } from "./api.js";
import { Connect } from "./connect.js";
import { openDialog } from "./dialogs.js";
import { KeyRule } from "./rules.js";
import { canEdit, canRevoke, expiresSoon, isIdle, scopeWords, StateBadge, stateReason } from "./words.js";

const MAX_EVENTS = 5;

/** Everything there is to know about one key, and what can be done with it. @param {{ of: Key, onClose: () => void }} properties */
export function Details({ of, onClose }) {
	const key = workspace.keys.find((one) => one.key_id === of.key_id) ?? of;
	const { label } = key;
	const isUsable = key.status === "active" && isMine(key);
	const { busy, error, send } = useSend();

	const togglePaused = () => send(async () => {
		await changeKey(key, { paused: !key.paused });
		await workspace.refresh();
		onClose();
		toast(t(key.paused ? "keys-is-resumed" : "keys-is-paused", { label }));
	});

	const actions = html`
		${canRevoke(key) && html`<${Button} kind="danger-quiet" onClick=${() => openDialog("revoke", { of: key })}>${t("keys-revoke-ask")}<//>`}
		${canRevoke(key) && html`<${Button} onClick=${togglePaused}>${t(key.paused ? "keys-resume" : "keys-pause")}<//>`}
		${isUsable && !key.rotating_until && html`<${Button} onClick=${() => openDialog("rotate", { of: key })}>${t("keys-new-secret")}<//>`}
		${isUsable && html`<${Button} onClick=${() => openDialog("reveal", { of: key })}>${t("keys-show-secret")}<//>`}
		${canEdit(key) && html`<${Button} onClick=${() => openDialog("edit", { of: key })}>${t("keys-edit")}<//>`}
		<${Button} kind="primary" onClick=${() => !busy && onClose()}>${t("close")}<//>`;
	return html`
		<${Modal} isWide title=${label} busy=${busy} onClose=${onClose} actions=${actions}>
			${error && html`<${Failure} title=${t(key.paused ? "keys-not-resumed" : "keys-not-paused", { label })} error=${error} />`}
			<${Notes} of=${key} />
			<${Facts} of=${key} />
			<h3>${t(key.tools ? "keys-tools-few" : "keys-tools-title")}</h3>
			<ul class="tool-names">${toolsOfKey(key).map((tool) => html`<li key=${tool.name}>${tool.title || tool.name}</li>`)}</ul>
			<h3>${t("keys-activity")}</h3>
			<${LatestActivity} of=${key} />
			${isUsable && html`<${Connect} of=${key} />`}
		<//>`;
}

/** What a person should know before anything else. @param {{ of: Key }} properties */
function Notes({ of }) {
	const owner = personName(of.created_by);
	return html`
		${of.status === "active" && !isMine(of) && html`
			<${Notice} tone="info" title=${t("keys-belongs-to", { owner })}>
				<p>${t(workspace.brand.role === "admin" ? "keys-belongs-admin" : "keys-belongs-member", { owner })}</p>
			<//>`}
		${of.rotating_until && html`<${OldSecret} of=${of} until=${of.rotating_until} />`}
		${expiresSoon(of) && html`
			<${Notice} tone="warning" title=${t("keys-soon-title", { when: relative(of.expires_at ?? "") })}>
				<p>${isMine(of) ? t("keys-soon-mine") : t("keys-soon-others", { owner })}</p>
			<//>`}
		${isIdle(of) && html`<${Notice} tone="warning" title=${t("keys-idle-title", { date: dateName(of.idle_since ?? "") })}><p>${t("keys-idle-means")}</p><//>`}`;
}

/** @param {{ of: Key, until: string }} properties */
const OldSecret = ({ of, until }) => html`
	<${Notice} tone=${of.old_secret_last_used_at ? "warning" : "info"} title=${t("keys-old-title", { when: dateTime(until) })}>
		<p>${of.old_secret_last_used_at ? rich("keys-old-used", { when: html`<${Time} at=${of.old_secret_last_used_at} />` }) : t("keys-old-unused")}</p>
		${canRevoke(of) && html`<p class="row"><${Button} kind="small" onClick=${() => openDialog("finish", { of })}>${t("keys-finish")}<//></p>`}
	<//>`;

/** @param {{ of: Key }} properties */
function Facts({ of }) {
	const secret = !of.can_reveal ? "keys-secret-never" : isMine(of) ? "keys-secret-mine" : "keys-secret-others";
	return html`
		<dl>
			<${Fact} name=${t("keys-fact-state")}><${StateBadge} of=${of} /> ${stateReason(of)}<//>
			<${Fact} name=${t("keys-fact-prefix")}><code>${of.prefix}…</code><//>
			<${Fact} name=${t("keys-fact-access")}>${scopeWords(of.scope)}${of.scope === "full" && html`<small>${t("keys-scope-full")}</small>`}<//>
			${of.scope !== "read" && html`<${Fact} name=${t("keys-ask-first")}><${KeyRule} of=${of} /><//>`}
			<${Fact} name=${t("keys-fact-created-by")}>${personName(of.created_by)}<//>
			<${Fact} name=${t("keys-fact-created")}><${FullTime} at=${of.created_at} /><//>
			<${Fact} name=${t("keys-fact-used")}><${FullTime} at=${of.last_used_at} /><//>
			${of.last_used_ip && html`<${Fact} name=${t("keys-fact-used-from")}>${of.last_used_ip}<//>`}
			${of.last_used_client && html`<${Fact} name=${t("keys-fact-used-by")}>${of.last_used_client}<//>`}
			${of.allowed_networks && html`<${Fact} name=${t("keys-fact-networks")}>${of.allowed_networks.join(", ")}<//>`}
			<${Fact} name=${t("keys-fact-expires")}><${FullTime} at=${of.expires_at} /><//>
			${of.revoked_at && html`<${Fact} name=${t("keys-fact-revoked")}><${FullTime} at=${of.revoked_at} /><//>`}
			${of.status === "active" && html`<${Fact} name=${t("keys-fact-secret")}>${t(secret)}<//>`}
		</dl>`;
}

/** @param {{ of: Key }} properties */
function LatestActivity({ of }) {
	const { data, error, reload } = useLoad(async () => {
		const [events, { EventTable }] = await Promise.all([keyActivity(of, MAX_EVENTS), import("../activity/table.js"), loadTexts("activity")]);
		return { events, EventTable };
	}, [of.key_id]);
	if (error) return html`<${Failure} title=${t("keys-activity-not-loaded")} error=${error} retry=${reload} />`;
	return data ? html`<${data.EventTable} events=${data.events} />` : html`<${Skeleton} rows=${MAX_EVENTS} />`;
}
