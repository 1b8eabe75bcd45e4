//! A database for one test, and a way to its tables past the store.

use std::{future::Future, sync::Once};

use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, SqlitePool};
use svc_mcp_access::{BrandId, Entropy, Secret, key::NewKey};
use svc_mcp_store::{Location, Shared, Store, ToolRecords};
use svc_mcp_testkit::{Postgres, seed, seeded};
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

/// The same database, past the store: for what the store must not be able to do, and for what other hands do.
pub(crate) enum Raw {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Every connection of a test, also those it does not need at once, counts against the server's 300.
const CONNECTIONS: u32 = 8;

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

    /// Where a database may be made, on the same engine.
    pub(crate) async fn empty_database(&self) -> Location {
        match &self.location {
            Location::Sqlite { file } => Location::Sqlite { file: file.with_file_name("another.db") },
            Location::Postgres { connections, .. } => {
                let url = tokio::task::spawn_blocking(|| Postgres::shared().fresh_database()).await;
                Location::Postgres { url: Secret::new(url.expect("a database")), connections: *connections }
            }
        }
    }

    /// A hundred databases that nobody needs any more would be a gigabyte. Where a test fails, its database stays.
    pub(crate) async fn drop_database(&self) {
        let Location::Postgres { url, .. } = &self.location else { return };
        let (server, name) = url.expose().rsplit_once('/').expect("an address of a database");
        let mut other =
            PgConnection::connect(&format!("{server}/postgres")).await.expect("PostgreSQL answers");
        let sql = AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"));
        sqlx::raw_sql(sql).execute(&mut other).await.expect("the database goes");
    }

    /// The store as another process has it: the same database, a cache of its own.
    pub(crate) async fn another_process(&self) -> Store {
        self.another_instance(None).await
    }

    pub(crate) async fn another_instance(&self, shared: Option<Shared>) -> Store {
        Store::open(&self.location, shared).await.expect("the store opens again")
    }

    pub(crate) fn records(&self) -> ToolRecords {
        ToolRecords { store: self.store.clone(), entropy: self.entropy.clone() }
    }

    /// A key of this brand, made by its admin, kept at once.
    pub(crate) async fn key(&self, brand: &str) -> NewKey {
        let new = make::key(brand, self.entropy.clone());
        self.keep(&new).await;
        new
    }

    pub(crate) async fn keep(&self, new: &NewKey) {
        let brand: &BrandId = &new.key.brand_id;
        let created = self.store.create_key(brand, new, &make::created(new)).await;
        created.expect("the store answers").expect("there is room for a key");
    }
}

impl Raw {
    /// Runs one statement and gives how many rows it touched.
    pub(crate) async fn execute(&self, sql: &str) -> u64 {
        let statement = sqlx::raw_sql(AssertSqlSafe(sql));
        let done = match self {
            Self::Sqlite(pool) => statement.execute(pool).await.map(|done| done.rows_affected()),
            Self::Postgres(pool) => statement.execute(pool).await.map(|done| done.rows_affected()),
        };
        done.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// The one number that a query gives.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let query = AssertSqlSafe(sql);
        let number = match self {
            Self::Sqlite(pool) => sqlx::query_scalar(query).fetch_one(pool).await,
            Self::Postgres(pool) => sqlx::query_scalar(query).fetch_one(pool).await,
        };
        number.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// Bytes as this engine writes them in SQL.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> String {
        let hex = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        match self {
            Self::Sqlite(_) => format!("X'{hex}'"),
            Self::Postgres(_) => format!("'\\x{hex}'::bytea"),
        }
    }

    /// Moves the access version on, as every process does that takes access away.
    pub(crate) async fn bump_access_version(&self) {
        self.execute("UPDATE access_version SET version = version + 1").await;
    }
}

/// Runs all of them at the same time, and gives what each gave, in their order.
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

/// The store logs why it does not answer and tells the caller only that it does not: a failing test shows the log.
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
