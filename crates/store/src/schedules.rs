//! Audits and reports that repeat. A schedule has one open job, which is due when the schedule is.

use async_trait::async_trait;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp};
use svc_mcp_tools::{
    jobs::{JobKind, NewJob},
    page::{Cursor, Page},
    schedules::{Every, Recurrence, Schedule, ScheduleChange, ScheduleRecords, ScheduleRun},
};

use crate::{
    Store, ToolRecords, cut_page,
    engine::{Tx, query, within},
    jobs::add_job,
    parse_column, start_after, unreadable,
};

const COLUMNS: &str = "schedule_id, kind, every, on_day, at_minute, next_at, created_at, created_by, key_id, \
     last_run_at, last_id, last_failure";

#[derive(FromRow)]
struct ScheduleRow {
    schedule_id: String,
    kind: String,
    every: String,
    on_day: i64,
    at_minute: i64,
    next_at: i64,
    created_at: i64,
    created_by: String,
    key_id: String,
    last_run_at: Option<i64>,
    last_id: Option<String>,
    last_failure: Option<String>,
}

impl TryFrom<ScheduleRow> for Schedule {
    type Error = sqlx::Error;

    fn try_from(row: ScheduleRow) -> Result<Self, sqlx::Error> {
        let every: Every = parse_column(&row.every, "rhythm of a schedule")?;
        let parts = u8::try_from(row.on_day).ok().zip(u16::try_from(row.at_minute).ok());
        let recurrence = parts.and_then(|(day, minutes)| Recurrence::from_parts(every, day, minutes));
        let last_run = row.last_run_at.map(|at| ScheduleRun {
            at: Timestamp::from_millis(at),
            result: row.last_id.ok_or_else(|| row.last_failure.unwrap_or_default()),
        });
        Ok(Self {
            schedule_id: row.schedule_id,
            kind: parse_column(&row.kind, "kind of schedule")?,
            recurrence: recurrence.ok_or_else(|| unreadable("time of a schedule"))?,
            next_at: Timestamp::from_millis(row.next_at),
            created_at: Timestamp::from_millis(row.created_at),
            created_by: parse_column(&row.created_by, "user id")?,
            key_id: match row.key_id.as_str() {
                "" => None,
                key => Some(parse_column(key, "key id")?),
            },
            last_run,
        })
    }
}

#[async_trait]
impl ScheduleRecords for ToolRecords {
    async fn schedules(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Schedule>, StoreError> {
        self.store.list_schedules(brand, after, limit).await
    }

    async fn schedule(&self, brand: &BrandId, schedule_id: &str) -> Result<Option<Schedule>, StoreError> {
        self.store.schedule(brand, schedule_id).await
    }
}

impl Store {
    async fn list_schedules(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Schedule>, StoreError> {
        self.run_for(brand, "schedules", async {
            let sql = "SELECT COUNT(*) FROM schedules WHERE brand_id = $1";
            let total: i64 =
                query!(&self.engine, |db| sqlx::query_scalar(sql).bind(brand.as_str()).fetch_one(db).await)?;
            let sql = format!(
                "SELECT {COLUMNS} FROM schedules WHERE brand_id = $1 \
                 AND (created_at < $2 OR (created_at = $2 AND schedule_id < $3)) \
                 ORDER BY created_at DESC, schedule_id DESC LIMIT $4 + 0"
            );
            let (at, id) = start_after(after);
            let rows: Vec<ScheduleRow> = query!(&self.engine, |db| {
                sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .bind(at)
                    .bind(id)
                    .bind(i64::from(limit) + 1)
                    .fetch_all(db)
                    .await
            })?;
            let items = rows.into_iter().map(Schedule::try_from).collect::<Result<Vec<_>, _>>()?;
            Ok(cut_page(items, total, limit, |schedule: &Schedule| Cursor {
                at: schedule.created_at,
                id: schedule.schedule_id.clone(),
            }))
        })
        .await
    }

    async fn schedule(&self, brand: &BrandId, schedule_id: &str) -> Result<Option<Schedule>, StoreError> {
        self.run_for(brand, "schedule", async {
            let sql = format!("SELECT {COLUMNS} FROM schedules WHERE brand_id = $1 AND schedule_id = $2");
            let row: Option<ScheduleRow> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .bind(schedule_id)
                    .fetch_optional(db)
                    .await)?;
            row.map(Schedule::try_from).transpose()
        })
        .await
    }
}

pub(crate) async fn apply_schedule_change(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: Option<&KeyId>,
    change: &ScheduleChange,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    match change {
        ScheduleChange::Add(schedule) => add(tx, brand, schedule).await,
        ScheduleChange::Delete { schedule_id } => {
            cancel_job(tx, brand, schedule_id, now).await?;
            delete_schedules(tx, brand, &[schedule_id.as_str()]).await
        }
        ScheduleChange::MoveOn { schedule_id, run, next_job_id } => {
            let Some(next_at) = move_on(tx, brand, schedule_id, run, now).await? else { return Ok(()) };
            let job = NewJob {
                job_id: next_job_id.clone(),
                kind: JobKind::Schedule,
                subject: schedule_id.clone(),
                concurrency_key: None,
                due: next_at,
            };
            add_job(tx, brand, key, &job, now).await
        }
    }
}

async fn add(tx: &mut Tx<'_>, brand: &BrandId, schedule: &Schedule) -> Result<(), sqlx::Error> {
    let (every, day, minutes) = schedule.recurrence.parts();
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO schedules (brand_id, schedule_id, kind, every, on_day, at_minute, next_at, created_at, created_by, \
         key_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(brand.as_str())
    .bind(&schedule.schedule_id)
    .bind(schedule.kind.as_str())
    .bind(every.as_str())
    .bind(i64::from(day))
    .bind(i64::from(minutes))
    .bind(schedule.next_at.millis())
    .bind(schedule.created_at.millis())
    .bind(schedule.created_by.as_str())
    .bind(schedule.key_id.as_ref().map_or("", KeyId::as_str))
    .execute(db)
    .await
    .map(|_| ())
    })
}

