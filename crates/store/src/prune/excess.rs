//! Rows beyond the number that a brand may store. The oldest that have finished are deleted, with the rows that belong to
//! them.

use svc_mcp_access::{BrandId, Quota, Quotas, StoreError};

use super::BrandRange;
use crate::{
    Store,
    engine::{Tx, transaction, within},
    parse_column, parse_quotas_column,
    quotas::lock_limits,
};

/// Published, failed and cancelled posts, together with those that are not published yet.
const MAX_STORED_POSTS: u32 = 20_000;
/// Revoked and expired keys, together with the active ones.
const MAX_STORED_KEYS: u32 = 5_000;

/// Rows of which a brand keeps a limited number.
struct LimitedRows {
    table: &'static str,
    id: &'static str,
    /// Only such rows are deleted.
    finished: &'static str,
    /// Their rows with the same id are deleted too.
    children: &'static [&'static str],
    /// An audit may have tens of thousands of issues, so few are deleted in one transaction.
    rows_per_transaction: usize,
    limit: RowLimit,
}

#[derive(Clone, Copy)]
enum RowLimit {
    Quota(Quota),
    Fixed(u32),
}

const LIMITED: [LimitedRows; 4] = [
    LimitedRows {
        table: "audits",
        id: "audit_id",
        finished: "finished_at IS NOT NULL",
        children: &["audit_issues", "audited_pages", "audit_pages"],
        rows_per_transaction: 2,
        limit: RowLimit::Quota(Quota::StoredAudits),
    },
    LimitedRows {
        table: "analyses",
        id: "analysis_id",
        finished: "finished_at IS NOT NULL",
        children: &[],
        rows_per_transaction: 200,
        limit: RowLimit::Quota(Quota::StoredAnalyses),
    },
    LimitedRows {
        table: "posts",
        id: "post_id",
        finished: "NOT EXISTS (SELECT 1 FROM post_targets t WHERE t.brand_id = posts.brand_id \
                   AND t.post_id = posts.post_id \
                   AND t.status IN ('draft', 'scheduled', 'publishing', 'withdrawing'))",
        children: &["post_targets"],
        rows_per_transaction: 200,
        limit: RowLimit::Fixed(MAX_STORED_POSTS),
    },
    LimitedRows {
        table: "keys",
        id: "key_id",
        // Expired keys are deleted by their age.
        finished: "revoked_at IS NOT NULL",
        children: &[],
        rows_per_transaction: 200,
        limit: RowLimit::Fixed(MAX_STORED_KEYS),
    },
];

/// The plans that set quotas of their own.
pub(super) struct StoredLimits(Vec<Quotas>);

impl StoredLimits {
    /// The smallest limit of any plan. A brand with fewer rows is not looked at.
    fn smallest(&self, limit: RowLimit) -> u32 {
        match limit {
            RowLimit::Fixed(limit) => limit,
            RowLimit::Quota(quota) => {
                let limits = self.0.iter().map(|quotas| quotas.limit(quota));
                limits.chain([quota.default_limit()]).min().unwrap_or(0)
            }
        }
    }
}

impl Store {
    pub(super) async fn stored_limits(&self) -> Result<StoredLimits, StoreError> {
        self.run_patiently("prune", async {
            transaction!(&self.engine, |tx| {
                let rows: Vec<(Option<String>,)> =
                    sqlx::query_as("SELECT quotas FROM plans WHERE quotas IS NOT NULL")
                        .fetch_all(&mut *tx)
                        .await?;
                let quotas = rows.iter().map(|(quotas,)| parse_quotas_column(quotas.as_deref()));
                StoredLimits(quotas.collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    /// Returns the number of deleted rows, without those that belong to them.
    pub(super) async fn prune_excess(
        &self,
        brands: &BrandRange,
        limits: &StoredLimits,
    ) -> Result<u64, StoreError> {
        let mut deleted = 0;
        for rows in &LIMITED {
            for brand in self.brands_with_excess(rows, brands, limits).await? {
                loop {
                    let gone = self.delete_oldest(rows, &brand).await?;
                    deleted += gone as u64;
                    if gone < rows.rows_per_transaction {
                        break;
                    }
                }
            }
        }
        Ok(deleted)
    }

    /// The brands that may store too many rows.
    async fn brands_with_excess(
        &self,
        rows: &LimitedRows,
        brands: &BrandRange,
        limits: &StoredLimits,
    ) -> Result<Vec<BrandId>, StoreError> {
        let sql = format!(
            "SELECT brand_id FROM {} WHERE brand_id > $1 AND brand_id <= $2 GROUP BY brand_id HAVING COUNT(*) > $3",
            rows.table
        );
        self.run_patiently("prune", async {
            transaction!(&self.engine, |tx| {
                let found: Vec<(String,)> = sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(&brands.after)
                    .bind(&brands.last)
                    .bind(i64::from(limits.smallest(rows.limit)))
                    .fetch_all(&mut *tx)
                    .await?;
                found
                    .iter()
                    .map(|(brand,)| parse_column(brand, "brand id"))
                    .collect::<Result<Vec<BrandId>, sqlx::Error>>()?
            })
        })
        .await
    }

    /// Deletes the oldest finished rows of a brand, and what belongs to them. Returns how many. The brand is locked, so
    /// that two instances do not both delete the same number.
    async fn delete_oldest(&self, rows: &LimitedRows, brand: &BrandId) -> Result<usize, StoreError> {
        let LimitedRows { table, id, finished, children, .. } = rows;
        let count = format!("SELECT COUNT(*) FROM {table} WHERE brand_id = $1");
        let find = format!(
            "SELECT {id} FROM {table} WHERE brand_id = $1 AND {finished} ORDER BY created_at, {id} LIMIT $2 + 0"
        );
        let deletes: Vec<String> = children
            .iter()
            .chain([table])
            .map(|table| format!("DELETE FROM {table} WHERE brand_id = $1 AND {id} = $2"))
            .collect();
        self.run_patiently("prune", async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                let limits = lock_limits(&mut tx, brand).await?;
                let limit = match rows.limit {
                    RowLimit::Fixed(limit) => limit,
                    RowLimit::Quota(quota) => limits.limit(quota),
                };
                let (stored,): (i64,) = within!(&mut tx, |db| {
                    sqlx::query_as(sqlx::AssertSqlSafe(count.as_str()))
                        .bind(brand.as_str())
                        .fetch_one(db)
                        .await
                })?;
                let excess = (stored - i64::from(limit)).max(0);
                let found: Vec<(String,)> = within!(&mut tx, |db| {
                    sqlx::query_as(sqlx::AssertSqlSafe(find.as_str()))
                        .bind(brand.as_str())
                        .bind(excess.min(i64::try_from(rows.rows_per_transaction).unwrap_or(i64::MAX)))
                        .fetch_all(db)
                        .await
                })?;
                for (row,) in &found {
                    for sql in &deletes {
                        within!(&mut tx, |db| {
                            sqlx::query(sqlx::AssertSqlSafe(sql.as_str()))
                                .bind(brand.as_str())
                                .bind(row)
                                .execute(db)
                                .await
                                .map(|_| ())
                        })?;
                    }
                }
                found.len()
            })
        })
        .await
    }
}
