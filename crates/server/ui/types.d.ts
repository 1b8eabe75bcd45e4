// Shared types, only for the type checker: this file is not served.

type Scope = "read" | "write" | "full";
/** When a key asks a person first, from the loosest to the strictest. */
type Rule = "none" | "outward" | "all";
type Tone = "good" | "info" | "warning" | "bad" | "off";

// The management API.

interface Key {
	key_id: string;
	brand_id: string;
	created_by: string;
	label: string;
	scope: Scope;
	prefix: string;
	can_reveal: boolean;
	created_at: string;
	last_used_at: string | null;
	last_used_ip: string | null;
	last_used_client: string | null;
	allowed_networks: string[] | null;
	expires_at: string | null;
	revoked_at: string | null;
	paused: boolean;
	paused_at: string | null;
	paused_by: string | null;
	paused_reason: "requested" | "owner_removed" | null;
	tools: string[] | null;
	approval: Rule;
	revoked_reason: "requested" | "leaked" | "operator" | null;
	/** Set if it was not used for 90 days. */
	idle_since: string | null;
	status: "active" | "expired" | "revoked";
	rotating_until: string | null;
	old_secret_last_used_at: string | null;
}

interface Brand {
	brand_id: string;
	name: string;
	role: "admin" | "member";
	plan: { plan_id: string; name: string };
	mcp_active: boolean;
}

interface Session {
	user_id: string;
	operator: boolean;
	expires_at: string;
	/** Seconds. */
	expires_in: number;
	/** In milliseconds, by the clock of this machine. */
	ends?: number;
}

type SignInLink = { code: string } | { token: string };
type SignInReason = "none" | "out" | "ended" | "link" | SignInFailure;
/** Why a sign-in with OpenID Connect did not work. */
type SignInFailure = "denied" | "expired" | "failed" | "unavailable";

interface Me {
	user_id: string;
	operator: boolean;
	brands: Brand[];
}

interface Tool {
	name: string;
	title: string;
	description: string;
	access: "read" | "write";
}

interface Member {
	user_id: string;
	role: string;
	name?: string | null;
}

interface ActivityEvent {
	event_id: string;
	at: string;
	kind: "created" | "revealed" | "updated" | "paused" | "resumed" | "revoked" | "cancelled" | "list" | "call" | "approved" | "rejected" | "post" | "audit" | "rotated" | "rotation_finished" | "leaked" | "expiring";
	key_id: string;
	actor: string | null;
	tool: string | null;
	post_id: string | null;
	outcome: "ok" | "error" | "denied";
	reason: string | null;
	latency_ms: number | null;
	/** Refused requests of one key in one minute for one reason are one event. */
	count: number;
}

interface ActivityPage {
	events: ActivityEvent[];
	/** Allowed requests in the time of this page that have no event. */
	left_out: number;
	next_cursor: string | null;
}

interface UsageRow {
	day: string;
	key_id: string;
	/** Null is the listing of the tools. */
	tool: string | null;
	calls: number;
	errors: number;
	denied: number;
	p50_ms: number | null;
	p95_ms: number | null;
}

interface Peak {
	key_id: string;
	most_in_a_minute: number;
	limit: number;
}

interface Usage {
	from: string;
	to: string;
	usage: UsageRow[];
	peaks: Peak[];
}

/** Where posts can go. */
interface Channel {
	channel_id: string;
	kind: "feed" | "webhook" | "mastodon" | "bluesky";
	/** The longest text it takes, as its network counts. */
	text_limit: number;
	media_limit: number;
	settings: { server?: string; identifier?: string };
}

interface Media {
	url: string;
	alt: string;
}

/** What a post says. */
interface PostContent {
	text: string;
	title: string | null;
	link: string | null;
	media: Media[];
}

interface FieldFault {
	field: string;
	message: string;
}

interface Api {
	/** The session of this browser. */
	session(): Promise<Session>;
	/** Starts a session. `replace`: also if another person is signed in. */
	signIn(link: SignInLink, replace: boolean): Promise<Session>;
	signOut(): Promise<void>;
	me(): Promise<Me>;
	tools(): Promise<Tool[]>;
	members(brandId: string): Promise<Member[]>;
	/** Every key of the brand, newest first, revoked ones too. */
	keys(brandId: string): Promise<Key[]>;
	/** The calls that wait, newest first. */
	approvals(brandId: string, limit?: number): Promise<ApprovalPage>;
	approvalSettings(brandId: string): Promise<ApprovalSettings>;
}

// The page.

/** What the address says. */
interface Route {
	/** Null: the first brand of the person. */
	brand: string | null;
	view: string;
}

/** What the page shows. */
type PageScreen =
	| { kind: "loading" | "insecure" }
	| { kind: "failed"; error: unknown; retry: () => void }
	| { kind: "sign-in" | "in-frame"; reason: SignInReason }
	| { kind: "no-brand"; me: Me }
	| { kind: "unknown-brand"; me: Me; wanted: string }
	| { kind: "brand"; id: string };

interface Account {
	me: Me;
	/** Missing while no brand is open. */
	brand?: Brand;
}

/** A view of a brand. Its name is `page-view-ID` in `page.ftl`, its texts are in `ID.ftl`. */
interface ViewEntry {
	id: string;
	load(): Promise<{ View: any }>;
	/** Its own style sheet. */
	style?: string;
	/** Whether it shows names of tools. */
	needsTools?: boolean;
}

/** The brand that is open, as every view of the page sees it. */
interface Workspace {
	me: Me;
	brand: Brand;
	keys: Key[];
	members: Member[];
	/** Empty until a part of the page has loaded them. */
	tools: Tool[];
	/** The calls that wait, as far as they are loaded. */
	approvals: ApprovalPage;
	approvalSettings: ApprovalSettings;
	/** Loads the keys and approvals again and redraws what shows them. Returns whether they could be loaded. */
	refresh(): Promise<boolean>;
	/** Loads everything again. It throws if that fails. */
	refreshEverything(): Promise<void>;
}
