//! Quotas of a brand: the limit is allowed, one more is refused, also with concurrent commits.

use svc_mcp_access::{BrandId, Plan, Quota, Timestamp};
use svc_mcp_store::CreateKeyError;
use svc_mcp_tools::{
    Change, Records, ToolFailure,
    analysis::{Analysis, AnalysisChange, AnalysisKind, AnalysisRequest},
    audit::AuditChange,
    connection_test::TestedConnection,
    jobs::{JobKind, JobOutcome, JobRecords, NewJob, WorkStatus},
    keywords::KeywordChange,
    posts::{FEED, TargetChange, TargetStep},
    records::{Claim, CommitError, RecordedResponse},
};

use crate::{
    audits,
    idempotency_records::{claim, record, run},
    keywords,
    make::{self, NOW, acme, after, id, umbrella},
    reports,
    world::{World, at_once, retried},
};

on_both_engines! {
    limit_is_allowed_and_one_more_is_refused_until_it_frees,
    concurrent_commits_admit_exactly_the_rest,
    refused_commit_writes_nothing,
    committed_call_is_replayed_when_the_quota_is_reached,
    changed_plan_has_its_effect_on_the_next_commit,
    key_quota_is_set_by_the_plan,
    quotas_of_a_newer_version_are_ignored,
    deleted_rows_stay_counted_for_the_day,
    lower_limit_refuses_new_rows_and_deletes_none,
    every_use_is_counted_for_its_brand,
}

const DAY: i64 = 86_400_000;
const LEASE: std::time::Duration = std::time::Duration::from_secs(30);

/// Those that a commit can reach.
const COMMITTED: [Quota; 9] = [
    Quota::OpenLongJobs,
    Quota::QueuedTargets,
    Quota::Drafts,
    Quota::AuditsPerDay,
    Quota::AnalysesPerDay,
    Quota::KeywordSearchesPerDay,
    Quota::PostsPerDay,
    Quota::ReportEmailsPerDay,
    Quota::ConnectionTestsPerHour,
];

fn job(kind: JobKind, name: &str, due: Timestamp) -> Change {
    let (job_id, subject) = (format!("job_{name}"), name.to_owned());
    Change::AddJob(NewJob { job_id, kind, subject, concurrency_key: None, due })
}

pub(crate) fn analysis(analysis_id: &str, created_at: Timestamp) -> Analysis {
    Analysis {
        analysis_id: analysis_id.to_owned(),
        request: AnalysisRequest {
            kind: AnalysisKind::Content,
            url: None,
            text: Some("Tea".into()),
            target_keywords: Vec::new(),
            competitor_urls: Vec::new(),
            scope: None,
        },
        status: WorkStatus::Queued,
        result: None,
        failure: None,
        created_at,
        created_by_key: id("key_1"),
        finished_at: None,
    }
}

/// Changes that need one of the quota.
fn one_of(quota: Quota, number: i64, now: Timestamp) -> Vec<Change> {
    let name = format!("{}_{number}", quota.as_str());
    match quota {
        Quota::OpenLongJobs => vec![job(JobKind::LONG[usize::from(number % 2 == 0)], &name, now)],
        Quota::QueuedTargets => {
            let due = Timestamp::from_millis(now.millis() + DAY);
            vec![Change::AddPost(make::scheduled(&name, due)), job(JobKind::Publish, &name, due)]
        }
        Quota::Drafts => vec![Change::AddPost(make::post(&name, now))],
        Quota::AuditsPerDay => vec![Change::Audits(AuditChange::Add(audits::audit(&name)))],
        Quota::AnalysesPerDay => vec![Change::Analyses(AnalysisChange::Add(analysis(&name, now)))],
        Quota::KeywordSearchesPerDay => {
            let search = Box::new(keywords::search(number));
            vec![Change::Keywords(KeywordChange::AddSearch { search, rows: vec![keywords::row()] })]
        }
        Quota::PostsPerDay => vec![Change::AddPost(make::published(&name, now))],
        Quota::ReportEmailsPerDay => {
            vec![reports::order(&format!("report_{name}"), &[format!("mail_{name}")])]
        }
        Quota::ConnectionTestsPerHour => vec![Change::ConnectionTest(TestedConnection::ReportRecipients)],
        other => panic!("{other:?} is not used by a commit"),
    }
}

