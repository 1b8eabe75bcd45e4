// @ts-check
import { t } from "../../lang/lang.js";
import { Cell, Empty, RowHead } from "../../parts/elements.js";
import { html } from "../../vendor/preact.js";
import { number } from "../../parts/times.js";
import { listOf } from "../api.js";
import { Filters, filterValues, isFiltered, NoMatch, SearchField } from "../filters.js";
import { List, usePages } from "../pages.js";
import { route } from "../route.js";
import { Head, PersonLink, Refresh } from "../words.js";
import { PersonPage } from "./person.js";

const FILTERS = ["q"];

export const View = () => (route.value.open ? html`<${PersonPage} id=${route.value.open} />` : html`<${People} />`);

/** The members of all brands. */
function People() {
	const filters = filterValues(FILTERS);
	const pages = usePages((cursor) => listOf("/users", "users", { ...filters, cursor }), [route.value]);
	return html`
		<${Head} title=${t("operator-people-title")} lead=${t("operator-people-lead")}><${Refresh} onClick=${pages.reload} /><//>
		<${Filters} label=${t("operator-people-filters")}><${SearchField} name="q" label=${t("operator-people-search")} /><//>
		<${List} pages=${pages} name=${t("operator-people-title")}
			heads=${[t("operator-people-person"), t("operator-people-email"), t("operator-people-brands")]}
			empty=${isFiltered(FILTERS)
				? html`<${NoMatch} names=${FILTERS} />`
				: html`<${Empty} icon="search" title=${t("operator-people-empty")}><p>${t("operator-people-empty-hint")}</p><//>`}
			row=${(/** @type {OperatorUser} */ user, /** @type {number} */ index) => html`
				<tr role="row" key=${index}>
					<${RowHead}><${PersonLink} id=${user.user_id} />${user.name && html`<small>${user.name}</small>`}<//>
					<${Cell} name=${t("operator-people-email")}>${user.email ?? "–"}<//>
					<${Cell} name=${t("operator-people-brands")}>${number(user.brands)}<//>
				</tr>`} />`;
}
