use std::{collections::HashMap, sync::atomic::AtomicU64};

use rand::{SeedableRng, rngs::StdRng};
use svc_mcp_access::{
    Scope,
    decision::Stamps,
    key::KeyDigest,
    rate::WindowSlot,
    usage::{BrandUsage, UsageCounter},
};

use super::{batch::PendingWrite, rows::Rows, *};

const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);
/// How often the background task drains, and how often it writes while it is busy.
const DRAIN_MILLIS: u64 = 400;
const DRAINS_PER_WRITE: u64 = 3;

fn after(millis: u64) -> Timestamp {
    NOW.plus(Duration::from_millis(millis))
}

fn use_of_key(brand: &str, usage: UsageCounter) -> KeyUse {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let id = format!("id_{number}");
    let key_state = KeyState {
        digest: KeyDigest::of(&number.to_le_bytes()),
        expires_at: None,
        window: WindowSlot::default(),
        usage,
        scope: Scope::Read,
        revoked: false,
        keeps_queued_work: false,
        paused: false,
        owner_is_member: true,
        mcp_enabled: true,
        brand_suspended: false,
        approval: svc_mcp_access::ApprovalRule::None,
        rotation: None,
        allowed_networks: None,
        tools: None,
        stamps: Stamps::default(),
        key_id: id.parse().expect("an id"),
        brand_id: brand.parse().expect("an id"),
        plan_id: id.parse().expect("an id"),
        owner: id.parse().expect("an id"),
    };
    KeyUse {
        key_state: Arc::new(key_state),
        at: NOW,
        kind: EventKind::List,
        tool: None,
        outcome: EventOutcome::Ok,
        reason: None,
        latency: Duration::from_micros(50),
        in_window: 1,
    }
}

fn use_of_new_key() -> KeyUse {
    use_of_key("acme", UsageCounter::default())
}

/// One key of a new brand.
fn use_of_new_brand(brand: &str) -> KeyUse {
    use_of_key(brand, UsageCounter::of_brand(Arc::new(BrandUsage::default())))
}

fn denied(reason: &'static str, key_use: &KeyUse) -> KeyUse {
    KeyUse { outcome: EventOutcome::Denied, reason: Some(reason), ..key_use.clone() }
}

fn random() -> StdRng {
    StdRng::seed_from_u64(1)
}

/// Drains everything and prepares one write.
async fn write(recorder: &UsageRecorder, batch: &mut UsageBatch) -> PendingWrite {
    recorder.drain_into(batch, &mut random());
    batch.start_write().await;
    batch.pending.take().expect("there is something to write")
}

/// All parts of the events that wait.
async fn parts(batch: &mut UsageBatch) -> Vec<PendingWrite> {
    let mut parts = Vec::new();
    loop {
        batch.start_write().await;
        parts.push(batch.pending.take().expect("there is something to write"));
        if !batch.has_sorted_events() {
            return parts;
        }
    }
}

#[tokio::test]
async fn lost_usage_takes_no_capacity_from_later_usage() {
    let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
    let kept = use_of_new_key();
    recorder.record(kept.clone());
    recorder.drained_groups.store(MAX_WAITING_GROUPS - 1, Ordering::Relaxed);
    for _ in 0..10 {
        let lost = use_of_new_key();
        recorder.record(lost.clone());
        assert!(lost.key_state.usage.take().is_empty());
    }
    recorder.record(kept);
    recorder.drain_into(&mut batch, &mut random());
    assert_eq!((batch.groups, batch.waiting_keys()), (1, 1));
    batch.start_write().await;
    assert_eq!((batch.groups, batch.waiting_keys()), (0, 0));
    let write = batch.pending.take().expect("there is something to write");
    assert_eq!(write.usage[0].1[0].1.requests, 2);
    recorder.drain_into(&mut batch, &mut random());
    assert!(recorder.has_capacity());
}

#[tokio::test]
async fn event_is_written_after_its_count() {
    let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
    let late = use_of_new_key();
    recorder.record(late.clone());
    // An earlier write has taken the count.
    late.key_state.usage.take();
    assert_eq!(write(&recorder, &mut batch).await.events.len(), 1);
}

