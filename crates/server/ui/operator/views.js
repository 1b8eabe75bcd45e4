// @ts-check
// The views of the console, in the order of the navigation. Each is loaded when it is opened for the first time.

/** @type {OperatorView[]} */
export const VIEWS = [
	{ id: "brands", load: () => import("./brands/view.js"), texts: ["keys"] },
	{ id: "people", load: () => import("./people/view.js"), texts: ["brands", "keys"] },
	{ id: "keys", load: () => import("./keys/view.js") },
	{ id: "jobs", load: () => import("./jobs/view.js") },
	{ id: "events", load: () => import("./events/view.js") },
	{ id: "approvals", load: () => import("./approvals/view.js") },
	{ id: "activity", load: () => import("./activity/view.js") },
	{ id: "audit", load: () => import("./audit/view.js") },
	{ id: "plans", load: () => import("./plans/view.js") },
	{ id: "erasures", load: () => import("./erasures/view.js") },
];
