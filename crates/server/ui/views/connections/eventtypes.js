// @ts-check
import { t } from "../../lang/lang.js";

/** The events that an endpoint can get, in groups. A test compares them with the API document. */
export const EVENT_TYPES = {
	key: ["key.created", "key.updated", "key.revealed", "key.rotated", "key.paused", "key.resumed", "key.revoked", "key.expiring", "key.leaked"],
	approval: ["approval.requested", "approval.decided"],
	post: ["post.published", "post.failed", "post.withdrawn"],
	work: ["job.failed", "audit.new_errors"],
	brand: ["brand.updated", "brand.suspended", "brand.resumed", "member.added", "member.removed"],
};

/** The name of a type. One that the page does not know is shown as it is. @param {string} type */
export const eventName = (type) => (Object.values(EVENT_TYPES).flat().includes(type) ? t(`connections-event-${type.replace(".", "-")}`) : type);
