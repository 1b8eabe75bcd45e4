// @ts-check
// Times and numbers as the person's language and region write them.
import { LOCALE, rich, t } from "../lang/lang.js";
import { html, signal } from "../vendor/preact.js";

/** Each takes milliseconds to make, and the first view needs none. @template T @param {() => T} make @returns {() => T} */
function once(make) {
	/** @type {T | undefined} */
	let made;
	return () => (made ??= make());
}

const counted = once(() => new Intl.RelativeTimeFormat(LOCALE));
const named = once(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" }));
const exactly = once(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "long" }));
const dateAndTime = once(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" }));
const dayAndMonth = once(() => new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", timeZone: "UTC" }));
const date = once(() => new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "long" }));
const dateWithYear = once(() => new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "long", year: "numeric" }));
const clock = once(() => new Intl.DateTimeFormat(LOCALE, { timeStyle: "short", timeZone: "UTC" }));
const numbers = once(() => new Intl.NumberFormat(LOCALE));
const lists = once(() => new Intl.ListFormat(LOCALE));
const REDRAW_EVERY_MS = 20_000;

/** Each unit, its seconds, and how many there must be of it. @type {[Intl.RelativeTimeFormatUnit, number, number][]} */
const UNITS = [["year", 31_536_000, 1], ["month", 2_592_000, 2], ["day", 86_400, 1], ["hour", 3_600, 1], ["minute", 60, 1]];

/** "3 minutes ago", "in 6 days". @param {string} at */
export function relative(at) {
	const seconds = (Date.parse(at) - Date.now()) / 1000;
	for (const [unit, size, least] of UNITS) {
		// Future times are rounded: a key that lasts 30 days should not say 29 a second later.
		const count = seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size);
		if (Math.abs(seconds) >= least * size) return (unit === "day" ? named() : counted()).format(count, unit);
	}
	return t(seconds > 0 ? "in-a-moment" : "just-now");
}

/** "15 Nov 2026, 02:36:10 CET". @param {string} at */
export const exact = (at) => exactly().format(new Date(at));

/** "18 Nov 2026, 14:05". @param {string} at */
export const dateTime = (at) => dateAndTime().format(new Date(at));

/** "15 Nov". @param {string} day Such as `2026-11-15`. */
export const dayName = (day) => dayAndMonth().format(new Date(`${day}T00:00:00Z`));

/** "3 May", or "3 May 2025" if that is in another year. @param {string} at */
export function dateName(at) {
	const day = new Date(at);
	return (day.getFullYear() === new Date().getFullYear() ? date() : dateWithYear()).format(day);
}

/** "9:00 AM" or "09:00". @param {string} at Such as `09:00`, in any time zone. */
export const timeOfDay = (at) => clock().format(new Date(`1970-01-01T${at}Z`));

/** @param {number} count */
export const number = (count) => numbers().format(count);

/** "3 posts, 2 mails, and 1 approval". @param {string[]} parts */
export const listed = (parts) => lists().format(parts);

const ticks = signal(0);

/** Draws the times again from time to time, so that they stay right while the page is open. */
export const keepTimesFresh = () => setInterval(() => {
	ticks.value += 1;
}, REDRAW_EVERY_MS);

/** A time in words, with the exact time on hover. @param {{ at: string | null }} properties */
export function Time({ at }) {
	// Read for its subscription.
	void ticks.value;
	return at ? html`<time datetime=${at} title=${exact(at)}>${relative(at)}</time>` : html`<span class="soft">${t("never")}</span>`;
}

/** With the exact time beside it, where there is room. @param {{ at: string | null }} properties */
export const FullTime = ({ at }) => html`<span>${at ? rich("full-time", { when: html`<${Time} at=${at} />` }, { exact: exact(at) }) : html`<${Time} at=${at} />`}</span>`;
