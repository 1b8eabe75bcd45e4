// @ts-check
import { t } from "../../lang/lang.js";
import { html } from "../../vendor/preact.js";
import { clockTime, dayKey, dayName } from "./days.js";
import { State } from "./list.js";
import { nameOf, shownAt } from "./states.js";

/** The days of a month that have posts. @param {{ posts: Post[], month: Date, onOpen: (post: Post) => void }} properties */
export function Agenda({ posts, month, onOpen }) {
	const inside = posts.filter((post) => new Date(shownAt(post) ?? "").getMonth() === month.getMonth());
	const days = Map.groupBy(inside, (post) => dayKey(new Date(shownAt(post) ?? "")));
	if (!days.size) return html`<p class="soft">${t("posts-month-empty")}</p>`;
	return [...days].map(([key, ofDay]) => html`
		<div key=${key} class="agenda-day"><h3>${dayName(new Date(shownAt(ofDay[0]) ?? ""))}</h3>
			<ul class="plain-list">${ofDay.map((post) => html`
				<li key=${post.post_id}>
					<span class="soft small">${clockTime(shownAt(post) ?? "")}</span>
					<button type="button" class="link" data-focus=${`post ${post.post_id}`} onClick=${() => onOpen(post)}>${nameOf(post)}</button>
					<span><${State} post=${post} /></span>
				</li>`)}</ul>
		</div>`);
}
