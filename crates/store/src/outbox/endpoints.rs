//! The event endpoints of brands, and whether the operator has one.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, EndpointId, StoreError, Timestamp, key::Sealed};
use svc_mcp_tools::events::{EventEndpoint, EventQueue, EventType, MAX_ENDPOINTS};

use crate::{
    Store,
    audit_log::{AuditAction, Fields, NewAuditRecord, of_event_endpoint},
    brands::lock_brand,
    engine::{Tx, query, transaction, within},
    error::Abort,
    parse_column, parse_json_column, unreadable,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PutEndpointError {
    #[error("the brand has {MAX_ENDPOINTS} event endpoints")]
    LimitReached,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The sealed secret of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedEndpoint {
    pub brand_id: BrandId,
    pub endpoint_id: EndpointId,
    pub sealed: Sealed,
}

#[derive(FromRow)]
struct EndpointRow {
    endpoint_id: String,
    url: String,
    types: Option<String>,
    enabled: i64,
    sealing_key: String,
    sealed: Vec<u8>,
    failing_since: Option<i64>,
    disabled_at: Option<i64>,
    disabled_reason: Option<String>,
    dropped: i64,
    created_at: i64,
    updated_at: i64,
}

#[derive(FromRow)]
struct SealedRow {
    brand_id: String,
    endpoint_id: String,
    sealing_key: String,
    sealed: Vec<u8>,
}

const ENDPOINT_QUERY: &str = "SELECT endpoint_id, url, types, enabled, sealing_key, sealed, failing_since, disabled_at, \
    disabled_reason, dropped, created_at, updated_at FROM event_endpoints";

impl TryFrom<EndpointRow> for EventEndpoint {
    type Error = sqlx::Error;

    fn try_from(row: EndpointRow) -> Result<Self, sqlx::Error> {
        let types = |text: String| -> Result<Vec<EventType>, sqlx::Error> {
            let names: Vec<String> = parse_json_column(&text, "types of an endpoint")?;
            // A newer version may know more types.
            Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
        };
        Ok(Self {
            endpoint_id: parse_column(&row.endpoint_id, "endpoint id")?,
            url: row.url,
            types: row.types.map(types).transpose()?,
            enabled: row.enabled != 0,
            sealed: Sealed { sealing_key: row.sealing_key, bytes: row.sealed },
            failing_since: row.failing_since.map(Timestamp::from_millis),
            disabled_at: row.disabled_at.map(Timestamp::from_millis),
            disabled_reason: row.disabled_reason,
            dropped: u64::try_from(row.dropped).unwrap_or(0),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        })
    }
}

/// Reads an endpoint within a transaction.
pub(super) async fn read_endpoint(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    endpoint: &EndpointId,
) -> Result<Option<EventEndpoint>, sqlx::Error> {
    let sql = format!("{ENDPOINT_QUERY} WHERE brand_id = $1 AND endpoint_id = $2");
    let row: Option<EndpointRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .bind(endpoint.as_str())
        .fetch_optional(db)
        .await)?;
    row.map(EventEndpoint::try_from).transpose()
}

impl Store {
    /// Sorted by id.
    pub async fn event_endpoints(&self, brand: &BrandId) -> Result<Vec<EventEndpoint>, StoreError> {
        self.run_for(brand, "event_endpoints", async {
            let sql = format!("{ENDPOINT_QUERY} WHERE brand_id = $1 ORDER BY endpoint_id");
            let rows: Vec<EndpointRow> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .fetch_all(db)
                    .await)?;
            rows.into_iter().map(EventEndpoint::try_from).collect()
        })
        .await
    }

    pub async fn event_endpoint(
        &self,
        brand: &BrandId,
        endpoint: &EndpointId,
    ) -> Result<Option<EventEndpoint>, StoreError> {
        self.run_for(brand, "event_endpoint", async {
            let sql = format!("{ENDPOINT_QUERY} WHERE brand_id = $1 AND endpoint_id = $2");
            let row: Option<EndpointRow> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .bind(endpoint.as_str())
                    .fetch_optional(db)
                    .await)?;
            row.map(EventEndpoint::try_from).transpose()
        })
        .await
    }

    /// Creates or changes an endpoint. Saving one that was switched off switches it on. Returns it as it is now.
    pub async fn put_event_endpoint(
        &self,
        brand: &BrandId,
        new: &EventEndpoint,
    ) -> Result<EventEndpoint, PutEndpointError> {
        let types = new.types.as_ref().map(|types| {
            let names: Vec<&str> = types.iter().map(|event| event.as_str()).collect();
            serde_json::to_string(&names).expect("names are JSON")
        });
        self.run_for_or_refuse(brand, "put_event_endpoint", async {
            transaction!(&self.engine, |tx| {
                // Otherwise two concurrent requests could both create the last endpoint.
                lock_brand(&mut Tx::from(&mut *tx), brand).await?;
                let before = read_endpoint(&mut Tx::from(&mut *tx), brand, &new.endpoint_id).await?;
                let (others,): (i64,) = sqlx::query_as(
                    "SELECT COUNT(*) FROM event_endpoints WHERE brand_id = $1 AND endpoint_id <> $2",
                )
                .bind(brand.as_str())
                .bind(new.endpoint_id.as_str())
                .fetch_one(&mut *tx)
                .await?;
                if others >= i64::from(MAX_ENDPOINTS) {
                    return Err(Abort::Refused(PutEndpointError::LimitReached));
                }
                sqlx::query(
                    "INSERT INTO event_endpoints (brand_id, endpoint_id, url, types, enabled, sealing_key, sealed, dropped, \
                     created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9) \
                     ON CONFLICT (brand_id, endpoint_id) DO UPDATE SET url = excluded.url, types = excluded.types, \
                     enabled = excluded.enabled, sealing_key = excluded.sealing_key, sealed = excluded.sealed, \
                     updated_at = excluded.updated_at, failing_since = NULL, disabled_at = NULL, disabled_reason = NULL",
                )
                .bind(brand.as_str())
                .bind(new.endpoint_id.as_str())
                .bind(&new.url)
                .bind(&types)
                .bind(i64::from(new.enabled))
                .bind(&new.sealed.sealing_key)
                .bind(&new.sealed.bytes)
                .bind(new.created_at.millis())
                .bind(new.updated_at.millis())
                .execute(&mut *tx)
                .await?;
                let mut tx = Tx::from(&mut *tx);
                let put = read_endpoint(&mut tx, brand, &new.endpoint_id).await?;
                let put = put.ok_or_else(|| unreadable("endpoint"))?;
                let record =
                    NewAuditRecord::new(AuditAction::EventEndpointPut, Some(brand), new.endpoint_id.as_str());
                let before = before.as_ref().map(of_event_endpoint);
                let record = record.with_change(before.as_ref(), &of_event_endpoint(&put));
                self.add_audit_records(&mut tx, record).await?;
                put
            })
        })
        .await
    }

    /// Deletes an endpoint and its deliveries. Returns whether there was such an endpoint.
    pub async fn delete_event_endpoint(
        &self,
        brand: &BrandId,
        endpoint: &EndpointId,
    ) -> Result<bool, StoreError> {
        let queue = EventQueue::Endpoint(brand.clone(), endpoint.clone()).name();
        self.run_for(brand, "delete_event_endpoint", async {
            transaction!(&self.engine, |tx| {
                let before = read_endpoint(&mut Tx::from(&mut *tx), brand, endpoint).await?;
                let done =
                    sqlx::query("DELETE FROM event_endpoints WHERE brand_id = $1 AND endpoint_id = $2")
                        .bind(brand.as_str())
                        .bind(endpoint.as_str())
                        .execute(&mut *tx)
                        .await?;
                sqlx::query("DELETE FROM event_deliveries WHERE brand_id = $1 AND queue = $2")
                    .bind(brand.as_str())
                    .bind(&queue)
                    .execute(&mut *tx)
                    .await?;
                let is_deleted = done.rows_affected() > 0;
                let record = before.filter(|_| is_deleted).map(|before| {
                    NewAuditRecord::new(AuditAction::EventEndpointDelete, Some(brand), endpoint.as_str())
                        .with_before(&of_event_endpoint(&before))
                });
                self.add_audit_records(&mut Tx::from(&mut *tx), record).await?;
                is_deleted
            })
        })
        .await
    }

    /// Says whether the operator has an endpoint. From now on, events are kept for it or not, also those of commands.
    pub async fn set_operator_endpoint(&self, enabled: bool) -> Result<(), StoreError> {
        self.run("set_operator_endpoint", async {
            transaction!(&self.engine, |tx| {
                sqlx::query(
                    "INSERT INTO operator_event_endpoint (endpoint_id, enabled) VALUES ($1, $2) \
                     ON CONFLICT (endpoint_id) DO UPDATE SET enabled = excluded.enabled",
                )
                .bind(EventQueue::Operator.name())
                .bind(i64::from(enabled))
                .execute(&mut *tx)
                .await?;
            })
        })
        .await
    }

    /// Endpoints of all brands whose secret is not sealed with `newest`, in a fixed order. For the rewrap.
    pub async fn endpoints_sealed_otherwise(
        &self,
        newest: &str,
        after: Option<&SealedEndpoint>,
        limit: u32,
    ) -> Result<Vec<SealedEndpoint>, StoreError> {
        self.run("endpoints_sealed_otherwise", async {
            let sql = "SELECT brand_id, endpoint_id, sealing_key, sealed FROM event_endpoints WHERE sealing_key <> $1 \
                       AND (brand_id > $2 OR (brand_id = $2 AND endpoint_id > $3)) \
                       ORDER BY brand_id, endpoint_id LIMIT $4 + 0";
            let (brand, endpoint) =
                after.map_or(("", ""), |after| (after.brand_id.as_str(), after.endpoint_id.as_str()));
            let rows: Vec<SealedRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(newest)
                .bind(brand)
                .bind(endpoint)
                .bind(i64::from(limit))
                .fetch_all(db)
                .await)?;
            let decode = |row: SealedRow| {
                Ok(SealedEndpoint {
                    brand_id: parse_column(&row.brand_id, "brand id")?,
                    endpoint_id: parse_column(&row.endpoint_id, "endpoint id")?,
                    sealed: Sealed { sealing_key: row.sealing_key, bytes: row.sealed },
                })
            };
            rows.into_iter().map(decode).collect()
        })
        .await
    }

    /// Replaces a seal, unless it has been replaced since.
    pub async fn reseal_endpoint(&self, old: &SealedEndpoint, new: &Sealed) -> Result<(), StoreError> {
        self.run("reseal_endpoint", async {
            transaction!(&self.engine, |tx| {
                let done = sqlx::query(
                    "UPDATE event_endpoints SET sealing_key = $4, sealed = $5 \
                     WHERE brand_id = $1 AND endpoint_id = $2 AND sealed = $3",
                )
                .bind(old.brand_id.as_str())
                .bind(old.endpoint_id.as_str())
                .bind(&old.sealed.bytes)
                .bind(&new.sealing_key)
                .bind(&new.bytes)
                .execute(&mut *tx)
                .await?;
                if done.rows_affected() > 0 {
                    let (brand, endpoint) = (Some(&old.brand_id), old.endpoint_id.as_str());
                    let record = NewAuditRecord::new(AuditAction::EventEndpointRewrap, brand, endpoint);
                    let sealed = |sealed: &Sealed| Fields::default().show("sealing_key", &sealed.sealing_key);
                    let record = record.with_change(Some(&sealed(&old.sealed)), &sealed(new));
                    self.add_audit_records(&mut Tx::from(&mut *tx), record).await?;
                }
            })
        })
        .await
    }
}
