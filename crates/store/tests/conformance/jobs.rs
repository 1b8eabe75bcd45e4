//! Jobs: every job has one worker, and the job of a dead worker is taken over.

use std::time::Duration;

use svc_mcp_access::Timestamp;
use svc_mcp_tools::{
    Change, Records,
    jobs::{Job, JobKind, JobOutcome, JobRecords, NewJob},
    posts::PostRecords,
};

use crate::{
    make::{self, NOW, acme},
    world::{World, at_once},
};

const LEASE: Duration = Duration::from_secs(30);

on_both_engines! {
    due_job_is_taken_once,
    job_is_committed_with_its_change_or_not_at_all,
    only_jobs_of_the_requested_kinds_are_taken,
    expired_lease_is_taken_over_and_void_for_its_first_worker,
    renewed_lease_is_not_taken_over,
    end_of_a_job_is_committed_with_its_changes,
    postponed_job_is_due_at_its_new_time,
    released_job_is_due_at_once_and_counts_no_attempt,
    lane_runs_one_job_at_a_time,
    every_job_is_taken_by_one_worker,
}

fn job(number: u32, due: Timestamp) -> NewJob {
    NewJob {
        job_id: format!("job_{number}"),
        kind: JobKind::Audit,
        subject: format!("audit_{number}"),
        concurrency_key: None,
        due,
    }
}

async fn add(world: &World, jobs: impl IntoIterator<Item = NewJob>) {
    let changes: Vec<Change> = jobs.into_iter().map(Change::AddJob).collect();
    world.records().commit(&acme(), &changes, None, NOW).await.expect("it commits");
}

async fn take(world: &World, now: Timestamp) -> Option<Job> {
    world.records().lease_job(&JobKind::ALL, &[], now, LEASE).await.expect("the store answers")
}

async fn end(world: &World, job: &Job, ending: JobOutcome, now: Timestamp) -> bool {
    world.records().finish_job(job, &ending, &[], now).await.expect("the store answers")
}

async fn due_job_is_taken_once(world: &World) {
    let due = NOW.plus(LEASE);
    add(world, [job(1, due)]).await;
    assert_eq!(take(world, due.minus(Duration::from_millis(1))).await, None);
    let taken = take(world, due).await.expect("it is due");
    assert_eq!((taken.brand_id.clone(), taken.kind, taken.attempt), (acme(), JobKind::Audit, 1));
    assert_eq!((taken.job_id.as_str(), taken.subject.as_str()), ("job_1", "audit_1"));
    assert_eq!(take(world, due).await, None);
}

async fn job_is_committed_with_its_change_or_not_at_all(world: &World) {
    let twice = [make::post("post_1", NOW), make::post("post_1", NOW)].map(Change::AddPost);
    let changes: Vec<Change> = [Change::AddJob(job(1, NOW))].into_iter().chain(twice).collect();
    assert!(world.records().commit(&acme(), &changes, None, NOW).await.is_err());
    assert_eq!(take(world, NOW).await, None);
}

async fn only_jobs_of_the_requested_kinds_are_taken(world: &World) {
    add(world, [job(1, NOW), NewJob { kind: JobKind::Publish, ..job(2, NOW) }]).await;
    let short = world.records().lease_job(&JobKind::SHORT, &[], NOW, LEASE).await.expect("the store answers");
    assert_eq!(short.map(|job| job.job_id), Some("job_2".to_owned()));
    assert_eq!(world.records().lease_job(&JobKind::SHORT, &[], NOW, LEASE).await, Ok(None));
    assert_eq!(take(world, NOW).await.map(|job| job.job_id), Some("job_1".to_owned()));
}

async fn expired_lease_is_taken_over_and_void_for_its_first_worker(world: &World) {
    add(world, [job(1, NOW)]).await;
    let first = take(world, NOW).await.expect("it is due");
    let later = NOW.plus(LEASE);
    let second = take(world, later).await.expect("its lease ran out");
    assert_eq!((second.attempt, &second.job_id), (2, &first.job_id));
    let records = world.records();
    let change = [Change::AddPost(make::post("post_1", NOW))];
    assert_eq!(records.commit_progress(&first, &change, later).await, Ok(false));
    assert_eq!(records.renew_lease(&first, later.plus(LEASE)).await, Ok(false));
    assert_eq!(records.finish_job(&first, &JobOutcome::Done, &change, later).await, Ok(false));
    assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
    assert_eq!(records.finish_job(&second, &JobOutcome::Done, &change, later).await, Ok(true));
    assert!(records.post(&acme(), "post_1").await.expect("the store answers").is_some());
}

