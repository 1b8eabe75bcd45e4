// @ts-check
import { workspace } from "../../app/model.js";
import { rich, t } from "../../lang/lang.js";
import { Badge, Button } from "../../parts/elements.js";
import { TextField } from "../../parts/fields.js";
import { Failure, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useState } from "../../vendor/preact.js";
import { RemovalDialog } from "../../parts/removal.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { listed, Time } from "../../parts/times.js";
import { listRecipients, putRecipients, testRecipients } from "./api.js";
import { submits } from "./forms.js";
import { Nothing, Row, Rows, Section, TestButton, TestResult, useTest } from "./section.js";

/** @type {Record<string, Tone>} */
const TONES = { pending: "warning", confirmed: "good", suppressed: "off" };

/** The people who get the reports. */
export function Recipients() {
	const loaded = useLoad(listRecipients, [workspace.brand.brand_id]);
	const [adding, setAdding] = useState(false);
	const [removed, setRemoved] = useState(/** @type {ReportRecipient | null} */ (null));
	const test = useTest(testRecipients);
	const list = loaded.data ?? [];
	const confirmed = list.filter(({ status }) => status === "confirmed").length;
	return html`
		<${Section} title=${t("connections-recipients")} lead=${t("connections-recipients-lead")} loaded=${loaded} failed=${t("connections-recipients-failed")}
			action=${html`
				${confirmed > 0 && html`<${TestButton} test=${test} label=${t("connections-recipients-test.label", { count: confirmed })}>${t("connections-test")}<//>`}
				<${Button} icon="plus" focus="add-recipients" onClick=${() => setAdding(true)}>${t("connections-recipients-add")}<//>`}>
			<${TestResult} test=${test} />
			${list.length === 0
				? html`<${Nothing}>${t("connections-recipients-none")}<//>`
				: html`<${Rows} name=${t("connections-recipients")}>
					${list.map((recipient) => html`<${RecipientRow} key=${recipient.email} recipient=${recipient} onRemove=${() => setRemoved(recipient)} />`)}
				<//>`}
		<//>
		${adding && html`<${AddRecipients} onAdded=${loaded.reload} onClose=${() => setAdding(false)} />`}
		${removed && html`<${RecipientRemoval} recipient=${removed} onRemoved=${loaded.reload} onClose=${() => setRemoved(null)} />`}`;
}

/** @param {{ recipient: ReportRecipient, onRemove: () => void }} properties */
const RecipientRow = ({ recipient: { email, status, asked_at: asked, confirmed_at: confirmed, suppressed_at: suppressed }, onRemove }) => html`
	<${Row} title=${email} badge=${html`<${Badge} tone=${TONES[status]}>${t(`connections-recipient-${status}`)}<//>`}
		facts=${html`<p class="soft small">${rich(`connections-recipient-${status}.next`, { when: html`<${Time} at=${{ pending: asked, confirmed, suppressed }[status]} />` })}</p>`}
		actions=${html`<${Button} kind="small danger-quiet" label=${t("connections-remove-of", { name: email })} focus=${`remove-recipient-${email}`} onClick=${onRemove}>${t("remove")}<//>`} />`;

/** @param {{ onAdded: () => Promise<void>, onClose: () => void }} properties */
function AddRecipients({ onAdded, onClose }) {
	const [typed, setTyped] = useState("");
	const [faults, setFaults] = useState("");
	const { busy, error, send } = useSend();

	const add = () => send(async () => {
		const wanted = [...new Set(typed.split(/[\s,;]+/).filter(Boolean))];
		setFaults("");
		if (!wanted.length) return setFaults(t("connections-recipients-empty"));
		// The list is replaced as a whole, so what others have added meanwhile is read first.
		const before = (await listRecipients()).map(({ email }) => email);
		const fresh = wanted.filter((address) => !before.includes(address.toLowerCase()));
		if (!fresh.length) return setFaults(t("connections-recipients-known"));
		const sent = [...before, ...fresh];
		try {
			await putRecipients(sent);
		} catch (problem) {
			const wrong = wrongAddresses(problem, sent);
			if (!wrong.length) throw problem;
			return setFaults(t("connections-recipients-wrong", { addresses: listed(wrong), count: wrong.length }));
		}
		toast(t("connections-recipients-added", { count: fresh.length }));
		onClose();
		await onAdded();
	});

	return html`
		<${Modal} title=${t("connections-recipients-add-title")} busy=${busy} onClose=${onClose} actions=${html`
			<${Button} disabled=${busy} onClick=${onClose}>${t("cancel")}<//>
			<${Button} kind="primary" disabled=${busy} onClick=${submits("recipients-form")}>${t("connections-add")}<//>`}>
			<form id="recipients-form" onSubmit=${(/** @type {Event} */ event) => {
				event.preventDefault();
				add();
			}}>
				${error && html`<${Failure} title=${t("connections-recipients-not-added")} error=${error} />`}
				<${TextField} label=${t("connections-recipients-addresses")} hint=${t("connections-recipients-addresses.hint")} rows=${3} value=${typed} onInput=${setTyped} fault=${faults}
					attributes=${{ autocomplete: "off", spellcheck: false, inputmode: "email" }} />
				<p class="soft small">${t("connections-recipients-asked")}</p>
			</form>
		<//>`;
}

/** The addresses that the service refuses. @param {any} problem @param {string[]} sent */
const wrongAddresses = (problem, sent) => (problem.fields ?? []).flatMap((/** @type {FieldFault} */ fault) =>
	sent[Number(/^recipients\[(\d+)\]/.exec(fault.field)?.[1])] ?? []);

/** @param {{ recipient: ReportRecipient, onRemoved: () => Promise<void>, onClose: () => void }} properties */
function RecipientRemoval({ recipient: { email, status }, onRemoved, onClose }) {
	const remove = async () => {
		const before = await listRecipients();
		await putRecipients(before.map((one) => one.email).filter((address) => address !== email));
		toast(t("connections-recipient-removed", { email }));
		onClose();
		await onRemoved();
	};
	return html`
		<${RemovalDialog} title=${t("connections-recipient-remove-title")} name=${email} action=${t("connections-recipient-remove")}
			failed=${t("connections-recipient-not-removed")} remove=${remove} onClose=${onClose}>
			<p>${t(`connections-recipient-loses-${status}`)}</p>
		<//>`;
}