/// Gives the brands a plan with these limits, and defaults for the rest.
async fn set_limits(world: &World, limits: &[(Quota, u32)]) {
    let plan = Plan { quotas: limits.iter().copied().collect(), ..make::plan("pro", true) };
    world.store.put_plan(&plan).await.expect("the store answers");
}

async fn commit(world: &World, changes: &[Change], now: Timestamp) -> Result<(), CommitError> {
    world.records().commit(&acme(), changes, None, now).await
}

#[track_caller]
fn refusal(committed: Result<(), CommitError>) -> ToolFailure {
    match committed {
        Err(CommitError::Refused(failure)) => {
            assert_eq!(failure.code, "quota_reached");
            failure
        }
        other => panic!("it should be refused, not {other:?}"),
    }
}

/// Frees one of the quota. Returns the time from which it is free.
async fn free_one(world: &World, quota: Quota, now: Timestamp) -> Timestamp {
    match quota {
        Quota::OpenLongJobs => {
            let records = world.records();
            // The job of the other brand may come first.
            let job = loop {
                let job =
                    records.lease_job(&JobKind::LONG, &[], now, LEASE).await.expect("the store answers");
                let job = job.expect("it is due");
                if job.brand_id == acme() {
                    break job;
                }
            };
            assert_eq!(records.finish_job(&job, &JobOutcome::Done, &[], now).await, Ok(true));
            now
        }
        Quota::QueuedTargets => {
            let step = TargetStep::Published { url: None, remote_uri: None, at: now };
            let post_id = format!("{}_0", quota.as_str());
            let change = TargetChange { post_id, channel: FEED.to_owned(), step };
            commit(world, &[Change::Target(change)], now).await.expect("it commits");
            now
        }
        Quota::Drafts => {
            let sql = "UPDATE post_targets SET status = 'cancelled' WHERE post_id = 'drafts_0'";
            assert_eq!(world.raw.execute(sql).await, 1);
            now
        }
        Quota::ConnectionTestsPerHour => now.next_hour(),
        _ => now.next_midnight(),
    }
}

async fn limit_is_allowed_and_one_more_is_refused_until_it_frees(world: &World) {
    for (number, quota) in (0..).zip(COMMITTED) {
        set_limits(world, &[(quota, 3)]).await;
        // Posts, jobs and drafts also count for other quotas, so each quota has its own days.
        let now = after(number * 10 * DAY + DAY / 2);
        for number in 0..3 {
            assert_eq!(commit(world, &one_of(quota, number, now), now).await, Ok(()), "{quota:?}");
        }
        let failure = refusal(commit(world, &one_of(quota, 3, now), now).await);
        let details = failure.quota.as_deref().expect("the quota is named");
        assert_eq!((details.quota, details.limit, details.used), (quota.as_str(), 3, 3));
        let frees_at = match quota {
            Quota::OpenLongJobs | Quota::Drafts => None,
            Quota::QueuedTargets => Some(Timestamp::from_millis(now.millis() + DAY)),
            _ => quota.next_period(now),
        };
        assert_eq!(details.frees_at, frees_at.map(|at| at.to_string()), "{quota:?}");
        assert_eq!(failure.retryable, quota != Quota::Drafts, "{quota:?}");
        // Another brand on the same plan is not affected.
        let theirs = one_of(quota, 1_000, now);
        assert_eq!(world.records().commit(&umbrella(), &theirs, None, now).await, Ok(()), "{quota:?}");
        let free = free_one(world, quota, now).await;
        assert_eq!(commit(world, &one_of(quota, 3, now), free).await, Ok(()), "{quota:?}");
        if quota.next_period(now).is_none() {
            refusal(commit(world, &one_of(quota, 4, now), free).await);
        }
    }
}

