//! The audit log, listed by time, brand, actor and action.

use svc_mcp_access::{BrandId, StoreError, Timestamp, UserId};

use super::{
    search::SearchPage,
    statement::{Statement, fetch_all},
};
use crate::{
    AuditAction, AuditRecord, Cursor, Store,
    audit_log::{COLUMNS, RecordRow},
};

/// Which records to list, oldest first.
#[derive(Debug, Clone, Default)]
pub struct AuditSearch {
    pub since: Option<Timestamp>,
    /// Exclusive.
    pub until: Option<Timestamp>,
    pub brand: Option<BrandId>,
    pub actor: Option<UserId>,
    pub action: Option<AuditAction>,
    pub after: Option<Cursor>,
    pub limit: u32,
}

impl Store {
    pub async fn search_audit_log(
        &self,
        search: &AuditSearch,
    ) -> Result<SearchPage<AuditRecord>, StoreError> {
        self.run("search_audit_log", async {
            let statement = audit_statement(search);
            let rows: Vec<RecordRow> = fetch_all!(&self.engine, statement)?;
            let records = rows.into_iter().map(AuditRecord::from).collect();
            Ok(SearchPage::cut(records, search.limit, |record| Cursor {
                at: record.at,
                id: record.sequence.to_string(),
            }))
        })
        .await
    }

    /// How the engine would run the search, for tests.
    #[doc(hidden)]
    pub async fn explain_search_audit_log(&self, search: &AuditSearch) -> Result<Vec<String>, StoreError> {
        self.explain(&audit_statement(search)).await
    }
}

fn audit_statement(search: &AuditSearch) -> Statement {
    let mut statement = Statement::new(&format!("SELECT {COLUMNS} FROM audit_log"));
    let texts = [
        ("brand_id", search.brand.as_ref().map(BrandId::as_str)),
        ("actor", search.actor.as_ref().map(UserId::as_str)),
        ("action", search.action.map(AuditAction::as_str)),
    ];
    for (column, text) in texts {
        if let Some(text) = text {
            let text = statement.text(text);
            statement.and(&format!("{column} = {text}"));
        }
    }
    since_until(&mut statement, search.since, search.until);
    if let Some(after) = &search.after {
        // A cursor of another list has no number.
        let sequence = after.id.parse().unwrap_or(0);
        let (at, sequence) = (statement.number(after.at.millis()), statement.number(sequence));
        statement.and(&format!("(at, sequence) > ({at}, {sequence})"));
    }
    statement.push(" ORDER BY at, sequence");
    statement.limit(search.limit);
    statement
}

/// Adds the conditions on the column `at`.
pub(super) fn since_until(statement: &mut Statement, since: Option<Timestamp>, until: Option<Timestamp>) {
    if let Some(since) = since {
        let since = statement.number(since.millis());
        statement.and(&format!("at >= {since}"));
    }
    if let Some(until) = until {
        let until = statement.number(until.millis());
        statement.and(&format!("at < {until}"));
    }
}
