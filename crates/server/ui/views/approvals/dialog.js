// @ts-check
import { ApiError } from "../../app/api.js";
import { changes, mayDecide, personName, toolTitle, workspace } from "../../app/model.js";
import { refreshWaiting } from "../../app/waiting.js";
import { t } from "../../lang/lang.js";
import { loadChannels } from "../../parts/channels.js";
import { useDiscard } from "../../parts/discard.js";
import { Skeleton, Button } from "../../parts/elements.js";
import { TextField } from "../../parts/fields.js";
import { announce, Failure, Notice, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { decide, getApproval } from "./api.js";
import { argumentsWith, changedFields, fieldsOf } from "./arguments.js";
import { Decided, endWords } from "./decided.js";
import { Changes, Editing } from "./editing.js";
import { Reading } from "./reading.js";
import { Key, useShortcuts } from "./shortcuts.js";

const MAX_NOTE_CHARS = 1000;

/**
 * Shows what a call would do, and lets those who may decide on it.
 * @param {{ listed: Approval, onClose: () => void }} properties
 */
export function ApprovalDialog({ listed, onClose }) {
	void changes.value;
	const title = toolTitle(listed.tool);
	const [approval, setApproval] = useState(/** @type {Approval | null} */ (null));
	const [problem, setProblem] = useState(/** @type {unknown} */ (null));
	const [step, setStep] = useState(/** @type {"read" | "edit" | "reject"} */ ("read"));
	const [hasChanged, setChanged] = useState(false);
	const [fields, setFields] = useState(/** @type {ArgumentField[]} */ ([]));
	const [note, setNote] = useState("");
	const [reason, setReason] = useState("");
	const [needsReason, setNeedsReason] = useState(false);
	const reasonField = useRef(/** @type {any} */ (null));
	const { busy, error, send, clear } = useSend();
	const channels = useLoad(loadChannels, []).data ?? [];

	/** Loads the call as it is now. @param {boolean} isAgain Whether it has changed since the person read it. */
	async function load(isAgain) {
		setProblem(null);
		try {
			const now = await getApproval(listed.approval_id);
			setApproval(now);
			setChanged(isAgain && now.status === "pending");
			// What was typed stays, except where it is not shown any more.
			setFields((typed) => (typed.length && now.status === "pending" ? typed : fieldsOf(now)));
			if (now.status !== "pending") showEnd(now);
			else if (isAgain) {
				setStep("read");
				announce(t("approvals-changed"));
			}
		} catch (failure) {
			setProblem(failure);
		}
	}

	/** @param {Approval} now */
	function showEnd(now) {
		setApproval(now);
		setStep("read");
		announce(endWords(now));
		refreshWaiting().catch(() => {});
	}

	useEffect(() => {
		load(false);
	}, []);
	useEffect(() => {
		if (step === "reject") reasonField.current?.focus();
	}, [step, needsReason]);

	const isPending = approval?.status === "pending";
	const may = approval !== null && isPending && mayDecide(approval);
	const before = approval ? fieldsOf(approval) : [];
	const changed = isPending ? changedFields(before, fields) : [];

	const { mayClose, close, question } = useDiscard(may && (changed.length > 0 || Boolean(note.trim() || reason.trim())), onClose);

	/** @param {"approve" | "reject"} action @param {() => ApprovalDecision} body */
	const order = (action, body) => send(async () => {
		let decided;
		try {
			decided = await decide(listed.approval_id, action, body());
		} catch (failure) {
			const code = failure instanceof ApiError && failure.code;
			if (code === "approval_changed" || code === "already_decided") return load(code === "approval_changed");
			throw failure;
		}
		if (decided.status === "failed") return showEnd(decided);
		await refreshWaiting().catch(() => {});
		onClose();
		toast(t(action === "approve" ? "approvals-approved" : "approvals-rejected", { title }));
	});

	const approve = () => order("approve", () => ({
		digest: approval?.digest ?? "",
		...(approval && changed.length > 0 && { arguments: argumentsWith(approval, changed) }),
		...(note.trim() && { note: note.trim() }),
	}));

	function reject() {
		if (reason.trim()) return order("reject", () => ({ reason: reason.trim() }));
		setNeedsReason(true);
		reasonField.current?.focus();
	}

	/** @param {"read" | "edit" | "reject"} next */
	function goTo(next) {
		clear();
		setStep(next);
	}

	const canApprove = may && !approval.problem;
	useShortcuts({
		...(canApprove && step === "read" && !busy && { a: approve }),
		...(may && step === "read" && !busy && { r: () => goTo("reject") }),
	});

	const fault = error && html`<${Failure} title=${t(error.outcomeUnknown ? "approvals-outcome-unknown" : error instanceof SyntaxError ? "approvals-not-json" : "approvals-not-decided")} error=${error} />`;
	const closing = html`<${Button} onClick=${close}>${t("close")}<//>`;
	const back = html`<${Button} onClick=${() => goTo("read")}>${t("approvals-back")}<//>`;
	const approving = html`<button type="button" class="button primary" aria-keyshortcuts=${step === "read" ? "a" : null} aria-disabled=${busy ? "true" : null} onClick=${approve}>
		${t(changed.length ? "approvals-approve-changed" : "approvals-approve")} ${step === "read" && html`<${Key} name="A" />`}</button>`;

	if (step === "reject" && approval) {
		return html`
			<${Modal} title=${t("approvals-reject-title", { title })} busy=${busy} mayClose=${mayClose} onClose=${onClose}
				actions=${html`${back}<${Button} kind="danger" onClick=${reject}>${t("approvals-reject-now")}<//>`}>
				<form onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
					<${TextField} label=${t("approvals-reason")} hint=${t("approvals-reason-hint")} rows=${3} value=${reason} onInput=${setReason}
						fault=${needsReason && !reason.trim() ? t("approvals-reason-missing") : undefined} attributes=${{ ref: reasonField, maxlength: MAX_NOTE_CHARS, required: true }} />
				</form>
				${fault}${question}
			<//>`;
	}
	if (step === "edit" && approval) {
		return html`
			<${Modal} title=${t("approvals-edit-title", { title })} busy=${busy} mayClose=${mayClose} onClose=${onClose} actions=${html`${back}${approving}`}>
				<${Editing} before=${before} after=${fields} channels=${channels} error=${error} onChange=${setFields} />
				${fault}${question}
			<//>`;
	}
	return html`
		<${Modal} title=${title} busy=${busy} mayClose=${mayClose} onClose=${onClose} actions=${html`
			${closing}
			${may && html`<button type="button" class="button danger-quiet" aria-keyshortcuts="r" onClick=${() => goTo("reject")}>${t("approvals-reject")} <${Key} name="R" /></button>`}
			${may && html`<${Button} onClick=${() => goTo("edit")}>${t("approvals-edit")}<//>`}
			${may && (canApprove ? approving : html`<${Button} kind="primary" onClick=${() => load(false)}>${t("approvals-look-again")}<//>`)}`}>
			${problem && html`<${Failure} title=${t("approvals-not-loaded")} error=${problem} retry=${() => load(hasChanged)} />`}
			${!approval && !problem && html`<${Skeleton} rows=${4} />`}
			${approval && !isPending && html`<${Decided} approval=${approval} />`}
			${hasChanged && html`<${Notice} tone="warning" title=${t("approvals-changed")}><p>${t("approvals-changed-help")}</p><//>`}
			${isPending && approval.problem && html`
				<${Notice} tone="warning" title=${t("approvals-would-fail")}><p>${approval.problem.message}</p>${may && html`<p>${t("approvals-would-fail-help")}</p>`}<//>`}
			${approval && html`<${Reading} approval=${approval} channels=${channels} />`}
			${changed.length > 0 && html`<${Notice} tone="info" title=${t("approvals-with-changes", { count: changed.length })}><p>${t("approvals-with-changes-help")}</p><${Changes} before=${before} changed=${changed} /><//>`}
			${may && html`<form onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
				<${TextField} label=${t("approvals-note")} hint=${t("approvals-note-hint")} rows=${2} value=${note} onInput=${setNote} attributes=${{ maxlength: MAX_NOTE_CHARS }} />
			</form>`}
			${approval && isPending && !may && html`<p class="soft">${whoDecides(approval)}</p>`}
			${fault}${question}
		<//>`;
}

/** @param {Approval} approval */
function whoDecides({ key_id: id }) {
	const key = workspace.keys.find((one) => one.key_id === id);
	if (workspace.approvalSettings.approvers === "admins" || !key) return t("approvals-only-admins");
	return t("approvals-only-creator", { person: personName(key.created_by) });
}
