//! Events of keys. They are made from the activity, so that no path can forget them.

use serde_json::{Map, Value, json};
use svc_mcp_access::BrandId;
use svc_mcp_tools::events::EventType;

use super::{NewOutboxEvent, add_event};
use crate::{EventKind, NewEvent, engine::Tx};

/// `None`: this activity is no event of its own.
fn event_type(kind: EventKind) -> Option<EventType> {
    match kind {
        EventKind::Created => Some(EventType::KeyCreated),
        EventKind::Revealed => Some(EventType::KeyRevealed),
        EventKind::Paused => Some(EventType::KeyPaused),
        EventKind::Resumed => Some(EventType::KeyResumed),
        EventKind::Revoked => Some(EventType::KeyRevoked),
        EventKind::Updated | EventKind::RotationFinished => Some(EventType::KeyUpdated),
        EventKind::Rotated => Some(EventType::KeyRotated),
        EventKind::Leaked => Some(EventType::KeyLeaked),
        EventKind::Expiring => Some(EventType::KeyExpiring),
        // Posts, audits, jobs and approvals write theirs where their state changes.
        EventKind::Cancelled
        | EventKind::List
        | EventKind::Call
        | EventKind::Post
        | EventKind::Audit
        | EventKind::Approved
        | EventKind::Rejected => None,
    }
}

/// Writes the event of an activity, if it has one.
pub(crate) async fn add_key_event(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    activity: &NewEvent,
    reason: Option<&str>,
) -> Result<(), sqlx::Error> {
    let Some(event) = event_type(activity.kind) else { return Ok(()) };
    let mut data = Map::new();
    data.insert("brand_id".into(), json!(brand));
    data.insert("key_id".into(), json!(activity.key_id));
    data.insert("actor".into(), json!(activity.actor));
    match (activity.kind, reason) {
        (EventKind::Updated, reason) => {
            let changed: Vec<&str> = reason.unwrap_or_default().split(", ").collect();
            data.insert("changed".into(), json!(changed));
        }
        (EventKind::RotationFinished, _) => {
            data.insert("changed".into(), json!(["old_secret"]));
        }
        (_, Some(reason)) => {
            data.insert("reason".into(), json!(reason));
        }
        (_, None) => {}
    }
    add_event(
        tx,
        NewOutboxEvent {
            event,
            brand: Some(brand),
            key: Some(&activity.key_id),
            at: activity.at,
            unique: &activity.event_id,
            data: Value::Object(data),
        },
    )
    .await
}
