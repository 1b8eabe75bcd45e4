//! Jobs: one job, one worker, and a dead worker's job is taken over.

use std::time::Duration;

use svc_mcp_access::Timestamp;
use svc_mcp_tools::{
    Change, Records,
    jobs::{Ending, Job, JobKind, JobRecords, NewJob},
    posts::PostRecords,
};

use crate::{
    make::{self, NOW, acme},
    world::{World, at_once},
};

const LEASE: Duration = Duration::from_secs(30);

on_both_engines! {
    a_job_is_taken_when_it_is_due_and_once,
    a_job_commits_with_what_it_belongs_to_or_not_at_all,
    only_jobs_of_the_wanted_kinds_are_taken,
    a_lease_that_ran_out_is_taken_over_and_void_for_its_first_holder,
    a_lease_that_is_kept_is_not_taken_over,
    what_ends_commits_with_its_changes,
    a_job_put_off_comes_back_at_its_time,
    a_released_job_is_free_at_once_and_no_try,
    one_lane_one_job_at_a_time,
    of_many_workers_each_job_has_one,
}

fn job(number: u32, due: Timestamp) -> NewJob {
    NewJob {
        job_id: format!("job_{number}"),
        kind: JobKind::Audit,
        subject: format!("audit_{number}"),
        lane: None,
        due,
    }
}

async fn add(world: &World, jobs: impl IntoIterator<Item = NewJob>) {
    let changes: Vec<Change> = jobs.into_iter().map(Change::AddJob).collect();
    world.records().commit(&acme(), &changes, None, NOW).await.expect("it commits");
}

async fn take(world: &World, now: Timestamp) -> Option<Job> {
    world.records().take_job(&JobKind::ALL, now, LEASE).await.expect("the store answers")
}

async fn end(world: &World, job: &Job, ending: Ending, now: Timestamp) -> bool {
    world.records().end_job(job, &ending, &[], now).await.expect("the store answers")
}

async fn a_job_is_taken_when_it_is_due_and_once(world: &World) {
    let due = NOW.plus(LEASE);
    add(world, [job(1, due)]).await;
    assert_eq!(take(world, due.minus(Duration::from_millis(1))).await, None);
    let taken = take(world, due).await.expect("it is due");
    assert_eq!((taken.brand_id.clone(), taken.kind, taken.attempt), (acme(), JobKind::Audit, 1));
    assert_eq!((taken.job_id.as_str(), taken.subject.as_str()), ("job_1", "audit_1"));
    assert_eq!(take(world, due).await, None);
}

async fn a_job_commits_with_what_it_belongs_to_or_not_at_all(world: &World) {
    let twice = [make::post("post_1", NOW), make::post("post_1", NOW)].map(Change::AddPost);
    let changes: Vec<Change> = [Change::AddJob(job(1, NOW))].into_iter().chain(twice).collect();
    assert!(world.records().commit(&acme(), &changes, None, NOW).await.is_err());
    assert_eq!(take(world, NOW).await, None);
}

async fn only_jobs_of_the_wanted_kinds_are_taken(world: &World) {
    add(world, [job(1, NOW), NewJob { kind: JobKind::Publish, ..job(2, NOW) }]).await;
    let short = world.records().take_job(&JobKind::SHORT, NOW, LEASE).await.expect("the store answers");
    assert_eq!(short.map(|job| job.job_id), Some("job_2".to_owned()));
    assert_eq!(world.records().take_job(&JobKind::SHORT, NOW, LEASE).await, Ok(None));
    assert_eq!(take(world, NOW).await.map(|job| job.job_id), Some("job_1".to_owned()));
}

async fn a_lease_that_ran_out_is_taken_over_and_void_for_its_first_holder(world: &World) {
    add(world, [job(1, NOW)]).await;
    let first = take(world, NOW).await.expect("it is due");
    let later = NOW.plus(LEASE);
    let second = take(world, later).await.expect("its lease ran out");
    assert_eq!((second.attempt, &second.job_id), (2, &first.job_id));
    let records = world.records();
    let change = [Change::AddPost(make::post("post_1", NOW))];
    assert_eq!(records.note(&first, &change, later).await, Ok(false));
    assert_eq!(records.keep_job(&first, later.plus(LEASE)).await, Ok(false));
    assert_eq!(records.end_job(&first, &Ending::Done, &change, later).await, Ok(false));
    assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
    assert_eq!(records.end_job(&second, &Ending::Done, &change, later).await, Ok(true));
    assert!(records.post(&acme(), "post_1").await.expect("the store answers").is_some());
}

