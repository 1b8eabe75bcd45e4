//! How much waits, for the operator's metrics.

use std::time::Duration;

use svc_mcp_access::Timestamp;
use svc_mcp_store::JobQueue;
use svc_mcp_tools::{
    Change, Records,
    jobs::{JobKind, JobOutcome, JobRecords, NewJob},
};

use crate::{
    make::{NOW, acme, umbrella},
    world::World,
};

on_both_engines! {
    jobs_that_are_due_and_do_not_run_are_counted_by_kind,
    approvals_and_deliveries_that_wait_are_counted,
}

const MINUTE: Duration = Duration::from_mins(1);

fn job(id: &str, kind: JobKind, due: Timestamp) -> Change {
    let (job_id, subject) = (id.to_owned(), format!("subject_{id}"));
    Change::AddJob(NewJob { job_id, kind, subject, concurrency_key: None, due })
}

async fn queue(world: &World, kind: JobKind, now: Timestamp) -> (u32, Option<Timestamp>) {
    let sizes = world.store.queue_sizes(now).await.expect("the store answers");
    assert_eq!(sizes.jobs.len(), JobKind::ALL.len(), "every kind is listed, also if nothing waits");
    assert_eq!((sizes.approvals, sizes.deliveries), (0, 0));
    let found = sizes.jobs.into_iter().find(|queue| queue.kind == kind);
    let JobQueue { waiting, oldest_due, .. } = found.expect("the kind is listed");
    (waiting, oldest_due)
}

async fn jobs_that_are_due_and_do_not_run_are_counted_by_kind(world: &World) {
    assert_eq!(queue(world, JobKind::Audit, NOW).await, (0, None));
    let (later, records) = (NOW.plus(MINUTE), world.records());
    let jobs = [
        job("job_1", JobKind::Audit, NOW),
        job("job_2", JobKind::Audit, later),
        job("job_3", JobKind::Publish, later),
    ];
    records.commit(&acme(), &jobs, None, NOW).await.expect("it commits");
    let of_other_brand = [job("job_4", JobKind::Audit, later)];
    records.commit(&umbrella(), &of_other_brand, None, NOW).await.expect("it commits");

    assert_eq!(queue(world, JobKind::Audit, NOW).await, (1, Some(NOW)));
    assert_eq!(queue(world, JobKind::Publish, NOW).await, (0, None), "it is not due");
    assert_eq!(queue(world, JobKind::Audit, later).await, (3, Some(NOW)));
    assert_eq!(queue(world, JobKind::Publish, later).await, (1, Some(later)));

    let taken = records.lease_job(&[JobKind::Audit], &[], later, MINUTE).await.expect("the store answers");
    let taken = taken.expect("one is due");
    assert_eq!(taken.job_id, "job_1");
    assert_eq!(queue(world, JobKind::Audit, later).await, (2, Some(later)), "a running job does not wait");
    let expired = later.plus(MINUTE);
    assert_eq!(queue(world, JobKind::Audit, expired).await, (3, Some(later)), "its worker is gone");
    assert_eq!(records.finish_job(&taken, &JobOutcome::Done, &[], later).await, Ok(true));
    assert_eq!(queue(world, JobKind::Audit, expired).await, (2, Some(later)));
}

async fn approvals_and_deliveries_that_wait_are_counted(world: &World) {
    let hours = |hours: u64| NOW.plus(Duration::from_hours(hours)).millis();
    let expired = NOW.millis() - 1;
    for (id, status, expires_at) in [
        ("one", "pending", hours(72)),
        ("two", "pending", hours(1)),
        ("three", "pending", expired),
        ("four", "done", hours(1)),
    ] {
        let requested_at = expires_at - 72 * 3_600_000;
        let values = format!(
            "'acme', '{id}', 'key_1', 'create_post', '{{}}', '', '{status}', {requested_at}, {expires_at}"
        );
        let columns =
            "brand_id, approval_id, key_id, tool, arguments, digest, status, requested_at, expires_at";
        world.raw.execute(&format!("INSERT INTO approvals ({columns}) VALUES ({values})")).await;
    }
    for (number, state) in [(1, "pending"), (2, "pending"), (3, "delivered"), (4, "failed")] {
        let values = format!(
            "'d{number}', 'e', 'operator', 'evt_{number}', {number}, 'key.created', 0, '{state}', 0, 0"
        );
        let columns =
            "delivery_id, endpoint_id, queue, event_id, event_number, type, at, state, attempts, next_try_at";
        world.raw.execute(&format!("INSERT INTO event_deliveries ({columns}) VALUES ({values})")).await;
    }
    let sizes = world.store.queue_sizes(NOW).await.expect("the store answers");
    assert_eq!((sizes.approvals, sizes.deliveries), (2, 2));
}
