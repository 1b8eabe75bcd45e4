// @ts-check
// The views of a brand, in the order of the navigation. Each is loaded when it is opened for the first time.

/** @type {ViewEntry[]} */
export const VIEWS = [
	{ id: "keys", load: () => import("../views/keys/view.js") },
	{ id: "site", load: () => import("../views/site/view.js"), style: "views/site/site.css" },
	{ id: "connections", load: () => import("../views/connections/view.js"), style: "views/connections/connections.css" },
	{ id: "usage", load: () => import("../views/usage/view.js"), style: "views/usage/usage.css" },
	{ id: "activity", load: () => import("../views/activity/view.js") },
];
