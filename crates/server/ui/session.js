// @ts-check
// Who is signed in. The token lives in this variable and nowhere else: closing or reloading the tab forgets it.

let token = "";

export const currentToken = () => token;

export function forgetToken() {
	token = "";
}

/** @param {string} accepted */
export function setToken(accepted) {
	token = accepted;
}

/** Reads `#token=…`, and removes it from the address bar and the history at once. Returns "" if there is none. */
export function takeTokenFromAddress() {
	const carried = new URLSearchParams(location.hash.slice(1)).get("token");
	if (!carried) return "";
	history.replaceState(null, "", location.pathname + location.search);
	return carried;
}

/**
 * Signs in with what a person pasted: the whole link or only the token. Returns whether it contains one.
 * @param {string} text
 */
export function takeTokenFromText(text) {
	const found = /[\w-]+\.[\w-]+\.[\w-]+\s*$/.exec(text);
	if (!found) return false;
	token = found[0].trim();
	return true;
}
