//! May the work that a key or a person has queued still be done?
//!
//! Workers and changes of a key are ordered by a lock for each key. A worker holds it shared while it asks the decision and
//! records that it begins. A revoke, a pause and the removal of the creator hold it exclusively until their commit. So a
//! worker has either begun before the change, and the change knows of it, or it sees the change and does not begin. In the
//! same way a suspension is ordered by a lock for each brand. SQLite needs no lock: it has one writer at a time.

use svc_mcp_access::{
    BrandId, KeyId, Timestamp, UserId,
    decision::{Denial, KeyError, decide_queued_work, decide_work_of_people},
};

use crate::{
    engine::{Tx, within},
    error::Abort,
    key_cache::{KeyStateRow, key_state_by_id},
    operator::is_suspended,
};

/// Locks a key for a change.
pub(crate) async fn lock_key(tx: &mut Tx<'_>, key: &KeyId) -> Result<(), sqlx::Error> {
    const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended('work of ' || $1, 0))";
    if let Tx::Postgres(connection) = tx {
        sqlx::query(LOCK).bind(key.as_str()).execute(&mut **connection).await?;
    }
    Ok(())
}

/// Locks all keys that a user has created in the brand for a change.
pub(crate) async fn lock_keys_of(tx: &mut Tx<'_>, brand: &BrandId, user: &UserId) -> Result<(), sqlx::Error> {
    const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended('work of ' || own.key_id, 0)) FROM \
        (SELECT key_id FROM keys WHERE brand_id = $1 AND created_by = $2 ORDER BY key_id) AS own";
    if let Tx::Postgres(connection) = tx {
        sqlx::query(LOCK).bind(brand.as_str()).bind(user.as_str()).execute(&mut **connection).await?;
    }
    Ok(())
}

/// Locks the work of a whole brand for a change.
pub(crate) async fn lock_work_of_brand(tx: &mut Tx<'_>, brand: &BrandId) -> Result<(), sqlx::Error> {
    const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended('work of brand ' || $1, 0))";
    if let Tx::Postgres(connection) = tx {
        sqlx::query(LOCK).bind(brand.as_str()).execute(&mut **connection).await?;
    }
    Ok(())
}

/// Locks jobs before the first of them is ended or deleted. Otherwise there is a deadlock: a worker that takes one of them waits
/// for the end of this transaction, because another one leaves its lane, and this transaction waits for the worker.
pub(crate) async fn lock_jobs(tx: &mut Tx<'_>, condition: &str, values: &[&str]) -> Result<(), sqlx::Error> {
    if let Tx::Postgres(connection) = tx {
        let sql = format!("SELECT 1 FROM jobs WHERE {condition} ORDER BY job_id FOR UPDATE");
        let mut statement = sqlx::query(sqlx::AssertSqlSafe(sql));
        for value in values {
            statement = statement.bind(*value);
        }
        statement.execute(&mut **connection).await?;
    }
    Ok(())
}

/// Asks the access decision for work that a person has ordered. Until the commit, the answer stays true for suspensions.
pub(crate) async fn authorize_work_of_people(tx: &mut Tx<'_>, brand: &BrandId) -> Result<(), Abort<Denial>> {
    const LOCK: &str = "SELECT pg_advisory_xact_lock_shared(hashtextextended('work of brand ' || $1, 0))";
    if let Tx::Postgres(connection) = tx {
        sqlx::query(LOCK).bind(brand.as_str()).execute(&mut **connection).await?;
    }
    decide_work_of_people(is_suspended(tx, brand).await?).map_err(Abort::Refused)
}

/// Asks the access decision for work that the key has ordered. Until the commit, the answer stays true for revokes, pauses,
/// suspensions and the removal of the creator.
pub(crate) async fn authorize(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
    now: Timestamp,
) -> Result<(), Abort<Denial>> {
    const LOCK: &str = "SELECT pg_advisory_xact_lock_shared(hashtextextended('work of ' || $1, 0)), \
        pg_advisory_xact_lock_shared(hashtextextended('work of brand ' || $2, 0))";
    if let Tx::Postgres(connection) = tx {
        sqlx::query(LOCK).bind(key.as_str()).bind(brand.as_str()).execute(&mut **connection).await?;
    }
    // A statement of its own, so that it sees what was committed while it waited for the lock.
    let sql = key_state_by_id();
    let row: Option<KeyStateRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .bind(key.as_str())
        .fetch_optional(db)
        .await)?;
    let row = row.ok_or(Abort::Refused(Denial::KeyInvalid(KeyError::Unknown)))?;
    decide_queued_work(&row.decode_by_id()?, now).map_err(Abort::Refused)
}

/// Fills in who ordered the jobs that an older version added: all open ones of the brand, or only one of them.
pub(crate) async fn find_ordering_keys(
    tx: &mut Tx<'_>,
    brand: &str,
    job_id: Option<&str>,
) -> Result<(), sqlx::Error> {
    let post_id = match tx {
        Tx::Sqlite(_) => "substr(jobs.subject, 1, instr(jobs.subject, '/') - 1)",
        Tx::Postgres(_) => "split_part(jobs.subject, '/', 1)",
    };
    let sql = format!(
        "UPDATE jobs SET key_id = COALESCE(CASE kind \
           WHEN 'publish' THEN (SELECT p.created_by_key FROM posts p \
             WHERE p.brand_id = jobs.brand_id AND p.post_id = {post_id}) \
           WHEN 'audit' THEN (SELECT a.created_by_key FROM audits a \
             WHERE a.brand_id = jobs.brand_id AND a.audit_id = jobs.subject) \
           WHEN 'analysis' THEN (SELECT a.created_by_key FROM analyses a \
             WHERE a.brand_id = jobs.brand_id AND a.analysis_id = jobs.subject) \
           WHEN 'report_email' THEN (SELECT r.created_by_key FROM report_emails e \
             JOIN reports r ON r.brand_id = e.brand_id AND r.report_id = e.report_id \
             WHERE e.brand_id = jobs.brand_id AND e.email_id = jobs.subject) \
         END, '') WHERE brand_id = $1 AND key_id IS NULL AND status IN ('waiting', 'running') \
         AND ($2 = '' OR job_id = $2)"
    );
    within!(tx, |db| sqlx::query(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand)
        .bind(job_id.unwrap_or_default())
        .execute(db)
        .await
        .map(|_| ()))
}

/// Makes held jobs of a key due now.
pub(crate) async fn wake_held(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "UPDATE jobs SET due_at = $3, held_at = NULL WHERE brand_id = $1 AND key_id = $2 \
         AND status = 'waiting' AND held_at IS NOT NULL",
    )
    .bind(brand.as_str())
    .bind(key.as_str())
    .bind(now.millis())
    .execute(db)
    .await
    .map(|_| ()))
}

/// The same for all jobs of a brand. Those that another reason still stops are held again.
pub(crate) async fn wake_held_of_brand(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "UPDATE jobs SET due_at = $2, held_at = NULL WHERE brand_id = $1 AND status = 'waiting' \
         AND held_at IS NOT NULL",
    )
    .bind(brand.as_str())
    .bind(now.millis())
    .execute(db)
    .await
    .map(|_| ()))
}
