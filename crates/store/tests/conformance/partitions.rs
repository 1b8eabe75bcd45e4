//! Activity and daily usage on PostgreSQL are partitioned by time. On SQLite the same rows are deleted one by one.

use std::path::Path;

use sqlx::{PgPool, migrate::Migrator};
use svc_mcp_access::Timestamp;
use svc_mcp_store::{ActivityFilter, KeyUse, Location, Store};

use crate::{
    activity::{used, write},
    make::{NOW, acme, after},
    world::{Raw, World, at_once},
};

on_both_engines! {
    pruning_keeps_the_rows_of_the_kept_time_and_no_older_partition,
    rows_without_a_partition_are_stored,
    two_instances_add_the_same_partitions,
    no_write_fails_while_partitions_change,
    long_queries_put_off_a_change_of_partitions_and_no_write,
}

const DAY: i64 = 86_400_000;
const WEEK: i64 = 7 * DAY;
/// A time that has no partition, whenever the tests run.
const FAR: i64 = 40_000 * DAY;

/// The partition of activity in this number of weeks.
fn week(weeks: i64) -> String {
    let start = after(weeks * WEEK).millis() / WEEK * WEEK;
    format!("activity_{}", Timestamp::from_millis(start).day().replace('-', "_"))
}

/// The partitions of a table, by name. None on SQLite.
async fn partitions(world: &World, table: &str) -> Vec<String> {
    match &world.raw {
        Raw::Sqlite(_) => Vec::new(),
        Raw::Postgres(_) => {
            let sql = format!(
                "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = '{table}'::regclass ORDER BY 1"
            );
            world.raw.texts(&sql).await
        }
    }
}

async fn pruning_keeps_the_rows_of_the_kept_time_and_no_older_partition(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, NOW).await;
    let is_partitioned = matches!(world.raw, Raw::Postgres(_));
    let mut most = 0;
    // Two years, with an event every third day.
    for days in (0..730).step_by(3) {
        let now = after(days * DAY);
        write(world, [KeyUse { at: now, ..template.clone() }]).await;
        if days % 9 > 0 {
            continue;
        }
        world.store.prune(now).await.expect("the store answers");
        let of_events =
            |from: i64| format!("SELECT COUNT(*) FROM activity WHERE kind = 'call' AND at >= {from}");
        let kept = (0..=days.min(90)).step_by(3).count();
        let events = world.raw.number(&of_events(after((days - 90) * DAY).millis())).await;
        assert_eq!(events, i64::try_from(kept).expect("small"), "day {days}: events of the last 90 days");
        let old = world.raw.number(&of_events(0)).await - events;
        assert!(old * 3 * DAY <= WEEK, "day {days}: {old} events are older than 90 days and a week");
        let first = after((days - 400) * DAY).day();
        let counted = format!("SELECT COUNT(*) FROM usage_counts WHERE day >= '{first}'");
        let kept = (0..=days.min(400)).step_by(3).count();
        assert_eq!(world.raw.number(&counted).await, i64::try_from(kept).expect("small"), "day {days}");
        let old = format!("SELECT COUNT(*) FROM usage_counts WHERE day < '{first}'");
        assert!(world.raw.number(&old).await * 3 <= 31, "day {days}: usage older than 400 days and a month");
        most = most.max(partitions(world, "activity").await.len());
    }
    if is_partitioned {
        // 90 days are 14 weeks, or a part of a fifteenth; then there are four weeks ahead, the default partition, and those of
        // the time at which the test runs.
        assert!((17..=20 + 5).contains(&most), "{most} partitions of activity");
        let of_usage = partitions(world, "usage_counts").await.len();
        assert!((15..=18 + 3).contains(&of_usage), "{of_usage} partitions of usage");
        for table in ["activity", "usage_counts"] {
            let strays = world.raw.number(&format!("SELECT COUNT(*) FROM {table}_default")).await;
            assert_eq!(strays, 0, "{table}: partitions are made ahead");
        }
    }
}

