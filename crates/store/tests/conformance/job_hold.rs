//! All jobs are held, and go on later.

use std::time::Duration;

use svc_mcp_access::{Timestamp, UserId, key::NewKey};
use svc_mcp_store::{
    ActivityFilter, ActorRole, AuditSearch, ChangedBy, EventKind, HoldCause, JobHold, ResumeJobs, Store,
};
use svc_mcp_tools::{
    Change, Records,
    jobs::{Job, JobDecision, JobKind, JobOutcome, JobRecords, NewJob},
    posts::{FEED, PostRecords, TargetStatus},
};

use crate::{
    make::{self, NOW, acme, after, id},
    world::World,
};

on_both_engines! {
    no_job_is_leased_until_they_are_resumed,
    leased_job_does_not_begin_and_is_not_lost,
    worker_begins_before_the_hold_or_not_at_all,
    first_hold_stays_and_a_restore_replaces_it,
    what_is_a_day_late_is_cancelled_and_schedules_and_withdrawals_go_on,
    what_was_due_before_the_hold_is_cancelled_if_asked_for,
    many_late_jobs_are_all_cancelled,
    hold_and_resume_are_recorded_once,
}

const LEASE: Duration = Duration::from_secs(30);
const HOUR: i64 = 3_600_000;

fn held_at(since: Timestamp) -> JobHold {
    JobHold { since, cause: HoldCause::Operator }
}

fn resume_at(at: Timestamp) -> ResumeJobs {
    ResumeJobs { actor: id("olga"), at, event_prefix: "evt_resume".into(), cancel_due_before_hold: false }
}

fn job(kind: JobKind, subject: &str, due: Timestamp) -> Change {
    let (job_id, subject) = (format!("job_{subject}").replace('/', "_"), subject.to_owned());
    Change::AddJob(NewJob { job_id, kind, subject, concurrency_key: None, due })
}

/// Orders a post that is due at this time.
async fn order(world: &World, key: &NewKey, name: &str, due: Timestamp) {
    let changes =
        [Change::AddPost(make::scheduled(name, due)), job(JobKind::Publish, &format!("{name}/{FEED}"), due)];
    let committed = world.records().commit_for_key(&acme(), &key.key.key_id, &changes, None, NOW).await;
    committed.expect("it commits");
}

async fn take(world: &World, now: Timestamp) -> Option<Job> {
    world.records().lease_job(&JobKind::ALL, &[], now, LEASE).await.expect("the store answers")
}

async fn hold(store: &Store, since: Timestamp) {
    store.hold_jobs(&held_at(since)).await.expect("the store answers");
}

/// Returns the number of cancelled jobs.
async fn resume(world: &World, resume: &ResumeJobs) -> u32 {
    world.store.resume_jobs(resume).await.expect("the store answers").cancelled
}

async fn target(world: &World, post: &str) -> (TargetStatus, Option<String>) {
    let post = world.records().post(&acme(), post).await.expect("the store answers");
    let target = post.expect("it is stored").targets.remove(0);
    (target.status, target.error)
}

async fn status(world: &World, job_id: &str) -> String {
    world.raw.texts(&format!("SELECT status FROM jobs WHERE job_id = '{job_id}'")).await.remove(0)
}

async fn no_job_is_leased_until_they_are_resumed(world: &World) {
    let key = world.key("acme").await;
    order(world, &key, "post_1", NOW).await;
    // Another instance, which learns of it from the database.
    let other = world.another_process().await;
    assert!(!world.records().all_jobs_are_held());
    hold(&other, after(1)).await;
    assert_eq!(take(world, after(2)).await, None);
    world.store.refresh_job_hold().await.expect("the store answers");
    assert_eq!(world.store.known_job_hold(), Some(held_at(after(1))));
    assert!(world.records().all_jobs_are_held());
    // Orders are taken.
    order(world, &key, "post_2", after(3)).await;
    assert_eq!(take(world, after(4)).await, None);
    assert_eq!(resume(world, &resume_at(after(5))).await, 0);
    assert_eq!(world.store.job_hold().await, Ok(None));
    assert!(!world.records().all_jobs_are_held());
    for _ in 0..2 {
        take(world, after(5)).await.expect("a job");
    }
}

