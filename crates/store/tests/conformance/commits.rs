//! A call's effect and its answer: both or neither.

use svc_mcp_access::idempotency::CLAIM_FOR;
use svc_mcp_tools::{
    Change, Records,
    posts::PostRecords,
    records::{Answer, Claim, NotCommitted},
};

use crate::{
    make::{self, NOW, acme, id},
    promises::{answer, claim, promise, run},
    world::{World, at_once},
};

on_both_engines! {
    the_answer_and_the_post_are_there_together,
    a_lost_claim_writes_nothing,
    a_post_that_cannot_be_kept_leaves_no_answer,
    an_answer_that_cannot_be_kept_leaves_no_post,
    of_many_commits_with_one_ticket_one_holds,
    the_profile_is_the_brand_and_its_plan,
}

async fn the_answer_and_the_post_are_there_together(world: &World) {
    let (records, promise) = (world.records(), promise("same", "one"));
    let ticket = run(world, &promise, NOW).await;
    let posts = [make::post("post_1", NOW), make::post("post_2", NOW)];
    let changes = posts.clone().map(Change::AddPost);
    let answer = Answer { promise: &promise, ticket: &ticket, answer: "{\"é\":\"\\u0000\"}" };
    assert_eq!(records.commit(&acme(), &changes, Some(answer), NOW).await, Ok(()));
    for post in posts {
        assert_eq!(records.post(&acme(), &post.post_id).await, Ok(Some(post)));
    }
    assert_eq!(claim(world, &promise, NOW).await, Claim::Replay { answer: "{\"é\":\"\\u0000\"}".into() });
}

async fn a_lost_claim_writes_nothing(world: &World) {
    let (records, promise) = (world.records(), promise("same", "one"));
    let gone = run(world, &promise, NOW).await;
    let later = NOW.plus(CLAIM_FOR);
    let ticket = run(world, &promise, later).await;
    for lost in [gone.as_str(), "claim_invented", ""] {
        let answer = Answer { promise: &promise, ticket: lost, answer: "wrong" };
        let change = [Change::AddPost(make::post("post_1", NOW))];
        let committed = records.commit(&acme(), &change, Some(answer), later).await;
        assert_eq!(committed, Err(NotCommitted::ClaimLost));
        assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
    }
    assert_eq!(answer(world, &promise, &ticket, later).await, Ok(()));
}

async fn a_post_that_cannot_be_kept_leaves_no_answer(world: &World) {
    let (records, promise) = (world.records(), promise("same", "one"));
    let ticket = run(world, &promise, NOW).await;
    // The second of them has the first one's id.
    let changes = [make::post("post_1", NOW), make::post("post_1", NOW)].map(Change::AddPost);
    let attempt = Answer { promise: &promise, ticket: &ticket, answer: "wrong" };
    let committed = records.commit(&acme(), &changes, Some(attempt), NOW).await;
    assert_eq!(committed, Err(NotCommitted::Unavailable));
    assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM post_targets").await, 0);
    assert_eq!(claim(world, &promise, NOW).await, Claim::InProgress, "the claim is as it was");
    assert_eq!(answer(world, &promise, &ticket, NOW).await, Ok(()));
}

async fn an_answer_that_cannot_be_kept_leaves_no_post(world: &World) {
    let (records, promise) = (world.records(), promise("same", "one"));
    let ticket = run(world, &promise, NOW).await;
    world.raw.execute("ALTER TABLE promises RENAME TO hidden").await;
    let attempt = Answer { promise: &promise, ticket: &ticket, answer: "wrong" };
    let change = [Change::AddPost(make::post("post_1", NOW))];
    let committed = records.commit(&acme(), &change, Some(attempt), NOW).await;
    assert_eq!(committed, Err(NotCommitted::Unavailable));
    world.raw.execute("ALTER TABLE hidden RENAME TO promises").await;
    assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
    let attempt = Answer { promise: &promise, ticket: &ticket, answer: "right" };
    assert_eq!(records.commit(&acme(), &change, Some(attempt), NOW).await, Ok(()));
    assert_eq!(claim(world, &promise, NOW).await, Claim::Replay { answer: "right".into() });
}

async fn of_many_commits_with_one_ticket_one_holds(world: &World) {
    let promise = promise("same", "one");
    let ticket = run(world, &promise, NOW).await;
    let commits = (0..10).map(|number| {
        let (records, promise, ticket) = (world.records(), promise.clone(), ticket.clone());
        async move {
            let answer = Answer { promise: &promise, ticket: &ticket, answer: &number.to_string() };
            let change = [Change::AddPost(make::post(&format!("post_{number}"), NOW))];
            records.commit(&acme(), &change, Some(answer), NOW).await
        }
    });
    let committed = at_once(commits).await;
    let held: Vec<_> = (0..10).filter(|number| committed[*number] == Ok(())).collect();
    let [held] = held[..] else { panic!("one, not {committed:?}") };
    assert_eq!(claim(world, &promise, NOW).await, Claim::Replay { answer: held.to_string() });
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM posts").await, 1);
    let post = world.records().post(&acme(), &format!("post_{held}")).await;
    assert!(post.expect("the store answers").is_some(), "the answer and the post are of one call");
}

async fn the_profile_is_the_brand_and_its_plan(world: &World) {
    let profile = world.records().profile(&acme()).await.expect("the store answers");
    assert_eq!((&profile.brand, &profile.plan), (&make::brand("acme", "pro"), &make::plan("pro", true)));
    // No key is of a brand that is not there, so this is the store's fault and no answer.
    assert!(world.records().profile(&id("nobody")).await.is_err());
}
