// @ts-check
// The calls that wait for a decision.
import { changes, keyLabel, mayDecide, toolTitle, workspace } from "../../app/model.js";
import { isBehind, showWaiting } from "../../app/waiting.js";
import { rich, t } from "../../lang/lang.js";
import { Button, Empty } from "../../parts/elements.js";
import { exact, relative } from "../../parts/localtimes.js";
import { Failure } from "../../parts/messages.js";
import { html, useEffect, useRef } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { listApprovals } from "./api.js";
import { ShortcutSwitch, useShortcuts } from "./shortcuts.js";

/** @param {{ isActive: boolean, onOpen: (approval: Approval) => void }} properties `isActive`: no dialog is open. */
export function Waiting({ isActive, onOpen }) {
	void changes.value;
	const list = useRef(/** @type {any} */ (null));
	const focusAfter = useRef(/** @type {number | null} */ (null));
	const { approvals, total, next_cursor: cursor } = workspace.approvals;
	const { busy, error, send } = useSend();
	/** @returns {HTMLElement[]} */
	const buttons = () => [...list.current?.querySelectorAll("button") ?? []];

	/** @param {number} step */
	function move(step) {
		const all = buttons();
		const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
		all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
	}
	/** Arrows scroll the page, unless the focus is in the list. @param {number} step */
	const moveInside = (step) => (list.current?.contains(document.activeElement) ? move(step) : false);
	useShortcuts(isActive ? { j: () => move(1), k: () => move(-1), ArrowDown: () => moveInside(1), ArrowUp: () => moveInside(-1) } : {});

	useEffect(() => {
		if (focusAfter.current !== null) buttons()[focusAfter.current]?.focus();
		focusAfter.current = null;
	}, [approvals.length]);

	const older = () => send(async () => {
		const shown = workspace.approvals;
		const page = await listApprovals({ status: "pending", cursor });
		// They were loaded again meanwhile, from the newest.
		if (shown !== workspace.approvals) return;
		focusAfter.current = shown.approvals.length;
		showWaiting({ ...page, approvals: [...shown.approvals, ...page.approvals] });
	});

	if (!total) return html`<${Empty} icon="check" title=${t("approvals-nothing-waits")}><p>${t("approvals-nothing-waits-help")}</p><//>`;
	return html`
		<section class="card"><h2>${t("approvals-waiting")}</h2>
			${isBehind.value && html`<p class="warning-text small" role="status">${t("approvals-behind")}</p>`}
			<ul class="approvals" ref=${list}>${approvals.map((approval) => html`<${Item} key=${approval.approval_id} approval=${approval} onOpen=${onOpen} />`)}</ul>
			${error && html`<${Failure} title=${t("approvals-older-not-loaded")} error=${error} />`}
			${cursor && html`<p class="row centre"><${Button} disabled=${busy} onClick=${older}>${t("approvals-older")}<//></p>`}
			<${ShortcutSwitch} />
		</section>`;
}

/** @param {{ approval: Approval, onOpen: (approval: Approval) => void }} properties */
function Item({ approval, onOpen }) {
	const { preview, requested_at: requested, expires_at: expires } = approval;
	const facts = { title: toolTitle(approval.tool), label: keyLabel(approval.key_id) };
	const words = mayDecide(approval) ? "approvals-open" : "approvals-open-only";
	const names = (preview?.post?.targets ?? []).map((/** @type {{ channel: string }} */ target) => target.channel);
	return html`
		<li>
			<div>
				<p>${rich("approvals-asked-by", { title: html`<strong>${facts.title}</strong>` }, { label: facts.label })}</p>
				${preview?.post?.title && html`<p class="excerpt">${preview.post.title}</p>`}
				<p class="excerpt soft">${preview?.post?.text ?? preview?.subject ?? ""}</p>
				${names.length > 0 && html`<ul class="tool-names" aria-label=${t("approvals-argument-channels")}>${names.map((/** @type {string} */ name) => html`<li key=${name}>${name}</li>`)}</ul>`}
				<p class="soft small" title=${exact(expires)}>${t("approvals-times", { requested: relative(requested), expires: relative(expires) })}</p>
			</div>
			<${Button} kind="small" label=${t(`${words}.aria-label`, facts)} focus=${`approval ${approval.approval_id}`} onClick=${() => onOpen(approval)}>${t(words)}<//>
		</li>`;
}
