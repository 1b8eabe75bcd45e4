// @ts-check
import { ApiError } from "../../app/api.js";
import { workspace } from "../../app/model.js";
import { ViewLink } from "../../app/route.js";
import { t } from "../../lang/lang.js";
import { Button, PageHead } from "../../parts/elements.js";
import { announce, Notice, toast } from "../../parts/messages.js";
import { html, useEffect } from "../../vendor/preact.js";
import { Dialogs } from "./dialogloader.js";
import { closeDialog, openDialog } from "./dialogs.js";
import { KeyList } from "./list.js";

/** The keys of the brand. */
export function View() {
	useEffect(() => closeDialog, []);
	return html`
		<div class="view">
			<${PageHead} title=${t("keys-title")} lead=${summary()}>
				<div class="row">
					<${Button} kind="quiet" onClick=${refresh}>${t("keys-refresh")}<//>
					<${Button} kind="primary" icon="plus" focus="create" onClick=${() => openDialog("create")}>${t("keys-create")}<//>
				</div>
			<//>
			<${PlanNotice} />
			<${WaitingLine} />
			<${KeyList} />
			<${Dialogs} />
		</div>`;
}

async function refresh() {
	try {
		await workspace.refreshEverything();
		announce(t("keys-refreshed"));
	} catch (error) {
		if (error instanceof ApiError && error.status !== 401) toast(t("keys-not-refreshed", { problem: error.message }));
	}
}

/** Who can do what, at a glance. */
function summary() {
	const current = workspace.keys.filter((key) => key.status === "active");
	const brand = workspace.brand.name;
	if (!current.length) return t("keys-connect-brand", { brand });
	const active = current.filter((key) => !key.paused);
	const paused = current.length - active.length;
	const first = active.length
		? t("keys-summary", {
			keys: active.length, brand, writing: active.filter((key) => key.scope !== "read").length, people: new Set(active.map((key) => key.created_by)).size,
		})
		: t("keys-none-active", { brand });
	return paused ? `${first} ${t("keys-paused-count", { count: paused })}` : first;
}

function PlanNotice() {
	const { name: brand, plan, role, mcp_active: isActive } = workspace.brand;
	return !isActive && html`
		<${Notice} tone="warning" title=${t("keys-plan-inactive", { plan: plan.name })}>
			<p>${t("keys-plan-means")}</p>
			<p>${t(role === "admin" ? "keys-plan-admin" : "keys-plan-member", { brand })}</p>
		<//>`;
}

function WaitingLine() {
	const { total } = workspace.approvals;
	return total > 0 && html`<p><${ViewLink} view="approvals">${t("keys-approvals-wait", { count: total })}<//></p>`;
}
