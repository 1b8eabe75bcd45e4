// @ts-check
import { t } from "../lang/lang.js";
import { Button } from "../parts/elements.js";
import { Choice } from "../parts/fields.js";
import { toast } from "../parts/notice.js";
import { html } from "../parts/preact.js";
import { api, ApiError, SERVICE_URL } from "./api.js";
import { account } from "./model.js";
import { goTo } from "./place.js";
import { currentSession } from "./session.js";

/** The open brand, the person's role, and the button to sign out. @param {{ onSignOut: () => void }} properties `onSignOut`: called when the session was ended on purpose. */
export function AccountHead({ onSignOut }) {
	if (!account.value) return null;
	const { me, brand } = account.value;
	return html`
		${brand && (me.brands.length === 1
			? html`<span class="brand-name">${brand.name}</span>`
			: html`<${Choice} label=${t("page-brand")} options=${me.brands.map((one) => [one.brand_id, one.name])} value=${brand.brand_id} onChange=${(/** @type {string} */ id) => goTo({ brand: id })} />`)}
		${brand && html`<span class="role">${t(`page-role-${brand.role}`)}</span>`}
		${me.operator && html`<a class="button small" href=${`${SERVICE_URL}/operator`}>${t("page-operator")}</a>`}
		<${Button} kind="small" title=${t("page-signed-in-as", { user: currentSession()?.user_id ?? me.user_id })} onClick=${() => signOut(onSignOut)}>${t("page-sign-out")}<//>`;
}

/** @param {() => void} onSignOut */
async function signOut(onSignOut) {
	try {
		await api.signOut();
	} catch (error) {
		// 401: the session has ended already.
		if (!(error instanceof ApiError) || error.status !== 401) return toast(t("page-still-signed-in", { problem: error instanceof ApiError ? error.message : "" }));
	}
	onSignOut();
}
