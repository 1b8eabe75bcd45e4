// @ts-check
import { personName, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { announce, Failure, Notice, toast } from "../../parts/messages.js";
import { html, useRef, useState } from "../../vendor/preact.js";
import { RemovalDialog } from "../../parts/removal.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { dateTime, Time } from "../../parts/times.js";
import { deleteKeywordList, importKeywords, listKeywordLists } from "./api.js";
import { Nothing, Row, Rows, Section } from "./section.js";

const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Exports of keyword tools. */
export function KeywordLists() {
	const loaded = useLoad(listKeywordLists, [workspace.brand.brand_id]);
	const [removed, setRemoved] = useState(/** @type {KeywordList | null} */ (null));
	const list = loaded.data ?? [];
	return html`
		<${Section} title=${t("connections-keywords")} lead=${t("connections-keywords-lead")} loaded=${loaded} failed=${t("connections-keywords-failed")}>
			<${Upload} onImported=${loaded.reload} />
			${list.length === 0
				? html`<${Nothing}>${t("connections-keywords-none")}<//>`
				: html`<${Rows} name=${t("connections-keywords")}>
					${list.map((one) => html`<${ListRow} key=${one.import_id} list=${one} onRemove=${() => setRemoved(one)} />`)}
				<//>`}
		<//>
		${removed && html`<${ListRemoval} list=${removed} onRemoved=${loaded.reload} onClose=${() => setRemoved(null)} />`}`;
}

/** @param {KeywordList} list */
const nameOf = (list) => t("connections-keywords-name", { tool: t(`connections-tool-${list.tool}`), at: dateTime(list.imported_at) });

/** @param {{ list: KeywordList, onRemove: () => void }} properties */
const ListRow = ({ list, onRemove }) => html`
	<${Row} title=${t(`connections-tool-${list.tool}`)}
		facts=${html`
			<p class="small">${t("connections-keywords-rows", { count: list.rows })}
				${list.skipped > 0 && html`<span class="connection-set">${t("connections-keywords-skipped", { count: list.skipped })}</span>`}</p>
			<p class="soft small">${personName(list.imported_by)} · <${Time} at=${list.imported_at} /></p>`}
		actions=${html`<${Button} kind="small danger-quiet" label=${t("connections-remove-of", { name: nameOf(list) })} focus=${`remove-list-${list.import_id}`} onClick=${onRemove}>${t("remove")}<//>`} />`;

/** @param {{ onImported: () => Promise<void> }} properties */
function Upload({ onImported }) {
	const input = useRef(/** @type {any} */ (null));
	const [file, setFile] = useState("");
	const [result, setResult] = useState(/** @type {ImportedKeywordList | null} */ (null));
	const [refused, setRefused] = useState("");
	const { busy, error, send } = useSend();

	/** @param {File | undefined} chosen */
	const upload = (chosen) => chosen && send(async () => {
		setFile(chosen.name);
		setResult(null);
		setRefused("");
		// The same file can be chosen again after it was corrected.
		input.current.value = "";
		if (chosen.size > MAX_FILE_BYTES) return setRefused(t("connections-keywords-too-large"));
		let imported;
		try {
			imported = await importKeywords(chosen);
		} catch (problem) {
			const fault = /** @type {any} */ (problem).fields?.[0];
			if (!fault) throw problem;
			return setRefused(fault.message);
		}
		setResult(imported);
		announce(t("connections-keywords-rows", { count: imported.rows }));
		// The next file need not wait for the list.
		onImported();
	});

	return html`
		<div class="connection-drop" onDragOver=${(/** @type {Event} */ event) => event.preventDefault()} onDrop=${(/** @type {DragEvent} */ event) => {
			event.preventDefault();
			upload(event.dataTransfer?.files[0]);
		}}>
			<input type="file" hidden accept=".csv,.tsv,.txt,text/csv" ref=${input} onChange=${(/** @type {any} */ event) => upload(event.target.files[0])} />
			<p class="soft small">${t("connections-keywords-how")}</p>
			<${Button} icon="upload" disabled=${busy} focus="upload-keywords" onClick=${() => input.current.click()}>${t(busy ? "connections-keywords-uploading" : "connections-keywords-upload")}<//>
		</div>
		${error && html`<${Failure} title=${t("connections-keywords-not-imported", { file })} error=${error} />`}
		${refused && html`<${Notice} tone="bad" title=${t("connections-keywords-not-imported", { file })}><p>${refused}</p><//>`}
		${result && html`<${Imported} file=${file} result=${result} />`}`;
}

/** What was recognised, and what was skipped and why. @param {{ file: string, result: ImportedKeywordList }} properties */
function Imported({ file, result: { tool, rows, skipped, replaced, first_problems: problems } }) {
	const more = skipped - problems.length;
	return html`
		<${Notice} tone=${skipped ? "warning" : "good"} title=${t("connections-keywords-imported", { file, tool: t(`connections-tool-${tool}`) })}>
			<p>${t("connections-keywords-rows", { count: rows })}</p>
			${replaced && html`<p>${t("connections-keywords-replaced")}</p>`}
			${skipped > 0 && html`
				<p>${t("connections-keywords-skipped-why", { count: skipped })}</p>
				<ul>${problems.map(({ line, message }) => html`<li key=${line}>${t("connections-keywords-problem", { line, message })}</li>`)}</ul>
				${more > 0 && html`<p>${t("connections-keywords-more", { count: more })}</p>`}`}
		<//>`;
}

/** @param {{ list: KeywordList, onRemoved: () => Promise<void>, onClose: () => void }} properties */
function ListRemoval({ list, onRemoved, onClose }) {
	const remove = async () => {
		await deleteKeywordList(list.import_id);
		toast(t("connections-keywords-removed", { name: nameOf(list) }));
		onClose();
		await onRemoved();
	};
	return html`
		<${RemovalDialog} title=${t("connections-keywords-remove-title")} name=${nameOf(list)} action=${t("connections-keywords-remove")}
			failed=${t("connections-keywords-not-removed")} remove=${remove} onClose=${onClose}>
			<p>${t("connections-keywords-loses", { count: list.rows })}</p>
		<//>`;
}
