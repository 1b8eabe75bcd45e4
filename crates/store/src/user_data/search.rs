//! Searches all tables for what is left of a user, in small steps that a killed process can continue.

use async_trait::async_trait;
use svc_mcp_access::{BrandId, StoreError, Timestamp};

use super::{
    Holds, columns_of, identity_of,
    open_erasure::OpenErasure,
    position::Position,
    replace::{EmailToUser, emails_of, emails_statement, replace_recipient, replace_rows},
    searched_tables,
    sql::{Range, Sql, fetch_cells},
};
use crate::{
    Store,
    access_change::AccessChange,
    brand_data::{Cell, set_secure_delete},
    engine::{Tx, query, transaction, within},
    parse_column,
};

/// Rows of one step. Tables with texts have large rows.
const ROWS_PER_STEP: usize = 2_000;
const TEXTS_PER_STEP: usize = 250;

/// The files of mails, where mails are written into files.
#[async_trait]
pub trait EmailFiles: Sync {
    /// Files that do not exist are left out.
    async fn delete(&self, email_ids: Vec<String>) -> Result<(), StoreError>;
}

impl Store {
    /// Searches the next rows, and returns whether there are more.
    pub(super) async fn search_user(
        &self,
        open: &OpenErasure,
        position: &Position,
        now: Timestamp,
        files: &dyn EmailFiles,
    ) -> Result<bool, StoreError> {
        let table = position.table.as_str();
        let range = self.next_range(position).await?;
        let emails = if columns_of(table, Holds::MailAddress).is_empty() {
            Vec::new()
        } else {
            self.emails_to_user(&range, open).await?
        };
        if !emails.is_empty() {
            // The files are deleted before the rows that name them change.
            files.delete(emails.iter().map(|email| email.email_id.clone()).collect()).await?;
        }
        let next = position.next(&range);
        let work = self.replace_in_range(open, (table, &range), &emails, next.as_ref(), now);
        for change in self.run_patiently("erase_user_rows", Box::pin(work)).await? {
            self.publish(change).await;
        }
        Ok(next.is_some())
    }

    /// Whether the search is about to look at the keys.
    pub(super) fn starts_with_keys(position: &Position) -> bool {
        position.is_start_of("keys")
    }

    async fn next_range(&self, position: &Position) -> Result<Range, StoreError> {
        let table = searched_tables().into_iter().find(|table| *table == position.table);
        // An older version may have had another list. Then the search would never end.
        let table = table.ok_or(StoreError::Internal)?;
        let identity = identity_of(table);
        let after: Vec<Cell> = position.after.iter().filter_map(Cell::from_json).collect();
        let rows = if columns_of(table, Holds::Text).is_empty() { ROWS_PER_STEP } else { TEXTS_PER_STEP };
        let mut range = Range { identity, after, last: None };
        let columns = range.identity.join(", ");
        let mut sql = Sql::new(&format!("SELECT {columns} FROM {table} WHERE "));
        let in_range = sql.in_range(&range);
        sql.push(&format!("{in_range} ORDER BY {columns} LIMIT 1 OFFSET {}", rows - 1));
        let last = self
            .run_patiently("search_user", async { query!(&self.engine, |db| fetch_cells!(db, sql)) })
            .await?;
        range.last = last.into_iter().next().map(|row| row.into_iter().map(|(_, cell)| cell).collect());
        Ok(range)
    }

    /// A mail that is being sent now is left to the second search: its file may be written any moment.
    async fn emails_to_user(
        &self,
        range: &Range,
        open: &OpenErasure,
    ) -> Result<Vec<EmailToUser>, StoreError> {
        let Some(sql) = emails_statement(range, &open.pseudonymizer, open.is_second_search) else {
            return Ok(Vec::new());
        };
        let rows = self
            .run_patiently("emails_to_user", async { query!(&self.engine, |db| fetch_cells!(db, sql)) })
            .await?;
        Ok(emails_of(&rows))
    }

    async fn replace_in_range(
        &self,
        open: &OpenErasure,
        (table, range): (&str, &Range),
        emails: &[EmailToUser],
        next: Option<&Position>,
        now: Timestamp,
    ) -> Result<Vec<AccessChange>, sqlx::Error> {
        let next = next.map(|next| serde_json::to_string(next).expect("texts and numbers are JSON"));
        transaction!(&self.engine, |tx| {
            let mut tx = Tx::from(&mut *tx);
            // SQLite then overwrites what it deletes.
            set_secure_delete(&mut tx, true).await?;
            for email in emails {
                replace_recipient(&mut tx, email, &open.pseudonymizer, now).await?;
            }
            let replaced = replace_rows(&mut tx, table, range, &open.pseudonymizer).await?;
            set_secure_delete(&mut tx, false).await?;
            let rows = i64::try_from(replaced.rows + emails.len()).unwrap_or(i64::MAX);
            let sql = "UPDATE erasures SET position = COALESCE($2, position), deleted_rows = deleted_rows + $3 \
                       WHERE receipt_id = $1 AND finished_at IS NULL";
            within!(&mut tx, |db| sqlx::query(sql)
                .bind(&open.receipt_id)
                .bind(&next)
                .bind(rows)
                .execute(db)
                .await
                .map(|_| ()))?;
            let mut changes = Vec::new();
            for brand in &replaced.brands {
                let brand: BrandId = parse_column(brand, "brand id")?;
                changes.push(AccessChange::record_brand(&mut tx, &brand).await?);
            }
            changes
        })
    }
}
