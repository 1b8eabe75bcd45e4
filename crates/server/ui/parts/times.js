// @ts-check
// Times as the person's language and region write them.
import { LOCALE, t } from "../lang/lang.js";
import { exact, relative } from "./time.js";
import { html } from "./preact.js";

const DATE_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const NUMBER = new Intl.NumberFormat(LOCALE);

/** "18 Nov 2026, 14:05". @param {string} at */
export const dateTime = (at) => DATE_TIME.format(new Date(at));

/** @param {number} count */
export const number = (count) => NUMBER.format(count);

/** A time in words that stays right while the page is open, with the exact time on hover. @param {{ at: string | null }} properties */
export const Time = ({ at }) => (at ? html`<time datetime=${at} title=${exact(at)}>${relative(at)}</time>` : html`<span class="soft">${t("never")}</span>`);
