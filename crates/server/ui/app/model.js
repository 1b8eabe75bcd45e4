// @ts-check
// What the page shows: the screen, the open brand, and names for its data.
import { t } from "../lang/lang.js";
import { signal } from "../vendor/preact.js";

/** @type {import("../vendor/preact.js").Signal<PageScreen>} */
export const screen = signal(/** @type {PageScreen} */ ({ kind: "loading" }));

/** The person and the open brand, for the head of the page. @type {import("../vendor/preact.js").Signal<Account | null>} */
export const account = signal(null);

/** Grows with every change of the workspace. */
export const changes = signal(0);

/** Only one brand is open at a time, so all views share this. A component that reads from it is drawn again when it changes. @type {Workspace} */
export const workspace = new Proxy(/** @type {any} */ ({}), {
	get(values, name) {
		// Reading the signal subscribes the component to it.
		void changes.value;
		return values[name];
	},
});

/** The tools a scope opens. @param {Scope} scope */
export const toolsOfScope = (scope) => workspace.tools.filter((tool) => scope !== "read" || tool.access === "read");

/** The tools a key can really use: its list narrows its scope. @param {Key} key */
export const toolsOfKey = (key) => toolsOfScope(key.scope).filter((tool) => !key.tools || key.tools.includes(tool.name));

/** @param {string} name */
export const toolTitle = (name) => workspace.tools.find((tool) => tool.name === name)?.title || name;

/** @param {string | null} userId */
export const isMe = (userId) => userId === workspace.me.user_id;

/** @param {string | null} userId */
export const memberName = (userId) => workspace.members.find((member) => member.user_id === userId)?.name || userId || t("unknown-person");

/** @param {string | null} userId */
export const personName = (userId) => (isMe(userId) ? t("you") : memberName(userId));

/** For texts that say "You …" or name the person: `{ $who -> [you] … *[other] { $person } … }`. @param {string | null} userId */
export const personValues = (userId) => ({ who: isMe(userId) ? "you" : "other", person: memberName(userId) });

/** @param {string} keyId */
export const keyLabel = (keyId) => workspace.keys.find((key) => key.key_id === keyId)?.label ?? keyId;

/** @param {Key} key */
export const isMine = (key) => isMe(key.created_by);

/** Whether the person may decide on a call that waits. The service checks it, too. @param {Approval} approval */
export const mayDecide = (approval) => workspace.brand.role === "admin" || (workspace.approvalSettings.approvers === "members"
	&& workspace.keys.some((key) => key.key_id === approval.key_id && isMine(key)));
