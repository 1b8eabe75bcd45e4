// @ts-check
// The settings of each kind of channel.

/**
 * `secret`: write-only. `options`: the values that can be chosen. The first is the default of the service.
 * @typedef {{ name: string, type?: string, required?: boolean, secret?: boolean, options?: string[] }} ChannelField
 */

/** @type {Record<string, ChannelField[]>} */
export const CHANNEL_FIELDS = {
	webhook: [{ name: "url", type: "url", required: true }, { name: "secret", secret: true }],
	mastodon: [
		{ name: "server", type: "url", required: true }, { name: "access_token", secret: true, required: true },
		{ name: "visibility", options: ["public", "unlisted", "private"] }, { name: "max_characters", type: "number" },
	],
	bluesky: [
		{ name: "identifier", required: true }, { name: "app_password", secret: true, required: true },
		{ name: "server", type: "url" }, { name: "langs" },
	],
};

/** What the form shows first. @param {BrandChannel | null} channel @returns {Record<string, string>} */
export function typedFrom(channel) {
	const shown = channel?.settings ?? {};
	return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value ?? "")]));
}

/** What the form sends. An empty field is left out: its default holds, and a secret stays. @param {string} kind @param {Record<string, string>} typed */
export function settingsOf(kind, typed) {
	/** @type {Record<string, unknown>} */
	const settings = {};
	for (const { name, type } of CHANNEL_FIELDS[kind]) {
		const value = (typed[name] ?? "").trim();
		if (!value) continue;
		if (name === "langs") settings[name] = value.split(/[\s,;]+/).filter(Boolean);
		else settings[name] = type === "number" ? Number(value) : value;
	}
	return settings;
}
