// @ts-check
import { t } from "../../lang/lang.js";
import { Badge, Button, Cell, Empty, RowHead } from "../../parts/elements.js";
import { html } from "../../vendor/preact.js";
import { number } from "../../parts/times.js";
import { listOf } from "../api.js";
import { List, usePages } from "../pages.js";
import { goTo, Link, route } from "../route.js";
import { Head, Refresh, wordsFor } from "../words.js";
import { NewPlan, PlanPage } from "./plan.js";

/** @param {{ enabled: boolean }} properties */
export const Mcp = ({ enabled }) => html`<${Badge} tone=${enabled ? "good" : "off"}>${t(enabled ? "operator-plans-mcp-on" : "operator-plans-mcp-off")}<//>`;

export function View() {
	const { open, add } = route.value;
	if (add) return html`<${NewPlan} />`;
	return open ? html`<${PlanPage} id=${open} />` : html`<${Plans} />`;
}

/** All plans. */
function Plans() {
	const pages = usePages((cursor) => listOf("/plans", "plans", { cursor }), [route.value]);
	const add = html`<${Button} kind="primary" icon="plus" onClick=${() => goTo({ view: "plans", add: "yes" })}>${t("operator-plans-add")}<//>`;
	return html`
		<${Head} title=${t("operator-plans-title")} lead=${t("operator-plans-lead")}><${Refresh} onClick=${pages.reload} />${add}<//>
		<${List} pages=${pages} name=${t("operator-plans-title")}
			heads=${[t("operator-plans-plan"), t("operator-plans-mcp"), t("operator-plans-own"), t("operator-plans-brands")]}
			empty=${html`<${Empty} icon="info" title=${t("operator-plans-empty")}><p>${t("operator-plans-empty-hint")}</p><//>`}
			row=${(/** @type {OperatorPlan} */ plan) => html`
				<tr role="row" key=${plan.plan_id}>
					<${RowHead}><${Link} to=${{ view: "plans", open: plan.plan_id }}>${plan.name}<//><code>${plan.plan_id}</code><//>
					<${Cell} name=${t("operator-plans-mcp")}><${Mcp} enabled=${plan.mcp_enabled} /><//>
					<${Cell} name=${t("operator-plans-own")}><${OwnQuotas} plan=${plan} /><//>
					<${Cell} name=${t("operator-plans-brands")}><${Link} to=${{ view: "brands", plan: plan.plan_id }}>${t("operator-plans-show-brands")}<//><//>
				</tr>`} />`;
}

/** The quotas that a plan sets itself. @param {{ plan: OperatorPlan }} properties */
function OwnQuotas({ plan }) {
	const own = Object.entries(plan.quotas ?? {});
	if (!own.length) return html`<span class="soft">${t("operator-plans-all-defaults")}</span>`;
	return own.map(([name, limit]) => html`<p>${t("operator-plans-quota", { name: wordsFor("operator-plans-quota", name), limit: number(limit) })}</p>`);
}
