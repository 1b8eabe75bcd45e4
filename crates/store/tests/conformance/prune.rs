//! Pruning deletes old rows, and no others.

use svc_mcp_access::idempotency::KEPT_FOR;
use svc_mcp_store::{ActivityFilter, KeyUse};
use svc_mcp_tools::{Records, records::Claim};

use crate::{
    activity::{used, write},
    idempotency_records::record,
    make::{NOW, acme, after},
    world::World,
};

on_both_engines! {
    only_old_rows_are_deleted,
    more_rows_than_one_statement_are_deleted,
    old_rows_of_every_brand_are_deleted,
    expired_idempotency_record_is_deleted,
}

const DAY: i64 = 86_400_000;

async fn only_old_rows_are_deleted(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, NOW).await;
    let ages = [0, 90 * DAY, 90 * DAY + 1, 400 * DAY, 401 * DAY];
    write(world, ages.map(|age| KeyUse { at: after(-age), ..template.clone() })).await;

    let minute = |age: i64| after(-age).millis() / 60_000;
    let (kept, old) = (minute(90 * DAY), minute(90 * DAY + 60_000));
    let left_out = format!("INSERT INTO events_left_out VALUES ('acme', {kept}, 5), ('acme', {old}, 7)");
    world.raw.execute(&left_out).await;

    // Three events older than 90 days, one day older than 400, four minutes older than a day, one left-out row.
    assert_eq!(world.store.prune(NOW).await, Ok(3 + 1 + 4 + 1));
    assert_eq!(world.store.events_left_out(&acme(), None, None).await, Ok(5));
    let (events, _) = world
        .store
        .activity(&acme(), &ActivityFilter { limit: 10, ..Default::default() })
        .await
        .expect("the store answers");
    let mut kept: Vec<_> = events.iter().map(|event| event.at).collect();
    kept.dedup();
    assert_eq!(kept, [NOW, after(-90 * DAY)]);
    let lines = world.store.usage(&acme(), "2000-01-01").await.expect("the store answers");
    assert_eq!(lines.iter().map(|line| line.calls).sum::<u64>(), 4);
    let peaks = world.store.peaks(&acme(), after(-500 * DAY)).await.expect("the store answers");
    assert_eq!(peaks.len(), 1);
    assert_eq!(world.store.prune(NOW).await, Ok(0));
    // Keys and brands are never pruned.
    assert!(world.store.key(&acme(), &key.key.key_id).await.expect("the store answers").is_some());
}

async fn more_rows_than_one_statement_are_deleted(world: &World) {
    let key = world.key("acme").await;
    let old = used(world, &key, after(-91 * DAY)).await;
    write(world, [old]).await;
    write(world, [used(world, &key, NOW).await]).await;
    // Doubles the rows until there are more than one statement deletes.
    for name in "abcdefghijklm".chars() {
        let doubled = format!(
            "INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, outcome) SELECT brand_id, at, \
             event_id || '{name}', kind, key_id, actor, outcome FROM activity WHERE kind = 'call' AND at < {}",
            after(-DAY).millis()
        );
        world.raw.execute(&doubled).await;
    }
    let gone = world.store.prune(NOW).await.expect("the store answers");
    assert!(gone >= 8_192, "{gone}");
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity WHERE kind = 'call'").await, 1);
}

async fn old_rows_of_every_brand_are_deleted(world: &World) {
    // More brands than one statement covers. Tables without an index by age are searched by brand.
    let brands: Vec<_> = (0..1_200).map(|number| format!("brand-{number}")).collect();
    let rows = |of: &dyn Fn(&str) -> String| brands.iter().map(|id| of(id)).collect::<Vec<_>>().join(", ");
    let new = rows(&|id| format!("('{id}', 'A brand', '', 'pro', '[]')"));
    world
        .raw
        .execute(&format!("INSERT INTO brands (brand_id, name, website, plan_id, competitors) VALUES {new}"))
        .await;
    let minute = |ago: i64| after(-ago).millis() / 60_000;
    let (old, young) = (minute(2 * DAY), minute(DAY / 2));
    let peaks = rows(&|id| format!("('{id}', 'key_1', {old}, 1), ('{id}', 'key_1', {young}, 1)"));
    world.raw.execute(&format!("INSERT INTO peaks (brand_id, key_id, minute, most) VALUES {peaks}")).await;
    let counts = rows(&|id| {
        format!(
            "('{id}', '2020-01-01', 'key_1', '', 'ok', 0, 1), ('{id}', '2026-11-01', 'key_1', '', 'ok', 0, 1)"
        )
    });
    let columns = "brand_id, day, key_id, tool, outcome, bucket, requests";
    world.raw.execute(&format!("INSERT INTO usage_counts ({columns}) VALUES {counts}")).await;

    assert_eq!(world.store.prune(NOW).await, Ok(1_200 + 1_200));
    let left = "SELECT (SELECT COUNT(*) FROM peaks) + (SELECT COUNT(*) FROM usage_counts)";
    assert_eq!(world.raw.number(left).await, 1_200 + 1_200);
}

async fn expired_idempotency_record_is_deleted(world: &World) {
    let records = world.records();
    let record = record("once", "text");
    let claim = records.claim(&acme(), &record, NOW).await;
    assert!(matches!(claim, Ok(Claim::Run { .. })), "{claim:?}");
    let expires = NOW.plus(KEPT_FOR);
    assert_eq!(world.store.prune(expires).await, Ok(0));
    assert_eq!(world.store.prune(expires.plus(std::time::Duration::from_millis(1))).await, Ok(1));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM promises").await, 0);
}
