// @ts-check
import { api } from "../../app/api.js";
import { connectPanel } from "./connect.js";
import { openDialog } from "../../parts/dialog.js";
import { bones, button, fact, fill, tag } from "../../parts/dom.js";
import { eventTable } from "../activity/events.js";
import { canPause, canRevoke, isMine, keyState, personName, scopeWords, toolsOfKey, workspace } from "../../app/model.js";
import { failure, notice, toast } from "../../parts/notice.js";
import { openReveal } from "./reveal.js";
import { openRevoke } from "./revoke.js";
import { keyRule } from "./rules.js";
import { fullTime } from "../../parts/time.js";

const EVENTS_SHOWN = 5;

/** @param {Key} key */
export function stateBadge(key) {
	const [word, tone, reason] = keyState(key);
	return tag(`span.badge.${tone}`, { title: reason }, word);
}

/** Everything there is to know about one key. @param {Key} key */
export function openDetails(key) {
	const usable = key.status === "active" && isMine(key);
	const connect = usable && connectPanel(key);
	const dialog = openDialog({ onClose: () => { if (connect) connect.stop(); } });
	const events = tag("div");
	const [, , reason] = keyState(key);

	async function loadEvents() {
		fill(events, bones(EVENTS_SHOWN));
		try {
			fill(events, eventTable(await api.keyActivity(key, EVENTS_SHOWN)));
		} catch (error) {
			fill(events, failure("The activity could not be loaded.", error, loadEvents));
		}
	}

	/** @param {(key: Key) => void} open */
	const goTo = (open) => () => {
		dialog.close();
		open(key);
	};

	const faultPlace = tag("div");
	async function togglePaused() {
		if (dialog.isBusy()) return;
		dialog.setBusy(true);
		fill(faultPlace);
		try {
			await api.setPaused(key, !key.paused);
		} catch (error) {
			dialog.setBusy(false);
			return fill(faultPlace, failure(`“${key.label}” could not be ${key.paused ? "resumed" : "paused"}.`, error));
		}
		await workspace.refresh();
		dialog.close();
		toast(key.paused ? `“${key.label}” works again.` : `“${key.label}” is paused. Its next call is refused.`);
	}

	dialog.show(key.label, [
		key.status === "active" && !isMine(key) && otherMembersKey(personName(key.created_by)),
		tag("dl",
			fact("State", stateBadge(key), reason && ` ${reason}`),
			fact("Prefix", tag("code", `${key.prefix}…`)),
			fact("Access", scopeWords(key.scope), key.scope === "full" && " (scope “full”)"),
			key.scope !== "read" && fact("Ask first", keyRule(key)),
			fact("Created by", personName(key.created_by)),
			fact("Created", fullTime(key.created_at)),
			fact("Last used", fullTime(key.last_used_at)),
			key.last_used_ip && fact("Last used from", key.last_used_ip),
			key.last_used_client && fact("Last used by", key.last_used_client),
			key.allowed_networks && fact("Works only from", key.allowed_networks.join(", ")),
			fact("Expires", fullTime(key.expires_at)),
			key.revoked_at && fact("Revoked", fullTime(key.revoked_at)),
			key.status === "active" && fact("Secret", secretWords(key))),
		tag("h3", key.tools ? "Tools it may use, a chosen few" : "Tools it may use"),
		tag("ul.tool-names", toolsOfKey(key).map((tool) => tag("li", tool.title || tool.name))),
		tag("h3", "Latest activity"),
		events,
		connect && connect.root,
		faultPlace,
	], [
		canPause(key) && button("", key.paused ? "Resume" : "Pause", togglePaused),
		canRevoke(key) && button(".danger-quiet", "Revoke…", goTo(openRevoke)),
		usable && button("", "Show the secret", goTo(openReveal)),
		button(".primary", "Close", dialog.close),
	]);
	loadEvents();
}

/** @param {string} owner */
const otherMembersKey = (owner) => notice("info", `This key belongs to ${owner}`, tag("p", workspace.brand.role === "admin"
	? `Only ${owner} can show its secret. As an administrator you can revoke it.`
	: `Only ${owner} can show its secret, and only ${owner} or an administrator can revoke it.`));

/** @param {Key} key */
function secretWords(key) {
	if (!key.can_reveal) return "Cannot be shown again: only a fingerprint of it is kept";
	return isMine(key) ? "You can show it again" : "Only its creator can show it again";
}
