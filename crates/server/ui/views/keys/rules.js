// @ts-check
// When a key asks a person first.
import { isMine, workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { announce, Failure } from "../../parts/messages.js";
import { html, useId } from "../../vendor/preact.js";
import { useSend } from "../../parts/requests.js";
import { changeKey } from "./api.js";
import { canRevoke, ruleName, RULES } from "./words.js";

/** An administrator can make the rule of another person's key only stricter. @param {Key | undefined} key */
export const allowedRules = (key) => RULES.slice(key && !isMine(key) ? RULES.indexOf(key.approval) : 0);

/** The choice in the form of a key. @param {{ rules: Rule[], value: Rule, onChange: (rule: Rule) => void }} properties */
export function RuleFieldset({ rules, value, onChange }) {
	const name = useId();
	return html`
		<fieldset>
			<legend>${t("keys-ask-first")}</legend>
			${rules.map((rule) => html`
				<label class="check" key=${rule}>
					<input type="radio" name=${name} checked=${rule === value} onChange=${() => onChange(rule)} />
					<span>${ruleName(rule)}<small>${t(`keys-rule-${rule}-means`)}</small></span>
				</label>`)}
		</fieldset>`;
}

/** The rule of a key, as a choice for those who can change it. @param {{ of: Key }} properties */
export function KeyRule({ of }) {
	const id = useId();
	const { error, send } = useSend();
	if (!canRevoke(of)) return ruleName(of.approval);
	const { approval_minimum: minimum } = workspace.approvalSettings;
	const isStricter = RULES.indexOf(minimum) > RULES.indexOf(of.approval);

	/** @param {any} event */
	const save = (event) => send(async () => {
		const select = event.target;
		try {
			Object.assign(of, await changeKey(of, { approval: select.value }));
			announce(t("keys-saved"));
			await workspace.refresh();
		} finally {
			// Shows the stored rule, also after a refusal.
			select.value = of.approval;
		}
	});
	return html`
		<select aria-label=${t("keys-ask-first")} aria-describedby=${id} value=${of.approval} onChange=${save}>
			${allowedRules(of).map((rule) => html`<option value=${rule} selected=${rule === of.approval}>${ruleName(rule)}</option>`)}
		</select>
		<small id=${id}>${t(isStricter ? `keys-minimum-${minimum}` : `keys-rule-${of.approval}-means`)}</small>
		${error && html`<${Failure} title=${t("keys-rule-not-changed")} error=${error} />`}`;
}
