//! Replaces everything of a user in some rows of one table.

use std::collections::BTreeSet;

use svc_mcp_access::Timestamp;

use super::{
    Holds, columns_of,
    pseudonymizer::Pseudonymizer,
    sql::{Range, Sql, fetch_cells},
};
use crate::{
    brand_data::{Cell, Cells},
    engine::{Tx, within},
};

/// Instances have keys and profiles from these tables in memory.
const CACHED_TABLES: [&str; 3] = ["keys", "brands", "report_recipients"];
const ERASED_RECIPIENT: &str = "The recipient was erased, so the email is not sent.";

/// What was replaced.
#[derive(Debug, Default)]
pub(super) struct Replaced {
    pub(super) rows: usize,
    /// Brands whose rows in memory are out of date.
    pub(super) brands: BTreeSet<String>,
}

/// A mail to the user.
#[derive(Debug)]
pub(super) struct EmailToUser {
    pub(super) brand_id: String,
    pub(super) email_id: String,
}

/// Changes the rows in the range, except mails.
pub(super) async fn replace_rows(
    tx: &mut Tx<'_>,
    table: &str,
    range: &Range,
    pseudonymizer: &Pseudonymizer,
) -> Result<Replaced, sqlx::Error> {
    let mut changed = Vec::new();
    for statement in statements(table, range, pseudonymizer) {
        changed.extend(within!(&mut *tx, |db| fetch_cells!(db, statement))?);
    }
    changed.extend(replace_texts(tx, table, range, pseudonymizer).await?);
    let mut replaced = Replaced { rows: changed.len(), ..Replaced::default() };
    if CACHED_TABLES.contains(&table) {
        replaced.brands = changed.iter().filter_map(|row| text_of(row, "brand_id")).collect();
    }
    Ok(replaced)
}

/// Statements that return the first column of the identity of each changed row.
fn statements(table: &str, range: &Range, pseudonymizer: &Pseudonymizer) -> Vec<Sql> {
    let mut statements = Vec::new();
    let returning = format!(" RETURNING {}", range.identity[0]);
    let user_ids = columns_of(table, Holds::UserId);
    if !user_ids.is_empty() {
        let mut sql = Sql::default();
        let (user, pseudonym) =
            (sql.bind_text(pseudonymizer.user.as_str()), sql.bind_text(pseudonymizer.pseudonym.as_str()));
        let set =
            |name: &&str| format!("{name} = CASE WHEN {name} = {user} THEN {pseudonym} ELSE {name} END");
        let sets: Vec<String> = user_ids.iter().map(set).collect();
        let conditions: Vec<String> = user_ids.iter().map(|name| format!("{name} = {user}")).collect();
        let in_range = sql.in_range(range);
        let (sets, conditions) = (sets.join(", "), conditions.join(" OR "));
        sql.push(&format!("UPDATE {table} SET {sets} WHERE {in_range} AND ({conditions}){returning}"));
        statements.push(sql);
    }
    for creator in columns_of(table, Holds::Creator) {
        let mut sql = Sql::default();
        let (user, pseudonym) =
            (sql.bind_text(pseudonymizer.user.as_str()), sql.bind_text(pseudonymizer.pseudonym.as_str()));
        let cleared = columns_of(table, Holds::Client).into_iter().map(|name| format!(", {name} = NULL"));
        let cleared: String = cleared.collect();
        let in_range = sql.in_range(range);
        // A key that works was created after the user came back as a stranger.
        sql.push(&format!(
            "UPDATE {table} SET {creator} = {pseudonym}{cleared} WHERE {in_range} AND {creator} = {user} \
             AND revoked_at IS NOT NULL{returning}"
        ));
        statements.push(sql);
    }
    for user_id in columns_of(table, Holds::SignIn) {
        let mut sql = Sql::default();
        let user = sql.bind_text(pseudonymizer.user.as_str());
        let in_range = sql.in_range(range);
        sql.push(&format!("DELETE FROM {table} WHERE {in_range} AND {user_id} = {user}{returning}"));
        statements.push(sql);
    }
    for address in columns_of(table, Holds::Recipient) {
        if pseudonymizer.addresses().is_empty() {
            continue;
        }
        let mut sql = Sql::default();
        let addresses = bind_addresses(&mut sql, pseudonymizer);
        let in_range = sql.in_range(range);
        sql.push(&format!("DELETE FROM {table} WHERE {in_range} AND {address} IN {addresses}{returning}"));
        statements.push(sql);
    }
    statements
}

fn bind_addresses(sql: &mut Sql, pseudonymizer: &Pseudonymizer) -> String {
    sql.bind_all(pseudonymizer.addresses().iter().map(|address| Cell::Text(address.clone())))
}