async fn concurrent_commits_admit_exactly_the_rest(world: &World) {
    let stores = [world.store.clone(), world.another_process().await];
    for (number, quota) in (0..).zip(COMMITTED) {
        set_limits(world, &[(quota, 10)]).await;
        let now = after(number * 10 * DAY);
        for number in 0..3 {
            assert_eq!(commit(world, &one_of(quota, number, now), now).await, Ok(()));
        }
        let commits = (3..23).zip(stores.iter().cycle()).map(|(number, store)| {
            let mut records = world.records();
            records.store = store.clone();
            let changes = one_of(quota, number, now);
            retried(move || {
                let (records, changes) = (records.clone(), changes.clone());
                async move { records.commit(&acme(), &changes, None, now).await }
            })
        });
        let committed = at_once(commits).await;
        let refused = committed.into_iter().filter(Result::is_err).map(refusal).count();
        assert_eq!(refused, 13, "{quota:?}");
    }
    let posts = "SELECT COUNT(*) FROM posts WHERE post_id LIKE 'posts_per_day%'";
    assert_eq!(world.raw.number(posts).await, 10);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM report_emails").await, 10);
}

async fn refused_commit_writes_nothing(world: &World) {
    set_limits(world, &[(Quota::PostsPerDay, 2)]).await;
    let posts: Vec<Change> =
        ["a", "b", "c"].into_iter().map(|name| Change::AddPost(make::post(name, NOW))).collect();
    let failure = refusal(commit(world, &posts, NOW).await);
    let details = failure.quota.as_deref().expect("the quota is named");
    // Even tomorrow three do not fit.
    assert_eq!((details.used, &details.frees_at, failure.retryable), (0, &None, false));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM posts").await, 0);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM quota_counts").await, 0);
    assert_eq!(commit(world, &posts[..2], NOW).await, Ok(()));
}

async fn committed_call_is_replayed_when_the_quota_is_reached(world: &World) {
    set_limits(world, &[(Quota::PostsPerDay, 1)]).await;
    let (first, second) = (record("first", "one"), record("second", "two"));
    let ticket = run(world, &first, NOW).await;
    let response = RecordedResponse { record: &first, ticket: &ticket, response: "created" };
    let change = [Change::AddPost(make::post("post_1", NOW))];
    assert_eq!(world.records().commit(&acme(), &change, Some(response), NOW).await, Ok(()));

    let ticket = run(world, &second, NOW).await;
    let response = RecordedResponse { record: &second, ticket: &ticket, response: "created" };
    let change = [Change::AddPost(make::post("post_2", NOW))];
    refusal(world.records().commit(&acme(), &change, Some(response), NOW).await);
    assert_eq!(claim(world, &first, after(1)).await, Claim::Replay { response: "created".into() });
    assert_eq!(
        claim(world, &second, after(1)).await,
        Claim::InProgress,
        "the refused call has no answer yet"
    );
}

async fn changed_plan_has_its_effect_on_the_next_commit(world: &World) {
    let draft = |name: &str| [Change::AddPost(make::post(name, NOW))];
    for (limit, allowed) in [(0, false), (1, true), (1, false), (2, true)] {
        set_limits(world, &[(Quota::Drafts, limit)]).await;
        let committed = commit(world, &draft(&format!("post_{limit}_{allowed}")), NOW).await;
        assert_eq!(committed.is_ok(), allowed, "{limit}: {committed:?}");
    }
    // A brand that changes to another plan has that plan's limits.
    world.store.put_brand(&make::brand("acme", "free")).await.expect("the store answers");
    assert_eq!(commit(world, &draft("post_free"), NOW).await, Ok(()));
    let profile = world.records().profile(&acme()).await.expect("the store answers");
    assert_eq!(profile.plan.quotas.limit(Quota::Drafts), 5_000);
}

/// The change is made by one process and holds in another one.
async fn lower_limit_refuses_new_rows_and_deletes_none(world: &World) {
    let (here, mut there) = (world.records(), world.records());
    there.store = world.another_process().await;
    for (number, quota) in (0..).zip(COMMITTED) {
        set_limits(world, &[(quota, 3)]).await;
        let now = after(number * 10 * DAY);
        let add = async |number: i64| there.commit(&acme(), &one_of(quota, number, now), None, now).await;
        for number in 0..2 {
            assert_eq!(add(number).await, Ok(()), "{quota:?}");
        }
        set_limits(world, &[(quota, 1)]).await;
        let details = refusal(add(2).await).quota.expect("the quota is named");
        assert_eq!((details.limit, details.used), (1, 2), "{quota:?}");
        let counts = here.quota_counts(&acme(), None, now).await.expect("the store answers");
        assert_eq!(counts[&quota].0, 2, "{quota:?}: nothing is deleted");
        set_limits(world, &[(quota, 3)]).await;
        assert_eq!(add(2).await, Ok(()), "{quota:?}");
        refusal(add(3).await);
    }
}