#[tokio::test]
async fn denied_requests_are_folded_by_key_reason_and_minute() {
    let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
    let (one, other) = (use_of_new_brand("acme"), use_of_new_brand("acme"));
    let call = |tool| KeyUse { kind: EventKind::Call, tool, ..one.clone() };
    for number in 0..10_000 {
        let at = after(number % 60_000);
        recorder.record(KeyUse { at, ..denied("rate_limited", &one) });
        recorder.record(KeyUse { at, ..denied("rate_limited", &other) });
        recorder.record(KeyUse { at: after(60_000), ..denied("rate_limited", &one) });
        recorder.record(KeyUse { at, ..denied("insufficient_scope", &call(Some("create_post"))) });
        let tool = ["run_audit", "create_post"][usize::from(number % 2 == 0)];
        recorder.record(KeyUse { at, ..denied("invalid_arguments", &call(Some(tool))) });
        recorder.record(KeyUse { at, ..denied("unknown_tool", &call(None)) });
    }
    assert!(recorder.waiting.lock().events.is_empty(), "they take no place in the queue");
    assert_eq!(recorder.waiting.lock().keys.len(), 2);
    let write = write(&recorder, &mut batch).await;
    let rows = Rows::from_write(&write);
    let mut folded: Vec<_> = rows
        .denials
        .iter()
        .filter(|(((_, key), ..), _)| **key == one.key_state.key_id)
        .map(|((_, _, kind, reason), denials)| (reason.unwrap_or("-"), *kind, denials.tool, denials.requests))
        .collect();
    folded.sort_unstable();
    assert_eq!(
        folded,
        [
            ("insufficient_scope", "call", Some("create_post"), 10_000),
            ("invalid_arguments", "call", None, 10_000),
            ("rate_limited", "list", None, 10_000),
            ("rate_limited", "list", None, 10_000),
            ("unknown_tool", "call", None, 10_000),
        ]
    );
    assert_eq!(rows.denials.len(), 6);
    let counted: i64 = rows.counts.iter().map(|(_, requests)| requests).sum();
    assert_eq!(counted, 60_000, "every one is counted in the usage");
    assert!(rows.left_out.is_empty(), "{:?}", rows.left_out);
}

/// Brands with few requests keep every event, while others send as much as they can. The number of events that the others lose is recorded.
#[tokio::test]
async fn brand_with_few_requests_loses_no_event() {
    const LOUD: usize = 15;
    let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
    let quiet = ["quiet-0", "quiet-1", "quiet-2"].map(use_of_new_brand);
    let loud: Vec<_> = (0..LOUD).map(|number| use_of_new_brand(&format!("loud-{number}"))).collect();
    let mut sent: HashMap<String, i64> = HashMap::new();
    let (mut kept, mut left_out) = (HashMap::<String, i64>::new(), HashMap::<String, i64>::new());
    let mut writes = Vec::new();
    let mut record = |key_use: &KeyUse, at| {
        *sent.entry(key_use.key_state.brand_id.to_string()).or_default() += 1;
        recorder.record(KeyUse { at, ..key_use.clone() });
    };
    for millis in 0..6_000 {
        for key_use in &loud {
            for _ in 0..5 {
                record(key_use, after(millis));
            }
            recorder.record(KeyUse { at: after(millis), ..denied("rate_limited", key_use) });
        }
        // 99 requests in each second: one brand evenly, one at the end of the second, one at its start.
        if millis % 10 == 9 && millis % 1_000 != 999 {
            record(&quiet[0], after(millis));
        }
        if millis % 1_000 >= 901 {
            record(&quiet[1], after(millis));
        }
        if millis % 1_000 < 99 {
            record(&quiet[2], after(millis));
        }
        assert!(recorder.waiting.lock().events.len() <= 6_000);
        if (millis + 1) % DRAIN_MILLIS != 0 {
            continue;
        }
        recorder.drain_into(&mut batch, &mut random());
        assert!(batch.is_busy() && batch.events.len() <= 6_000);
        if ((millis + 1) / DRAIN_MILLIS).is_multiple_of(DRAINS_PER_WRITE) {
            writes.extend(parts(&mut batch).await);
        }
    }
    for write in &writes {
        for event in &write.events {
            *kept.entry(event.key_state.brand_id.to_string()).or_default() += 1;
        }
        for ((brand, _), requests) in Rows::from_write(write).left_out {
            *left_out.entry(brand.to_string()).or_default() += requests;
        }
    }
    for (brand, sent) in sent {
        let of_brand = |counts: &HashMap<String, i64>| counts.get(&brand).copied().unwrap_or(0);
        assert_eq!(of_brand(&kept) + of_brand(&left_out), sent, "{brand}: nothing is lost silently");
        if brand.starts_with("quiet") {
            assert_eq!((of_brand(&kept), sent), (6 * 99, 6 * 99), "{brand}");
        } else {
            assert!(of_brand(&kept) >= 6 * 50, "{brand} has its share: {kept:?}");
        }
    }
}

