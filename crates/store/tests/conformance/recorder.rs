//! Usage is written in batches: nothing is lost or counted twice.

use std::{fmt::Write, sync::Arc};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use svc_mcp_access::{StoreError, Timestamp, key::NewKey};
use svc_mcp_store::{ActivityFilter, EventKind, EventOutcome, KeyUse, UsageBatch, UsageRecorder};

use crate::{
    activity::{used, write},
    make::{NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    last_use_never_moves_back,
    denied_request_is_no_use,
    requests_add_up_over_batches,
    call_of_an_unknown_tool_is_counted_as_unknown,
    peak_of_a_minute_is_kept,
    events_beyond_the_limit_are_only_counted,
    denied_requests_of_two_instances_are_one_row,
    failed_batch_is_written_once_later,
    committed_batch_is_not_written_again_after_a_lost_response,
    empty_batch_writes_nothing,
    many_keys_are_written_in_several_transactions,
    busy_batches_write_little_at_a_time,
    instances_that_write_the_same_keys_do_not_deadlock,
}

async fn last_used(world: &World, key: &NewKey) -> Option<Timestamp> {
    let found = world.store.key(&key.key.brand_id, &key.key.key_id).await.expect("the store answers");
    found.expect("it is kept").last_used_at
}

async fn last_use_never_moves_back(world: &World) {
    let (one, other) = (world.key("acme").await, world.key("acme").await);
    assert_eq!(last_used(world, &one).await, None);
    let at = async |moment| used(world, &one, after(moment)).await;
    write(world, [at(5).await, at(9).await, at(7).await]).await;
    assert_eq!(last_used(world, &one).await, Some(after(9)));
    write(world, [at(8).await]).await;
    assert_eq!(last_used(world, &one).await, Some(after(9)), "an older batch came late");
    write(world, [at(10).await]).await;
    assert_eq!(last_used(world, &one).await, Some(after(10)));
    assert_eq!(last_used(world, &other).await, None);
}

async fn denied_request_is_no_use(world: &World) {
    let key = world.key("acme").await;
    let denied = KeyUse { outcome: EventOutcome::Denied, ..used(world, &key, after(5)).await };
    write(world, [denied.clone()]).await;
    assert_eq!(last_used(world, &key).await, None);
    let failed = KeyUse { outcome: EventOutcome::Error, ..used(world, &key, after(6)).await };
    write(world, [failed, KeyUse { at: after(7), ..denied }]).await;
    assert_eq!(last_used(world, &key).await, Some(after(6)), "it was admitted, though it failed");
}

async fn requests_add_up_over_batches(world: &World) {
    let (ours, theirs) = (world.key("acme").await, world.key("umbrella").await);
    let ok = used(world, &ours, NOW).await;
    let failed = KeyUse { outcome: EventOutcome::Error, ..ok.clone() };
    let denied = KeyUse { outcome: EventOutcome::Denied, ..ok.clone() };
    let list = KeyUse { kind: EventKind::List, tool: None, ..ok.clone() };
    for _ in 0..3 {
        write(world, [ok.clone(), ok.clone(), failed.clone(), denied.clone(), list.clone()]).await;
    }
    write(world, [used(world, &theirs, NOW).await]).await;

    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    let actual: Vec<_> =
        lines.iter().map(|line| (line.tool.as_deref(), line.calls, line.errors, line.denied)).collect();
    assert_eq!(actual, [(None, 3, 0, 0), (Some("get_post"), 9, 3, 3)]);
    assert!(lines.iter().all(|line| line.key_id == ours.key.key_id && line.day == "2026-11-15"));
    let lines = world.store.usage(&umbrella(), "2026-11-15").await.expect("the store answers");
    let actual: Vec<_> = lines.iter().map(|line| (&line.key_id, line.calls)).collect();
    assert_eq!(actual, [(&theirs.key.key_id, 1)]);
}

async fn call_of_an_unknown_tool_is_counted_as_unknown(world: &World) {
    let key = world.key("acme").await;
    let unknown = KeyUse {
        tool: None,
        outcome: EventOutcome::Denied,
        reason: Some("unknown_tool"),
        ..used(world, &key, NOW).await
    };
    let list = KeyUse { kind: EventKind::List, ..unknown.clone() };
    write(world, [unknown.clone(), list, unknown]).await;
    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    let actual: Vec<_> = lines.iter().map(|line| (line.tool.as_deref(), line.calls, line.denied)).collect();
    assert_eq!(actual, [(None, 0, 1), (Some("(unknown)"), 0, 2)]);
}

async fn peak_of_a_minute_is_kept(world: &World) {
    let (one, other) = (world.key("acme").await, world.key("acme").await);
    let full = async |key, at, in_window| KeyUse { in_window, ..used(world, key, after(at)).await };
    write(world, [full(&one, 0, 7).await, full(&one, 10, 30).await, full(&one, 20, 12).await]).await;
    write(world, [full(&one, 30, 29).await, full(&other, 60_000, 5).await]).await;
    let peaks = async |since| {
        let peaks = world.store.peaks(&acme(), after(since)).await.expect("the store answers");
        let most =
            |key: &NewKey| peaks.iter().find(|peak| peak.key_id == key.key.key_id).map(|peak| peak.most);
        (most(&one), most(&other))
    };
    assert_eq!(peaks(0).await, (Some(30), Some(5)));
    assert_eq!(peaks(59_999).await, (Some(30), Some(5)), "a minute that has begun counts whole");
    assert_eq!(peaks(60_000).await, (None, Some(5)));
    write(world, [full(&one, 40, 31).await, full(&one, 60_000, 60).await]).await;
    assert_eq!(peaks(0).await, (Some(60), Some(5)));
    assert_eq!(world.raw.number("SELECT most FROM peaks ORDER BY minute LIMIT 1").await, 31);
    assert!(world.store.peaks(&umbrella(), NOW).await.expect("the store answers").is_empty());
}

async fn events_beyond_the_limit_are_only_counted(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, NOW).await;
    write(world, (0..5_600).map(|number| KeyUse { at: after(number), ..template.clone() })).await;
    // The queue takes 500 events, and then 100 in each further second.
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity WHERE kind = 'call'").await, 1_000);
    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    assert_eq!(lines.iter().map(|line| line.calls).sum::<u64>(), 5_600);
    assert_eq!(last_used(world, &key).await, Some(after(5_599)));

    let left_out = async |brand, from: Option<i64>, to: Option<i64>| {
        let found = world.store.events_left_out(&brand, from.map(after), to.map(after)).await;
        found.expect("the store answers")
    };
    assert_eq!(left_out(acme(), None, None).await, 4_600);
    assert_eq!(left_out(umbrella(), None, None).await, 0);
    // A later minute, and the same minute once more.
    write(world, (0..600).map(|_| KeyUse { at: after(60_000), ..template.clone() })).await;
    write(world, (0..600).map(|_| KeyUse { at: after(60_001), ..template.clone() })).await;
    assert_eq!(left_out(acme(), None, None).await, 4_600 + 200);
    assert_eq!(left_out(acme(), None, Some(60_000)).await, 4_600);
    assert_eq!(left_out(acme(), Some(60_000), Some(120_000)).await, 200);
    assert_eq!(left_out(acme(), Some(119_999), None).await, 200);
    assert_eq!(left_out(acme(), Some(120_000), None).await, 0);
}

