//! A database for one test, and direct access to its tables.

use std::{
    future::Future,
    sync::Once,
    time::{Duration, Instant},
};

use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, SqlitePool};
use svc_mcp_access::{BrandId, Entropy, Secret, StoreError, key::NewKey};
use svc_mcp_store::{Location, RedisSettings, RedisState, Store, ToolRecords};
use svc_mcp_testkit::{Postgres, WAIT_TIMEOUT, seed, seeded};
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::make;

pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) raw: Raw,
    pub(crate) entropy: Entropy,
    location: Location,
    _directory: Option<TempDir>,
}

/// Direct access to the database, for changes that the store itself cannot make.
pub(crate) enum Raw {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Small, because the tests share a server with 300 connections.
const CONNECTIONS: u32 = 8;
/// How long a test waits for a busy machine.
const BUSY_TIMEOUT: Duration = Duration::from_mins(5);

impl World {
    pub(crate) async fn on_sqlite() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("store.db");
        let raw = SqlitePool::connect_lazy(&format!("sqlite://{}", file.display())).expect("an address");
        Self::new(Location::Sqlite { file }, Raw::Sqlite(raw), Some(directory)).await
    }

    pub(crate) async fn on_postgres() -> Self {
        let url = tokio::task::spawn_blocking(|| Postgres::shared().fresh_database()).await;
        let url = url.expect("a database");
        let raw = PgPool::connect_lazy(&url).expect("an address");
        let location = Location::Postgres { url: Secret::new(url), connections: CONNECTIONS };
        Self::new(location, Raw::Postgres(raw), None).await
    }

    /// Acme (ada is its admin, bob a member) and Umbrella (uma), both on the plan `pro`, and a plan without MCP.
    async fn new(location: Location, raw: Raw, directory: Option<TempDir>) -> Self {
        show_the_log();
        let store = Store::open(&location, None).await.expect("the store opens");
        for plan in [make::plan("pro", true), make::plan("free", false)] {
            store.put_plan(&plan).await.expect("a plan");
        }
        for brand in [make::brand("acme", "pro"), make::brand("umbrella", "pro")] {
            store.put_brand(&brand).await.expect("a brand");
        }
        for (brand, user, role) in
            [("acme", "ada", "admin"), ("acme", "bob", "member"), ("umbrella", "uma", "admin")]
        {
            store.put_member(&make::member(brand, user, role)).await.expect("a member");
        }
        Self { store, raw, entropy: seeded(seed()), location, _directory: directory }
    }

    /// The location of a new database on the same engine.
    pub(crate) async fn empty_database(&self) -> Location {
        match &self.location {
            Location::Sqlite { file } => Location::Sqlite { file: file.with_file_name("another.db") },
            Location::Postgres { connections, .. } => {
                let url = tokio::task::spawn_blocking(|| Postgres::shared().fresh_database()).await;
                Location::Postgres { url: Secret::new(url.expect("a database")), connections: *connections }
            }
        }
    }

    /// Saves disk space: a hundred databases take a gigabyte. The database of a failed test stays.
    pub(crate) async fn drop_database(&self) {
        let Location::Postgres { url, .. } = &self.location else { return };
        let (server, name) = url.expose().rsplit_once('/').expect("an address of a database");
        let mut other =
            PgConnection::connect(&format!("{server}/postgres")).await.expect("PostgreSQL answers");
        let sql = AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"));
        sqlx::raw_sql(sql).execute(&mut other).await.expect("the database goes");
    }

    /// The store of another process: the same database with its own cache.
    pub(crate) async fn another_process(&self) -> Store {
        self.another_instance(None).await
    }

    pub(crate) async fn another_instance(&self, shared: Option<RedisState>) -> Store {
        Store::open(&self.location, shared).await.expect("the store opens again")
    }

    /// A busy machine may need longer than the service waits for Redis.
    pub(crate) fn redis(&self, url: String) -> RedisState {
        let settings = RedisSettings { timeout: WAIT_TIMEOUT, ..RedisSettings::new(Secret::new(url)) };
        RedisState::open(&settings, self.entropy.clone()).expect("an address of Redis")
    }

    pub(crate) fn records(&self) -> ToolRecords {
        ToolRecords { store: self.store.clone(), entropy: self.entropy.clone() }
    }

    /// Creates a key of this brand.
    pub(crate) async fn key(&self, brand: &str) -> NewKey {
        let new = make::key(brand, self.entropy.clone());
        self.keep(&new).await;
        new
    }

    pub(crate) async fn keep(&self, new: &NewKey) {
        let brand: &BrandId = &new.key.brand_id;
        self.store.create_key(brand, new, &make::created(new)).await.expect("the key is created");
    }
}

impl Raw {
    /// Runs one statement and returns the number of changed rows.
    pub(crate) async fn execute(&self, sql: &str) -> u64 {
        self.try_execute(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    pub(crate) async fn try_execute(&self, sql: &str) -> Result<u64, sqlx::Error> {
        let statement = sqlx::raw_sql(AssertSqlSafe(sql));
        match self {
            Self::Sqlite(pool) => statement.execute(pool).await.map(|done| done.rows_affected()),
            Self::Postgres(pool) => statement.execute(pool).await.map(|done| done.rows_affected()),
        }
    }

    /// The texts that a query returns.
    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        let query = AssertSqlSafe(sql);
        let texts = match self {
            Self::Sqlite(pool) => sqlx::query_scalar(query).fetch_all(pool).await,
            Self::Postgres(pool) => sqlx::query_scalar(query).fetch_all(pool).await,
        };
        texts.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// The single number that a query returns.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let query = AssertSqlSafe(sql);
        let number = match self {
            Self::Sqlite(pool) => sqlx::query_scalar(query).fetch_one(pool).await,
            Self::Postgres(pool) => sqlx::query_scalar(query).fetch_one(pool).await,
        };
        number.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// Bytes as an SQL literal of this engine.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> String {
        let hex = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        match self {
            Self::Sqlite(_) => format!("X'{hex}'"),
            Self::Postgres(_) => format!("'\\x{hex}'::bytea"),
        }
    }

    /// Moves the access version, like a change of another process.
    pub(crate) async fn bump_access_version(&self) {
        self.execute("UPDATE access_version SET version = version + 1").await;
    }
}

/// Runs all futures concurrently and returns their results in order.
pub(crate) async fn at_once<F>(work: impl IntoIterator<Item = F>) -> Vec<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for (number, work) in work.into_iter().enumerate() {
        tasks.spawn(async move { (number, work.await) });
    }
    let mut results = tasks.join_all().await;
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Repeats work that the store rejects because the machine is busy.
pub(crate) async fn retried<T, E, F>(work: impl Fn() -> F) -> Result<T, E>
where
    E: PartialEq + From<StoreError>,
    F: Future<Output = Result<T, E>>,
{
    let started = Instant::now();
    loop {
        let result = work().await;
        let is_busy = matches!(&result, Err(error) if *error == E::from(StoreError::Unavailable));
        if !is_busy || started.elapsed() > BUSY_TIMEOUT {
            return result;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The store logs the cause of an error and does not return it, so a failing test shows the log.
fn show_the_log() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tracing_subscriber::fmt()
            .with_env_filter("svc_mcp_store=info")
            .with_test_writer()
            .with_ansi(false)
            .without_time()
            .init();
    });
}