/// A worker that has the job cannot commit any more.
async fn cancel_job(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    schedule_id: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "UPDATE jobs SET status = 'cancelled', reason = 'The schedule was deleted.', ended_at = $3, held_at = NULL \
         WHERE brand_id = $1 AND kind = 'schedule' AND subject = $2 AND status IN ('waiting', 'running')",
    )
    .bind(brand.as_str())
    .bind(schedule_id)
    .bind(now.millis())
    .execute(db)
    .await
    .map(|_| ())
    })
}

pub(crate) async fn delete_schedules(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    schedule_ids: &[&str],
) -> Result<(), sqlx::Error> {
    for schedule_id in schedule_ids {
        let sql = "DELETE FROM schedules WHERE brand_id = $1 AND schedule_id = $2";
        within!(tx, |db| sqlx::query(sql)
            .bind(brand.as_str())
            .bind(*schedule_id)
            .execute(db)
            .await
            .map(|_| ()))?;
    }
    Ok(())
}

/// Records the run, and returns the next time. `None`: the schedule was deleted.
async fn move_on(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    schedule_id: &str,
    run: &ScheduleRun,
    now: Timestamp,
) -> Result<Option<Timestamp>, sqlx::Error> {
    let sql = format!("SELECT {COLUMNS} FROM schedules WHERE brand_id = $1 AND schedule_id = $2");
    let row: Option<ScheduleRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .bind(schedule_id)
        .fetch_optional(db)
        .await)?;
    let Some(schedule) = row.map(Schedule::try_from).transpose()? else { return Ok(None) };
    let next_at = schedule.recurrence.next_after(now, &brand_time_zone(tx, brand).await?);
    let (last_id, last_failure) = match &run.result {
        Ok(id) => (Some(id), None),
        Err(reason) => (None, Some(reason)),
    };
    within!(tx, |db| sqlx::query(
        "UPDATE schedules SET next_at = $3, last_run_at = $4, last_id = $5, last_failure = $6 \
         WHERE brand_id = $1 AND schedule_id = $2",
    )
    .bind(brand.as_str())
    .bind(schedule_id)
    .bind(next_at.millis())
    .bind(run.at.millis())
    .bind(last_id)
    .bind(last_failure)
    .execute(db)
    .await
    .map(|_| ()))?;
    Ok(Some(next_at))
}

/// The time zone of a brand, or an empty text if there is no such brand.
pub(crate) async fn brand_time_zone(tx: &mut Tx<'_>, brand: &BrandId) -> Result<String, sqlx::Error> {
    let sql = "SELECT time_zone FROM brands WHERE brand_id = $1";
    let zone: Option<String> =
        within!(tx, |db| sqlx::query_scalar(sql).bind(brand.as_str()).fetch_optional(db).await)?;
    Ok(zone.unwrap_or_default())
}

/// Moves the brand's schedules from its old time zone to the present one. A schedule that runs or is held now is due
/// already, and its next time will be in the new zone.
pub(crate) async fn change_time_zone(tx: &mut Tx<'_>, brand: &BrandId, old: &str) -> Result<(), sqlx::Error> {
    let new = brand_time_zone(tx, brand).await?;
    if old.is_empty() || old == new {
        return Ok(());
    }
    let sql = format!("SELECT {COLUMNS} FROM schedules WHERE brand_id = $1");
    let rows: Vec<ScheduleRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .fetch_all(db)
        .await)?;
    for row in rows {
        let schedule = Schedule::try_from(row)?;
        let next_at = schedule.recurrence.in_other_zone(schedule.next_at, old, &new);
        let moved = within!(tx, |db| sqlx::query(
            "UPDATE jobs SET due_at = $3 WHERE brand_id = $1 AND kind = 'schedule' AND subject = $2 \
             AND status = 'waiting' AND held_at IS NULL",
        )
        .bind(brand.as_str())
        .bind(&schedule.schedule_id)
        .bind(next_at.millis())
        .execute(db)
        .await
        .map(|done| done.rows_affected()))?;
        if moved > 0 {
            let sql = "UPDATE schedules SET next_at = $3 WHERE brand_id = $1 AND schedule_id = $2";
            within!(tx, |db| sqlx::query(sql)
                .bind(brand.as_str())
                .bind(&schedule.schedule_id)
                .bind(next_at.millis())
                .execute(db)
                .await
                .map(|_| ()))?;
        }
    }
    Ok(())
}
