// @ts-check
import { api } from "../../app/api.js";
import { checkbox, choice, fill, tag } from "../../parts/dom.js";
import { workspace } from "../../app/model.js";
import { failure, toast } from "../../parts/notice.js";
import { RULE_OPTIONS } from "../keys/rules.js";

const APPROVERS = [["members", "Who created the key, and administrators"], ["admins", "Only administrators"]];

/** Which calls of all keys wait, who decides, and whether the person gets emails about it. Each change is saved at once. */
export function approvalSettingsView() {
	const { brand_id: id } = workspace.brand;
	/** @type {Record<string, string>} */
	const wanted = {};
	const faultPlace = tag("div");
	const emails = tag("input", {
		type: "checkbox",
		onchange: () => save(async () => {
			const enabled = emails.checked;
			await api.setApprovalEmails(id, enabled);
			return { emails: enabled };
		}),
	});
	const minimum = setting("All keys ask first", RULE_OPTIONS, "approval_minimum");
	const approvers = setting("Who decides", APPROVERS, "approvers");
	const forAdmins = tag("div.toolbar", minimum, approvers);

	/** @param {string} label @param {string[][]} options @param {string} name */
	function setting(label, options, name) {
		return choice(label, options, wanted, name, () => save(() => api.setApprovalSettings(id, { [name]: wanted[name] })));
	}

	/** @param {() => Promise<Partial<ApprovalSettings>>} work */
	async function save(work) {
		fill(faultPlace);
		try {
			Object.assign(workspace.approvalSettings, await work());
			toast("Saved.");
		} catch (error) {
			fill(faultPlace, failure("This was not saved.", error));
		}
		draw();
	}

	/** Shows the stored settings, also after a change that was refused. The controls stay, and so does the focus. */
	function draw() {
		const settings = workspace.approvalSettings;
		emails.checked = settings.emails;
		showValue(minimum, settings.approval_minimum);
		showValue(approvers, settings.approvers);
		forAdmins.hidden = workspace.brand.role !== "admin";
	}

	return {
		root: tag("section.card.settings", tag("h2", "Approvals"),
			tag("p.soft.small", "A key that asks first waits until a person approves. Without a decision within 72 hours, nothing happens."),
			checkbox(emails, "Email me when something waits for my approval"), forAdmins, faultPlace),
		draw,
	};
}

/** @param {HTMLElement} field @param {string} value */
function showValue(field, value) {
	const select = field.querySelector("select");
	if (select) select.value = value;
}
