//! The steps of publishing and withdrawing a target.

use svc_mcp_access::{BrandId, Timestamp};
use svc_mcp_tools::posts::{TargetChange, TargetStatus, TargetStep, uncertain_reason};

use crate::{
    engine::{Tx, within},
    outbox::add_post_event,
};

/// How an attempt ended that has not published the post.
#[derive(Clone, Copy)]
struct AttemptEnd<'a> {
    status: TargetStatus,
    reason: &'a str,
    next_attempt_at: Option<Timestamp>,
    unknown_since: Option<Timestamp>,
}

impl<'a> AttemptEnd<'a> {
    fn last(status: TargetStatus, reason: &'a str) -> Self {
        Self { status, reason, next_attempt_at: None, unknown_since: None }
    }
}

/// Moves a target to its next state. A final state does not change, except that a cancelled target becomes published if
/// it was published meanwhile. A target that fails is uncertain if the outcome of an attempt is unknown.
pub(crate) async fn apply_target_change(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &TargetChange,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    if let Some(status) = write_step(tx, brand, change, now).await? {
        add_post_event(tx, brand, (&change.post_id, &change.channel), status, now).await?;
    }
    Ok(())
}

/// Returns the status that the target has now, if people may want to know of it.
async fn write_step(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &TargetChange,
    now: Timestamp,
) -> Result<Option<TargetStatus>, sqlx::Error> {
    let changed = match &change.step {
        TargetStep::Begun { unknown_since } => {
            begin(tx, brand, change, *unknown_since, now).await?;
            None
        }
        TargetStep::Postponed { reason, next, unknown_since } => {
            let (next_attempt_at, unknown_since) = (Some(*next), *unknown_since);
            let end = AttemptEnd { status: TargetStatus::Publishing, reason, next_attempt_at, unknown_since };
            end_attempt(tx, brand, change, end).await?;
            None
        }
        TargetStep::Published { url, remote_uri, at } => {
            let urls = (url.as_deref(), remote_uri.as_deref());
            publish(tx, brand, change, urls, *at).await?.then_some(TargetStatus::Published)
        }
        TargetStep::NotPublished => {
            clear_unknown(tx, brand, change).await?;
            None
        }
        TargetStep::Failed { reason } => {
            if mark_uncertain(tx, brand, change, &uncertain_reason(reason)).await? {
                Some(TargetStatus::Uncertain)
            } else {
                let end = AttemptEnd::last(TargetStatus::Failed, reason);
                end_attempt(tx, brand, change, end).await?.then_some(TargetStatus::Failed)
            }
        }
        TargetStep::Cancelled { reason } => {
            end_attempt(tx, brand, change, AttemptEnd::last(TargetStatus::Cancelled, reason)).await?;
            None
        }
        TargetStep::WithdrawBegun => {
            begin_withdrawal(tx, brand, change).await?;
            None
        }
        TargetStep::WithdrawPostponed { reason, next } => {
            let (status, error) = (TargetStatus::Withdrawing, Some(reason.as_str()));
            end_withdrawal(tx, brand, change, (status, error, Some(*next))).await?;
            None
        }
        TargetStep::Withdrawn => {
            let status = TargetStatus::Withdrawn;
            end_withdrawal(tx, brand, change, (status, None, None)).await?.then_some(status)
        }
        TargetStep::NotWithdrawn { reason } => {
            let (status, error) = (TargetStatus::Published, Some(reason.as_str()));
            end_withdrawal(tx, brand, change, (status, error, None)).await?;
            None
        }
    };
    Ok(changed)
}

/// A scheduled target begins at its time. A worker may have taken the job before the post got a later time.
async fn begin(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &TargetChange,
    unknown_since: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "UPDATE post_targets SET status = 'publishing', attempts = attempts + 1, url = NULL, next_attempt_at = NULL, \
         unknown_since = COALESCE(unknown_since, $4) WHERE brand_id = $1 AND post_id = $2 AND channel = $3 \
         AND (status = 'publishing' OR status = 'scheduled' AND NOT EXISTS (SELECT 1 FROM posts p \
           WHERE p.brand_id = $1 AND p.post_id = $2 AND p.scheduled_at > $5))",
    )
    .bind(brand.as_str())
    .bind(&change.post_id)
    .bind(&change.channel)
    .bind(unknown_since.map(Timestamp::millis))
    .bind(now.millis())
    .execute(db)
    .await
    .map(|_| ())
    })
}

