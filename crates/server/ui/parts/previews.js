// @ts-check
// A post as it will look on each of its channels.
import { workspace } from "../app/model.js";
import { t } from "../lang/lang.js";
import { html } from "../vendor/preact.js";
import { lengthOn, textOn } from "./channels.js";
import { number } from "./times.js";

/** @param {{ post: PostContent, names: string[], channels: Channel[] }} properties `names`: the channels of the post. */
export const Previews = ({ post, names, channels }) => html`
	<ul class="previews" aria-label=${t("preview-list")}>
		${names.map((name) => html`<${Preview} key=${name} name=${name} channel=${channels.find((one) => one.channel_id === name)} post=${post} />`)}
	</ul>`;

/** @param {{ name: string, channel?: Channel, post: PostContent }} properties */
function Preview({ name, channel, post }) {
	const kind = channel?.kind ?? "other";
	const text = textOn(channel, post);
	return html`
		<li class=${`post-card ${kind}`}>
			<div class="post-card-head"><strong>${name}</strong>${name !== kind && kind !== "other" && html`<span class="soft small">${t(`preview-kind-${kind}`)}</span>`}</div>
			${kind === "mastodon" || kind === "bluesky" ? html`<${Social} channel=${channel} text=${text} post=${post} />` : html`<${Article} text=${text} post=${post} />`}
			${channel && html`<${Length} channel=${channel} text=${text} />`}
		</li>`;
}

/** @param {{ text: string, post: PostContent }} properties */
const Article = ({ text, post: { title, link, media } }) => html`
	<div class="post-card-body">
		${title && html`<p class="post-card-title">${title}</p>`}
		<p class="post-card-text">${text}</p>
		${link && html`<p class="post-card-link">${link}</p>`}
		<${Pictures} media=${media} />
	</div>`;

/** @param {{ channel?: Channel, text: string, post: PostContent }} properties */
function Social({ channel, text, post: { link, media } }) {
	const hasCard = channel?.kind === "bluesky" && link && !media.length;
	return html`
		<div class="post-card-body social">
			<span class="avatar" aria-hidden="true">${workspace.brand.name.slice(0, 1)}</span>
			<div>
				<p class="post-card-title">${workspace.brand.name} <span class="soft small">${channel?.settings.identifier ?? channel?.settings.server ?? ""}</span></p>
				<p class="post-card-text">${text}</p>
				${hasCard && html`<p class="post-card-link">${link}</p>`}
				<${Pictures} media=${media} />
			</div>
		</div>`;
}

/** The page may not load pictures of other hosts, so their descriptions stand for them. @param {{ media: Media[] }} properties */
const Pictures = ({ media }) => media.length > 0 && html`
	<ul class="pictures">${media.map(({ url, alt }) => html`<li><span>${alt || t("preview-no-alt")}</span><span class="soft small">${url}</span></li>`)}</ul>`;

/** @param {{ channel: Channel, text: string }} properties */
function Length({ channel, text }) {
	const { length, limit, isOver } = lengthOn(channel, text);
	const width = `${Math.min(100, (length / limit) * 100)}%`;
	return html`
		<div class="post-card-length">
			<span class="bar" aria-hidden="true"><span class=${isOver ? "high" : null} style=${{ width }}></span></span>
			<span class=${isOver ? "field-fault" : "soft small"}>${t(isOver ? "preview-too-long" : "preview-length", { length: number(length), limit: number(limit) })}</span>
		</div>`;
}
