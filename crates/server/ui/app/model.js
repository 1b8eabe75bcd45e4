// @ts-check
// The open brand, and labels for its data.

import { signal } from "../parts/preact.js";

/** Grows with every change of the workspace. A component that reads it is drawn again. */
export const changes = signal(0);

/** Only one brand is open at a time, so all views share this. @type {Workspace} */
export const workspace = /** @type {any} */ ({});

/** @param {Scope} scope */
export const scopeWords = (scope) => (scope === "read" ? "Can read" : "Can read and write");

export const SCOPE_SENTENCES = {
	read: "The assistant can look things up. It cannot change, publish or send anything.",
	write: "The assistant can also act for the brand: publish posts, run analyses and audits, email reports, search for keywords.",
};

/** The tools a scope opens. @param {Scope} scope */
export const toolsOfScope = (scope) => workspace.tools.filter((tool) => scope !== "read" || tool.access === "read");

/** The tools a key can really use: its list narrows its scope. @param {Key} key */
export const toolsOfKey = (key) => toolsOfScope(key.scope).filter((tool) => !key.tools || key.tools.includes(tool.name));

/** @param {string} name */
export const toolTitle = (name) => workspace.tools.find((tool) => tool.name === name)?.title || name;

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** @param {string | null} userId */
const memberName = (userId) => workspace.members.find((member) => member.user_id === userId)?.name || userId || "Somebody";

/** @param {string | null} userId */
export const personName = (userId) => (userId === workspace.me.user_id ? "You" : memberName(userId));

/** @param {string} keyId */
export const keyLabel = (keyId) => workspace.keys.find((key) => key.key_id === keyId)?.label ?? keyId;

/** @param {Key} key */
export const isMine = (key) => key.created_by === workspace.me.user_id;

/** @param {Key} key */
export const canRevoke = (key) => key.status === "active" && (isMine(key) || workspace.brand.role === "admin");

/** Whether the person may decide on a call that waits. The service checks it, too. @param {Approval} approval */
export const mayDecide = (approval) => workspace.brand.role === "admin" || (workspace.approvalSettings.approvers === "members"
	&& workspace.keys.some((key) => key.key_id === approval.key_id && isMine(key)));

const PAUSE_SENTENCES = {
	requested: "It is refused until its creator or an administrator resumes it.",
	owner_removed: "Its creator was removed from the brand and came back. They or an administrator can resume it.",
};

// The creator or an administrator.
export const canPause = canRevoke;

/**
 * A key's state as people experience it: an active key that is refused on every call is shown as paused.
 * @param {Key} key
 * @returns {[word: string, tone: Tone, reason?: string]}
 */
export function keyState(key) {
	if (key.status === "revoked" && key.revoked_reason === "leaked") return ["Revoked", "off", "Somebody reported its secret as public. It can never be used again."];
	if (key.status === "revoked") return ["Revoked", "off", "It can never be used again."];
	if (key.status === "expired") return ["Expired", "warning", "Its time is over. Create a new key to go on."];
	if (!workspace.brand.mcp_active) return ["Paused", "warning", "MCP is not active on the brand's plan."];
	const owned = workspace.members.some((member) => member.user_id === key.created_by);
	if (!owned) return ["Paused", "warning", "The person who created it is no longer a member of the brand."];
	if (key.paused) return ["Paused", "warning", PAUSE_SENTENCES[key.paused_reason ?? "requested"]];
	return ["Active", "good"];
}

/** @param {Key | undefined} key */
export const endWords = (key) => (key?.status === "expired" ? "This key has expired" : "This key was revoked meanwhile");

/** @type {Record<string, string>} */
const REASONS = {
	rate_limited: "more than 60 requests in a minute",
	mcp_inactive: "MCP is not active on the plan",
	key_paused: "the key is paused",
	address_not_allowed: "it came from outside the key's networks",
	brand_suspended: "the brand is suspended",
	key_revoked: "the key is revoked",
	queued_work_kept: "queued work goes on",
	owner_removed: "its creator was removed from the brand",
	insufficient_scope: "the key is not allowed to use this tool",
	key_owner_removed: "the key's creator is no longer a member",
	invalid_arguments: "the arguments did not fit the tool",
	not_key_creator: "only the key's creator can show it",
	awaiting_approval: "waits for approval",
	approval: "when it asks first",
	key_not_revealable: "the key's secret is not kept",
	old_secret_ended: "the old secret of a rotated key",
};

/** @param {string} code */
export const reasonWords = (code) => REASONS[code] ?? code.replaceAll("_", " ");
