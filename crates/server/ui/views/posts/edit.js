// @ts-check
import { workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Difference } from "../../parts/difference.js";
import { Button } from "../../parts/elements.js";
import { Checkbox, faultOf, TextField } from "../../parts/fields.js";
import { zoneWords } from "../../parts/localtimes.js";
import { Notice } from "../../parts/messages.js";
import { html } from "../../vendor/preact.js";
import { Previews } from "../../parts/previews.js";
import { fieldLabel } from "./form.js";
import { stateOf } from "./states.js";

const MAX_TITLE_CHARS = 300;
const MAX_ALT_CHARS = 1500;
const MAX_MEDIA = 10;

/** @param {{ post: Post, form: PostForm, conflicts: PostConflict[], channels: Channel[], error: unknown, onChange: (form: PostForm) => void }} properties */
export function EditPost({ post, form, conflicts, channels, error, onChange }) {
	/** @param {Partial<PostForm>} part */
	const set = (part) => onChange({ ...form, ...part });
	const names = [...new Set([...channels.map((channel) => channel.channel_id), ...post.targets.map((target) => target.channel)])];
	const timeHint = t(stateOf(post) === "draft" ? "posts-time-of-draft" : "posts-time-hint", { zone: zoneWords() });
	return html`
		<${Conflicts} conflicts=${conflicts} />
		<form onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
			<${TextField} label=${fieldLabel("text")} rows=${7} value=${form.text} fault=${faultOf(error, "text")} onInput=${(/** @type {string} */ text) => set({ text })} />
			<${TextField} label=${fieldLabel("title")} hint=${t("posts-title-hint")} value=${form.title} fault=${faultOf(error, "title")} attributes=${{ maxlength: MAX_TITLE_CHARS }} onInput=${(/** @type {string} */ title) => set({ title })} />
			<${TextField} label=${fieldLabel("link")} type="url" value=${form.link} fault=${faultOf(error, "link")} onInput=${(/** @type {string} */ link) => set({ link })} />
			<${TextField} label=${fieldLabel("time")} type="datetime-local" hint=${timeHint} value=${form.time} fault=${faultOf(error, "scheduled_at")} onInput=${(/** @type {string} */ time) => set({ time })} />
			<fieldset class="channel-boxes"><legend>${fieldLabel("channels")}</legend>
				${names.map((name) => html`
					<${Checkbox} key=${name} checked=${form.channels.includes(name)}
						onChange=${(/** @type {boolean} */ isChosen) => set({ channels: names.filter((one) => (one === name ? isChosen : form.channels.includes(one))) })}>${name}<//>`)}
				${workspace.brand.role !== "admin" && html`<p class="soft small">${t("posts-channels-of-member")}</p>`}
				${faultOf(error, "channels") && html`<p class="field-fault" role="alert">${faultOf(error, "channels")}</p>`}
			</fieldset>
			<${MediaFields} media=${form.media} error=${error} onChange=${(/** @type {Media[]} */ media) => set({ media })} />
		</form>
		<${Previews} post=${{ ...form, title: form.title || null, link: form.link || null }} names=${form.channels} channels=${channels} />`;
}

/** @param {{ media: Media[], error: unknown, onChange: (media: Media[]) => void }} properties */
const MediaFields = ({ media, error, onChange }) => html`
	<fieldset class="media-fields"><legend>${fieldLabel("media")}</legend>
		${media.map((one, index) => {
			/** @param {Partial<Media>} part */
			const set = (part) => onChange(media.map((other, at) => (at === index ? { ...one, ...part } : other)));
			return html`
				<div class="media-field" key=${index} role="group" aria-label=${t("posts-picture", { number: index + 1 })}>
					<${TextField} label=${t("posts-picture-address")} type="url" value=${one.url} fault=${faultOf(error, `media[${index}].url`)} onInput=${(/** @type {string} */ url) => set({ url })} />
					<${TextField} label=${t("posts-picture-alt")} value=${one.alt} fault=${faultOf(error, `media[${index}].alt`)} attributes=${{ maxlength: MAX_ALT_CHARS }} onInput=${(/** @type {string} */ alt) => set({ alt })} />
					<${Button} kind="small danger-quiet" label=${t("posts-picture-remove-one", { number: index + 1 })} onClick=${() => onChange(media.filter((_, at) => at !== index))}>${t("posts-picture-remove")}<//>
				</div>`;
		})}
		${media.length < MAX_MEDIA && html`<p><${Button} kind="small" icon="plus" onClick=${() => onChange([...media, { url: "", alt: "" }])}>${t("posts-picture-add")}<//></p>`}
	</fieldset>`;

/** What others have changed while the person was typing. @param {{ conflicts: PostConflict[] }} properties */
const Conflicts = ({ conflicts }) => conflicts.length > 0 && html`
	<${Notice} tone="bad" title=${t("posts-changed")}>
		<p>${t("posts-changed-help")}</p>
		${conflicts.map(({ name, from, to, isMine }) => html`
			<div key=${name}><h3>${fieldLabel(name)}</h3><${Difference} from=${from} to=${to} />${isMine && html`<p>${t("posts-changed-by-both")}</p>`}</div>`)}
	<//>`;
