// @ts-check
import { t } from "../../lang/lang.js";
import { Empty } from "../../parts/elements.js";
import { html } from "../../vendor/preact.js";
import { listOf } from "../api.js";
import { FilterChoice, FilterField, Filters, filterValues, isFiltered, NoMatch } from "../filters.js";
import { route } from "../route.js";
import { usePages } from "../pages.js";
import { Head, Refresh, statusOptions } from "../words.js";
import { FindBySecret } from "./secret.js";
import { KeyTable } from "./table.js";

const FILTERS = ["prefix", "user", "brand", "status"];

/** The keys of all brands. */
export function View() {
	const filters = filterValues(FILTERS);
	const pages = usePages((cursor) => listOf("/keys", "keys", { ...filters, cursor }), [route.value]);
	return html`
		<${Head} title=${t("operator-keys-title")} lead=${t("operator-keys-lead")}><${Refresh} onClick=${pages.reload} /><//>
		<${FindBySecret} onRevoked=${pages.reload} />
		<${Filters} label=${t("operator-keys-filters")}>
			<${FilterField} name="prefix" label=${t("operator-keys-filter-prefix")} error=${pages.error} maxlength=${14} />
			<${FilterField} name="user" label=${t("operator-keys-filter-user")} error=${pages.error} />
			<${FilterField} name="brand" label=${t("operator-filter-brand")} error=${pages.error} maxlength=${64} />
			<${FilterChoice} name="status" label=${t("operator-head-status")} options=${statusOptions(["active", "paused", "expired", "revoked"])} />
		<//>
		<${KeyTable} pages=${pages} empty=${isFiltered(FILTERS)
			? html`<${NoMatch} names=${FILTERS} />`
			: html`<${Empty} icon="key" title=${t("operator-keys-empty")}><p>${t("operator-keys-empty-hint")}</p><//>`} />`;
}