async fn leased_job_does_not_begin_and_is_not_lost(world: &World) {
    let key = world.key("acme").await;
    order(world, &key, "post_1", NOW).await;
    let leased = take(world, after(1)).await.expect("a job");
    hold(&world.store, after(2)).await;
    for begins_with in [None, Some(&[][..])] {
        let decision = world.records().authorize_job(&leased, begins_with, after(3)).await;
        assert_eq!(decision, Ok(JobDecision::AllHeld));
    }
    let released = world.records().finish_job(&leased, &JobOutcome::Released, &[], after(3)).await;
    assert_eq!(released, Ok(true));
    assert_eq!(take(world, after(60_000)).await, None);
    resume(world, &resume_at(after(60_000))).await;
    let again = take(world, after(60_000)).await.expect("a job");
    assert_eq!((again.job_id, again.attempt), (leased.job_id, 1), "the first attempt did not count");
}

/// The decision of a worker and the hold are ordered: what begins is committed before the hold, which counts it.
async fn worker_begins_before_the_hold_or_not_at_all(world: &World) {
    let key = world.key("acme").await;
    for round in 0..10 {
        order(world, &key, &format!("post_{round}"), NOW).await;
        let leased = take(world, after(9)).await.expect("a job");
        let (records, store, taken) = (world.records(), world.store.clone(), leased.clone());
        let worker = tokio::spawn(async move { records.authorize_job(&taken, Some(&[]), after(9)).await });
        let change = tokio::spawn(async move { store.hold_jobs(&held_at(after(9))).await });
        let held = change.await.expect("it ends").expect("the store answers");
        match worker.await.expect("it ends").expect("the store answers") {
            JobDecision::Allowed => assert_eq!(held.begun, 1, "round {round}: it began after the hold"),
            decision => assert_eq!((decision, held.begun), (JobDecision::AllHeld, 0)),
        }
        resume(world, &resume_at(after(10))).await;
        let done = world.records().finish_job(&leased, &JobOutcome::Done, &[], after(11)).await;
        assert_eq!(done, Ok(true));
    }
}

async fn first_hold_stays_and_a_restore_replaces_it(world: &World) {
    for since in [after(1), after(2)] {
        let held = world.store.hold_jobs(&held_at(since)).await.expect("the store answers");
        assert_eq!((held.hold, held.begun), (held_at(after(1)), 0));
    }
    let restored = JobHold { since: after(3), cause: HoldCause::Restore { backup_at: NOW } };
    assert_eq!(world.store.hold_jobs(&restored).await.expect("the store answers").hold, restored);
    assert_eq!(world.store.job_hold().await, Ok(Some(restored)));
    let resumed = world.store.resume_jobs(&resume_at(after(4))).await.expect("the store answers");
    assert_eq!(resumed.hold, Some(restored));
    let again = world.store.resume_jobs(&resume_at(after(5))).await.expect("the store answers");
    assert_eq!((again.hold, again.cancelled), (None, 0));
}

async fn what_is_a_day_late_is_cancelled_and_schedules_and_withdrawals_go_on(world: &World) {
    let key = world.key("acme").await;
    let late = [
        job(JobKind::Schedule, "sch_late", NOW),
        job(JobKind::Withdraw, "post_gone/feed", NOW),
        job(JobKind::Audit, "audit_late", NOW),
    ];
    world.records().commit(&acme(), &late, None, NOW).await.expect("it commits");
    order(world, &key, "post_late", NOW).await;
    order(world, &key, "post_in_time", after(HOUR)).await;
    hold(&world.store, after(2 * HOUR)).await;
    let resumed = resume_at(after(24 * HOUR));
    assert_eq!(resume(world, &resumed).await, 2);
    let (found, error) = target(world, "post_late").await;
    assert_eq!(found, TargetStatus::Cancelled);
    assert!(error.as_deref().is_some_and(|error| error.contains("too late")), "{error:?}");
    assert_eq!(target(world, "post_in_time").await.0, TargetStatus::Scheduled);
    for (job_id, expected) in [
        ("job_sch_late", "waiting"),
        ("job_post_gone_feed", "waiting"),
        ("job_audit_late", "cancelled"),
        ("job_post_late_feed", "cancelled"),
        ("job_post_in_time_feed", "waiting"),
    ] {
        assert_eq!(status(world, job_id).await, expected, "{job_id}");
    }
    let filter = ActivityFilter { kind: Some(EventKind::Cancelled), limit: 10, ..ActivityFilter::default() };
    let (events, _) = world.store.activity(&acme(), &filter).await.expect("the store answers");
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!((&events[0].actor, &events[0].key_id), (&id::<UserId>("olga"), &key.key.key_id));
    assert_eq!(events[0].reason.as_deref(), Some("jobs_held"));
}

