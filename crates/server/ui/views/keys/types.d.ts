// The types of the keys view, only for the type checker: this file is not served.

interface KeyState {
	name: "active" | "paused" | "expired" | "revoked";
	tone: Tone;
	/** Of the text `keys-because-REASON`. */
	reason?: string;
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
	allowed_networks?: string[];
}

/** Only what changes. Null removes a restriction. */
interface KeyChanges {
	label?: string;
	scope?: Scope;
	tools?: string[] | null;
	expires_at?: string | null;
	approval?: Rule;
	allowed_networks?: string[] | null;
	paused?: boolean;
}

/** What the form of a key holds. */
interface KeyDraft {
	label: string;
	scope: Scope;
	approval: Rule;
	/** Whether only some tools are allowed. */
	narrowed: boolean;
	/** The tools taken off the list. One that another scope adds starts on it. */
	leftOut: string[];
	/** Days, `date`, or `keep`. */
	lifetime: string;
	date: string;
	networks: string;
	canReveal: boolean;
}

type WorkKind = "posts" | "mails" | "jobs" | "approvals" | "schedules";

/** What a revoke did to the work of the key. */
interface RevokedKey {
	cancelled: Record<WorkKind, number>;
	already_sending: Partial<Record<WorkKind, number>>;
}

type Platform = "mac" | "windows" | "linux";

interface Connection {
	url: string;
	secret: string;
	/** The path of the bridge. */
	script: string;
	platform: Platform;
}

/** An assistant that can be connected. Its last step is the text `keys-next-ID`. */
interface Client {
	/** As `--install` of the bridge names it. */
	id: string;
	name: string;
	text(connection: Connection): string;
	/** Where the text goes; nothing for a command. */
	place(platform: Platform): string;
}
