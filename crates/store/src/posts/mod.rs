//! Posts and their targets.

mod edits;
mod targets;

use async_trait::async_trait;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, ChannelId, StoreError, Timestamp};
use svc_mcp_tools::{
    page::{Cursor, Page},
    posts::{FEED, Post, PostFilter, PostRecords, StoredChannel, Target, TargetStatus},
};

pub(crate) use edits::{add_post, apply_edit, check_edits};
pub(crate) use targets::apply_target_change;

use crate::{Store, ToolRecords, cut_page, engine::query, parse_column, parse_json_column, start_after};

#[async_trait]
impl PostRecords for ToolRecords {
    async fn posts(
        &self,
        brand: &BrandId,
        filter: &PostFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Post>, StoreError> {
        self.store.list_posts(brand, filter, after, limit).await
    }

    async fn post(&self, brand: &BrandId, post_id: &str) -> Result<Option<Post>, StoreError> {
        self.store.get_post(brand, post_id).await
    }

    async fn channel(
        &self,
        brand: &BrandId,
        channel: &ChannelId,
    ) -> Result<Option<StoredChannel>, StoreError> {
        self.store.channel(brand, channel).await
    }
}

/// One target of a post, joined with the post.
#[derive(FromRow)]
struct TargetRow {
    post_id: String,
    text: String,
    title: Option<String>,
    link: Option<String>,
    media: String,
    created_at: i64,
    created_by_key: String,
    scheduled_at: Option<i64>,
    version: i64,
    channel: String,
    status: String,
    url: Option<String>,
    error: Option<String>,
    attempts: i64,
    next_attempt_at: Option<i64>,
    published_at: Option<i64>,
    unknown_since: Option<i64>,
    remote_uri: Option<String>,
    withdraw_requested_at: Option<i64>,
    total: i64,
}

/// The columns of a [`TargetRow`], without the id of the post and the total.
macro_rules! columns {
    () => {
        "text, title, link, media, created_at, created_by_key, scheduled_at, version, channel, status, url, error, \
         attempts, next_attempt_at, published_at, unknown_since, remote_uri, withdraw_requested_at"
    };
}

const ONE_POST: &str = concat!(
    "SELECT p.post_id, ",
    columns!(),
    ", CAST(1 AS BIGINT) AS total FROM posts p \
     JOIN post_targets t ON t.brand_id = p.brand_id AND t.post_id = p.post_id \
     WHERE p.brand_id = $1 AND p.post_id = $2 ORDER BY channel"
);

impl Store {
    pub(crate) async fn list_posts(
        &self,
        brand: &BrandId,
        filter: &PostFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Post>, StoreError> {
        let page = self.run_for(brand, "posts", async {
            let by_schedule = filter.scheduled_from.is_some() || filter.scheduled_to.is_some();
            let filtered = filter.status.is_some() || filter.channel.is_some() || by_schedule;
            // Without a filter by state, channel or schedule, the page is found by an index on posts alone.
            let sql = if filtered {
                concat!("WITH wanted AS (SELECT * FROM posts p WHERE p.brand_id = $1 AND p.created_at >= $2 AND p.created_at < $3 \
                   AND ($9 = '' OR (p.scheduled_at >= $10 AND p.scheduled_at < $11)) \
                   AND EXISTS (SELECT 1 FROM post_targets t WHERE t.brand_id = p.brand_id AND t.post_id = p.post_id \
                     AND (t.status = $4 OR $4 = '') AND (t.channel = $5 OR $5 = ''))), \
                 page AS (SELECT * FROM wanted WHERE created_at < $6 OR (created_at = $6 AND post_id < $7) \
                   ORDER BY created_at DESC, post_id DESC LIMIT $8 + 0) \
                 SELECT page.post_id, ", columns!(), ", (SELECT COUNT(*) FROM wanted) AS total \
                 FROM page JOIN post_targets t ON t.brand_id = page.brand_id AND t.post_id = page.post_id \
                 ORDER BY created_at DESC, page.post_id DESC, channel")
            } else {
                concat!("WITH page AS (SELECT * FROM posts WHERE brand_id = $1 AND created_at >= $2 AND created_at < $3 \
                   AND $4 = '' AND $5 = '' AND $9 = '' AND CAST($10 AS BIGINT) < CAST($11 AS BIGINT) AND (created_at < $6 OR (created_at = $6 AND post_id < $7)) \
                   ORDER BY created_at DESC, post_id DESC LIMIT $8 + 0) \
                 SELECT page.post_id, ", columns!(), ", (SELECT COUNT(*) FROM posts WHERE brand_id = $1 \
                     AND created_at >= $2 AND created_at < $3) AS total \
                 FROM page JOIN post_targets t ON t.brand_id = page.brand_id AND t.post_id = page.post_id \
                 ORDER BY created_at DESC, page.post_id DESC, channel")
            };
            let (at, id) = start_after(after);
            let rows: Vec<TargetRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(filter.from.map_or(i64::MIN, Timestamp::millis))
                .bind(filter.to.map_or(i64::MAX, Timestamp::millis))
                .bind(filter.status.map_or("", TargetStatus::as_str))
                .bind(filter.channel.as_deref().unwrap_or(""))
                .bind(at)
                .bind(id)
                .bind(i64::from(limit) + 1)
                .bind(if by_schedule { "scheduled" } else { "" })
                .bind(filter.scheduled_from.map_or(i64::MIN, Timestamp::millis))
                .bind(filter.scheduled_to.map_or(i64::MAX, Timestamp::millis))
                .fetch_all(db)
                .await)?;
            let total = rows.first().map_or(0, |row| row.total);
            let at = |post: &Post| Cursor { at: post.created_at, id: post.post_id.clone() };
            Ok(cut_page(group_by_post(rows)?, total, limit, at))
        })
        .await?;
        // The total comes with the rows. If the page is empty, it is read with the first page.
        if page.items.is_empty() && after.is_some() {
            let first = Box::pin(self.list_posts(brand, filter, None, 1)).await?;
            return Ok(Page { total: first.total, ..page });
        }
        Ok(page)
    }

