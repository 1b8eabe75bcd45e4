// @ts-check
// The texts of the page. Each language has one folder; each view has one file in it, which is loaded with the view.
import { FluentBundle, FluentResource } from "../vendor/fluent.js";

/** The languages that have every text. A test compares them with English. */
const LANGUAGES = ["en", "de", "es", "fr", "ja", "pt"];

/** The language of the page: the first one that the browser prefers and that we have. */
export const LANGUAGE = navigator.languages.map((tag) => tag.split("-")[0]).find((language) => LANGUAGES.includes(language)) ?? "en";

/** For dates and numbers: as the person's region writes them, if it speaks the language of the page. */
export const LOCALE = navigator.languages.find((tag) => tag.split("-")[0] === LANGUAGE) ?? LANGUAGE;

document.documentElement.lang = LANGUAGE;

// From the private-use area, so that no text contains it.
const MARK = "\uE000";
const MARKED = new RegExp(`${MARK}(\\w+)${MARK}`);

// All languages of the page are written from left to right, so no marks around values are needed.
const bundle = new FluentBundle(LOCALE, { useIsolating: false });
/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Loads the texts of a part of the page, once.
 * @param {string} name Such as `posts` for `lang/en/posts.ftl`.
 */
export function loadTexts(name) {
	let loaded = loading.get(name);
	if (!loaded) {
		loaded = load(name);
		loading.set(name, loaded);
		// A failure is not kept, so that the next try asks again.
		loaded.catch(() => loading.delete(name));
	}
	return loaded;
}

/** @param {string} name */
async function load(name) {
	const response = await fetch(new URL(`${LANGUAGE}/${name}.ftl`, import.meta.url));
	if (!response.ok) throw new Error(`The texts of this view could not be loaded (${response.status}).`);
	bundle.addResource(new FluentResource(await response.text()));
}

/**
 * A text in the language of the person.
 * @param {string} id Such as `posts-title`, or `posts-search.placeholder` for an attribute of a message.
 * @param {Record<string, string | number | Date>} [values]
 */
export function t(id, values) {
	const [name, attribute] = id.split(".");
	const message = bundle.getMessage(name);
	const pattern = attribute ? message?.attributes[attribute] : message?.value;
	return pattern ? bundle.formatPattern(pattern, /** @type {any} */ (values)) : id;
}

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

// Every view needs these.
loadTexts("page").catch(() => {});
