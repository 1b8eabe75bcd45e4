// @ts-check
// What the form of a key asks the service for. The service validates it.
import { toolsOfScope } from "../../app/model.js";

const DAY_MS = 86_400_000;

/** @param {KeyDraft} draft */
function expiryOf({ lifetime, date }) {
	const at = lifetime === "date" ? Date.parse(`${date}T23:59:59`) : Number(lifetime) && Date.now() + Number(lifetime) * DAY_MS;
	return at ? new Date(at).toISOString() : null;
}

/** @param {KeyDraft} draft */
const toolsOf = ({ narrowed, scope, leftOut }) => (narrowed ? toolsOfScope(scope).map((tool) => tool.name).filter((name) => !leftOut.includes(name)) : null);

/** @param {KeyDraft} draft */
function networksOf({ networks }) {
	const listed = networks.split(/[\s,]+/).filter(Boolean);
	return listed.length ? listed : null;
}

/** @param {KeyDraft} draft @returns {NewKey} */
export function newKey(draft) {
	const [expires, tools, networks] = [expiryOf(draft), toolsOf(draft), networksOf(draft)];
	return {
		label: draft.label.trim(),
		scope: draft.scope,
		can_reveal: draft.canReveal,
		// Reading is never asked about.
		approval: draft.scope === "read" ? "none" : draft.approval,
		...(expires && { expires_at: expires }),
		...(tools && { tools }),
		...(networks && { allowed_networks: networks }),
	};
}

/** Only what differs from the key, so that a change by another person meanwhile stays. @param {Key} key @param {KeyDraft} draft @returns {KeyChanges} */
export function changesOf(key, draft) {
	/** @type {Record<string, unknown>} */
	const before = { label: key.label, scope: key.scope, approval: key.approval, tools: key.tools, allowed_networks: key.allowed_networks };
	const after = {
		label: draft.label.trim(),
		scope: draft.scope,
		approval: draft.scope === "read" ? key.approval : draft.approval,
		tools: toolsOf(draft),
		allowed_networks: networksOf(draft),
	};
	/** Lists are compared without their order. @param {unknown} value */
	const plain = (value) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
	const changed = Object.entries(after).filter(([name, value]) => plain(value) !== plain(before[name]));
	return { ...Object.fromEntries(changed), ...(draft.lifetime !== "keep" && { expires_at: expiryOf(draft) }) };
}
