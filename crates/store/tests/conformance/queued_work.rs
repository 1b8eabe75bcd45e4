//! Work that a key has queued stops when the key may not act any more.

use std::time::Duration;

use svc_mcp_access::{
    Timestamp,
    decision::{Denial, KeyError},
    key::NewKey,
};
use svc_mcp_store::{ActivityFilter, EventKind, QueuedWork, StoppedWork, WorkCounts};
use svc_mcp_tools::{
    Change, Records,
    analysis::{AnalysisChange, AnalysisRecords},
    audit::{AuditChange, AuditRecords},
    jobs::{Job, JobDecision, JobKind, JobOutcome, JobRecords, NewJob, WorkStatus},
    posts::{FEED, PostRecords, Target, TargetChange, TargetStatus, TargetStep},
    records::CommitError,
    report::{EmailStatus, ReportRecords},
};

use crate::{
    audits,
    make::{self, NOW, acme, after, id},
    quotas::analysis,
    reports::order,
    world::World,
};

on_both_engines! {
    revoke_cancels_what_the_key_has_queued,
    kept_work_goes_on_until_a_second_revoke,
    revoke_reports_what_has_begun,
    job_that_is_taken_but_not_begun_is_cancelled,
    removed_creator_cancels_the_work_of_all_their_keys,
    decision_on_a_job_is_that_on_its_key,
    held_job_is_due_again_when_its_key_is_resumed,
    worker_cancels_a_job_with_its_reason,
    uncertain_attempts_stay_uncertain,
    call_of_a_key_that_was_revoked_meanwhile_changes_nothing,
    job_of_an_older_version_is_decided_by_its_record,
    worker_begins_before_the_revoke_or_not_at_all,
}

const LEASE: Duration = Duration::from_secs(30);
const REVOKED: &str = "Cancelled: the key that ordered this was revoked.";

fn job(kind: JobKind, subject: &str) -> Change {
    let (job_id, subject) = (format!("job_{subject}"), subject.to_owned());
    Change::AddJob(NewJob { job_id, kind, subject, concurrency_key: None, due: NOW })
}

/// One piece of work of each kind.
fn work(name: &str) -> Vec<Change> {
    let [post, mail, audit, analysis_id] =
        ["post", "mail", "audit", "analysis"].map(|kind| format!("{kind}_{name}"));
    vec![
        Change::AddPost(make::scheduled(&post, NOW)),
        job(JobKind::Publish, &format!("{post}/{FEED}")),
        order(&format!("report_{name}"), std::slice::from_ref(&mail)),
        job(JobKind::ReportEmail, &mail),
        Change::Audits(AuditChange::Add(audits::audit(&audit))),
        job(JobKind::Audit, &audit),
        Change::Analyses(AnalysisChange::Add(analysis(&analysis_id, NOW))),
        job(JobKind::Analysis, &analysis_id),
    ]
}

async fn queue(world: &World, key: &NewKey, changes: &[Change]) {
    let committed = world.records().commit_for_key(&acme(), &key.key.key_id, changes, None, NOW).await;
    committed.expect("it commits");
}

/// A key with one post in its queue.
async fn key_with_a_post(world: &World, name: &str) -> NewKey {
    let key = world.key("acme").await;
    queue(world, &key, &work(name)[..2]).await;
    key
}

async fn revoke(world: &World, key: &NewKey, queued: QueuedWork) -> StoppedWork {
    let event = make::revoked(key, after(1));
    world.store.revoke_key(&acme(), &key.key.key_id, queued, &event).await.expect("the store answers")
}

async fn take(world: &World, kinds: &[JobKind], now: Timestamp) -> Option<Job> {
    world.records().lease_job(kinds, &[], now, LEASE).await.expect("the store answers")
}

async fn decide(world: &World, job: &Job, begins_with: Option<&[Change]>) -> JobDecision {
    world.records().authorize_job(job, begins_with, after(1)).await.expect("the store answers")
}

async fn target(world: &World, name: &str) -> Target {
    let post = world.records().post(&acme(), &format!("post_{name}")).await.expect("the store answers");
    post.expect("it is stored").targets.remove(0)
}

fn step(name: &str, step: TargetStep) -> Vec<Change> {
    vec![Change::Target(TargetChange { post_id: format!("post_{name}"), channel: FEED.to_owned(), step })]
}

