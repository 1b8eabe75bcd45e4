//! A revoke, and a worker that takes the next job of the same lane, do not wait for each other. SQLite has one writer at a time.

use std::time::Duration;

use svc_mcp_store::QueuedWork;
use svc_mcp_testkit::eventually;
use svc_mcp_tools::{
    Change, Records,
    jobs::{JobKind, JobRecords, NewJob},
};

use crate::{
    make::{self, NOW, acme, after},
    world::{Raw, World},
};

const LEASE: Duration = Duration::from_secs(30);

fn job(name: &str, seconds: i64) -> Change {
    Change::AddJob(NewJob {
        job_id: format!("job_{name}"),
        kind: JobKind::Publish,
        subject: format!("post_{name}/hook"),
        concurrency_key: Some("acme/hook".to_owned()),
        due: after(seconds),
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn revoke_does_not_deadlock_with_a_worker_that_takes_the_next_job() {
    let world = World::on_postgres().await;
    let key = world.key("acme").await;
    let jobs = [job("first", 0), job("second", 1)];
    let committed = world.records().commit_for_key(&acme(), &key.key.key_id, &jobs, None, NOW).await;
    committed.expect("it commits");
    let first = world.records().lease_job(&[JobKind::Publish], &[], NOW, LEASE).await;
    assert_eq!(first.expect("the store answers").expect("it is due").job_id, "job_first");
    // It is now behind the first job in the table and in every index, so an update of both begins with the first.
    world.raw.execute("UPDATE jobs SET due_at = due_at + 86400000 WHERE job_id = 'job_second'").await;

    let Raw::Postgres(pool) = &world.raw else { panic!("it is PostgreSQL") };
    let mut worker = pool.begin().await.expect("a transaction");
    let lock = "SELECT 1 FROM jobs WHERE job_id = 'job_second' FOR UPDATE";
    sqlx::query(lock).execute(&mut *worker).await.expect("it is locked");
    let (store, event, key_id) = (world.store.clone(), make::revoked(&key, after(1)), key.key.key_id.clone());
    let revoke =
        tokio::spawn(async move { store.revoke_key(&acme(), &key_id, QueuedWork::Cancel, &event).await });
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    eventually("the revoke waits for the worker", async || {
        (world.raw.number(waiting).await > 0).then_some(())
    })
    .await;

    let take = "UPDATE jobs SET status = 'running' WHERE job_id = 'job_second'";
    let refused = sqlx::query(take).execute(&mut *worker).await.expect_err("the lane is taken");
    let refused = refused.as_database_error().expect("an error of the database");
    assert!(refused.is_unique_violation(), "{refused}");
    worker.rollback().await.expect("it is undone");
    let stopped = revoke.await.expect("the task ends").expect("the store answers");
    assert_eq!((stopped.cancelled.posts, stopped.already_sending.posts), (2, 0));
}
