//! The recipients of a brand's reports, and their consent.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_tools::report::{ConfirmationRequest, EmailAddress, EmailPurpose, LinkDigest, Recipient};

use super::emails::add_email;
use crate::{
    Store,
    access_change::AccessChange,
    brands::lock_brand,
    engine::{Tx, query, transaction, within},
    parse_column,
};

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

impl Store {
    pub(crate) async fn report_recipients(&self, brand: &BrandId) -> Result<Vec<Recipient>, StoreError> {
        self.run("report_recipients", async {
            let sql = format!("SELECT {COLUMNS} FROM report_recipients WHERE brand_id = $1 ORDER BY address");
            let rows: Vec<RecipientRow> = query!(&self.engine, |db| {
                sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str())).bind(brand.as_str()).fetch_all(db).await
            })?;
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
        self.run("holder_of_link", async {
            let found: Option<(String,)> = query!(&self.engine, |db| {
                sqlx::query_as(
                    "SELECT recipient FROM report_emails WHERE brand_id = $1 AND purpose = $2 AND link_digest = $3",
                )
                .bind(brand.as_str())
                .bind(purpose.as_str())
                .bind(link.as_bytes())
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
            EmailPurpose::Confirmation => {
                "UPDATE report_recipients SET status = 'confirmed', confirmed_at = $3, suppressed_at = NULL \
                 WHERE brand_id = $1 AND address = $2"
            }
            EmailPurpose::Report => {
                "INSERT INTO report_recipients (brand_id, address, status, listed, suppressed_at) \
                 VALUES ($1, $2, 'suppressed', 0, $3) ON CONFLICT (brand_id, address) DO UPDATE SET \
                 suppressed_at = CASE WHEN report_recipients.status = 'suppressed' \
                   THEN report_recipients.suppressed_at ELSE excluded.suppressed_at END, status = 'suppressed'"
            }
        };
        let change = self
            .run("answer_by_link", async {
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
}

/// Replaces the brand's list of recipients.
pub(super) async fn replace_recipients(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    addresses: &[EmailAddress],
    confirmation_requests: &[ConfirmationRequest],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    // Otherwise two concurrent requests would merge their lists.
    lock_brand(tx, brand).await?;
    within!(tx, |db| sqlx::query("UPDATE report_recipients SET listed = 0 WHERE brand_id = $1")
        .bind(brand.as_str())
        .execute(db)
        .await
        .map(|_| ()))?;
    for address in addresses {
        within!(tx, |db| sqlx::query(
            "INSERT INTO report_recipients (brand_id, address, status, listed) VALUES ($1, $2, 'pending', 1) \
             ON CONFLICT (brand_id, address) DO UPDATE SET listed = 1",
        )
        .bind(brand.as_str())
        .bind(address.as_str())
        .execute(db)
        .await
        .map(|_| ()))?;
    }
    for ask in confirmation_requests {
        within!(tx, |db| sqlx::query(
            "UPDATE report_recipients SET asked_at = $3 WHERE brand_id = $1 AND address = $2",
        )
        .bind(brand.as_str())
        .bind(ask.address.as_str())
        .bind(now.millis())
        .execute(db)
        .await
        .map(|_| ()))?;
        add_email(tx, brand, None, &ask.email_id, &ask.address, now).await?;
    }
    Ok(())
}
