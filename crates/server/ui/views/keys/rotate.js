// @ts-check
import { workspace } from "../../app/model.js";
import { rich, t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { Field } from "../../parts/fields.js";
import { Failure, Notice, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { dateTime, Time } from "../../parts/times.js";
import { finishRotation, revealKey, rotateKey } from "./api.js";
import { NewSecret } from "./created.js";

const GRACES = ["0", "3600", "86400", "259200", "604800"];

/** Gives a key a new secret, while the old one works for some time. @param {{ of: Key, onClose: () => void }} properties */
export function Rotate({ of, onClose }) {
	const { label } = of;
	const [grace, setGrace] = useState("86400");
	const [made, setMade] = useState(/** @type {{ key: Key, secret: string } | null} */ (null));
	const [lost, setLost] = useState(/** @type {{ now?: Key } | null} */ (null));
	const { busy, error, send, clear } = useSend();

	/** @param {Key} key @param {string} secret */
	function finish(key, secret) {
		setMade({ key, secret });
		workspace.refresh();
	}

	const submit = () => send(async () => {
		try {
			const { api_key: secret, ...key } = await rotateKey(of, Number(grace));
			finish(key, secret);
		} catch (refusal) {
			if (!(/** @type {any} */ (refusal).outcomeUnknown)) throw refusal;
			setLost({ now: await keyNow(of) });
		}
	});

	if (made) {
		const { rotating_until: until } = made.key;
		const note = html`<${Notice} tone="info" title=${until ? t("keys-rotated-old", { when: dateTime(until) }) : t("keys-rotated-at-once")} />`;
		return html`<${NewSecret} of=${made.key} secret=${made.secret} title=${t("keys-rotated", { label })} note=${note} onClose=${onClose} />`;
	}
	if (lost) {
		const tryAgain = () => {
			clear();
			setLost(null);
		};
		return html`<${LostRotation} of=${of} now=${lost.now} tryAgain=${tryAgain} finish=${finish} onClose=${onClose} />`;
	}
	const actions = html`
		<${Button} onClick=${() => !busy && onClose()}>${t("cancel")}<//>
		<${Button} kind="primary" onClick=${submit}>${t(busy ? "keys-rotating" : "keys-rotate")}<//>`;
	return html`
		<${Modal} title=${t("keys-rotate-title", { label })} busy=${busy} onClose=${onClose} actions=${actions}>
			<p>${t("keys-rotate-means")}</p>
			<form onSubmit=${(/** @type {Event} */ event) => {
				event.preventDefault();
				submit();
			}}>
				<${Field} label=${t("keys-grace")} hint=${t("keys-grace-hint")}>${(/** @type {object} */ joined) => html`
					<select ...${joined} value=${grace} onChange=${(/** @type {any} */ event) => setGrace(event.target.value)}>
						${GRACES.map((one) => html`<option key=${one} value=${one} selected=${one === grace}>${t(`keys-grace-${one}`)}</option>`)}
					</select>`}<//>
			</form>
			${error && html`<${Failure} title=${t("keys-not-rotated")} error=${error} />`}
		<//>`;
}

/** The key as the service has it now, if it can be loaded. @param {Key} of */
const keyNow = async (of) => ((await workspace.refresh()) ? workspace.keys.find((key) => key.key_id === of.key_id) : undefined);

/**
 * The connection broke while the key got its new secret. Its prefix tells whether it has one.
 * @param {{ of: Key, now?: Key, tryAgain: () => void, finish: (key: Key, secret: string) => void, onClose: () => void }} properties
 */
function LostRotation({ of, now, tryAgain, finish, onClose }) {
	const [loaded, setLoaded] = useState(now);
	const { busy, error, send } = useSend();
	const close = html`<${Button} onClick=${onClose}>${t("close")}<//>`;
	/** @param {any} body @param {any} action */
	const show = (body, action) => html`
		<${Modal} title=${t("keys-lost")} busy=${busy} onClose=${onClose} actions=${html`${close}${action}`}>
			${body}${error && html`<${Failure} title=${t("keys-not-shown")} error=${error} />`}
		<//>`;

	const look = () => send(async () => setLoaded(await keyNow(of)));
	if (!loaded) {
		return show(html`<${Notice} tone="bad" title=${t("keys-rotate-lost")}><p>${t("keys-rotate-lost-means")}</p><//>`,
			html`<${Button} kind="primary" onClick=${look}>${t("keys-look-again")}<//>`);
	}
	if (loaded.prefix === of.prefix) {
		return show(html`<${Notice} tone="info" title=${t("keys-rotate-lost-none")}><p>${t("keys-rotate-lost-none-means")}</p><//>`,
			html`<${Button} kind="primary" onClick=${tryAgain}>${t("try-again")}<//>`);
	}
	const reveal = () => send(async () => finish(loaded, await revealKey(loaded)));
	const replace = () => send(async () => {
		await finishRotation(loaded);
		const { api_key: secret, ...key } = await rotateKey(loaded, 0);
		finish(key, secret);
	});
	return show(html`<${Notice} tone="warning" title=${t("keys-rotate-lost-made")}><p>${t(loaded.can_reveal ? "keys-rotate-lost-show" : "keys-rotate-lost-again")}</p><//>`,
		loaded.can_reveal
			? html`<${Button} kind="primary" onClick=${reveal}>${t("keys-show-its-secret")}<//>`
			: html`<${Button} kind="primary" onClick=${replace}>${t("keys-finish-and-rotate")}<//>`);
}

/** Asks before the old secret of a key ends. @param {{ of: Key, onClose: () => void }} properties */
export function FinishRotation({ of, onClose }) {
	const { busy, error, send } = useSend();
	const finish = () => send(async () => {
		await finishRotation(of);
		await workspace.refresh();
		onClose();
		toast(t("keys-finished", { label: of.label }));
	});
	const actions = html`
		<${Button} onClick=${() => !busy && onClose()}>${t("cancel")}<//>
		<${Button} kind="danger" onClick=${finish}>${t(busy ? "keys-finishing" : "keys-finish-confirm")}<//>`;
	return html`
		<${Modal} title=${t("keys-finish-title")} busy=${busy} onClose=${onClose} actions=${actions}>
			<div class="named"><p>${of.label}</p><code>${of.prefix}…</code></div>
			<p>${of.old_secret_last_used_at ? rich("keys-finish-used", { when: html`<${Time} at=${of.old_secret_last_used_at} />` }) : t("keys-finish-unused")}</p>
			${error && html`<${Failure} title=${t("keys-not-finished")} error=${error} />`}
		<//>`;
}
