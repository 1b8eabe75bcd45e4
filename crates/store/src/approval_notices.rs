//! Mails to the people who may decide a call that waits for approval.

use std::{collections::BTreeSet, time::Duration};

use async_trait::async_trait;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp, UserId};
use svc_mcp_tools::{
    approvals::{
        ApprovalNotice, ApprovalNoticeRecords, MAX_LISTED, WaitingApproval, WaitingApprovals, notice_job,
    },
    report::{EmailAddress, EmailPurpose, NewEmail},
};

use crate::{
    Store, ToolRecords,
    audit_log::{AuditAction, Fields, NewAuditRecord},
    engine::{Tx, query, transaction, within},
    jobs::add_job,
    parse_column,
    reports::add_email,
};

/// A mail is tried for about ten hours. Older ones have ended, and need not be searched.
const MAX_QUEUED_AGE: Duration = Duration::from_hours(24);

/// Members who want mails and can get them.
const WANTS_MAILS: &str = "m.approval_emails = 1 AND m.email IS NOT NULL";
/// Calls that wait, with their keys. `$1` is the brand and `$2` the time.
const PENDING: &str = "approvals a JOIN keys k ON k.brand_id = a.brand_id AND k.key_id = a.key_id \
     WHERE a.brand_id = $1 AND a.status = 'pending' AND a.expires_at > $2";
/// Whether a member may decide a call.
const MAY_DECIDE: &str = "(m.role = 'admin' OR (k.created_by = m.user_id \
     AND (SELECT b.approvers FROM brands b WHERE b.brand_id = $1) <> 'admins'))";

#[derive(FromRow)]
struct WaitingRow {
    tool: String,
    label: String,
    requested_at: i64,
    expires_at: i64,
    total: i64,
}

impl From<WaitingRow> for WaitingApproval {
    fn from(row: WaitingRow) -> Self {
        Self {
            tool: row.tool,
            key_label: row.label,
            requested_at: Timestamp::from_millis(row.requested_at),
            expires_at: Timestamp::from_millis(row.expires_at),
        }
    }
}

/// Adds the job that mails the approvers, in the transaction in which a call begins to wait. A job that waits already will
/// find this call too. One that runs may have looked before.
pub(crate) async fn order_notice(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    job_id: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let sql = format!("SELECT 1 FROM members m WHERE m.brand_id = $1 AND {WANTS_MAILS} LIMIT 1");
    let wanted: Option<(i32,)> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .fetch_optional(db)
        .await)?;
    if wanted.is_none() {
        return Ok(());
    }
    // Until the commit, other calls of the brand wait here, so that only one adds a job. SQLite has one writer anyway.
    if let Tx::Postgres(connection) = tx {
        sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('approval notice of ' || $1, 0))")
            .bind(brand.as_str())
            .execute(&mut **connection)
            .await?;
    }
    let sql = "SELECT approvals_mailed_at FROM brands WHERE brand_id = $1 AND NOT EXISTS (SELECT 1 FROM jobs \
         WHERE jobs.brand_id = $1 AND jobs.kind = 'approval_notice' AND jobs.status = 'waiting')";
    let to_add: Option<(Option<i64>,)> =
        within!(tx, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_optional(db).await)?;
    let Some((mailed_at,)) = to_add else { return Ok(()) };
    let job = notice_job(brand, job_id, mailed_at.map(Timestamp::from_millis), now);
    add_job(tx, brand, None, &job, now).await
}

/// Queues mails to approvers, and records when.
pub(crate) async fn add_approval_emails(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    emails: &[NewEmail],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query("UPDATE brands SET approvals_mailed_at = $2 WHERE brand_id = $1")
        .bind(brand.as_str())
        .bind(now.millis())
        .execute(db)
        .await
        .map(|_| ()))?;
    for NewEmail { email_id, recipient } in emails {
        add_email(tx, brand, EmailPurpose::Approvals, None, email_id, recipient, now).await?;
    }
    Ok(())
}

#[async_trait]
impl ApprovalNoticeRecords for ToolRecords {
    async fn approval_notice(
        &self,
        brand: &BrandId,
        now: Timestamp,
    ) -> Result<Option<ApprovalNotice>, StoreError> {
        self.store.approval_notice(brand, now).await
    }

    async fn approval_notice_for(
        &self,
        brand: &BrandId,
        recipient: &EmailAddress,
        now: Timestamp,
    ) -> Result<Option<WaitingApprovals>, StoreError> {
        self.store.approval_notice_for(brand, recipient, now).await
    }
}

impl Store {
    async fn approval_notice(
        &self,
        brand: &BrandId,
        now: Timestamp,
    ) -> Result<Option<ApprovalNotice>, StoreError> {
        self.run_patiently("approval_notice", async {
            let mut recipients = self.approvers_to_mail(brand, now).await?;
            for (address,) in self.queued_approval_emails(brand, now).await? {
                let address: EmailAddress = parse_column(&address, "address")?;
                recipients.remove(&address);
            }
            if recipients.is_empty() {
                return Ok(None);
            }
            let sql = "SELECT approvals_mailed_at FROM brands WHERE brand_id = $1";
            let mailed_at: Option<i64> =
                query!(&self.engine, |db| sqlx::query_scalar(sql).bind(brand.as_str()).fetch_one(db).await)?;
            let last_mailed_at = mailed_at.map(Timestamp::from_millis);
            Ok(Some(ApprovalNotice { recipients: recipients.into_iter().collect(), last_mailed_at }))
        })
        .await
    }

