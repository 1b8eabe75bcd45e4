//! Where it is kept. SQL for SQLite and PostgreSQL, the shared limiter on Redis, and the cache in front of both.
//!
//! Every method takes a brand id, except the look-up of a key by its digest, what the operator does to plans, a
//! user's own list of brands, and the taking of the next job, which then carries its brand: there is no way to write a query that forgets the tenant.

mod activity;
mod analyses;
mod audits;
mod brands;
mod cache;
mod channels;
mod courier;
mod digest;
mod door;
mod engine;
mod jobs;
mod keys;
mod keywords;
mod meter;
mod posts;
mod profiles;
mod promises;
mod recorder;
mod records;
mod reports;
mod roll;
mod shared;
mod upkeep;
mod watch;

use std::{
    future::Future,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

pub use activity::{ActivityFilter, Event, EventKind, EventOutcome, NewEvent, Peak, UsageLine};
pub use brands::{MemberOf, PlanInUse};
pub use channels::{ChannelLimitReached, SealedChannel};
use door::Door;
use engine::Engine;
pub use keys::{KeyFilter, KeyLimitReached};
pub use keywords::{ImportLimitReached, Imported};
pub use recorder::{Batch, Recorder, Use};
pub use records::ToolRecords;
pub use shared::Shared;
use svc_mcp_access::decision::Unavailable;
pub use svc_mcp_tools::page::{Cursor, Page};
use watch::Watch;

/// Which engine, and where.
#[derive(Debug, Clone)]
pub enum Location {
    Sqlite { file: PathBuf },
    Postgres { url: svc_mcp_access::Secret, connections: u32 },
}

#[derive(Debug, Clone)]
pub struct Store {
    engine: Engine,
    watch: Arc<Watch>,
    door: Arc<Door>,
    standings: Arc<cache::Cache>,
    roll: Arc<roll::Roll>,
    shared: Option<Shared>,
    job_added: Arc<tokio::sync::Notify>,
}

/// The store could not be opened. The text is for the operator.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("SVC_DATABASE_URL: cannot open the database: {0}")]
    Connect(#[from] sqlx::Error),
    #[error("cannot bring the database's tables up to date: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

/// How long any single use of the store may take before it counts as not answering.
const LONGEST: Duration = Duration::from_secs(5);

impl Store {
    /// Opens the store and brings its tables up to date. Several processes may do so at once.
    pub async fn open(location: &Location, shared: Option<Shared>) -> Result<Self, OpenError> {
        let engine = match location {
            Location::Sqlite { file } => Engine::sqlite(file).await?,
            Location::Postgres { url, connections } => Engine::postgres(url.expose(), *connections).await?,
        };
        Ok(Self {
            watch: Arc::new(engine.watch()),
            door: Arc::new(Door::new(engine.places())),
            engine,
            standings: Arc::default(),
            roll: Arc::default(),
            shared,
            job_added: Arc::default(),
        })
    }

    pub async fn close(&self) {
        self.engine.close().await;
        self.watch.close().await;
    }

    /// Every use of an engine that somebody waits for goes through here: admitted, or told at once that there is too
    /// much to do.
    async fn run<T>(
        &self,
        name: &'static str,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, Unavailable> {
        let Ok(_place) = self.door.enter().await else {
            metrics::counter!("svc_mcp_shed_total", "by" => "store").increment(1);
            return Err(Unavailable);
        };
        Self::bounded(name, LONGEST, work).await
    }

    /// The same for work beside the requests.
    async fn run_patiently<T>(
        &self,
        name: &'static str,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, Unavailable> {
        let _place = self.door.enter_patiently().await;
        Self::bounded(name, LONGEST, work).await
    }

    /// Measured, bounded in time, its error logged once and told as one.
    async fn bounded<T>(
        name: &'static str,
        longest: Duration,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, Unavailable> {
        let started = Instant::now();
        let result = tokio::time::timeout(longest, work).await;
        metrics::histogram!("svc_mcp_store_seconds", "query" => name).record(started.elapsed().as_secs_f64());
        match result {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(error)) => tracing::error!(query = name, %error, "the store does not answer"),
            Err(_) => tracing::error!(query = name, "the store takes too long"),
        }
        metrics::counter!("svc_mcp_store_errors_total", "query" => name).increment(1);
        Err(Unavailable)
    }
}

/// A value that the store itself wrote and that no longer reads: damage, or a newer version's doing.
fn unreadable(what: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("unreadable {what}").into())
}

/// Parses what was stored as text.
fn stored<T: std::str::FromStr>(text: &str, what: &str) -> Result<T, sqlx::Error> {
    text.parse().map_err(|_| unreadable(what))
}

/// Reads what was stored as JSON.
fn stored_json<T: serde::de::DeserializeOwned>(text: &str, what: &str) -> Result<T, sqlx::Error> {
    serde_json::from_str(text).map_err(|_| unreadable(what))
}

/// A key's list of tools as it was stored.
fn stored_tools(text: Option<&str>) -> Result<Option<Vec<String>>, sqlx::Error> {
    text.map(|tools| serde_json::from_str(tools).map_err(|_| unreadable("list of tools"))).transpose()
}

/// Where a list that is newest first begins: behind the cursor, or at its top.
fn starting(after: Option<&Cursor>) -> (i64, &str) {
    after.map_or((i64::MAX, ""), |after| (after.at.millis(), &after.id))
}

/// One page of a list that was read one longer than asked for.
///
/// Statements say `LIMIT $n + 0`: SQLite looks at a limit that is a parameter alone when it plans, and so plans anew
/// each time.
fn page_of<T>(mut items: Vec<T>, total: i64, limit: u32, cursor: impl Fn(&T) -> Cursor) -> Page<T> {
    let next = next_cursor(&mut items, limit, cursor);
    Page { items, total: u64::try_from(total).unwrap_or(0), next }
}

/// Cuts a list that was read one longer than asked for, and says where the next page begins.
fn next_cursor<T>(items: &mut Vec<T>, limit: u32, cursor: impl Fn(&T) -> Cursor) -> Option<Cursor> {
    let limit = limit as usize;
    if items.len() <= limit {
        return None;
    }
    items.truncate(limit);
    items.last().map(cursor)
}
