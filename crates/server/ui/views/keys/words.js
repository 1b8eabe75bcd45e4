// @ts-check
// What a key is and may do, in words.
import { isMine, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Badge } from "../../parts/elements.js";
import { html } from "../../vendor/preact.js";

// The first mail about the expiry is sent then.
const EXPIRES_SOON_MS = 14 * 86_400_000;

/** When a key asks a person first, from the loosest to the strictest. @type {Rule[]} */
export const RULES = ["none", "outward", "all"];

/** @param {Rule} rule */
export const ruleName = (rule) => t(`keys-rule-${rule}`);

/** @param {Scope} scope */
export const scopeWords = (scope) => t(scope === "read" ? "keys-scope-read" : "keys-scope-write");

/** @param {Key} key */
const isManager = (key) => isMine(key) || workspace.brand.role === "admin";

/** Also for pausing and finishing a rotation. @param {Key} key */
export const canRevoke = (key) => key.status === "active" && isManager(key);

/** A later expiry lets an expired key work again. @param {Key} key */
export const canEdit = (key) => key.status !== "revoked" && isManager(key);

/** @param {Key} key */
export const expiresSoon = (key) => key.status === "active" && key.expires_at !== null && Date.parse(key.expires_at) - Date.now() < EXPIRES_SOON_MS;

/** @param {Key} key */
export const isIdle = (key) => key.status === "active" && key.idle_since !== null;

/** A key's state as people experience it: an active key that is refused on every call is shown as paused. @param {Key} key @returns {KeyState} */
export function keyState(key) {
	if (key.status === "revoked") return { name: "revoked", tone: "off", reason: key.revoked_reason === "leaked" ? "leaked" : "revoked" };
	if (key.status === "expired") return { name: "expired", tone: "warning", reason: "expired" };
	if (!workspace.brand.mcp_active) return { name: "paused", tone: "warning", reason: "plan" };
	const owned = workspace.members.some((member) => member.user_id === key.created_by);
	if (!owned) return { name: "paused", tone: "warning", reason: "owner-gone" };
	if (key.paused) return { name: "paused", tone: "warning", reason: key.paused_reason === "owner_removed" ? "owner-removed" : "paused" };
	return { name: "active", tone: "good" };
}

/** Why it is in its state, as a sentence. @param {Key} key */
export function stateReason(key) {
	const { reason } = keyState(key);
	return reason && t(`keys-because-${reason}`);
}

/** @param {{ of: Key }} properties */
export const StateBadge = ({ of }) => {
	const { name, tone } = keyState(of);
	return html`<${Badge} tone=${tone} title=${stateReason(of)}>${t(`keys-state-${name}`)}<//>`;
};

/** Why a key cannot be used any more. @param {Key | undefined} key */
export const endWords = (key) => t(key?.status === "expired" ? "keys-has-expired" : "keys-was-revoked");
