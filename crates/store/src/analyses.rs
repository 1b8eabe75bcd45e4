//! Analyses and their results.

use async_trait::async_trait;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_tools::{
    analysis::{Analysis, AnalysisChange, AnalysisKind, AnalysisRecords, AnalysisRequest, AnalysisSummary},
    page::{Cursor, Page},
};

use crate::{
    ToolRecords, cut_page,
    engine::{Tx, query, within},
    parse_column, parse_json_column, start_after,
};

#[derive(FromRow)]
struct AnalysisRow {
    analysis_id: String,
    request: String,
    status: String,
    result: Option<String>,
    failure: Option<String>,
    created_at: i64,
    created_by_key: String,
    finished_at: Option<i64>,
}

#[derive(FromRow)]
struct SummaryRow {
    analysis_id: String,
    kind: String,
    /// Empty: nothing to show. `None` in rows of older versions, which come with their request.
    about: Option<String>,
    request: Option<String>,
    status: String,
    failure: Option<String>,
    created_at: i64,
    finished_at: Option<i64>,
}

#[async_trait]
impl AnalysisRecords for ToolRecords {
    async fn analyses(
        &self,
        brand: &BrandId,
        kind: Option<AnalysisKind>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<AnalysisSummary>, StoreError> {
        self.store
            .run_for(brand, "analyses", async {
                let sql = "SELECT analysis_id, kind, about, CASE WHEN about IS NULL THEN request END AS request, status, \
                           failure, created_at, finished_at FROM analyses WHERE brand_id = $1 AND ($2 = '' OR kind = $2) \
                           AND (created_at < $3 OR (created_at = $3 AND analysis_id < $4)) \
                           ORDER BY created_at DESC, analysis_id DESC LIMIT $5 + 0";
                let (at, id) = start_after(after);
                let wanted = kind.map_or("", AnalysisKind::as_str);
                let rows: Vec<SummaryRow> = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(wanted)
                    .bind(at)
                    .bind(id)
                    .bind(i64::from(limit) + 1)
                    .fetch_all(db)
                    .await)?;
                let sql = "SELECT COUNT(*) FROM analyses WHERE brand_id = $1 AND ($2 = '' OR kind = $2)";
                let (total,): (i64,) = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(wanted)
                    .fetch_one(db)
                    .await)?;
                let items = rows.into_iter().map(decode_summary).collect::<Result<Vec<_>, _>>()?;
                Ok(cut_page(items, total, limit, |analysis: &AnalysisSummary| Cursor {
                    at: analysis.created_at,
                    id: analysis.analysis_id.clone(),
                }))
            })
            .await
    }

    async fn analysis(&self, brand: &BrandId, analysis_id: &str) -> Result<Option<Analysis>, StoreError> {
        self.store
            .run_for(brand, "analysis", async {
                let sql = "SELECT analysis_id, request, status, result, failure, created_at, created_by_key, \
                           finished_at FROM analyses WHERE brand_id = $1 AND analysis_id = $2";
                let row: Option<AnalysisRow> = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(analysis_id)
                    .fetch_optional(db)
                    .await)?;
                row.map(decode_analysis).transpose()
            })
            .await
    }

    async fn open_analysis(
        &self,
        brand: &BrandId,
        request: &AnalysisRequest,
    ) -> Result<Option<Analysis>, StoreError> {
        self.store
            .run_for(brand, "open_analysis", async {
                let sql = "SELECT analysis_id, request, status, result, failure, created_at, created_by_key, \
                           finished_at FROM analyses WHERE brand_id = $1 AND kind = $2 AND request = $3 \
                           AND status IN ('queued', 'running') LIMIT 1";
                let row: Option<AnalysisRow> = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(request.kind.as_str())
                    .bind(request_column(request))
                    .fetch_optional(db)
                    .await)?;
                row.map(decode_analysis).transpose()
            })
            .await
    }
}

/// The same request is always the same text.
fn request_column(request: &AnalysisRequest) -> String {
    serde_json::to_string(request).expect("a request is JSON")
}

pub(crate) async fn apply_analysis_change(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &AnalysisChange,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let (analysis_id, status, result, failure, ended) = match change {
        AnalysisChange::Add(analysis) => return add(tx, brand, analysis).await,
        AnalysisChange::Begin { analysis_id } => (analysis_id, "running", None, None, None),
        AnalysisChange::Finish { analysis_id, result } => {
            (analysis_id, "done", Some(result.to_string()), None, Some(now.millis()))
        }
        AnalysisChange::Fail { analysis_id, reason } => {
            (analysis_id, "failed", None, Some(reason), Some(now.millis()))
        }
    };
    within!(tx, |db| sqlx::query(
        "UPDATE analyses SET status = $3, result = $4, failure = $5, finished_at = $6 \
         WHERE brand_id = $1 AND analysis_id = $2",
    )
    .bind(brand.as_str())
    .bind(analysis_id)
    .bind(status)
    .bind(result)
    .bind(failure)
    .bind(ended)
    .execute(db)
    .await
    .map(|_| ()))
}

async fn add(tx: &mut Tx<'_>, brand: &BrandId, analysis: &Analysis) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "INSERT INTO analyses (brand_id, analysis_id, kind, request, status, result, failure, created_at, \
         created_by_key, finished_at, about) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(brand.as_str())
    .bind(&analysis.analysis_id)
    .bind(analysis.request.kind.as_str())
    .bind(request_column(&analysis.request))
    .bind(analysis.status.as_str())
    .bind(analysis.result.as_ref().map(ToString::to_string))
    .bind(&analysis.failure)
    .bind(analysis.created_at.millis())
    .bind(analysis.created_by_key.as_str())
    .bind(analysis.finished_at.map(Timestamp::millis))
    .bind(analysis.request.about().unwrap_or_default())
    .execute(db)
    .await
    .map(|_| ()))
}

fn decode_summary(row: SummaryRow) -> Result<AnalysisSummary, sqlx::Error> {
    let about = match &row.request {
        Some(request) => parse_json_column::<AnalysisRequest>(request, "request")?.about(),
        None => row.about.filter(|about| !about.is_empty()),
    };
    Ok(AnalysisSummary {
        analysis_id: row.analysis_id,
        kind: parse_column(&row.kind, "kind")?,
        about,
        status: parse_column(&row.status, "status")?,
        failure: row.failure,
        created_at: Timestamp::from_millis(row.created_at),
        finished_at: row.finished_at.map(Timestamp::from_millis),
    })
}

fn decode_analysis(row: AnalysisRow) -> Result<Analysis, sqlx::Error> {
    Ok(Analysis {
        analysis_id: row.analysis_id,
        request: parse_json_column(&row.request, "request")?,
        status: parse_column(&row.status, "status")?,
        result: row.result.map(|text| parse_json_column(&text, "result")).transpose()?,
        failure: row.failure,
        created_at: Timestamp::from_millis(row.created_at),
        created_by_key: parse_column(&row.created_by_key, "key id")?,
        finished_at: row.finished_at.map(Timestamp::from_millis),
    })
}
