// What the operator's routes answer. Only for the type checker: this file is not served.

/** A part of a list, and the cursor of the next one. */
interface OperatorPage<T> {
	items: T[];
	next: string | null;
	/** The whole answer. */
	answer: any;
}

/** A list that grows by "load more". */
interface OperatorPages<T> {
	/** Null until the first part is loaded. */
	items: T[] | null;
	next: string | null;
	answer: any;
	error: unknown;
	moreError: unknown;
	busy: boolean;
	reload(): Promise<void>;
	more(): Promise<void>;
	/** Replaces the items for which `isSame` is true. */
	replace(isSame: (item: T) => boolean, item: T): void;
}

interface OperatorView {
	id: string;
	load(): Promise<{ View: any }>;
	/** Texts of other views that it shows parts of. */
	texts?: string[];
}

interface OperatorBrand {
	brand_id: string;
	name: string;
	plan_id: string;
	website: string;
	language: string | null;
	time_zone: string;
	competitors: string[];
	status: "active" | "suspended";
	suspended_at: string | null;
	suspended_by: string | null;
	suspension_reason: string | null;
	/** Only in the list of a user's brands. */
	role: "admin" | "member" | null;
}

interface OperatorMember {
	user_id: string;
	role: "admin" | "member";
	name: string | null;
	email: string | null;
}

interface OperatorUser {
	user_id: string;
	email: string | null;
	name: string | null;
	brands: number;
}

interface OperatorErasure {
	receipt_id: string;
	kind: "brand" | "user";
	/** The brand's id, or the pseudonym of the user. */
	subject: string;
	status: "erasing" | "done";
	requested_at: string;
	requested_by: string;
	finished_at: string | null;
	deleted_rows: number;
}

interface OperatorRevoked {
	/** Only if several were revoked at once. */
	revoked?: number;
	cancelled: Record<string, number>;
	already_sending: Record<string, number>;
}

interface OperatorPost {
	post_id: string;
	key_id: string;
	title: string | null;
	text: string;
	link: string | null;
	created_at: string;
	scheduled_at: string | null;
	version: number;
	targets: OperatorTarget[];
}

interface OperatorTarget {
	channel: string;
	status: "draft" | "scheduled" | "publishing" | "published" | "failed" | "uncertain" | "cancelled" | "withdrawing" | "withdrawn";
	error: string | null;
	url: string | null;
}

interface OperatorJob {
	job_id: string;
	brand_id: string;
	key_id: string | null;
	kind: string;
	status: "waiting" | "running" | "done" | "failed" | "cancelled";
	held: boolean;
	subject: string;
	reason: string | null;
	attempts: number;
	created_at: string;
	due_at: string;
	ended_at: string | null;
}

interface OperatorHold {
	since: string;
	cause: "operator" | "restore";
	backup_at: string | null;
}

interface OperatorDelivery {
	delivery_id: string;
	event_id: string;
	type: string;
	brand_id: string | null;
	endpoint_id: string;
	status: "pending" | "delivered" | "failed";
	attempts: number;
	at: string;
	delivered_at: string | null;
	last_try_at: string | null;
	next_try_at: string | null;
	last_status: number | null;
	last_error: string | null;
}

interface OperatorApproval {
	approval_id: string;
	brand_id: string;
	key_id: string;
	tool: string;
	status: Approval["status"];
	requested_at: string;
	expires_at: string;
	decided_at: string | null;
	reason: string | null;
	note: string | null;
}

interface OperatorEvent extends ActivityEvent {
	brand_id: string;
}

interface OperatorAuditRecord {
	sequence: number;
	at: string;
	change_id: string;
	actor: string;
	role: "member" | "admin" | "operator" | "command_line";
	address: string | null;
	request_id: string | null;
	action: string;
	brand_id: string | null;
	target: { kind: string; id: string };
	before: Record<string, unknown> | null;
	after: Record<string, unknown> | null;
	hash: string;
}

interface OperatorPlan {
	plan_id: string;
	name: string;
	mcp_enabled: boolean;
	/** What the plan sets itself; absent if that is nothing. */
	quotas?: Record<string, number>;
	effective_quotas: Record<string, { limit: number; default: boolean }>;
}
