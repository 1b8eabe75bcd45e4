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

interface CreatedKey extends Key {
	api_key: string;
}

interface NewKey {
	label: string;
	scope: Scope;
	can_reveal: boolean;
	approval: Rule;
	expires_at?: string;
	tools?: string[];
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
type SignInReason = "none" | "out" | "ended" | "link";

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
	kind: "created" | "revealed" | "updated" | "paused" | "resumed" | "revoked" | "cancelled" | "list" | "call" | "approved" | "rejected" | "post" | "rotated" | "rotation_finished" | "leaked" | "expiring";
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

/** A call that waits for a decision, or waited for it. */
interface Approval {
	approval_id: string;
	key_id: string;
	tool: string;
	arguments: Record<string, unknown>;
	status: "pending" | "approved" | "done" | "failed" | "rejected" | "expired" | "cancelled";
	requested_at: string;
	expires_at: string;
	/** What the call would return; null if that is not known. */
	preview: Record<string, any> | null;
	digest: string;
	/** Why the call would fail now. */
	problem: { message: string } | null;
	decided_at: string | null;
	decided_by: string | null;
	reason: string | null;
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
	key(key: Key): Promise<Key>;
	create(brandId: string, wanted: NewKey): Promise<CreatedKey>;
	/** The secret. */
	reveal(key: Key): Promise<string>;
	setPaused(key: Key, paused: boolean): Promise<Key>;
	setApproval(key: Key, approval: Rule): Promise<Key>;
	revoke(key: Key): Promise<void>;
	keyActivity(key: Key, limit: number): Promise<ActivityEvent[]>;
	/** Filters: `limit`, `cursor`, `kind`, `outcome`, `key_id`; empty ones are left out. */
	activity(brandId: string, filters: Record<string, string>): Promise<ActivityPage>;
	usage(brandId: string, days: string): Promise<Usage>;
	/** The calls that wait, newest first. */
	approvals(brandId: string, cursor?: string): Promise<ApprovalPage>;
	/** One of them, with what it would do now. */
	approval(brandId: string, id: string): Promise<Approval>;
	decide(brandId: string, id: string, action: "approve" | "reject", body: object): Promise<Approval>;
	approvalSettings(brandId: string): Promise<ApprovalSettings>;
	setApprovalSettings(brandId: string, wanted: Record<string, string>): Promise<ApprovalSettings>;
	setApprovalEmails(brandId: string, enabled: boolean): Promise<void>;
}

// The page.

/** What the address says. */
interface Place {
	/** Null: the first brand of the person. */
	brand: string | null;
	view: string;
}

/** A view of a brand. Its name is `page-view-ID` in `page.ftl`, its texts are in `ID.ftl`. */
interface ViewEntry {
	id: string;
	load(): Promise<{ View: any }>;
	/** Its own style sheet. */
	style?: string;
}

/** The brand that is open, as every view of the page sees it. */
interface Workspace {
	me: Me;
	brand: Brand;
	keys: Key[];
	members: Member[];
	tools: Tool[];
	/** The calls that wait, as far as they are loaded. */
	approvals: ApprovalPage;
	approvalSettings: ApprovalSettings;
	/** Loads the keys and approvals again and redraws what shows them. Returns whether they could be loaded. */
	refresh(): Promise<boolean>;
	/** Loads everything again. It throws if that fails. */
	refreshEverything(): Promise<void>;
}

/** What an element is made of: attributes, event handlers (`onclick`), text and children. Falsy parts are left out. */
type Part = Node | string | false | null | undefined | Part[] | Attributes;
interface Attributes {
	[name: string]: string | number | boolean | null | undefined | ((event: any) => void);
}

type Tag<Selector extends string> = Selector extends `${infer Name}.${string}` ? Name : Selector;
type Made<Selector extends string> = Tag<Selector> extends keyof HTMLElementTagNameMap
	? HTMLElementTagNameMap[Tag<Selector>]
	: HTMLElement;

interface OpenDialog {
	box: HTMLDialogElement;
	/** Closes it, whatever `mayClose` says. */
	close(): void;
	/** Replaces what it shows and moves the focus to its title. */
	show(title: string, body: Part[], actions: Part[]): void;
	/** While busy it cannot be closed. */
	setBusy(busy: boolean): void;
	/** Checked before sending, so that nothing is sent twice. */
	isBusy(): boolean;
}

type Platform = "mac" | "windows" | "linux";

interface Connection {
	url: string;
	secret: string;
	/** The path of the bridge. */
	script: string;
	platform: Platform;
}

/** An assistant that can be connected. */
interface Client {
	/** As `--install` of the bridge names it. */
	id: string;
	name: string;
	text(connection: Connection): string;
	/** Where the text goes; nothing for a command. */
	place(platform: Platform): string;
	next: string;
}

interface ConnectPanel {
	root: HTMLElement;
	/** Inserts the secret, or removes it. */
	setSecret(secret: string | null): void;
	stop(): void;
}
