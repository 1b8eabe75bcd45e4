// @ts-check
// The arguments of a call: as a person reads them, edits them, and sends them back.
import { t } from "../../lang/lang.js";
import { fieldOfTime, timeOfField } from "../../parts/localtimes.js";

/** Arguments with a name in the person's language, in the order in which they are edited. */
const NAMED = ["text", "title", "link", "media", "channels", "mode", "scheduled_at", "post_id", "subject", "recipients"];
/** What a person may add to the call, although the assistant did not send it. @type {Record<string, string[]>} */
const MORE = { create_post: ["title", "link"], update_post: ["text", "title", "link"] };
/** Not a part of what happens. */
const HIDDEN = "idempotency_key";
/** How `create_post` publishes. */
export const MODES = ["draft", "schedule", "now"];
const MAX_LINE_CHARS = 80;

/** @param {string} name */
export const argumentLabel = (name) => (NAMED.includes(name) ? t(`approvals-argument-${name.replace("_", "-")}`) : name[0].toUpperCase() + name.slice(1).replaceAll("_", " "));

/** @param {unknown} value @returns {string} */
export function readable(value) {
	if (Array.isArray(value)) return value.map(readable).join(value.some((one) => typeof one === "object") ? "\n" : ", ");
	if (value && typeof value === "object") return Object.entries(value).map(([name, one]) => `${name}: ${readable(one)}`).join(", ");
	return value === null ? t("approvals-none") : String(value);
}

/** @param {Approval} approval @returns {ArgumentField[]} */
export function fieldsOf({ tool, arguments: sent, preview }) {
	const names = Object.keys(sent).filter((name) => name !== HIDDEN);
	const more = (MORE[tool] ?? []).filter((name) => !names.includes(name));
	/** @param {string} name */
	const place = (name) => (NAMED.includes(name) ? NAMED.indexOf(name) : NAMED.length);
	return [...names, ...more].sort((left, right) => place(left) - place(right)).map((name) => fieldOf(name, sent[name] ?? "", name in sent, preview?.post?.scheduled_at));
}

/** @param {string} name @param {unknown} value @param {boolean} wasSent @param {string | undefined} at The time of the post. @returns {ArgumentField} */
function fieldOf(name, value, wasSent, at) {
	/** @param {ArgumentField["kind"]} kind @param {string} text */
	const field = (kind, text) => ({ name, kind, value: text, wasSent });
	if (name === "scheduled_at" && at) return field("time", fieldOfTime(at));
	if (name === "mode" && MODES.includes(String(value))) return field("mode", String(value));
	if (name === "channels" && Array.isArray(value)) return field("channels", value.join(","));
	if (typeof value === "string") return field(name === "text" || value.length > MAX_LINE_CHARS || value.includes("\n") ? "text" : "line", value);
	if (typeof value === "number") return field("number", String(value));
	if (typeof value === "boolean") return field("flag", String(value));
	return field("json", JSON.stringify(value, null, 2));
}

/** The fields that a person has changed. @param {ArgumentField[]} before @param {ArgumentField[]} after */
export const changedFields = (before, after) => after.filter((field, index) => field.value !== before[index].value);

/** All arguments with the person's changes. Throws a SyntaxError with the field's name if a value cannot be read. @param {Approval} approval @param {ArgumentField[]} changed */
export function argumentsWith({ tool, arguments: sent }, changed) {
	const all = { ...sent };
	for (const field of changed) {
		// An empty text removes what a post has; in every other call the argument is left out.
		if (field.value === "" && !(tool === "update_post" && field.wasSent)) delete all[field.name];
		else all[field.name] = valueOf(field);
	}
	return all;
}

/** @param {ArgumentField} field */
function valueOf({ name, kind, value }) {
	switch (kind) {
		case "time": return timeOfField(value);
		case "channels": return value.split(",").filter(Boolean);
		case "number": return Number(value);
		case "flag": return value === "true";
		case "json": try {
			return JSON.parse(value);
		} catch {
			throw new SyntaxError(name);
		}
		default: return value;
	}
}
