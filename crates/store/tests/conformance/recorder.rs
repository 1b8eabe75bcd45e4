//! Uses written in batches: nothing lost, nothing twice, nothing moved back.

use std::{fmt::Write, sync::Arc};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use svc_mcp_access::{Timestamp, decision::Unavailable, key::NewKey};
use svc_mcp_store::{Batch, EventKind, EventOutcome, Recorder, Use};

use crate::{
    activity::{used, write},
    make::{NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    the_last_use_moves_forward_only,
    a_denied_request_is_no_use,
    requests_add_up_over_batches,
    a_call_of_no_known_tool_is_counted_as_such,
    the_fullest_minute_is_kept,
    beyond_the_cap_events_are_only_counted,
    a_batch_that_failed_is_written_once_later,
    a_batch_that_was_committed_in_silence_is_not_written_again,
    an_empty_batch_writes_nothing,
    more_keys_than_one_turn_are_written_in_turns,
    while_it_is_busy_turns_are_short,
    instances_that_write_uses_of_the_same_keys_do_not_lock_each_other_out,
}

async fn last_used(world: &World, key: &NewKey) -> Option<Timestamp> {
    let found = world.store.key(&key.key.brand_id, &key.key.key_id).await.expect("the store answers");
    found.expect("it is kept").last_used_at
}

async fn the_last_use_moves_forward_only(world: &World) {
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

async fn a_denied_request_is_no_use(world: &World) {
    let key = world.key("acme").await;
    let denied = Use { outcome: EventOutcome::Denied, ..used(world, &key, after(5)).await };
    write(world, [denied.clone()]).await;
    assert_eq!(last_used(world, &key).await, None);
    let failed = Use { outcome: EventOutcome::Error, ..used(world, &key, after(6)).await };
    write(world, [failed, Use { at: after(7), ..denied }]).await;
    assert_eq!(last_used(world, &key).await, Some(after(6)), "it was admitted, though it failed");
}

async fn requests_add_up_over_batches(world: &World) {
    let (ours, theirs) = (world.key("acme").await, world.key("umbrella").await);
    let ok = used(world, &ours, NOW).await;
    let failed = Use { outcome: EventOutcome::Error, ..ok.clone() };
    let denied = Use { outcome: EventOutcome::Denied, ..ok.clone() };
    let list = Use { kind: EventKind::List, tool: None, ..ok.clone() };
    for _ in 0..3 {
        write(world, [ok.clone(), ok.clone(), failed.clone(), denied.clone(), list.clone()]).await;
    }
    write(world, [used(world, &theirs, NOW).await]).await;

    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    let told: Vec<_> =
        lines.iter().map(|line| (line.tool.as_deref(), line.calls, line.errors, line.denied)).collect();
    assert_eq!(told, [(None, 3, 0, 0), (Some("get_post"), 9, 3, 3)]);
    assert!(lines.iter().all(|line| line.key_id == ours.key.key_id && line.day == "2026-11-15"));
    let lines = world.store.usage(&umbrella(), "2026-11-15").await.expect("the store answers");
    let told: Vec<_> = lines.iter().map(|line| (&line.key_id, line.calls)).collect();
    assert_eq!(told, [(&theirs.key.key_id, 1)]);
}

async fn a_call_of_no_known_tool_is_counted_as_such(world: &World) {
    let key = world.key("acme").await;
    let unknown = Use {
        tool: None,
        outcome: EventOutcome::Denied,
        reason: Some("unknown_tool"),
        ..used(world, &key, NOW).await
    };
    let list = Use { kind: EventKind::List, ..unknown.clone() };
    write(world, [unknown.clone(), list, unknown]).await;
    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    let told: Vec<_> = lines.iter().map(|line| (line.tool.as_deref(), line.calls, line.denied)).collect();
    assert_eq!(told, [(None, 0, 1), (Some("(unknown)"), 0, 2)]);
}

async fn the_fullest_minute_is_kept(world: &World) {
    let (one, other) = (world.key("acme").await, world.key("acme").await);
    let full = async |key, at, in_window| Use { in_window, ..used(world, key, after(at)).await };
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

async fn beyond_the_cap_events_are_only_counted(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, NOW).await;
    write(world, (0..5_600).map(|number| Use { at: after(number), ..template.clone() })).await;
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity WHERE kind = 'call'").await, 100);
    let lines = world.store.usage(&acme(), "2026-11-15").await.expect("the store answers");
    assert_eq!(lines.iter().map(|line| line.calls).sum::<u64>(), 5_600);
    assert_eq!(last_used(world, &key).await, Some(after(5_599)));
}

async fn a_batch_that_failed_is_written_once_later(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, after(3)).await;
    let (recorder, mut batch) = (Recorder::default(), Batch::default());
    let mut entropy = world.entropy.clone();
    recorder.record(template.clone());
    recorder.drain_into(&mut batch, &mut entropy);

    // The last of the tables is not there: what was written to the others before it must not stay.
    world.raw.execute("ALTER TABLE activity RENAME TO hidden").await;
    for _ in 0..2 {
        assert_eq!(world.store.write_batch(&mut batch).await, Err(Unavailable));
    }
    recorder.record(Use { at: after(4), ..template });
    recorder.drain_into(&mut batch, &mut entropy);
    assert_eq!(world.store.write_batch(&mut batch).await, Err(Unavailable));
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

/// The worst moment: it is committed, and the writer does not hear of it.
async fn a_batch_that_was_committed_in_silence_is_not_written_again(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, after(3)).await;
    let (recorder, mut batch, mut entropy) = (Recorder::default(), Batch::default(), world.entropy.clone());
    recorder.record(template.clone());
    recorder.drain_into(&mut batch, &mut entropy);
    // An attempt that fails: what it would have written is held as it was, and what comes later does not mix with it.
    world.raw.execute("ALTER TABLE activity RENAME TO hidden").await;
    assert_eq!(world.store.write_batch(&mut batch).await, Err(Unavailable));
    recorder.record(Use { at: after(4), ..template });
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

async fn an_empty_batch_writes_nothing(world: &World) {
    let (recorder, mut batch) = (Recorder::default(), Batch::default());
    recorder.drain_into(&mut batch, &mut world.entropy.clone());
    world.store.close().await;
    assert_eq!(world.store.write_batch(&mut batch).await, Ok(false), "it does not even ask the database");
}

/// Puts so many keys into the table: `key_0` and so on.
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

/// The same use, but of the key with this number.
fn use_of_key(template: &Use, number: i64) -> Use {
    let mut standing = (*template.standing).clone();
    standing.key_id = id(&format!("key_{number}"));
    Use { standing: Arc::new(standing), ..template.clone() }
}

/// Many keys are written in turns; what comes in between is neither lost nor counted twice.
async fn more_keys_than_one_turn_are_written_in_turns(world: &World) {
    const KEYS: i64 = 2_503;
    let template = used(world, &world.key("acme").await, NOW).await;
    add_keys(world, KEYS).await;
    let use_of = |number: i64| Use { at: after(number), ..use_of_key(&template, number) };
    let (recorder, mut batch, mut entropy) = (Recorder::default(), Batch::default(), world.entropy.clone());
    for number in 0..KEYS {
        recorder.record(use_of(number));
        if number % 300 == 0 || number == KEYS - 1 {
            recorder.drain_into(&mut batch, &mut entropy);
        }
    }
    assert_eq!(world.store.write_batch(&mut batch).await, Ok(true), "there is more");
    // One that was written already, and one that still waits.
    recorder.record(use_of(0));
    recorder.record(use_of(KEYS - 1));
    recorder.drain_into(&mut batch, &mut entropy);
    assert_eq!(world.store.write_batch(&mut batch).await, Ok(false));
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

/// While thousands of uses come at a time, each turn is short, so that writing gives way to the requests. When they
/// have stopped, the rest is written quickly.
async fn while_it_is_busy_turns_are_short(world: &World) {
    const KEYS: i64 = 1_500;
    let template = used(world, &world.key("acme").await, NOW).await;
    let (recorder, mut batch, mut entropy) = (Recorder::default(), Batch::default(), world.entropy.clone());
    for number in 0..KEYS {
        recorder.record(use_of_key(&template, number));
    }
    recorder.drain_into(&mut batch, &mut entropy);
    let counted = async || world.raw.number("SELECT COUNT(*) FROM usage_counts").await;
    for turn in 1..=3 {
        assert_eq!(world.store.write_batch(&mut batch).await, Ok(true), "there is more");
        assert_eq!(counted().await, 100 * turn);
    }
    recorder.drain_into(&mut batch, &mut entropy);
    assert_eq!(world.store.write_batch(&mut batch).await, Ok(false));
    assert_eq!(counted().await, KEYS);
}

/// Each holds the rows of the keys it has written until it has written all of them. Where two took them in different
/// orders, each would wait for the other, and PostgreSQL would end one of them.
async fn instances_that_write_uses_of_the_same_keys_do_not_lock_each_other_out(world: &World) {
    const KEYS: i64 = 200;
    let template = used(world, &world.key("acme").await, NOW).await;
    add_keys(world, KEYS).await;
    let instances = (0..4).map(|instance| {
        let (store, template, mut entropy) = (world.store.clone(), template.clone(), world.entropy.clone());
        let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed() + instance);
        async move {
            let (recorder, mut batch) = (Recorder::default(), Batch::default());
            for round in 0..60 {
                for number in (0..KEYS).filter(|_| random.random_bool(0.5)) {
                    recorder.record(Use { at: after(round), ..use_of_key(&template, number) });
                }
                recorder.drain_into(&mut batch, &mut entropy);
                while store.write_batch(&mut batch).await.expect("the store answers") {}
            }
        }
    });
    at_once(instances).await;
}