async fn rows_without_a_partition_are_stored(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, NOW).await;
    // Now, before any partition, and the clocks of two instances that are ahead.
    let times = [NOW, after(-30 * DAY), after(2 * WEEK), after(FAR)];
    write(world, times.map(|at| KeyUse { at, ..template.clone() })).await;
    let events = async || world.raw.number("SELECT COUNT(*) FROM activity WHERE kind = 'call'").await;
    assert_eq!(events().await, 4);
    world.store.prune(NOW).await.expect("the store answers");
    assert_eq!(events().await, 4, "nothing is lost");
    if let Raw::Postgres(_) = &world.raw {
        let moved = format!("SELECT COUNT(*) FROM {} WHERE kind = 'call'", week(2));
        assert_eq!(world.raw.number(&moved).await, 1, "an event has moved to its partition");
    }
    world.store.prune(after(FAR)).await.expect("the store answers");
    assert_eq!(events().await, 1, "the others are too old");
    // Time may also go on without any pruning.
    write(world, [KeyUse { at: after(FAR + 2_000 * DAY), ..template }]).await;
    assert_eq!(events().await, 2);
    assert_eq!(world.store.usage(&acme(), "2000-01-01").await.expect("the store answers").len(), 2);
}

async fn two_instances_add_the_same_partitions(world: &World) {
    let other = world.another_process().await;
    for week in 0..6 {
        let now = after(week * WEEK);
        let (here, there) = tokio::join!(world.store.prune(now), other.prune(now));
        assert_eq!((here, there), (Ok(0), Ok(0)));
    }
    if let Raw::Postgres(_) = &world.raw {
        let partitions = partitions(world, "activity").await;
        for weeks in 1..=5 + 4 {
            assert!(partitions.contains(&week(weeks)), "{} of {partitions:?}", week(weeks));
        }
    }
}

async fn no_write_fails_while_partitions_change(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, NOW).await;
    let other = world.another_process().await;
    let writes = async |now: Timestamp| {
        for index in 0..20 {
            write(world, [KeyUse { at: Timestamp::from_millis(now.millis() + index), ..template.clone() }])
                .await;
        }
    };
    let reads = async || {
        for _ in 0..20 {
            let filter = ActivityFilter { limit: 10, ..Default::default() };
            world.store.activity(&acme(), &filter).await.expect("the store answers");
        }
    };
    // Some runs add one partition, later ones also drop one, and after a long pause all are missing.
    let weeks: Vec<i64> = (0..6).chain(14..18).chain(60..64).collect();
    for week in &weeks {
        let now = after(week * WEEK);
        let (.., here, there) =
            tokio::join!(writes(now), writes(now), reads(), world.store.prune(now), other.prune(now));
        here.expect("the store answers");
        there.expect("the store answers");
    }
    let now = after(63 * WEEK);
    let lines = world.store.usage(&acme(), &now.day()).await.expect("the store answers");
    assert_eq!(lines.iter().map(|line| line.calls).sum::<u64>(), 40);
}

async fn long_queries_put_off_a_change_of_partitions_and_no_write(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, NOW).await;
    let Raw::Postgres(pool) = &world.raw else { return };
    let (now, later) = (after(FAR), after(FAR + DAY));
    let count = async || partitions(world, "activity").await.len();
    let (initial, mut reader) = (count().await, pool.begin().await.expect("a transaction"));
    let read = "SELECT COUNT(*) FROM activity";
    let _: i64 = sqlx::query_scalar(read).fetch_one(&mut *reader).await.expect("a number");
    world.store.prune(now).await.expect("it does not wait for the query");
    assert_eq!(count().await, initial);
    write(world, [KeyUse { at: now, ..template.clone() }]).await;
    reader.rollback().await.expect("the query ends");
    world.store.prune(later).await.expect("the store answers");
    // The old ones went, and there are four weeks ahead beside the default partition.
    assert_eq!(count().await, 4 + 1);
    write(world, [KeyUse { at: later, ..template }]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instances_that_start_at_once_write_into_partitions() {
    let world = World::on_postgres().await;
    let location = world.empty_database().await;
    let Location::Postgres { url, .. } = &location else { panic!("PostgreSQL") };
    let pool = PgPool::connect(url.expose()).await.expect("a connection");
    at_once((0..4).map(|instance| {
        let (location, pool) = (location.clone(), pool.clone());
        async move {
            let store = Store::open(&location, None).await.expect("it opens");
            for row in 0..50 {
                let insert = format!(
                    "INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, outcome) VALUES \
                     ('acme', CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT), '{instance}-{row}', 'call', 'key', 'ada', 'ok')"
                );
                sqlx::raw_sql(sqlx::AssertSqlSafe(insert)).execute(&pool).await.expect("it is stored");
            }
            store.close().await;
        }
    }))
    .await;
    for (table, rows) in [("activity", 200), ("activity_default", 0)] {
        let count = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}"));
        let stored: i64 = sqlx::query_scalar(count).fetch_one(&pool).await.expect("a number");
        assert_eq!(stored, rows, "{table}");
    }
    pool.close().await;
    world.drop_database().await;
}

