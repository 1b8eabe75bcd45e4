//! The changes of a call and its answer are committed together or not at all.

use svc_mcp_access::idempotency::CLAIM_LIFETIME;
use svc_mcp_tools::{
    Change, Records,
    posts::PostRecords,
    records::{Claim, CommitError, RecordedResponse},
};

use crate::{
    idempotency_records::{answer, claim, record, run},
    make::{self, NOW, acme, id},
    world::{World, at_once},
};

on_both_engines! {
    answer_and_post_are_committed_together,
    lost_claim_writes_nothing,
    failed_post_leaves_no_answer,
    failed_answer_leaves_no_post,
    only_one_of_many_commits_with_one_ticket_succeeds,
    profile_has_the_brand_and_its_plan,
}

async fn answer_and_post_are_committed_together(world: &World) {
    let (records, record) = (world.records(), record("same", "one"));
    let ticket = run(world, &record, NOW).await;
    let posts = [make::post("post_1", NOW), make::post("post_2", NOW)];
    let changes = posts.clone().map(Change::AddPost);
    let answer = RecordedResponse { record: &record, ticket: &ticket, response: "{\"é\":\"\\u0000\"}" };
    assert_eq!(records.commit(&acme(), &changes, Some(answer), NOW).await, Ok(()));
    for post in posts {
        assert_eq!(records.post(&acme(), &post.post_id).await, Ok(Some(post)));
    }
    assert_eq!(claim(world, &record, NOW).await, Claim::Replay { response: "{\"é\":\"\\u0000\"}".into() });
}

async fn lost_claim_writes_nothing(world: &World) {
    let (records, record) = (world.records(), record("same", "one"));
    let gone = run(world, &record, NOW).await;
    let later = NOW.plus(CLAIM_LIFETIME);
    let ticket = run(world, &record, later).await;
    for lost in [gone.as_str(), "claim_invented", ""] {
        let answer = RecordedResponse { record: &record, ticket: lost, response: "wrong" };
        let change = [Change::AddPost(make::post("post_1", NOW))];
        let committed = records.commit(&acme(), &change, Some(answer), later).await;
        assert_eq!(committed, Err(CommitError::ClaimLost));
        assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
    }
    assert_eq!(answer(world, &record, &ticket, later).await, Ok(()));
}

async fn failed_post_leaves_no_answer(world: &World) {
    let (records, record) = (world.records(), record("same", "one"));
    let ticket = run(world, &record, NOW).await;
    // Both have the same id.
    let changes = [make::post("post_1", NOW), make::post("post_1", NOW)].map(Change::AddPost);
    let attempt = RecordedResponse { record: &record, ticket: &ticket, response: "wrong" };
    let committed = records.commit(&acme(), &changes, Some(attempt), NOW).await;
    assert_eq!(committed, Err(CommitError::Store(svc_mcp_access::StoreError::Internal)));
    assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM post_targets").await, 0);
    assert_eq!(claim(world, &record, NOW).await, Claim::InProgress, "the claim is as it was");
    assert_eq!(answer(world, &record, &ticket, NOW).await, Ok(()));
}

async fn failed_answer_leaves_no_post(world: &World) {
    let (records, record) = (world.records(), record("same", "one"));
    let ticket = run(world, &record, NOW).await;
    world.raw.execute("ALTER TABLE promises RENAME TO hidden").await;
    let attempt = RecordedResponse { record: &record, ticket: &ticket, response: "wrong" };
    let change = [Change::AddPost(make::post("post_1", NOW))];
    let committed = records.commit(&acme(), &change, Some(attempt), NOW).await;
    assert_eq!(committed, Err(CommitError::Store(svc_mcp_access::StoreError::Internal)));
    world.raw.execute("ALTER TABLE hidden RENAME TO promises").await;
    assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
    let attempt = RecordedResponse { record: &record, ticket: &ticket, response: "right" };
    assert_eq!(records.commit(&acme(), &change, Some(attempt), NOW).await, Ok(()));
    assert_eq!(claim(world, &record, NOW).await, Claim::Replay { response: "right".into() });
}

async fn only_one_of_many_commits_with_one_ticket_succeeds(world: &World) {
    let record = record("same", "one");
    let ticket = run(world, &record, NOW).await;
    let commits = (0..10).map(|number| {
        let (records, record, ticket) = (world.records(), record.clone(), ticket.clone());
        async move {
            let answer = RecordedResponse { record: &record, ticket: &ticket, response: &number.to_string() };
            let change = [Change::AddPost(make::post(&format!("post_{number}"), NOW))];
            records.commit(&acme(), &change, Some(answer), NOW).await
        }
    });
    let committed = at_once(commits).await;
    let held: Vec<_> = (0..10).filter(|number| committed[*number] == Ok(())).collect();
    let [held] = held[..] else { panic!("one, not {committed:?}") };
    assert_eq!(claim(world, &record, NOW).await, Claim::Replay { response: held.to_string() });
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM posts").await, 1);
    let post = world.records().post(&acme(), &format!("post_{held}")).await;
    assert!(post.expect("the store answers").is_some(), "the answer and the post are of one call");
}

async fn profile_has_the_brand_and_its_plan(world: &World) {
    let profile = world.records().profile(&acme()).await.expect("the store answers");
    assert_eq!((&profile.brand, &profile.plan), (&make::brand("acme", "pro"), &make::plan("pro", true)));
    // A key without its brand means damaged data.
    assert!(world.records().profile(&id("nobody")).await.is_err());
}
