//! The changes of reports that calls and jobs commit.

use svc_mcp_access::{BrandId, Timestamp};
use svc_mcp_tools::report::{EmailPurpose, EmailStatus, LinkDigest, ReportChange};

use super::emails::{add_email, add_report, set_status};
use crate::engine::{Tx, within};

pub(crate) async fn apply_report_change(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &ReportChange,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    match change {
        ReportChange::Order { report, emails } => add_report(tx, brand, report, emails, now).await?,
        ReportChange::OrderTest { emails } => {
            for email in emails {
                let (id, recipient) = (&email.email_id, &email.recipient);
                add_email(tx, brand, EmailPurpose::Test, None, id, recipient, now).await?;
            }
        }
        ReportChange::MarkSending { email_id, attempts, link } => {
            within!(tx, |db| {
                sqlx::query(
                "UPDATE report_emails SET status = 'sending', attempts = $3, link_digest = $4, handed_over_at = $5 \
                 WHERE brand_id = $1 AND email_id = $2 AND status = 'queued'",
            )
            .bind(brand.as_str())
            .bind(email_id)
            .bind(i64::from(*attempts))
            .bind(link.as_ref().map(LinkDigest::as_bytes))
            .bind(now.millis())
            .execute(db)
            .await
            .map(|_| ())
            })?;
        }
        ReportChange::Requeue { email_id, attempts, answer } => {
            let status = EmailStatus::Queued;
            set_status(tx, brand, email_id, *attempts, status, answer, None).await?;
        }
        ReportChange::Ended { email_id, attempts, status, answer } => {
            set_status(tx, brand, email_id, *attempts, *status, answer, Some(now)).await?;
        }
        ReportChange::GiveUp { email_id, reason } => {
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
    Ok(())
}
