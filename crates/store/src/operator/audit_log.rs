//! The audit log, listed by time, brand, actor and action.

use svc_mcp_access::{BrandId, StoreError, Timestamp, UserId};

use super::{
    search::SearchPage,
    statement::{Statement, fetch_all},
};
use crate::{
    AuditAction, AuditRecord, Cursor, Store,
    audit_log::{RecordRow, SELECT_RECORDS},
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
    let mut statement = Statement::new(SELECT_RECORDS);
    let names = [
        ("brand", "brand", search.brand.as_ref().map(BrandId::as_str)),
        ("actor", "user", search.actor.as_ref().map(UserId::as_str)),
    ];
    for (column, kind, name) in names {
        if let Some(name) = name {
            let name = statement.text(name);
            statement.and(&format!(
                "log.{column} = (SELECT reference FROM audit_log_names WHERE kind = '{kind}' AND name = {name} LIMIT 1)"
            ));
        }
    }
    if let Some(action) = search.action {
        let action = statement.text(action.as_str());
        statement.and(&format!("log.action = {action}"));
    }
    since_until(&mut statement, "log.at", search.since, search.until);
    if let Some(after) = &search.after {
        // A cursor of another list has no number.
        let sequence = after.id.parse().unwrap_or(0);
        let (at, sequence) = (statement.number(after.at.millis()), statement.number(sequence));
        statement.and(&format!("(log.at, log.sequence) > ({at}, {sequence})"));
    }
    statement.push(" ORDER BY log.at, log.sequence");
    statement.limit(search.limit);
    statement
}

/// Adds the conditions on this column.
pub(super) fn since_until(
    statement: &mut Statement,
    column: &str,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
) {
    if let Some(since) = since {
        let since = statement.number(since.millis());
        statement.and(&format!("{column} >= {since}"));
    }
    if let Some(until) = until {
        let until = statement.number(until.millis());
        statement.and(&format!("{column} < {until}"));
    }
}
