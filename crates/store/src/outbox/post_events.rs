//! Events of posts, one for each target.

use serde_json::json;
use svc_mcp_access::{BrandId, KeyId, Timestamp};
use svc_mcp_tools::{
    events::EventType,
    posts::{Post, Target, TargetStatus},
};

use super::{NewOutboxEvent, add_event};
use crate::{
    engine::{Tx, within},
    parse_column,
};

/// `None`: this state has no event.
fn event_type(status: TargetStatus) -> Option<EventType> {
    match status {
        TargetStatus::Published => Some(EventType::PostPublished),
        TargetStatus::Failed | TargetStatus::Uncertain => Some(EventType::PostFailed),
        TargetStatus::Withdrawn => Some(EventType::PostWithdrawn),
        _ => None,
    }
}

/// Writes the event of a target that has just got this status.
pub(crate) async fn add_post_event(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    (post_id, channel): (&str, &str),
    status: TargetStatus,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    if event_type(status).is_none() {
        return Ok(());
    }
    let sql = "SELECT created_by_key FROM posts WHERE brand_id = $1 AND post_id = $2";
    let key: Option<String> = within!(tx, |db| sqlx::query_scalar(sql)
        .bind(brand.as_str())
        .bind(post_id)
        .fetch_optional(db)
        .await)?;
    let Some(key) = key else { return Ok(()) };
    add_target_event(tx, brand, &parse_column(&key, "key id")?, (post_id, channel), status, now).await
}

/// Writes the events of the targets that have another status than before.
pub(crate) async fn add_changed_targets(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    before: &[Target],
    after: &Post,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    for target in &after.targets {
        let old = before.iter().find(|old| old.channel == target.channel);
        // A post that is not withdrawn after all was published before.
        let stays = old.is_some_and(|old| {
            old.status == target.status
                || (old.status, target.status) == (TargetStatus::Withdrawing, TargetStatus::Published)
        });
        if !stays {
            let post = (after.post_id.as_str(), target.channel.as_str());
            add_target_event(tx, brand, &after.created_by_key, post, target.status, now).await?;
        }
    }
    Ok(())
}

async fn add_target_event(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
    (post_id, channel): (&str, &str),
    status: TargetStatus,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let Some(event) = event_type(status) else { return Ok(()) };
    let data = json!({
        "brand_id": brand,
        "key_id": key,
        "post_id": post_id,
        "channel": channel,
        "status": status.as_str(),
    });
    let unique = format!("{post_id} {channel}");
    add_event(
        tx,
        NewOutboxEvent { event, brand: Some(brand), key: Some(key), at: now, unique: &unique, data },
    )
    .await
}
