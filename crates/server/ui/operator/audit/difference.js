// @ts-check
import { t } from "../../lang/lang.js";
import { html } from "../../vendor/preact.js";
import { number } from "../../parts/times.js";

/** What the service writes in place of texts, names and addresses. */
const CHANGED = "changed";

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of an object, those of nested ones with their path. @param {Record<string, unknown> | null} object @param {string} [path] @returns {[string, unknown][]} */
const fieldsOf = (object, path = "") => Object.entries(object ?? {}).flatMap(([name, value]) => (
	isObject(value) && Object.keys(value).length ? fieldsOf(value, `${path}${name}.`) : [/** @type {[string, unknown]} */ ([path + name, value])]));

/** @param {unknown} value */
function wordsOf(value) {
	if (value === null || (isObject(value) && !Object.keys(value).length)) return t("operator-audit-none");
	if (typeof value === "boolean") return t(value ? "operator-audit-yes" : "operator-audit-no");
	if (typeof value === "number") return number(value);
	return typeof value === "string" ? value : JSON.stringify(value);
}

/** What was changed, field by field. @param {{ before: Record<string, unknown> | null, after: Record<string, unknown> | null }} properties */
export function Difference({ before, after }) {
	const [old, now] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
	const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)));
	if (!names.length) return html`<span class="soft">${t("operator-audit-no-fields")}</span>`;
	return html`
		<ul class="difference">${names.map((name) => html`
			<li><code>${name}</code> <${Values} hadOne=${old.has(name)} old=${old.get(name)} hasOne=${now.has(name)} now=${now.get(name)} /></li>`)}
		</ul>`;
}

/** @param {{ hadOne: boolean, old: unknown, hasOne: boolean, now: unknown }} properties */
function Values({ hadOne, old, hasOne, now }) {
	if (now === CHANGED) return html`<span>${t("operator-audit-changed")}</span>`;
	return html`
		${hadOne && html`<span class="visually-hidden">${t("operator-audit-before")} </span><del>${wordsOf(old)}</del> `}
		${hasOne && html`<span class="visually-hidden">${t("operator-audit-after")} </span><ins>${wordsOf(now)}</ins>`}`;
}
