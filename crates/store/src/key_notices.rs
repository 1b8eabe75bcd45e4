//! Tells people about keys: that one expires soon, or that one was leaked.

use async_trait::async_trait;
use rand::CryptoRng;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp, UserId, id};
use svc_mcp_tools::{
    jobs::{JobKind, NewJob},
    key_notices::{CancelledWork, KeyNotice, KeyNoticeRecords},
    report::{EmailAddress, EmailPurpose},
};

use crate::{
    EventKind, EventOutcome, NewEvent, StoppedWork, Store, ToolRecords, WorkCounts,
    activity::{insert_event, system_actor},
    engine::{Tx, query, transaction, within},
    jobs::add_job,
    parse_column, parse_json_column,
};

/// Keys that are read with one query.
const PAGE: i64 = 100;
/// The maximum number of mails about one leaked key.
const MAX_RECIPIENTS: i64 = 100;

/// The notice that a key needs at the time `$1`, in days before its expiry.
const DAYS: &str =
    "CASE WHEN expires_at <= $1 + 86400000 THEN 1 WHEN expires_at <= $1 + 259200000 THEN 3 ELSE 14 END";

/// Keys that need a notice at the time `$1`. A notice for a time before the key was created is left out: the creator chose
/// the expiry only then.
fn needs_notice() -> String {
    format!(
        "revoked_at IS NULL AND expires_at > $1 AND expires_at <= $1 + 1209600000 \
         AND created_at < expires_at - ({DAYS}) * 86400000 \
         AND (expiry_notice_for IS NULL OR expiry_notice_for <> expires_at OR expiry_notice_days > {DAYS})"
    )
}

#[derive(FromRow)]
struct ExpiringRow {
    created_by: String,
    label: String,
    prefix: String,
    expires_at: i64,
    expiry_notice_days: i64,
}

#[derive(FromRow)]
struct NoticeRow {
    purpose: String,
    key_notice: String,
    revoked_at: Option<i64>,
    expires_at: Option<i64>,
}

/// What is known of a leak.
#[derive(Debug, Clone)]
pub struct Leak<'a> {
    /// Where the key was found, as the reporter says. It must be clean.
    pub source: Option<&'a str>,
    /// The ids of the mails start with this. `None`: no mails are sent.
    pub email_prefix: Option<String>,
}

impl Store {
    /// Records every notice that is due: 14, 3 and 1 days before a key expires. Each is recorded once, also with several
    /// instances and after restarts. If several are due, only the last one is recorded. The creator gets a mail if they are
    /// still a member with an address.
    ///
    /// It looks at the keys of all brands. Returns the number of notices.
    pub async fn notify_expiring_keys(
        &self,
        now: Timestamp,
        can_mail: bool,
        random: &mut (impl CryptoRng + Send),
    ) -> Result<u64, StoreError> {
        let (mut notices, mut last) = (0, String::new());
        loop {
            let page = self.keys_that_need_notice(&last, now).await?;
            for (brand, key) in &page {
                let (event_id, email_id, job_id) =
                    (id::fresh("evt", random), id::fresh("mail", random), id::fresh("job", random));
                let mail = can_mail.then_some((email_id.as_str(), job_id.as_str()));
                match self.notify_of_expiry(brand, key, event_id, mail, now).await {
                    Ok(recorded) => notices += u64::from(recorded),
                    // An unreadable row must not keep the notices from the other keys. The store has logged it.
                    Err(StoreError::Internal) => {}
                    Err(StoreError::Unavailable) => return Err(StoreError::Unavailable),
                }
            }
            match page.last() {
                Some((_, key)) => last.clone_from(key),
                None => break,
            }
        }
        if notices > 0 {
            self.job_added.notify_waiters();
        }
        Ok(notices)
    }

