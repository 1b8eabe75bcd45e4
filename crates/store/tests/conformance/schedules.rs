//! Audits and reports that repeat.

use std::time::Duration;

use svc_mcp_access::{Plan, Quota, Timestamp};
use svc_mcp_store::QueuedWork;
use svc_mcp_tools::{
    Change, Records,
    audit::AuditChange,
    jobs::{Job, JobKind, JobRecords, NewJob},
    records::CommitError,
    schedules::{Every, Recurrence, Schedule, ScheduleChange, ScheduleKind, ScheduleRecords, ScheduleRun},
};

use crate::{
    audits,
    make::{self, NOW, acme, after, id, umbrella},
    world::World,
};

on_both_engines! {
    schedule_is_read_as_it_was_written,
    run_is_committed_once_with_the_next_job,
    run_that_exceeds_a_quota_changes_nothing,
    deleted_schedule_does_not_run,
    revoked_key_loses_its_schedules_even_if_its_work_is_kept,
}

const LEASE: Duration = Duration::from_secs(30);
/// 15 November 2026 is a Sunday.
const DUE: Timestamp = Timestamp::from_millis(NOW.millis() + 9 * 60 * 60 * 1000);

fn schedule(schedule_id: &str) -> Schedule {
    Schedule {
        schedule_id: schedule_id.to_owned(),
        kind: ScheduleKind::Audit,
        recurrence: Recurrence::from_parts(Every::Week, 7, 9 * 60).expect("Sundays at 09:00"),
        next_at: DUE,
        created_at: NOW,
        created_by: id("ada"),
        key_id: None,
        last_run: None,
    }
}

fn job(schedule_id: &str) -> Change {
    Change::AddJob(NewJob {
        job_id: format!("job_{schedule_id}"),
        kind: JobKind::Schedule,
        subject: schedule_id.to_owned(),
        concurrency_key: None,
        due: DUE,
    })
}

async fn add(world: &World, schedule: Schedule) {
    let job = job(&schedule.schedule_id);
    let changes = [Change::Schedules(ScheduleChange::Add(schedule)), job];
    world.records().commit(&acme(), &changes, None, NOW).await.expect("it commits");
}

async fn take(world: &World, now: Timestamp) -> Option<Job> {
    world.records().lease_job(&[JobKind::Schedule], &[], now, LEASE).await.expect("the store answers")
}

async fn read(world: &World, schedule_id: &str) -> Option<Schedule> {
    world.records().schedule(&acme(), schedule_id).await.expect("the store answers")
}

/// What a worker commits when the schedule is due.
fn run(schedule_id: &str, audit_id: &str, at: Timestamp) -> [Change; 2] {
    [
        Change::Audits(AuditChange::Add(audits::audit(audit_id))),
        Change::Schedules(ScheduleChange::MoveOn {
            schedule_id: schedule_id.to_owned(),
            run: ScheduleRun { at, result: Ok(audit_id.to_owned()) },
            next_job_id: format!("job_after_{audit_id}"),
        }),
    ]
}

async fn schedule_is_read_as_it_was_written(world: &World) {
    let records = world.records();
    let by_key = Schedule { key_id: Some(id("key_1")), created_at: after(1), ..schedule("schedule_2") };
    add(world, schedule("schedule_1")).await;
    add(world, by_key.clone()).await;
    assert_eq!(read(world, "schedule_1").await, Some(schedule("schedule_1")));
    let page = records.schedules(&acme(), None, 1).await.expect("the store answers");
    assert_eq!((page.items, page.total), (vec![by_key], 2));
    let page = records.schedules(&acme(), page.next.as_ref(), 1).await.expect("the store answers");
    assert_eq!((page.items, page.next), (vec![schedule("schedule_1")], None));
    assert_eq!(records.schedule(&umbrella(), "schedule_1").await, Ok(None));
    assert_eq!(records.schedules(&umbrella(), None, 9).await.expect("the store answers").total, 0);
}

async fn run_is_committed_once_with_the_next_job(world: &World) {
    let records = world.records();
    add(world, schedule("schedule_1")).await;
    assert_eq!(take(world, after(0)).await, None, "it is not due yet");
    let slow = take(world, DUE).await.expect("it is due");
    let later = DUE.plus(LEASE * 2);
    let other = take(world, later).await.expect("the lease has expired");
    let committed = records.commit_within_quotas(&other, &run("schedule_1", "audit_1", later), later).await;
    assert_eq!(committed, Ok(true));
    let committed = records.commit_within_quotas(&slow, &run("schedule_1", "audit_2", later), later).await;
    assert_eq!(committed, Ok(false), "another worker has the job");
    let schedule = read(world, "schedule_1").await.expect("it is stored");
    let week = Duration::from_hours(7 * 24);
    assert_eq!(schedule.next_at, DUE.plus(week));
    assert_eq!(schedule.last_run, Some(ScheduleRun { at: later, result: Ok("audit_1".into()) }));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM audits").await, 1);
    let next = take(world, DUE.plus(week)).await.expect("the next time is due");
    assert!(next.subject == "schedule_1", "{next:?}");
}

async fn run_that_exceeds_a_quota_changes_nothing(world: &World) {
    let quotas = [(Quota::AuditsPerDay, 0)].into_iter().collect();
    world.store.put_plan(&Plan { quotas, ..make::plan("pro", true) }).await.expect("the store answers");
    add(world, schedule("schedule_1")).await;
    let job = take(world, DUE).await.expect("it is due");
    let run = run("schedule_1", "audit_1", DUE);
    let refused = world.records().commit_within_quotas(&job, &run, DUE).await;
    assert!(
        matches!(&refused, Err(CommitError::Refused(failure)) if failure.code == "quota_reached"),
        "{refused:?}"
    );
    assert_eq!(read(world, "schedule_1").await, Some(schedule("schedule_1")));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM audits").await, 0);
}

async fn deleted_schedule_does_not_run(world: &World) {
    let records = world.records();
    for schedule_id in ["schedule_1", "schedule_2"] {
        add(world, schedule(schedule_id)).await;
    }
    let job = take(world, DUE).await.expect("it is due");
    for schedule_id in ["schedule_1", "schedule_2"] {
        let delete = Change::Schedules(ScheduleChange::Delete { schedule_id: schedule_id.to_owned() });
        records.commit(&acme(), &[delete], None, DUE).await.expect("it commits");
    }
    let run = run(&job.subject, "audit_1", DUE);
    assert_eq!(records.commit_within_quotas(&job, &run, DUE).await, Ok(false));
    assert_eq!(take(world, DUE.plus(LEASE * 2)).await, None);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM schedules").await, 0);
}

async fn revoked_key_loses_its_schedules_even_if_its_work_is_kept(world: &World) {
    for (queued, schedule_id) in [(QueuedWork::Cancel, "schedule_1"), (QueuedWork::Keep, "schedule_2")] {
        let key = world.key("acme").await;
        let schedule = Schedule { key_id: Some(key.key.key_id.clone()), ..schedule(schedule_id) };
        let changes = [Change::Schedules(ScheduleChange::Add(schedule)), job(schedule_id)];
        let added = world.records().commit_for_key(&acme(), &key.key.key_id, &changes, None, NOW).await;
        added.expect("it commits");
        let event = make::revoked(&key, after(1));
        let stopped = world.store.revoke_key(&acme(), &key.key.key_id, queued, &event).await;
        assert_eq!(stopped.expect("the store answers").cancelled.schedules, 1, "{queued:?}");
        assert_eq!(read(world, schedule_id).await, None);
        assert_eq!(take(world, DUE).await, None);
    }
}