async fn every_use_is_counted_for_its_brand(world: &World) {
    let counts = async |brand: &BrandId, now: Timestamp| {
        world.records().quota_counts(brand, None, now).await.expect("the store answers")
    };
    assert!(counts(&acme(), NOW).await.values().all(|(used, _)| *used == 0));
    for (number, quota) in (0..).zip(COMMITTED) {
        let now = after(number * 10 * DAY);
        let before = counts(&acme(), now).await.get(&quota).map_or(0, |(used, _)| *used);
        assert_eq!(commit(world, &one_of(quota, 0, now), now).await, Ok(()));
        let (used, frees_at) = counts(&acme(), now).await[&quota];
        assert_eq!(used, before + 1, "{quota:?}");
        let next = quota.next_period(now);
        assert_eq!(frees_at.is_some(), next.is_some() || quota == Quota::QueuedTargets, "{quota:?}");
        if let Some(next) = next {
            let later = counts(&acme(), next).await;
            assert_eq!(later.get(&quota).map_or(0, |(used, _)| *used), 0, "{quota:?}");
        }
    }
    let stored = counts(&acme(), NOW).await;
    assert_eq!((stored[&Quota::StoredAudits].0, stored[&Quota::StoredAnalyses].0), (1, 1));
    // Only active keys count, and the first that expires frees one.
    let expiring = |expires_at| {
        let mut new = make::key("acme", world.entropy.clone());
        new.key.expires_at = expires_at;
        new
    };
    for expires_at in [None, Some(after(2 * DAY)), Some(after(DAY)), Some(after(1))] {
        world.keep(&expiring(expires_at)).await;
    }
    assert_eq!(counts(&acme(), NOW).await[&Quota::Keys], (4, Some(after(1))));
    assert_eq!(counts(&acme(), after(1)).await[&Quota::Keys], (3, Some(after(DAY))));
    assert!(counts(&umbrella(), NOW).await.values().all(|(used, _)| *used == 0));
}

async fn key_quota_is_set_by_the_plan(world: &World) {
    set_limits(world, &[(Quota::Keys, 2)]).await;
    for _ in 0..2 {
        world.key("acme").await;
    }
    let new = make::key("acme", world.entropy.clone());
    match world.store.create_key(&acme(), &new, &make::created(&new)).await {
        Err(CreateKeyError::QuotaReached(reached)) => assert_eq!((reached.limit, reached.used), (2, 2)),
        other => panic!("it should be refused, not {other:?}"),
    }
    world.key("umbrella").await;
}

async fn quotas_of_a_newer_version_are_ignored(world: &World) {
    let sql = r#"UPDATE plans SET quotas = '{"wishes": 1, "keys": 2}' WHERE plan_id = 'pro'"#;
    world.raw.execute(sql).await;
    let plan = world.store.plan(&id("pro")).await.expect("the store answers").expect("a plan");
    assert_eq!(plan.quotas, [(Quota::Keys, 2)].into_iter().collect());
}

async fn deleted_rows_stay_counted_for_the_day(world: &World) {
    set_limits(world, &[(Quota::KeywordSearchesPerDay, 1)]).await;
    assert_eq!(commit(world, &one_of(Quota::KeywordSearchesPerDay, 1, NOW), NOW).await, Ok(()));
    world.raw.execute("DELETE FROM keyword_searches").await;
    refusal(commit(world, &one_of(Quota::KeywordSearchesPerDay, 2, NOW), NOW).await);
    assert_eq!(world.records().used_today(&acme(), Quota::KeywordSearchesPerDay, NOW).await, Ok(1));
    // The count of today survives a pruning, and old counts do not.
    world.store.prune(after(DAY)).await.expect("the store answers");
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM quota_counts").await, 1);
    world.store.prune(after(4 * DAY)).await.expect("the store answers");
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM quota_counts").await, 0);
}
