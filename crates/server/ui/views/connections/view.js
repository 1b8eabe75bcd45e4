// @ts-check
import { changes, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Empty, PageHead } from "../../parts/elements.js";
import { html, useEffect } from "../../vendor/preact.js";
import { Channels } from "./channels.js";
import { Endpoints } from "./endpoints.js";
import { KeywordLists } from "./keywords.js";
import { Recipients } from "./recipients.js";

/** What the brand is connected with. Only its administrators see it. */
export function View() {
	const { name, role } = workspace.brand;
	useEffect(() => {
		document.title = t("connections-document-title", { brand: name });
	}, [changes.value]);
	return html`
		<div class="view connections">
			<${PageHead} title=${t("connections-title")} lead=${t("connections-lead", { brand: name })} />
			${role === "admin"
				? html`<${Channels} /><${Recipients} /><${KeywordLists} /><${Endpoints} />`
				: html`<${ForAdministrators} />`}
		</div>`;
}

function ForAdministrators() {
	const administrators = workspace.members.filter((member) => member.role === "admin").map((member) => member.name || member.user_id);
	return html`
		<${Empty} icon="key" title=${t("connections-admins-only")}>
			<p>${t("connections-admins-only-next")}</p>
			<ul class="tool-names" aria-label=${t("connections-admins")}>${administrators.map((one) => html`<li key=${one}>${one}</li>`)}</ul>
		<//>`;
}
