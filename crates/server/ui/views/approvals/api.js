// @ts-check
import { ofBrand, request } from "../../app/api.js";
import { workspace } from "../../app/model.js";

const PAGE_SIZE = "20";

const brand = () => ofBrand(workspace.brand.brand_id);
/** @param {string} id */
const one = (id) => `${brand()}/approvals/${encodeURIComponent(id)}`;

/**
 * A page of approvals, newest first.
 * @param {{ status: string, cursor?: string | null }} wanted `status`: empty for all.
 * @returns {Promise<ApprovalPage>}
 */
export const listApprovals = ({ status, cursor }) => request("GET",
	`${brand()}/approvals?${new URLSearchParams({ ...(status && { status }), limit: PAGE_SIZE, ...(cursor && { cursor }) })}`);

/** With what it would do now. @param {string} id @returns {Promise<Approval>} */
export const getApproval = (id) => request("GET", one(id));

/** @param {string} id @param {"approve" | "reject"} action @param {ApprovalDecision} body @returns {Promise<Approval>} */
export const decide = (id, action, body) => request("POST", `${one(id)}/${action}`, body);

/** @param {Partial<ApprovalSettings>} wanted @returns {Promise<ApprovalSettings>} */
export const saveSettings = (wanted) => request("PATCH", `${brand()}/approval-settings`, wanted);

/** @param {boolean} enabled */
export const saveEmails = (enabled) => request("PUT", `${brand()}/approval-settings/emails`, { enabled });
