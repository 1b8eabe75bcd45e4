// @ts-check
// The states of a post, and what a person may do in each. The service checks it, too.
import { isMine, workspace } from "../../app/model.js";

/** @type {Record<TargetStatus, Tone>} */
export const TONES = {
	failed: "bad", uncertain: "warning", publishing: "info", withdrawing: "info", scheduled: "info", published: "good", draft: "off", cancelled: "off", withdrawn: "off",
};
/** The first one that a channel of the post has is the state of the post: what needs a person comes first. */
export const STATUSES = /** @type {TargetStatus[]} */ (Object.keys(TONES));

/** @param {Post} post */
export const stateOf = ({ targets }) => STATUSES.find((status) => targets.some((target) => target.status === status)) ?? "draft";

/** When it goes or went out; null for a draft without a time. @param {Post} post */
export function shownAt(post) {
	const published = post.targets.map((target) => target.published_at).filter((at) => at !== null).sort();
	return published[0] ?? post.scheduled_at ?? (stateOf(post) === "draft" ? null : post.created_at);
}

/** Members act on posts of their own keys, administrators on all. @param {Post} post */
export const mayChange = ({ key_id: id }) => workspace.brand.role === "admin" || workspace.keys.some((key) => key.key_id === id && isMine(key));

/** @param {PostTarget} target */
const isOpen = ({ status }) => status === "draft" || status === "scheduled";

/** Nothing was sent, and nothing was tried. @param {Post} post */
export const canEdit = ({ targets }) => targets.some(isOpen)
	&& targets.every((target) => target.status === "cancelled" || (isOpen(target) && !target.error));

/** @param {Post} post */
export const canPublish = ({ targets }) => targets.some(({ status }) => status === "draft");

/** @param {Post} post */
export const canRetry = ({ targets }) => targets.some(({ status }) => status === "failed");

/** Whether no attempt is being made at this moment. @param {PostTarget} target */
export const canBeStopped = ({ status, attempts, next_attempt_at: next }) => status === "scheduled" || (status === "publishing" && (attempts === 0 || next !== null));

/** @param {Post} post */
export const canStop = ({ targets }) => targets.some(canBeStopped);

/** @param {Post} post */
export const canWithdraw = ({ targets }) => targets.some(({ status }) => status === "published");

/** Nothing of it is or was public, and nothing is planned. @param {Post} post */
export const canDelete = ({ targets }) => targets.every(({ status }) => status === "draft" || status === "failed" || status === "cancelled");

/** Whether a channel is being asked at this moment, so that the state changes soon. @param {Post} post */
export const isMoving = ({ targets }) => targets.some(({ status, next_attempt_at: next }) => (status === "publishing" || status === "withdrawing") && next === null);

/** @param {Post} post */
export const isMovable = (post) => mayChange(post) && canEdit(post) && post.scheduled_at !== null;

const MAX_NAME_CHARS = 70;
/** @param {Post} post */
export function nameOf({ title, text }) {
	const words = title ?? text;
	return words.length > MAX_NAME_CHARS ? `${words.slice(0, MAX_NAME_CHARS).trimEnd()}…` : words;
}
