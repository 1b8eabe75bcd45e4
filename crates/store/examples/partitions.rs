//! A benchmark: inserting into the activity and pruning it, with ten times as many rows, with and without partitions.
//!
//! `make bench-partitions` measures it on a PostgreSQL server of its own. The table without partitions has the same columns and
//! indexes. Inserts into both alternate in rounds, because the speed of a machine changes.

#![expect(clippy::print_stdout, reason = "the figures are printed for the user")]

use std::{env, process::ExitCode};

use sqlx::{AssertSqlSafe, PgPool};
use svc_mcp_access::{Secret, Timestamp};
use svc_mcp_store::{Location, Store};
use svc_mcp_testkit::Postgres;
use tokio::time::Instant;

const USAGE: &str = "usage: partitions [--rows N]";
const DAY: i64 = 86_400_000;
const NOW: i64 = 1_794_700_800_000;
/// The rows are spread over the time for which they are kept.
const DAYS: i64 = 90;
const BRANDS: i64 = 10_000;
const ROUNDS: u32 = 40;
const ROWS_PER_INSERT: i64 = 1_000;

/// The table without partitions.
const FLAT: &str = "\
    CREATE TABLE flat (LIKE activity INCLUDING DEFAULTS);
    ALTER TABLE flat ADD PRIMARY KEY (brand_id, at, event_id);
    CREATE INDEX flat_by_key ON flat (brand_id, key_id, at, event_id);
    CREATE INDEX flat_by_age ON flat (at);
    CREATE INDEX flat_folded ON flat (brand_id, key_id, folded_minute, kind, reason) WHERE folded_minute IS NOT NULL";

#[tokio::main(worker_threads = 2)]
async fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let rows = match arguments.as_slice() {
        [] => Some(300_000),
        [name, count] if name == "--rows" => count.parse::<i64>().ok().filter(|count| *count > 0),
        _ => None,
    };
    let Some(rows) = rows else {
        println!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut rates = Vec::new();
    for rows in [rows, 10 * rows] {
        rates.push(measure(rows).await);
    }
    for (index, name) in ["with partitions", "without"].into_iter().enumerate() {
        println!("{name}: insert rate with ten times as many rows: {:.2}", rates[1][index] / rates[0][index]);
    }
    ExitCode::SUCCESS
}

/// Returns the inserted rows a second with and without partitions.
async fn measure(rows: i64) -> [f64; 2] {
    let server = tokio::task::spawn_blocking(Postgres::start).await.expect("PostgreSQL");
    let url = server.fresh_database();
    let location = Location::Postgres { url: Secret::new(url.clone()), connections: 4 };
    let store = Store::open(&location, None).await.expect("the store opens");
    let pool = PgPool::connect(&url).await.expect("a connection");
    // Partitions for the whole time, as after some months of service. They are added a week before they are needed.
    for week in -1..=DAYS / 7 {
        store.prune(Timestamp::from_millis(NOW - (DAYS - 7 * week) * DAY)).await.expect("the store answers");
    }
    execute(&pool, FLAT).await;
    for table in ["activity", "flat"] {
        // In the order of time, as the service writes them.
        let sql = format!(
            "INSERT INTO {table} (brand_id, at, event_id, kind, key_id, actor, tool, outcome, latency_us) \
             SELECT {}, {NOW} - ({rows} - n)::bigint * {DAYS} * {DAY} / {rows}, 'evt_' || n, 'call', 'key_' || n % 100000, 'user', \
             'get_brand', 'ok', 1000 FROM generate_series(1, {rows}) n",
            brand("n")
        );
        execute(&pool, &sql).await;
    }
    execute(&pool, "VACUUM ANALYZE").await;
    execute(&pool, "CHECKPOINT").await;
    let mut seconds = [0.0; 2];
    for round in 0..ROUNDS {
        for index in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
            let table = ["activity", "flat"][index];
            let sql = format!(
                "INSERT INTO {table} (brand_id, at, event_id, kind, key_id, actor, tool, outcome, latency_us) \
                 SELECT {}, {NOW} + {round} * 400 + n % 400, 'new_{round}_' || n, 'call', 'key_' || n * 97 % 100000, 'user', \
                 'get_brand', 'ok', 1000 FROM generate_series(1, {ROWS_PER_INSERT}) n",
                brand("n + 1000 * random()::int")
            );
            let started = Instant::now();
            execute(&pool, &sql).await;
            seconds[index] += started.elapsed().as_secs_f64();
        }
    }
    let inserted = f64::from(ROUNDS) * f64::from(i32::try_from(ROWS_PER_INSERT).unwrap_or(i32::MAX));
    let rates = seconds.map(|seconds| inserted / seconds);
    println!("{rows} rows: {:.0} inserts a second with partitions, {:.0} without", rates[0], rates[1]);

    let week_later = NOW + 8 * DAY;
    let old = "SELECT COUNT(*) FROM activity";
    let before = count(&pool, old).await;
    let started = Instant::now();
    store.prune(Timestamp::from_millis(week_later)).await.expect("the store answers");
    let pruned = started.elapsed();
    let dropped = before - count(&pool, old).await;
    // The same rows without partitions, in statements of the size that the service uses.
    let oldest_kept = count(&pool, "SELECT MIN(at) FROM activity").await;
    let delete = format!(
        "DELETE FROM flat WHERE (brand_id, at, event_id) IN (SELECT brand_id, at, event_id FROM flat \
         WHERE at < {oldest_kept} LIMIT 5000)"
    );
    let (started, mut deleted) = (Instant::now(), 0);
    loop {
        let rows = execute(&pool, &delete).await;
        deleted += rows;
        if rows < 5_000 {
            break;
        }
    }
    println!(
        "{rows} rows: pruning dropped {dropped} rows in {:.3} s; without partitions, {deleted} rows took {:.3} s",
        pruned.as_secs_f64(),
        started.elapsed().as_secs_f64()
    );
    store.close().await;
    pool.close().await;
    rates
}

fn brand(number: &str) -> String {
    format!("'brand-' || ({number})::bigint * 7919 % {BRANDS}")
}

async fn execute(pool: &PgPool, sql: &str) -> u64 {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(pool).await;
    done.unwrap_or_else(|error| panic!("{sql}: {error}")).rows_affected()
}

async fn count(pool: &PgPool, sql: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(pool).await.expect("a number")
}
