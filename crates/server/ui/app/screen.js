// @ts-check
// What the page shows, and for whom.
import { signal } from "../parts/preact.js";

/** @type {import("../parts/preact.js").Signal<PageScreen>} */
export const screen = signal(/** @type {PageScreen} */ ({ kind: "loading" }));

/** The person and the open brand, for the head of the page. @type {import("../parts/preact.js").Signal<Account | null>} */
export const account = signal(null);