async fn a_lease_that_is_kept_is_not_taken_over(world: &World) {
    add(world, [job(1, NOW)]).await;
    let held = take(world, NOW).await.expect("it is due");
    let later = NOW.plus(LEASE);
    assert_eq!(world.records().keep_job(&held, later.plus(LEASE)).await, Ok(true));
    assert_eq!(take(world, later).await, None);
    assert!(take(world, later.plus(LEASE)).await.is_some());
}

async fn what_ends_commits_with_its_changes(world: &World) {
    add(world, [job(1, NOW), job(2, NOW)]).await;
    let records = world.records();
    let (one, other) = (take(world, NOW).await.expect("due"), take(world, NOW).await.expect("due"));
    // The second of them has the first one's id, so nothing of it may hold: neither the posts nor the end.
    let twice = [make::post("post_1", NOW), make::post("post_1", NOW)].map(Change::AddPost);
    assert!(records.end_job(&one, &Ending::Done, &twice, NOW).await.is_err());
    assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
    assert_eq!(records.note(&one, &[Change::AddPost(make::post("post_1", NOW))], NOW).await, Ok(true));
    assert!(end(world, &one, Ending::Done, NOW).await);
    assert!(end(world, &other, Ending::Failed { reason: "no".into() }, NOW).await);
    let much_later = NOW.plus(LEASE * 100);
    assert_eq!(take(world, much_later).await, None, "what has ended is not taken up again");
    assert!(!end(world, &one, Ending::Done, NOW).await, "what has ended has no holder");
}

async fn a_job_put_off_comes_back_at_its_time(world: &World) {
    add(world, [job(1, NOW)]).await;
    let first = take(world, NOW).await.expect("it is due");
    let due = NOW.plus(LEASE * 4);
    assert!(end(world, &first, Ending::Later { due, reason: "busy".into() }, NOW).await);
    assert_eq!(take(world, NOW.plus(LEASE * 2)).await, None);
    assert_eq!(take(world, due).await.map(|job| job.attempt), Some(2));
}

async fn a_released_job_is_free_at_once_and_no_try(world: &World) {
    add(world, [job(1, NOW)]).await;
    let first = take(world, NOW).await.expect("it is due");
    assert!(end(world, &first, Ending::Released, NOW).await);
    assert_eq!(take(world, NOW).await.map(|job| job.attempt), Some(1));
}

async fn one_lane_one_job_at_a_time(world: &World) {
    let in_lane = |number| job(number, NOW).in_lane("https://acme.example");
    add(world, [in_lane(1), in_lane(2), job(3, NOW.plus(Duration::from_millis(1)))]).await;
    let now = NOW.plus(Duration::from_millis(1));
    let first = take(world, now).await.expect("the lane is free");
    assert_eq!(take(world, now).await.map(|job| job.job_id), Some("job_3".to_owned()));
    assert_eq!(take(world, now).await, None);
    assert!(end(world, &first, Ending::Done, now).await);
    let second = take(world, now).await.expect("the lane is free again");
    assert_ne!(second.job_id, first.job_id);
    assert_eq!(
        take(world, now.plus(LEASE)).await.map(|job| job.attempt),
        Some(2),
        "a dead one does not block its lane"
    );
}

async fn of_many_workers_each_job_has_one(world: &World) {
    add(world, (0..20).map(|number| job(number, NOW))).await;
    let other = world.another_process().await;
    let took = at_once((0..16).map(|worker| {
        let mut records = world.records();
        if worker % 2 == 0 {
            records.store = other.clone();
        }
        async move {
            let mut took = Vec::new();
            // Who loses a race to another gets nothing that time, and looks again.
            for _ in 0..40 {
                took.extend(records.take_job(&JobKind::ALL, NOW, LEASE).await.expect("the store answers"));
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
