//! Brands take turns: a backlog of one brand does not delay the jobs of another.

use std::time::Duration;

use svc_mcp_access::{BrandId, Timestamp};
use svc_mcp_tools::{
    Change, Records,
    jobs::{Job, JobKind, JobOutcome, JobRecords, NewJob},
};

use crate::{
    make::{NOW, acme, after, umbrella},
    world::{World, at_once},
};

const LEASE: Duration = Duration::from_hours(1);

on_both_engines! {
    single_job_of_a_brand_is_next_whatever_the_backlog_of_another,
    brand_whose_last_turn_was_earlier_is_next,
    jobs_of_one_brand_are_taken_in_their_order,
    brands_take_turns_over_all_kinds_of_a_group,
    running_jobs_of_another_group_do_not_count,
    expired_lease_does_not_count_as_running,
    excluded_brand_is_not_taken,
    workers_of_all_processes_share_the_turns,
}

async fn add(
    world: &World,
    brand: &BrandId,
    kind: JobKind,
    ids: impl IntoIterator<Item = String>,
    due: Timestamp,
) {
    let job = |job_id: String| NewJob { subject: job_id.clone(), job_id, kind, concurrency_key: None, due };
    let changes: Vec<Change> = ids.into_iter().map(|id| Change::AddJob(job(id))).collect();
    world.records().commit(brand, &changes, None, NOW).await.expect("it commits");
}

async fn take_excluding(
    world: &World,
    kinds: &[JobKind],
    excluded: &[BrandId],
    now: Timestamp,
) -> Option<Job> {
    world.records().lease_job(kinds, excluded, now, LEASE).await.expect("the store answers")
}

async fn take(world: &World, now: Timestamp) -> Job {
    take_excluding(world, &[JobKind::Audit], &[], now).await.expect("a job is due")
}

async fn end(world: &World, job: &Job) {
    let ended = world.records().finish_job(job, &JobOutcome::Done, &[], NOW).await;
    assert_eq!(ended, Ok(true));
}

async fn single_job_of_a_brand_is_next_whatever_the_backlog_of_another(world: &World) {
    add(world, &acme(), JobKind::Audit, (0..1_000).map(|number| format!("acme_{number}")), NOW).await;
    let first = take(world, after(1)).await;
    assert_eq!(first.brand_id, acme());
    add(world, &umbrella(), JobKind::Audit, ["umbrella".to_owned()], after(2)).await;
    assert_eq!(take(world, after(3)).await.job_id, "umbrella", "acme has a running job");
    end(world, &first).await;
    // Nothing of acme runs now, and umbrella has had the last turn.
    assert_eq!(take(world, after(4)).await.brand_id, acme());
    add(world, &umbrella(), JobKind::Audit, ["umbrella_2".to_owned()], after(4)).await;
    assert_eq!(
        take(world, after(5)).await.job_id,
        "umbrella_2",
        "one job of each runs, and acme had the last turn"
    );
}

async fn brand_whose_last_turn_was_earlier_is_next(world: &World) {
    add(world, &acme(), JobKind::Audit, (0..100).map(|number| format!("acme_{number}")), NOW).await;
    add(world, &umbrella(), JobKind::Audit, (0..3).map(|number| format!("umbrella_{number}")), after(1))
        .await;
    let mut brands = Vec::new();
    for turn in 0..7 {
        // One worker: no job is running when the next one is taken.
        let job = take(world, after(10 + turn)).await;
        end(world, &job).await;
        brands.push(job.brand_id);
    }
    let (a, u) = (acme(), umbrella());
    assert_eq!(brands, [&a, &u, &a, &u, &a, &u, &a].map(BrandId::clone));
}

async fn jobs_of_one_brand_are_taken_in_their_order(world: &World) {
    for number in [2, 0, 1] {
        add(world, &acme(), JobKind::Audit, [format!("acme_{number}")], after(number)).await;
    }
    for number in 0..3 {
        assert_eq!(take(world, after(5)).await.job_id, format!("acme_{number}"));
    }
}

async fn brands_take_turns_over_all_kinds_of_a_group(world: &World) {
    add(world, &acme(), JobKind::Publish, (0..5).map(|number| format!("post_{number}")), NOW).await;
    add(world, &acme(), JobKind::ReportEmail, (0..5).map(|number| format!("mail_{number}")), NOW).await;
    add(world, &umbrella(), JobKind::ReportEmail, ["umbrella_1".to_owned()], after(1)).await;
    let first = take_excluding(world, &JobKind::SHORT, &[], after(2)).await.expect("a job is due");
    assert_eq!(first.brand_id, acme());
    let second = take_excluding(world, &JobKind::SHORT, &[], after(3)).await.expect("a job is due");
    assert_eq!(second.job_id, "umbrella_1");
}

async fn running_jobs_of_another_group_do_not_count(world: &World) {
    add(world, &acme(), JobKind::Publish, ["post".to_owned()], NOW).await;
    take_excluding(world, &JobKind::SHORT, &[], NOW).await.expect("a job is due");
    add(world, &acme(), JobKind::Audit, ["acme".to_owned()], NOW).await;
    add(world, &umbrella(), JobKind::Audit, ["umbrella".to_owned()], after(1)).await;
    assert_eq!(take(world, after(1)).await.job_id, "acme", "it is the oldest");
}

async fn expired_lease_does_not_count_as_running(world: &World) {
    add(world, &acme(), JobKind::Audit, ["acme".to_owned()], NOW).await;
    let lost = take(world, NOW).await;
    let expired = NOW.plus(LEASE);
    let again = take(world, expired).await;
    assert_eq!((again.job_id, again.attempt), (lost.job_id, 2));
}

async fn excluded_brand_is_not_taken(world: &World) {
    add(world, &acme(), JobKind::Audit, (0..3).map(|number| format!("acme_{number}")), NOW).await;
    let audits = [JobKind::Audit];
    assert_eq!(take_excluding(world, &audits, &[acme()], NOW).await, None);
    add(world, &umbrella(), JobKind::Audit, ["umbrella".to_owned()], after(1)).await;
    let job = take_excluding(world, &audits, &[acme()], after(1)).await.expect("umbrella is not excluded");
    assert_eq!(job.job_id, "umbrella");
    assert_eq!(take_excluding(world, &audits, &[acme(), umbrella()], after(1)).await, None);
    assert_eq!(take(world, after(1)).await.job_id, "acme_0");
}

async fn workers_of_all_processes_share_the_turns(world: &World) {
    add(world, &acme(), JobKind::Audit, (0..200).map(|number| format!("acme_{number}")), NOW).await;
    add(world, &umbrella(), JobKind::Audit, (0..4).map(|number| format!("umbrella_{number}")), after(1))
        .await;
    let other = world.another_process().await;
    // Sixteen workers hold sixteen jobs. Without turns, all of them would be of acme.
    let taken = at_once((0..16).map(|worker| {
        let mut records = world.records();
        if worker % 2 == 0 {
            records.store = other.clone();
        }
        async move {
            loop {
                // A worker that loses every race tries again.
                let job = records.lease_job(&[JobKind::Audit], &[], after(2), LEASE).await;
                if let Some(job) = job.expect("the store answers") {
                    return job;
                }
            }
        }
    }))
    .await;
    let ids: std::collections::BTreeSet<&str> = taken.iter().map(|job| job.job_id.as_str()).collect();
    assert_eq!(ids.len(), 16, "each worker has its own job");
    let of_umbrella = taken.iter().filter(|job| job.brand_id == umbrella()).count();
    assert_eq!(of_umbrella, 4);
}
