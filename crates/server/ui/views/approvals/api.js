// @ts-check
import { ofBrand, request } from "../../app/api.js";
import { changes, workspace } from "../../app/model.js";

const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

const brand = () => ofBrand(workspace.brand.brand_id);
/** @param {string} id */
const one = (id) => `${brand()}/approvals/${encodeURIComponent(id)}`;

/**
 * A page of approvals, newest first.
 * @param {{ status: string, cursor?: string | null, limit?: number }} wanted `status`: empty for all.
 * @returns {Promise<ApprovalPage>}
 */
export const listApprovals = ({ status, cursor, limit = PAGE_SIZE }) => request("GET",
	`${brand()}/approvals?${new URLSearchParams({ ...(status && { status }), limit: String(limit), ...(cursor && { cursor }) })}`);

/** With what it would do now. @param {string} id @returns {Promise<Approval>} */
export const getApproval = (id) => request("GET", one(id));

/** @param {string} id @param {"approve" | "reject"} action @param {ApprovalDecision} body @returns {Promise<Approval>} */
export const decide = (id, action, body) => request("POST", `${one(id)}/${action}`, body);

/** @param {Partial<ApprovalSettings>} wanted @returns {Promise<ApprovalSettings>} */
export const saveSettings = (wanted) => request("PATCH", `${brand()}/approval-settings`, wanted);

/** @param {boolean} enabled */
export const saveEmails = (enabled) => request("PUT", `${brand()}/approval-settings/emails`, { enabled });

/** @param {ApprovalPage} page */
export function showWaiting(page) {
	workspace.approvals = page;
	changes.value += 1;
}

/** Loads what waits again, as far as it is shown. Returns whether there is a new one. */
export async function refreshWaiting() {
	const shown = workspace.approvals;
	const known = new Set(shown.approvals.map(({ approval_id: id }) => id));
	const limit = Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, known.size));
	const page = await listApprovals({ status: "pending", limit });
	// Something newer was loaded meanwhile.
	if (shown !== workspace.approvals) return false;
	showWaiting(page);
	return page.approvals.some(({ approval_id: id, requested_at: at }) => !known.has(id) && at > (shown.approvals[0]?.requested_at ?? ""));
}
