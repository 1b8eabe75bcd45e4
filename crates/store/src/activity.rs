//! The activity log (keys created, revealed, changed, rotated, paused, resumed and revoked, work cancelled, requests made and denied,
//! calls approved and rejected, posts changed and audits started by people, keys that were leaked or expire soon).

use std::str::FromStr;

use async_trait::async_trait;
use sqlx_macros::FromRow;
pub use svc_mcp_access::usage::Outcome as EventOutcome;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp, UserId};
use svc_mcp_tools::{
    activity::{ActivityRecords, KeyEvent},
    audit::SiteAuditStarted,
    posts::PostEvent,
};

use crate::{
    Cursor, Store, ToolRecords,
    engine::{Tx, query, within},
    next_cursor,
    outbox::add_key_event,
    parse_column, start_after,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    Created,
    Revealed,
    Paused,
    Resumed,
    Revoked,
    /// A setting of the key was changed.
    Updated,
    /// What a key had queued was cancelled.
    Cancelled,
    List,
    Call,
    /// A person changed a post. The event's tool is the one that does the same.
    Post,
    /// A person started an audit. The column `key_id` holds the id of the audit.
    Audit,
    /// A person approved a call of this tool.
    Approved,
    /// A person rejected a call of this tool.
    Rejected,
    /// The key got a new secret.
    Rotated,
    /// The old secret of a rotated key was ended before its time.
    RotationFinished,
    /// Somebody reported the secret as public, and the service revoked the key.
    Leaked,
    /// The key expires soon. The reason says when.
    Expiring,
}

/// The actor of what the service does by itself.
const SYSTEM_ACTOR: &str = "svc-mcp";

pub fn system_actor() -> UserId {
    SYSTEM_ACTOR.parse().expect("a plain id")
}

impl EventKind {
    pub const ALL: [Self; 17] = [
        Self::Created,
        Self::Revealed,
        Self::Paused,
        Self::Resumed,
        Self::Revoked,
        Self::Updated,
        Self::Cancelled,
        Self::List,
        Self::Call,
        Self::Post,
        Self::Audit,
        Self::Approved,
        Self::Rejected,
        Self::Rotated,
        Self::RotationFinished,
        Self::Leaked,
        Self::Expiring,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Revealed => "revealed",
            Self::Paused => "paused",
            Self::Resumed => "resumed",
            Self::Revoked => "revoked",
            Self::Updated => "updated",
            Self::Cancelled => "cancelled",
            Self::List => "list",
            Self::Call => "call",
            Self::Post => "post",
            Self::Audit => "audit",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Rotated => "rotated",
            Self::RotationFinished => "rotation_finished",
            Self::Leaked => "leaked",
            Self::Expiring => "expiring",
        }
    }
}

impl FromStr for EventKind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(())
    }
}

/// An event to store.
#[derive(Debug, Clone)]
pub struct NewEvent {
    pub event_id: String,
    pub at: Timestamp,
    pub kind: EventKind,
    pub key_id: KeyId,
    pub actor: UserId,
    pub tool: Option<&'static str>,
    pub outcome: EventOutcome,
    pub reason: Option<&'static str>,
    pub latency_us: Option<i64>,
}

#[derive(Debug, Clone)]
pub struct Event {
    pub event_id: String,
    pub at: Timestamp,
    pub kind: EventKind,
    pub key_id: KeyId,
    pub actor: UserId,
    pub tool: Option<String>,
    pub outcome: EventOutcome,
    pub reason: Option<String>,
    pub latency_us: Option<i64>,
    /// The post that a person changed.
    pub post_id: Option<String>,
    /// Denied requests of one key in one minute for one reason are one event, and so is cancelled work of one kind.
    pub count: u64,
}

/// Which events to list.
#[derive(Debug, Clone, Default)]
pub struct ActivityFilter {
    pub key_id: Option<KeyId>,
    pub kind: Option<EventKind>,
    pub outcome: Option<EventOutcome>,
    pub after: Option<Cursor>,
    pub limit: u32,
}

/// The columns of an [`EventRow`].
pub(crate) const EVENT_COLUMNS: &str =
    "event_id, at, kind, key_id, actor, tool, outcome, reason, latency_us, post_id, count";

#[derive(FromRow)]
pub(crate) struct EventRow {
    event_id: String,
    at: i64,
    kind: String,
    key_id: String,
    actor: String,
    tool: Option<String>,
    outcome: String,
    reason: Option<String>,
    latency_us: Option<i64>,
    post_id: Option<String>,
    count: i64,
}

/// Adds an event.
pub(crate) async fn insert_event(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    event: &NewEvent,
) -> Result<(), sqlx::Error> {
    insert_event_row(tx, brand, event, event.reason, 1).await
}

/// Adds an event with a reason that is made of several words.
pub(crate) async fn insert_event_because(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    event: &NewEvent,
    reason: &str,
) -> Result<(), sqlx::Error> {
    insert_event_row(tx, brand, event, Some(reason), 1).await
}

/// Adds one event for several of the same.
pub(crate) async fn insert_folded_event(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    event: &NewEvent,
    count: i64,
) -> Result<(), sqlx::Error> {
    insert_event_row(tx, brand, event, event.reason, count).await
}

async fn insert_event_row(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    event: &NewEvent,
    reason: Option<&str>,
    count: i64,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, tool, outcome, reason, latency_us, \
         count) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(brand.as_str())
    .bind(event.at.millis())
    .bind(&event.event_id)
    .bind(event.kind.as_str())
    .bind(event.key_id.as_str())
    .bind(event.actor.as_str())
    .bind(event.tool)
    .bind(event.outcome.as_str())
    .bind(reason)
    .bind(event.latency_us)
    .bind(count)
    .execute(db)
    .await
    .map(|_| ())
    })?;
    add_key_event(tx, brand, event, reason).await
}

