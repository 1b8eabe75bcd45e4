// @ts-check
// The operator's routes.
import { request } from "../app/api.js";

/** @type {string | undefined} */
let bearer;

/** The token that the person signed in with, in memory only. @param {string} [token] */
export function useToken(token) {
	bearer = token;
}

/** @returns {Promise<Me>} */
export const me = () => request("GET", "/api/me", undefined, { token: bearer });

/** @param {"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} method @param {string} path @param {object} [body] */
export const admin = (method, path, body) => request(method, `/api/admin${path}`, body, { token: bearer });

/** The headers of a request that `request` cannot make, because its answer is not JSON. */
export const credential = () => (bearer ? { Authorization: `Bearer ${bearer}` } : undefined);

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
