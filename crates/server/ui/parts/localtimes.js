// @ts-check
// Times in the time zone of the person, and fields in which they enter one.
import { LOCALE } from "../lang/lang.js";

export { exact, FullTime, relative } from "./times.js";

/** Such as "Europe/Berlin". */
export const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const ZONE_WORDS = new Intl.DateTimeFormat(LOCALE, { timeZoneName: "long" });
/** Such as "Central European Standard Time". */
export const zoneWords = () => ZONE_WORDS.formatToParts(new Date()).find(({ type }) => type === "timeZoneName")?.value ?? TIME_ZONE;

/** The value of a `datetime-local` field: `2026-11-18T09:00`. Empty: there is no time, or it cannot be read. @param {string | null} at */
export function fieldOfTime(at) {
	const date = new Date(at ?? "");
	if (Number.isNaN(date.getTime())) return "";
	return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @param {string} value Of a `datetime-local` field. Empty: no time. */
export const timeOfField = (value) => (value ? new Date(value).toISOString() : "");
