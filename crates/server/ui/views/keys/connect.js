// @ts-check
import { SERVICE_URL } from "../../app/api.js";
import { rich, t } from "../../lang/lang.js";
import { Choice } from "../../parts/fields.js";
import { html, useId, useState } from "../../vendor/preact.js";
import { CodeBlock } from "../../parts/secret.js";
import { CLIENTS, PLATFORMS, thisPlatform } from "./clients.js";
import { ConnectionTest } from "./connectiontest.js";
import { Download, InstallLink, InstallWays } from "./install.js";

/**
 * How to connect an assistant with a key: the quick ways, the way by hand, the test.
 * @param {{ of: Key, secret?: string | null, onCopied?: () => void }} properties
 *   `secret`: shown in the configuration, if it is known; `onCopied`: called when a text that has the secret in it was copied.
 */
export function Connect({ of, secret, onCopied }) {
	const [platform, setPlatform] = useState(thisPlatform);
	const [client, setClient] = useState(CLIENTS[0]);
	/** A path that was not changed is an example: it follows the system. */
	const [path, setPath] = useState(/** @type {string | null} */ (null));
	const group = useId();
	const script = path ?? PLATFORMS[platform].script;
	const connection = { url: SERVICE_URL, secret: secret ?? `${of.prefix}…`, script: script.trim(), platform };
	const text = client.text(connection);
	const file = client.place(platform);
	return html`
		<section class="connect" aria-label=${t("keys-connect")}>
			<h3>${t("keys-connect")}</h3>
			<ol class="steps">
				<li>
					<h4>${t("keys-choose-assistant")}</h4>
					<fieldset class="chips">
						<legend class="visually-hidden">${t("keys-assistant")}</legend>
						${CLIENTS.map((one) => html`<label key=${one.id}><input type="radio" name=${group} checked=${one === client} onChange=${() => setClient(one)} /><span>${one.name}</span></label>`)}
					</fieldset>
					<div class="system"><${Choice} label=${t("keys-system")} options=${Object.entries(PLATFORMS).map(([value, { name }]) => [value, name])} value=${platform} onChange=${setPlatform} /></div>
				</li>
				<li>
					<h4>${t("keys-install-bridge")}</h4>
					<p class="small">${t("keys-bridge")}</p>
					<div class="ways"><${InstallWays} client=${client} platform=${platform} /></div>
					<details>
						<summary>${t("keys-by-hand")}</summary>
						<div class="ways">
							<p class="row"><${Download} file="svc_mcp_stdio.py">svc_mcp_stdio.py<//></p>
							<${ScriptPath} value=${script} onInput=${setPath} />
							<${InstallLink} client=${client} connection=${connection} />
							<p class="small">${file ? rich("keys-put-into", { file: html`<code>${file}</code>` }) : t("keys-run-in-project")}</p>
							<${CodeBlock} name=${t("keys-configuration")} text=${text} label=${t("keys-copy-configuration")} onCopied=${() => secret && text.includes(secret) && onCopied?.()} />
							<p class="small">${t(`keys-next-${client.id}`)}</p>
						</div>
					</details>
				</li>
				<li><h4>${t("keys-test")}</h4><${ConnectionTest} of=${of} /></li>
			</ol>
		</section>`;
}

/** @param {{ value: string, onInput: (value: string) => void }} properties */
function ScriptPath({ value, onInput }) {
	const id = useId();
	return html`
		<div>
			<label class="choice"><span>${t("keys-script")}</span><input type="text" autocomplete="off" value=${value} aria-describedby=${id} onInput=${(/** @type {any} */ event) => onInput(event.target.value)} /></label>
			<p class="soft small" id=${id}>${t("keys-script-hint")}</p>
		</div>`;
}
