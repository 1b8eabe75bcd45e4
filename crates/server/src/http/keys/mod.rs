//! A brand's keys, managed with an application token.

pub(crate) mod create;
mod fields;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod reveal;
pub(crate) mod revoke;
pub(crate) mod rotate;
pub(crate) mod rotation_finish;
pub(crate) mod update;
mod view;

use svc_mcp_access::{Timestamp, UserId, key::Key};
use svc_mcp_store::{EventKind, EventOutcome, NewEvent};
pub(crate) use view::{KeyView, KeyWithSecret};

use crate::app::App;

const KEYS: &str = "/api/brands/{brand_id}/mcp-keys";
const KEY: &str = "/api/brands/{brand_id}/mcp-keys/{key_id}";

/// The activity record of something a person did to a key.
pub(crate) fn event(app: &App, kind: EventKind, key: &Key, actor: &UserId, at: Timestamp) -> NewEvent {
    NewEvent {
        event_id: app.fresh_event_id(),
        at,
        kind,
        key_id: key.key_id.clone(),
        actor: actor.clone(),
        tool: None,
        outcome: EventOutcome::Ok,
        reason: None,
        latency_us: None,
    }
}