    /// Two members with the same address get one mail.
    async fn approvers_to_mail(
        &self,
        brand: &BrandId,
        now: Timestamp,
    ) -> Result<BTreeSet<EmailAddress>, sqlx::Error> {
        let sql = format!(
            "SELECT m.email FROM members m WHERE m.brand_id = $1 AND {WANTS_MAILS} \
             AND EXISTS (SELECT 1 FROM {PENDING} AND {MAY_DECIDE})"
        );
        let rows: Vec<(String,)> = query!(&self.engine, |db| {
            sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                .bind(brand.as_str())
                .bind(now.millis())
                .fetch_all(db)
                .await
        })?;
        // One address that cannot get mails must not keep them from the others.
        Ok(rows.into_iter().filter_map(|(address,)| address.parse().ok()).collect())
    }

    /// The recipients of mails that were not sent yet. These mails will list everything that waits when they are sent.
    async fn queued_approval_emails(
        &self,
        brand: &BrandId,
        now: Timestamp,
    ) -> Result<Vec<(String,)>, sqlx::Error> {
        query!(&self.engine, |db| {
            sqlx::query_as(
                "SELECT recipient FROM report_emails WHERE brand_id = $1 AND purpose = 'approvals' \
                 AND created_at > $2 AND status = 'queued'",
            )
            .bind(brand.as_str())
            .bind(now.minus(MAX_QUEUED_AGE).millis())
            .fetch_all(db)
            .await
        })
    }

    async fn approval_notice_for(
        &self,
        brand: &BrandId,
        recipient: &EmailAddress,
        now: Timestamp,
    ) -> Result<Option<WaitingApprovals>, StoreError> {
        self.run_patiently("approval_notice_for", async {
            // An address is in lower case, and a membership has it as it was entered.
            let sql = format!(
                "SELECT a.tool, k.label, a.requested_at, a.expires_at, COUNT(*) OVER () AS total FROM {PENDING} \
                 AND EXISTS (SELECT 1 FROM members m WHERE m.brand_id = $1 AND LOWER(m.email) = $3 \
                   AND {WANTS_MAILS} AND {MAY_DECIDE}) \
                 ORDER BY a.requested_at, a.approval_id LIMIT $4 + 0"
            );
            let rows: Vec<WaitingRow> = query!(&self.engine, |db| {
                sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .bind(now.millis())
                    .bind(recipient.as_str())
                    .bind(i64::from(MAX_LISTED))
                    .fetch_all(db)
                    .await
            })?;
            let Some(total) = rows.first().map(|row| row.total) else { return Ok(None) };
            let total = u64::try_from(total).unwrap_or_default();
            Ok(Some(WaitingApprovals { listed: rows.into_iter().map(WaitingApproval::from).collect(), total }))
        })
        .await
    }

    /// Whether this member wants mails about calls that wait for approval.
    pub async fn approval_emails(&self, brand: &BrandId, user: &UserId) -> Result<bool, StoreError> {
        self.run_for(brand, "approval_emails", async {
            let sql = "SELECT approval_emails FROM members WHERE brand_id = $1 AND user_id = $2";
            let wanted: Option<i64> = query!(&self.engine, |db| sqlx::query_scalar(sql)
                .bind(brand.as_str())
                .bind(user.as_str())
                .fetch_optional(db)
                .await)?;
            Ok(wanted == Some(1))
        })
        .await
    }

    /// False: mails cannot be sent, because the membership has no address. Nothing was changed.
    pub async fn set_approval_emails(
        &self,
        brand: &BrandId,
        user: &UserId,
        enabled: bool,
    ) -> Result<bool, StoreError> {
        self.run_for(brand, "set_approval_emails", async {
            transaction!(&self.engine, |tx| {
                // Also locks the row.
                let before: Option<i64> = sqlx::query_scalar(
                    "UPDATE members SET role = role WHERE brand_id = $1 AND user_id = $2 RETURNING approval_emails",
                )
                .bind(brand.as_str())
                .bind(user.as_str())
                .fetch_optional(&mut *tx)
                .await?;
                let sql = "UPDATE members SET approval_emails = $3 WHERE brand_id = $1 AND user_id = $2 \
                     AND ($3 = 0 OR email IS NOT NULL)";
                let done = sqlx::query(sql)
                    .bind(brand.as_str())
                    .bind(user.as_str())
                    .bind(i64::from(enabled))
                    .execute(&mut *tx)
                    .await?;
                let is_set = done.rows_affected() == 1;
                let fields = |enabled: bool| Fields::default().show("enabled", enabled);
                let record = NewAuditRecord::new(AuditAction::ApprovalEmailsUpdate, Some(brand), user.as_str());
                let record = record.with_change(Some(&fields(before == Some(1))), &fields(enabled));
                self.add_audit_records(&mut Tx::from(&mut *tx), record.filter(|_| is_set)).await?;
                is_set
            })
        })
        .await
    }
}
