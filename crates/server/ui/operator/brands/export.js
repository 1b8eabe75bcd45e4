// @ts-check
import { ApiError, SERVICE_URL } from "../../app/api.js";
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { Failure, Notice } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { number } from "../../parts/times.js";
import { ofBrand } from "../api.js";

/** Enough for the last line, which counts the rows. */
const MAX_LAST_LINE_BYTES = 4096;

/**
 * Reads an export and checks that it is complete.
 * @param {string} brandId @param {AbortSignal} signal @param {(bytes: number) => void} onProgress
 * @returns {Promise<{ file: Blob, rows: number }>}
 */
async function download(brandId, signal, onProgress) {
	const lost = new ApiError(t("operator-brands-export-lost"), {});
	const response = await fetch(`${SERVICE_URL}/api/admin${ofBrand(brandId)}/export`, {
		cache: "no-store", credentials: "same-origin", redirect: "error", signal,
	}).catch(() => Promise.reject(lost));
	if (!response.ok || !response.body) {
		const problem = await response.json().catch(() => null);
		throw problem ? new ApiError(problem.detail ?? problem.title, { status: response.status, code: problem.code, requestId: problem.request_id }) : lost;
	}
	const parts = [];
	let bytes = 0;
	const reader = response.body.getReader();
	for (;;) {
		const { done, value } = await reader.read().catch(() => Promise.reject(lost));
		if (done) break;
		parts.push(value);
		bytes += value.length;
		onProgress(bytes);
	}
	const file = new Blob(parts, { type: "application/x-ndjson" });
	const rows = rowsIn((await file.slice(-MAX_LAST_LINE_BYTES).text()).trimEnd().split("\n").pop() ?? "");
	if (rows === null) throw lost;
	return { file, rows };
}

/** The number in the last line of a complete export. @param {string} line @returns {number | null} */
function rowsIn(line) {
	try {
		const { rows } = JSON.parse(line);
		return typeof rows === "number" ? rows : null;
	} catch {
		return null;
	}
}

/** Downloads all rows of a brand. @param {{ brand: OperatorBrand, onClose: () => void }} properties */
export function ExportBrand({ brand, onClose }) {
	const { busy, error, send } = useSend();
	const [bytes, setBytes] = useState(0);
	const [rows, setRows] = useState(/** @type {number | null} */ (null));
	const open = useRef(new AbortController());
	useEffect(() => () => open.current.abort(), []);
	const start = () => send(async () => {
		setBytes(0);
		setRows(null);
		const { file, rows: count } = await download(brand.brand_id, open.current.signal, setBytes);
		if (open.current.signal.aborted) return;
		const link = document.createElement("a");
		link.href = URL.createObjectURL(file);
		link.download = `${brand.brand_id}.ndjson`;
		link.click();
		URL.revokeObjectURL(link.href);
		setRows(count);
	});
	return html`
		<${Modal} title=${t("operator-brands-export-title")} onClose=${onClose} actions=${html`
			<${Button} onClick=${onClose}>${t(rows === null ? "cancel" : "close")}<//>
			${rows === null && html`<${Button} kind="primary" icon="download" disabled=${busy} onClick=${start}>${t("operator-brands-export-action")}<//>`}`}>
			<div class="named"><p>${brand.name}</p><small><code>${brand.brand_id}</code></small></div>
			<p>${t("operator-brands-export-means")}</p>
			<p>${t("operator-brands-export-exact")}</p>
			<div role="status">
				${busy && html`<p>${t("operator-brands-export-progress", { size: number(Math.ceil(bytes / 1024)) })}</p>`}
				${rows !== null && html`<${Notice} tone="good" title=${t("operator-brands-export-done", { count: rows })}><p>${t("operator-brands-export-file", { file: `${brand.brand_id}.ndjson` })}</p><//>`}
			</div>
			${error && html`<${Failure} title=${t("operator-brands-export-failed")} error=${error} />`}
		<//>`;
}
