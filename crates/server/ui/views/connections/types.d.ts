// Answers of the routes of the connections view. Only for the type checker: this file is not served.

type BrandChannelKind = "feed" | "webhook" | "mastodon" | "bluesky";

interface BrandChannel {
	channel_id: string;
	kind: BrandChannelKind;
	/** Without the secret. */
	settings: Record<string, any>;
	secret_set: boolean;
	text_limit: number;
	media_limit: number;
	created_at: string | null;
	updated_at: string | null;
}

interface ReportRecipient {
	email: string;
	status: "pending" | "confirmed" | "suppressed";
	asked_at: string | null;
	confirmed_at: string | null;
	suppressed_at: string | null;
}

interface KeywordList {
	import_id: string;
	tool: "keyword_planner" | "search_console" | "ahrefs" | "semrush";
	rows: number;
	skipped: number;
	imported_at: string;
	imported_by: string;
}

interface ImportedKeywordList extends KeywordList {
	/** The same file was imported before. */
	replaced: boolean;
	first_problems: { line: number; message: string }[];
}

interface BrandEndpoint {
	endpoint_id: string;
	url: string;
	/** Null: all. */
	types: string[] | null;
	enabled: boolean;
	/** When the service has switched it off. */
	disabled_at: string | null;
	disabled_reason: string | null;
	failing_since: string | null;
	/** Deliveries that were given up because too many waited. */
	dropped: number;
	created_at: string;
	updated_at: string;
}

interface NewBrandEndpoint {
	url: string;
	types?: string[] | null;
	enabled?: boolean;
	rotate_secret?: boolean;
}

interface BrandDelivery {
	delivery_id: string;
	type: string;
	at: string;
	status: "pending" | "delivered" | "failed";
	attempts: number;
	next_try_at: string | null;
	last_try_at: string | null;
	last_status: number | null;
	last_error: string | null;
	delivered_at: string | null;
}

interface BrandDeliveryPage {
	event_deliveries: BrandDelivery[];
	next_cursor: string | null;
}

/** What a test reached. */
interface ConnectionTest {
	ok: boolean;
	message: string;
	/** The HTTP status of the other side. */
	status?: number | null;
}
