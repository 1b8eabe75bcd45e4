// @ts-check
// Asks for what the first view shows while the scripts that show it are loaded. It imports little, so that it runs first.
import { earlyApi } from "./api.js";
import { isEmbedded } from "./embed.js";
import { readRoute, takeLink } from "./opened.js";

/** The link that the page was opened with. In a frame the application hands over a code instead. */
export const openedWith = isEmbedded ? null : takeLink();

/** @param {Me} me @param {string | null} wanted Null: the first one. */
export const brandOf = ({ brands }, wanted) => (wanted === null ? brands[0] : brands.find(({ brand_id: id }) => id === wanted));

async function askForData() {
	await (openedWith ? earlyApi.signIn(openedWith, false) : earlyApi.session());
	const brand = brandOf(await earlyApi.me(), readRoute().brand);
	if (!brand) return;
	const { brand_id: id } = brand;
	await Promise.all([earlyApi.keys(id), earlyApi.members(id), earlyApi.approvals(id), earlyApi.approvalSettings(id)]);
}

// If something fails, the part of the page that needs it says so.
if (isSecureContext && !isEmbedded) askForData().catch(() => {});
