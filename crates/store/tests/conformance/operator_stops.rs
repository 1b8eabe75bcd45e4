//! The operator stops keys, people, brands and jobs.

use std::time::Duration;

use svc_mcp_access::{
    Suspension, Timestamp,
    decision::{Denial, KeySource},
    key::NewKey,
};
use svc_mcp_store::{
    ActivityFilter, CreateKeyError, EventKind, JobActor, JobRefusal, JobStatus, KeysOf, QueuedWork,
    WorkCounts,
};
use svc_mcp_tools::{
    Change, Records,
    analysis::{AnalysisChange, AnalysisRecords},
    jobs::{Job, JobDecision, JobKind, JobOutcome, JobRecords, NewJob, WorkStatus},
    posts::{FEED, PostRecords, TargetChange, TargetStatus, TargetStep},
    records::CommitError,
};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    quotas::analysis,
    world::World,
};

on_both_engines! {
    suspended_brand_has_no_access_and_no_new_keys,
    work_of_a_suspended_brand_is_held_until_it_is_resumed,
    worker_begins_before_the_suspension_or_not_at_all,
    all_keys_of_a_user_are_revoked_in_all_brands,
    all_keys_of_a_brand_are_revoked_with_their_work,
    failed_post_is_tried_again_once,
    failed_analysis_is_tried_again,
    uncertain_post_and_other_states_are_not_tried_again,
    waiting_job_is_cancelled_and_a_sending_one_is_not,
}

const LEASE: Duration = Duration::from_secs(30);

fn suspension() -> Suspension {
    Suspension { at: after(5), by: id("olga"), reason: None }
}

fn by_olga(event_id: &str) -> JobActor {
    JobActor { user_id: id("olga"), at: after(9), event_id: event_id.to_owned() }
}

fn job(kind: JobKind, subject: &str) -> Change {
    let (job_id, subject) = (format!("job_{subject}").replace('/', "_"), subject.to_owned());
    Change::AddJob(NewJob { job_id, kind, subject, concurrency_key: None, due: NOW })
}

/// A scheduled post and its job.
fn post(name: &str) -> Vec<Change> {
    vec![Change::AddPost(make::scheduled(name, NOW)), job(JobKind::Publish, &format!("{name}/{FEED}"))]
}

async fn order(world: &World, key: &NewKey, changes: &[Change]) -> Result<(), CommitError> {
    let (brand, key) = (&key.key.brand_id, &key.key.key_id);
    world.records().commit_for_key(brand, key, changes, None, NOW).await
}

async fn take(world: &World, now: Timestamp) -> Option<Job> {
    world.records().lease_job(&JobKind::ALL, &[], now, LEASE).await.expect("the store answers")
}

async fn decide(world: &World, job: &Job) -> JobDecision {
    world.records().authorize_job(job, Some(&[]), after(9)).await.expect("the store answers")
}

async fn is_suspended(world: &World, new: &NewKey) -> bool {
    let state = world.store.key_state(&new.digest).await.expect("the store answers");
    state.expect("a known key").brand_suspended
}

async fn suspended_brand_has_no_access_and_no_new_keys(world: &World) {
    let (mine, other) = (world.key("acme").await, world.key("umbrella").await);
    let later = Suspension { at: after(6), by: id("ann"), reason: Some("again".into()) };
    for suspension in [suspension(), later] {
        world.store.suspend_brand(&acme(), &suspension).await.expect("the store answers");
    }
    assert_eq!(world.store.brand_suspension(&acme()).await, Ok(Some(suspension())), "the first one stays");
    assert_eq!(world.store.brand_suspension(&umbrella()).await, Ok(None));
    assert!(is_suspended(world, &mine).await);
    assert!(!is_suspended(world, &other).await);
    let new = make::key("acme", world.entropy.clone());
    let created = world.store.create_key(&acme(), &new, &make::created(&new)).await;
    assert_eq!(created, Err(CreateKeyError::BrandSuspended));
    let refused = order(world, &mine, &post("post_1")).await;
    assert_eq!(refused, Err(CommitError::Denied(Denial::BrandSuspended)));
    for _ in 0..2 {
        world.store.resume_brand(&acme(), after(7)).await.expect("the store answers");
        assert!(!is_suspended(world, &mine).await);
    }
    world.store.create_key(&acme(), &new, &make::created(&new)).await.expect("it is created");
    // A change of the brand does not resume it.
    world.store.suspend_brand(&acme(), &suspension()).await.expect("the store answers");
    world.store.put_brand(&make::brand("acme", "pro")).await.expect("the store answers");
    assert!(is_suspended(world, &mine).await);
}

