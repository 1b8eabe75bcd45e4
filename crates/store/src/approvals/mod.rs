//! Calls that wait for approval, and the decisions on them.

mod changes;
mod settings;

use std::sync::Arc;

use async_trait::async_trait;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp, decision::KeyState};
use svc_mcp_tools::{
    approvals::{Approval, ApprovalFilter, ApprovalRecords, ApprovalStatus, Decision},
    page::{Cursor, Page},
};

pub(crate) use changes::{add_approval, cancel_approvals, count_pending, write_decisions};

use crate::{
    Store, ToolRecords, cut_page,
    engine::query,
    key_cache::{KeyStateRow, key_state_by_id},
    parse_column, parse_json_column, start_after,
};

/// The status at the time `$2`: a pending call may have expired.
macro_rules! status {
    () => {
        "CASE WHEN status = 'pending' AND expires_at <= $2 THEN 'expired' ELSE status END"
    };
}

/// The columns of an [`ApprovalRow`].
const COLUMNS: &str = concat!(
    "approval_id, key_id, tool, arguments, preview, digest, ",
    status!(),
    " AS status, requested_at, expires_at, decided_at, decided_by, note, approved_arguments, result, failure"
);
/// `$3` is a key and `$4` a status; empty: any.
const WANTED: &str =
    concat!("brand_id = $1 AND (key_id = $3 OR $3 = '') AND ($4 = '' OR ", status!(), " = $4)");

#[derive(FromRow)]
pub(crate) struct ApprovalRow {
    approval_id: String,
    key_id: String,
    tool: String,
    arguments: String,
    preview: Option<String>,
    digest: String,
    status: String,
    requested_at: i64,
    expires_at: i64,
    decided_at: Option<i64>,
    decided_by: Option<String>,
    note: Option<String>,
    approved_arguments: Option<String>,
    result: Option<String>,
    failure: Option<String>,
}

impl TryFrom<ApprovalRow> for Approval {
    type Error = sqlx::Error;

    fn try_from(row: ApprovalRow) -> Result<Self, sqlx::Error> {
        let json =
            |text: Option<String>, what: &str| text.map(|text| parse_json_column(&text, what)).transpose();
        let decision = match (row.decided_at, row.decided_by) {
            (Some(at), Some(by)) => Some(Decision {
                by: parse_column(&by, "user id")?,
                at: Timestamp::from_millis(at),
                note: row.note,
                arguments: json(row.approved_arguments, "arguments")?,
            }),
            _ => None,
        };
        Ok(Self {
            approval_id: row.approval_id,
            key_id: parse_column(&row.key_id, "key id")?,
            tool: row.tool,
            arguments: parse_json_column(&row.arguments, "arguments")?,
            preview: json(row.preview, "preview")?,
            digest: row.digest,
            status: parse_column(&row.status, "status of an approval")?,
            requested_at: Timestamp::from_millis(row.requested_at),
            expires_at: Timestamp::from_millis(row.expires_at),
            decision,
            result: json(row.result, "result")?,
            failure: json(row.failure, "failure")?,
        })
    }
}

#[async_trait]
impl ApprovalRecords for ToolRecords {
    async fn approval(
        &self,
        brand: &BrandId,
        approval_id: &str,
        now: Timestamp,
    ) -> Result<Option<Approval>, StoreError> {
        self.store
            .run_for(brand, "approval", async {
                let sql = format!("SELECT {COLUMNS} FROM approvals WHERE brand_id = $1 AND approval_id = $3");
                let row: Option<ApprovalRow> =
                    query!(&self.store.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                        .bind(brand.as_str())
                        .bind(now.millis())
                        .bind(approval_id)
                        .fetch_optional(db)
                        .await)?;
                row.map(Approval::try_from).transpose()
            })
            .await
    }

    async fn approvals(
        &self,
        brand: &BrandId,
        filter: &ApprovalFilter,
        after: Option<&Cursor>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Page<Approval>, StoreError> {
        self.store.list_approvals(brand, filter, after, limit, now).await
    }

    async fn key_state(&self, brand: &BrandId, key: &KeyId) -> Result<Option<Arc<KeyState>>, StoreError> {
        self.store
            .run_for(brand, "key_state", async {
                let sql = key_state_by_id();
                let row: Option<KeyStateRow> =
                    query!(&self.store.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                        .bind(brand.as_str())
                        .bind(key.as_str())
                        .fetch_optional(db)
                        .await)?;
                row.map(|row| row.decode_by_id().map(Arc::new)).transpose()
            })
            .await
    }
}

impl Store {
    async fn list_approvals(
        &self,
        brand: &BrandId,
        filter: &ApprovalFilter,
        after: Option<&Cursor>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Page<Approval>, StoreError> {
        self.run_for(brand, "approvals", async {
            let key = filter.key_id.as_ref().map_or("", KeyId::as_str);
            let status = filter.status.map_or("", ApprovalStatus::as_str);
            let sql = format!("SELECT COUNT(*) FROM approvals WHERE {WANTED}");
            let (total,): (i64,) =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .bind(now.millis())
                    .bind(key)
                    .bind(status)
                    .fetch_one(db)
                    .await)?;
            let sql = format!(
                "SELECT {COLUMNS} FROM approvals WHERE {WANTED} \
                 AND (requested_at < $5 OR (requested_at = $5 AND approval_id < $6)) \
                 ORDER BY requested_at DESC, approval_id DESC LIMIT $7 + 0"
            );
            let (at, id) = start_after(after);
            let rows: Vec<ApprovalRow> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .bind(now.millis())
                    .bind(key)
                    .bind(status)
                    .bind(at)
                    .bind(id)
                    .bind(i64::from(limit) + 1)
                    .fetch_all(db)
                    .await)?;
            let items = rows.into_iter().map(Approval::try_from).collect::<Result<Vec<_>, _>>()?;
            Ok(cut_page(items, total, limit, |approval: &Approval| Cursor {
                at: approval.requested_at,
                id: approval.approval_id.clone(),
            }))
        })
        .await
    }
}
