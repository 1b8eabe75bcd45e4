// @ts-check
import { api, ApiError } from "./api.js";
import { button } from "../parts/dom.js";
import { toast } from "../parts/notice.js";
import { currentSession } from "./session.js";

let leave = () => {};

/** @param {() => void} listener Called when the session was ended on purpose. */
export function onSignOut(listener) {
	leave = listener;
}

export const signOutButton = () => button(".small", "Sign out", async () => {
	try {
		await api.signOut();
	} catch (error) {
		// A session that has ended already is what the person wants.
		if (!(error instanceof ApiError) || error.status !== 401) return toast(`You are still signed in. ${error instanceof ApiError ? error.message : ""}`);
	}
	leave();
}, { title: `Signed in as ${currentSession()?.user_id ?? ""}` });
