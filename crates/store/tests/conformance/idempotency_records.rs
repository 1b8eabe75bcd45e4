//! Idempotency: the same key and body run once, and get the same answer.

use std::time::Duration;

use serde_json::json;
use svc_mcp_access::{
    Timestamp,
    idempotency::{CLAIM_LIFETIME, Fingerprint, RETENTION},
};
use svc_mcp_tools::{
    Records,
    records::{Claim, CommitError, IdempotencyRecord, RecordedResponse},
};

use crate::{
    make::{NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    second_request_replays_the_first,
    other_body_with_the_same_key_is_refused,
    request_in_progress_is_reported,
    claims_are_separate_for_each_key_and_brand,
    only_one_of_many_concurrent_claims_succeeds,
    expired_claim_is_taken_over,
    only_one_request_takes_an_expired_claim_over,
    answer_expires_after_a_day,
    released_claim_can_be_claimed_again,
    late_release_changes_nothing,
}

pub(crate) fn record(key: &str, text: &str) -> IdempotencyRecord {
    IdempotencyRecord {
        key_id: id("key_caller"),
        idempotency_key: key.parse().expect("an idempotency key"),
        fingerprint: Fingerprint::of("create_post", &json!({ "text": text })),
    }
}

pub(crate) async fn claim(world: &World, record: &IdempotencyRecord, now: Timestamp) -> Claim {
    world.records().claim(&acme(), record, now).await.expect("the store answers")
}

/// Claims it and returns the ticket.
pub(crate) async fn run(world: &World, record: &IdempotencyRecord, now: Timestamp) -> String {
    match claim(world, record, now).await {
        Claim::Run { ticket } => ticket,
        other => panic!("it should run, not {other:?}"),
    }
}

pub(crate) async fn answer(
    world: &World,
    record: &IdempotencyRecord,
    ticket: &str,
    now: Timestamp,
) -> Result<(), CommitError> {
    let answer = RecordedResponse { record, ticket, response: "the answer" };
    world.records().commit(&acme(), &[], Some(answer), now).await
}

fn replay() -> Claim {
    Claim::Replay { response: "the answer".into() }
}

const MOMENT: Duration = Duration::from_millis(1);

async fn second_request_replays_the_first(world: &World) {
    let record = record("a-b_c!~", "hello");
    let ticket = run(world, &record, NOW).await;
    assert_eq!(answer(world, &record, &ticket, after(5)).await, Ok(()));
    for now in [after(5), after(6), NOW] {
        assert_eq!(claim(world, &record, now).await, replay());
    }
    // The same in a second process.
    let other =
        svc_mcp_store::ToolRecords { store: world.another_process().await, entropy: world.entropy.clone() };
    assert_eq!(other.claim(&acme(), &record, after(7)).await, Ok(replay()));
}

async fn other_body_with_the_same_key_is_refused(world: &World) {
    let (first, second) = (record("same", "one"), record("same", "two"));
    let ticket = run(world, &first, NOW).await;
    assert_eq!(claim(world, &second, NOW).await, Claim::Reused, "while the first runs");
    // Also after the claim has expired, the key belongs to the first body.
    assert_eq!(claim(world, &second, NOW.plus(CLAIM_LIFETIME)).await, Claim::Reused);
    assert_eq!(answer(world, &first, &ticket, NOW).await, Ok(()));
    assert_eq!(claim(world, &second, NOW).await, Claim::Reused, "when it has run");
    assert_eq!(claim(world, &first, NOW).await, replay());
}

async fn request_in_progress_is_reported(world: &World) {
    let record = record("same", "one");
    run(world, &record, NOW).await;
    for now in [NOW, after(1), NOW.plus(CLAIM_LIFETIME).minus(MOMENT)] {
        assert_eq!(claim(world, &record, now).await, Claim::InProgress);
    }
}

async fn claims_are_separate_for_each_key_and_brand(world: &World) {
    let first = record("same", "one");
    let ticket = run(world, &first, NOW).await;
    let of_another_key = IdempotencyRecord { key_id: id("key_other"), ..record("same", "two") };
    run(world, &of_another_key, NOW).await;
    let other = world.records().claim(&umbrella(), &first, NOW).await;
    assert!(matches!(other, Ok(Claim::Run { .. })), "{other:?}");
    run(world, &record("another", "one"), NOW).await;

    let taken = RecordedResponse { record: &first, ticket: &ticket, response: "theirs" };
    let committed = world.records().commit(&umbrella(), &[], Some(taken), NOW).await;
    assert_eq!(committed, Err(CommitError::ClaimLost), "a ticket is good for its own brand");
    assert_eq!(answer(world, &first, &ticket, NOW).await, Ok(()));
    assert_eq!(claim(world, &of_another_key, NOW).await, Claim::InProgress);
}

/// How many of twelve concurrent claims from two processes succeed.
async fn race(world: &World, record: &IdempotencyRecord, now: Timestamp) -> usize {
    let other =
        svc_mcp_store::ToolRecords { store: world.another_process().await, entropy: world.entropy.clone() };
    let claims = (0..12).map(|number| {
        let (records, record) =
            (if number % 2 == 0 { world.records() } else { other.clone() }, record.clone());
        async move { records.claim(&acme(), &record, now).await.expect("the store answers") }
    });
    let claims = at_once(claims).await;
    let waiting = claims.iter().filter(|claim| **claim == Claim::InProgress).count();
    let running = claims.iter().filter(|claim| matches!(claim, Claim::Run { .. })).count();
    assert_eq!(waiting + running, 12, "{claims:?}");
    running
}

async fn only_one_of_many_concurrent_claims_succeeds(world: &World) {
    for round in 0..5 {
        assert_eq!(race(world, &record(&format!("round-{round}"), "one"), NOW).await, 1);
    }
}

async fn expired_claim_is_taken_over(world: &World) {
    let record = record("same", "one");
    let gone = run(world, &record, NOW).await;
    let later = NOW.plus(CLAIM_LIFETIME);
    let ticket = run(world, &record, later).await;
    assert_ne!(gone, ticket);
    assert_eq!(claim(world, &record, later).await, Claim::InProgress, "it runs for a minute again");
    assert_eq!(answer(world, &record, &gone, later).await, Err(CommitError::ClaimLost));
    assert_eq!(claim(world, &record, later).await, Claim::InProgress, "nothing was answered");
    assert_eq!(answer(world, &record, &ticket, later).await, Ok(()));
    assert_eq!(answer(world, &record, &ticket, later).await, Err(CommitError::ClaimLost), "once");
    assert_eq!(claim(world, &record, later.plus(CLAIM_LIFETIME)).await, replay());
}

async fn only_one_request_takes_an_expired_claim_over(world: &World) {
    let record = record("same", "one");
    run(world, &record, NOW).await;
    assert_eq!(race(world, &record, NOW.plus(CLAIM_LIFETIME)).await, 1);
}

async fn answer_expires_after_a_day(world: &World) {
    let (first, second) = (record("same", "one"), record("same", "two"));
    let ticket = run(world, &first, NOW).await;
    let answered = after(1_000);
    assert_eq!(answer(world, &first, &ticket, answered).await, Ok(()));
    let last = answered.plus(RETENTION).minus(MOMENT);
    assert_eq!(claim(world, &first, last).await, replay(), "a day from when it was answered");
    assert_eq!(claim(world, &second, last).await, Claim::Reused);
    run(world, &second, answered.plus(RETENTION)).await;
    assert_eq!(claim(world, &first, answered.plus(RETENTION)).await, Claim::Reused, "it is the second's now");
}

async fn released_claim_can_be_claimed_again(world: &World) {
    let (first, second) = (record("same", "one"), record("same", "two"));
    let ticket = run(world, &first, NOW).await;
    world.records().release(&acme(), &first, &ticket).await.expect("the store answers");
    let ticket = run(world, &second, NOW).await;
    assert_eq!(answer(world, &second, &ticket, NOW).await, Ok(()));
}

async fn late_release_changes_nothing(world: &World) {
    let record = record("same", "one");
    let gone = run(world, &record, NOW).await;
    let later = NOW.plus(CLAIM_LIFETIME);
    let ticket = run(world, &record, later).await;
    world.records().release(&acme(), &record, &gone).await.expect("the store answers");
    world.records().release(&umbrella(), &record, &ticket).await.expect("the store answers");
    assert_eq!(claim(world, &record, later).await, Claim::InProgress, "another's claim stands");
    assert_eq!(answer(world, &record, &ticket, later).await, Ok(()));
    world.records().release(&acme(), &record, &ticket).await.expect("the store answers");
    assert_eq!(claim(world, &record, later).await, replay(), "what was answered stays");
}
