//! Calls that wait for approval, of all brands.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_tools::approvals::{Approval, ApprovalStatus};

use super::{
    search::SearchPage,
    statement::{Statement, fetch_all},
};
use crate::{Cursor, Store, approvals::ApprovalRow, parse_column, start_after};

/// Which approvals to list, newest first.
#[derive(Debug, Clone, Default)]
pub struct ApprovalSearch {
    pub brand: Option<BrandId>,
    pub status: Option<ApprovalStatus>,
    pub after: Option<Cursor>,
    pub limit: u32,
}

/// Without arguments, preview and result: they may be long, and are for the brand's own people.
#[derive(Debug, Clone)]
pub struct ListedApproval {
    pub brand_id: BrandId,
    pub approval: Approval,
}

#[derive(FromRow)]
struct ListedApprovalRow {
    brand_id: String,
    #[sqlx(flatten)]
    approval: ApprovalRow,
}

impl Store {
    pub async fn search_approvals(
        &self,
        search: &ApprovalSearch,
        now: Timestamp,
    ) -> Result<SearchPage<ListedApproval>, StoreError> {
        self.run("search_approvals", async {
            let statement = approvals_statement(search, now);
            let rows: Vec<ListedApprovalRow> = fetch_all!(&self.engine, statement)?;
            let decode = |row: ListedApprovalRow| {
                let brand_id = parse_column(&row.brand_id, "brand id")?;
                Ok(ListedApproval { brand_id, approval: Approval::try_from(row.approval)? })
            };
            let approvals = rows.into_iter().map(decode).collect::<Result<Vec<_>, sqlx::Error>>()?;
            Ok(SearchPage::cut(approvals, search.limit, |listed| Cursor {
                at: listed.approval.requested_at,
                id: listed.approval.approval_id.clone(),
            }))
        })
        .await
    }

    /// How the engine would run the search, for tests.
    #[doc(hidden)]
    pub async fn explain_search_approvals(
        &self,
        search: &ApprovalSearch,
        now: Timestamp,
    ) -> Result<Vec<String>, StoreError> {
        self.explain(&approvals_statement(search, now)).await
    }
}

fn approvals_statement(search: &ApprovalSearch, now: Timestamp) -> Statement {
    let mut statement = Statement::new("");
    let time = statement.number(now.millis());
    statement.push(&format!(
        "SELECT brand_id, approval_id, key_id, tool, '{{}}' AS arguments, CAST(NULL AS TEXT) AS preview, digest, \
         CASE WHEN status = 'pending' AND expires_at <= {time} THEN 'expired' ELSE status END AS status, \
         requested_at, expires_at, decided_at, decided_by, note, CAST(NULL AS TEXT) AS approved_arguments, \
         CAST(NULL AS TEXT) AS result, CAST(NULL AS TEXT) AS failure FROM approvals"
    ));
    if let Some(brand) = &search.brand {
        let brand = statement.text(brand.as_str());
        statement.and(&format!("brand_id = {brand}"));
    }
    match search.status {
        // A call that has expired is stored as pending.
        Some(ApprovalStatus::Expired) => {
            statement.and(&format!("status = 'pending' AND expires_at <= {time}"));
        }
        Some(ApprovalStatus::Pending) => {
            statement.and(&format!("status = 'pending' AND expires_at > {time}"));
        }
        Some(status) => {
            let status = statement.text(status.as_str());
            statement.and(&format!("status = {status}"));
        }
        None => {}
    }
    let (at, id) = start_after(search.after.as_ref());
    let (at, id) = (statement.number(at), statement.text(id));
    statement.and(&format!("(requested_at, approval_id) < ({at}, {id})"));
    statement.push(" ORDER BY requested_at DESC, approval_id DESC");
    statement.limit(search.limit);
    statement
}
