//! Reads the audit log in the order of its numbers, page by page.

use svc_mcp_access::{StoreError, Timestamp};

use super::{AuditRecord, RecordRow, SELECT_RECORDS};
use crate::{Store, engine::query};

/// Rows of a page. A row has some hundred bytes.
const ROWS_PER_PAGE: i64 = 500;
/// Changes that run at the same time are numbered in the order of their commits, and may have begun in another one. So the
/// first record of a time is searched among these.
const MAX_CONCURRENT_RECORDS: i64 = 1_000;

impl Store {
    /// The records with higher numbers than `after`, lowest first. Empty: there are no more.
    pub async fn audit_page(&self, after: i64) -> Result<Vec<AuditRecord>, StoreError> {
        self.run_patiently("audit_page", async {
            let sql = format!("{SELECT_RECORDS} WHERE log.sequence > $1 ORDER BY log.sequence LIMIT $2 + 0");
            let rows: Vec<RecordRow> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(after)
                    .bind(ROWS_PER_PAGE)
                    .fetch_all(db)
                    .await)?;
            Ok(rows.into_iter().map(AuditRecord::from).collect())
        })
        .await
    }

    /// The number of the first record of this time. `None`: there is none yet.
    pub async fn first_audit_record(&self, since: Timestamp) -> Result<Option<i64>, StoreError> {
        self.run_patiently("first_audit_record", async {
            let sql = "SELECT MIN(sequence) FROM (SELECT sequence FROM audit_log WHERE at >= $1 \
                       ORDER BY at, sequence LIMIT $2 + 0) AS earliest";
            query!(&self.engine, |db| sqlx::query_scalar(sql)
                .bind(since.millis())
                .bind(MAX_CONCURRENT_RECORDS)
                .fetch_one(db)
                .await)
        })
        .await
    }
}
