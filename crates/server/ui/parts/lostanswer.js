// @ts-check
import { api } from "../app/api.js";
import { bones, button, fill, tag } from "./dom.js";
import { isMine, workspace } from "../app/model.js";
import { failure, notice } from "./notice.js";
import { timeElement } from "./time.js";

const TITLE = "The connection broke";

/**
 * The connection broke while a key was being created, so it may or may not exist. Checks that, and offers the next step for each case.
 * @param {OpenDialog} dialog
 * @param {NewKey} wanted
 * @param {string[]} known The keys that existed before.
 * @param {() => void} tryAgain
 * @param {(key: Key, secret: string) => void} finish
 */
export function showLostAnswer(dialog, wanted, known, tryAgain, finish) {
	const name = `“${wanted.label}”`;

	async function look() {
		dialog.show(TITLE, [tag("p", `The answer got lost, so it is not known yet whether ${name} was created. Looking at the list of keys…`), bones(1)], []);
		dialog.setBusy(true);
		const loaded = await workspace.refresh();
		dialog.setBusy(false);
		// Newest first, so this is the key of the current attempt.
		const made = workspace.keys.find((key) => !known.includes(key.key_id) && key.label === wanted.label && isMine(key) && key.status === "active");
		if (!loaded) stillUnknown();
		else if (made) wasMade(made);
		else wasNotMade();
	}

	const stillUnknown = () => dialog.show(TITLE, [
		notice("bad", `It is not known whether ${name} was created`, tag("p", "The list of keys cannot be loaded either. Check your connection, then look again.")),
	], [button("", "Close", dialog.close), button(".primary", "Look again", look)]);

	const wasNotMade = () => dialog.show(TITLE, [
		notice("info", `No key ${name} was created`, tag("p", "The list has no such key, so you can safely try again. Your entries are kept.")),
	], [button("", "Look again", look), button(".primary", "Try again", tryAgain)]);

	/** @param {Key} key */
	function wasMade(key) {
		const faultPlace = tag("div");

		/** @param {string} fault @param {() => Promise<void>} work */
		const attempt = (fault, work) => async () => {
			if (dialog.isBusy()) return;
			dialog.setBusy(true);
			fill(faultPlace);
			try {
				await work();
			} catch (error) {
				fill(faultPlace, failure(fault, error));
			}
			dialog.setBusy(false);
		};
		const show = attempt("The secret could not be shown.", async () => finish(key, await api.reveal(key)));
		const revoke = attempt(`${name} could not be revoked.`, async () => {
			await api.revoke(key);
			workspace.refresh();
			tryAgain();
		});

		dialog.show(TITLE, [
			notice("warning", `${name} was created, but its secret did not arrive`,
				tag("p", "Created ", timeElement(key.created_at), ", with the prefix ", tag("code", `${key.prefix}…`), "."),
				tag("p", key.can_reveal
					? "Show its secret now and go on, or revoke it and try again."
					: "It was created without the right to show it again, so its secret is lost. Revoke it and try again.")),
			faultPlace,
		], [
			button("", "Close", dialog.close),
			button(key.can_reveal ? "" : ".primary", "Revoke it and try again", revoke),
			key.can_reveal && button(".primary", "Show its secret", show),
		]);
	}

	look();
}
