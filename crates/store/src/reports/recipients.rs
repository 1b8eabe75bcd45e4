//! The recipients of a brand's reports, and their consent.

use std::collections::BTreeSet;

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_tools::report::{
    EmailAddress, EmailPurpose, LinkDigest, ListedRecipient, Recipient, TooManyConfirmationsError,
    people_to_ask,
};

use super::emails::add_email;
use crate::{
    Store,
    access_change::AccessChange,
    audit_log::{AuditAction, Fields, NewAuditRecord},
    brands::lock_brand,
    engine::{Tx, query, transaction, within},
    error::Abort,
    jobs::add_job,
    parse_column,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SetRecipientsError {
    #[error(transparent)]
    TooManyConfirmations(#[from] TooManyConfirmationsError),
    #[error("new recipients are asked by mail, and the service has no mail server")]
    CannotAsk,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(FromRow)]
struct RecipientRow {
    address: String,
    status: String,
    listed: i64,
    asked_at: Option<i64>,
    confirmed_at: Option<i64>,
    suppressed_at: Option<i64>,
}

impl TryFrom<RecipientRow> for Recipient {
    type Error = sqlx::Error;

    fn try_from(row: RecipientRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            address: parse_column(&row.address, "address")?,
            status: parse_column(&row.status, "status of a recipient")?,
            listed: row.listed != 0,
            asked_at: row.asked_at.map(Timestamp::from_millis),
            confirmed_at: row.confirmed_at.map(Timestamp::from_millis),
            suppressed_at: row.suppressed_at.map(Timestamp::from_millis),
        })
    }
}

const COLUMNS: &str = "address, status, listed, asked_at, confirmed_at, suppressed_at";
const ALL: &str = "SELECT address, status, listed, asked_at, confirmed_at, suppressed_at FROM report_recipients \
     WHERE brand_id = $1 ORDER BY address";
const CONFIRM: &str = "UPDATE report_recipients SET status = 'confirmed', confirmed_at = $3, suppressed_at = NULL \
     WHERE brand_id = $1 AND address = $2";

impl Store {
    pub(crate) async fn report_recipients(&self, brand: &BrandId) -> Result<Vec<Recipient>, StoreError> {
        self.run_for(brand, "report_recipients", async {
            let rows: Vec<RecipientRow> =
                query!(&self.engine, |db| sqlx::query_as(ALL).bind(brand.as_str()).fetch_all(db).await)?;
            rows.into_iter().map(Recipient::try_from).collect()
        })
        .await
    }

    pub(super) async fn report_recipient(
        &self,
        brand: &BrandId,
        address: &EmailAddress,
    ) -> Result<Option<Recipient>, sqlx::Error> {
        let sql = format!("SELECT {COLUMNS} FROM report_recipients WHERE brand_id = $1 AND address = $2");
        let row: Option<RecipientRow> = query!(&self.engine, |db| {
            sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                .bind(brand.as_str())
                .bind(address.as_str())
                .fetch_optional(db)
                .await
        })?;
        row.map(Recipient::try_from).transpose()
    }

    /// The recipient of the mail with this link.
    pub async fn holder_of_link(
        &self,
        brand: &BrandId,
        purpose: EmailPurpose,
        link: &LinkDigest,
    ) -> Result<Option<EmailAddress>, StoreError> {
        // The link of a test email unsubscribes too.
        let also = if purpose == EmailPurpose::Report { EmailPurpose::Test } else { purpose };
        self.run_for(brand, "holder_of_link", async {
            let found: Option<(String,)> = query!(&self.engine, |db| {
                sqlx::query_as(
                    "SELECT recipient FROM report_emails WHERE brand_id = $1 AND purpose IN ($2, $4) AND link_digest = $3",
                )
                .bind(brand.as_str())
                .bind(purpose.as_str())
                .bind(link.as_bytes())
                .bind(also.as_str())
                .fetch_optional(db)
                .await
            })?;
            found.map(|(address,)| parse_column(&address, "address")).transpose()
        })
        .await
    }

    /// Records the answer of the recipient of a link: the link of a confirmation mail subscribes, the link of a report
    /// unsubscribes. `None`: there is no such link.
    pub async fn answer_by_link(
        &self,
        brand: &BrandId,
        purpose: EmailPurpose,
        link: &LinkDigest,
        now: Timestamp,
    ) -> Result<Option<EmailAddress>, StoreError> {
        let holder = self.holder_of_link(brand, purpose, link).await?;
        let Some(address) = holder else { return Ok(None) };
        self.record_answer(brand, purpose, &address, now).await?;
        Ok(Some(address))
    }

