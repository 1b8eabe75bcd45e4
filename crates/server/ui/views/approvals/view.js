// @ts-check
import { changes, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { PageHead } from "../../parts/elements.js";
import { html, useState } from "../../vendor/preact.js";
import { DecidedList } from "./decided.js";
import { ApprovalDialog } from "./dialog.js";
import { Settings } from "./settings.js";
import { Waiting } from "./waiting.js";

/** What waits for a decision, what was decided, and the brand's rules for approvals. */
export function View() {
	// Subscribes to changes of the workspace. Components below do the same: a parent draws them again only if their properties change.
	void changes.value;
	const [open, setOpen] = useState(/** @type {Approval | null} */ (null));
	const [version, setVersion] = useState(0);
	const { total } = workspace.approvals;
	return html`
		<div class="view">
			<${PageHead} title=${t("approvals-title")} lead=${t("approvals-lead", { count: total })} />
			<div class="stack">
				<${Waiting} isActive=${!open} onOpen=${setOpen} />
				<${DecidedList} version=${version} onOpen=${setOpen} />
				<${Settings} />
			</div>
			${open && html`<${ApprovalDialog} key=${open.approval_id} listed=${open} onClose=${() => {
				setOpen(null);
				setVersion(version + 1);
			}} />`}
		</div>`;
}
