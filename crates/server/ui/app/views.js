// @ts-check
// The views of a brand, in the order of the navigation. Each is loaded when it is opened for the first time.

import { loadTexts } from "../lang/lang.js";
import { readRoute } from "./opened.js";

/** Loads the texts of the previews with a view that shows them. @param {() => Promise<{ View: any }>} load */
const withPreviews = async (load) => (await Promise.all([load(), loadTexts("previews")]))[0];

/** @type {ViewEntry[]} */
export const VIEWS = [
	{ id: "keys", load: () => import("../views/keys/view.js") },
	{ id: "approvals", needsTools: true, load: () => withPreviews(() => import("../views/approvals/view.js")), style: "views/approvals/approvals.css" },
	{ id: "posts", load: () => withPreviews(() => import("../views/posts/view.js")), style: "views/posts/posts.css" },
	{ id: "site", load: () => import("../views/site/view.js"), style: "views/site/site.css" },
	{ id: "connections", load: () => import("../views/connections/view.js"), style: "views/connections/connections.css" },
	{ id: "usage", load: () => import("../views/usage/view.js"), style: "views/usage/usage.css" },
	{ id: "activity", needsTools: true, load: () => import("../views/activity/view.js") },
];

// What the first one needs is loaded at once, and not one after the other. If that fails, the view says so.
const first = VIEWS.find(({ id }) => id === readRoute().view);
if (first) Promise.all([first.load(), loadTexts(first.id)]).catch(() => {});