    pub(crate) async fn get_post(&self, brand: &BrandId, post_id: &str) -> Result<Option<Post>, StoreError> {
        self.run_for(brand, "post", async {
            let rows: Vec<TargetRow> = query!(&self.engine, |db| sqlx::query_as(ONE_POST)
                .bind(brand.as_str())
                .bind(post_id)
                .fetch_all(db)
                .await)?;
            Ok(group_by_post(rows)?.pop())
        })
        .await
    }

    /// The posts in the brand's public feed, newest first. The feed of a suspended brand is empty.
    pub async fn feed(&self, brand: &BrandId, limit: u32) -> Result<Vec<Post>, StoreError> {
        self.run_for(brand, "feed", async {
            let sql = concat!("SELECT p.post_id, ", columns!(), ", CAST(0 AS BIGINT) AS total \
                       FROM post_targets t JOIN posts p ON p.brand_id = t.brand_id AND p.post_id = t.post_id \
                       WHERE t.brand_id = $1 AND t.channel = $2 AND t.published_at IS NOT NULL AND t.status = 'published' \
                       AND NOT EXISTS (SELECT 1 FROM brands b WHERE b.brand_id = $1 AND b.suspended_at IS NOT NULL) \
                       ORDER BY t.published_at DESC, t.post_id DESC LIMIT $3 + 0");
            let rows: Vec<TargetRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(FEED)
                .bind(i64::from(limit))
                .fetch_all(db)
                .await)?;
            group_by_post(rows)
        })
        .await
    }
}

/// Groups target rows by post. Rows of one post are neighbours.
fn group_by_post(rows: Vec<TargetRow>) -> Result<Vec<Post>, sqlx::Error> {
    let mut posts: Vec<Post> = Vec::new();
    for row in rows {
        let target = Target {
            channel: row.channel,
            status: parse_column(&row.status, "status")?,
            url: row.url,
            error: row.error,
            attempts: u32::try_from(row.attempts).unwrap_or(0),
            next_attempt_at: row.next_attempt_at.map(Timestamp::from_millis),
            published_at: row.published_at.map(Timestamp::from_millis),
            unknown_since: row.unknown_since.map(Timestamp::from_millis),
            remote_uri: row.remote_uri,
            withdraw_requested_at: row.withdraw_requested_at.map(Timestamp::from_millis),
        };
        if let Some(post) = posts.last_mut().filter(|post| post.post_id == row.post_id) {
            post.targets.push(target);
            continue;
        }
        posts.push(Post {
            post_id: row.post_id,
            text: row.text,
            title: row.title,
            link: row.link,
            media: parse_json_column(&row.media, "media")?,
            created_at: Timestamp::from_millis(row.created_at),
            created_by_key: parse_column(&row.created_by_key, "key id")?,
            scheduled_at: row.scheduled_at.map(Timestamp::from_millis),
            version: u32::try_from(row.version).unwrap_or(u32::MAX),
            targets: vec![target],
        });
    }
    Ok(posts)
}