/// Adds what a person did to a post.
pub(crate) async fn insert_post_event(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    event: &PostEvent,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, tool, outcome, post_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(brand.as_str())
    .bind(at.millis())
    .bind(&event.event_id)
    .bind(EventKind::Post.as_str())
    .bind(event.key_id.as_str())
    .bind(event.actor.as_str())
    .bind(event.action)
    .bind(EventOutcome::Ok.as_str())
    .bind(&event.post_id)
    .execute(db)
    .await
    .map(|_| ()))
}

/// Adds that a person started an audit.
pub(crate) async fn insert_site_audit_started(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    event: &SiteAuditStarted,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, tool, outcome) \
         VALUES ($1, $2, $3, $4, $5, $6, 'run_audit', $7)",
    )
    .bind(brand.as_str())
    .bind(at.millis())
    .bind(&event.event_id)
    .bind(EventKind::Audit.as_str())
    .bind(event.audit_id.as_str())
    .bind(event.actor.as_str())
    .bind(EventOutcome::Ok.as_str())
    .execute(db)
    .await
    .map(|_| ()))
}

impl Store {
    /// Newest first.
    pub async fn activity(
        &self,
        brand: &BrandId,
        filter: &ActivityFilter,
    ) -> Result<(Vec<Event>, Option<Cursor>), StoreError> {
        self.run_for(brand, "activity", async {
            // Two statements, because the index by key is used only with a plain `key_id = $2`.
            let sql = if filter.key_id.is_some() {
                "SELECT event_id, at, kind, key_id, actor, tool, outcome, reason, latency_us, post_id, count FROM activity \
                 WHERE brand_id = $1 AND key_id = $2 AND (kind = $3 OR $3 = '') AND (outcome = $4 OR $4 = '') \
                 AND (at < $5 OR (at = $5 AND event_id < $6)) ORDER BY at DESC, event_id DESC LIMIT $7 + 0"
            } else {
                "SELECT event_id, at, kind, key_id, actor, tool, outcome, reason, latency_us, post_id, count FROM activity \
                 WHERE brand_id = $1 AND $2 = '' AND (kind = $3 OR $3 = '') AND (outcome = $4 OR $4 = '') \
                 AND (at < $5 OR (at = $5 AND event_id < $6)) ORDER BY at DESC, event_id DESC LIMIT $7 + 0"
            };
            let (at, id) = start_after(filter.after.as_ref());
            let rows: Vec<EventRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(filter.key_id.as_ref().map_or("", KeyId::as_str))
                .bind(filter.kind.map_or("", EventKind::as_str))
                .bind(filter.outcome.map_or("", EventOutcome::as_str))
                .bind(at)
                .bind(id)
                .bind(i64::from(filter.limit) + 1)
                .fetch_all(db)
                .await)?;
            let mut events = rows.into_iter().map(EventRow::decode).collect::<Result<Vec<_>, _>>()?;
            let next = next_cursor(&mut events, filter.limit, |event| Cursor {
                at: event.at,
                id: event.event_id.clone(),
            });
            Ok((events, next))
        })
        .await
    }

    /// How many allowed requests of the brand have no event, from the minute of `from` on, to before the minute of `to`.
    pub async fn events_left_out(
        &self,
        brand: &BrandId,
        from: Option<Timestamp>,
        to: Option<Timestamp>,
    ) -> Result<u64, StoreError> {
        let minute = |at: Timestamp| at.millis().div_euclid(60_000);
        self.run_for(brand, "events_left_out", async {
            let sql = "SELECT CAST(COALESCE(SUM(requests), 0) AS BIGINT) FROM events_left_out \
                       WHERE brand_id = $1 AND minute >= $2 AND minute < $3";
            let requests: i64 = query!(&self.engine, |db| sqlx::query_scalar(sql)
                .bind(brand.as_str())
                .bind(from.map_or(0, minute))
                .bind(to.map_or(i64::MAX, minute))
                .fetch_one(db)
                .await)?;
            Ok(u64::try_from(requests).unwrap_or(0))
        })
        .await
    }
}

#[async_trait]
impl ActivityRecords for ToolRecords {
    async fn key_events(
        &self,
        brand: &BrandId,
        key: &KeyId,
        calls_only: bool,
        outcome: Option<EventOutcome>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<(Vec<KeyEvent>, Option<Cursor>), StoreError> {
        let filter = ActivityFilter {
            key_id: Some(key.clone()),
            kind: calls_only.then_some(EventKind::Call),
            outcome,
            after: after.cloned(),
            limit,
        };
        let (events, next) = self.store.activity(brand, &filter).await?;
        Ok((events.into_iter().map(Event::without_people).collect(), next))
    }
}

impl Event {
    /// The event as the key may see it.
    fn without_people(self) -> KeyEvent {
        KeyEvent {
            at: self.at,
            kind: self.kind.as_str(),
            tool: self.tool,
            outcome: self.outcome,
            reason: self.reason,
            post_id: self.post_id,
            count: self.count,
        }
    }
}

impl EventRow {
    pub(crate) fn decode(self) -> Result<Event, sqlx::Error> {
        Ok(Event {
            event_id: self.event_id,
            at: Timestamp::from_millis(self.at),
            kind: parse_column(&self.kind, "kind of event")?,
            key_id: parse_column(&self.key_id, "key id")?,
            actor: parse_column(&self.actor, "user id")?,
            tool: self.tool,
            outcome: parse_column(&self.outcome, "outcome")?,
            reason: self.reason,
            latency_us: self.latency_us,
            post_id: self.post_id,
            count: u64::try_from(self.count).unwrap_or(0),
        })
    }
}
