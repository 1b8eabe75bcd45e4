// @ts-check
import { workspace } from "../../app/model.js";
import { rich, t } from "../../lang/lang.js";
import { Badge, Button } from "../../parts/elements.js";
import { Failure, Notice, toast } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { RemovalDialog } from "../../parts/removal.js";
import { useLoad, useSend } from "../../parts/requests.js";
import { Time } from "../../parts/times.js";
import { deleteEndpoint, listEndpoints, putEndpoint, testEndpoint } from "./api.js";
import { DeliveriesDialog } from "./deliveries.js";
import { EndpointDialog } from "./endpointform.js";
import { Nothing, Row, Rows, Section, TestButton, TestResult, useTest } from "./section.js";

/** Addresses that get the events of the brand. */
export function Endpoints() {
	const loaded = useLoad(listEndpoints, [workspace.brand.brand_id]);
	const [open, setOpen] = useState(/** @type {{ dialog: "form" | "removal" | "deliveries", endpoint: BrandEndpoint | null } | null} */ (null));
	const onClose = () => setOpen(null);
	const list = loaded.data ?? [];
	return html`
		<${Section} title=${t("connections-endpoints")} lead=${t("connections-endpoints-lead")} loaded=${loaded} failed=${t("connections-endpoints-failed")}
			action=${html`<${Button} icon="plus" focus="add-endpoint" onClick=${() => setOpen({ dialog: "form", endpoint: null })}>${t("connections-endpoint-add")}<//>`}>
			${list.length === 0
				? html`<${Nothing}>${t("connections-endpoints-none")}<//>`
				: html`<${Rows} name=${t("connections-endpoints")}>
					${list.map((endpoint) => html`
						<${EndpointRow} key=${endpoint.endpoint_id} endpoint=${endpoint} onSaved=${loaded.reload}
							onOpen=${(/** @type {"form" | "removal" | "deliveries"} */ dialog) => setOpen({ dialog, endpoint })} />`)}
				<//>`}
		<//>
		${open?.dialog === "form" && html`<${EndpointDialog} endpoint=${open.endpoint} onSaved=${loaded.reload} onClose=${onClose} />`}
		${open?.dialog === "deliveries" && html`<${DeliveriesDialog} endpoint=${open.endpoint} onClose=${onClose} />`}
		${open?.dialog === "removal" && html`<${EndpointRemoval} endpoint=${open.endpoint} onRemoved=${loaded.reload} onClose=${onClose} />`}`;
}

/** @param {BrandEndpoint} endpoint @returns {[state: string, tone: Tone]} */
function stateOf({ enabled, disabled_at: disabled, failing_since: failing }) {
	if (disabled) return ["disabled", "bad"];
	if (!enabled) return ["stopped", "off"];
	return failing ? ["failing", "warning"] : ["active", "good"];
}

/** @param {{ endpoint: BrandEndpoint, onSaved: () => Promise<void>, onOpen: (dialog: "form" | "removal" | "deliveries") => void }} properties */
function EndpointRow({ endpoint, onSaved, onOpen }) {
	const { endpoint_id: name, url, types, failing_since: failing, dropped } = endpoint;
	const test = useTest(() => testEndpoint(name));
	const [state, tone] = stateOf(endpoint);
	return html`
		<${Row} title=${name} badge=${html`<${Badge} tone=${tone}>${t(`connections-endpoint-${state}`)}<//>`}
			facts=${html`
				<p class="soft small">${url}</p>
				<p class="soft small">${types ? t("connections-endpoint-types", { count: types.length }) : t("connections-endpoint-all-types")}</p>
				${state === "failing" && html`<p class="small warning-text">${rich("connections-endpoint-failing-since", { when: html`<${Time} at=${failing} />` })}</p>`}
				${dropped > 0 && html`<p class="small warning-text">${t("connections-endpoint-dropped", { count: dropped })}</p>`}`}
			actions=${html`
				<${TestButton} test=${test} label=${t("connections-test-of", { name })}>${t("connections-test")}<//>
				<${Button} kind="small" label=${t("connections-deliveries-of", { name })} focus=${`deliveries-${name}`} onClick=${() => onOpen("deliveries")}>${t("connections-deliveries")}<//>
				<${Button} kind="small" label=${t("connections-change-of", { name })} focus=${`change-endpoint-${name}`} onClick=${() => onOpen("form")}>${t("connections-change")}<//>
				<${Button} kind="small danger-quiet" label=${t("connections-remove-of", { name })} focus=${`remove-endpoint-${name}`} onClick=${() => onOpen("removal")}>${t("remove")}<//>`}>
			<${TestResult} test=${test} />
			${state === "disabled" && html`<${SwitchedOff} endpoint=${endpoint} onSaved=${onSaved} />`}
		<//>`;
}

/** Why the service has switched it off, and how to switch it on. @param {{ endpoint: BrandEndpoint, onSaved: () => Promise<void> }} properties */
function SwitchedOff({ endpoint: { endpoint_id: name, url, types, disabled_at: at, disabled_reason: reason }, onSaved }) {
	const { busy, error, send } = useSend();
	const switchOn = () => send(async () => {
		await putEndpoint(name, { url, types, enabled: true });
		toast(t("connections-endpoint-on", { name }));
		await onSaved();
	});
	return html`
		<${Notice} tone="warning" title=${t("connections-endpoint-off-title")}>
			<p><${Time} at=${at} /></p>
			${reason && html`<p>${t("connections-endpoint-off-reason", { reason })}</p>`}
			<p>${t("connections-endpoint-off-next")}</p>
			${error && html`<${Failure} title=${t("connections-endpoint-not-saved")} error=${error} />`}
			<p class="row"><${Button} kind="small" disabled=${busy} onClick=${switchOn}>${t("connections-endpoint-switch-on")}<//></p>
		<//>`;
}

/** @param {{ endpoint: BrandEndpoint, onRemoved: () => Promise<void>, onClose: () => void }} properties */
function EndpointRemoval({ endpoint: { endpoint_id: name, url }, onRemoved, onClose }) {
	const remove = async () => {
		await deleteEndpoint(name);
		toast(t("connections-endpoint-removed", { name }));
		onClose();
		await onRemoved();
	};
	return html`
		<${RemovalDialog} title=${t("connections-endpoint-remove-title")} name=${name} action=${t("connections-endpoint-remove")}
			failed=${t("connections-endpoint-not-removed")} remove=${remove} onClose=${onClose}>
			<ul class="connection-losses">
				<li>${t("connections-endpoint-loses-events", { url })}</li>
				<li>${t("connections-endpoint-loses-deliveries")}</li>
				<li>${t("connections-endpoint-loses-secret")}</li>
			</ul>
		<//>`;
}
