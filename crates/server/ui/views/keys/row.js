// @ts-check
import { isMine, personName, toolsOfKey } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Badge, Button, Cell, RowHead } from "../../parts/elements.js";
import { html } from "../../parts/preact.js";
import { rich } from "../../parts/rich.js";
import { dateName, Time } from "../../parts/times.js";
import { openDialog } from "./dialogs.js";
import { canRevoke, expiresSoon, isIdle, scopeWords, StateBadge } from "./words.js";

/** One key. Another member's shows the same facts, but only its creator can show its secret. @param {{ of: Key }} properties */
export function KeyRow({ of }) {
	const { key_id: id, label } = of;
	return html`
		<tr role="row" class=${of.status === "revoked" ? "faded" : null}>
			<${RowHead}>
				<button type="button" class="link" data-focus=${`details ${id}`} onClick=${() => openDialog("details", { of })}>${label}</button>
				<code>${of.prefix}…</code>
			<//>
			<${Cell} name=${t("keys-column-access")}>
				${scopeWords(of.scope)}
				${of.scope === "full" && html`<small>${t("keys-scope-full")}</small>`}
				${of.tools && html`<small>${t("keys-chosen-tools", { count: toolsOfKey(of).length })}</small>`}
				${of.approval !== "none" && html`<small><${Badge} tone="info" title=${t(`keys-rule-${of.approval}-means`)}>${t("keys-asks-first")}<//></small>`}
			<//>
			<${Cell} name=${t("keys-column-created")}>${personName(of.created_by)}<small><${Time} at=${of.created_at} /></small><//>
			<${Cell} name=${t("keys-column-used")}>
				<${Time} at=${of.last_used_at} />
				${isIdle(of) && html`<small><strong class="warning-text">${t("keys-idle", { date: dateName(of.idle_since ?? "") })}</strong></small>`}
			<//>
			<${Cell} name=${t("keys-column-expires")}>
				${expiresSoon(of) ? html`<strong class="warning-text">${rich("keys-expires", { when: html`<${Time} at=${of.expires_at} />` })}</strong>` : html`<${Time} at=${of.expires_at} />`}
			<//>
			<${Cell} name=${t("keys-column-state")}>
				<span class="badges">
					<${StateBadge} of=${of} />
					${expiresSoon(of) && html`<${Badge} tone="warning">${t("keys-badge-expiring")}<//>`}
					${isIdle(of) && html`<${Badge} tone="warning">${t("keys-badge-idle")}<//>`}
					${of.rotating_until && html`<${Badge} tone="info">${t("keys-badge-rotating")}<//>`}
				</span>
			<//>
			<td role="cell" class="actions">
				<div class="row">
					${of.status === "active" && isMine(of) && html`
						<${Button} kind="small" label=${t("keys-show-secret-of", { label })} focus=${`show ${id}`} onClick=${() => openDialog("reveal", { of })}>${t("keys-show")}<//>`}
					${canRevoke(of) && html`
						<${Button} kind="small danger-quiet" label=${t("keys-revoke-key", { label })} focus=${`revoke ${id}`} onClick=${() => openDialog("revoke", { of })}>${t("keys-revoke")}<//>`}
				</div>
			</td>
		</tr>`;
}
