// @ts-check
import { t } from "../lang/lang.js";

// From the private-use area, so that no text contains it.
const MARK = "\uE000";
const MARKED = new RegExp(`${MARK}(\\w+)${MARK}`);

/**
 * A text with elements in it, such as a time or a link: `rich("keys-used", { when: html`<${Time} at=${at} />` })`.
 * @param {string} id
 * @param {Record<string, any>} elements
 * @param {Record<string, string | number>} [values]
 */
export function rich(id, elements, values) {
	const marks = Object.fromEntries(Object.keys(elements).map((name) => [name, `${MARK}${name}${MARK}`]));
	return t(id, { ...values, ...marks }).split(MARKED).map((/** @type {string} */ part, /** @type {number} */ index) => (index % 2 ? elements[part] : part));
}
