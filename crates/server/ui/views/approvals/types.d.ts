// The answers of the routes for approvals, only for the type checker: this file is not served.

type ApprovalStatus = "pending" | "approved" | "done" | "failed" | "rejected" | "expired" | "cancelled";

/** A call that waits for a decision, or waited for it. */
interface Approval {
	approval_id: string;
	key_id: string;
	tool: string;
	arguments: Record<string, unknown>;
	status: ApprovalStatus;
	requested_at: string;
	expires_at: string;
	/** What the call would return; null if that is not known. */
	preview: Record<string, any> | null;
	digest: string;
	/** Why the call would fail now. */
	problem: { message: string } | null;
	decided_at: string | null;
	decided_by: string | null;
	note: string | null;
	reason: string | null;
	/** What the approver changed. `from` and `to` are JSON. */
	changes: { field: string; from: string | null; to: string | null }[];
	failure: { message: string } | null;
}

interface ApprovalPage {
	approvals: Approval[];
	total: number;
	next_cursor: string | null;
}

interface ApprovalSettings {
	approval_minimum: Rule;
	approvers: "members" | "admins";
	/** Whether the signed-in user gets emails. */
	emails: boolean;
}

/** An argument of a call, as a person edits it. */
interface ArgumentField {
	name: string;
	kind: "text" | "line" | "number" | "flag" | "time" | "channels" | "mode" | "json";
	/** `channels`: the names, separated by commas. `flag`: `true` or `false`. */
	value: string;
	/** Whether the assistant sent it. */
	wasSent: boolean;
}

interface ApprovalDecision {
	digest?: string;
	arguments?: Record<string, unknown>;
	note?: string;
	reason?: string;
}