    async fn keys_that_need_notice(
        &self,
        after: &str,
        now: Timestamp,
    ) -> Result<Vec<(String, String)>, StoreError> {
        self.run_patiently("expiring_keys", async {
            let sql = format!(
                "SELECT brand_id, key_id FROM keys WHERE {} AND key_id > $2 ORDER BY key_id LIMIT $3 + 0",
                needs_notice()
            );
            query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                .bind(now.millis())
                .bind(after)
                .bind(PAGE)
                .fetch_all(db)
                .await)
        })
        .await
    }

    /// Records one notice with its event and mail. False: another instance was faster, or the key has changed.
    async fn notify_of_expiry(
        &self,
        brand: &str,
        key: &str,
        event_id: String,
        mail: Option<(&str, &str)>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.run_patiently("notify_of_expiry", async {
            let (brand, key): (BrandId, KeyId) =
                (parse_column(brand, "brand id")?, parse_column(key, "key id")?);
            let sql = format!(
                "UPDATE keys SET expiry_notice_days = {DAYS}, expiry_notice_for = expires_at \
                 WHERE brand_id = $2 AND key_id = $3 AND {} \
                 RETURNING created_by, label, prefix, expires_at, expiry_notice_days",
                needs_notice()
            );
            transaction!(&self.engine, |tx| {
                let row: Option<ExpiringRow> = sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(now.millis())
                    .bind(brand.as_str())
                    .bind(key.as_str())
                    .fetch_optional(&mut *tx)
                    .await?;
                let is_due = row.is_some();
                if let Some(row) = row {
                    let mut tx = Tx::from(&mut *tx);
                    insert_event(&mut tx, &brand, &expiring_event(event_id, &key, &row, now)).await?;
                    let creator: UserId = parse_column(&row.created_by, "user id")?;
                    if let Some((email_id, job_id)) = mail
                        && let Some(recipient) = address_of(&mut tx, &brand, &creator).await?
                    {
                        let notice = KeyNotice::Expiring {
                            label: row.label,
                            prefix: row.prefix,
                            expires_at: Timestamp::from_millis(row.expires_at),
                        };
                        let mail = KeyMail { purpose: EmailPurpose::KeyExpiring, key: &key, notice: &notice };
                        mail.add(&mut tx, &brand, (email_id, job_id), &recipient, now).await?;
                    }
                }
                is_due
            })
        })
        .await
    }

    async fn key_notice(
        &self,
        brand: &BrandId,
        email_id: &str,
        now: Timestamp,
    ) -> Result<Option<KeyNotice>, StoreError> {
        self.run_patiently("key_notice", async {
            // An address is in lower case, and a membership has it as it was entered.
            let sql = "SELECT e.purpose, e.key_notice, k.revoked_at, k.expires_at FROM report_emails e \
                 JOIN keys k ON k.brand_id = e.brand_id AND k.key_id = e.key_id \
                 WHERE e.brand_id = $1 AND e.email_id = $2 AND EXISTS (SELECT 1 FROM members m \
                   WHERE m.brand_id = e.brand_id AND LOWER(m.email) = e.recipient \
                   AND (m.user_id = k.created_by OR (e.purpose = 'key_leaked' AND m.role = 'admin')))";
            let row: Option<NoticeRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(email_id)
                .fetch_optional(db)
                .await)?;
            let Some(row) = row else { return Ok(None) };
            let notice: KeyNotice = parse_json_column(&row.key_notice, "notice")?;
            let purpose: EmailPurpose = parse_column(&row.purpose, "purpose of a mail")?;
            let is_true = match &notice {
                KeyNotice::Expiring { expires_at, .. } => {
                    row.revoked_at.is_none()
                        && row.expires_at == Some(expires_at.millis())
                        && *expires_at > now
                }
                KeyNotice::Leaked { .. } => purpose == EmailPurpose::KeyLeaked,
            };
            Ok(is_true.then_some(notice))
        })
        .await
    }
}

#[async_trait]
impl KeyNoticeRecords for ToolRecords {
    async fn key_notice(
        &self,
        brand: &BrandId,
        email_id: &str,
        now: Timestamp,
    ) -> Result<Option<KeyNotice>, StoreError> {
        self.store.key_notice(brand, email_id, now).await
    }
}

/// Queues mails to the creator and the administrators, in the transaction that revokes the key.
pub(crate) async fn add_leak_emails(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
    leak: &Leak<'_>,
    stopped: &StoppedWork,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let Some(prefix) = &leak.email_prefix else { return Ok(()) };
    let sql = "SELECT label, prefix FROM keys WHERE brand_id = $1 AND key_id = $2";
    let (label, shown): (String, String) =
        within!(tx, |db| sqlx::query_as(sql).bind(brand.as_str()).bind(key.as_str()).fetch_one(db).await)?;
    let WorkCounts { posts, mails, jobs, approvals, schedules } = stopped.cancelled;
    let sending = stopped.already_sending;
    let notice = KeyNotice::Leaked {
        label,
        prefix: shown,
        revoked_at: now,
        source: leak.source.map(str::to_owned),
        cancelled: CancelledWork { posts, mails, jobs, approvals, schedules },
        already_sending: sending.posts + sending.mails + sending.jobs,
    };
    let mail = KeyMail { purpose: EmailPurpose::KeyLeaked, key, notice: &notice };
    for (number, recipient) in people_to_warn(tx, brand, key).await?.iter().enumerate() {
        let ids = (format!("{prefix}-{number}"), format!("{prefix}-{number}-job"));
        mail.add(tx, brand, (&ids.0, &ids.1), recipient, now).await?;
    }
    Ok(())
}

