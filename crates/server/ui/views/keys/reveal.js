// @ts-check
import { api, ApiError } from "../../app/api.js";
import { connectPanel } from "./connect.js";
import { openCreate } from "./create.js";
import { openDialog } from "../../parts/dialog.js";
import { bones, button, fill, tag } from "../../parts/dom.js";
import { endWords, workspace } from "../../app/model.js";
import { announce, failure, notice } from "../../parts/notice.js";
import { openRevoke } from "./revoke.js";
import { secretBox } from "../../parts/secret.js";

const SHOWN_FOR_S = 30;

/** Shows a key's secret for 30 seconds, or says why it cannot be shown. @param {Key} key */
export function openReveal(key) {
	if (!key.can_reveal) return explainNoSecret(key);
	let dropSecret = () => {};
	const connect = connectPanel(key);
	const dialog = openDialog({
		onClose: () => {
			dropSecret();
			connect.stop();
		},
	});
	const place = tag("div.secret-place");

	async function reveal() {
		fill(place, bones(1));
		let secret;
		try {
			secret = await api.reveal(key);
		} catch (error) {
			return showFault(error);
		}
		// The dialog was closed or the tab hidden while the request ran: do not show the secret.
		if (!dialog.box.isConnected) return;
		if (document.hasFocus()) showSecret(secret);
		else showHidden();
	}

	/** @param {string} secret */
	function showSecret(secret) {
		const box = secretBox(secret, () => {});
		const countdown = tag("p.soft.small");
		const shown = new AbortController();
		let left = SHOWN_FOR_S;
		const hideNow = () => {
			dropSecret();
			showHidden();
		};
		const tick = () => {
			countdown.textContent = `It hides itself in ${left} s, and when you leave this tab.`;
			if (left-- <= 0) hideNow();
		};
		const ticking = setInterval(tick, 1000);
		dropSecret = () => {
			dropSecret = () => {};
			clearInterval(ticking);
			shown.abort();
			box.hide();
			connect.setSecret(null);
		};
		addEventListener("blur", hideNow, { signal: shown.signal });
		document.addEventListener("visibilitychange", hideNow, { signal: shown.signal });
		tick();
		connect.setSecret(secret);
		fill(place, box.root, countdown);
		announce(`The secret is shown for ${SHOWN_FOR_S} seconds.`);
	}

	function showHidden() {
		fill(place,
			tag("div.secret-row", tag("code.secret.soft", `${key.prefix}••••••••••••`), button(".small", "Show again", reveal)),
			tag("p.soft.small", "Hidden. Each time it is shown is noted in the activity."));
		announce("The secret is hidden.");
	}

	/** @param {unknown} error */
	async function showFault(error) {
		if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
			await workspace.refresh();
			const now = workspace.keys.find((one) => one.key_id === key.key_id);
			if (now?.status !== "active") return showGone(endWords(now));
		}
		fill(place, failure("The secret could not be shown.", error, reveal));
	}

	/** @param {string} words */
	function showGone(words) {
		dialog.show(key.label, [notice("warning", words,
			tag("p", "Its secret is of no use any more. The list of keys is up to date now. Create a new key to go on."))],
		[button("", "Close", dialog.close), button(".primary", "Create a new key", () => {
			dialog.close();
			openCreate(key);
		})]);
	}

	dialog.show(key.label, [place, connect.root], [button(".primary", "Done", dialog.close)]);
	reveal();
}

/** @param {Key} key */
function explainNoSecret(key) {
	const dialog = openDialog();
	dialog.show(key.label, [
		notice("info", "The secret of this key cannot be shown",
			tag("p", "It was created without the right to show it again, so the service keeps only a fingerprint of it. Nobody can bring it back."),
			tag("p", "If you still have it, just go on using it. If it is lost, revoke this key and create a new one with the same settings.")),
	], [
		button("", "Close", dialog.close),
		button(".primary", "Revoke and create a new one", () => {
			dialog.close();
			openRevoke(key, () => openCreate(key));
		}),
	]);
}
