//! The figures of a report, for a period and the period before it. The two are adjacent, so three times bound both.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_tools::report::{ChannelFigures, Compared, DateRange, Figures, LatestPost};

use crate::{Store, engine::query, parse_json_column};

const MAX_CHANNELS: i64 = 20;
const MAX_LATEST: i64 = 5;

#[derive(FromRow)]
struct ChannelRow {
    channel: String,
    published: i64,
    published_before: i64,
    failed: i64,
    failed_before: i64,
    scheduled: i64,
}

#[derive(FromRow)]
struct LatestRow {
    title: String,
    channel: String,
    url: Option<String>,
    published_at: i64,
}

#[derive(FromRow)]
struct UsageRow {
    calls: i64,
    calls_before: i64,
    failed: i64,
    failed_before: i64,
}

#[derive(FromRow)]
struct SearchRow {
    searches: i64,
    searches_before: i64,
}

#[derive(FromRow)]
struct AnalysisRow {
    kind: String,
    ended: i64,
    ended_before: i64,
}

/// The start of the period before, the start of the period, and its end.
struct Bounds {
    before: Timestamp,
    from: Timestamp,
    to: Timestamp,
}

impl Store {
    pub(super) async fn report_figures(
        &self,
        brand: &BrandId,
        span: &DateRange,
        before: &DateRange,
    ) -> Result<Figures, StoreError> {
        let bounds = Bounds { before: before.from(), from: span.from(), to: span.to() };
        self.run_for(brand, "report_figures", async {
            let usage = self.usage_figures(brand, span, before).await?;
            let searches = self.search_figures(brand, &bounds).await?;
            let audit = self.audit_figures(brand, bounds.from, bounds.to).await?;
            let partial_audit =
                if audit.is_none() { self.partial_audit(brand, bounds.to).await? } else { None };
            Ok(Figures {
                audit,
                partial_audit,
                channels: self.channel_figures(brand, &bounds).await?,
                latest_posts: self.latest_posts(brand, &bounds).await?,
                analyses: self.analysis_figures(brand, &bounds).await?,
                keyword_searches: compared(searches.searches, searches.searches_before),
                latest_searches: self.latest_searches(brand, &bounds).await?,
                calls: compared(usage.calls, usage.calls_before),
                failed_calls: compared(usage.failed, usage.failed_before),
            })
        })
        .await
    }

    async fn channel_figures(
        &self,
        brand: &BrandId,
        bounds: &Bounds,
    ) -> Result<Vec<ChannelFigures>, sqlx::Error> {
        let rows: Vec<ChannelRow> = query!(&self.engine, |db| {
            sqlx::query_as(
                "SELECT * FROM (SELECT t.channel, \
                 SUM(CASE WHEN t.published_at >= $3 AND t.published_at < $4 THEN 1 ELSE 0 END) AS published, \
                 SUM(CASE WHEN t.published_at >= $2 AND t.published_at < $3 THEN 1 ELSE 0 END) AS published_before, \
                 SUM(CASE WHEN t.status = 'failed' AND p.created_at >= $3 AND p.created_at < $4 THEN 1 ELSE 0 END) AS failed, \
                 SUM(CASE WHEN t.status = 'failed' AND p.created_at >= $2 AND p.created_at < $3 THEN 1 ELSE 0 END) \
                   AS failed_before, \
                 SUM(CASE WHEN t.status = 'scheduled' THEN 1 ELSE 0 END) AS scheduled \
                 FROM post_targets t JOIN posts p ON p.brand_id = t.brand_id AND p.post_id = t.post_id \
                 WHERE t.brand_id = $1 GROUP BY t.channel) AS counted \
                 WHERE published + published_before + failed + failed_before + scheduled > 0 ORDER BY channel LIMIT $5 + 0",
            )
            .bind(brand.as_str())
            .bind(bounds.before.millis())
            .bind(bounds.from.millis())
            .bind(bounds.to.millis())
            .bind(MAX_CHANNELS)
            .fetch_all(db)
            .await
        })?;
        let figures = |row: ChannelRow| ChannelFigures {
            channel: row.channel,
            published: compared(row.published, row.published_before),
            failed: compared(row.failed, row.failed_before),
            scheduled: counted(row.scheduled),
        };
        Ok(rows.into_iter().map(figures).collect())
    }

    /// Reads only the start of a post's text, which serves as its title.
    async fn latest_posts(&self, brand: &BrandId, bounds: &Bounds) -> Result<Vec<LatestPost>, sqlx::Error> {
        let rows: Vec<LatestRow> = query!(&self.engine, |db| {
            sqlx::query_as(
                "SELECT SUBSTR(COALESCE(p.title, p.text), 1, 200) AS title, t.channel, t.url, t.published_at \
                 FROM post_targets t JOIN posts p ON p.brand_id = t.brand_id AND p.post_id = t.post_id \
                 WHERE t.brand_id = $1 AND t.published_at >= $2 AND t.published_at < $3 \
                 ORDER BY t.published_at DESC, t.post_id DESC, t.channel LIMIT $4 + 0",
            )
            .bind(brand.as_str())
            .bind(bounds.from.millis())
            .bind(bounds.to.millis())
            .bind(MAX_LATEST)
            .fetch_all(db)
            .await
        })?;
        let post = |row: LatestRow| LatestPost {
            title: row.title,
            channel: row.channel,
            url: row.url,
            published_at: Timestamp::from_millis(row.published_at),
        };
        Ok(rows.into_iter().map(post).collect())
    }