/// The statuses of the target, the mail, the audit and the analysis, and the reasons.
async fn states(world: &World, name: &str) -> [(String, Option<String>); 4] {
    let records = world.records();
    let target = target(world, name).await;
    let mail = records.outgoing_email(&acme(), &format!("mail_{name}")).await.expect("the store answers");
    let mail = mail.expect("it is stored").email;
    let audit = records.audit(&acme(), &format!("audit_{name}")).await.expect("the store answers");
    let audit = audit.expect("it is stored");
    let analysis = records.analysis(&acme(), &format!("analysis_{name}")).await.expect("the store answers");
    let analysis = analysis.expect("it is stored");
    [
        (target.status.as_str().to_owned(), target.error),
        (mail.status.as_str().to_owned(), mail.answer),
        (audit.status.as_str().to_owned(), audit.failure),
        (analysis.status.as_str().to_owned(), analysis.failure),
    ]
}

fn all(status: &str, reason: Option<&str>) -> [(String, Option<String>); 4] {
    std::array::from_fn(|_| (status.to_owned(), reason.map(ToOwned::to_owned)))
}

/// The tools, reasons, actors and numbers of the events about cancelled work.
async fn cancellations(world: &World) -> Vec<(String, String, String, u64)> {
    let filter = ActivityFilter { kind: Some(EventKind::Cancelled), limit: 50, ..ActivityFilter::default() };
    let (events, _) = world.store.activity(&acme(), &filter).await.expect("the store answers");
    let mut found: Vec<_> = events
        .into_iter()
        .map(|event| {
            (
                event.tool.unwrap_or_default(),
                event.reason.unwrap_or_default(),
                event.actor.into(),
                event.count,
            )
        })
        .collect();
    found.sort();
    found
}

fn cancelled(tools: [&str; 4], reason: &str, actor: &str, count: u64) -> Vec<(String, String, String, u64)> {
    tools.map(|tool| (tool.to_owned(), reason.to_owned(), actor.to_owned(), count)).to_vec()
}

const TOOLS: [&str; 4] = ["create_post", "run_analysis", "run_audit", "send_report_email"];

async fn revoke_cancels_what_the_key_has_queued(world: &World) {
    let (gone, other) = (world.key("acme").await, world.key("acme").await);
    for name in ["1", "2"] {
        queue(world, &gone, &work(name)).await;
    }
    queue(world, &other, &work("3")).await;
    let stopped = revoke(world, &gone, QueuedWork::Cancel).await;
    assert_eq!(stopped.cancelled, WorkCounts { posts: 2, mails: 2, jobs: 4, approvals: 0, schedules: 0 });
    assert_eq!(stopped.already_sending, WorkCounts::default());
    for name in ["1", "2"] {
        assert_eq!(states(world, name).await, all("cancelled", Some(REVOKED)));
    }
    assert_eq!(cancellations(world).await, cancelled(TOOLS, "key_revoked", "ada", 2));
    let mut taken = Vec::new();
    while let Some(job) = take(world, &JobKind::ALL, after(2)).await {
        assert_eq!(decide(world, &job, None).await, JobDecision::Allowed);
        taken.push(job.key_id.expect("a key ordered it"));
    }
    assert_eq!(taken, vec![other.key.key_id.clone(); 4]);
    assert_eq!(revoke(world, &gone, QueuedWork::Cancel).await, StoppedWork::default());
}

async fn kept_work_goes_on_until_a_second_revoke(world: &World) {
    let key = world.key("acme").await;
    queue(world, &key, &work("1")).await;
    assert_eq!(revoke(world, &key, QueuedWork::Keep).await, StoppedWork::default());
    let job = take(world, &[JobKind::Publish], NOW).await.expect("it is due");
    assert_eq!(decide(world, &job, None).await, JobDecision::Allowed);
    assert!(cancellations(world).await.is_empty());
    let again = make::event(EventKind::Revoked, &key, after(9));
    let again = svc_mcp_store::NewEvent { event_id: "evt_again".into(), ..again };
    let stopped = world.store.revoke_key(&acme(), &key.key.key_id, QueuedWork::Cancel, &again).await;
    assert_eq!(
        stopped.expect("the store answers").cancelled,
        WorkCounts { posts: 1, mails: 1, jobs: 2, approvals: 0, schedules: 0 }
    );
    // Keeping is not possible any more.
    assert_eq!(revoke(world, &key, QueuedWork::Keep).await, StoppedWork::default());
    let denied = JobDecision::Denied(Denial::KeyInvalid(KeyError::Revoked));
    assert_eq!(decide(world, &job, None).await, denied);
    let found = world.store.key(&acme(), &key.key.key_id).await.expect("the store answers");
    assert_eq!(found.expect("it is kept").revoked_at, Some(after(1)));
}

