// @ts-check
import { SERVICE_URL } from "../../app/api.js";
import { workspace } from "../../app/model.js";
import { t } from "../../lang/lang.js";
import { Badge, Button } from "../../parts/elements.js";
import { toast } from "../../parts/messages.js";
import { html, useState } from "../../vendor/preact.js";
import { RemovalDialog } from "../../parts/removal.js";
import { useLoad } from "../../parts/requests.js";
import { countScheduled, deleteChannel, listChannels, testChannel } from "./api.js";
import { ChannelDialog } from "./channelform.js";
import { Row, Rows, Section, TestButton, TestResult, useTest } from "./section.js";

/** Where posts go. */
export function Channels() {
	const loaded = useLoad(listChannels, [workspace.brand.brand_id]);
	const [changed, setChanged] = useState(/** @type {BrandChannel | "new" | null} */ (null));
	const [removed, setRemoved] = useState(/** @type {BrandChannel | null} */ (null));
	return html`
		<${Section} title=${t("connections-channels")} lead=${t("connections-channels-lead")} loaded=${loaded} failed=${t("connections-channels-failed")}
			action=${html`<${Button} icon="plus" focus="add-channel" onClick=${() => setChanged("new")}>${t("connections-channel-add")}<//>`}>
			<${Rows} name=${t("connections-channels")}>
				${loaded.data?.map((channel) => html`
					<${ChannelRow} key=${channel.channel_id} channel=${channel} onChange=${() => setChanged(channel)} onRemove=${() => setRemoved(channel)} />`)}
			<//>
		<//>
		${changed && html`
			<${ChannelDialog} channel=${changed === "new" ? null : changed} onSaved=${loaded.reload} onClose=${() => setChanged(null)} />`}
		${removed && html`<${ChannelRemoval} channel=${removed} onRemoved=${loaded.reload} onClose=${() => setRemoved(null)} />`}`;
}

/** @param {{ channel: BrandChannel, onChange: () => void, onRemove: () => void }} properties */
function ChannelRow({ channel, onChange, onRemove }) {
	const { channel_id: name, kind } = channel;
	const test = useTest(() => testChannel(name));
	return html`
		<${Row} title=${name} badge=${html`<${Badge} tone="info">${t(`connections-kind-${kind}`)}<//>`}
			facts=${html`
				<p class="soft small">${target(channel)}</p>
				<p class="soft small">${t("connections-channel-limits", { text: channel.text_limit, media: channel.media_limit })}
					${channel.secret_set && html`<span class="connection-set">${t(`connections-secret-set-${kind}`)}</span>`}</p>`}
			actions=${html`
				<${TestButton} test=${test} label=${t("connections-test-of", { name })}>${t("connections-test")}<//>
				${kind !== "feed" && html`
					<${Button} kind="small" label=${t("connections-change-of", { name })} focus=${`change-channel-${name}`} onClick=${onChange}>${t("connections-change")}<//>
					<${Button} kind="small danger-quiet" label=${t("connections-remove-of", { name })} focus=${`remove-channel-${name}`} onClick=${onRemove}>${t("remove")}<//>`}`}>
			<${TestResult} test=${test} />
		<//>`;
}

/** Where its posts go. @param {BrandChannel} channel */
function target({ kind, settings }) {
	switch (kind) {
		case "feed": return `${SERVICE_URL}/feeds/${workspace.brand.brand_id}/atom.xml`;
		case "webhook": return settings.url;
		case "bluesky": return t("connections-channel-account", { account: settings.identifier, server: settings.server });
		default: return settings.server;
	}
}

/** @param {{ channel: BrandChannel, onRemoved: () => Promise<void>, onClose: () => void }} properties */
function ChannelRemoval({ channel: { channel_id: name, secret_set: hasSecret }, onRemoved, onClose }) {
	const { data: scheduled, error } = useLoad(() => countScheduled(name), [name]);
	const remove = async () => {
		await deleteChannel(name);
		toast(t("connections-channel-removed", { name }));
		onClose();
		await onRemoved();
	};
	return html`
		<${RemovalDialog} title=${t("connections-channel-remove-title")} name=${name} action=${t("connections-channel-remove")}
			failed=${t("connections-channel-not-removed")} remove=${remove} onClose=${onClose}>
			<ul class="connection-losses">
				<li>${scheduled === null
					? t(error ? "connections-channel-loses-posts-unknown" : "connections-counting")
					: t("connections-channel-loses-posts", { count: scheduled })}</li>
				${hasSecret && html`<li>${t("connections-channel-loses-secret")}</li>`}
			</ul>
			<p class="soft">${t("connections-channel-keeps")}</p>
		<//>`;
}
