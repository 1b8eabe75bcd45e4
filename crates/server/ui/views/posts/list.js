// @ts-check
import { keyLabel } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Badge, Skeleton, Button, Cell, DataTable, RowHead } from "../../parts/elements.js";
import { Choice } from "../../parts/fields.js";
import { Failure } from "../../parts/messages.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { dateTime } from "../../parts/times.js";
import { listPosts } from "./api.js";
import { nameOf, shownAt, stateOf, TONES } from "./states.js";

const PAGE_SIZE = "20";
/** In the order of a post's life. */
const FILTERS = ["draft", "scheduled", "publishing", "published", "failed", "uncertain", "cancelled", "withdrawn"];

/** @param {{ status: string, version: number, onStatus: (status: string) => void, onOpen: (post: Post) => void }} properties `version`: it is loaded again when this changes. */
export function PostList({ status, version, onStatus, onOpen }) {
	const [page, setPage] = useState(/** @type {PostPage | null} */ (null));
	const [error, setError] = useState(/** @type {unknown} */ (null));
	const [attempt, setAttempt] = useState(0);
	const older = useSend();
	useEffect(() => {
		let isOpen = true;
		setError(null);
		listPosts({ status, limit: PAGE_SIZE }).then((first) => isOpen && setPage(first), (failure) => isOpen && setError(failure));
		return () => {
			isOpen = false;
		};
	}, [status, version, attempt]);

	const showOlder = () => older.send(async () => {
		const next = await listPosts({ status, limit: PAGE_SIZE, cursor: page?.next_cursor ?? "" });
		setPage({ ...next, posts: [...page?.posts ?? [], ...next.posts] });
	});
	const filters = [["", t("posts-all")], ...FILTERS.map((one) => [one, t("posts-state", { status: one })])];
	return html`
		<section class="card" aria-label=${t("posts-list")}>
			<div class="toolbar"><${Choice} label=${t("posts-filter")} options=${filters} value=${status} onChange=${(/** @type {string} */ next) => {
				setPage(null);
				onStatus(next);
			}} /></div>
			${error && html`<${Failure} title=${t("posts-not-loaded")} error=${error} retry=${() => setAttempt(attempt + 1)} />`}
			${!page && !error && html`<${Skeleton} rows=${6} />`}
			${page && html`<p class="soft small count" role="status">${t(status ? "posts-count-state" : "posts-count", { count: page.total })}</p>`}
			${page && page.posts.length > 0 && html`<${PostTable} posts=${page.posts} onOpen=${onOpen} />`}
			${older.error && html`<${Failure} title=${t("posts-older-not-loaded")} error=${older.error} />`}
			${page?.next_cursor && html`<p class="row centre"><${Button} disabled=${older.busy} onClick=${showOlder}>${t("posts-older")}<//></p>`}
		</section>`;
}

/** @param {{ posts: Post[], onOpen: (post: Post) => void }} properties */
const PostTable = ({ posts, onOpen }) => html`
	<${DataTable} name=${t("posts-title")} kind="events stacked" heads=${["post", "state", "when", "channels", "key"].map((head) => t(`posts-head-${head}`))}>
		${posts.map((post) => html`
			<tr role="row" key=${post.post_id}>
				<${RowHead}><button type="button" class="link" data-focus=${`post ${post.post_id}`} onClick=${() => onOpen(post)}>${nameOf(post)}</button><//>
				<${Cell} name=${t("posts-head-state")}><${State} post=${post} /><//>
				<${Cell} name=${t("posts-head-when")}>${when(post)}<//>
				<${Cell} name=${t("posts-head-channels")}>${post.targets.map((target) => target.channel).join(", ")}<//>
				<${Cell} name=${t("posts-head-key")}>${keyLabel(post.key_id)}<//>
			</tr>`)}
	<//>`;

/** @param {Post} post */
function when(post) {
	const at = shownAt(post);
	return at ? dateTime(at) : t("posts-no-time");
}

/** @param {{ post: Post }} properties */
export function State({ post }) {
	const status = stateOf(post);
	const count = post.targets.filter((target) => target.status === status).length;
	return html`
		<${Badge} tone=${TONES[status]}>${t("posts-state", { status })}<//>
		${count < post.targets.length && html`<small>${t("posts-on-some", { count, total: post.targets.length })}</small>`}`;
}