async fn denied_requests_of_two_instances_are_one_row(world: &World) {
    let key = world.key("acme").await;
    let denied = KeyUse {
        outcome: EventOutcome::Denied,
        reason: Some("insufficient_scope"),
        tool: Some("create_post"),
        ..used(world, &key, after(1)).await
    };
    let stores = [world.store.clone(), world.another_process().await];
    let mut instances = stores.map(|store| (store, UsageRecorder::default(), UsageBatch::default()));
    for round in 0..10 {
        for (store, recorder, batch) in &mut instances {
            for number in 0..10 {
                recorder.record(KeyUse { at: after(5_000 * round + number), ..denied.clone() });
            }
            // Another minute, another reason, another kind.
            recorder.record(KeyUse { at: after(60_000), ..denied.clone() });
            recorder.record(KeyUse { reason: Some("rate_limited"), tool: None, ..denied.clone() });
            recorder.record(KeyUse { kind: EventKind::List, tool: None, ..denied.clone() });
            recorder.drain_into(batch, &mut world.entropy.clone());
            while store.write_batch(batch).await.expect("the store answers") {}
        }
    }
    let events = async || {
        let filter = ActivityFilter { outcome: Some(EventOutcome::Denied), limit: 100, ..Default::default() };
        let (events, _) = world.store.activity(&acme(), &filter).await.expect("the store answers");
        let mut rows: Vec<_> = events
            .into_iter()
            .map(|event| (event.at, event.kind.as_str(), event.reason, event.tool, event.count))
            .collect();
        rows.sort();
        rows
    };
    let row = |at, kind, reason: &str, tool: Option<&str>, count| {
        (after(at), kind, Some(reason.to_owned()), tool.map(str::to_owned), count)
    };
    let mut expected = [
        row(1, "call", "rate_limited", None, 20),
        row(1, "list", "insufficient_scope", None, 20),
        // The time is that of the first write.
        row(9, "call", "insufficient_scope", Some("create_post"), 200),
        row(60_000, "call", "insufficient_scope", Some("create_post"), 20),
    ];
    assert_eq!(events().await, expected);
    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    assert_eq!(lines.iter().map(|line| line.denied).sum::<u64>(), 260);

    let (store, recorder, batch) = &mut instances[0];
    recorder.record(KeyUse { tool: Some("run_audit"), ..denied });
    recorder.drain_into(batch, &mut world.entropy.clone());
    assert_eq!(store.write_batch(batch).await, Ok(false));
    expected[2] = row(9, "call", "insufficient_scope", None, 201);
    assert_eq!(events().await, expected, "the tools differ");
}

