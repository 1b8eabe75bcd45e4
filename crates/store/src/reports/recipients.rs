//! Who gets a brand's reports, and what they said.

use sqlx::FromRow;
use svc_mcp_access::{BrandId, Timestamp, decision::Unavailable};
use svc_mcp_tools::report::{Address, Ask, LinkDigest, Purpose, Recipient};

use super::emails::add_email;
use crate::{
    Store,
    brands::one_at_a_time,
    cache::Changed,
    engine::{Tx, query, transaction, within},
    keys::bump_access_version,
    stored,
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
            address: stored(&row.address, "address")?,
            status: stored(&row.status, "status of a recipient")?,
            listed: row.listed != 0,
            asked_at: row.asked_at.map(Timestamp::from_millis),
            confirmed_at: row.confirmed_at.map(Timestamp::from_millis),
            suppressed_at: row.suppressed_at.map(Timestamp::from_millis),
        })
    }
}

const COLUMNS: &str = "address, status, listed, asked_at, confirmed_at, suppressed_at";

impl Store {
    pub(crate) async fn report_recipients(&self, brand: &BrandId) -> Result<Vec<Recipient>, Unavailable> {
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
        address: &Address,
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

    /// The person who got the mail with this link.
    pub async fn holder_of_link(
        &self,
        brand: &BrandId,
        purpose: Purpose,
        link: &LinkDigest,
    ) -> Result<Option<Address>, Unavailable> {
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
            found.map(|(address,)| stored(&address, "address")).transpose()
        })
        .await
    }

    /// What the holder of a link says: yes by that of a question, no by that of a report. `None`: no such link.
    pub async fn answer_by_link(
        &self,
        brand: &BrandId,
        purpose: Purpose,
        link: &LinkDigest,
        now: Timestamp,
    ) -> Result<Option<Address>, Unavailable> {
        let holder = self.holder_of_link(brand, purpose, link).await?;
        let Some(address) = holder else { return Ok(None) };
        self.record_answer(brand, purpose, &address, now).await?;
        Ok(Some(address))
    }

    /// What a person says of the brand's reports: yes to a question, no to a report.
    pub async fn record_answer(
        &self,
        brand: &BrandId,
        purpose: Purpose,
        address: &Address,
        now: Timestamp,
    ) -> Result<(), Unavailable> {
        // A no is kept even where nobody remembers the person: they may be listed again.
        let sql = match purpose {
            Purpose::Confirmation => {
                "UPDATE report_recipients SET status = 'confirmed', confirmed_at = $3, suppressed_at = NULL \
                 WHERE brand_id = $1 AND address = $2"
            }
            Purpose::Report => {
                "INSERT INTO report_recipients (brand_id, address, status, listed, suppressed_at) \
                 VALUES ($1, $2, 'suppressed', 0, $3) ON CONFLICT (brand_id, address) DO UPDATE SET \
                 suppressed_at = CASE WHEN report_recipients.status = 'suppressed' \
                   THEN report_recipients.suppressed_at ELSE excluded.suppressed_at END, status = 'suppressed'"
            }
        };
        let version = self
            .run("answer_by_link", async {
                transaction!(&self.engine, |tx| {
                    sqlx::query(sql)
                        .bind(brand.as_str())
                        .bind(address.as_str())
                        .bind(now.millis())
                        .execute(&mut *tx)
                        .await?;
                    bump_access_version!(tx)
                })
            })
            .await?;
        self.changed(Changed::Brand(brand), version).await;
        Ok(())
    }
}

/// Makes these addresses the brand's list.
pub(super) async fn list(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    addresses: &[Address],
    asks: &[Ask],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    // Two at once would both add theirs, and neither list would be the brand's.
    one_at_a_time(tx, brand).await?;
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
    for ask in asks {
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
