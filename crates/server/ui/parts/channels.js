// @ts-check
// The channels of the brand, and how each counts the length of a text.
import { ofBrand, request } from "../app/api.js";
import { workspace } from "../app/model.js";

/** Every brand has it. @type {Channel} */
const FEED = { channel_id: "feed", kind: "feed", text_limit: 10_000, media_limit: 10, settings: {} };
const BLUESKY_MAX_BYTES = 3_000;
/** Mastodon counts every link as this many characters. */
const MASTODON_LINK_CHARS = 23;

/** The channels that the person may know: the service tells the others only to administrators. @returns {Promise<Channel[]>} */
export async function loadChannels() {
	if (workspace.brand.role !== "admin") return [FEED];
	return (await request("GET", `${ofBrand(workspace.brand.brand_id)}/channels`)).channels;
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Characters as people count them: a flag is one. @param {string} text */
const graphemes = (text) => [...SEGMENTER.segment(text)].length;

const LINK = /(^|[\s(])https?:\/\/[^\s/?#]+\.[a-z][a-z-]+(?![^\s/?#:])\S*?(?=[.,;:!?"')]*(?:\s|$))/gi;
const MENTION = /(?<!\w)(@\w+)@[\p{L}\p{N}._-]*[\p{L}\p{N}_]/gu;

/** @param {string} text */
function mastodonLength(text) {
	let links = 0;
	const rest = text.replace(LINK, (_, before) => {
		links += 1;
		return before;
	});
	return graphemes(rest.replace(MENTION, "$1")) + links * MASTODON_LINK_CHARS;
}

/** What readers of the channel see as the text. @param {Channel | undefined} channel @param {PostContent} content */
export function textOn(channel, { text, link, media }) {
	const isBelow = channel?.kind === "mastodon" || (channel?.kind === "bluesky" && media.length > 0);
	return link && isBelow && !text.includes(link) ? `${text}\n\n${link}` : text;
}

/** How much of the channel's limit a text takes. @param {Channel} channel @param {string} text */
export function lengthOn(channel, text) {
	const length = channel.kind === "mastodon" ? mastodonLength(text) : graphemes(text);
	const isTooLarge = channel.kind === "bluesky" && new TextEncoder().encode(text).length > BLUESKY_MAX_BYTES;
	return { length, limit: channel.text_limit, isOver: length > channel.text_limit || isTooLarge };
}
