//! Switches off an endpoint that has failed for too long, and queues the mails about it.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, EndpointId, StoreError, Timestamp};
use svc_mcp_tools::{
    events::{EndpointNotice, EventQueue},
    jobs::{JobKind, NewJob},
    report::{EmailAddress, EmailPurpose},
};

use crate::{
    Store,
    engine::{Tx, query, within},
    jobs::add_job,
    parse_json_column,
};

/// The maximum number of mails about one endpoint.
const MAX_RECIPIENTS: i64 = 100;
const GIVEN_UP: &str = "The endpoint was switched off.";

pub(super) struct SwitchOff<'a> {
    pub(super) brand: &'a BrandId,
    pub(super) endpoint: &'a EndpointId,
    pub(super) failing_since: Timestamp,
    /// The last error.
    pub(super) error: &'a str,
    /// The ids of the mails start with this. `None`: no mails are sent.
    pub(super) email_prefix: Option<&'a str>,
}

#[derive(FromRow)]
struct NoticeRow {
    endpoint_notice: String,
}

/// Switches the endpoint off and gives up what waits for it.
pub(super) async fn switch_off(
    tx: &mut Tx<'_>,
    off: &SwitchOff<'_>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let (brand, endpoint) = (off.brand, off.endpoint);
    let sql = "UPDATE event_endpoints SET disabled_at = $3, disabled_reason = $4 \
               WHERE brand_id = $1 AND endpoint_id = $2 AND disabled_at IS NULL";
    let changed = within!(tx, |db| sqlx::query(sql)
        .bind(brand.as_str())
        .bind(endpoint.as_str())
        .bind(now.millis())
        .bind(off.error)
        .execute(db)
        .await
        .map(|done| done.rows_affected()))?;
    if changed == 0 {
        return Ok(());
    }
    give_up_waiting(tx, &EventQueue::Endpoint(brand.clone(), endpoint.clone())).await?;
    let Some(prefix) = off.email_prefix else { return Ok(()) };
    let notice = EndpointNotice {
        endpoint_id: endpoint.clone(),
        failing_since: off.failing_since,
        disabled_at: now,
        last_error: off.error.to_owned(),
    };
    let notice = serde_json::to_string(&notice).expect("a notice is JSON");
    for (number, recipient) in administrators(tx, brand).await?.iter().enumerate() {
        add_mail(tx, brand, &format!("{prefix}-{number}"), recipient, &notice, now).await?;
    }
    Ok(())
}

/// Gives up what waits for an endpoint that was switched off.
pub(super) async fn give_up_waiting(tx: &mut Tx<'_>, queue: &EventQueue) -> Result<(), sqlx::Error> {
    let sql = "UPDATE event_deliveries SET state = 'failed', lease = NULL, last_error = $2 \
               WHERE state = 'pending' AND queue = $1";
    within!(tx, |db| sqlx::query(sql).bind(queue.name()).bind(GIVEN_UP).execute(db).await.map(|_| ()))
}

/// Two with the same address get one mail.
async fn administrators(tx: &mut Tx<'_>, brand: &BrandId) -> Result<Vec<EmailAddress>, sqlx::Error> {
    let sql = "SELECT email FROM members WHERE brand_id = $1 AND role = 'admin' AND email IS NOT NULL \
               ORDER BY user_id LIMIT $2 + 0";
    let rows: Vec<String> = within!(tx, |db| sqlx::query_scalar(sql)
        .bind(brand.as_str())
        .bind(MAX_RECIPIENTS)
        .fetch_all(db)
        .await)?;
    let mut people: Vec<EmailAddress> = Vec::new();
    for address in rows {
        // One address that cannot get mails must not keep them from the others.
        if let Ok(address) = address.parse()
            && !people.contains(&address)
        {
            people.push(address);
        }
    }
    Ok(people)
}

/// Queues a mail, with the job that sends it. The job belongs to no key.
async fn add_mail(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    email_id: &str,
    recipient: &EmailAddress,
    notice: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO report_emails (brand_id, email_id, purpose, recipient, status, attempts, created_at, \
               endpoint_notice) VALUES ($1, $2, $3, $4, 'queued', 0, $5, $6)";
    within!(tx, |db| sqlx::query(sql)
        .bind(brand.as_str())
        .bind(email_id)
        .bind(EmailPurpose::EndpointOff.as_str())
        .bind(recipient.as_str())
        .bind(now.millis())
        .bind(notice)
        .execute(db)
        .await
        .map(|_| ()))?;
    let job = NewJob {
        job_id: format!("{email_id}-job"),
        kind: JobKind::ReportEmail,
        subject: email_id.to_owned(),
        concurrency_key: None,
        due: now,
    };
    add_job(tx, brand, None, &job, now).await
}

impl Store {
    /// `None`: the recipient is no longer an administrator, or the endpoint is on again or deleted.
    pub(crate) async fn endpoint_notice(
        &self,
        brand: &BrandId,
        email_id: &str,
    ) -> Result<Option<EndpointNotice>, StoreError> {
        self.run_patiently("endpoint_notice", async {
            // An address is in lower case, and a membership has it as it was entered.
            let sql = "SELECT e.endpoint_notice FROM report_emails e WHERE e.brand_id = $1 AND e.email_id = $2 \
                       AND e.endpoint_notice IS NOT NULL AND EXISTS (SELECT 1 FROM members m \
                         WHERE m.brand_id = e.brand_id AND LOWER(m.email) = e.recipient AND m.role = 'admin')";
            let row: Option<NoticeRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(email_id)
                .fetch_optional(db)
                .await)?;
            let Some(row) = row else { return Ok(None) };
            let notice: EndpointNotice = parse_json_column(&row.endpoint_notice, "notice")?;
            let sql = "SELECT disabled_at FROM event_endpoints WHERE brand_id = $1 AND endpoint_id = $2";
            let disabled_at: Option<Option<i64>> = query!(&self.engine, |db| sqlx::query_scalar(sql)
                .bind(brand.as_str())
                .bind(notice.endpoint_id.as_str())
                .fetch_optional(db)
                .await)?;
            let is_true = disabled_at.flatten() == Some(notice.disabled_at.millis());
            Ok(is_true.then_some(notice))
        })
        .await
    }
}
