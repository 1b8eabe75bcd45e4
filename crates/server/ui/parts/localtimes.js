// @ts-check
// Times in the time zone of the person, and fields in which they enter one.
import { exact, relative } from "./time.js";
import { html } from "./preact.js";
import { LOCALE } from "../lang/lang.js";

export { exact, relative };

/** Such as "Europe/Berlin". */
export const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const ZONE_WORDS = new Intl.DateTimeFormat(LOCALE, { timeZoneName: "long" });
/** Such as "Central European Standard Time". */
export const zoneWords = () => ZONE_WORDS.formatToParts(new Date()).find(({ type }) => type === "timeZoneName")?.value ?? TIME_ZONE;

/** With the exact time beside it, where there is room. @param {{ at: string }} properties */
export const FullTime = ({ at }) => html`<span><time datetime=${at} title=${exact(at)}>${relative(at)}</time> (${exact(at)})</span>`;

/** The value of a `datetime-local` field: `2026-11-18T09:00`. @param {string | null} at */
export function fieldOfTime(at) {
	if (!at) return "";
	const date = new Date(at);
	return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @param {string} value Of a `datetime-local` field. Empty: no time. */
export const timeOfField = (value) => (value ? new Date(value).toISOString() : "");
