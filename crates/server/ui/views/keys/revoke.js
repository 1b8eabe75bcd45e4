// @ts-check
import { api } from "../../app/api.js";
import { openDialog } from "../../parts/dialog.js";
import { button, fill, tag } from "../../parts/dom.js";
import { personName, workspace } from "../../app/model.js";
import { failure, toast } from "../../parts/notice.js";
import { fullTime } from "../../parts/time.js";

/**
 * Asks, naming the key and its last use, then revokes it.
 * @param {Key} key
 * @param {() => void} [afterwards] What follows once it is revoked, such as creating its replacement.
 */
export function openRevoke(key, afterwards) {
	let revoked = false;
	const dialog = openDialog({ onClose: () => { if (revoked) afterwards?.(); } });
	const faultPlace = tag("div");
	const confirm = button(".danger", "Revoke key", revoke);

	async function revoke() {
		if (dialog.isBusy()) return;
		dialog.setBusy(true);
		confirm.textContent = "Revoking…";
		fill(faultPlace);
		try {
			await api.revoke(key);
		} catch (error) {
			dialog.setBusy(false);
			confirm.textContent = "Revoke key";
			// Revoking is idempotent, so a retry after a broken connection is safe.
			return fill(faultPlace, failure(`“${key.label}” could not be revoked.`, error));
		}
		revoked = true;
		// The key is revoked even if the list cannot be reloaded now.
		key.status = "revoked";
		await workspace.refresh();
		dialog.close();
		toast(`“${key.label}” was revoked. Its next call is refused.`);
	}

	dialog.show("Revoke this key?", [
		tag("div.named", tag("p", key.label), tag("code", `${key.prefix}…`)),
		tag("dl",
			tag("dt", "Last used"), tag("dd", fullTime(key.last_used_at)),
			tag("dt", "Created by"), tag("dd", personName(key.created_by))),
		tag("p", "The assistant that uses it loses access at once, and what it has queued, such as scheduled posts and report emails, is cancelled. This cannot be undone, but a new key can be created at any time."),
		faultPlace,
	], [button("", "Keep it", dialog.close), confirm]);
}
