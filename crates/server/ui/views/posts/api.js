// @ts-check
import { ofBrand, request } from "../../app/api.js";
import { workspace } from "../../app/model.js";
import { shownAt } from "./states.js";

const DAY_MS = 86_400_000;
/** A month shows posts that were written at most this long before it. The service lists posts by the time when they were written. */
const MAX_POST_AGE_MS = 92 * DAY_MS;
const PAGE_SIZE = "100";
const MAX_PAGES = 10;

const ofPosts = () => `${ofBrand(workspace.brand.brand_id)}/posts`;
/** @param {string} id */
const ofPost = (id) => `${ofPosts()}/${encodeURIComponent(id)}`;

/** A page of posts, newest first; empty filters are left out. @param {Record<string, string>} filters @returns {Promise<PostPage>} */
export const listPosts = (filters) => request("GET", `${ofPosts()}?${new URLSearchParams(Object.entries(filters).filter(([, value]) => value))}`);

/** @param {string} id @returns {Promise<Post>} */
export const getPost = (id) => request("GET", ofPost(id));

/** @param {Post} post @param {object} changes @returns {Promise<Post>} */
export async function changePost(post, changes) {
	const { post: after } = await request("PATCH", ofPost(post.post_id), { ...changes, expected_version: post.version });
	return { ...post, ...after };
}

/** Returns null if the post is deleted by it. @param {Post} post @param {"publish" | "cancel" | "withdraw" | "retry"} action @param {object} [more] @returns {Promise<Post | null>} */
export async function actOnPost(post, action, more) {
	const { post: after } = await request("POST", `${ofPost(post.post_id)}/${action}`, { ...more, expected_version: post.version });
	return after && { ...post, ...after };
}

/** @param {Post} post */
export const deletePost = (post) => request("DELETE", `${ofPost(post.post_id)}?expected_version=${post.version}`);

/** @param {Record<string, string>} filters */
async function allPosts(filters) {
	/** @type {Post[]} */
	const posts = [];
	/** @type {string | null} */
	let cursor = "";
	for (let read = 0; read < MAX_PAGES && cursor !== null; read += 1) {
		const page = await listPosts({ ...filters, limit: PAGE_SIZE, cursor });
		posts.push(...page.posts);
		cursor = page.next_cursor;
	}
	return { posts, isCut: cursor !== null };
}

/**
 * The posts that go or went out from `start` to `end`. `isCut`: there are more than are read.
 * @param {Date} start @param {Date} end
 */
export async function postsBetween(start, end) {
	const from = new Date(start.getTime() - MAX_POST_AGE_MS).toISOString();
	const found = await Promise.all([
		allPosts({ from, to: end.toISOString() }),
		// What is still scheduled may have been written long before.
		...(end.getTime() > Date.now() ? [allPosts({ status: "scheduled" })] : []),
	]);
	const byId = new Map(found.flatMap(({ posts }) => posts).map((post) => [post.post_id, post]));
	const isInside = (/** @type {Post} */ post) => {
		const at = shownAt(post);
		return at !== null && new Date(at) >= start && new Date(at) < end;
	};
	return { posts: [...byId.values()].filter(isInside), isCut: found.some(({ isCut }) => isCut) };
}
