// @ts-check
import { ofBrand, request } from "../../app/api.js";
import { workspace } from "../../app/model.js";

const brand = () => ofBrand(workspace.brand.brand_id);

/** Newest first. @param {string} cursor @returns {Promise<SiteAuditPage>} */
export const listAudits = (cursor) => request("GET", `${brand()}/audits?${new URLSearchParams({ limit: "30", ...(cursor && { cursor }) })}`);

/** @param {string} id @returns {Promise<SiteAuditDetails>} */
export const getAudit = (id) => request("GET", `${brand()}/audits/${encodeURIComponent(id)}`);

/** @returns {Promise<SiteAudit>} */
export const runAudit = () => request("POST", `${brand()}/audits`);

/** A brand has at most 20 of them, unless its plan allows more. @returns {Promise<SiteSchedule[]>} */
export const listSchedules = async () => (await request("GET", `${brand()}/schedules?limit=100`)).schedules;

/** @param {NewSiteSchedule} wanted @returns {Promise<{ schedule: SiteSchedule, notes?: string[] }>} */
export const createSchedule = (wanted) => request("POST", `${brand()}/schedules`, wanted);

/** @param {string} id */
export const deleteSchedule = (id) => request("DELETE", `${brand()}/schedules/${encodeURIComponent(id)}`);

/** The time zone of the brand. @returns {Promise<string>} */
export const timeZone = async () => (await request("GET", brand())).time_zone;