async fn revoke_reports_what_has_begun(world: &World) {
    let key = world.key("acme").await;
    queue(world, &key, &work("1")).await;
    let post = take(world, &[JobKind::Publish], NOW).await.expect("it is due");
    let audit = take(world, &[JobKind::Audit], NOW).await.expect("it is due");
    let begun = step("1", TargetStep::Begun { unknown_since: None });
    assert_eq!(decide(world, &post, Some(&begun)).await, JobDecision::Allowed);
    assert_eq!(decide(world, &audit, Some(&[])).await, JobDecision::Allowed);
    let stopped = revoke(world, &key, QueuedWork::Cancel).await;
    assert_eq!(stopped.cancelled, WorkCounts { posts: 0, mails: 1, jobs: 1, approvals: 0, schedules: 0 });
    assert_eq!(
        stopped.already_sending,
        WorkCounts { posts: 1, mails: 0, jobs: 1, approvals: 0, schedules: 0 }
    );
    let records = world.records();
    // The post that was being sent ends with its real result. The audit does not.
    let published = step("1", TargetStep::Published { url: None, remote_uri: None, at: after(2) });
    assert_eq!(records.finish_job(&post, &JobOutcome::Done, &published, after(2)).await, Ok(true));
    assert_eq!(target(world, "1").await.status, TargetStatus::Published);
    assert_eq!(records.commit_progress(&audit, &[], after(2)).await, Ok(false));
    assert_eq!(records.finish_job(&audit, &JobOutcome::Done, &[], after(2)).await, Ok(false));
    let audit = records.audit(&acme(), "audit_1").await.expect("the store answers").expect("it is stored");
    assert_eq!((audit.status, audit.failure.as_deref()), (WorkStatus::Cancelled, Some(REVOKED)));
}

async fn job_that_is_taken_but_not_begun_is_cancelled(world: &World) {
    let key = key_with_a_post(world, "1").await;
    let job = take(world, &[JobKind::Publish], NOW).await.expect("it is due");
    assert_eq!(decide(world, &job, None).await, JobDecision::Allowed);
    let stopped = revoke(world, &key, QueuedWork::Cancel).await;
    assert_eq!((stopped.cancelled.posts, stopped.already_sending.posts), (1, 0));
    let begun = step("1", TargetStep::Begun { unknown_since: None });
    let denied = JobDecision::Denied(Denial::KeyInvalid(KeyError::Revoked));
    assert_eq!(decide(world, &job, Some(&begun)).await, denied);
    let ending = JobOutcome::Cancelled { denial: Denial::KeyInvalid(KeyError::Revoked) };
    assert_eq!(world.records().finish_job(&job, &ending, &[], after(2)).await, Ok(false));
    let target = target(world, "1").await;
    assert_eq!((target.status, target.attempts), (TargetStatus::Cancelled, 0));
    assert_eq!(cancellations(world).await.len(), 1, "it is recorded once");
}

async fn removed_creator_cancels_the_work_of_all_their_keys(world: &World) {
    let keys = [world.key("acme").await, world.key("acme").await];
    queue(world, &keys[0], &work("1")).await;
    queue(world, &keys[1], &work("2")).await;
    world.store.remove_member(&acme(), &id("ada"), &make::removal()).await.expect("the store answers");
    let reason = "Cancelled: the person who created the key that ordered this was removed from the brand.";
    for name in ["1", "2"] {
        assert_eq!(states(world, name).await, all("cancelled", Some(reason)));
    }
    let mut expected = cancelled(TOOLS, "key_owner_removed", "olga", 1);
    expected.extend(expected.clone());
    expected.sort();
    assert_eq!(cancellations(world).await, expected);
    assert_eq!(take(world, &JobKind::ALL, after(2)).await, None);
}

