// @ts-check
import { ApiError } from "../../app/api.js";
import { changes, keyLabel, personName, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { loadChannels } from "../../parts/channels.js";
import { useDiscard } from "../../parts/discard.js";
import { Button, Fact } from "../../parts/elements.js";
import { faultOf } from "../../parts/fields.js";
import { fieldOfTime, FullTime, timeOfField, zoneWords } from "../../parts/localtimes.js";
import { announce, Failure, Notice, toast } from "../../parts/messages.js";
import { Modal } from "../../parts/modal.js";
import { html, useEffect, useState } from "../../vendor/preact.js";
import { Previews } from "../../parts/previews.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { number } from "../../parts/times.js";
import { actOnPost, changePost, deletePost, getPost } from "./api.js";
import { AskDelete, AskPublish, AskStop, AskWithdraw, published } from "./asking.js";
import { EditPost } from "./edit.js";
import { changedNames, changesOf, formOf, join } from "./form.js";
import { canDelete, canEdit, canPublish, canRetry, canStop, canWithdraw, isMoving, mayChange, nameOf } from "./states.js";
import { Targets } from "./targets.js";

const POLL_INTERVAL_MS = 2_000;
const HOUR_MS = 3_600_000;

/**
 * A post, and what a person can do with it.
 * @param {{ listed: Post, onChanged: () => void, onClose: () => void }} properties
 */
export function PostDialog({ listed, onChanged, onClose }) {
	void changes.value;
	const [post, setPost] = useState(listed);
	const [step, setStep] = useState(/** @type {"read" | "edit" | "publish" | "stop" | "withdraw" | "delete"} */ ("read"));
	const [form, setForm] = useState(() => formOf(listed));
	const [conflicts, setConflicts] = useState(/** @type {PostConflict[]} */ ([]));
	const [hasChanged, setChanged] = useState(false);
	const [when, setWhen] = useState(() => ({ isNow: !listed.scheduled_at, time: nextTime(listed) }));
	const [stale, setStale] = useState(/** @type {unknown} */ (null));
	const { busy, error, send, clear } = useSend();
	const channels = useLoad(loadChannels, []).data ?? [];
	const may = mayChange(post);
	const mine = changedNames(formOf(post), form);
	const { mayClose, close, question } = useDiscard(may && canEdit(post) && mine.length > 0, onClose);

	/** Shows the post as it is now, and keeps what was typed. */
	async function look() {
		const now = await getPost(post.post_id);
		const joined = join(form, post, now);
		setForm(joined.form);
		if (now.version !== post.version) setConflicts(mine.length ? joined.conflicts : []);
		setPost(now);
		return now;
	}

	useEffect(() => {
		look().catch(setStale);
	}, []);
	useEffect(() => {
		if (!isMoving(post)) return;
		const timer = setInterval(() => {
			if (!document.hidden) look().then((now) => isMoving(now) || onChanged(), () => {});
		}, POLL_INTERVAL_MS);
		return () => clearInterval(timer);
	}, [post]);

	/** @param {typeof step} next */
	function goTo(next) {
		clear();
		setStep(next);
	}

	/** Sends a change. A change by another person meanwhile is shown before it is sent again. @param {string} words @param {() => Promise<Post | null>} work */
	const order = (words, work) => send(async () => {
		try {
			const after = await work();
			onChanged();
			toast(words);
			if (!after) return onClose();
			setPost(after);
			setForm(formOf(after));
			setConflicts([]);
			setChanged(false);
			setStep("read");
		} catch (failure) {
			const code = failure instanceof ApiError && failure.code;
			if (code !== "post_changed" && code !== "post_state") throw failure;
			await look();
			onChanged();
			if (code === "post_state") throw failure;
			setChanged(true);
			announce(t("posts-changed"));
			if (step !== "edit") setStep("read");
		}
	});

	const save = () => (mine.length ? order(t("posts-saved"), () => changePost(post, changesOf(form, mine))) : goTo("read"));
	const publish = () => order(t(when.isNow ? "posts-publishing" : "posts-scheduled"), () => actOnPost(post, "publish", when.isNow ? {} : { scheduled_at: timeOfField(when.time) }));
	const remove = async () => {
		await deletePost(post);
		return null;
	};

	const back = html`<${Button} onClick=${() => goTo("read")}>${t("posts-back")}<//>`;
	const fault = error && html`<${Failure} title=${t(error.outcomeUnknown ? "posts-outcome-unknown" : "posts-nothing-done")} error=${error} />`;
	/** @param {string} title @param {any} body @param {any} action */
	const asked = (title, body, action) => html`
		<${Modal} title=${title} busy=${busy} mayClose=${mayClose} onClose=${onClose} actions=${html`${back}${action}`}>${body}${fault}${question}<//>`;

	switch (step) {
		case "edit": return asked(t("posts-edit-title"), html`<${EditPost} post=${post} form=${form} conflicts=${conflicts} channels=${channels} error=${error} onChange=${setForm} />`,
			html`<${Button} kind="primary" onClick=${save}>${t(conflicts.length ? "posts-save-anyway" : "posts-save")}<//>`);
		case "publish": return asked(t("posts-publish-title"), html`<${AskPublish} post=${post} when=${when} fault=${faultOf(error, "scheduled_at")} onChange=${setWhen} />`,
			html`<${Button} kind="primary" disabled=${!when.isNow && !when.time} onClick=${publish}>${t(when.isNow ? "posts-publish-order" : "posts-schedule-order")}<//>`);
		case "stop": return asked(t("posts-stop-title"), html`<${AskStop} post=${post} />`,
			html`<${Button} kind="danger" onClick=${() => order(t("posts-stopped"), () => actOnPost(post, "cancel"))}>${t("posts-stop-order")}<//>`);
		case "withdraw": return asked(t("posts-withdraw-title"), html`<${AskWithdraw} post=${post} channels=${channels} />`,
			html`<${Button} kind="danger" onClick=${() => order(t("posts-withdrawing"), () => actOnPost(post, "withdraw"))}>${t("posts-withdraw-order", { count: published(post).length })}<//>`);
		case "delete": return asked(t("posts-delete-title"), html`<${AskDelete} post=${post} />`,
			html`<${Button} kind="danger" onClick=${() => order(t("posts-deleted"), remove)}>${t("posts-delete-order")}<//>`);
		default:
	}
	const key = workspace.keys.find((one) => one.key_id === post.key_id);
	return html`
		<${Modal} title=${nameOf(post)} busy=${busy} mayClose=${mayClose} onClose=${onClose} actions=${html`
			<${Button} onClick=${close}>${t("close")}<//>
			${may && canDelete(post) && html`<${Button} kind="danger-quiet" onClick=${() => goTo("delete")}>${t("posts-delete")}<//>`}
			${may && canStop(post) && html`<${Button} kind="danger-quiet" onClick=${() => goTo("stop")}>${t("posts-stop")}<//>`}
			${may && canWithdraw(post) && html`<${Button} kind="danger-quiet" onClick=${() => goTo("withdraw")}>${t("posts-withdraw")}<//>`}
			${may && canEdit(post) && html`<${Button} onClick=${() => goTo("edit")}>${t("posts-edit")}<//>`}
			${may && canRetry(post) && html`<${Button} kind="primary" onClick=${() => order(t("posts-retrying"), () => actOnPost(post, "retry"))}>${t("posts-retry")}<//>`}
			${may && canPublish(post) && html`<${Button} kind="primary" onClick=${() => goTo("publish")}>${t("posts-publish")}<//>`}`}>
			${stale && html`<${Failure} title=${t("posts-not-fresh")} error=${stale} />`}
			${hasChanged && html`<${Notice} tone="warning" title=${t("posts-changed")}><p>${t("posts-changed-read")}</p><//>`}
			${fault}
			<${Targets} targets=${post.targets} may=${may} />
			<${Previews} post=${post} names=${post.targets.map((target) => target.channel)} channels=${channels} />
			<dl>
				${post.scheduled_at && html`<${Fact} name=${t(canPublish(post) ? "posts-planned" : "posts-head-when")}><${FullTime} at=${post.scheduled_at} /><small>${zoneWords()}</small><//>`}
				<${Fact} name=${t("posts-head-key")}>${keyLabel(post.key_id)}<//>
				${key && html`<${Fact} name=${t("posts-person")}>${personName(key.created_by)}<//>`}
				<${Fact} name=${t("posts-created")}><${FullTime} at=${post.created_at} /><//>
				<${Fact} name=${t("posts-version")}>${t("posts-version-words", { version: number(post.version), changes: post.version - 1 })}<//>
			</dl>
			${!may && html`<p class="soft">${t("posts-not-yours", { person: key ? personName(key.created_by) : keyLabel(post.key_id) })}</p>`}
			${question}
		<//>`;
}

/** The time of a draft, or the next full hour. @param {Post} post */
function nextTime({ scheduled_at: at }) {
	if (at && Date.parse(at) > Date.now()) return fieldOfTime(at);
	return fieldOfTime(new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS).toISOString());
}
