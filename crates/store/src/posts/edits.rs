//! Posts that are added, changed and deleted.

use svc_mcp_access::{BrandId, Timestamp};
use svc_mcp_tools::{
    Change,
    jobs::JobKind,
    posts::{Post, PostEdit, Target},
    records::CommitError,
};

use super::{ONE_POST, TargetRow, group_by_post};
use crate::{
    engine::{Tx, within},
    error::Abort,
    outbox::add_changed_targets,
};

pub(crate) async fn add_post(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    post: &Post,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
            "INSERT INTO posts (brand_id, post_id, text, title, link, media, created_at, created_by_key, scheduled_at, \
             version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(brand.as_str())
        .bind(&post.post_id)
        .bind(&post.text)
        .bind(&post.title)
        .bind(&post.link)
        .bind(serde_json::to_string(&post.media).expect("media are JSON"))
        .bind(post.created_at.millis())
        .bind(post.created_by_key.as_str())
        .bind(post.scheduled_at.map(Timestamp::millis))
        .bind(i64::from(post.version))
        .execute(db)
        .await
        .map(|_| ())
    })?;
    for target in &post.targets {
        put_target(tx, brand, &post.post_id, target).await?;
    }
    add_changed_targets(tx, brand, &[], post, now).await
}

/// Refuses changes of posts that are not as they were read. Until the commit, nobody else can change these posts.
pub(crate) async fn check_edits(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    changes: &[Change],
) -> Result<(), Abort<CommitError>> {
    for change in changes {
        let Change::EditPost(edit) = change else { continue };
        if lock_post(tx, brand, &edit.before.post_id).await?.as_ref() != Some(&edit.before) {
            return Err(Abort::Refused(CommitError::Changed));
        }
    }
    Ok(())
}

/// Reads a post. Workers that want to change its targets wait until the commit. SQLite has only one writer anyway.
async fn lock_post(tx: &mut Tx<'_>, brand: &BrandId, post_id: &str) -> Result<Option<Post>, sqlx::Error> {
    if let Tx::Postgres(connection) = tx {
        for sql in [
            "SELECT 1 FROM posts WHERE brand_id = $1 AND post_id = $2 FOR UPDATE",
            "SELECT 1 FROM post_targets WHERE brand_id = $1 AND post_id = $2 ORDER BY channel FOR UPDATE",
        ] {
            sqlx::query(sql).bind(brand.as_str()).bind(post_id).execute(&mut **connection).await?;
        }
    }
    let rows: Vec<TargetRow> =
        within!(tx, |db| sqlx::query_as(ONE_POST).bind(brand.as_str()).bind(post_id).fetch_all(db).await)?;
    Ok(group_by_post(rows)?.pop())
}

/// Writes a change that [`check_edits`] has allowed.
pub(crate) async fn apply_edit(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    edit: &PostEdit,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let post_id = &edit.before.post_id;
    for channel in &edit.unqueued {
        end_waiting_jobs(tx, brand, &format!("{post_id}/{channel}"), now).await?;
    }
    let kept = edit.after.as_ref().map_or(&[][..], |after| &after.targets);
    for target in &edit.before.targets {
        if !kept.iter().any(|kept| kept.channel == target.channel) {
            delete_target(tx, brand, post_id, &target.channel).await?;
        }
    }
    let Some(after) = &edit.after else { return delete_post(tx, brand, post_id).await };
    update_post(tx, brand, after).await?;
    for target in kept.iter().filter(|target| !edit.before.targets.contains(target)) {
        put_target(tx, brand, post_id, target).await?;
    }
    add_changed_targets(tx, brand, &edit.before.targets, after, now).await
}

async fn update_post(tx: &mut Tx<'_>, brand: &BrandId, post: &Post) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "UPDATE posts SET text = $3, title = $4, link = $5, media = $6, scheduled_at = $7, version = $8 \
         WHERE brand_id = $1 AND post_id = $2",
    )
    .bind(brand.as_str())
    .bind(&post.post_id)
    .bind(&post.text)
    .bind(&post.title)
    .bind(&post.link)
    .bind(serde_json::to_string(&post.media).expect("media are JSON"))
    .bind(post.scheduled_at.map(Timestamp::millis))
    .bind(i64::from(post.version))
    .execute(db)
    .await
    .map(|_| ()))
}

/// Inserts a target, or replaces the one of the same channel.
async fn put_target(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    post_id: &str,
    target: &Target,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO post_targets (brand_id, post_id, channel, status, url, error, attempts, next_attempt_at, published_at, \
         unknown_since, remote_uri, withdraw_requested_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
         ON CONFLICT (brand_id, post_id, channel) DO UPDATE SET status = excluded.status, url = excluded.url, \
         error = excluded.error, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at, \
         published_at = excluded.published_at, unknown_since = excluded.unknown_since, \
         remote_uri = excluded.remote_uri, withdraw_requested_at = excluded.withdraw_requested_at",
    )
    .bind(brand.as_str())
    .bind(post_id)
    .bind(&target.channel)
    .bind(target.status.as_str())
    .bind(&target.url)
    .bind(&target.error)
    .bind(i64::from(target.attempts))
    .bind(target.next_attempt_at.map(Timestamp::millis))
    .bind(target.published_at.map(Timestamp::millis))
    .bind(target.unknown_since.map(Timestamp::millis))
    .bind(&target.remote_uri)
    .bind(target.withdraw_requested_at.map(Timestamp::millis))
    .execute(db)
    .await
    .map(|_| ())
    })
}

async fn delete_target(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    post_id: &str,
    channel: &str,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "DELETE FROM post_targets WHERE brand_id = $1 AND post_id = $2 AND channel = $3"
    )
    .bind(brand.as_str())
    .bind(post_id)
    .bind(channel)
    .execute(db)
    .await
    .map(|_| ()))
}

async fn delete_post(tx: &mut Tx<'_>, brand: &BrandId, post_id: &str) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query("DELETE FROM posts WHERE brand_id = $1 AND post_id = $2")
        .bind(brand.as_str())
        .bind(post_id)
        .execute(db)
        .await
        .map(|_| ()))
}

/// Ends jobs that no worker has taken. A worker that has taken one finds that its target has changed.
async fn end_waiting_jobs(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    subject: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    // The first condition on the status is the one of the index.
    within!(tx, |db| sqlx::query(
        "UPDATE jobs SET status = 'done', ended_at = $4, reason = 'The post was changed.' WHERE kind = $1 \
         AND brand_id = $2 AND status IN ('waiting', 'running') AND status = 'waiting' AND subject = $3",
    )
    .bind(JobKind::Publish.as_str())
    .bind(brand.as_str())
    .bind(subject)
    .bind(now.millis())
    .execute(db)
    .await
    .map(|_| ()))
}