async fn decision_on_a_job_is_that_on_its_key(world: &World) {
    let mut new = make::key("acme", world.entropy.clone());
    new.key.expires_at = Some(after(1));
    world.keep(&new).await;
    queue(world, &new, &work("1")).await;
    let job = take(world, &[JobKind::ReportEmail], NOW).await.expect("it is due");
    // It has expired by now, and that stops nothing.
    assert_eq!(decide(world, &job, None).await, JobDecision::Allowed);
    let (store, key_id) = (&world.store, &new.key.key_id);
    store.pause_key(&acme(), key_id, &make::paused(&new)).await.expect("the store answers");
    assert_eq!(decide(world, &job, None).await, JobDecision::Denied(Denial::KeyPaused));
    assert_eq!(decide(world, &job, Some(&[])).await, JobDecision::Denied(Denial::KeyPaused));
    store.resume_key(&acme(), key_id, &make::resumed(&new)).await.expect("the store answers");
    assert_eq!(decide(world, &job, None).await, JobDecision::Allowed);
    store.put_plan(&make::plan("pro", false)).await.expect("the store answers");
    assert_eq!(decide(world, &job, None).await, JobDecision::Denied(Denial::McpInactive));
    store.put_plan(&make::plan("pro", true)).await.expect("the store answers");
    assert_eq!(decide(world, &job, Some(&[])).await, JobDecision::Allowed);
    world.raw.execute("DELETE FROM members WHERE user_id = 'ada'").await;
    assert_eq!(decide(world, &job, None).await, JobDecision::Denied(Denial::OwnerRemoved));
    let other = Job { lease: "lease_other".into(), key_id: None, ..job.clone() };
    assert_eq!(decide(world, &other, None).await, JobDecision::Allowed, "a person ordered it");
    assert_eq!(decide(world, &other, Some(&[])).await, JobDecision::LeaseLost);
    let unknown = Job { key_id: Some(id("key_unknown")), ..job };
    let denied = JobDecision::Denied(Denial::KeyInvalid(KeyError::Unknown));
    assert_eq!(decide(world, &unknown, None).await, denied);
}

async fn held_job_is_due_again_when_its_key_is_resumed(world: &World) {
    let key = key_with_a_post(world, "1").await;
    let other = key_with_a_post(world, "2").await;
    let (store, key_id) = (&world.store, &key.key.key_id);
    store.pause_key(&acme(), key_id, &make::paused(&key)).await.expect("the store answers");
    let mut jobs = vec![take(world, &[JobKind::Publish], NOW).await.expect("it is due")];
    jobs.push(take(world, &[JobKind::Publish], NOW).await.expect("it is due"));
    let later = after(300_000);
    for job in &jobs {
        let held = JobOutcome::Held { due: later, denial: Denial::KeyPaused };
        assert_eq!(world.records().finish_job(job, &held, &[], NOW).await, Ok(true));
    }
    assert_eq!(take(world, &[JobKind::Publish], after(5)).await, None);
    store.resume_key(&acme(), key_id, &make::resumed(&key)).await.expect("the store answers");
    let woken = take(world, &[JobKind::Publish], after(5)).await.expect("it is due again");
    assert_eq!((woken.key_id.as_ref(), woken.attempt, woken.first_due), (Some(key_id), 1, NOW));
    assert_eq!(take(world, &[JobKind::Publish], after(5)).await, None, "the other key was not resumed");
    assert_eq!(world.records().finish_job(&woken, &JobOutcome::Done, &[], after(5)).await, Ok(true));
    let due = take(world, &[JobKind::Publish], later).await.expect("its time has come");
    assert_eq!((due.key_id.as_ref(), due.first_due), (Some(&other.key.key_id), NOW));
}

async fn worker_cancels_a_job_with_its_reason(world: &World) {
    let key = world.key("acme").await;
    queue(world, &key, &work("1")).await;
    for _ in TOOLS {
        let job = take(world, &JobKind::ALL, NOW).await.expect("it is due");
        let ending = JobOutcome::Cancelled { denial: Denial::KeyPaused };
        assert_eq!(world.records().finish_job(&job, &ending, &[], after(2)).await, Ok(true));
    }
    let reason = "Cancelled: the key that ordered this was still paused 24 hours after this was due.";
    assert_eq!(states(world, "1").await, all("cancelled", Some(reason)));
    assert_eq!(cancellations(world).await, cancelled(TOOLS, "key_paused", "ada", 1));
    assert_eq!(take(world, &JobKind::ALL, after(3)).await, None);
}

