// @ts-check
import { SERVICE_URL } from "../../app/api.js";
import { CLIENTS, PLATFORMS, thisPlatform } from "./clients.js";
import { connectionTest } from "./connectiontest.js";
import { choice, fill, freshId, tag } from "../../parts/dom.js";
import { download, installLink, installWays } from "./install.js";
import { copyButton } from "../../parts/secret.js";

/**
 * How to connect an assistant with this key: the quick ways, the way by hand, the test.
 * @param {Key} key
 * @param {() => void} [onCopied] Called when a text that holds the secret was copied.
 * @returns {ConnectPanel}
 */
export function connectPanel(key, onCopied) {
	const system = { platform: thisPlatform() };
	let client = CLIENTS[0];
	/** @type {string | null} */
	let secret = null;
	const test = connectionTest(key);
	const helpId = freshId();
	const script = tag("input", { type: "text", autocomplete: "off", value: PLATFORMS[system.platform].script, oninput: draw, "aria-describedby": helpId });
	const ways = tag("div.ways");
	const link = tag("div");
	const text = tag("code");
	const place = tag("p.small");
	const next = tag("p.small");
	const group = freshId();

	function draw() {
		const { platform } = system;
		// A path that nobody changed is an example: it follows the system.
		if (Object.values(PLATFORMS).some((one) => one.script === script.value)) script.value = PLATFORMS[platform].script;
		const connection = { url: SERVICE_URL, secret: secret ?? `${key.prefix}…`, script: script.value.trim(), platform };
		fill(link, installLink(client, connection));
		text.textContent = client.text(connection);
		const where = client.place(platform);
		fill(place, where
			? ["Put this into ", tag("code", where), ". If the file lists other servers already, add only the “svc” part."]
			: "Run this line in the folder of your project:");
		next.textContent = client.next;
	}

	function drawAll() {
		fill(ways, installWays(client, system.platform));
		draw();
	}

	const clients = tag("fieldset.chips", tag("legend.visually-hidden", "Your assistant"), CLIENTS.map((one) => {
		const onchange = () => {
			client = one;
			drawAll();
		};
		return tag("label", tag("input", { type: "radio", name: group, checked: one === client, onchange }), tag("span", one.name));
	}));

	const root = tag("section.connect", { "aria-label": "Connect an assistant" },
		tag("h3", "Connect an assistant"),
		tag("ol.steps",
			tag("li", tag("h4", "Choose your assistant"), clients,
				tag("div.system", choice("System", Object.entries(PLATFORMS).map(([value, { name }]) => [value, name]), system, "platform", drawAll))),
			tag("li", tag("h4", "Install the bridge"),
				tag("p.small", "A small script that your assistant starts. It needs Python 3.8 or newer, nothing else."),
				ways,
				tag("details", tag("summary", "Or add it by hand"),
					tag("div.ways",
						tag("p.row", download("svc_mcp_stdio.py", "svc_mcp_stdio.py")),
						tag("div", tag("label.choice", tag("span", "Where you saved it"), script), tag("p.soft.small", { id: helpId }, "The whole path. Replace “you” with the name of your own folder.")),
						link, place,
						tag("div.code-block", tag("pre", { tabindex: "0", role: "region", "aria-label": "Configuration" }, text),
							copyButton("the configuration", text, () => { if (secret && text.textContent?.includes(secret)) onCopied?.(); })),
						next))),
			tag("li", tag("h4", "Test the connection"), test.root)));

	drawAll();
	return {
		root,
		setSecret(value) {
			secret = value;
			draw();
		},
		stop: test.stop,
	};
}
