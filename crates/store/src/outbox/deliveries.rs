//! Deliveries as people see them: listed, and sent again.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, EndpointId, StoreError, Timestamp};
use svc_mcp_tools::events::{DeliveryState, EventQueue};

use super::endpoints::read_endpoint;
use crate::{
    Cursor, SearchPage, Store,
    audit_log::{AuditAction, NewAuditRecord},
    engine::{Tx, query, transaction, within},
    error::Abort,
    next_cursor, parse_column, start_after, unreadable,
};

/// Which deliveries to list, newest first.
#[derive(Debug, Clone, Default)]
pub struct DeliverySearch {
    pub endpoint: Option<EndpointId>,
    pub state: Option<DeliveryState>,
    pub after: Option<Cursor>,
    pub limit: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub delivery_id: String,
    /// `None`: the event belongs to no brand.
    pub brand_id: Option<BrandId>,
    pub queue: EventQueue,
    pub event_id: String,
    pub event_type: String,
    /// When the event happened.
    pub at: Timestamp,
    pub state: DeliveryState,
    pub attempts: u32,
    /// `None`: it is not tried again.
    pub next_try_at: Option<Timestamp>,
    pub last_try_at: Option<Timestamp>,
    /// The status of the last answer. `None`: there was none.
    pub last_status: Option<u16>,
    pub last_error: Option<String>,
    pub delivered_at: Option<Timestamp>,
}

/// Why a delivery is not sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ResendError {
    #[error("there is no such delivery")]
    Unknown,
    #[error("the endpoint is off; switch it on first")]
    EndpointOff,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whose deliveries.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DeliveriesOf<'a> {
    /// Those to the brand's own endpoints.
    Brand(&'a BrandId),
    /// All, for the operator.
    All { brand: Option<&'a BrandId> },
}

impl DeliveriesOf<'_> {
    /// A condition with [`brand`](Self::brand) as `$1`.
    fn condition(self) -> &'static str {
        match self {
            Self::Brand(_) => "brand_id = $1 AND queue <> 'operator'",
            Self::All { brand: Some(_) } => "brand_id = $1",
            Self::All { brand: None } => "$1 = ''",
        }
    }

    fn brand(&self) -> &str {
        match self {
            Self::Brand(brand) | Self::All { brand: Some(brand) } => brand.as_str(),
            Self::All { brand: None } => "",
        }
    }
}

#[derive(FromRow)]
struct DeliveryRow {
    delivery_id: String,
    brand_id: Option<String>,
    queue: String,
    event_id: String,
    #[sqlx(rename = "type")]
    event_type: String,
    at: i64,
    state: String,
    attempts: i64,
    next_try_at: i64,
    last_try_at: Option<i64>,
    last_status: Option<i64>,
    last_error: Option<String>,
    delivered_at: Option<i64>,
}

const COLUMNS: &str = "delivery_id, brand_id, queue, event_id, type, at, state, attempts, next_try_at, last_try_at, \
    last_status, last_error, delivered_at";

impl TryFrom<DeliveryRow> for Delivery {
    type Error = sqlx::Error;

    fn try_from(row: DeliveryRow) -> Result<Self, sqlx::Error> {
        let state = parse_column(&row.state, "state of a delivery")?;
        let brand = row.brand_id.map(|brand| parse_column(&brand, "brand id"));
        Ok(Self {
            delivery_id: row.delivery_id,
            brand_id: brand.transpose()?,
            queue: EventQueue::parse(&row.queue).ok_or_else(|| unreadable("queue"))?,
            event_id: row.event_id,
            event_type: row.event_type,
            at: Timestamp::from_millis(row.at),
            state,
            attempts: u32::try_from(row.attempts).unwrap_or(u32::MAX),
            next_try_at: (state == DeliveryState::Pending).then(|| Timestamp::from_millis(row.next_try_at)),
            last_try_at: row.last_try_at.map(Timestamp::from_millis),
            last_status: row.last_status.and_then(|status| u16::try_from(status).ok()),
            last_error: row.last_error,
            delivered_at: row.delivered_at.map(Timestamp::from_millis),
        })
    }
}

