// @ts-check
import { api } from "../../app/api.js";
import { openApproval } from "./approval.js";
import { button, fill, tag } from "../../parts/dom.js";
import { counted, keyLabel, mayDecide, toolTitle, workspace } from "../../app/model.js";
import { failure } from "../../parts/notice.js";
import { timeElement } from "../../parts/time.js";

/** The calls that wait for a decision. Hidden until there is one. */
export function waitingView() {
	const body = tag("div");
	const root = tag("section.card", tag("h2", "Waiting for approval"), body);
	root.hidden = true;

	function draw() {
		const { approvals, total, next_cursor: cursor } = workspace.approvals;
		if (total) root.hidden = false;
		fill(body, total
			? [
				tag("p.soft.small", `${counted(total, "action waits", "actions wait")} for a decision. Nothing of this has happened yet.`),
				tag("ul.approvals", approvals.map(item)),
				cursor && older(cursor),
			]
			: tag("p.soft", "Nothing waits any more."));
	}

	/** @param {string} cursor */
	function older(cursor) {
		const faultPlace = tag("div");
		const more = button("", "Show older actions", async () => {
			const shown = workspace.approvals;
			more.disabled = true;
			fill(faultPlace);
			try {
				const page = await api.approvals(workspace.brand.brand_id, cursor);
				// They were loaded again meanwhile, from the newest.
				if (shown !== workspace.approvals) return;
				workspace.approvals = { ...page, approvals: [...shown.approvals, ...page.approvals] };
				draw();
				body.querySelectorAll("button")[shown.approvals.length]?.focus();
			} catch (error) {
				more.disabled = false;
				fill(faultPlace, failure("The older actions could not be loaded.", error));
			}
		});
		return [faultPlace, tag("p.row.centre", more)];
	}

	return { root, draw };
}

/** @param {Approval} approval */
function item(approval) {
	const { preview } = approval;
	const title = toolTitle(approval.tool);
	const label = keyLabel(approval.key_id);
	const excerpt = preview?.post?.text ?? preview?.subject;
	const words = mayDecide(approval) ? "Read and decide" : "Read";
	return tag("li",
		tag("div",
			tag("p", tag("strong", title), `, asked by ${label}`),
			excerpt && tag("p.excerpt", excerpt),
			tag("p.soft.small", "Requested ", timeElement(approval.requested_at), ", expires ", timeElement(approval.expires_at))),
		button(".small", words, () => openApproval(approval), { "aria-label": `${words}: ${title}, asked by ${label}`, "data-focus": `approval ${approval.approval_id}` }));
}