#[tokio::test]
async fn busy_service_writes_in_small_parts() {
    const BRANDS: u64 = 500;
    let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
    let busy: Vec<_> = (0..BRANDS).map(|number| use_of_new_brand(&format!("busy-{number}"))).collect();
    let mut accounted = 0;
    let mut account = |write: &PendingWrite| accounted += write.events.len() as u64 + write.left_out();
    for minute in 0..30 {
        for _ in 0..DRAINS_PER_WRITE {
            for key_use in &busy {
                let at = after(60_000 * minute);
                (0..40).for_each(|_| recorder.record(KeyUse { at, ..key_use.clone() }));
            }
            recorder.drain_into(&mut batch, &mut random());
        }
        assert!(batch.is_busy());
        for part in parts(&mut batch).await {
            account(&part);
            assert!(part.events.len() <= 200 && part.left_out.len() <= 20 && part.usage.len() <= 14);
            assert!(part.events.is_sorted_by_key(|event| &event.key_state.brand_id));
            let now = u64::from(use_of_new_key().minute()) + minute;
            let waited = part.left_out.iter().map(|(_, minute, _)| now - u64::from(*minute)).max();
            assert!(waited.is_none_or(|waited| waited < 6), "every brand gets its turn: {waited:?}");
        }
    }
    recorder.drain_into(&mut batch, &mut random());
    assert!(!batch.is_busy());
    while !batch.is_empty() {
        batch.start_write().await;
        account(&batch.pending.take().expect("there is something to write"));
    }
    assert_eq!(accounted, 30 * DRAINS_PER_WRITE * 40 * BRANDS, "nothing is lost silently");
}

/// With more busy brands than there is room for, the queue stays bounded, and a brand with one request keeps it.
#[tokio::test]
async fn queue_is_bounded_and_each_brand_gets_a_place() {
    let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
    let busy: Vec<_> = (0..200).map(|number| use_of_new_brand(&format!("busy-{number}"))).collect();
    for _ in 0..500 {
        for key_use in &busy {
            recorder.record(key_use.clone());
        }
    }
    let quiet = use_of_new_brand("quiet");
    recorder.record(quiet.clone());
    assert!(recorder.waiting.lock().events.len() <= 6_000);
    recorder.drain_into(&mut batch, &mut random());
    let written: Vec<_> = parts(&mut batch).await.into_iter().flat_map(|part| part.events).collect();
    let of_brand = |events: &[KeyUse], brand: &KeyUse| {
        let brand = &brand.key_state.brand_id;
        events.iter().filter(|event| event.key_state.brand_id == *brand).count()
    };
    assert_eq!(of_brand(&written, &quiet), 1);
    for key_use in &busy {
        assert_eq!(of_brand(&written, key_use), 20);
    }
    // Nothing is written, and requests keep coming: the batch does not grow.
    for second in 1..10 {
        for key_use in &busy {
            (0..100).for_each(|_| recorder.record(KeyUse { at: after(1_000 * second), ..key_use.clone() }));
        }
        recorder.record(KeyUse { at: after(1_000 * second), ..quiet.clone() });
        recorder.drain_into(&mut batch, &mut random());
        assert!(batch.events.len() <= 6_000, "{}", batch.events.len());
    }
    assert_eq!(of_brand(&batch.events, &quiet), 9, "it has fewer events than the share");
}
