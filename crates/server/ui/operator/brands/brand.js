// @ts-check
import { t } from "../../lang/lang.js";
import { Skeleton, Button, Cell, Empty, RowHead } from "../../parts/elements.js";
import { Failure, Notice } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { useLoad } from "../../parts/requests.js";
import { dateTime } from "../../parts/times.js";
import { admin, listOf, ofBrand } from "../api.js";
import { KeyTable } from "../keys/table.js";
import { List, usePages } from "../pages.js";
import { Link, route } from "../route.js";
import { Back, Fact, Head, PersonLink, Status } from "../words.js";
import { EraseBrand, ResumeBrand, RevokeBrandKeys, SuspendBrand } from "./actions.js";
import { ExportBrand } from "./export.js";
import { Posts } from "./posts.js";

/** @type {Record<string, any>} */
const PARTS = { members: Members, keys: Keys, posts: Posts };
/** Other views that show what concerns one brand. */
const ELSEWHERE = ["jobs", "events", "approvals", "audit"];

/** One brand. @param {{ id: string }} properties */
export function BrandPage({ id }) {
	const [asked, setAsked] = useState("");
	const [changed, setChanged] = useState(0);
	const { data, error, reload } = useLoad(() => admin("GET", ofBrand(id)), [id]);
	/** @type {OperatorBrand | null} */
	const brand = data;
	const part = PARTS[route.value.part] ? route.value.part : "members";
	const close = () => setAsked("");
	/** The brand and its lists have changed. */
	function refresh() {
		reload();
		setChanged((count) => count + 1);
	}
	const head = html`
		<${Back} view="brands">${t("operator-brands-back")}<//>
		<${Head} title=${brand?.name ?? id} lead=${html`<code>${id}</code>`}>
			${brand && html`
				${brand.status === "active"
					? html`<${Button} focus="suspend" onClick=${() => setAsked("suspend")}>${t("operator-brands-suspend")}<//>`
					: html`<${Button} kind="primary" focus="suspend" onClick=${() => setAsked("resume")}>${t("operator-brands-resume")}<//>`}
				<${Button} onClick=${() => setAsked("revoke")}>${t("operator-brands-revoke")}<//>
				<${Button} icon="download" onClick=${() => setAsked("export")}>${t("operator-brands-export")}<//>
				<${Button} kind="danger-quiet" onClick=${() => setAsked("erase")}>${t("operator-brands-erase")}<//>`}
		<//>`;
	if (!brand) return html`${head}${error ? html`<${Failure} title=${t("operator-brands-not-loaded")} error=${error} retry=${reload} />` : html`<${Skeleton} rows=${5} />`}`;
	const Part = PARTS[part];
	return html`
		${head}
		${brand.status === "suspended" && html`<${Suspended} brand=${brand} />`}
		<section class="card" aria-label=${t("operator-brands-facts")}><dl>
			<${Fact} name=${t("operator-head-status")}><${Status} status=${brand.status} /><//>
			<${Fact} name=${t("operator-brands-plan")}><${Link} to=${{ view: "plans", open: brand.plan_id }}>${brand.plan_id}<//><//>
			<${Fact} name=${t("operator-brands-website")}>${brand.website}<//>
			<${Fact} name=${t("operator-brands-competitors")}>${brand.competitors.join(", ")}<//>
			<${Fact} name=${t("operator-brands-language")}>${brand.language}<//>
			<${Fact} name=${t("operator-brands-time-zone")}>${brand.time_zone}<//>
			<${Fact} name=${t("operator-brands-elsewhere")}><span class="row">
				${ELSEWHERE.map((view) => html`<${Link} to=${{ view, brand: id }}>${t(`operator-view-${view}`)}<//>`)}
			</span><//>
		</dl></section>
		<nav class="tab-row" aria-label=${t("operator-brands-parts")}><div class="tabs">
			${Object.keys(PARTS).map((name) => html`<${Link} class="tab" to=${{ view: "brands", open: id, part: name }} current=${name === part}>${t(`operator-brands-part-${name}`)}<//>`)}
		</div></nav>
		<${Part} key=${`${part}/${changed}`} id=${id} />
		${asked === "suspend" && html`<${SuspendBrand} brand=${brand} onClose=${close} onDone=${refresh} />`}
		${asked === "resume" && html`<${ResumeBrand} brand=${brand} onClose=${close} onDone=${refresh} />`}
		${asked === "revoke" && html`<${RevokeBrandKeys} brand=${brand} onClose=${close} onDone=${refresh} />`}
		${asked === "export" && html`<${ExportBrand} brand=${brand} onClose=${close} />`}
		${asked === "erase" && html`<${EraseBrand} brand=${brand} onClose=${close} />`}`;
}

/** @param {{ brand: OperatorBrand }} properties */
const Suspended = ({ brand }) => html`
	<${Notice} tone="warning" title=${t("operator-brands-is-suspended")}>
		<p>${t("operator-brands-suspended-means")}</p>
		<dl>
			<${Fact} name=${t("operator-brands-suspended-at")}>${brand.suspended_at && dateTime(brand.suspended_at)}<//>
			<${Fact} name=${t("operator-brands-suspended-by")}>${brand.suspended_by}<//>
			<${Fact} name=${t("operator-brands-reason")}>${brand.suspension_reason}<//>
		</dl>
	<//>`;

/** @param {{ id: string }} properties */
function Members({ id }) {
	const pages = usePages((cursor) => listOf(`${ofBrand(id)}/members`, "members", { cursor }), [id]);
	return html`
		<${List} pages=${pages} name=${t("operator-brands-part-members")}
			heads=${[t("operator-brands-person"), t("operator-brands-email"), t("operator-brands-role")]}
			empty=${html`<${Empty} icon="info" title=${t("operator-brands-no-members")}><p>${t("operator-brands-no-members-hint")}</p><//>`}
			row=${(/** @type {OperatorMember} */ member) => html`
				<tr role="row" key=${member.user_id}>
					<${RowHead}><${PersonLink} id=${member.user_id} />${member.name && html`<small>${member.name}</small>`}<//>
					<${Cell} name=${t("operator-brands-email")}>${member.email ?? "–"}<//>
					<${Cell} name=${t("operator-brands-role")}>${t(`operator-brands-role-${member.role}`)}<//>
				</tr>`} />`;
}

/** @param {{ id: string }} properties */
function Keys({ id }) {
	const pages = usePages((cursor) => listOf("/keys", "keys", { brand: id, cursor }), [id]);
	return html`<${KeyTable} pages=${pages} without="brand" empty=${html`<${Empty} icon="key" title=${t("operator-keys-empty")}><p>${t("operator-keys-empty-hint")}</p><//>`} />`;
}
