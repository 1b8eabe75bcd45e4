//! Mails and what became of them.

use sqlx::FromRow;
use svc_mcp_access::{BrandId, Timestamp, decision::Unavailable};
use svc_mcp_tools::{
    page::{Cursor, Page},
    report::{
        Address, Dispatch, Email, EmailStatus, MAILS_A_DAY, NewEmail, Purpose, Report, ReportChange,
        daily_limit_reached,
    },
    tool::Failure,
};

use super::recipients::list;
use crate::{
    Store,
    brands::one_at_a_time,
    engine::{Tx, query, within},
    keys::move_access_version,
    page_of, starting, stored, unreadable,
};

const MILLIS_PER_DAY: i64 = 24 * 60 * 60 * 1000;
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
            purpose: stored(&row.purpose, "purpose of a mail")?,
            recipient: stored(&row.recipient, "address")?,
            status: stored(&row.status, "status of a mail")?,
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
    ) -> Result<Page<Email>, Unavailable> {
        self.run("report_emails", async {
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
            let (at, id) = starting(after);
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
            Ok(page_of(items, total, limit, |email: &Email| Cursor {
                at: email.created_at,
                id: email.email_id.clone(),
            }))
        })
        .await
    }

    pub(super) async fn count_report_emails(
        &self,
        brand: &BrandId,
        now: Timestamp,
    ) -> Result<u32, Unavailable> {
        self.run("report_emails_today", async {
            let (from, to) = day_of(now);
            let (count,): (i64,) = query!(&self.engine, |db| {
                sqlx::query_as(COUNT).bind(brand.as_str()).bind(from).bind(to).fetch_one(db).await
            })?;
            Ok(u32::try_from(count).unwrap_or(u32::MAX))
        })
        .await
    }

    pub(super) async fn dispatch(
        &self,
        brand: &BrandId,
        email_id: &str,
    ) -> Result<Option<Dispatch>, Unavailable> {
        self.run("dispatch", async {
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
            let content = content
                .map(|(content,)| serde_json::from_str(&content).map_err(|_| unreadable("report")))
                .transpose()?;
            let recipient = self.report_recipient(brand, &email.recipient).await?;
            Ok(Some(Dispatch { email, content, recipient }))
        })
        .await
    }
}

const COUNT: &str = "SELECT COUNT(*) FROM report_emails WHERE brand_id = $1 AND purpose = 'report' \
     AND created_at >= $2 AND created_at < $3";

/// The day in UTC, as its first moment and the one after its last.
fn day_of(now: Timestamp) -> (i64, i64) {
    let from = now.millis().div_euclid(MILLIS_PER_DAY) * MILLIS_PER_DAY;
    (from, from + MILLIS_PER_DAY)
}

/// Makes a change of the room true. `Some`: it is not allowed now, and the whole commit must not be.
pub(crate) async fn apply_report_change(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &ReportChange,
    now: Timestamp,
) -> Result<Option<Failure>, sqlx::Error> {
    match change {
        ReportChange::Order { report, emails } => return order(tx, brand, report, emails, now).await,
        ReportChange::List { addresses, asks } => {
            list(tx, brand, addresses, asks, now).await?;
            move_access_version(tx).await?;
        }
        ReportChange::HandingOver { email_id, attempts, link } => {
            within!(tx, |db| {
                sqlx::query(
                "UPDATE report_emails SET status = 'sending', attempts = $3, link_digest = $4, handed_over_at = $5 \
                 WHERE brand_id = $1 AND email_id = $2 AND status = 'queued'",
            )
            .bind(brand.as_str())
            .bind(email_id)
            .bind(i64::from(*attempts))
            .bind(link.as_bytes())
            .bind(now.millis())
            .execute(db)
            .await
            .map(|_| ())
            })?;
        }
        ReportChange::PutBack { email_id, attempts, answer } => {
            let status = EmailStatus::Queued;
            set_status(tx, brand, email_id, *attempts, status, answer, None).await?;
        }
        ReportChange::Ended { email_id, attempts, status, answer } => {
            set_status(tx, brand, email_id, *attempts, *status, answer, Some(now)).await?;
        }
        ReportChange::GivenUp { email_id, reason } => {
            within!(tx, |db| {
                sqlx::query(
                "UPDATE report_emails SET status = CASE WHEN status = 'sending' THEN 'uncertain' ELSE 'failed' END, \
                 answer = $3, ended_at = $4 WHERE brand_id = $1 AND email_id = $2 \
                 AND status IN ('queued', 'sending')",
            )
            .bind(brand.as_str())
            .bind(email_id)
            .bind(reason)
            .bind(now.millis())
            .execute(db)
            .await
            .map(|_| ())
            })?;
        }
    }
    Ok(None)
}

async fn order(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    report: &Report,
    emails: &[NewEmail],
    now: Timestamp,
) -> Result<Option<Failure>, sqlx::Error> {
    // Two at once could both take the day's last mails.
    one_at_a_time(tx, brand).await?;
    let (from, to) = day_of(now);
    let (sent,): (i64,) =
        within!(tx, |db| sqlx::query_as(COUNT).bind(brand.as_str()).bind(from).bind(to).fetch_one(db).await)?;
    let left = MAILS_A_DAY.saturating_sub(u32::try_from(sent).unwrap_or(u32::MAX));
    let wanted = u32::try_from(emails.len()).unwrap_or(u32::MAX);
    if wanted > left {
        return Ok(Some(daily_limit_reached(left, wanted)));
    }
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO reports (brand_id, report_id, content, created_at, created_by_key) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(brand.as_str())
    .bind(&report.report_id)
    .bind(serde_json::to_string(&report.content).expect("a report is plain JSON"))
    .bind(now.millis())
    .bind(report.created_by_key.as_str())
    .execute(db)
    .await
    .map(|_| ())
    })?;
    for email in emails {
        add_email(tx, brand, Some(&report.report_id), &email.email_id, &email.recipient, now).await?;
    }
    Ok(None)
}

/// A mail that waits to be sent: a report, or a question.
pub(super) async fn add_email(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    report_id: Option<&str>,
    email_id: &str,
    recipient: &Address,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let purpose = if report_id.is_some() { Purpose::Report } else { Purpose::Confirmation };
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

async fn set_status(
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
