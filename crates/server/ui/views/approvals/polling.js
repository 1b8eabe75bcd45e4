// @ts-check
import { workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { announce } from "../../parts/notice.js";
import { useEffect, useState } from "../../parts/preact.js";
import { refreshWaiting } from "./api.js";

const POLL_INTERVAL_MS = 15_000;

/** Looks for new calls while the tab is visible, and at once when it becomes visible. Returns whether the last look failed. */
export function usePolling() {
	const [hasFailed, setFailed] = useState(false);
	useEffect(() => {
		let isOpen = true;
		async function look() {
			if (document.hidden) return;
			try {
				const isNew = await refreshWaiting();
				if (!isOpen) return;
				setFailed(false);
				if (isNew) announce(t("approvals-new", { count: workspace.approvals.total }));
			} catch {
				// The list stays as it was. The next look may succeed.
				if (isOpen) setFailed(true);
			}
		}
		const timer = setInterval(look, POLL_INTERVAL_MS);
		document.addEventListener("visibilitychange", look);
		return () => {
			isOpen = false;
			clearInterval(timer);
			document.removeEventListener("visibilitychange", look);
		};
	}, [workspace.brand.brand_id]);
	return hasFailed;
}
