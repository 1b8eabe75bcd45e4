// @ts-check
import { ofBrand, request } from "../../app/api.js";
import { workspace } from "../../app/model.js";

const brand = () => ofBrand(workspace.brand.brand_id);
/** @param {string} id */
const ofChannel = (id) => `${brand()}/channels/${encodeURIComponent(id)}`;
/** @param {string} id */
const ofEndpoint = (id) => `${brand()}/event-endpoints/${encodeURIComponent(id)}`;

/** @returns {Promise<BrandChannel[]>} */
export const listChannels = async () => (await request("GET", `${brand()}/channels`)).channels;

/** @param {string} id @param {string} kind @param {object} settings @returns {Promise<BrandChannel & { secret?: string }>} */
export const putChannel = (id, kind, settings) => request("PUT", ofChannel(id), { kind, settings });

/** @param {string} id */
export const deleteChannel = (id) => request("DELETE", ofChannel(id));

/** @param {string} id @returns {Promise<ConnectionTest>} */
export const testChannel = (id) => request("POST", `${ofChannel(id)}/test`);

/** How many posts are still to be published there. @param {string} id @returns {Promise<number>} */
export const countScheduled = async (id) =>
	(await request("GET", `${brand()}/posts?${new URLSearchParams({ channel: id, status: "scheduled", limit: "1" })}`)).total;

/** @returns {Promise<ReportRecipient[]>} */
export const listRecipients = async () => (await request("GET", `${brand()}/report-recipients`)).recipients;

/** Replaces the list. @param {string[]} addresses @returns {Promise<ReportRecipient[]>} */
export const putRecipients = async (addresses) => (await request("PUT", `${brand()}/report-recipients`, { recipients: addresses })).recipients;

/** @returns {Promise<ConnectionTest>} */
export const testRecipients = () => request("POST", `${brand()}/report-recipients/test`);

/** @returns {Promise<KeywordList[]>} */
export const listKeywordLists = async () => (await request("GET", `${brand()}/keyword-imports`)).imports;

/** @param {File} file @returns {Promise<ImportedKeywordList>} */
export const importKeywords = (file) => request("POST", `${brand()}/keyword-imports`, file);

/** @param {string} id */
export const deleteKeywordList = (id) => request("DELETE", `${brand()}/keyword-imports/${encodeURIComponent(id)}`);

/** @returns {Promise<BrandEndpoint[]>} */
export const listEndpoints = async () => (await request("GET", `${brand()}/event-endpoints`)).event_endpoints;

/** @param {string} id @param {NewBrandEndpoint} wanted @returns {Promise<BrandEndpoint & { secret?: string }>} */
export const putEndpoint = (id, wanted) => request("PUT", ofEndpoint(id), wanted);

/** @param {string} id */
export const deleteEndpoint = (id) => request("DELETE", ofEndpoint(id));

/** @param {string} id @returns {Promise<ConnectionTest>} */
export const testEndpoint = (id) => request("POST", `${ofEndpoint(id)}/test`);

/** @param {string} endpoint @param {string} status Empty: all. @param {string} cursor @returns {Promise<BrandDeliveryPage>} */
export const listDeliveries = (endpoint, status, cursor) => request("GET",
	`${brand()}/event-deliveries?${new URLSearchParams({ endpoint, limit: "20", ...(status && { status }), ...(cursor && { cursor }) })}`);

/** @param {string} id @returns {Promise<BrandDelivery>} */
export const resendDelivery = (id) => request("POST", `${brand()}/event-deliveries/${encodeURIComponent(id)}/resend`);
