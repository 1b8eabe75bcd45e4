// @ts-check
import { isEmbedded, keepToken, sessionToken } from "./embed.js";
import { sessionNumber } from "./session.js";

const REQUEST_TIMEOUT_MS = 20_000;
/** A file of 5 MiB over a slow line. */
const UPLOAD_TIMEOUT_MS = 180_000;

/** The service's address, also where a proxy serves it below a path of its own. */
export const SERVICE_URL = location.origin + location.pathname.replace(/\/(settings\/mcp|operator)\/?$/, "");

/** An error response. Its message says what happened and what to do next. */
export class ApiError extends Error {
	status = 0;
	code = "";
	requestId = "";
	/** The user of the code or token, if another user is signed in. */
	signInUserId = "";
	/** @type {FieldFault[]} */
	fields = [];
	/** The request may have succeeded, although no response arrived. */
	outcomeUnknown = false;

	/** @param {string} message @param {Partial<ApiError>} facts */
	constructor(message, facts) {
		super(message);
		Object.assign(this, facts);
	}
}

/** Whether the service does not accept the session. @param {unknown} error */
export const isRefused = (error) => error instanceof ApiError && error.status === 401;

/** The answers to requests that were sent early, by method and path. Each is used once. @type {Map<string, Promise<any>>} */
const early = new Map();

/** Somebody else may be signed in now. */
export const forgetEarly = () => early.clear();

let sessionEnded = () => {};

/** @param {() => void} listener Called when the service no longer accepts the session. */
export function onSessionEnded(listener) {
	sessionEnded = listener;
}

/**
 * @typedef {"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} Method
 * @typedef {{ token?: string, headers?: Record<string, string>, expectsRefusal?: boolean }} Options `expectsRefusal`: a refusal does not mean that a session has ended.
 * @typedef {(method: Method, path: string, body?: object, options?: Options) => Promise<any>} Send `body`: a file is sent as it is.
 */

/** @type {Send} */
export function request(method, path, body, options) {
	const answer = early.get(`${method} ${path}`);
	if (!answer) return send(method, path, body, options);
	early.delete(`${method} ${path}`);
	if (options?.expectsRefusal) return answer;
	// It is sent again, because the page was not yet told that its session has ended.
	return answer.catch((error) => (isRefused(error) ? send(method, path, body, options) : Promise.reject(error)));
}

/** Sends a request before the part of the page that needs the answer is loaded. @type {Send} */
function requestEarly(method, path, body, options) {
	const answer = send(method, path, body, options);
	early.set(`${method} ${path}`, answer);
	return answer;
}

/** @type {Send} */
async function send(method, path, body, { token, headers, expectsRefusal = false } = {}) {
	const sentIn = sessionNumber();
	const isFile = body instanceof Blob;
	const bearer = token || sessionToken();
	let response;
	let text;
	try {
		response = await fetch(SERVICE_URL + path, {
			method,
			headers: {
				...headers, ...(bearer && { Authorization: `Bearer ${bearer}` }),
				...(body && { "Content-Type": isFile ? "text/csv" : "application/json" }),
			},
			body: isFile ? body : body && JSON.stringify(body),
			cache: "no-store",
			credentials: isEmbedded ? "omit" : "same-origin",
			redirect: "error",
			signal: AbortSignal.timeout(isFile ? UPLOAD_TIMEOUT_MS : REQUEST_TIMEOUT_MS),
		});
		text = await response.text();
	} catch {
		throw new ApiError(await errorText("service-unreachable"), { outcomeUnknown: true });
	}
	const { status, ok } = response;
	if (status === 204) return null;
	let answer;
	try {
		answer = JSON.parse(text);
	} catch {
		answer = null;
	}
	if (ok && answer) return answer;
	// If the session was replaced while the request ran, its response says nothing about the new one.
	if (status === 401 && !expectsRefusal && sentIn === sessionNumber()) sessionEnded();
	if (!answer?.code) {
		throw new ApiError(await errorText("answer-unreadable", { status: String(status) }), { status, outcomeUnknown: ok || status >= 500 });
	}
	throw new ApiError(answer.detail || answer.title, {
		status,
		code: answer.code,
		requestId: answer.request_id,
		signInUserId: answer.sign_in_user_id ?? "",
		fields: answer.errors ?? [],
		// `unavailable` means that nothing was changed.
		outcomeUnknown: status >= 500 && answer.code !== "unavailable",
	});
}

/** The first requests are sent before the texts are loaded. @param {string} id @param {Record<string, string>} [values] */
async function errorText(id, values) {
	const { loadTexts, t } = await import("../lang/lang.js");
	await loadTexts("page");
	return t(id, values);
}

/** @param {string} brandId */
export const ofBrand = (brandId) => `/api/brands/${encodeURIComponent(brandId)}`;

/** @param {Send} request @returns {Api} */
const apiWith = (request) => ({
	session: () => request("GET", "/api/session", undefined, { expectsRefusal: true }),
	signIn: async (link, replace) => "code" in link
		? keepToken(await request("POST", "/api/session", { code: link.code, ...(isEmbedded ? { embedded: true } : { replace }) }, { expectsRefusal: true }))
		: request("POST", "/api/session", { replace }, { token: link.token, expectsRefusal: true }),
	signOut: () => request("DELETE", "/api/session", undefined, { expectsRefusal: true }),
	me: () => request("GET", "/api/me"),
	tools: async () => (await request("GET", "/api/tools")).tools,
	members: async (brandId) => (await request("GET", `${ofBrand(brandId)}/members`)).members,
	async keys(brandId) {
		const keys = [];
		let cursor = "";
		do {
			const query = new URLSearchParams({ include_revoked: "true", limit: "100", ...(cursor && { cursor }) });
			const page = await request("GET", `${ofBrand(brandId)}/mcp-keys?${query}`);
			keys.push(...page.keys);
			cursor = page.next_cursor;
		} while (cursor);
		return keys;
	},
	approvals: (brandId, limit = 20) => request("GET", `${ofBrand(brandId)}/approvals?status=pending&limit=${limit}`),
	approvalSettings: (brandId) => request("GET", `${ofBrand(brandId)}/approval-settings`),
});

export const api = apiWith(request);
/** For `early.js`: what `api` is asked for later is answered with this. */
export const earlyApi = apiWith(requestEarly);
