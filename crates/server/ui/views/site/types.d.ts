// Answers of the routes of the site view. Only for the type checker: this file is not served.

type AuditStatus = "queued" | "running" | "done" | "failed" | "cancelled";

interface AuditProgress {
	stage: "pages" | "other_links";
	visited: number;
	/** Found and not visited yet. */
	waiting: number;
	url: string;
}

interface SiteAudit {
	audit_id: string;
	/** The page where it starts. */
	url: string;
	status: AuditStatus;
	/** Null until it is done. */
	score: number | null;
	pages: number | null;
	errors: number | null;
	warnings: number | null;
	notices: number | null;
	/** `complete`: it is a full audit. */
	end: "complete" | "limited" | "forbidden" | "timed_out" | "cancelled" | null;
	requested_at: string;
	finished_at: string | null;
	requested_by: string;
	requested_by_kind: "key" | "schedule" | "person";
	progress: AuditProgress | null;
	failure: string | null;
}

interface SiteAuditPage {
	audits: SiteAudit[];
	next_cursor: string | null;
}

/** One cause, and what disappears with it. */
interface SiteFix {
	title: string;
	severity: "error" | "warning" | "notice";
	fix: string;
	codes: string[];
	issues: number;
	pages_total: number;
	/** The first of these pages. */
	pages: string[];
	linked_from?: string[];
	score_gain: number;
}

interface SiteAuditDetails {
	audit_id: string;
	start_url: string;
	summary: { left_out: number; counts: { errors: number; warnings: number; notices: number }; notes?: string[] } | null;
	fixes?: SiteFix[];
}

interface SiteSchedule {
	schedule_id: string;
	kind: "audit" | "report";
	every: "week" | "month";
	weekday?: string;
	day?: number;
	at: string;
	time_zone: string;
	next_at: string;
	/** The key that made it. */
	key_id?: string;
	last_run_at?: string;
	last_failure?: string;
}

interface NewSiteSchedule {
	kind: "audit" | "report";
	every: "week" | "month";
	weekday?: string;
	day?: number;
	at: string;
}
