// @ts-check
import { changes } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Skeleton, Button, Empty, PageHead } from "../../parts/elements.js";
import { Failure, Notice } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { useLoad } from "../../parts/requests.js";
import { listPosts } from "./api.js";
import { Calendar } from "./calendar.js";
import { PostDialog } from "./details.js";
import { PostList } from "./list.js";

/** How many posts there are, and how many need a person. */
async function loadCounts() {
	const [all, failed] = await Promise.all([listPosts({ limit: "1" }), listPosts({ status: "failed", limit: "1" })]);
	return { all: all.total, failed: failed.total };
}

/** The posts of the brand, as a calendar and as a list. */
export function View() {
	// Subscribes to changes of the workspace.
	void changes.value;
	const [shape, setShape] = useState(/** @type {"calendar" | "list"} */ ("calendar"));
	const [status, setStatus] = useState("");
	const [version, setVersion] = useState(0);
	const [open, setOpen] = useState(/** @type {Post | null} */ (null));
	const { data: counts, error, reload } = useLoad(loadCounts, [version]);
	const isChanged = () => setVersion((before) => before + 1);
	return html`
		<div class="view">
			<${PageHead} title=${t("posts-title")} lead=${t("posts-lead")}>
				${counts !== null && counts.all > 0 && html`
					<fieldset class="chips"><legend class="visually-hidden">${t("posts-shape")}</legend>
						${/** @type {const} */ (["calendar", "list"]).map((one) => html`
							<label key=${one}><input type="radio" name="shape" checked=${shape === one} onChange=${() => setShape(one)} /><span>${t(`posts-shape-${one}`)}</span></label>`)}
					</fieldset>`}
			<//>
			${error && html`<${Failure} title=${t("posts-not-loaded")} error=${error} retry=${reload} />`}
			${!counts && !error && html`<${Skeleton} rows=${6} />`}
			${counts !== null && counts.failed > 0 && html`
				<${Notice} tone="warning" title=${t("posts-failed-count", { count: counts.failed })}>
					<p class="row"><${Button} kind="small" onClick=${() => {
						setStatus("failed");
						setShape("list");
					}}>${t("posts-show-failed")}<//></p>
				<//>`}
			${counts?.all === 0 && html`<${Empty} icon="calendar" title=${t("posts-empty")}><p>${t("posts-empty-help")}</p><//>`}
			${counts !== null && counts.all > 0 && (shape === "calendar"
				? html`<${Calendar} version=${version} onOpen=${setOpen} onChanged=${isChanged} />`
				: html`<${PostList} status=${status} version=${version} onStatus=${setStatus} onOpen=${setOpen} />`)}
			${open && html`<${PostDialog} key=${open.post_id} listed=${open} onChanged=${isChanged} onClose=${() => setOpen(null)} />`}
		</div>`;
}
