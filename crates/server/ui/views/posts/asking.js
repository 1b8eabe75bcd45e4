// @ts-check
// What a person orders for a post, after it was said exactly what happens.
import { t } from "../../lang/lang.js";
import { TextField } from "../../parts/fields.js";
import { zoneWords } from "../../parts/localtimes.js";
import { html } from "../../vendor/preact.js";
import { dateTime, listed } from "../../parts/times.js";
import { canBeStopped } from "./states.js";

/** The post that the question is about. @param {{ post: Post }} properties */
const Quote = ({ post: { title, text } }) => html`
	<blockquote class="named">${title && html`<p>${title}</p>`}<div class="post-card-text">${text}</div></blockquote>`;

/** @param {{ post: Post, when: { isNow: boolean, time: string }, fault?: string, onChange: (when: { isNow: boolean, time: string }) => void }} properties */
export const AskPublish = ({ post, when, fault, onChange }) => html`
	<p>${t("posts-publish-help", { count: post.targets.filter(({ status }) => status === "draft").length, channels: names(post, ({ status }) => status === "draft") })}</p>
	<${Quote} post=${post} />
	<form onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
		<fieldset><legend>${t("posts-publish-when")}</legend>
			${[true, false].map((isNow) => html`
				<label class="check" key=${String(isNow)}><input type="radio" name="when" checked=${when.isNow === isNow} onChange=${() => onChange({ ...when, isNow })} /><span>${t(isNow ? "posts-publish-now" : "posts-publish-later")}</span></label>`)}
		</fieldset>
		${!when.isNow && html`<${TextField} label=${t("posts-field-time")} type="datetime-local" hint=${t("posts-time-hint", { zone: zoneWords() })} value=${when.time} fault=${fault}
			onInput=${(/** @type {string} */ time) => onChange({ ...when, time })} />`}
	</form>`;

/** @param {{ post: Post }} properties */
export const AskStop = ({ post }) => html`
	<p>${t("posts-stop-help", { channels: names(post, canBeStopped) })}</p>
	<${Quote} post=${post} />
	${post.targets.some(({ status }) => status === "published") && html`<p>${t("posts-stop-published")}</p>`}`;

/** @param {{ post: Post }} properties */
export const AskDelete = ({ post }) => html`
	<p>${t("posts-delete-help")}</p>
	<${Quote} post=${post} />`;

/** Says for each channel whether it can take the post back. @param {{ post: Post, channels: Channel[] }} properties */
export const AskWithdraw = ({ post, channels }) => html`
	<p>${t("posts-withdraw-help")}</p>
	<${Quote} post=${post} />
	<ul class="targets">${published(post).map(({ channel, published_at: at }) => html`
		<li key=${channel}><div class="row"><strong>${channel}</strong>${at && html`<span class="soft small">${dateTime(at)}</span>`}</div>
			<p class="small">${t("posts-withdraw-from", { kind: kindOf(channel, channels) })}</p></li>`)}
	</ul>`;

/** @param {Post} post */
export const published = ({ targets }) => targets.filter(({ status }) => status === "published");

/** @param {string} name @param {Channel[]} channels */
const kindOf = (name, channels) => channels.find((channel) => channel.channel_id === name)?.kind ?? "other";

/** @param {Post} post @param {(target: PostTarget) => boolean} isMeant */
const names = ({ targets }, isMeant) => listed(targets.filter(isMeant).map(({ channel }) => channel));