async fn renewed_lease_is_not_taken_over(world: &World) {
    add(world, [job(1, NOW)]).await;
    let held = take(world, NOW).await.expect("it is due");
    let later = NOW.plus(LEASE);
    assert_eq!(world.records().renew_lease(&held, later.plus(LEASE)).await, Ok(true));
    assert_eq!(take(world, later).await, None);
    assert!(take(world, later.plus(LEASE)).await.is_some());
}

async fn end_of_a_job_is_committed_with_its_changes(world: &World) {
    add(world, [job(1, NOW), job(2, NOW)]).await;
    let records = world.records();
    let (one, other) = (take(world, NOW).await.expect("due"), take(world, NOW).await.expect("due"));
    // Both posts have the same id, so neither the posts nor the end may be committed.
    let twice = [make::post("post_1", NOW), make::post("post_1", NOW)].map(Change::AddPost);
    assert!(records.finish_job(&one, &JobOutcome::Done, &twice, NOW).await.is_err());
    assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
    assert_eq!(
        records.commit_progress(&one, &[Change::AddPost(make::post("post_1", NOW))], NOW).await,
        Ok(true)
    );
    assert!(end(world, &one, JobOutcome::Done, NOW).await);
    assert!(end(world, &other, JobOutcome::Failed { reason: "no".into() }, NOW).await);
    let much_later = NOW.plus(LEASE * 100);
    assert_eq!(take(world, much_later).await, None, "what has ended is not taken up again");
    assert!(!end(world, &one, JobOutcome::Done, NOW).await, "what has ended has no holder");
}

async fn postponed_job_is_due_at_its_new_time(world: &World) {
    add(world, [job(1, NOW)]).await;
    let first = take(world, NOW).await.expect("it is due");
    let due = NOW.plus(LEASE * 4);
    assert!(end(world, &first, JobOutcome::Retry { due, reason: "busy".into() }, NOW).await);
    assert_eq!(take(world, NOW.plus(LEASE * 2)).await, None);
    assert_eq!(take(world, due).await.map(|job| job.attempt), Some(2));
}

async fn released_job_is_due_at_once_and_counts_no_attempt(world: &World) {
    add(world, [job(1, NOW)]).await;
    let first = take(world, NOW).await.expect("it is due");
    assert!(end(world, &first, JobOutcome::Released, NOW).await);
    assert_eq!(take(world, NOW).await.map(|job| job.attempt), Some(1));
}

async fn lane_runs_one_job_at_a_time(world: &World) {
    let with_concurrency_key = |number| job(number, NOW).with_concurrency_key("https://acme.example");
    add(
        world,
        [with_concurrency_key(1), with_concurrency_key(2), job(3, NOW.plus(Duration::from_millis(1)))],
    )
    .await;
    let now = NOW.plus(Duration::from_millis(1));
    let first = take(world, now).await.expect("the lane is free");
    assert_eq!(take(world, now).await.map(|job| job.job_id), Some("job_3".to_owned()));
    assert_eq!(take(world, now).await, None);
    assert!(end(world, &first, JobOutcome::Done, now).await);
    let second = take(world, now).await.expect("the lane is free again");
    assert_ne!(second.job_id, first.job_id);
    assert_eq!(
        take(world, now.plus(LEASE)).await.map(|job| job.attempt),
        Some(2),
        "a dead one does not block its lane"
    );
}

async fn every_job_is_taken_by_one_worker(world: &World) {
    add(world, (0..20).map(|number| job(number, NOW))).await;
    let other = world.another_process().await;
    let took = at_once((0..16).map(|worker| {
        let mut records = world.records();
        if worker % 2 == 0 {
            records.store = other.clone();
        }
        async move {
            let mut took = Vec::new();
            // A worker that loses a race gets no job and tries again.
            for _ in 0..40 {
                took.extend(
                    records.lease_job(&JobKind::ALL, &[], NOW, LEASE).await.expect("the store answers"),
                );
            }
            took
        }
    }))
    .await;
    let mut ids: Vec<String> = took.into_iter().flatten().map(|job| job.job_id).collect();
    ids.sort();
    let mut wanted: Vec<String> = (0..20).map(|number| format!("job_{number}")).collect();
    wanted.sort();
    assert_eq!(ids, wanted);
}
