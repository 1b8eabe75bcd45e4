//! The mails of reports, and their status.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_tools::{
    page::{Cursor, Page},
    report::{Email, EmailAddress, EmailPurpose, EmailStatus, NewEmail, OutgoingEmail, Report},
};

use crate::{
    Store, cut_page,
    engine::{Tx, query, within},
    parse_column, parse_json_column, start_after,
};

const COLUMNS: &str = "email_id, report_id, purpose, recipient, status, attempts, answer, created_at, \
     handed_over_at, ended_at";

#[derive(FromRow)]
struct EmailRow {
    email_id: String,
    report_id: Option<String>,
    purpose: String,
    recipient: String,
    status: String,
    attempts: i64,
    answer: Option<String>,
    created_at: i64,
    handed_over_at: Option<i64>,
    ended_at: Option<i64>,
}

impl TryFrom<EmailRow> for Email {
    type Error = sqlx::Error;

    fn try_from(row: EmailRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            email_id: row.email_id,
            report_id: row.report_id,
            purpose: parse_column(&row.purpose, "purpose of a mail")?,
            recipient: parse_column(&row.recipient, "address")?,
            status: parse_column(&row.status, "status of a mail")?,
            attempts: u32::try_from(row.attempts).unwrap_or(u32::MAX),
            answer: row.answer,
            created_at: Timestamp::from_millis(row.created_at),
            handed_over_at: row.handed_over_at.map(Timestamp::from_millis),
            ended_at: row.ended_at.map(Timestamp::from_millis),
        })
    }
}

impl Store {
    pub(super) async fn list_report_emails(
        &self,
        brand: &BrandId,
        status: Option<EmailStatus>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Email>, StoreError> {
        self.run_for(brand, "report_emails", async {
            let wanted = "brand_id = $1 AND purpose = 'report' AND (status = $2 OR $2 = '')";
            let status = status.map_or("", EmailStatus::as_str);
            let sql = format!("SELECT COUNT(*) FROM report_emails WHERE {wanted}");
            let (total,): (i64,) = query!(&self.engine, |db| {
                sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .bind(status)
                    .fetch_one(db)
                    .await
            })?;
            let sql = format!(
                "SELECT {COLUMNS} FROM report_emails WHERE {wanted} \
                 AND (created_at < $3 OR (created_at = $3 AND email_id < $4)) \
                 ORDER BY created_at DESC, email_id DESC LIMIT $5 + 0"
            );
            let (at, id) = start_after(after);
            let rows: Vec<EmailRow> = query!(&self.engine, |db| {
                sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .bind(status)
                    .bind(at)
                    .bind(id)
                    .bind(i64::from(limit) + 1)
                    .fetch_all(db)
                    .await
            })?;
            let items = rows.into_iter().map(Email::try_from).collect::<Result<Vec<_>, _>>()?;
            Ok(cut_page(items, total, limit, |email: &Email| Cursor {
                at: email.created_at,
                id: email.email_id.clone(),
            }))
        })
        .await
    }

    pub(crate) async fn report_emails_today(
        &self,
        brand: &BrandId,
        now: Timestamp,
    ) -> Result<u32, StoreError> {
        self.run_for(brand, "report_emails_today", async {
            let (count, _): (i64, Option<i64>) = query!(&self.engine, |db| {
                sqlx::query_as(REPORT_EMAILS_OF_DAY)
                    .bind(brand.as_str())
                    .bind(now.millis())
                    .fetch_one(db)
                    .await
            })?;
            Ok(u32::try_from(count).unwrap_or(u32::MAX))
        })
        .await
    }

    pub(super) async fn outgoing_email(
        &self,
        brand: &BrandId,
        email_id: &str,
    ) -> Result<Option<OutgoingEmail>, StoreError> {
        self.run_for(brand, "dispatch", async {
            let sql = format!("SELECT {COLUMNS} FROM report_emails WHERE brand_id = $1 AND email_id = $2");
            let row: Option<EmailRow> = query!(&self.engine, |db| {
                sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .bind(email_id)
                    .fetch_optional(db)
                    .await
            })?;
            let Some(row) = row else { return Ok(None) };
            let email = Email::try_from(row)?;
            let content: Option<(String,)> = query!(&self.engine, |db| {
                sqlx::query_as("SELECT content FROM reports WHERE brand_id = $1 AND report_id = $2")
                    .bind(brand.as_str())
                    .bind(&email.report_id)
                    .fetch_optional(db)
                    .await
            })?;
            let content = content.map(|(content,)| parse_json_column(&content, "report")).transpose()?;
            let recipient = self.report_recipient(brand, &email.recipient).await?;
            Ok(Some(OutgoingEmail { email, content, recipient }))
        })
        .await
    }
}

/// The report emails of the UTC day of `$2`, which is in milliseconds, as are the 86,400,000 of a day.
pub(crate) const REPORT_EMAILS_OF_DAY: &str = "SELECT COUNT(*) AS used, CAST(NULL AS BIGINT) AS frees_at FROM report_emails \
     WHERE brand_id = $1 AND purpose = 'report' AND created_at >= CAST($2 AS BIGINT) / 86400000 * 86400000 \
     AND created_at < (CAST($2 AS BIGINT) / 86400000 + 1) * 86400000";

/// The report emails of the day of `now`, in a transaction.
pub(crate) async fn count_report_emails(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    now: Timestamp,
) -> Result<i64, sqlx::Error> {
    let (count, _): (i64, Option<i64>) = within!(tx, |db| sqlx::query_as(REPORT_EMAILS_OF_DAY)
        .bind(brand.as_str())
        .bind(now.millis())
        .fetch_one(db)
        .await)?;
    Ok(count)
}

pub(super) async fn add_report(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    report: &Report,
    emails: &[NewEmail],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO reports (brand_id, report_id, content, created_at, created_by_key) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(brand.as_str())
    .bind(&report.report_id)
    .bind(serde_json::to_string(&report.content).expect("a report is JSON"))
    .bind(now.millis())
    .bind(report.created_by_key.as_str())
    .execute(db)
    .await
    .map(|_| ())
    })?;
    for email in emails {
        let NewEmail { email_id, recipient } = email;
        add_email(tx, brand, EmailPurpose::Report, Some(&report.report_id), email_id, recipient, now).await?;
    }
    Ok(())
}

/// Queues a mail.
pub(crate) async fn add_email(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    purpose: EmailPurpose,
    report_id: Option<&str>,
    email_id: &str,
    recipient: &EmailAddress,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO report_emails (brand_id, email_id, report_id, purpose, recipient, status, attempts, created_at) \
         VALUES ($1, $2, $3, $4, $5, 'queued', 0, $6)",
    )
    .bind(brand.as_str())
    .bind(email_id)
    .bind(report_id)
    .bind(purpose.as_str())
    .bind(recipient.as_str())
    .bind(now.millis())
    .execute(db)
    .await
    .map(|_| ())
    })
}

pub(super) async fn set_status(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    email_id: &str,
    attempts: u32,
    status: EmailStatus,
    answer: &str,
    ended_at: Option<Timestamp>,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "UPDATE report_emails SET status = $3, attempts = $4, answer = $5, ended_at = $6 \
         WHERE brand_id = $1 AND email_id = $2 AND status IN ('queued', 'sending')",
    )
    .bind(brand.as_str())
    .bind(email_id)
    .bind(status.as_str())
    .bind(i64::from(attempts))
    .bind(answer)
    .bind(ended_at.map(Timestamp::millis))
    .execute(db)
    .await
    .map(|_| ()))
}
