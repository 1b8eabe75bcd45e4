// @ts-check
// The quick ways to connect an assistant. A line stays in the history of a shell and a link in that of a browser, so none
// of them contains the key.
import { SERVICE_URL } from "../../app/api.js";
import { entry, PLATFORMS, quoted, VS_CODE_INPUTS, vsCodeServer } from "./clients.js";
import { icon, tag } from "../../parts/dom.js";
import { copyButton } from "../../parts/secret.js";

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

/** @param {Client} client @param {Platform} platform */
export function installWays(client, platform) {
	const line = tag("code", installLine(client, platform));
	return [
		client.id === "claude-desktop" && [
			tag("p.row", download("svc-mcp.mcpb", "Download the extension")),
			tag("p.small", `Open it with Claude Desktop and press “Install”. It asks for the key. The address must be ${SERVICE_URL}.`),
			tag("p.small", "Or use this line:"),
		],
		tag("div.code-block", tag("pre", { tabindex: "0", role: "region", "aria-label": "Install line" }, line), copyButton("the line", line, () => {})),
		tag("p.small", `Run it in ${platform === "windows" ? "PowerShell" : "a terminal"}. It asks for the key: copy the key and paste it there. Then start ${client.name} again.`),
	];
}

/** A file of the bridge, with its checksum. @param {string} file @param {string} words */
export const download = (file, words) => [
	tag("a.button.small", { href: `${SERVICE_URL}/bridge/${file}`, download: file }, icon("download"), words),
	tag("a.small", { href: `${SERVICE_URL}/bridge/${file}.sha256`, download: `${file}.sha256`, "aria-label": `SHA-256 checksum of ${file}` }, "SHA-256 checksum"),
];

/** A link that opens the assistant with the entry, for the two that have one. @param {Client} client @param {Connection} connection */
export function installLink(client, connection) {
	if (client.id === "cursor") {
		const bytes = new TextEncoder().encode(JSON.stringify(entry(connection, NO_KEY)));
		const config = encodeURIComponent(btoa(String.fromCharCode(...bytes)));
		return linkRow(`cursor://anysphere.cursor-deeplink/mcp/install?name=svc&config=${config}`, "Add to Cursor",
			`Then replace “${NO_KEY}” with the key. Or do both by hand:`);
	}
	if (client.id === "vscode") {
		const config = encodeURIComponent(JSON.stringify({ name: "svc", ...vsCodeServer(connection), inputs: VS_CODE_INPUTS }));
		return linkRow(`vscode:mcp/install?${config}`, "Add to VS Code", "VS Code asks for the key. Or add it to a project by hand:");
	}
	return null;
}

/** @param {string} href @param {string} words @param {string} next */
const linkRow = (href, words, next) => tag("p.row.small", tag("a.button.small", { href }, words), next);