async fn uncertain_attempts_stay_uncertain(world: &World) {
    let key = world.key("acme").await;
    for name in ["1", "2", "3"] {
        queue(world, &key, &work(name)[..4]).await;
    }
    let unknown_since = Some(NOW);
    let postponed =
        |unknown_since| TargetStep::Postponed { reason: "busy".into(), next: after(9), unknown_since };
    let records = world.records();
    let begun = step("2", TargetStep::Begun { unknown_since: None });
    let changes = [step("1", postponed(unknown_since)), begun, step("2", postponed(None))].concat();
    records.commit(&acme(), &changes, None, NOW).await.expect("it commits");
    world.raw.execute("UPDATE report_emails SET status = 'sending' WHERE email_id = 'mail_1'").await;
    revoke(world, &key, QueuedWork::Cancel).await;
    let targets = [target(world, "1").await, target(world, "2").await, target(world, "3").await];
    let statuses = targets.each_ref().map(|target| target.status);
    assert_eq!(statuses, [TargetStatus::Uncertain, TargetStatus::Cancelled, TargetStatus::Cancelled]);
    let errors = targets.map(|target| target.error.expect("a reason"));
    assert!(errors[0].contains("look at the account"), "{errors:?}");
    assert!(errors[1].contains("An earlier attempt may have reached the channel."), "{errors:?}");
    assert_eq!(errors[2], REVOKED);
    for (mail, status) in [("mail_1", EmailStatus::Uncertain), ("mail_2", EmailStatus::Cancelled)] {
        let found = records.outgoing_email(&acme(), mail).await.expect("the store answers");
        assert_eq!(found.expect("it is stored").email.status, status, "{mail}");
    }
}

async fn call_of_a_key_that_was_revoked_meanwhile_changes_nothing(world: &World) {
    let key = world.key("acme").await;
    revoke(world, &key, QueuedWork::Cancel).await;
    let now_in_the_feed = [Change::AddPost(make::published("post_1", NOW))];
    let records = world.records();
    let committed = records.commit_for_key(&acme(), &key.key.key_id, &now_in_the_feed, None, NOW).await;
    assert_eq!(committed, Err(CommitError::Denied(Denial::KeyInvalid(KeyError::Revoked))));
    assert_eq!(records.post(&acme(), "post_1").await, Ok(None));
}

async fn job_of_an_older_version_is_decided_by_its_record(world: &World) {
    let key = world.key("acme").await;
    queue(world, &key, &work("1")).await;
    let confirmation = [job(JobKind::ReportEmail, "mail_confirmation")];
    world.records().commit(&acme(), &confirmation, None, NOW).await.expect("it commits");
    world.raw.execute("UPDATE jobs SET key_id = NULL").await;
    let makers = [
        (JobKind::Publish, "key_maker"),
        (JobKind::ReportEmail, "key_maker"),
        (JobKind::Audit, "key_1"),
        (JobKind::Analysis, "key_1"),
    ];
    for (kind, maker) in makers {
        let mut found = Vec::new();
        while let Some(job) = take(world, &[kind], NOW).await {
            found.extend(job.key_id);
        }
        assert_eq!(found, [id(maker)], "{kind:?}");
    }
    // A revoke finds such jobs too.
    let second = work("2");
    queue(world, &key, &second).await;
    let sql = format!("UPDATE posts SET created_by_key = '{}' WHERE post_id = 'post_2'", key.key.key_id);
    world.raw.execute(&sql).await;
    world.raw.execute("UPDATE jobs SET key_id = NULL WHERE status = 'waiting'").await;
    let stopped = revoke(world, &key, QueuedWork::Cancel).await;
    assert_eq!(stopped.cancelled, WorkCounts { posts: 1, mails: 0, jobs: 0, approvals: 0, schedules: 0 });
}

/// Revokes and workers of two processes at the same time.
async fn worker_begins_before_the_revoke_or_not_at_all(world: &World) {
    let other = world.another_process().await;
    let (mut begun_first, mut revoked_first) = (0, 0);
    for round in 0..40 {
        let name = round.to_string();
        let key = key_with_a_post(world, &name).await;
        let job = take(world, &[JobKind::Publish], NOW).await.expect("it is due");
        let begun = step(&name, TargetStep::Begun { unknown_since: None });
        let mut records = world.records();
        records.store = other.clone();
        let begin = tokio::spawn(async move { records.authorize_job(&job, Some(&begun), after(1)).await });
        if round % 4 > 0 {
            tokio::time::sleep(Duration::from_micros(round * 50)).await;
        }
        let stopped = revoke(world, &key, QueuedWork::Cancel).await;
        let decision = begin.await.expect("the task ends").expect("the store answers");
        let counts = (stopped.cancelled.posts, stopped.already_sending.posts);
        match decision {
            JobDecision::Allowed => {
                assert_eq!(counts, (0, 1), "round {round}");
                begun_first += 1;
            }
            JobDecision::Denied(_) => {
                assert_eq!(counts, (1, 0), "round {round}");
                revoked_first += 1;
            }
            other => panic!("round {round}: nobody else has the job, and it is not held: {other:?}"),
        }
    }
    assert_eq!(begun_first + revoked_first, 40);
}