    /// Records that a recipient subscribes (`Confirmation`) or unsubscribes (`Report`).
    pub async fn record_answer(
        &self,
        brand: &BrandId,
        purpose: EmailPurpose,
        address: &EmailAddress,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        // An unsubscription is stored even for an address that is not listed, because it may be listed again.
        let sql = match purpose {
            EmailPurpose::Confirmation => CONFIRM,
            EmailPurpose::Report | EmailPurpose::Test => {
                "INSERT INTO report_recipients (brand_id, address, status, listed, suppressed_at) \
                 VALUES ($1, $2, 'suppressed', 0, $3) ON CONFLICT (brand_id, address) DO UPDATE SET \
                 suppressed_at = CASE WHEN report_recipients.status = 'suppressed' \
                   THEN report_recipients.suppressed_at ELSE excluded.suppressed_at END, status = 'suppressed'"
            }
            // These mails have no link to answer with.
            EmailPurpose::Approvals
            | EmailPurpose::KeyExpiring
            | EmailPurpose::KeyLeaked
            | EmailPurpose::EndpointOff => return Ok(()),
        };
        let change = self
            .run_for(brand, "answer_by_link", async {
                transaction!(&self.engine, |tx| {
                    sqlx::query(sql)
                        .bind(brand.as_str())
                        .bind(address.as_str())
                        .bind(now.millis())
                        .execute(&mut *tx)
                        .await?;
                    AccessChange::record_brand(&mut Tx::from(&mut *tx), brand).await?
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }
    /// Replaces the brand's list of recipients, and asks new people by mail whether they want the reports. It
    /// chooses these people under the brand's lock. Otherwise concurrent requests would ask the same person several times.
    pub async fn set_report_recipients(
        &self,
        brand: &BrandId,
        wanted: &[ListedRecipient],
        can_mail: bool,
        now: Timestamp,
    ) -> Result<(), SetRecipientsError> {
        let change = self
            .run_for_or_refuse(brand, "set_recipients", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let record = replace_recipients(&mut tx, brand, wanted, can_mail, now).await?;
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    self.add_audit_records(&mut tx, record).await?;
                    change
                })
            })
            .await?;
        self.job_added.notify_waiters();
        self.publish(change).await;
        Ok(())
    }

    /// Adds a recipient with a confirmed address.
    pub async fn add_confirmed_recipient(
        &self,
        brand: &BrandId,
        address: &EmailAddress,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let change = self
            .run_for(brand, "add_recipient", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    list_recipient(&mut tx, brand, address).await?;
                    within!(&mut tx, |db| sqlx::query(CONFIRM)
                        .bind(brand.as_str())
                        .bind(address.as_str())
                        .bind(now.millis())
                        .execute(db)
                        .await
                        .map(|_| ()))?;
                    AccessChange::record_brand(&mut tx, brand).await?
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }
}

/// Returns the record for the audit log, if the list has changed.
async fn replace_recipients(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    wanted: &[ListedRecipient],
    can_mail: bool,
    now: Timestamp,
) -> Result<Option<NewAuditRecord>, Abort<SetRecipientsError>> {
    lock_brand(tx, brand).await?;
    let rows: Vec<RecipientRow> =
        within!(tx, |db| sqlx::query_as(ALL).bind(brand.as_str()).fetch_all(db).await)?;
    let known = rows.into_iter().map(Recipient::try_from).collect::<Result<Vec<_>, _>>()?;
    let to_ask = people_to_ask(&known, wanted, now).map_err(|error| Abort::Refused(error.into()))?;
    if !to_ask.is_empty() && !can_mail {
        return Err(Abort::Refused(SetRecipientsError::CannotAsk));
    }
    within!(tx, |db| sqlx::query("UPDATE report_recipients SET listed = 0 WHERE brand_id = $1")
        .bind(brand.as_str())
        .execute(db)
        .await
        .map(|_| ()))?;
    for recipient in wanted {
        list_recipient(tx, brand, &recipient.address).await?;
    }
    for ListedRecipient { address, email_id, job } in to_ask {
        within!(tx, |db| sqlx::query(
            "UPDATE report_recipients SET asked_at = $3 WHERE brand_id = $1 AND address = $2",
        )
        .bind(brand.as_str())
        .bind(address.as_str())
        .bind(now.millis())
        .execute(db)
        .await
        .map(|_| ()))?;
        add_email(tx, brand, EmailPurpose::Confirmation, None, email_id, address, now).await?;
        add_job(tx, brand, None, job, now).await?;
    }
    let before = known.iter().filter(|recipient| recipient.listed).map(|recipient| &recipient.address);
    let (before, after) = (of_list(before), of_list(wanted.iter().map(|recipient| &recipient.address)));
    let record = NewAuditRecord::new(AuditAction::ReportRecipientsPut, Some(brand), brand.as_str());
    Ok(record.with_change(Some(&before), &after))
}

/// The addresses are only compared.
fn of_list<'a>(addresses: impl Iterator<Item = &'a EmailAddress>) -> Fields {
    let addresses: BTreeSet<&str> = addresses.map(EmailAddress::as_str).collect();
    Fields::default().show("count", addresses.len()).hide("addresses", &addresses)
}

/// Puts a person on the list. What they answered before stays.
async fn list_recipient(tx: &mut Tx<'_>, brand: &BrandId, address: &EmailAddress) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "INSERT INTO report_recipients (brand_id, address, status, listed) VALUES ($1, $2, 'pending', 1) \
         ON CONFLICT (brand_id, address) DO UPDATE SET listed = 1",
    )
    .bind(brand.as_str())
    .bind(address.as_str())
    .execute(db)
    .await
    .map(|_| ()))
}