impl Store {
    /// The deliveries to the brand's endpoints.
    pub async fn event_deliveries(
        &self,
        brand: &BrandId,
        search: &DeliverySearch,
    ) -> Result<SearchPage<Delivery>, StoreError> {
        let work = self.find_deliveries(DeliveriesOf::Brand(brand), search);
        self.run_for(brand, "event_deliveries", work).await
    }

    /// Sends a delivery to one of the brand's endpoints again, as the same event. It is due now, and has all its tries.
    pub async fn resend_delivery(
        &self,
        brand: &BrandId,
        delivery_id: &str,
        now: Timestamp,
    ) -> Result<Delivery, ResendError> {
        let work = self.resend(DeliveriesOf::Brand(brand), delivery_id, now);
        self.run_for_or_refuse(brand, "resend_delivery", work).await
    }

    pub(crate) async fn find_deliveries(
        &self,
        whose: DeliveriesOf<'_>,
        search: &DeliverySearch,
    ) -> Result<SearchPage<Delivery>, sqlx::Error> {
        let sql = format!(
            "SELECT {COLUMNS} FROM event_deliveries WHERE {} AND ($2 = '' OR endpoint_id = $2) \
             AND ($3 = '' OR state = $3) AND (at < $4 OR (at = $4 AND delivery_id < $5)) \
             ORDER BY at DESC, delivery_id DESC LIMIT $6 + 0",
            whose.condition()
        );
        let (at, id) = start_after(search.after.as_ref());
        let rows: Vec<DeliveryRow> =
            query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                .bind(whose.brand())
                .bind(search.endpoint.as_ref().map_or("", EndpointId::as_str))
                .bind(search.state.map_or("", DeliveryState::as_str))
                .bind(at)
                .bind(id)
                .bind(i64::from(search.limit) + 1)
                .fetch_all(db)
                .await)?;
        let mut items = rows.into_iter().map(Delivery::try_from).collect::<Result<Vec<_>, _>>()?;
        let next = next_cursor(&mut items, search.limit, |delivery| Cursor {
            at: delivery.at,
            id: delivery.delivery_id.clone(),
        });
        Ok(SearchPage { items, next })
    }

    pub(crate) async fn resend(
        &self,
        whose: DeliveriesOf<'_>,
        delivery_id: &str,
        now: Timestamp,
    ) -> Result<Delivery, Abort<ResendError>> {
        transaction!(&self.engine, |tx| {
            let mut tx = Tx::from(&mut *tx);
            let found = read_delivery(&mut tx, whose, delivery_id).await?;
            let found = found.ok_or(Abort::Refused(ResendError::Unknown))?;
            if let EventQueue::Endpoint(brand, endpoint) = &found.queue {
                let endpoint = read_endpoint(&mut tx, brand, endpoint).await?;
                if !endpoint.is_some_and(|endpoint| endpoint.is_on()) {
                    return Err(Abort::Refused(ResendError::EndpointOff));
                }
            }
            // One that is being sent now is left alone.
            let sql = "UPDATE event_deliveries SET state = 'pending', attempts = 0, next_try_at = $2, lease = NULL, \
                       delivered_at = NULL WHERE delivery_id = $1 \
                       AND (state <> 'pending' OR lease IS NULL OR next_try_at <= $2)";
            within!(&mut tx, |db| sqlx::query(sql)
                .bind(delivery_id)
                .bind(now.millis())
                .execute(db)
                .await
                .map(|_| ()))?;
            let changed = read_delivery(&mut tx, whose, delivery_id).await?;
            let changed = changed.ok_or(Abort::Refused(ResendError::Unknown))?;
            let record =
                NewAuditRecord::new(AuditAction::EventDeliveryResend, found.brand_id.as_ref(), delivery_id);
            self.add_audit_records(&mut tx, [record]).await?;
            changed
        })
    }
}

async fn read_delivery(
    tx: &mut Tx<'_>,
    whose: DeliveriesOf<'_>,
    delivery_id: &str,
) -> Result<Option<Delivery>, sqlx::Error> {
    let sql =
        format!("SELECT {COLUMNS} FROM event_deliveries WHERE {} AND delivery_id = $2", whose.condition());
    let row: Option<DeliveryRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(whose.brand())
        .bind(delivery_id)
        .fetch_optional(db)
        .await)?;
    row.map(Delivery::try_from).transpose()
}
