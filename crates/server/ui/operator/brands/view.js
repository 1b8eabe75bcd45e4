// @ts-check
import { t } from "../../lang/lang.js";
import { Cell, Empty, RowHead } from "../../parts/elements.js";
import { html } from "../../vendor/preact.js";
import { useLoad } from "../../parts/requests.js";
import { listOf } from "../api.js";
import { FilterChoice, Filters, filterValues, isFiltered, NoMatch, SearchField } from "../filters.js";
import { List, usePages } from "../pages.js";
import { Link, route } from "../route.js";
import { Head, Refresh, Status, statusOptions } from "../words.js";
import { BrandPage } from "./brand.js";

const FILTERS = ["q", "plan", "status"];
const MAX_PLANS = "100";

export const View = () => (route.value.open ? html`<${BrandPage} id=${route.value.open} />` : html`<${Brands} />`);

/** All brands. */
function Brands() {
	const filters = filterValues(FILTERS);
	const pages = usePages((cursor) => listOf("/brands", "brands", { ...filters, cursor }), [route.value]);
	const plans = useLoad(() => listOf("/plans", "plans", { limit: MAX_PLANS }), []);
	/** @type {OperatorPlan[]} */
	const known = plans.data?.items ?? [];
	// The plan of a shared link is offered, too, before the plans are loaded.
	const options = known.some((plan) => plan.plan_id === filters.plan) || !filters.plan ? known : [...known, { plan_id: filters.plan, name: filters.plan }];
	/** @param {string} id */
	const planName = (id) => known.find((plan) => plan.plan_id === id)?.name ?? id;
	return html`
		<${Head} title=${t("operator-brands-title")} lead=${t("operator-brands-lead")}><${Refresh} onClick=${pages.reload} /><//>
		<${Filters} label=${t("operator-brands-filters")}>
			<${SearchField} name="q" label=${t("operator-brands-search")} />
			<${FilterChoice} name="plan" label=${t("operator-brands-plan")} options=${options.map((plan) => [plan.plan_id, plan.name])} />
			<${FilterChoice} name="status" label=${t("operator-head-status")} options=${statusOptions(["active", "suspended"])} />
		<//>
		<${List} pages=${pages} name=${t("operator-brands-title")}
			heads=${[t("operator-head-brand"), t("operator-brands-plan"), t("operator-head-status"), t("operator-brands-website")]}
			empty=${isFiltered(FILTERS)
				? html`<${NoMatch} names=${FILTERS} />`
				: html`<${Empty} icon="search" title=${t("operator-brands-empty")}><p>${t("operator-brands-empty-hint")}</p><//>`}
			row=${(/** @type {OperatorBrand} */ brand) => html`
				<tr role="row" key=${brand.brand_id}>
					<${RowHead}><${Link} to=${{ view: "brands", open: brand.brand_id }}>${brand.name}<//><code>${brand.brand_id}</code><//>
					<${Cell} name=${t("operator-brands-plan")}>${planName(brand.plan_id)}<//>
					<${Cell} name=${t("operator-head-status")}><${Status} status=${brand.status} /><//>
					<${Cell} name=${t("operator-brands-website")}>${brand.website}<//>
				</tr>`} />`;
}