/// A mail about a key.
struct KeyMail<'a> {
    purpose: EmailPurpose,
    key: &'a KeyId,
    notice: &'a KeyNotice,
}

impl KeyMail<'_> {
    /// Queues it, with the job that sends it. The job belongs to no key, so a revoke does not cancel it.
    async fn add(
        &self,
        tx: &mut Tx<'_>,
        brand: &BrandId,
        (email_id, job_id): (&str, &str),
        recipient: &EmailAddress,
        now: Timestamp,
    ) -> Result<(), sqlx::Error> {
        let notice = serde_json::to_string(self.notice).expect("a notice is JSON");
        within!(tx, |db| {
            sqlx::query(
            "INSERT INTO report_emails (brand_id, email_id, purpose, recipient, status, attempts, created_at, key_id, \
             key_notice) VALUES ($1, $2, $3, $4, 'queued', 0, $5, $6, $7)",
        )
        .bind(brand.as_str())
        .bind(email_id)
        .bind(self.purpose.as_str())
        .bind(recipient.as_str())
        .bind(now.millis())
        .bind(self.key.as_str())
        .bind(&notice)
        .execute(db)
        .await
        .map(|_| ())
        })?;
        let job = NewJob {
            job_id: job_id.to_owned(),
            kind: JobKind::ReportEmail,
            subject: email_id.to_owned(),
            concurrency_key: None,
            due: now,
        };
        add_job(tx, brand, None, &job, now).await
    }
}

fn expiring_event(event_id: String, key: &KeyId, row: &ExpiringRow, now: Timestamp) -> NewEvent {
    NewEvent {
        event_id,
        at: now,
        kind: EventKind::Expiring,
        key_id: key.clone(),
        actor: system_actor(),
        tool: None,
        outcome: EventOutcome::Ok,
        reason: Some(match row.expiry_notice_days {
            1 => "in_1_day",
            3 => "in_3_days",
            _ => "in_14_days",
        }),
        latency_us: None,
    }
}

/// The address of a member. `None`: they have none that can get mails, or are not a member any more.
async fn address_of(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    user: &UserId,
) -> Result<Option<EmailAddress>, sqlx::Error> {
    let sql = "SELECT email FROM members WHERE brand_id = $1 AND user_id = $2 AND email IS NOT NULL";
    let email: Option<String> = within!(tx, |db| sqlx::query_scalar(sql)
        .bind(brand.as_str())
        .bind(user.as_str())
        .fetch_optional(db)
        .await)?;
    Ok(email.and_then(|email| email.parse().ok()))
}

/// The creator of the key, if they are still a member, and the administrators. Two with the same address get one mail.
async fn people_to_warn(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
) -> Result<Vec<EmailAddress>, sqlx::Error> {
    let sql = "SELECT m.email FROM members m JOIN keys k ON k.brand_id = m.brand_id AND k.key_id = $2 \
         WHERE m.brand_id = $1 AND m.email IS NOT NULL AND (m.user_id = k.created_by OR m.role = 'admin') \
         ORDER BY CASE WHEN m.user_id = k.created_by THEN 0 ELSE 1 END, m.user_id LIMIT $3 + 0";
    let rows: Vec<(String,)> = within!(tx, |db| sqlx::query_as(sql)
        .bind(brand.as_str())
        .bind(key.as_str())
        .bind(MAX_RECIPIENTS)
        .fetch_all(db)
        .await)?;
    let mut people: Vec<EmailAddress> = Vec::new();
    for (address,) in rows {
        // One address that cannot get mails must not keep them from the others.
        if let Ok(address) = address.parse()
            && !people.contains(&address)
        {
            people.push(address);
        }
    }
    Ok(people)
}
