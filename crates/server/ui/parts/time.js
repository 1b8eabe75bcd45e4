// @ts-check
import { LOCALE, t } from "../lang/lang.js";
import { tag } from "./dom.js";

const COUNTED = new Intl.RelativeTimeFormat(LOCALE);
const NAMED = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });
const EXACT = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "long" });
const DAY = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", timeZone: "UTC" });
const DATE = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "long" });
const DATE_WITH_YEAR = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "long", year: "numeric" });
const REDRAW_EVERY_MS = 20_000;

/** Each unit, its seconds, and how many there must be of it. @type {[Intl.RelativeTimeFormatUnit, number, number][]} */
const UNITS = [["year", 31_536_000, 1], ["month", 2_592_000, 2], ["day", 86_400, 1], ["hour", 3_600, 1], ["minute", 60, 1]];

/** "3 minutes ago", "in 6 days". @param {string} at */
export function relative(at) {
	const seconds = (Date.parse(at) - Date.now()) / 1000;
	for (const [unit, size, least] of UNITS) {
		// Future times are rounded: a key that lasts 30 days should not say 29 a second later.
		const count = seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size);
		if (Math.abs(seconds) >= least * size) return (unit === "day" ? NAMED : COUNTED).format(count, unit);
	}
	return t(seconds > 0 ? "in-a-moment" : "just-now");
}

/** "15 Nov 2026, 02:36:10 CET". @param {string} at */
export const exact = (at) => EXACT.format(new Date(at));

/** "15 Nov". @param {string} day Such as `2026-11-15`. */
export const dayName = (day) => DAY.format(new Date(`${day}T00:00:00Z`));

/** "3 May", or "3 May 2025" if that is in another year. @param {string} at */
export function dateName(at) {
	const date = new Date(at);
	return (date.getFullYear() === new Date().getFullYear() ? DATE : DATE_WITH_YEAR).format(date);
}

/** A time in words that stays right while the page is open, with the exact time on hover. @param {string} at */
export const timeElement = (at) => tag("time", { datetime: at, title: exact(at) }, relative(at));

/** @param {string | null} at */
export const timeOrNever = (at) => (at ? timeElement(at) : tag("span.soft", t("never")));

/** With the exact time beside it, where there is room. @param {string | null} at */
export const fullTime = (at) => tag("span", timeOrNever(at), at && ` (${exact(at)})`);

export const keepTimesFresh = () => setInterval(() => {
	for (const shown of document.querySelectorAll("time")) {
		const words = relative(shown.dateTime);
		if (shown.textContent !== words) shown.textContent = words;
	}
}, REDRAW_EVERY_MS);
