// @ts-check
import { t } from "../../lang/lang.js";
import { Skeleton, Button } from "../../parts/elements.js";
import { zoneWords } from "../../parts/localtimes.js";
import { Failure } from "../../parts/messages.js";
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { dateTime } from "../../parts/times.js";
import { changePost, postsBetween } from "./api.js";
import { Agenda } from "./agenda.js";
import { addDays, monthName, onDay, startOfMonth, weeksOf } from "./days.js";
import { Month } from "./month.js";
import { shownAt } from "./states.js";

const NARROW = matchMedia("(max-width: 48rem)");

function useNarrow() {
	const [isNarrow, setNarrow] = useState(NARROW.matches);
	useEffect(() => {
		const look = () => setNarrow(NARROW.matches);
		NARROW.addEventListener("change", look);
		return () => NARROW.removeEventListener("change", look);
	}, []);
	return isNarrow;
}

/** A month of posts. On a narrow screen it is a list of days. @param {{ version: number, onOpen: (post: Post) => void, onChanged: () => void }} properties */
export function Calendar({ version, onOpen, onChanged }) {
	const isNarrow = useNarrow();
	const [month, setMonth] = useState(() => startOfMonth(new Date()));
	const weeks = weeksOf(month);
	const { data, error, reload } = useLoad(() => postsBetween(weeks[0][0], addDays(weeks[weeks.length - 1][0], 7)), [month.getTime(), version]);
	const [moved, setMoved] = useState(/** @type {{ post: Post, before: string } | null} */ (null));
	const moving = useSend();
	const focusAfter = useRef("");
	useEffect(() => {
		if (!focusAfter.current) return;
		/** @type {HTMLElement | null} */ (document.querySelector(`[data-focus="${CSS.escape(focusAfter.current)}"]`))?.focus();
		focusAfter.current = "";
	}, [data]);

	/** @param {Post} post @param {string} at */
	const moveTo = (post, at) => moving.send(async () => {
		const before = post.scheduled_at ?? at;
		setMoved(null);
		try {
			const after = await changePost(post, { scheduled_at: at });
			setMoved({ post: after, before });
		} finally {
			// A refused move may be one of a post that has changed: it is shown as it is now.
			focusAfter.current = `post ${post.post_id}`;
			onChanged();
		}
	});
	/** @param {Post} post @param {Date} day */
	const moveToDay = (post, day) => moveTo(post, onDay(post.scheduled_at ?? "", day));
	const posts = (data?.posts ?? []).toSorted((left, right) => (shownAt(left) ?? "").localeCompare(shownAt(right) ?? ""));
	return html`
		<section class="card calendar" aria-label=${t("posts-calendar")}>
			<div class="card-head">
				<h2 aria-live="polite">${monthName(month)}</h2>
				<div class="row">
					<${Button} kind="small" label=${t("posts-month-before")} onClick=${() => setMonth(startOfMonth(month, -1))}>‹<//>
					<${Button} kind="small" onClick=${() => setMonth(startOfMonth(new Date()))}>${t("posts-today")}<//>
					<${Button} kind="small" label=${t("posts-month-after")} onClick=${() => setMonth(startOfMonth(month, 1))}>›<//>
				</div>
			</div>
			${error && html`<${Failure} title=${t("posts-not-loaded")} error=${error} retry=${reload} />`}
			${moving.error && html`<${Failure} title=${t("posts-not-moved")} error=${moving.error} />`}
			<div class="moved" role="status">${moved && html`
				<p class="row">${t("posts-moved", { at: dateTime(moved.post.scheduled_at ?? "") })}
					<${Button} kind="small" onClick=${() => moveTo(moved.post, moved.before)}>${t("posts-undo")}<//></p>`}
			</div>
			${!data && !error && html`<${Skeleton} rows=${6} />`}
			${data && (isNarrow
				? html`<${Agenda} posts=${posts} month=${month} onOpen=${onOpen} />`
				: html`<${Month} weeks=${weeks} month=${month} posts=${posts} onOpen=${onOpen} onMove=${moveToDay} />`)}
			${data?.isCut && html`<p class="warning-text small">${t("posts-cut")}</p>`}
			<p class="soft small">${t("posts-zone", { zone: zoneWords() })} ${!isNarrow && t("posts-move-help")} ${t("posts-written-before")}</p>
		</section>`;
}
