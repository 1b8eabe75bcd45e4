// @ts-check
import { ApiError } from "../../app/api.js";
import { workspace } from "../../app/model.js";
import { rich, t } from "../../lang/lang.js";
import { Button } from "../../parts/elements.js";
import { announce, Notice } from "../../parts/messages.js";
import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { Time } from "../../parts/times.js";
import { loadKey } from "./api.js";
import { endWords } from "./words.js";

const POLL_INTERVAL_MS = 2_000;
const TEST_TIMEOUT_MS = 5 * 60_000;

/** @typedef {{ step: "start" | "waiting" | "unreachable" | "nothing" } | { step: "connected", key: Key } | { step: "dead", key?: Key }} Progress */

/** Waits for a call of a key and turns green. @param {{ of: Key }} properties */
export function ConnectionTest({ of }) {
	const [progress, setProgress] = useState(/** @type {Progress} */ ({ step: "start" }));
	const lastUsed = useRef(of.last_used_at);
	const timer = useRef(0);
	/** Counts the tests begun: an answer to an older one is dropped. */
	const current = useRef(0);
	const stopButton = useRef(/** @type {any} */ (null));
	const isWaiting = progress.step === "waiting" || progress.step === "unreachable";

	function stop() {
		current.current += 1;
		clearTimeout(timer.current);
	}
	useEffect(() => stop, []);
	useEffect(() => {
		if (isWaiting) stopButton.current.querySelector("button").focus();
	}, [isWaiting]);

	/** @param {Progress} result @param {string} title */
	function finish(result, title) {
		stop();
		setProgress(result);
		announce(title);
		workspace.refresh();
	}

	function start() {
		stop();
		const mine = current.current;
		const until = Date.now() + TEST_TIMEOUT_MS;
		setProgress({ step: "waiting" });
		announce(t("keys-test-waiting"));

		async function ask() {
			if (mine !== current.current) return;
			// A hidden tab sends no requests. It continues when it is visible again.
			if (document.hidden) return document.addEventListener("visibilitychange", ask, { once: true });
			try {
				const now = await loadKey(of);
				if (mine !== current.current) return;
				if (now.last_used_at && now.last_used_at !== lastUsed.current) {
					lastUsed.current = now.last_used_at;
					return finish({ step: "connected", key: now }, t("keys-test-connected"));
				}
				if (now.status !== "active") return finish({ step: "dead", key: now }, endWords(now));
				setProgress({ step: "waiting" });
			} catch (error) {
				if (mine !== current.current) return;
				if (error instanceof ApiError && error.status === 404) return finish({ step: "dead" }, endWords(undefined));
				setProgress({ step: "unreachable" });
			}
			if (Date.now() > until) return finish({ step: "nothing" }, t("keys-test-nothing"));
			timer.current = setTimeout(ask, POLL_INTERVAL_MS);
		}
		ask();
	}

	function giveUp() {
		stop();
		setProgress({ step: "start" });
	}

	if (isWaiting) {
		return html`
			<div class="waiting" ref=${stopButton}>
				<span class="spinner"></span><p>${t(progress.step === "waiting" ? "keys-test-waiting" : "keys-test-unreachable")}</p>
				<${Button} kind="small" onClick=${giveUp}>${t("keys-test-stop")}<//>
			</div>`;
	}
	if (progress.step === "connected") return html`<${Connected} of=${progress.key} />`;
	if (progress.step === "dead") return html`<${Notice} tone="warning" title=${endWords(progress.key)}><p>${t("keys-test-dead")}</p><//>`;
	if (progress.step === "nothing") return html`<${Nothing} again=${start} />`;
	return html`<div><p class="small">${t("keys-test-how")}</p><p class="row"><${Button} onClick=${start}>${t("keys-test")}<//></p></div>`;
}

/** @param {{ of: Key }} properties */
const Connected = ({ of }) => html`
	<${Notice} tone="good" title=${t("keys-test-connected")}>
		<p>${rich("keys-test-used", { when: html`<${Time} at=${of.last_used_at} />` }, { client: of.last_used_client || t("keys-test-your-assistant") })}</p>
	<//>`;

/** @param {{ again: () => void }} properties */
const Nothing = ({ again }) => html`
	<${Notice} tone="warning" title=${t("keys-test-nothing")}>
		<ul>
			<li>${t("keys-test-check-path")}</li>
			<li>${t("keys-test-check-start")}</li>
			<li>${rich("keys-test-check-script", { flag: html`<code>--check</code>` })}</li>
		</ul>
		${!workspace.brand.mcp_active && html`<p>${t("keys-test-plan")}</p>`}
		<p class="row"><${Button} onClick=${again}>${t("keys-test-again")}<//></p>
	<//>`;
