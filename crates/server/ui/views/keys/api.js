// @ts-check
import { ofBrand, request } from "../../app/api.js";

/** @param {Key} key */
const ofKey = (key) => `${ofBrand(key.brand_id)}/mcp-keys/${encodeURIComponent(key.key_id)}`;

/** @param {Key} key @returns {Promise<Key>} */
export const loadKey = (key) => request("GET", ofKey(key));

/** @param {string} brandId @param {NewKey} wanted @returns {Promise<CreatedKey>} */
export const createKey = (brandId, wanted) => request("POST", `${ofBrand(brandId)}/mcp-keys`, wanted);

/** The secret. @param {Key} key @returns {Promise<string>} */
export const revealKey = async (key) => (await request("POST", `${ofKey(key)}/reveal`)).api_key;

/** @param {Key} key @param {KeyChanges} wanted @returns {Promise<Key>} */
export const changeKey = (key, wanted) => request("PATCH", ofKey(key), wanted);

/** Gives a key a new secret. The old one works for some time. @param {Key} key @param {number} graceSeconds @returns {Promise<CreatedKey>} */
export const rotateKey = (key, graceSeconds) => request("POST", `${ofKey(key)}/rotate`, { grace_seconds: graceSeconds });

/** Ends the old secret. @param {Key} key @returns {Promise<Key>} */
export const finishRotation = (key) => request("POST", `${ofKey(key)}/rotate/finish`);

/** @param {Key} key @param {boolean} [keepQueued] Whether what it has queued still goes out. @returns {Promise<RevokedKey>} */
export const revokeKey = (key, keepQueued = false) =>
	request("DELETE", `${ofKey(key)}${keepQueued ? "?queued=keep" : ""}`, undefined, { headers: { Prefer: "return=representation" } });

/** @param {Key} key @param {number} limit @returns {Promise<ActivityEvent[]>} */
export const keyActivity = async (key, limit) => (await request("GET", `${ofKey(key)}/activity?limit=${limit}`)).events;