async fn work_of_a_suspended_brand_is_held_until_it_is_resumed(world: &World) {
    let key = world.key("acme").await;
    order(world, &key, &post("post_key")).await.expect("it commits");
    world.records().commit(&acme(), &post("post_person"), None, NOW).await.expect("it commits");
    world.store.suspend_brand(&acme(), &suspension()).await.expect("the store answers");
    for _ in 0..2 {
        let job = take(world, after(9)).await.expect("a job");
        assert_eq!(decide(world, &job).await, JobDecision::Denied(Denial::BrandSuspended));
        let held = JobOutcome::Held { due: after(1_000), denial: Denial::BrandSuspended };
        world.records().finish_job(&job, &held, &[], after(9)).await.expect("the store answers");
    }
    assert_eq!(take(world, after(500)).await, None);
    world.store.resume_brand(&acme(), after(500)).await.expect("the store answers");
    for _ in 0..2 {
        let job = take(world, after(500)).await.expect("a job");
        assert_eq!(decide(world, &job).await, JobDecision::Allowed);
        let done = world.records().finish_job(&job, &JobOutcome::Done, &[], after(501)).await;
        assert_eq!(done, Ok(true));
    }
}

/// The decision of a worker and the suspension are ordered: what begins is committed before the suspension.
async fn worker_begins_before_the_suspension_or_not_at_all(world: &World) {
    let key = world.key("acme").await;
    for round in 0..10 {
        let name = format!("post_{round}");
        order(world, &key, &post(&name)).await.expect("it commits");
        let job = take(world, after(9)).await.expect("a job");
        let (records, store) = (world.records(), world.store.clone());
        let taken = job.clone();
        let worker = tokio::spawn(async move { records.authorize_job(&taken, Some(&[]), after(9)).await });
        let change = tokio::spawn(async move {
            store.suspend_brand(&acme(), &suspension()).await.expect("the store answers");
        });
        change.await.expect("it ends");
        let begun_before =
            format!("SELECT COUNT(*) FROM jobs WHERE job_id = '{}' AND begun_at IS NOT NULL", job.job_id);
        let begun_before = world.raw.number(&begun_before).await;
        let decision = worker.await.expect("it ends").expect("the store answers");
        match decision {
            JobDecision::Allowed => {
                assert_eq!(begun_before, 1, "round {round}: it began after the suspension");
            }
            denied => assert_eq!(denied, JobDecision::Denied(Denial::BrandSuspended)),
        }
        world.store.resume_brand(&acme(), after(10)).await.expect("the store answers");
        world.records().finish_job(&job, &JobOutcome::Done, &[], after(11)).await.expect("the store answers");
    }
}

async fn all_keys_of_a_user_are_revoked_in_all_brands(world: &World) {
    world.store.put_member(&make::member("umbrella", "ada", "member")).await.expect("the store answers");
    let mut hers = vec![world.key("acme").await, world.key("acme").await];
    let mut elsewhere = make::key("umbrella", world.entropy.clone());
    elsewhere.key.created_by = id("ada");
    world.keep(&elsewhere).await;
    hers.push(elsewhere);
    let other = world.key("umbrella").await;
    order(world, &hers[0], &post("post_1")).await.expect("it commits");
    // The work that an earlier revoke kept is cancelled too.
    order(world, &hers[1], &post("post_2")).await.expect("it commits");
    let event = make::revoked(&hers[1], after(1));
    world.store.revoke_key(&acme(), &hers[1].key.key_id, QueuedWork::Keep, &event).await.expect("revoked");

    let whose = KeysOf::User(id("ada"));
    let done = world.store.revoke_keys_of(&whose, &id("olga"), after(2), "evt_all").await.expect("revoked");
    assert_eq!(done.revoked, 2);
    assert_eq!(done.stopped.cancelled, WorkCounts { posts: 2, ..WorkCounts::default() });
    for new in &hers {
        let state = world.store.key_state(&new.digest).await.expect("the store answers").expect("a key");
        assert!(state.revoked && !state.keeps_queued_work);
    }
    assert!(!world.store.key_state(&other.digest).await.expect("the store answers").expect("a key").revoked);
    let again = world.store.revoke_keys_of(&whose, &id("olga"), after(3), "evt_2").await.expect("revoked");
    assert_eq!((again.revoked, again.stopped.cancelled), (0, WorkCounts::default()));
    let filter = ActivityFilter { kind: Some(EventKind::Revoked), limit: 50, ..ActivityFilter::default() };
    let (events, _) = world.store.activity(&umbrella(), &filter).await.expect("the store answers");
    assert_eq!(events.iter().map(|event| event.actor.as_str()).collect::<Vec<_>>(), ["olga"]);
}

