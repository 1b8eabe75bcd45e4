// @ts-check
// The approvals as parts of this view, until they are a view of their own.
import { changes } from "../../app/model.js";
import { html, useLayoutEffect, useRef } from "../../parts/preact.js";
import { approvalSettingsView } from "../approvals/approvalsettings.js";
import { waitingView } from "../approvals/waiting.js";

/** @param {() => { root: HTMLElement, draw: () => void }} make */
const drawnBy = (make) => () => {
	const place = useRef(/** @type {any} */ (null));
	const part = useRef(/** @type {any} */ (null));
	useLayoutEffect(() => {
		part.current = make();
		place.current.append(part.current.root);
	}, []);
	useLayoutEffect(() => part.current.draw(), [changes.value]);
	return html`<div ref=${place}></div>`;
};

export const OldWaiting = drawnBy(waitingView);
export const OldApprovalSettings = drawnBy(approvalSettingsView);
