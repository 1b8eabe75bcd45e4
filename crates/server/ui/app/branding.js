// @ts-check
// Name, logo, accent colour and the link back, as the operator has set them.
import { t } from "../lang/lang.js";
import { meta } from "./meta.js";

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
