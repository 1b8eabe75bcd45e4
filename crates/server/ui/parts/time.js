// @ts-check
import { t } from "../lang/lang.js";
import { tag } from "./dom.js";
import { exact, relative } from "./times.js";

/** A time in words, with the exact time on hover. @param {string} at */
export const timeElement = (at) => tag("time", { datetime: at, title: exact(at) }, relative(at));

/** @param {string | null} at */
const timeOrNever = (at) => (at ? timeElement(at) : tag("span.soft", t("never")));

/** With the exact time beside it, where there is room. @param {string | null} at */
export const fullTime = (at) => tag("span", timeOrNever(at), at && ` (${exact(at)})`);

export { keepTimesFresh } from "./times.js";
