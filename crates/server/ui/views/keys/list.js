// @ts-check
import { loadTools } from "../../app/brand.js";
import { isMine, personName, toolsOfKey, workspace } from "../../app/model.js";
import { rich, t } from "../../lang/lang.js";
import { Badge, Button, Cell, DataTable, Empty, Icon, RowHead } from "../../parts/elements.js";
import { Choice } from "../../parts/fields.js";
import { Notice } from "../../parts/messages.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { dateName, Time } from "../../parts/times.js";
import { openDialog } from "./dialogs.js";
import { canRevoke, expiresSoon, isIdle, keyState, scopeWords, StateBadge } from "./words.js";

/** What each order compares, and whether the greatest comes first. @type {Record<string, [(key: Key) => string | number, boolean]>} */
const SORTS = {
	newest: [(key) => key.created_at, true],
	oldest: [(key) => key.created_at, false],
	label: [(key) => key.label.toLocaleLowerCase(), false],
	used: [(key) => key.last_used_at ?? "", true],
	unused: [(key) => key.last_used_at ?? "", false],
	access: [(key) => Number(key.scope !== "read"), true],
	expiry: [(key) => key.expires_at ?? "~", false],
};

/** @type {Record<string, (key: Key) => boolean>} */
const STATES = {
	current: (key) => key.status !== "revoked",
	active: (key) => key.status === "active",
	paused: (key) => keyState(key).name === "paused",
	expiring: expiresSoon,
	idle: isIdle,
	expired: (key) => key.status === "expired",
	revoked: (key) => key.status === "revoked",
	all: () => true,
};

const COLUMNS = ["key", "access", "created", "used", "expires", "state", "actions"];
const ANYTHING = { words: "", state: "all", scope: "", owner: "" };

/** @param {typeof ANYTHING} wanted @param {Key} key */
function fits({ words, state, scope, owner }, key) {
	const text = `${key.label} ${key.prefix} ${personName(key.created_by)}`.toLocaleLowerCase();
	return STATES[state](key)
		&& (!scope || (scope === "read") === (key.scope === "read"))
		&& (!owner || (owner === "mine") === isMine(key))
		&& words.toLocaleLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** The keys with their filters. */
export function KeyList() {
	const [wanted, setWanted] = useState({ ...ANYTHING, state: "current", sort: "newest" });
	const { keys } = workspace;
	const hasChosen = keys.some((key) => key.tools);
	useEffect(() => {
		// Without them only the number of chosen tools is missing.
		if (hasChosen) loadTools().catch(() => {});
	}, [hasChosen]);
	if (!keys.length) return html`<${FirstKey} />`;
	const [value, greatestFirst] = SORTS[wanted.sort];
	// The keys come newest first, and sorting keeps that order among equals.
	const shown = keys.filter((key) => fits(wanted, key)).sort((left, right) =>
		(greatestFirst ? -1 : 1) * (Number(value(left) > value(right)) - Number(value(left) < value(right))));
	/** @param {string} name */
	const set = (name) => (/** @type {string} */ next) => setWanted({ ...wanted, [name]: next });
	return html`
		<section>
			<${Attention} show=${(/** @type {string} */ state) => setWanted({ ...ANYTHING, sort: wanted.sort, state })} />
			<div class="toolbar">
				<div class="search"><${Icon} name="search" />
					<input type="search" aria-label=${t("keys-search")} placeholder=${t("keys-search.placeholder")} value=${wanted.words} onInput=${(/** @type {any} */ event) => set("words")(event.target.value)} />
				</div>
				<${Choice} label=${t("keys-filter-state")} options=${Object.keys(STATES).map((state) => [state, t(`keys-show-${state}`)])} value=${wanted.state} onChange=${set("state")} />
				<${Choice} label=${t("keys-filter-access")} options=${[["", t("keys-any")], ["read", scopeWords("read")], ["write", scopeWords("write")]]} value=${wanted.scope} onChange=${set("scope")} />
				<${Choice} label=${t("keys-filter-owner")} options=${[["", t("keys-anyone")], ["mine", t("you")], ["others", t("keys-others")]]} value=${wanted.owner} onChange=${set("owner")} />
				<${Choice} label=${t("keys-sort")} options=${Object.keys(SORTS).map((sort) => [sort, t(`keys-sort-${sort}`)])} value=${wanted.sort} onChange=${set("sort")} />
			</div>
			<p class="soft small count" role="status">${t(shown.length === keys.length ? "keys-count" : "keys-count-shown", { shown: shown.length, count: keys.length })}</p>
			${shown.length
				? html`<div class="card table-card"><${DataTable} name=${t("keys-table")} heads=${COLUMNS.map((column) => t(`keys-column-${column}`))}>${shown.map((key) => html`<${KeyRow} key=${key.key_id} of=${key} />`)}<//></div>`
				: html`<${Empty} icon="search" title=${t("keys-nothing-fits")}><${Button} onClick=${() => setWanted({ ...wanted, ...ANYTHING })}>${t("keys-show-every")}<//><//>`}
		</section>`;
}

/** Keys that expire soon or are not used, with a way to see only them. @param {{ show: (state: string) => void }} properties */
function Attention({ show }) {
	const found = ["expiring", "idle"].map((state) => ({ state, count: workspace.keys.filter(STATES[state]).length })).filter(({ count }) => count);
	return found.length > 0 && html`
		<div class="attention">
			${found.map(({ state, count }) => html`
				<${Notice} key=${state} tone="warning" title=${t(`keys-attention-${state}`, { count })}>
					<p class="row"><${Button} kind="small" onClick=${() => show(state)}>${t("keys-attention-show", { count })}<//></p>
				<//>`)}
		</div>`;
}

const FirstKey = () => html`
	<${Empty} icon="key" title=${t("keys-first")}>
		<p>${t("keys-first-what", { brand: workspace.brand.name })}</p>
		<ol>${[1, 2, 3].map((step) => html`<li key=${step}>${t(`keys-first-step-${step}`)}</li>`)}</ol>
		<${Button} kind="primary" icon="plus" onClick=${() => openDialog("create")}>${t("keys-first-create")}<//>
	<//>`;

/** One key. Another member's shows the same facts, but only its creator can show its secret. @param {{ of: Key }} properties */
function KeyRow({ of }) {
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
				${of.tools && workspace.tools.length > 0 && html`<small>${t("keys-chosen-tools", { count: toolsOfKey(of).length })}</small>`}
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
