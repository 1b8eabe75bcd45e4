//! Approvals that are requested, decided and cancelled.

use serde_json::{Value, json};
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, KeyId, Timestamp, UserId};
use svc_mcp_tools::{
    Change,
    approvals::{ApprovalChange, ApprovalStatus, NewApproval, NewDecision},
    events::EventType,
    jobs::cancel_reason,
    records::CommitError,
};

use crate::{
    EventKind, EventOutcome, NewEvent,
    activity::insert_event,
    approval_notices::order_notice,
    cancelled_work::{Cancellation, OrderedBy},
    engine::{Tx, within},
    error::Abort,
    outbox::{NewOutboxEvent, add_event},
    parse_column,
};

pub(crate) async fn add_approval(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    new: &NewApproval,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let approval = &new.approval;
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO approvals (brand_id, approval_id, key_id, tool, arguments, preview, digest, status, requested_at, \
         expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(brand.as_str())
    .bind(&approval.approval_id)
    .bind(approval.key_id.as_str())
    .bind(&approval.tool)
    .bind(approval.arguments.to_string())
    .bind(approval.preview.as_ref().map(Value::to_string))
    .bind(&approval.digest)
    .bind(approval.status.as_str())
    .bind(approval.requested_at.millis())
    .bind(approval.expires_at.millis())
    .execute(db)
    .await
    .map(|_| ())
    })?;
    let data = json!({
        "brand_id": brand,
        "key_id": approval.key_id,
        "approval_id": approval.approval_id,
        "tool": approval.tool,
        "expires_at": approval.expires_at,
    });
    let requested = NewOutboxEvent {
        event: EventType::ApprovalRequested,
        brand: Some(brand),
        key: Some(&approval.key_id),
        at: now,
        unique: &approval.approval_id,
        data,
    };
    add_event(tx, requested).await?;
    order_notice(tx, brand, &new.notice_job_id, now).await
}

/// An approval that has just been decided.
#[derive(FromRow)]
struct DecidedRow {
    approval_id: String,
    key_id: String,
    tool: String,
}

async fn add_decided_event(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    decided: &DecidedRow,
    (status, actor): (ApprovalStatus, &UserId),
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let key: KeyId = parse_column(&decided.key_id, "key id")?;
    let data = json!({
        "brand_id": brand,
        "key_id": key,
        "approval_id": decided.approval_id,
        "tool": decided.tool,
        "status": status.as_str(),
        "actor": actor,
    });
    let new = NewOutboxEvent {
        event: EventType::ApprovalDecided,
        brand: Some(brand),
        key: Some(&key),
        at: now,
        unique: &decided.approval_id,
        data,
    };
    add_event(tx, new).await
}

/// Writes the decisions among the changes. Refuses them all if one is not pending any more.
pub(crate) async fn write_decisions(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    changes: &[Change],
    now: Timestamp,
) -> Result<(), Abort<CommitError>> {
    for change in changes {
        let Change::Approvals(ApprovalChange::Decide(decision)) = change else { continue };
        if !write_decision(tx, brand, decision, now).await? {
            return Err(Abort::Refused(CommitError::Changed));
        }
    }
    Ok(())
}

/// False: somebody else has decided, or it has expired or was cancelled.
async fn write_decision(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    decision: &NewDecision,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let json = |value: &Option<Value>| value.as_ref().map(Value::to_string);
    let decided: Option<DecidedRow> = within!(tx, |db| {
        sqlx::query_as(
        "UPDATE approvals SET status = $4, decided_at = $3, decided_by = $5, note = $6, approved_arguments = $7, \
         result = $8, failure = $9 WHERE brand_id = $1 AND approval_id = $2 AND status = 'pending' AND expires_at > $3 \
         RETURNING approval_id, key_id, tool",
    )
    .bind(brand.as_str())
    .bind(&decision.approval_id)
    .bind(now.millis())
    .bind(decision.status.as_str())
    .bind(decision.event.actor.as_str())
    .bind(&decision.note)
    .bind(json(&decision.arguments))
    .bind(json(&decision.result))
    .bind(json(&decision.failure))
    .fetch_optional(db)
    .await
    })?;
    let Some(decided) = decided else { return Ok(false) };
    let is_rejected = decision.status == ApprovalStatus::Rejected;
    let has_failed = decision.status == ApprovalStatus::Failed;
    let event = NewEvent {
        event_id: decision.event.event_id.clone(),
        at: now,
        kind: if is_rejected { EventKind::Rejected } else { EventKind::Approved },
        key_id: decision.event.key_id.clone(),
        actor: decision.event.actor.clone(),
        tool: Some(decision.event.tool),
        outcome: if has_failed { EventOutcome::Error } else { EventOutcome::Ok },
        reason: has_failed.then_some("tool_failed"),
        latency_us: None,
    };
    insert_event(tx, brand, &event).await?;
    add_decided_event(tx, brand, &decided, (decision.status, &event.actor), now).await?;
    Ok(true)
}

/// How many calls of the key wait, and when the first of them expires.
pub(crate) async fn count_pending(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
    now: Timestamp,
) -> Result<(i64, Option<i64>), sqlx::Error> {
    within!(tx, |db| {
        sqlx::query_as(
        "SELECT COUNT(*), MIN(expires_at) FROM approvals WHERE brand_id = $1 AND key_id = $2 AND status = 'pending' \
         AND expires_at > $3",
    )
    .bind(brand.as_str())
    .bind(key.as_str())
    .bind(now.millis())
    .fetch_one(db)
    .await
    })
}

/// Cancels the calls that wait, in the transaction that takes the access away. Returns how many there were.
pub(crate) async fn cancel_approvals(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    ordered_by: OrderedBy<'_>,
    cancellation: &Cancellation<'_>,
) -> Result<u32, sqlx::Error> {
    let sql = format!(
        "UPDATE approvals SET status = 'cancelled', decided_at = $3, decided_by = $4, note = $5 WHERE {} \
         AND status = 'pending' AND expires_at > $3 RETURNING approval_id, key_id, tool",
        ordered_by.condition()
    );
    let cancelled: Vec<DecidedRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .bind(ordered_by.id())
        .bind(cancellation.at.millis())
        .bind(cancellation.actor.as_str())
        .bind(cancel_reason(&cancellation.denial))
        .fetch_all(db)
        .await)?;
    for decided in &cancelled {
        let decision = (ApprovalStatus::Cancelled, cancellation.actor);
        add_decided_event(tx, brand, decided, decision, cancellation.at).await?;
    }
    Ok(u32::try_from(cancelled.len()).unwrap_or(u32::MAX))
}
