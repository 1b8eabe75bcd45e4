// @ts-check
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { html, useState } from "../../vendor/preact.js";
import { addDays, clockTime, dayKey, dayName, weekdayNames } from "./days.js";
import { isMovable, nameOf, shownAt, stateOf, TONES } from "./states.js";

const MAX_SHOWN = 4;
/** By how many days a key moves a post. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** @param {{ weeks: Date[][], month: Date, posts: Post[], onOpen: (post: Post) => void, onMove: (post: Post, day: Date) => void }} properties */
export function Month({ weeks, month, posts, onOpen, onMove }) {
	const [dragged, setDragged] = useState(/** @type {Post | null} */ (null));
	const [target, setTarget] = useState("");
	const [expanded, setExpanded] = useState("");
	const today = dayKey(new Date());
	const ofDay = Map.groupBy(posts, (post) => dayKey(new Date(shownAt(post) ?? "")));

	/** @param {Date} day */
	function dayCell(day) {
		const key = dayKey(day);
		const all = ofDay.get(key) ?? [];
		const shown = expanded === key ? all : all.slice(0, MAX_SHOWN);
		// A post cannot go out in the past.
		const takes = dragged !== null && key >= today;
		const kind = [day.getMonth() !== month.getMonth() && "other-month", key === today && "today", takes && target === key && "target"].filter(Boolean).join(" ");
		return html`
			<td key=${key} class=${kind} aria-current=${key === today ? "date" : null}
				onDragOver=${(/** @type {DragEvent} */ event) => {
					if (!takes) return;
					event.preventDefault();
					setTarget(key);
				}}
				onDrop=${(/** @type {DragEvent} */ event) => {
					event.preventDefault();
					if (takes) onMove(dragged, day);
					setDragged(null);
				}}>
				<span class="day-number"><span aria-hidden="true">${day.getDate()}</span><span class="visually-hidden">${dayName(day)}</span></span>
				${all.length > 0 && html`<ul class="day-posts">
					${shown.map((post) => html`<li key=${post.post_id}><${Chip} post=${post} onOpen=${onOpen} onMove=${onMove} onDrag=${setDragged} /></li>`)}
					${shown.length < all.length && html`<li><${Button} kind="small quiet" label=${t("posts-more-of-day", { count: all.length - shown.length, day: dayName(day) })}
						onClick=${() => setExpanded(key)}>${t("posts-more", { count: all.length - shown.length })}<//></li>`}
				</ul>`}
			</td>`;
	}
	return html`
		<table class="month"><thead><tr>${weekdayNames(weeks[0]).map((name) => html`<th scope="col" key=${name}>${name}</th>`)}</tr></thead>
			<tbody>${weeks.map((week) => html`<tr key=${dayKey(week[0])}>${week.map(dayCell)}</tr>`)}</tbody>
		</table>`;
}

/** @param {{ post: Post, onOpen: (post: Post) => void, onMove: (post: Post, day: Date) => void, onDrag: (post: Post | null) => void }} properties */
function Chip({ post, onOpen, onMove, onDrag }) {
	const status = stateOf(post);
	const at = shownAt(post) ?? "";
	const canMove = isMovable(post);
	/** @param {KeyboardEvent} event */
	function press(event) {
		const days = STEPS[event.key];
		if (!canMove || !days || !event.shiftKey) return;
		event.preventDefault();
		onMove(post, addDays(new Date(at), days));
	}
	return html`
		<button type="button" class=${`post-chip ${TONES[status]} ${status}`} draggable=${canMove} data-focus=${`post ${post.post_id}`}
			aria-keyshortcuts=${canMove ? Object.keys(STEPS).map((key) => `Shift+${key}`).join(" ") : null}
			onClick=${() => onOpen(post)} onKeyDown=${press}
			onDragStart=${(/** @type {DragEvent} */ event) => {
				event.dataTransfer?.setData("text/plain", post.post_id);
				onDrag(post);
			}} onDragEnd=${() => onDrag(null)}>
			<span class="chip-time">${clockTime(at)}</span> <span class="chip-name">${nameOf(post)}</span> <span class="visually-hidden">${t("posts-state", { status })}</span>
		</button>`;
}
