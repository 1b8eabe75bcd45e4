// @ts-check
// The ready configuration of each assistant.

/** @type {Record<Platform, { name: string, script: string, python: string }>} */
export const PLATFORMS = {
	mac: { name: "macOS", script: "/Users/you/Downloads/svc_mcp_stdio.py", python: "python3" },
	windows: { name: "Windows", script: "C:\\Users\\you\\Downloads\\svc_mcp_stdio.py", python: "py" },
	linux: { name: "Linux", script: "/home/you/Downloads/svc_mcp_stdio.py", python: "python3" },
};

/** @returns {Platform} */
export const thisPlatform = () => (/Windows/.test(navigator.userAgent) ? "windows" : /Mac/.test(navigator.userAgent) ? "mac" : "linux");

/** Quotes a word for the shell of a system, where that is necessary. @param {string} text @param {Platform} platform */
export const quoted = (text, platform) =>
	(/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", platform === "windows" ? "''" : "'\\''")}'`);

/** @param {Connection} connection @param {string} secret */
export const entry = ({ url, script, platform }, secret) => ({
	command: PLATFORMS[platform].python,
	args: [script],
	env: { SVC_API_URL: url, SVC_MCP_KEY: secret, SVC_MCP_READ_ONLY: "0" },
});

/** @param {object | string} value */
const json = (value) => JSON.stringify(value, null, 2);

/** @param {Connection} connection */
const mcpServers = (connection) => json({ mcpServers: { svc: entry(connection, connection.secret) } });

/** VS Code asks for the key and keeps it encrypted. */
export const VS_CODE_INPUTS = [{ type: "promptString", id: "svc-mcp-key", description: "MCP key (svc_mcp_…)", password: true }];

/** @param {Connection} connection */
export const vsCodeServer = (connection) => ({ type: "stdio", ...entry(connection, "${input:svc-mcp-key}") });

/** @param {Connection} connection */
const vsCode = (connection) => json({ inputs: VS_CODE_INPUTS, servers: { svc: vsCodeServer(connection) } });

/** @param {Connection} connection */
const zed = (connection) => json({ context_servers: { svc: entry(connection, connection.secret) } });

/** A JSON string is a TOML basic string, too. @param {Connection} connection */
function codex(connection) {
	const { command, args, env } = entry(connection, connection.secret);
	return ["[mcp_servers.svc]", `command = ${json(command)}`, `args = [${json(args[0])}]`, "", "[mcp_servers.svc.env]",
		...Object.entries(env).map(([name, value]) => `${name} = ${json(value)}`)].join("\n");
}

/** @param {Connection} connection */
function claudeCode(connection) {
	const { command, args, env } = entry(connection, connection.secret);
	/** @param {string} text */
	const word = (text) => quoted(text, connection.platform);
	// `--env` takes every word up to the next option, so the server's name must not follow it directly.
	return ["claude mcp add", ...Object.entries(env).map(([name, value]) => `--env ${word(`${name}=${value}`)}`),
		"--transport stdio svc --", command, word(args[0])].join(" ");
}

/** @param {string} path @returns {(platform: Platform) => string} */
const home = (path) => (platform) => (platform === "windows" ? `%USERPROFILE%\\${path.replaceAll("/", "\\")}` : `~/${path}`);

/** @type {Client[]} */
export const CLIENTS = [
	{
		id: "claude-desktop",
		name: "Claude Desktop",
		text: mcpServers,
		place: (platform) => ({
			mac: "~/Library/Application Support/Claude/claude_desktop_config.json",
			windows: "%APPDATA%\\Claude\\claude_desktop_config.json",
			linux: "~/.config/Claude/claude_desktop_config.json",
		})[platform],
	},
	{
		id: "claude-code",
		name: "Claude Code",
		text: claudeCode,
		place: () => "",
	},
	{ id: "cursor", name: "Cursor", text: mcpServers, place: home(".cursor/mcp.json") },
	{
		id: "vscode",
		name: "VS Code",
		text: vsCode,
		place: () => ".vscode/mcp.json",
	},
	{ id: "windsurf", name: "Windsurf", text: mcpServers, place: home(".codeium/windsurf/mcp_config.json") },
	{ id: "codex", name: "Codex", text: codex, place: home(".codex/config.toml") },
	{ id: "gemini-cli", name: "Gemini CLI", text: mcpServers, place: home(".gemini/settings.json") },
	{
		id: "zed",
		name: "Zed",
		text: zed,
		place: (platform) => (platform === "windows" ? "%APPDATA%\\Zed\\settings.json" : "~/.config/zed/settings.json"),
	},
];
