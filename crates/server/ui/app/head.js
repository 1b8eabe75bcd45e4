// @ts-check
// The head of the page: the look that the operator has set, the open brand and the person.
import { t } from "../lang/lang.js";
import { Button } from "../parts/elements.js";
import { Choice } from "../parts/fields.js";
import { toast } from "../parts/messages.js";
import { html } from "../vendor/preact.js";
import { api, ApiError, SERVICE_URL } from "./api.js";
import { account } from "./model.js";
import { meta } from "./opened.js";
import { goTo } from "./route.js";
import { currentSession } from "./session.js";

/** Name, logo, accent colour and the link back, as the operator has set them. */
export function applyBranding() {
	const [name, logo, accent, onAccent, back] = ["page-name", "page-logo-url", "page-accent", "page-accent-text", "page-back-url"].map(meta);
	const where = /** @type {HTMLElement} */ (document.querySelector(".where"));
	/** @type {HTMLElement} */ (where.querySelector("span")).textContent = name || t("page-settings");
	if (logo) showLogo(/** @type {HTMLImageElement} */ (where.querySelector("img")), logo);
	if (back) where.before(linkBack(back, name));
	if (accent) useAccent(accent, onAccent);
}

/** @param {string} address @param {string} name */
function linkBack(address, name) {
	const link = document.createElement("a");
	link.className = "back";
	link.href = address;
	link.target = "_top";
	link.textContent = name ? t("page-back-to", { name }) : t("page-back");
	return link;
}

/** @param {HTMLImageElement} image @param {string} address */
function showLogo(image, address) {
	const own = image.src;
	image.addEventListener("error", () => {
		image.src = own;
	}, { once: true });
	image.src = address;
}

/** Only where text stands on the colour, or none: as text on the page it could be hard to read. @param {string} accent @param {string} onAccent */
function useAccent(accent, onAccent) {
	// The policy of the page forbids inline styles. This is none.
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(`.top { border-top: .25rem solid ${accent}; }
.button.primary, .chips :checked + span { background: ${accent}; border-color: ${accent}; color: ${onAccent}; }`);
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

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
