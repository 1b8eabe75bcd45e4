// @ts-check
import { fact, tag } from "../../parts/dom.js";
import { fullTime } from "../../parts/time.js";

/** What a call would do, as names and values. @param {Approval} approval @returns {Part[]} */
export function previewFacts({ preview, arguments: sent }) {
	const notes = preview?.notes?.length > 0 && fact("Notes", readable(preview?.notes));
	if (preview?.post) return [postFacts(preview.post), notes];
	if (preview?.subject) {
		const { recipients, ...more } = sent;
		return [fact("Subject", preview.subject), fact("Recipients", readable(preview.recipients ?? recipients)), argumentFacts(more)];
	}
	return [argumentFacts(sent), notes];
}

/** What the agent sent, where the preview shows something else. @param {Approval} approval @returns {Part} */
export const sentArguments = ({ preview, arguments: sent }) => preview?.post
	&& tag("details", tag("summary", "Show what the assistant sent"), tag("dl.preview", argumentFacts(sent)));

/** @param {Record<string, any>} post The post as it would be afterwards. @returns {Part[]} */
function postFacts({ title, text, link, media, targets, scheduled_at: at }) {
	/** @param {string} status */
	const some = (status) => targets.some((/** @type {{ status: string }} */ target) => target.status === status);
	return [
		title && fact("Title", title),
		fact("Text", text),
		link && fact("Link", link),
		media.length > 0 && fact("Media", readable(media)),
		fact("Channels", targets.map((/** @type {Record<string, string>} */ target) => `${target.channel} (then ${target.status})`).join(", ")),
		fact("When", some("scheduled") && at ? fullTime(at) : some("draft") ? "Not yet: it stays a draft" : "As soon as it is approved"),
	];
}

/** @param {Record<string, unknown>} sent @returns {Part[]} */
function argumentFacts(sent) {
	const all = Object.entries(sent).map(([name, value]) => fact(name[0].toUpperCase() + name.slice(1).replaceAll("_", " "), readable(value)));
	return all.length ? all : fact("Arguments", "None");
}

/** @param {unknown} value @returns {string} */
function readable(value) {
	if (Array.isArray(value)) return value.map(readable).join(value.some((one) => typeof one === "object") ? "\n" : ", ");
	if (value && typeof value === "object") return Object.entries(value).map(([name, one]) => `${name}: ${readable(one)}`).join(", ");
	return value === null ? "None" : String(value);
}