async fn failed_batch_is_written_once_later(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, after(3)).await;
    let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
    let mut entropy = world.entropy.clone();
    recorder.record(template.clone());
    recorder.drain_into(&mut batch, &mut entropy);

    // The last table is missing, so everything that was written to the others must be rolled back.
    world.raw.execute("ALTER TABLE activity RENAME TO hidden").await;
    for _ in 0..2 {
        assert_eq!(world.store.write_batch(&mut batch).await, Err(StoreError::Internal));
    }
    recorder.record(KeyUse { at: after(4), ..template });
    recorder.drain_into(&mut batch, &mut entropy);
    assert_eq!(world.store.write_batch(&mut batch).await, Err(StoreError::Internal));
    assert_eq!(last_used(world, &key).await, None);
    world.raw.execute("ALTER TABLE hidden RENAME TO activity").await;

    assert_eq!(world.store.write_batch(&mut batch).await, Ok(true), "what came later is written next");
    for _ in ["written", "nothing is left to write"] {
        assert_eq!(world.store.write_batch(&mut batch).await, Ok(false));
        assert_eq!(last_used(world, &key).await, Some(after(4)));
        assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity WHERE kind = 'call'").await, 2);
        let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
        assert_eq!(lines.iter().map(|line| line.calls).sum::<u64>(), 2);
    }
}

/// The commit succeeds, and its response is lost.
async fn committed_batch_is_not_written_again_after_a_lost_response(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, after(3)).await;
    let (recorder, mut batch, mut entropy) =
        (UsageRecorder::default(), UsageBatch::default(), world.entropy.clone());
    recorder.record(template.clone());
    recorder.drain_into(&mut batch, &mut entropy);
    // The first attempt fails. Its content is kept unchanged, and later usage is not mixed into it.
    world.raw.execute("ALTER TABLE activity RENAME TO hidden").await;
    assert_eq!(world.store.write_batch(&mut batch).await, Err(StoreError::Internal));
    recorder.record(KeyUse { at: after(4), ..template });
    let mut in_doubt = batch.clone();
    world.raw.execute("ALTER TABLE hidden RENAME TO activity").await;
    assert_eq!(world.store.write_batch(&mut batch).await, Ok(false));
    world.raw.execute("ALTER TABLE activity RENAME TO hidden").await;
    assert_eq!(world.store.write_batch(&mut in_doubt).await, Ok(false), "nothing is to be done");
    world.raw.execute("ALTER TABLE hidden RENAME TO activity").await;
    recorder.drain_into(&mut in_doubt, &mut entropy);
    assert_eq!(world.store.write_batch(&mut in_doubt).await, Ok(false));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity WHERE kind = 'call'").await, 2);
    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    assert_eq!(lines.iter().map(|line| line.calls).sum::<u64>(), 2);
}

async fn empty_batch_writes_nothing(world: &World) {
    let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
    recorder.drain_into(&mut batch, &mut world.entropy.clone());
    world.store.close().await;
    assert_eq!(world.store.write_batch(&mut batch).await, Ok(false), "it does not even ask the database");
}

/// Inserts the keys `key_0`, `key_1` and so on.
async fn add_keys(world: &World, keys: i64) {
    let mut sql = String::from(
        "INSERT INTO keys (key_id, brand_id, created_by, label, scope, prefix, digest, created_at) VALUES ",
    );
    for number in 0..keys {
        let digest = world.raw.bytes(format!("{number:032}").as_bytes());
        let comma = if number == 0 { "" } else { "," };
        write!(sql, "{comma}('key_{number}', 'acme', 'ada', 'l', 'read', 'svc_mcp_abcdef', {digest}, 0)")
            .expect("text");
    }
    world.raw.execute(&sql).await;
}

/// The same request, of the key with this number.
fn use_of_key(template: &KeyUse, number: i64) -> KeyUse {
    let mut key_state = (*template.key_state).clone();
    key_state.key_id = id(&format!("key_{number}"));
    KeyUse { key_state: Arc::new(key_state), ..template.clone() }
}

