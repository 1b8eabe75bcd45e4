// @ts-check
import { api, ApiError } from "../../app/api.js";
import { openDialog } from "../../parts/dialog.js";
import { bones, button, fact, fill, tag } from "../../parts/dom.js";
import { keyLabel, mayDecide, personName, toolTitle, workspace } from "../../app/model.js";
import { announce, failure, notice, toast } from "../../parts/notice.js";
import { previewFacts, sentArguments } from "./preview.js";
import { fullTime } from "../../parts/time.js";

const MAX_REASON_CHARS = 1000;
const CHANGED = "It has changed since you looked at it";

/** What a person did. @type {Record<string, string>} */
const ENDS = {
	done: "approved it, and it has run",
	failed: "approved it, but it failed",
	rejected: "rejected it, so it did not run",
	cancelled: "took the access of its key away, so it did not run",
};

/** Shows what a call would do, and lets those who may decide on it. @param {Approval} listed */
export function openApproval({ approval_id: id, tool }) {
	const { brand_id: brandId } = workspace.brand;
	const title = toolTitle(tool);
	const dialog = openDialog();
	const faultPlace = tag("div");
	const closing = () => button("", "Close", dialog.close);

	/** Shows it as it is now. @param {boolean} hasChanged Whether it is not what the person saw. */
	async function load(hasChanged) {
		dialog.show(title, [bones(4)], [closing()]);
		try {
			const approval = await api.approval(brandId, id);
			if (approval.status === "pending") showPending(approval, hasChanged);
			else showDecided(approval);
		} catch (error) {
			dialog.show(title, [failure("It could not be loaded.", error, () => load(hasChanged))], [closing()]);
		}
	}

	/** @param {Approval} approval @param {boolean} hasChanged */
	function showPending(approval, hasChanged) {
		const { problem, digest } = approval;
		const may = mayDecide(approval);
		fill(faultPlace);
		dialog.show(title, [
			hasChanged && notice("warning", CHANGED, tag("p", "Nothing was done. Below is what it would do now. Read it, then decide again.")),
			problem && notice("warning", "It would fail now", tag("p", problem.message),
				may && tag("p", "Look again once this is solved, or reject it.")),
			tag("dl.preview", previewFacts(approval),
				fact("Key", keyLabel(approval.key_id)),
				fact("Requested", fullTime(approval.requested_at)),
				fact("Expires", fullTime(approval.expires_at))),
			sentArguments(approval),
			!may && tag("p.soft", whoDecides(approval)),
			faultPlace,
		], [
			closing(),
			may && button(".danger-quiet", "Reject…", () => showReject(approval)),
			may && (problem
				? button(".primary", "Look again", () => load(false))
				: button(".primary", "Approve", () => decide("approve", { digest }))),
		]);
		if (hasChanged) announce(CHANGED);
	}

	/** @param {Approval} approval */
	function showReject(approval) {
		const reason = tag("textarea", { rows: 3, required: true, maxlength: MAX_REASON_CHARS });
		const form = tag("form", {
			onsubmit: (event) => {
				event.preventDefault();
				decide("reject", { reason: reason.value });
			},
		}, tag("div.field", tag("label", "Reason", reason), tag("p.soft.small", "The assistant reads it. Say what should be different.")));
		fill(faultPlace);
		dialog.show(`Reject: ${title}`, [form, faultPlace], [
			button("", "Back", () => showPending(approval, false)),
			button(".danger", "Reject", () => {
				reason.value = reason.value.trim();
				form.requestSubmit();
			}),
		]);
		reason.focus();
	}

	/** @param {"approve" | "reject"} action @param {object} body */
	async function decide(action, body) {
		if (dialog.isBusy()) return;
		dialog.setBusy(true);
		fill(faultPlace);
		let decided;
		try {
			decided = await api.decide(brandId, id, action, body);
		} catch (error) {
			dialog.setBusy(false);
			const code = error instanceof ApiError && error.code;
			if (code === "approval_changed" || code === "already_decided") return load(code === "approval_changed");
			// A call runs once, however often it is approved.
			fill(faultPlace, failure(error instanceof ApiError && error.outcomeUnknown
				? "It is not known whether your decision arrived. You can safely try again."
				: "Nothing was decided.", error));
			return faultPlace.scrollIntoView({ block: "nearest" });
		}
		if (decided.status === "failed") {
			dialog.setBusy(false);
			return showDecided(decided);
		}
		await workspace.refresh();
		dialog.close();
		toast(action === "approve" ? `“${title}” was approved and has run.` : `“${title}” was rejected. The assistant reads your reason.`);
	}

	/** @param {Approval} approval */
	function showDecided({ status, decided_by: by, decided_at: at, expires_at: expiry, reason, failure: fault }) {
		const words = by ? `${personName(by)} ${ENDS[status] ?? status}` : "It has expired, so it did not run";
		dialog.show(title, [notice(status === "failed" ? "bad" : "info", words,
			tag("p", fullTime(at ?? expiry)),
			fault && tag("p", fault.message),
			reason && tag("p", `Reason: ${reason}`))], [closing()]);
		announce(words);
		workspace.refresh();
	}

	load(false);
}

/** @param {Approval} approval */
function whoDecides({ key_id: id }) {
	const key = workspace.keys.find((one) => one.key_id === id);
	if (workspace.approvalSettings.approvers === "admins" || !key) return "Only an administrator can decide on it.";
	return `Only ${personName(key.created_by)} or an administrator can decide on it.`;
}
