//! Idempotency: the same key and body run once, and answer alike.

use std::time::Duration;

use serde_json::json;
use svc_mcp_access::{
    Timestamp,
    idempotency::{CLAIM_FOR, Fingerprint, KEPT_FOR},
};
use svc_mcp_tools::{
    Records,
    records::{Answer, Claim, NotCommitted, Promise},
};

use crate::{
    make::{NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    the_first_runs_and_the_second_replays,
    another_body_is_refused,
    while_it_runs_the_others_wait,
    a_claim_is_its_keys_and_its_brands_own,
    of_many_at_once_one_runs,
    a_claim_whose_runner_is_gone_is_taken_over,
    of_many_takers_one_takes_over,
    an_answer_is_forgotten_after_a_day,
    a_released_claim_can_be_taken,
    a_release_that_comes_too_late_changes_nothing,
}

pub(crate) fn promise(key: &str, text: &str) -> Promise {
    Promise {
        key_id: id("key_caller"),
        idempotency_key: key.parse().expect("an idempotency key"),
        fingerprint: Fingerprint::of("create_post", &json!({ "text": text })),
    }
}

pub(crate) async fn claim(world: &World, promise: &Promise, now: Timestamp) -> Claim {
    world.records().claim(&acme(), promise, now).await.expect("the store answers")
}

/// Claims it, and gives the ticket.
pub(crate) async fn run(world: &World, promise: &Promise, now: Timestamp) -> String {
    match claim(world, promise, now).await {
        Claim::Run { ticket } => ticket,
        other => panic!("it should run, not {other:?}"),
    }
}

pub(crate) async fn answer(
    world: &World,
    promise: &Promise,
    ticket: &str,
    now: Timestamp,
) -> Result<(), NotCommitted> {
    let answer = Answer { promise, ticket, answer: "the answer" };
    world.records().commit(&acme(), &[], Some(answer), now).await
}

fn replay() -> Claim {
    Claim::Replay { answer: "the answer".into() }
}

const MOMENT: Duration = Duration::from_millis(1);

async fn the_first_runs_and_the_second_replays(world: &World) {
    let promise = promise("a-b_c!~", "hello");
    let ticket = run(world, &promise, NOW).await;
    assert_eq!(answer(world, &promise, &ticket, after(5)).await, Ok(()));
    for now in [after(5), after(6), NOW] {
        assert_eq!(claim(world, &promise, now).await, replay());
    }
    // Also for a second process.
    let other =
        svc_mcp_store::ToolRecords { store: world.another_process().await, entropy: world.entropy.clone() };
    assert_eq!(other.claim(&acme(), &promise, after(7)).await, Ok(replay()));
}

async fn another_body_is_refused(world: &World) {
    let (first, second) = (promise("same", "one"), promise("same", "two"));
    let ticket = run(world, &first, NOW).await;
    assert_eq!(claim(world, &second, NOW).await, Claim::Reused, "while the first runs");
    // The runner is gone, and its key still means the first body.
    assert_eq!(claim(world, &second, NOW.plus(CLAIM_FOR)).await, Claim::Reused);
    assert_eq!(answer(world, &first, &ticket, NOW).await, Ok(()));
    assert_eq!(claim(world, &second, NOW).await, Claim::Reused, "when it has run");
    assert_eq!(claim(world, &first, NOW).await, replay());
}

async fn while_it_runs_the_others_wait(world: &World) {
    let promise = promise("same", "one");
    run(world, &promise, NOW).await;
    for now in [NOW, after(1), NOW.plus(CLAIM_FOR).minus(MOMENT)] {
        assert_eq!(claim(world, &promise, now).await, Claim::InProgress);
    }
}

async fn a_claim_is_its_keys_and_its_brands_own(world: &World) {
    let first = promise("same", "one");
    let ticket = run(world, &first, NOW).await;
    let of_another_key = Promise { key_id: id("key_other"), ..promise("same", "two") };
    run(world, &of_another_key, NOW).await;
    let other = world.records().claim(&umbrella(), &first, NOW).await;
    assert!(matches!(other, Ok(Claim::Run { .. })), "{other:?}");
    run(world, &promise("another", "one"), NOW).await;

    let taken = Answer { promise: &first, ticket: &ticket, answer: "theirs" };
    let committed = world.records().commit(&umbrella(), &[], Some(taken), NOW).await;
    assert_eq!(committed, Err(NotCommitted::ClaimLost), "a ticket is good for its own brand");
    assert_eq!(answer(world, &first, &ticket, NOW).await, Ok(()));
    assert_eq!(claim(world, &of_another_key, NOW).await, Claim::InProgress);
}

/// How many of twelve claims at once, from two processes, may run.
async fn race(world: &World, promise: &Promise, now: Timestamp) -> usize {
    let other =
        svc_mcp_store::ToolRecords { store: world.another_process().await, entropy: world.entropy.clone() };
    let claims = (0..12).map(|number| {
        let (records, promise) =
            (if number % 2 == 0 { world.records() } else { other.clone() }, promise.clone());
        async move { records.claim(&acme(), &promise, now).await.expect("the store answers") }
    });
    let claims = at_once(claims).await;
    let waiting = claims.iter().filter(|claim| **claim == Claim::InProgress).count();
    let running = claims.iter().filter(|claim| matches!(claim, Claim::Run { .. })).count();
    assert_eq!(waiting + running, 12, "{claims:?}");
    running
}

async fn of_many_at_once_one_runs(world: &World) {
    for round in 0..5 {
        assert_eq!(race(world, &promise(&format!("round-{round}"), "one"), NOW).await, 1);
    }
}

async fn a_claim_whose_runner_is_gone_is_taken_over(world: &World) {
    let promise = promise("same", "one");
    let gone = run(world, &promise, NOW).await;
    let later = NOW.plus(CLAIM_FOR);
    let ticket = run(world, &promise, later).await;
    assert_ne!(gone, ticket);
    assert_eq!(claim(world, &promise, later).await, Claim::InProgress, "it runs for a minute again");
    assert_eq!(answer(world, &promise, &gone, later).await, Err(NotCommitted::ClaimLost));
    assert_eq!(claim(world, &promise, later).await, Claim::InProgress, "nothing was answered");
    assert_eq!(answer(world, &promise, &ticket, later).await, Ok(()));
    assert_eq!(answer(world, &promise, &ticket, later).await, Err(NotCommitted::ClaimLost), "once");
    assert_eq!(claim(world, &promise, later.plus(CLAIM_FOR)).await, replay());
}

async fn of_many_takers_one_takes_over(world: &World) {
    let promise = promise("same", "one");
    run(world, &promise, NOW).await;
    assert_eq!(race(world, &promise, NOW.plus(CLAIM_FOR)).await, 1);
}

async fn an_answer_is_forgotten_after_a_day(world: &World) {
    let (first, second) = (promise("same", "one"), promise("same", "two"));
    let ticket = run(world, &first, NOW).await;
    let answered = after(1_000);
    assert_eq!(answer(world, &first, &ticket, answered).await, Ok(()));
    let last = answered.plus(KEPT_FOR).minus(MOMENT);
    assert_eq!(claim(world, &first, last).await, replay(), "a day from when it was answered");
    assert_eq!(claim(world, &second, last).await, Claim::Reused);
    run(world, &second, answered.plus(KEPT_FOR)).await;
    assert_eq!(claim(world, &first, answered.plus(KEPT_FOR)).await, Claim::Reused, "it is the second's now");
}

async fn a_released_claim_can_be_taken(world: &World) {
    let (first, second) = (promise("same", "one"), promise("same", "two"));
    let ticket = run(world, &first, NOW).await;
    world.records().release(&acme(), &first, &ticket).await.expect("the store answers");
    let ticket = run(world, &second, NOW).await;
    assert_eq!(answer(world, &second, &ticket, NOW).await, Ok(()));
}

async fn a_release_that_comes_too_late_changes_nothing(world: &World) {
    let promise = promise("same", "one");
    let gone = run(world, &promise, NOW).await;
    let later = NOW.plus(CLAIM_FOR);
    let ticket = run(world, &promise, later).await;
    world.records().release(&acme(), &promise, &gone).await.expect("the store answers");
    world.records().release(&umbrella(), &promise, &ticket).await.expect("the store answers");
    assert_eq!(claim(world, &promise, later).await, Claim::InProgress, "another's claim stands");
    assert_eq!(answer(world, &promise, &ticket, later).await, Ok(()));
    world.records().release(&acme(), &promise, &ticket).await.expect("the store answers");
    assert_eq!(claim(world, &promise, later).await, replay(), "what was answered stays");
}