/// More keys than one transaction revokes.
async fn all_keys_of_a_brand_are_revoked_with_their_work(world: &World) {
    let other = world.key("umbrella").await;
    let mut plan = make::plan("pro", true);
    plan.quotas.set(svc_mcp_access::Quota::Keys, Some(1_000));
    world.store.put_plan(&plan).await.expect("the store answers");
    for number in 0..60 {
        let key = world.key("acme").await;
        if number % 10 == 0 {
            order(world, &key, &post(&format!("post_{number}"))).await.expect("it commits");
        }
    }
    let whose = KeysOf::Brand(acme());
    let done = world.store.revoke_keys_of(&whose, &id("olga"), after(2), "evt_all").await.expect("revoked");
    assert_eq!((done.revoked, done.stopped.cancelled.posts), (60, 6));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM keys WHERE revoked_at IS NULL").await, 1);
    assert!(!world.store.key_state(&other.digest).await.expect("the store answers").expect("a key").revoked);
}

/// A post whose job has failed.
async fn failed_post(world: &World, name: &str, status: TargetStatus) -> String {
    let key = world.key("acme").await;
    order(world, &key, &post(name)).await.expect("it commits");
    let job = take(world, after(1)).await.expect("a job");
    let change = TargetStep::Failed { reason: "refused".into() };
    let change = TargetChange { post_id: name.to_owned(), channel: FEED.to_owned(), step: change };
    if status == TargetStatus::Uncertain {
        let sql = format!("UPDATE post_targets SET unknown_since = 1 WHERE post_id = '{name}'");
        world.raw.execute(&sql).await;
    }
    let failed = JobOutcome::Failed { reason: "refused".into() };
    world.records().finish_job(&job, &failed, &[Change::Target(change)], after(2)).await.expect("it ends");
    assert_eq!(target_status(world, name).await, status);
    job.job_id
}

async fn target_status(world: &World, name: &str) -> TargetStatus {
    let post = world.records().post(&acme(), name).await.expect("the store answers");
    post.expect("it is stored").targets[0].status
}

async fn failed_post_is_tried_again_once(world: &World) {
    let job_id = failed_post(world, "post_1", TargetStatus::Failed).await;
    assert_eq!(take(world, after(9)).await, None);
    let version =
        world.records().post(&acme(), "post_1").await.expect("the store answers").expect("a post").version;
    let retried = world.store.retry_job(&job_id, &by_olga("evt_retry")).await.expect("it is tried again");
    assert_eq!((retried.status, retried.attempts, retried.reason), (JobStatus::Waiting, 0, None));
    assert_eq!(target_status(world, "post_1").await, TargetStatus::Publishing);
    let post = world.records().post(&acme(), "post_1").await.expect("the store answers").expect("a post");
    assert_eq!(post.version, version + 1);
    let again = world.store.retry_job(&job_id, &by_olga("evt_again")).await;
    assert_eq!(again, Err(JobRefusal::NotFailed));
    let job = take(world, after(9)).await.expect("the job");
    assert_eq!((&job.job_id, job.attempt), (&job_id, 1));
    let filter = ActivityFilter { kind: Some(EventKind::Post), limit: 9, ..ActivityFilter::default() };
    let (events, _) = world.store.activity(&acme(), &filter).await.expect("the store answers");
    assert_eq!((events.len(), events[0].actor.as_str()), (1, "olga"));
}

