// @ts-check
// The state of a post on each of its channels, and what to do about it.
import { t } from "../../lang/lang.js";
import { Badge } from "../../parts/elements.js";
import { relative } from "../../parts/localtimes.js";
import { html } from "../../vendor/preact.js";
import { dateTime } from "../../parts/times.js";
import { TONES } from "./states.js";

/** @param {{ targets: PostTarget[], may: boolean }} properties */
export const Targets = ({ targets, may }) => html`
	<ul class="targets" aria-label=${t("posts-head-channels")}>
		${targets.map((target) => html`
			<li key=${target.channel}>
				<div class="row"><strong>${target.channel}</strong><${Badge} tone=${TONES[target.status]}>${t("posts-state", { status: target.status })}<//>
					${target.published_at && html`<span class="soft small">${dateTime(target.published_at)}</span>`}</div>
				${target.url && target.status === "published" && html`<p class="small"><a href=${target.url} target="_blank" rel="noopener noreferrer">${t("posts-open-public")}</a></p>`}
				${target.error && html`<p class="small">${target.error}</p>`}
				<${Advice} target=${target} may=${may} />
			</li>`)}
	</ul>`;

/** @param {{ target: PostTarget, may: boolean }} properties */
function Advice({ target, may }) {
	const words = advice(target, may);
	return words && html`<p class="soft small">${words}</p>`;
}

/** @param {PostTarget} target @param {boolean} may */
function advice({ status, error, attempts, next_attempt_at: next }, may) {
	if (next) return t("posts-next-attempt", { attempts, when: relative(next) });
	switch (status) {
		case "failed": return t(may ? "posts-failed-help" : "posts-failed-ask");
		case "uncertain": return t("posts-uncertain-help");
		case "publishing": return t("posts-publishing-help");
		case "withdrawing": return t("posts-withdrawing-help");
		case "published": return error ? t("posts-not-withdrawn-help") : "";
		default: return "";
	}
}
