//! Usage by day, key and tool, with latencies.

use std::time::Duration;

use svc_mcp_store::{EventKind, EventOutcome, KeyUse};

use crate::{
    activity::{used, write},
    make::{NOW, acme, after, umbrella},
    world::World,
};

on_both_engines! {
    quantiles_are_within_a_tenth,
    denied_requests_are_not_in_the_quantiles,
    usage_is_grouped_by_day_key_and_tool,
}

const DAY: i64 = 86_400_000;

fn within_a_tenth(found: Option<f64>, expected_ms: f64) {
    let found = found.expect("there were calls");
    assert!((found - expected_ms).abs() <= expected_ms / 10.0, "{found} ms is not about {expected_ms} ms");
}

async fn quantiles_are_within_a_tenth(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, NOW).await;
    // 1 to 1,000 ms, written in four batches.
    for quarter in 0..4 {
        let taken = |millis| KeyUse { latency: Duration::from_millis(millis), ..template.clone() };
        write(world, (1..=1_000).filter(|millis| millis % 4 == quarter).map(taken)).await;
    }
    let failed = KeyUse { outcome: EventOutcome::Error, latency: Duration::from_millis(40), ..template };
    let failed = KeyUse { tool: Some("create_post"), ..failed };
    write(world, [failed]).await;
    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    let [create, get] = &lines[..] else { panic!("two lines, not {lines:?}") };
    within_a_tenth(get.p50_ms, 500.0);
    within_a_tenth(get.p95_ms, 950.0);
    within_a_tenth(create.p50_ms, 40.0);
    within_a_tenth(create.p95_ms, 40.0);
    assert_eq!((get.calls, create.calls, create.errors), (1_000, 1, 1));
}

async fn denied_requests_are_not_in_the_quantiles(world: &World) {
    let key = world.key("acme").await;
    let slow = KeyUse { latency: Duration::from_secs(1), ..used(world, &key, NOW).await };
    let denied = KeyUse { outcome: EventOutcome::Denied, latency: Duration::from_micros(20), ..slow.clone() };
    write(world, std::iter::repeat_n(denied.clone(), 50)).await;
    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    assert_eq!((lines[0].calls, lines[0].denied, lines[0].p50_ms, lines[0].p95_ms), (0, 50, None, None));
    write(world, [slow]).await;
    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    assert_eq!((lines[0].calls, lines[0].denied), (1, 50));
    within_a_tenth(lines[0].p50_ms, 1_000.0);
}

async fn usage_is_grouped_by_day_key_and_tool(world: &World) {
    let mut keys = [world.key("acme").await, world.key("acme").await];
    keys.sort_by(|one, other| one.key.key_id.cmp(&other.key.key_id));
    let mut uses = Vec::new();
    for day in [-1, 0, 1] {
        for key in &keys {
            let call = used(world, key, after(day * DAY)).await;
            uses.push(KeyUse { kind: EventKind::List, tool: None, ..call.clone() });
            uses.push(KeyUse { tool: Some("list_posts"), ..call.clone() });
            uses.push(call);
        }
    }
    // The last millisecond of a day belongs to that day.
    uses.push(KeyUse { at: after(DAY - 1), ..used(world, &keys[0], NOW).await });
    write(world, uses).await;

    let lines = async |first_day| world.store.usage(&acme(), first_day).await.expect("the store answers");
    let mut expected = Vec::new();
    for day in ["2026-11-14", "2026-11-15", "2026-11-16"] {
        for key in &keys {
            for tool in [None, Some("get_post"), Some("list_posts")] {
                let twice = (day, tool) == ("2026-11-15", Some("get_post")) && key.digest == keys[0].digest;
                expected.push((day, &key.key.key_id, tool, if twice { 2 } else { 1 }));
            }
        }
    }
    let all = lines("2026-11-14").await;
    let actual: Vec<_> =
        all.iter().map(|line| (line.day.as_str(), &line.key_id, line.tool.as_deref(), line.calls)).collect();
    assert_eq!(actual, expected);
    assert_eq!(lines("2026-11-15").await.len(), 12);
    assert_eq!(lines("2026-11-16").await.len(), 6);
    assert!(lines("2026-11-17").await.is_empty());
    assert!(world.store.usage(&umbrella(), "2026-11-14").await.expect("the store answers").is_empty());
}