async fn what_was_due_before_the_hold_is_cancelled_if_asked_for(world: &World) {
    let key = world.key("acme").await;
    order(world, &key, "post_before", after(1)).await;
    order(world, &key, "post_begun", NOW).await;
    order(world, &key, "post_after", after(100)).await;
    order(world, &key, "post_later", after(HOUR)).await;
    // Its worker has died.
    let begun = take(world, NOW).await.expect("a job");
    assert_eq!(begun.subject, format!("post_begun/{FEED}"));
    world.records().authorize_job(&begun, Some(&[]), NOW).await.expect("the store answers");
    hold(&world.store, after(60_000)).await;
    order(world, &key, "post_ordered_meanwhile", after(60_001)).await;
    let resumed = ResumeJobs { cancel_due_before_hold: true, ..resume_at(after(90_000)) };
    assert_eq!(resume(world, &resumed).await, 3);
    for post in ["post_before", "post_begun", "post_after"] {
        assert_eq!(target(world, post).await.0, TargetStatus::Cancelled, "{post}");
    }
    for post in ["post_later", "post_ordered_meanwhile"] {
        assert_eq!(target(world, post).await.0, TargetStatus::Scheduled, "{post}");
    }
    let next = take(world, after(90_000)).await.expect("a job");
    assert_eq!(next.subject, format!("post_ordered_meanwhile/{FEED}"));
}

async fn many_late_jobs_are_all_cancelled(world: &World) {
    let key = world.key("acme").await;
    let jobs: Vec<Change> =
        (0..450).map(|number| job(JobKind::ApprovalNotice, &format!("notice_{number}"), NOW)).collect();
    let committed = world.records().commit_for_key(&acme(), &key.key.key_id, &jobs, None, NOW).await;
    committed.expect("it commits");
    hold(&world.store, after(1)).await;
    assert_eq!(resume(world, &resume_at(after(25 * HOUR))).await, 450);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM jobs WHERE status = 'cancelled'").await, 450);
    let counted = "SELECT CAST(SUM(count) AS BIGINT) FROM activity WHERE kind = 'cancelled'";
    assert_eq!(world.raw.number(counted).await, 450);
}

async fn hold_and_resume_are_recorded_once(world: &World) {
    let by_olga = |number: i64| {
        world.store.by(ChangedBy {
            actor: id("olga"),
            role: ActorRole::Operator,
            at: after(number),
            change_id: format!("chg_{number}"),
            address: None,
            request_id: None,
        })
    };
    for number in [1, 2] {
        by_olga(number).hold_jobs(&held_at(after(number))).await.expect("the store answers");
    }
    for number in [3, 4] {
        by_olga(number).resume_jobs(&resume_at(after(number))).await.expect("the store answers");
    }
    let search = AuditSearch { limit: 10, ..AuditSearch::default() };
    let records = world.store.search_audit_log(&search).await.expect("the store answers").items;
    let found: Vec<(&str, i64)> =
        records.iter().map(|record| (record.action.as_str(), record.at.millis() - NOW.millis())).collect();
    assert_eq!(found, [("jobs.hold", 1), ("jobs.resume", 3)]);
}
