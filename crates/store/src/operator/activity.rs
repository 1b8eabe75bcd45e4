//! The activity of all brands, in the order of time.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};

use super::{
    audit_log::since_until,
    search::SearchPage,
    statement::{Statement, fetch_all},
};
use crate::{
    Cursor, Event, Store,
    activity::{EVENT_COLUMNS, EventRow},
    parse_column,
};

/// Which events of all brands to list, oldest first.
#[derive(Debug, Clone, Default)]
pub struct ActivitySearch {
    pub since: Option<Timestamp>,
    /// Exclusive.
    pub until: Option<Timestamp>,
    pub after: Option<Cursor>,
    pub limit: u32,
}

#[derive(Debug, Clone)]
pub struct BrandEvent {
    pub brand_id: BrandId,
    pub event: Event,
}

#[derive(FromRow)]
struct BrandEventRow {
    brand_id: String,
    #[sqlx(flatten)]
    event: EventRow,
}

impl Store {
    pub async fn search_activity(
        &self,
        search: &ActivitySearch,
    ) -> Result<SearchPage<BrandEvent>, StoreError> {
        self.run("search_activity", async {
            let statement = activity_statement(search);
            let rows: Vec<BrandEventRow> = fetch_all!(&self.engine, statement)?;
            let decode = |row: BrandEventRow| {
                Ok(BrandEvent {
                    brand_id: parse_column(&row.brand_id, "brand id")?,
                    event: row.event.decode()?,
                })
            };
            let events = rows.into_iter().map(decode).collect::<Result<Vec<_>, sqlx::Error>>()?;
            Ok(SearchPage::cut(events, search.limit, |BrandEvent { event, .. }| Cursor {
                at: event.at,
                id: event.event_id.clone(),
            }))
        })
        .await
    }

    /// How the engine would run the search, for tests.
    #[doc(hidden)]
    pub async fn explain_search_activity(&self, search: &ActivitySearch) -> Result<Vec<String>, StoreError> {
        self.explain(&activity_statement(search)).await
    }
}

fn activity_statement(search: &ActivitySearch) -> Statement {
    let mut statement = Statement::new(&format!("SELECT brand_id, {EVENT_COLUMNS} FROM activity"));
    since_until(&mut statement, "at", search.since, search.until);
    if let Some(after) = &search.after {
        let (at, id) = (statement.number(after.at.millis()), statement.text(&after.id));
        statement.and(&format!("(at, event_id) > ({at}, {id})"));
    }
    statement.push(" ORDER BY at, event_id");
    statement.limit(search.limit);
    statement
}