async fn failed_analysis_is_tried_again(world: &World) {
    let key = world.key("acme").await;
    let changes = [
        Change::Analyses(AnalysisChange::Add(analysis("analysis_1", NOW))),
        job(JobKind::Analysis, "analysis_1"),
    ];
    order(world, &key, &changes).await.expect("it commits");
    let job = take(world, after(1)).await.expect("a job");
    let (analysis_id, reason) = ("analysis_1".to_owned(), "no text".to_owned());
    let fail = Change::Analyses(AnalysisChange::Fail { analysis_id, reason: reason.clone() });
    world
        .records()
        .finish_job(&job, &JobOutcome::Failed { reason }, &[fail], after(2))
        .await
        .expect("it ends");
    world.store.retry_job(&job.job_id, &by_olga("evt_1")).await.expect("it is tried again");
    let found = world.records().analysis(&acme(), "analysis_1").await.expect("the store answers");
    let found = found.expect("it is stored");
    assert_eq!((found.status, found.failure), (WorkStatus::Queued, None));
    assert!(take(world, after(9)).await.is_some());
}

async fn uncertain_post_and_other_states_are_not_tried_again(world: &World) {
    let retry = async |job: &str| world.store.retry_job(job, &by_olga("evt_1")).await.map(|job| job.status);
    let uncertain = failed_post(world, "post_1", TargetStatus::Uncertain).await;
    assert_eq!(retry(&uncertain).await, Err(JobRefusal::RecordChanged));
    let published = failed_post(world, "post_2", TargetStatus::Failed).await;
    world.raw.execute("UPDATE post_targets SET status = 'published' WHERE post_id = 'post_2'").await;
    assert_eq!(retry(&published).await, Err(JobRefusal::RecordChanged));
    world.raw.execute("UPDATE jobs SET kind = 'schedule'").await;
    assert_eq!(retry(&published).await, Err(JobRefusal::NotRepeatable));
    assert_eq!(retry("job_none").await, Err(JobRefusal::Unknown));
    assert_eq!(take(world, after(9)).await, None, "nothing is due");
}

async fn waiting_job_is_cancelled_and_a_sending_one_is_not(world: &World) {
    let key = world.key("acme").await;
    order(world, &key, &post("post_1")).await.expect("it commits");
    order(world, &key, &post("post_2")).await.expect("it commits");
    let begun = take(world, after(1)).await.expect("a job");
    assert_eq!(decide(world, &begun).await, JobDecision::Allowed);
    let cancel = async |job: &str, event: &str| {
        world.store.cancel_job(job, &by_olga(event)).await.map(|job| (job.status, job.reason.is_some()))
    };
    assert_eq!(cancel(&begun.job_id, "evt_1").await, Err(JobRefusal::Sending));
    let waiting = if begun.subject.starts_with("post_1") { "post_2" } else { "post_1" };
    let job_id = format!("job_{waiting}_{FEED}");
    assert_eq!(cancel(&job_id, "evt_2").await, Ok((JobStatus::Cancelled, true)));
    assert_eq!(target_status(world, waiting).await, TargetStatus::Cancelled);
    assert_eq!(cancel(&job_id, "evt_3").await, Err(JobRefusal::Ended));
    assert_eq!(cancel("job_none", "evt_4").await, Err(JobRefusal::Unknown));
    let filter = ActivityFilter { kind: Some(EventKind::Cancelled), limit: 9, ..ActivityFilter::default() };
    let (events, _) = world.store.activity(&acme(), &filter).await.expect("the store answers");
    let events: Vec<_> = events.iter().map(|event| (event.actor.as_str(), event.reason.as_deref())).collect();
    assert_eq!(events, [("olga", Some("cancelled_by_operator"))]);
    // The worker of a cancelled job that has not begun cannot begin.
    order(world, &key, &post("post_3")).await.expect("it commits");
    let taken = take(world, after(9)).await.expect("a job");
    assert_eq!(cancel(&taken.job_id, "evt_5").await, Ok((JobStatus::Cancelled, true)));
    assert_eq!(decide(world, &taken).await, JobDecision::LeaseLost);
}
