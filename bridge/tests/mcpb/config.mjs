// FOLDER USER_CONFIG: how an application starts the server of an unpacked bundle, by the official library.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const installed = createRequire(`${process.env.MCPB_FOLDER}/`);
const { getMcpConfigForManifest } = await import(pathToFileURL(installed.resolve("@anthropic-ai/mcpb")));
const [folder, userConfig] = process.argv.slice(2);
console.log(JSON.stringify(await getMcpConfigForManifest({
	manifest: JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8")),
	extensionPath: folder,
	systemDirs: {},
	userConfig: JSON.parse(userConfig),
	pathSeparator: "/",
}) ?? null));
