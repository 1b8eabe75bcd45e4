// @ts-check
import { ApiError } from "../../app/api.js";
import { t } from "../../lang/lang.js";
import { Skeleton, Button } from "../../parts/elements.js";
import { Failure, toast } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { useLoad } from "../../parts/requests.js";
import { admin, listOf } from "../api.js";
import { Confirm } from "../confirm.js";
import { goTo, Link } from "../route.js";
import { Back, Head } from "../words.js";
import { PlanForm } from "./form.js";

const MAX_PLANS = "100";

/** @param {string} id */
const ofPlan = (id) => `/plans/${encodeURIComponent(id)}`;

/** The default of each quota, as far as a plan shows it. @param {OperatorPlan[]} plans @returns {Record<string, number | null>} */
const defaultsIn = (plans) => plans.reduce((known, plan) => ({
	...known,
	...Object.fromEntries(Object.entries(plan.effective_quotas).map(([name, quota]) => [name, quota.default ? quota.limit : known[name] ?? null])),
}), /** @type {Record<string, number | null>} */ ({}));

/** One plan, to be changed or removed. @param {{ id: string }} properties */
export function PlanPage({ id }) {
	const [removing, setRemoving] = useState(false);
	const [saved, setSaved] = useState(0);
	const { data, error, reload } = useLoad(async () => {
		const [plan, all] = await Promise.all([admin("GET", ofPlan(id)), listOf("/plans", "plans", { limit: MAX_PLANS })]);
		return { plan: /** @type {OperatorPlan} */ (plan), defaults: defaultsIn([...all.items, plan]) };
	}, [id]);
	return html`
		<${Back} view="plans">${t("operator-plans-back")}<//>
		<${Head} title=${data?.plan.name ?? id} lead=${html`<code>${id}</code>`}>
			${data && html`<${Button} kind="danger-quiet" onClick=${() => setRemoving(true)}>${t("operator-plans-remove")}<//>`}
		<//>
		${error && html`<${Failure} title=${t("operator-plans-not-loaded")} error=${error} retry=${reload} />`}
		${!data && !error && html`<${Skeleton} rows=${6} />`}
		${data && html`
			<p><${Link} to=${{ view: "brands", plan: id }}>${t("operator-plans-show-brands")}<//></p>
			<${PlanForm} key=${saved} plan=${data.plan} defaults=${data.defaults} save=${async (/** @type {string} */ _, /** @type {object} */ body) => {
				await admin("PUT", ofPlan(id), body);
				toast(t("operator-plans-saved"));
				await reload();
				setSaved((count) => count + 1);
			}} />`}
		${removing && data && html`
			<${Confirm} title=${t("operator-plans-remove-title")} action=${t("operator-plans-remove-action")} typed=${id} failed=${t("operator-plans-remove-failed")} onClose=${() => setRemoving(false)}
				run=${async () => {
					await admin("DELETE", ofPlan(id));
					toast(t("operator-plans-removed", { name: data.plan.name }));
					goTo({ view: "plans" });
				}}>
				<div class="named"><p>${data.plan.name}</p><small><code>${id}</code></small></div>
				<p>${t("operator-plans-remove-means")}</p>
			<//>`}`;
}

/** A plan with this id would be overwritten, so the page looks first. @param {string} id */
async function isTaken(id) {
	try {
		await admin("GET", ofPlan(id));
		return true;
	} catch (error) {
		if (error instanceof ApiError && error.status === 404) return false;
		throw error;
	}
}

export function NewPlan() {
	const { data, error, reload } = useLoad(async () => defaultsIn((await listOf("/plans", "plans", { limit: MAX_PLANS })).items), []);
	return html`
		<${Back} view="plans">${t("operator-plans-back")}<//>
		<${Head} title=${t("operator-plans-add")} />
		${error && html`<${Failure} title=${t("operator-plans-not-loaded")} error=${error} retry=${reload} />`}
		${!data && !error && html`<${Skeleton} rows=${6} />`}
		${data && html`<${PlanForm} defaults=${data} save=${async (/** @type {string} */ id, /** @type {object} */ body) => {
			if (await isTaken(id)) throw new ApiError(t("operator-plans-taken"), { fields: [{ field: "plan_id", message: t("operator-plans-taken") }] });
			await admin("PUT", ofPlan(id), body);
			toast(t("operator-plans-added"));
			goTo({ view: "plans", open: id });
		}} />`}`;
}
