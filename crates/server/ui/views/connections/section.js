// @ts-check
// What the four lists of the view share: their frame, their rows, and tests of a connection.
import { t } from "../../lang/lang.js";
import { Skeleton, Button } from "../../parts/elements.js";
import { announce, Failure, Notice } from "../../parts/messages.js";
import { html, useId, useState } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";

/**
 * A list with its title and its main action.
 * @param {{ title: string, lead: string, action?: any, loaded: { data: unknown, error: unknown, reload: () => void }, failed: string, children?: any }} properties
 * `failed`: says that the list could not be loaded.
 */
export function Section({ title, lead, action, loaded, failed, children }) {
	const id = useId();
	return html`
		<section class="card connection-section" aria-labelledby=${id}>
			<div class="connection-head">
				<div><h2 id=${id}>${title}</h2><p class="soft small">${lead}</p></div>
				${action && html`<div class="row">${action}</div>`}
			</div>
			${Boolean(loaded.error) && html`<${Failure} title=${failed} error=${loaded.error} retry=${loaded.reload} />`}
			${loaded.data ? children : !loaded.error && html`<${Skeleton} rows=${2} />`}
		</section>`;
}

/** @param {{ name: string, children?: any }} properties */
export const Rows = ({ name, children }) => html`<ul class="connection-rows" aria-label=${name}>${children}</ul>`;

/** @param {{ title: any, badge?: any, facts?: any, actions?: any, children?: any }} properties */
export const Row = ({ title, badge, facts, actions, children }) => html`
	<li>
		<div class="connection-row">
			<div class="connection-what"><p class="connection-name"><strong>${title}</strong>${badge}</p>${facts}</div>
			<div class="row">${actions}</div>
		</div>
		${children}
	</li>`;

/**
 * Sends a test, and keeps its result.
 * @param {() => Promise<ConnectionTest>} run
 */
export function useTest(run) {
	const { busy, error, send } = useSend();
	const [result, setResult] = useState(/** @type {ConnectionTest | null} */ (null));
	const start = () => {
		setResult(null);
		return send(async () => {
			const answer = await run();
			setResult(answer);
			announce(answer.message);
		});
	};
	return { busy, error, result, start };
}

/** @param {{ test: ReturnType<typeof useTest>, label: string, children?: any }} properties */
export const TestButton = ({ test, label, children }) => html`
	<${Button} kind="small" label=${label} disabled=${test.busy} onClick=${test.start}>
		${test.busy && html`<span class="spinner" aria-hidden="true"></span>`}${children}
	<//>`;

/** @param {{ test: ReturnType<typeof useTest> }} properties */
export function TestResult({ test: { error, result } }) {
	if (error) return html`<${Failure} title=${t("connections-test-not-run")} error=${error} />`;
	if (!result) return null;
	return html`
		<${Notice} tone=${result.ok ? "good" : "bad"} title=${t(result.ok ? "connections-test-good" : "connections-test-bad")}>
			<p>${result.message}</p>
			${result.status && html`<p class="soft small">${t("connections-test-status", { status: String(result.status) })}</p>`}
		<//>`;
}

/** @param {{ children?: any }} properties */
export const Nothing = ({ children }) => html`<p class="soft connection-nothing">${children}</p>`;