/// Usage that arrives between two transactions is neither lost nor counted twice.
async fn many_keys_are_written_in_several_transactions(world: &World) {
    const KEYS: i64 = 2_503;
    let template = used(world, &world.key("acme").await, NOW).await;
    add_keys(world, KEYS).await;
    let use_of = |number: i64| KeyUse { at: after(number), ..use_of_key(&template, number) };
    let (recorder, mut batch, mut entropy) =
        (UsageRecorder::default(), UsageBatch::default(), world.entropy.clone());
    for number in 0..KEYS {
        recorder.record(use_of(number));
        if number % 300 == 0 || number == KEYS - 1 {
            recorder.drain_into(&mut batch, &mut entropy);
        }
    }
    assert_eq!(world.store.write_batch(&mut batch).await, Ok(true), "there is more");
    // One key is written already, the other one still waits.
    recorder.record(use_of(0));
    recorder.record(use_of(KEYS - 1));
    recorder.drain_into(&mut batch, &mut entropy);
    while world.store.write_batch(&mut batch).await.expect("the store answers") {}
    assert_eq!(world.store.write_batch(&mut batch).await, Ok(false), "nothing is left");

    let moments = "SELECT COUNT(DISTINCT last_used_at) FROM keys";
    assert_eq!(world.raw.number(moments).await, KEYS, "each its own");
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM peaks").await, KEYS);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity WHERE kind = 'call'").await, KEYS + 2);
    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    assert_eq!(lines.len(), usize::try_from(KEYS).expect("small"));
    for line in lines {
        let twice = [id("key_0"), id(&format!("key_{}", KEYS - 1))].contains(&line.key_id);
        assert_eq!(line.calls, if twice { 2 } else { 1 }, "{line:?}");
    }
}

/// While there are many requests, each transaction is small, so that writing gives way to them. Afterwards the rest is
/// written quickly.
async fn busy_batches_write_little_at_a_time(world: &World) {
    const KEYS: i64 = 1_500;
    const KEYS_OF_A_WRITE: i64 = 14;
    let template = used(world, &world.key("acme").await, NOW).await;
    let (recorder, mut batch, mut entropy) =
        (UsageRecorder::default(), UsageBatch::default(), world.entropy.clone());
    for number in 0..KEYS {
        recorder.record(use_of_key(&template, number));
    }
    recorder.drain_into(&mut batch, &mut entropy);
    let counted = async || world.raw.number("SELECT COUNT(*) FROM usage_counts").await;
    for turn in 1..=3 {
        assert_eq!(world.store.write_batch(&mut batch).await, Ok(true), "there is more");
        assert_eq!(counted().await, KEYS_OF_A_WRITE * turn);
    }
    recorder.drain_into(&mut batch, &mut entropy);
    let mut writes = 1;
    while world.store.write_batch(&mut batch).await.expect("the store answers") {
        writes += 1;
    }
    assert_eq!((counted().await, writes), (KEYS, 3), "the rest is written in large parts");
}

/// Every instance locks the rows of its keys until the commit. If two locked them in different orders, PostgreSQL would
/// end one of them because of the deadlock.
async fn instances_that_write_the_same_keys_do_not_deadlock(world: &World) {
    const KEYS: i64 = 200;
    let template = used(world, &world.key("acme").await, NOW).await;
    add_keys(world, KEYS).await;
    let instances = (0..4).map(|instance| {
        let (store, template, mut entropy) = (world.store.clone(), template.clone(), world.entropy.clone());
        let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed() + instance);
        async move {
            let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
            let mut denied = 0;
            for round in 0..60 {
                for number in (0..KEYS).filter(|_| random.random_bool(0.5)) {
                    let key_use = KeyUse { at: after(round), ..use_of_key(&template, number) };
                    let reason = ["rate_limited", "unknown_tool"][usize::from((number + round) % 2 == 0)];
                    denied += 1;
                    recorder.record(KeyUse {
                        outcome: EventOutcome::Denied,
                        reason: Some(reason),
                        ..key_use.clone()
                    });
                    recorder.record(key_use);
                }
                recorder.drain_into(&mut batch, &mut entropy);
                while store.write_batch(&mut batch).await.expect("the store answers") {}
            }
            denied
        }
    });
    let denied: i64 = at_once(instances).await.into_iter().sum();
    let folded = "SELECT CAST(SUM(count) AS BIGINT) FROM activity WHERE outcome = 'denied'";
    assert_eq!(world.raw.number(folded).await, denied);
    let rows = world.raw.number("SELECT COUNT(*) FROM activity WHERE outcome = 'denied'").await;
    assert_eq!(rows, 2 * KEYS, "one for each key and reason");
}
