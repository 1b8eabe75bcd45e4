// @ts-check
// Days, weeks and months in the time zone of the person.
import { LOCALE } from "../../lang/lang.js";

const MONTH = new Intl.DateTimeFormat(LOCALE, { month: "long", year: "numeric" });
const DAY = new Intl.DateTimeFormat(LOCALE, { weekday: "long", day: "numeric", month: "long" });
const WEEKDAY = new Intl.DateTimeFormat(LOCALE, { weekday: "short" });
const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: "short" });
const MONDAY = 1;
const DAYS_A_WEEK = 7;

/** @param {Date} month */
export const monthName = (month) => MONTH.format(month);
/** @param {Date} day */
export const dayName = (day) => DAY.format(day);
/** @param {string} at */
export const clockTime = (at) => CLOCK.format(new Date(at));

/** 1 (Monday) to 7. */
function firstWeekday() {
	const locale = /** @type {any} */ (new Intl.Locale(LOCALE));
	return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? MONDAY;
}

/** @param {Date} date @param {number} [months] */
export const startOfMonth = (date, months = 0) => new Date(date.getFullYear(), date.getMonth() + months, 1);

/** @param {Date} day @param {number} days */
export const addDays = (day, days) => new Date(day.getFullYear(), day.getMonth(), day.getDate() + days);

/** Such as `2026-11-18`. @param {Date} date */
export const dayKey = (date) => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;

/** The weeks that show a month. @param {Date} month */
export function weeksOf(month) {
	const before = (month.getDay() - firstWeekday() + DAYS_A_WEEK) % DAYS_A_WEEK;
	const end = startOfMonth(month, 1);
	const weeks = [];
	for (let day = addDays(month, -before); day < end; day = addDays(day, DAYS_A_WEEK)) {
		weeks.push(Array.from({ length: DAYS_A_WEEK }, (_, index) => addDays(day, index)));
	}
	return weeks;
}

/** @param {Date[]} week */
export const weekdayNames = (week) => week.map((day) => WEEKDAY.format(day));

/** The same time on another day, as the clock shows it. @param {string} at @param {Date} day */
export function onDay(at, day) {
	const time = new Date(at);
	return new Date(day.getFullYear(), day.getMonth(), day.getDate(), time.getHours(), time.getMinutes(), time.getSeconds()).toISOString();
}