/// Returns whether the target has changed.
async fn end_attempt(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &TargetChange,
    end: AttemptEnd<'_>,
) -> Result<bool, sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "UPDATE post_targets SET status = $4, url = NULL, error = $5, next_attempt_at = $6, unknown_since = $7 \
         WHERE brand_id = $1 AND post_id = $2 AND channel = $3 AND status IN ('scheduled', 'publishing')",
    )
    .bind(brand.as_str())
    .bind(&change.post_id)
    .bind(&change.channel)
    .bind(end.status.as_str())
    .bind(end.reason)
    .bind(end.next_attempt_at.map(Timestamp::millis))
    .bind(end.unknown_since.map(Timestamp::millis))
    .execute(db)
    .await
    .map(|done| done.rows_affected() > 0)
    })
}

async fn publish(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &TargetChange,
    (url, remote_uri): (Option<&str>, Option<&str>),
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "UPDATE post_targets SET status = 'published', url = $4, remote_uri = $5, error = NULL, published_at = $6, \
         next_attempt_at = NULL, unknown_since = NULL WHERE brand_id = $1 AND post_id = $2 AND channel = $3 \
         AND status IN ('scheduled', 'publishing', 'cancelled')",
    )
    .bind(brand.as_str())
    .bind(&change.post_id)
    .bind(&change.channel)
    .bind(url)
    .bind(remote_uri)
    .bind(at.millis())
    .execute(db)
    .await
    .map(|done| done.rows_affected() > 0)
    })
}

async fn clear_unknown(tx: &mut Tx<'_>, brand: &BrandId, change: &TargetChange) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "UPDATE post_targets SET unknown_since = NULL WHERE brand_id = $1 AND post_id = $2 AND channel = $3"
    )
    .bind(brand.as_str())
    .bind(&change.post_id)
    .bind(&change.channel)
    .execute(db)
    .await
    .map(|_| ()))
}

/// Ends a target whose outcome is unknown. Changes no other target. Returns whether it has changed one.
async fn mark_uncertain(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &TargetChange,
    reason: &str,
) -> Result<bool, sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "UPDATE post_targets SET status = $4, error = $5, next_attempt_at = NULL WHERE brand_id = $1 AND post_id = $2 \
         AND channel = $3 AND status IN ('scheduled', 'publishing') AND unknown_since IS NOT NULL"
    )
    .bind(brand.as_str())
    .bind(&change.post_id)
    .bind(&change.channel)
    .bind(TargetStatus::Uncertain.as_str())
    .bind(reason)
    .execute(db)
    .await
    .map(|done| done.rows_affected() > 0)
    })
}

/// During a retry, the error of the last attempt is still shown.
async fn begin_withdrawal(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &TargetChange,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "UPDATE post_targets SET attempts = attempts + 1, next_attempt_at = NULL \
         WHERE brand_id = $1 AND post_id = $2 AND channel = $3 AND status = 'withdrawing'",
    )
    .bind(brand.as_str())
    .bind(&change.post_id)
    .bind(&change.channel)
    .execute(db)
    .await
    .map(|_| ()))
}

async fn end_withdrawal(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &TargetChange,
    (status, error, next): (TargetStatus, Option<&str>, Option<Timestamp>),
) -> Result<bool, sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "UPDATE post_targets SET status = $4, error = $5, next_attempt_at = $6 \
         WHERE brand_id = $1 AND post_id = $2 AND channel = $3 AND status = 'withdrawing'",
    )
    .bind(brand.as_str())
    .bind(&change.post_id)
    .bind(&change.channel)
    .bind(status.as_str())
    .bind(error)
    .bind(next.map(Timestamp::millis))
    .execute(db)
    .await
    .map(|done| done.rows_affected() > 0))
}
