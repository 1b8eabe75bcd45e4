// @ts-check
import { api, ApiError } from "../../app/api.js";
import { button, fill, tag } from "../../parts/dom.js";
import { endWords, workspace } from "../../app/model.js";
import { announce, notice } from "../../parts/notice.js";
import { timeOrNever } from "../../parts/time.js";

const ASK_EVERY_MS = 2_000;
const WAITING = "Waiting for the first call of this key…";
const GIVE_UP_AFTER_MS = 5 * 60_000;

/** Waits for a call of this key and turns green. @param {Key} key */
export function connectionTest(key) {
	const root = tag("div");
	let timer = 0;
	/** Counts the tests begun: an answer to an older one is dropped. */
	let current = 0;

	function stop() {
		current += 1;
		clearTimeout(timer);
	}

	const showStart = () => fill(root,
		tag("p.small", "Start the test, then your assistant: it asks for its tools by itself, and this page sees it."),
		tag("p.row", button("", "Test the connection", start)));

	function start() {
		stop();
		const mine = current;
		const before = key.last_used_at;
		const until = Date.now() + GIVE_UP_AFTER_MS;
		const words = tag("p", WAITING);
		const stopButton = button(".small", "Stop", () => {
			stop();
			showStart();
		});
		fill(root, tag("div.waiting", tag("span.spinner"), words, stopButton));
		stopButton.focus();
		announce(WAITING);

		async function ask() {
			if (mine !== current) return;
			// A hidden tab sends no requests. It continues when it is visible again.
			if (document.hidden) return document.addEventListener("visibilitychange", ask, { once: true });
			try {
				const now = await api.key(key);
				if (mine !== current) return;
				if (now.last_used_at && now.last_used_at !== before) return showConnected(now);
				if (now.status !== "active") return showDead(now);
				words.textContent = WAITING;
			} catch (error) {
				if (mine !== current) return;
				if (error instanceof ApiError && error.status === 404) return showDead();
				words.textContent = "The service is out of reach at the moment. Still trying…";
			}
			if (Date.now() > until) return showNothing();
			timer = setTimeout(ask, ASK_EVERY_MS);
		}
		ask();
	}

	/** @param {Tone} tone @param {string} title @param {...Part} parts */
	function showResult(tone, title, ...parts) {
		stop();
		fill(root, notice(tone, title, parts));
		announce(title);
		workspace.refresh();
	}

	/** @param {Key & { last_used_client?: string | null }} now */
	function showConnected(now) {
		key.last_used_at = now.last_used_at;
		showResult("good", "Connected", tag("p", now.last_used_client || "Your assistant", " used this key ", timeOrNever(now.last_used_at), ". You can close this window."));
	}

	/** @param {Key} [now] */
	const showDead = (now) => showResult("warning", endWords(now),
		tag("p", "No call can succeed with it. Close this window and create a new key."));

	const showNothing = () => showResult("warning", "No call in five minutes",
		tag("ul",
			tag("li", "Is the path of the script right, and is the entry saved?"),
			tag("li", "Did you start the assistant again after saving?"),
			tag("li", "Run the script with ", tag("code", "--check"), " and the same variables: it says what is wrong.")),
		!workspace.brand.mcp_active && tag("p", "MCP is not active on the brand's plan at the moment, so calls are refused."),
		tag("p.row", button("", "Wait again", start)));

	showStart();
	return { root, stop };
}