    async fn analysis_figures(
        &self,
        brand: &BrandId,
        bounds: &Bounds,
    ) -> Result<Vec<(String, Compared)>, sqlx::Error> {
        let rows: Vec<AnalysisRow> = query!(&self.engine, |db| {
            sqlx::query_as(
                "SELECT kind, SUM(CASE WHEN finished_at >= $3 THEN 1 ELSE 0 END) AS ended, \
                 SUM(CASE WHEN finished_at < $3 THEN 1 ELSE 0 END) AS ended_before \
                 FROM analyses WHERE brand_id = $1 AND status = 'done' AND finished_at >= $2 AND finished_at < $4 \
                 GROUP BY kind ORDER BY kind",
            )
            .bind(brand.as_str())
            .bind(bounds.before.millis())
            .bind(bounds.from.millis())
            .bind(bounds.to.millis())
            .fetch_all(db)
            .await
        })?;
        Ok(rows.into_iter().map(|row| (row.kind, compared(row.ended, row.ended_before))).collect())
    }

    async fn search_figures(&self, brand: &BrandId, bounds: &Bounds) -> Result<SearchRow, sqlx::Error> {
        query!(&self.engine, |db| {
            sqlx::query_as(
                "SELECT COALESCE(SUM(CASE WHEN created_at >= $3 THEN 1 ELSE 0 END), 0) AS searches, \
                 COALESCE(SUM(CASE WHEN created_at < $3 THEN 1 ELSE 0 END), 0) AS searches_before \
                 FROM keyword_searches WHERE brand_id = $1 AND created_at >= $2 AND created_at < $4",
            )
            .bind(brand.as_str())
            .bind(bounds.before.millis())
            .bind(bounds.from.millis())
            .bind(bounds.to.millis())
            .fetch_one(db)
            .await
        })
    }

    async fn latest_searches(&self, brand: &BrandId, bounds: &Bounds) -> Result<Vec<String>, sqlx::Error> {
        #[derive(serde::Deserialize)]
        struct Request {
            seeds: Vec<String>,
        }
        let rows: Vec<(String,)> = query!(&self.engine, |db| {
            sqlx::query_as(
                "SELECT request FROM keyword_searches WHERE brand_id = $1 AND created_at >= $2 AND created_at < $3 \
                 ORDER BY created_at DESC, search_id DESC LIMIT $4 + 0",
            )
            .bind(brand.as_str())
            .bind(bounds.from.millis())
            .bind(bounds.to.millis())
            .bind(MAX_LATEST)
            .fetch_all(db)
            .await
        })?;
        let seeds = |(request,): &(String,)| {
            let request: Request = parse_json_column(request, "request")?;
            Ok(if request.seeds.is_empty() { "keyword gaps".to_owned() } else { request.seeds.join(", ") })
        };
        rows.iter().map(seeds).collect()
    }

    /// Counts tool calls, and not requests for the list of tools.
    async fn usage_figures(
        &self,
        brand: &BrandId,
        span: &DateRange,
        before: &DateRange,
    ) -> Result<UsageRow, sqlx::Error> {
        let ((from, to), (before, _)) = (span.first_and_last(), before.first_and_last());
        query!(&self.engine, |db| {
            sqlx::query_as(
                "SELECT \
                 CAST(COALESCE(SUM(CASE WHEN day >= $3 THEN requests ELSE 0 END), 0) AS BIGINT) AS calls, \
                 CAST(COALESCE(SUM(CASE WHEN day < $3 THEN requests ELSE 0 END), 0) AS BIGINT) AS calls_before, \
                 CAST(COALESCE(SUM(CASE WHEN day >= $3 AND outcome <> 'ok' THEN requests ELSE 0 END), 0) AS BIGINT) \
                   AS failed, \
                 CAST(COALESCE(SUM(CASE WHEN day < $3 AND outcome <> 'ok' THEN requests ELSE 0 END), 0) AS BIGINT) \
                   AS failed_before \
                 FROM usage_counts WHERE brand_id = $1 AND day >= $2 AND day <= $4 AND tool <> ''",
            )
            .bind(brand.as_str())
            .bind(&before)
            .bind(&from)
            .bind(&to)
            .fetch_one(db)
            .await
        })
    }
}

fn counted(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}

fn compared(now: i64, before: i64) -> Compared {
    Compared { now: counted(now), before: counted(before) }
}
