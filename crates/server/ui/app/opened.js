// @ts-check
// What the page is opened with: its address, and what the operator has set.

/** What the operator has set. The service writes it into the meta tags. @param {string} name */
export const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";

/** `?brand=…&view=…`, so that a reload and a shared link lead to the same place. @returns {Route} */
export function readRoute() {
	const query = new URLSearchParams(location.search);
	return { brand: query.get("brand"), view: query.get("view") ?? "keys" };
}

/** Reads `#code=…` or `#token=…`, and removes it from the address bar and the history at once. @returns {SignInLink | null} */
export function takeLink() {
	const fragment = new URLSearchParams(location.hash.slice(1));
	const [code, token] = [fragment.get("code"), fragment.get("token")];
	if (!code && !token) return null;
	history.replaceState(null, "", location.pathname + location.search);
	return code ? { code } : { token: token ?? "" };
}

/** Reads `#sign-in=…`: why a sign-in with OpenID Connect did not work. Removes it from the address. @returns {SignInFailure | null} */
export function takeFailure() {
	const failure = new URLSearchParams(location.hash.slice(1)).get("sign-in");
	if (failure === null) return null;
	history.replaceState(null, "", location.pathname + location.search);
	return failure === "denied" || failure === "expired" || failure === "unavailable" ? failure : "failed";
}
