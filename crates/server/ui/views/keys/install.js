// @ts-check
// The quick ways to connect an assistant. A line stays in the history of a shell and a link in that of a browser, so none
// of them contains the key.
import { SERVICE_URL } from "../../app/api.js";
import { t } from "../../lang/lang.js";
import { Icon } from "../../parts/elements.js";
import { html } from "../../vendor/preact.js";
import { CodeBlock } from "../../parts/secret.js";
import { entry, PLATFORMS, quoted, VS_CODE_INPUTS, vsCodeServer } from "./clients.js";

const NO_KEY = "paste-your-key-here";

/** Downloads the bridge and lets it add itself to the assistant. @param {Client} client @param {Platform} platform */
function installLine(client, platform) {
	const download = quoted(`${SERVICE_URL}/bridge/svc_mcp_stdio.py`, platform);
	const address = quoted(SERVICE_URL, platform);
	const install = `${PLATFORMS[platform].python} svc_mcp_stdio.py --install ${client.id}`;
	return platform === "windows"
		? `curl.exe -fsSO ${download}; $env:SVC_API_URL=${address.startsWith("'") ? address : `'${address}'`}; ${install}`
		: `curl -fsSO ${download} && SVC_API_URL=${address} ${install}`;
}

/** @param {{ client: Client, platform: Platform }} properties */
export const InstallWays = ({ client, platform }) => html`
	${client.id === "claude-desktop" && html`
		<p class="row"><${Download} file="svc-mcp.mcpb">${t("keys-extension")}<//></p>
		<p class="small">${t("keys-extension-how", { url: SERVICE_URL })}</p>
		<p class="small">${t("keys-or-line")}</p>`}
	<${CodeBlock} name=${t("keys-install-line")} text=${installLine(client, platform)} label=${t("keys-copy-line")} />
	<p class="small">${t(platform === "windows" ? "keys-run-powershell" : "keys-run-shell", { client: client.name })}</p>`;

/** A file of the bridge, with its checksum. @param {{ file: string, children?: any }} properties */
export const Download = ({ file, children }) => html`
	<a class="button small" href=${`${SERVICE_URL}/bridge/${file}`} download=${file}><${Icon} name="download" />${children}</a>
	<a class="small" href=${`${SERVICE_URL}/bridge/${file}.sha256`} download=${`${file}.sha256`} aria-label=${t("keys-checksum-of", { file })}>${t("keys-checksum")}</a>`;

/** A link that opens the assistant with the entry, for the two that have one. @param {{ client: Client, connection: Connection }} properties */
export function InstallLink({ client, connection }) {
	if (client.id === "cursor") {
		const bytes = new TextEncoder().encode(JSON.stringify(entry(connection, NO_KEY)));
		const config = encodeURIComponent(btoa(String.fromCharCode(...bytes)));
		return linkRow(`cursor://anysphere.cursor-deeplink/mcp/install?name=svc&config=${config}`, client, t("keys-cursor-next", { placeholder: NO_KEY }));
	}
	if (client.id === "vscode") {
		const config = encodeURIComponent(JSON.stringify({ name: "svc", ...vsCodeServer(connection), inputs: VS_CODE_INPUTS }));
		return linkRow(`vscode:mcp/install?${config}`, client, t("keys-vscode-next"));
	}
	return null;
}

/** @param {string} href @param {Client} client @param {string} next */
const linkRow = (href, client, next) => html`<p class="row small"><a class="button small" href=${href}>${t("keys-add-to", { client: client.name })}</a>${next}</p>`;
