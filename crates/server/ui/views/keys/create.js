// @ts-check
import { api, ApiError } from "../../app/api.js";
import { connectPanel } from "./connect.js";
import { openDialog } from "../../parts/dialog.js";
import { button, fill, tag } from "../../parts/dom.js";
import { keyForm } from "./keyform.js";
import { showLostAnswer } from "../../parts/lostanswer.js";
import { workspace } from "../../app/model.js";
import { failure, notice } from "../../parts/notice.js";
import { secretBox } from "../../parts/secret.js";

/**
 * Creates a key: the form, then its secret and how to connect an assistant with it.
 * @param {Key} [like] A key whose settings the form starts with.
 */
export function openCreate(like) {
	let mayClose = () => true;
	let whenClosed = () => {};
	const dialog = openDialog({ mayClose: () => mayClose(), onClose: () => whenClosed() });
	const form = keyForm(like, submit);
	const create = button(".primary", "Create key", () => form.root.requestSubmit());

	function showForm() {
		dialog.show("Create a key", [form.root], [button("", "Cancel", dialog.close), create]);
		form.focus();
	}

	async function submit() {
		if (dialog.isBusy()) return;
		const wanted = form.read();
		const known = workspace.keys.map((key) => key.key_id);
		form.showFault();
		dialog.setBusy(true);
		create.textContent = "Creating…";
		try {
			const { api_key: secret, ...key } = await api.create(workspace.brand.brand_id, wanted);
			finish(key, secret);
		} catch (error) {
			dialog.setBusy(false);
			if (error instanceof ApiError && error.outcomeUnknown) showLostAnswer(dialog, wanted, known, showForm, finish);
			else showRefusal(error);
		}
		create.textContent = "Create key";
	}

	/** @param {Key} key @param {string} secret */
	function finish(key, secret) {
		dialog.setBusy(false);
		const panel = showCreated(dialog, key, secret);
		mayClose = panel.mayClose;
		whenClosed = panel.drop;
		// The key exists even if the list cannot be reloaded now.
		workspace.refresh();
	}

	/** @param {unknown} error */
	function showRefusal(error) {
		if (error instanceof ApiError && form.showFieldFaults(error.fields)) return;
		form.showFault(error instanceof ApiError && error.code === "key_limit_reached"
			? notice("bad", "This brand has as many active keys as it can have", tag("p", error.message), tag("p.row", button("", "See the keys", dialog.close)))
			: failure("The key was not created.", error));
	}

	showForm();
}

/**
 * Shows a new key's secret and how to use it. It stays until the panel is closed, because a person
 * goes back and forth to their assistant's settings meanwhile.
 * @param {OpenDialog} dialog
 * @param {Key} key
 * @param {string} secret
 */
function showCreated(dialog, key, secret) {
	let taken = key.can_reveal;
	const take = () => { taken = true; };
	const box = secretBox(secret, take);
	const connect = connectPanel(key, take);
	connect.setSecret(secret);
	const warningPlace = tag("div");
	const done = button(".primary", "Done", () => { if (mayClose()) dialog.close(); });

	/** Warns before a secret is lost: it was not copied and can never be shown again. */
	function mayClose() {
		if (taken) return true;
		take();
		fill(warningPlace, notice("bad", "You have not copied the key yet", tag("p", "It cannot be shown again. Copy it now, or close once more if you do not need it.")));
		warningPlace.scrollIntoView({ block: "nearest" });
		done.textContent = "Close without copying";
		return false;
	}

	dialog.show(`“${key.label}” is ready`, [
		box.root,
		warningPlace,
		key.can_reveal
			? notice("info", "Copy it now, or show it again later", tag("p", "Only you can show it again, with “Show” in the list of keys. Do not share it: whoever has it can act as this assistant."))
			: notice("warning", "Copy it now: it will not be shown again", tag("p", "The service keeps only a fingerprint of it. If it gets lost, revoke this key and create a new one.")),
		connect.root,
	], [done]);

	return {
		mayClose,
		drop() {
			box.hide();
			connect.setSecret(null);
			connect.stop();
		},
	};
}
