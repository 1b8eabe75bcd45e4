// @ts-check
// When a key asks a person first.
import { api } from "../../app/api.js";
import { checkbox, fill, freshId, tag } from "../../parts/dom.js";
import { canPause, isMine, workspace } from "../../app/model.js";
import { announce, failure } from "../../parts/notice.js";

/** From the loosest to the strictest: its name, and what it means. @type {Record<Rule, [string, string]>} */
export const RULES = {
	none: ["Never", "It acts at once, without asking."],
	outward: ["Before anything goes out", "A person approves what people outside would notice: posts that it publishes, schedules or withdraws, and reports that it emails."],
	all: ["Before every change", "A person approves everything it does, except reading."],
};

const ORDER = /** @type {Rule[]} */ (Object.keys(RULES));
export const RULE_OPTIONS = ORDER.map((rule) => [rule, RULES[rule][0]]);

/** The choice for a new key. @param {Rule} rule */
export function ruleFieldset(rule) {
	const root = tag("fieldset", tag("legend", "Ask first"), ORDER.map((value) => checkbox(
		tag("input", { type: "radio", name: "approval", checked: value === rule, onchange: () => { rule = value; } }),
		RULES[value][0], tag("small", RULES[value][1]))));
	return { root, read: () => rule };
}

/** The rule of a key, as a choice for those who can change it. @param {Key} key @returns {Part[]} */
export function keyRule(key) {
	if (!canPause(key)) return [RULES[key.approval][0]];
	const id = freshId();
	const help = tag("small", { id });
	const faultPlace = tag("div");
	// An administrator can make the rule of another person's key only stricter.
	const options = RULE_OPTIONS.slice(isMine(key) ? 0 : ORDER.indexOf(key.approval));
	const select = tag("select", { "aria-label": "Ask first", "aria-describedby": id, onchange: save },
		options.map(([value, words]) => tag("option", { value }, words)));

	function draw() {
		const { approval_minimum: minimum } = workspace.approvalSettings;
		const [, sentence] = RULES[key.approval];
		select.value = key.approval;
		help.textContent = ORDER.indexOf(minimum) > ORDER.indexOf(key.approval)
			? `All keys of this brand ask ${RULES[minimum][0].toLowerCase()}.`
			: sentence;
	}

	async function save() {
		fill(faultPlace);
		try {
			key.approval = (await api.setApproval(key, /** @type {Rule} */ (select.value))).approval;
			announce("Saved.");
			workspace.refresh();
		} catch (error) {
			fill(faultPlace, failure("The rule was not changed.", error));
		}
		draw();
	}

	draw();
	return [select, help, faultPlace];
}