async fn replace_texts(
    tx: &mut Tx<'_>,
    table: &str,
    range: &Range,
    pseudonymizer: &Pseudonymizer,
) -> Result<Vec<Cells>, sqlx::Error> {
    let mut changed = Vec::new();
    for column in columns_of(table, Holds::Text) {
        let mut sql = Sql::default();
        let identity = range.identity.join(", ");
        let in_range = sql.in_range(range);
        let contains = sql.contains(column, &pseudonymizer.needles());
        sql.push(&format!(
            "SELECT {identity}, {column} AS old_text FROM {table} WHERE {in_range} AND {contains}"
        ));
        for row in within!(&mut *tx, |db| fetch_cells!(db, sql))? {
            let Some(old) = text_of(&row, "old_text") else { continue };
            let Some(new) = pseudonymizer.erased(&old) else { continue };
            let key = range.identity.iter().filter_map(|name| cell_of(&row, name)).collect::<Vec<_>>();
            let mut sql = Sql::default();
            let (new, old) = (sql.bind_text(&new), sql.bind_text(&old));
            let key = sql.bind_all(key);
            // Somebody may have changed the text meanwhile. Then the second search finds it.
            sql.push(&format!(
                "UPDATE {table} SET {column} = {new} WHERE ({identity}) = {key} AND {column} = {old} \
                 RETURNING {}",
                range.identity[0]
            ));
            changed.extend(within!(&mut *tx, |db| fetch_cells!(db, sql))?);
        }
    }
    Ok(changed)
}

/// The mails of the range that were addressed to the user. `with_sending`: also those that are being sent now.
pub(super) fn emails_statement(
    range: &Range,
    pseudonymizer: &Pseudonymizer,
    with_sending: bool,
) -> Option<Sql> {
    if pseudonymizer.addresses().is_empty() {
        return None;
    }
    let mut sql = Sql::new("SELECT brand_id, email_id FROM report_emails WHERE ");
    let in_range = sql.in_range(range);
    let addresses = bind_addresses(&mut sql, pseudonymizer);
    sql.push(&format!("{in_range} AND recipient IN {addresses}"));
    if !with_sending {
        sql.push(" AND status <> 'sending'");
    }
    Some(sql)
}

pub(super) fn emails_of(rows: &[Cells]) -> Vec<EmailToUser> {
    let email = |row: &Cells| {
        Some(EmailToUser { brand_id: text_of(row, "brand_id")?, email_id: text_of(row, "email_id")? })
    };
    rows.iter().filter_map(email).collect()
}

/// Replaces the recipient of a mail. A mail that waits is not sent any more, and its link does not work any more.
pub(super) async fn replace_recipient(
    tx: &mut Tx<'_>,
    email: &EmailToUser,
    pseudonymizer: &Pseudonymizer,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    // A worker that has not begun to send the mail loses its job.
    let sql = "UPDATE jobs SET status = 'cancelled', reason = $3, ended_at = $4, held_at = NULL WHERE brand_id = $1 \
         AND kind = 'report_email' AND subject = $2 AND status IN ('waiting', 'running') AND begun_at IS NULL";
    within!(&mut *tx, |db| sqlx::query(sql)
        .bind(&email.brand_id)
        .bind(&email.email_id)
        .bind(ERASED_RECIPIENT)
        .bind(now.millis())
        .execute(db)
        .await
        .map(|_| ()))?;
    let sql = "UPDATE report_emails SET recipient = $3, link_digest = NULL, \
         answer = CASE WHEN status = 'queued' THEN $4 ELSE answer END, \
         ended_at = CASE WHEN status = 'queued' THEN $5 ELSE ended_at END, \
         status = CASE WHEN status = 'queued' THEN 'cancelled' ELSE status END \
         WHERE brand_id = $1 AND email_id = $2";
    within!(&mut *tx, |db| sqlx::query(sql)
        .bind(&email.brand_id)
        .bind(&email.email_id)
        .bind(pseudonymizer.pseudonymous_address())
        .bind(ERASED_RECIPIENT)
        .bind(now.millis())
        .execute(db)
        .await
        .map(|_| ()))
}

fn cell_of(row: &Cells, column: &str) -> Option<Cell> {
    row.iter().find(|(name, _)| name == column).map(|(_, cell)| cell.clone())
}

fn text_of(row: &Cells, column: &str) -> Option<String> {
    match cell_of(row, column)? {
        Cell::Text(text) => Some(text),
        Cell::Number(_) | Cell::Bytes(_) => None,
    }
}
