// @ts-check
// The operator's routes.
import { request } from "../app/api.js";

/** @param {"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} method @param {string} path @param {object} [body] */
export const admin = (method, path, body) => request(method, `/api/admin${path}`, body);

/**
 * One part of a list.
 * @param {string} path
 * @param {string} name Of the list in the answer.
 * @param {Record<string, string | undefined>} filters Empty ones are left out.
 * @returns {Promise<OperatorPage<any>>}
 */
export async function listOf(path, name, filters) {
	const query = new URLSearchParams(/** @type {string[][]} */ (Object.entries(filters).filter(([, value]) => value)));
	const answer = await admin("GET", `${path}?${query}`);
	return { items: answer[name], next: answer.next_cursor, answer };
}

/** @param {string} brandId */
export const ofBrand = (brandId) => `/brands/${encodeURIComponent(brandId)}`;

/** @param {string} userId */
export const ofUser = (userId) => `/users/${encodeURIComponent(userId)}`;
