// @ts-check
// A post as a person edits it.
import { t } from "../../lang/lang.js";
import { fieldOfTime, timeOfField } from "../../parts/localtimes.js";
import { dateTime } from "../../parts/times.js";

const NAMES = /** @type {(keyof PostForm)[]} */ (["text", "title", "link", "media", "channels", "time"]);

/** @param {Post} post @returns {PostForm} */
export const formOf = (post) => ({
	text: post.text,
	title: post.title ?? "",
	link: post.link ?? "",
	media: post.media,
	channels: post.targets.filter(({ status }) => status !== "cancelled").map(({ channel }) => channel),
	time: fieldOfTime(post.scheduled_at),
});

/** @param {keyof PostForm} name @param {PostForm} form */
export function fieldText(name, form) {
	if (name === "channels") return form.channels.toSorted().join(", ");
	if (name === "media") return form.media.map(({ url, alt }) => `${url} ${alt}`.trim()).join("\n");
	if (name === "time") return form.time && dateTime(timeOfField(form.time));
	return form[name];
}

/** The names of the fields that differ. @param {PostForm} before @param {PostForm} after */
export const changedNames = (before, after) => NAMES.filter((name) => fieldText(name, before) !== fieldText(name, after));

/** Only what a person has changed is sent, so the changes of others stay. @param {PostForm} form @param {(keyof PostForm)[]} names */
export function changesOf(form, names) {
	/** @param {keyof PostForm} name */
	const valueOf = (name) => {
		if (name === "time") return ["scheduled_at", timeOfField(form.time)];
		return [name, name === "media" ? form.media.filter(({ url }) => url.trim()) : form[name]];
	};
	return Object.fromEntries(names.map(valueOf));
}

/**
 * Joins what was typed with a post that was changed meanwhile: fields that the person did not touch are those of the post.
 * @param {PostForm} typed @param {Post} before @param {Post} now
 * @returns {{ form: PostForm, conflicts: PostConflict[] }}
 */
export function join(typed, before, now) {
	const [old, current] = [formOf(before), formOf(now)];
	const mine = changedNames(old, typed);
	const form = { ...current, ...Object.fromEntries(mine.map((name) => [name, typed[name]])) };
	const conflicts = changedNames(old, current).map((name) => ({
		name, from: fieldText(name, old), to: fieldText(name, current), isMine: mine.includes(name),
	}));
	return { form, conflicts };
}

/** @param {keyof PostForm} name */
export const fieldLabel = (name) => t(`posts-field-${name}`);
