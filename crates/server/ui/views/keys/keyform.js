// @ts-check
import { checkbox, fill, freshId, tag } from "../../parts/dom.js";
import { counted, SCOPE_SENTENCES, scopeWords, toolsOfScope, workspace } from "../../app/model.js";
import { ruleFieldset } from "./rules.js";

const DAY_MS = 86_400_000;
const LIFETIMES = [["0", "Never"], ["7", "In 7 days"], ["30", "In 30 days"], ["90", "In 90 days"], ["365", "In a year"], ["date", "On a date…"]];

/** The form for a new key. @param {Key | undefined} like @param {() => void} onSubmit */
export function keyForm(like, onSubmit) {
	/** @type {"read" | "write"} */
	let scope = like && like.scope !== "read" ? "write" : "read";
	/** The tools taken off the list. One that another scope adds starts on it. */
	const leftOut = new Set(like?.tools ? workspace.tools.map((tool) => tool.name).filter((name) => !like.tools?.includes(name)) : []);

	const faultPlace = tag("div");
	const label = tag("input", { type: "text", autocomplete: "off", required: true, value: like?.label });
	const lifetime = tag("select", { onchange: showDate }, LIFETIMES.map(([value, words]) => tag("option", { value }, words)));
	const date = tag("input", { type: "date", "aria-label": "Expiry date", hidden: true });
	const narrowed = tag("input", { type: "checkbox", checked: leftOut.size > 0, onchange: drawTools });
	const canReveal = tag("input", { type: "checkbox", checked: like?.can_reveal ?? true });
	const approval = ruleFieldset(like?.approval ?? "none");
	const toolPlace = tag("div");

	/** @type {Record<string, ReturnType<typeof field>>} */
	const fields = {
		label: field("Label", label, "Name the assistant and where it runs, so that you know it again."),
		tools: field("Tools", null, "", checkbox(narrowed, "Only some of these tools"), toolPlace),
		expires_at: field("Expires", lifetime, "After that the key stops working by itself.", date),
	};

	/** @param {"read" | "write"} value */
	function scopeCard(value) {
		const id = freshId();
		const opened = toolsOfScope(value);
		return tag("div.scope-card",
			checkbox(tag("input", {
				type: "radio", name: "scope", checked: value === scope, "aria-describedby": id,
				onchange: () => {
					scope = value;
					drawTools();
				},
			}), tag("strong", scopeWords(value))),
			tag("p.soft", { id }, SCOPE_SENTENCES[value]),
			tag("details", tag("summary", `Opens ${counted(opened.length, "tool")}`),
				tag("ul.tool-names", opened.map((tool) => tag("li", tool.title || tool.name)))));
	}

	function showDate() {
		date.hidden = lifetime.value !== "date";
		date.required = !date.hidden;
		if (date.required) date.focus();
	}

	function drawTools() {
		// Reading is never asked about.
		approval.root.hidden = scope === "read";
		fill(toolPlace, narrowed.checked && tag("div.tool-choices", toolsOfScope(scope).map((tool) => {
			const box = tag("input", {
				type: "checkbox", checked: !leftOut.has(tool.name),
				onchange: () => (box.checked ? leftOut.delete(tool.name) : leftOut.add(tool.name)),
			});
			return checkbox(box, tool.title || tool.name, tool.access === "write" && tag("span.tag", "writes"));
		})));
	}

	/** The content of the form. The service validates it. @returns {NewKey} */
	function read() {
		const days = Number(lifetime.value);
		const expires = date.required ? Date.parse(`${date.value}T23:59:59`) : days && Date.now() + days * DAY_MS;
		return {
			label: label.value.trim(),
			scope,
			can_reveal: canReveal.checked,
			approval: scope === "read" ? "none" : approval.read(),
			...(expires && { expires_at: new Date(expires).toISOString() }),
			...(narrowed.checked && { tools: toolsOfScope(scope).map((tool) => tool.name).filter((name) => !leftOut.has(name)) }),
		};
	}

	/**
	 * Shows the faults at their fields and focuses the first. Returns whether any belongs to this form.
	 * @param {FieldFault[]} faults
	 */
	function showFieldFaults(faults) {
		for (const [name, one] of Object.entries(fields)) one.showFault(faults.find((fault) => fieldOf(fault) === name)?.message);
		const first = faults.find((fault) => fieldOf(fault) in fields);
		if (first) fields[fieldOf(first)].focus();
		return Boolean(first);
	}

	/** The field of the form: `tools` for `tools[0]`. @param {FieldFault} fault */
	const fieldOf = (fault) => fault.field.split(/[.[]/)[0];

	const root = tag("form", {
		onsubmit: (event) => {
			event.preventDefault();
			onSubmit();
		},
	},
	faultPlace, fields.label.root,
	tag("fieldset", tag("legend", "What it can do"), scopeCard("read"), scopeCard("write")),
	approval.root, fields.tools.root, fields.expires_at.root,
	checkbox(canReveal, "I can show the secret again later", tag("small", "Off is stricter: only a fingerprint is kept, and a lost key has to be replaced.")),
	// The Enter key needs a submit button. The visible one is in the footer of the dialog.
	tag("button", { type: "submit", hidden: true }));
	drawTools();

	return {
		root,
		read,
		showFieldFaults,
		focus: () => label.focus(),
		/** @param {HTMLElement} [shown] */
		showFault(shown) {
			showFieldFaults([]);
			fill(faultPlace, shown);
			faultPlace.scrollIntoView({ block: "center" });
		},
	};
}

/**
 * A field with its label, help and fault.
 * @param {string} name
 * @param {HTMLInputElement | HTMLSelectElement | null} control
 * @param {string} help
 * @param {...Part} more
 */
function field(name, control, help, ...more) {
	const [helpId, faultId] = [freshId(), freshId()];
	const fault = tag("p.field-fault", { id: faultId });
	const root = control
		? tag("div.field", tag("label", name, control), more, tag("p.soft.small", { id: helpId }, help), fault)
		: tag("fieldset.field", { "aria-describedby": faultId }, tag("legend", name), more, fault);
	control?.setAttribute("aria-describedby", `${helpId} ${faultId}`);
	return {
		root,
		/** @param {string} [words] */
		showFault(words) {
			fault.textContent = words ? `${name} ${words}.` : "";
			control?.setAttribute("aria-invalid", String(Boolean(words)));
		},
		focus: () => (control ?? root.querySelector("input"))?.focus(),
	};
}