/// The tables of an installation from before the partitions, with rows of all ages.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_of_an_older_database_are_kept_by_the_migration() {
    let world = World::on_postgres().await;
    let location = world.empty_database().await;
    let Location::Postgres { url, .. } = &location else { panic!("PostgreSQL") };
    let pool = PgPool::connect(url.expose()).await.expect("a connection");
    older_migrations().await.run(&pool).await.expect("the older tables");
    let now: i64 = sqlx::query_scalar("SELECT (extract(epoch FROM now()) * 1000)::bigint")
        .fetch_one(&pool)
        .await
        .expect("the time");
    // Each day of the last 100, and two in the future.
    let rows = format!(
        "INSERT INTO plans VALUES ('pro', 'Pro', 1);
         INSERT INTO brands (brand_id, name, website, plan_id, competitors) VALUES ('acme', 'Acme', '', 'pro', '[]');
         INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, outcome)
             SELECT 'acme', {now} - n::bigint * {DAY}, 'evt_' || n, 'call', 'key_1', 'ada', 'ok' FROM generate_series(-40, 100, 20) n;
         INSERT INTO usage_counts (brand_id, day, key_id, tool, outcome, bucket, requests)
             SELECT 'acme', to_char(to_timestamp({now} / 1000) - n * interval '1 day', 'YYYY-MM-DD'), 'key_1', '', 'ok', 0, 1
             FROM generate_series(-40, 420, 20) n"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(rows)).execute(&pool).await.expect("the rows");

    let store = Store::open(&location, None).await.expect("it migrates");
    let count = async |sql: &str| -> i64 {
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&pool).await.expect("a number")
    };
    assert_eq!(count("SELECT COUNT(*) FROM activity").await, 8);
    assert_eq!(count("SELECT COUNT(*) FROM usage_counts").await, 24);
    let partitions = "SELECT COUNT(*) FROM pg_inherits WHERE inhparent = 'activity'::regclass";
    assert_eq!(
        count(partitions).await,
        2 + 4,
        "the rows from before, the default partition and four weeks ahead"
    );

    let at = |days: i64| Timestamp::from_millis(now + days * DAY);
    // One event is 100 days old, and one day 420 days.
    assert_eq!(store.prune(at(0)).await, Ok(2));
    assert_eq!(count("SELECT COUNT(*) FROM activity").await, 7);
    assert_eq!(count("SELECT COUNT(*) FROM usage_counts").await, 23);
    // When all of the old rows are too old, their table goes.
    store.prune(at(98)).await.expect("the store answers");
    let before = "SELECT COUNT(*) FROM pg_class WHERE relname LIKE 'activity_before%' AND relkind = 'r'";
    assert_eq!(count(before).await, 0);
    assert_eq!(count("SELECT COUNT(*) FROM activity").await, 2, "those of the future");
    assert_eq!(count("SELECT COUNT(*) FROM usage_counts").await, 23 - 5);
    store.close().await;
    pool.close().await;
    world.drop_database().await;
}

/// The migrations before the one that adds partitions.
async fn older_migrations() -> Migrator {
    let folder = tempfile::tempdir().expect("a directory");
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/postgres");
    for file in std::fs::read_dir(all).expect("the migrations") {
        let file = file.expect("a file");
        let name = file.file_name().into_string().expect("a name in UTF-8");
        if name.as_str() < "0032" {
            std::fs::copy(file.path(), folder.path().join(name)).expect("a copy");
        }
    }
    Migrator::new(folder.path()).await.expect("the migrations are read")
}
