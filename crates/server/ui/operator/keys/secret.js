// @ts-check
import { ApiError } from "../../app/api.js";
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { TextField } from "../../parts/fields.js";
import { Failure, Notice } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { admin } from "../api.js";
import { KeyFacts, RevokeKey } from "./table.js";

/** A secret that is mistyped or unknown is a result of the search, and no failure. @param {any} error */
const isResult = (error) => error instanceof ApiError && (error.status === 404 || error.status === 422);

/** Finds the key of a pasted secret. The secret is sent in a body. It leaves its field, unless the search has failed. @param {{ onRevoked: () => void }} properties */
export function FindBySecret({ onRevoked }) {
	const [secret, setSecret] = useState("");
	const [found, setFound] = useState(/** @type {Key | null} */ (null));
	const [revoking, setRevoking] = useState(false);
	const { busy, error, send, clear } = useSend();

	/** @param {string} text */
	async function find(text) {
		try {
			setFound(await admin("POST", "/keys/search", { secret: text }));
		} catch (problem) {
			// Nothing was found out about it, so it can be sent again.
			if (!isResult(problem)) setSecret(text);
			throw problem;
		}
	}
	/** @param {Event} event */
	function submit(event) {
		event.preventDefault();
		const text = secret.trim();
		setSecret("");
		setFound(null);
		clear();
		if (text) send(() => find(text));
	}
	/** @param {Key} key */
	async function reload(key) {
		onRevoked();
		const { keys } = await admin("GET", `/keys?${new URLSearchParams({ prefix: key.prefix, brand: key.brand_id })}`);
		setFound(keys.find((/** @type {Key} */ one) => one.key_id === key.key_id) ?? null);
	}
	return html`
		<section class="card stack" aria-labelledby="find-secret">
			<h2 id="find-secret">${t("operator-keys-secret-title")}</h2>
			<form class="toolbar secret-search" onSubmit=${submit}>
				<${TextField} type="password" label=${t("operator-keys-secret-label")} hint=${t("operator-keys-secret-hint")} value=${secret} onInput=${setSecret}
					fault=${isResult(error) ? t(error.status === 404 ? "operator-keys-secret-unknown" : "operator-keys-secret-mistyped") : ""}
					attributes=${{ autocomplete: "off", spellcheck: false, maxlength: 200 }} />
				<button type="submit" class="button" disabled=${busy}>${t("operator-keys-secret-find")}</button>
			</form>
			<div class="stack" role="status">
				${error && !isResult(error) && html`<${Failure} title=${t("operator-keys-secret-failed")} error=${error} />`}
				${found && html`
					<${Notice} tone="info" title=${t("operator-keys-secret-found", { label: found.label })}>
						<p><code>${found.prefix}…</code></p>
						<${KeyFacts} item=${found} />
						${found.status !== "revoked" && html`<p class="row"><${Button} kind="danger" onClick=${() => setRevoking(true)}>${t("operator-keys-revoke-action")}<//></p>`}
					<//>`}
			</div>
			${revoking && found && html`<${RevokeKey} item=${found} onClose=${() => setRevoking(false)} onRevoked=${() => reload(found)} />`}
		</section>`;
}
