//! The counts that agents and people see come from a cache: own changes are in them at once, those of others within a second.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use svc_mcp_access::{KeyId, Quota, Timestamp, quota::QuotaCounts};
use svc_mcp_store::{QueuedWork, Store, ToolRecords};
use svc_mcp_testkit::eventually;
use svc_mcp_tools::{
    Change, Records,
    connection_test::TestedConnection,
    jobs::{JobKind, JobOutcome, JobRecords, NewJob},
};

use crate::{
    approval_notices::request,
    make::{self, NOW, acme, after},
    world::{World, at_once},
};

on_both_engines! {
    own_changes_are_counted_at_once,
    counts_read_during_a_change_are_not_used_after_it,
    keys_of_a_brand_share_counts_but_not_pending_approvals,
    counts_of_another_hour_or_day_are_read_again,
    expired_approvals_are_not_counted,
    changes_of_another_process_are_counted_soon,
}

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const LEASE: Duration = Duration::from_secs(30);

async fn counts(records: &ToolRecords, key: Option<&KeyId>, now: Timestamp) -> QuotaCounts {
    records.quota_counts(&acme(), key, now).await.expect("the store answers")
}

async fn used(records: &ToolRecords, quota: Quota, now: Timestamp) -> u32 {
    counts(records, None, now).await.get(&quota).map_or(0, |(used, _)| *used)
}

async fn pending(records: &ToolRecords, key: Option<&KeyId>, now: Timestamp) -> u32 {
    counts(records, key, now).await.get(&Quota::PendingApprovals).map_or(0, |(used, _)| *used)
}

async fn commit(records: &ToolRecords, change: Change, now: Timestamp) {
    records.commit(&acme(), &[change], None, now).await.expect("it commits");
}

fn records_of(world: &World, store: &Store) -> ToolRecords {
    ToolRecords { store: store.clone(), ..world.records() }
}

fn draft(post_id: &str) -> Change {
    Change::AddPost(make::post(post_id, NOW))
}

async fn own_changes_are_counted_at_once(world: &World) {
    let records = world.records();
    for number in 1..=3 {
        commit(&records, draft(&format!("post_{number}")), NOW).await;
        assert_eq!(used(&records, Quota::Drafts, NOW).await, number);
        assert_eq!(used(&records, Quota::PostsPerDay, NOW).await, number);
    }

    // A worker ends a job.
    let job = NewJob {
        job_id: "job_1".into(),
        kind: JobKind::Audit,
        subject: "audit_1".into(),
        concurrency_key: None,
        due: NOW,
    };
    commit(&records, Change::AddJob(job), NOW).await;
    assert_eq!(used(&records, Quota::OpenLongJobs, NOW).await, 1);
    let job = records.lease_job(&JobKind::LONG, &[], NOW, LEASE).await.expect("the store answers");
    let job = job.expect("it is due");
    assert_eq!(used(&records, Quota::OpenLongJobs, NOW).await, 1);
    assert_eq!(records.finish_job(&job, &JobOutcome::Done, &[], NOW).await, Ok(true));
    assert_eq!(used(&records, Quota::OpenLongJobs, NOW).await, 0);

    // A person creates a key and revokes it, which cancels the calls that wait.
    let new = world.key("acme").await;
    assert_eq!(used(&records, Quota::Keys, NOW).await, 1);
    commit(&records, request("appr_1", &new.key.key_id, NOW), NOW).await;
    assert_eq!(pending(&records, None, NOW).await, 1);
    let event = make::revoked(&new, after(1));
    let revoked = world.store.revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &event).await;
    revoked.expect("it is revoked");
    assert_eq!(used(&records, Quota::Keys, NOW).await, 0);
    assert_eq!(pending(&records, None, NOW).await, 0);
}

/// Every reader sees at least what was committed before it began.
async fn counts_read_during_a_change_are_not_used_after_it(world: &World) {
    const POSTS: usize = 30;
    let committed: &'static AtomicUsize = Box::leak(Box::default());
    let reads = (0..3).map(|_| {
        let records = world.records();
        async move {
            while committed.load(Ordering::SeqCst) < POSTS {
                let before = committed.load(Ordering::SeqCst);
                let seen = used(&records, Quota::Drafts, NOW).await;
                assert!(seen as usize >= before, "{seen} of {before}");
                // A read from the cache never waits.
                tokio::task::yield_now().await;
            }
        }
    });
    let reads = at_once(reads);
    let writes = async {
        let records = world.records();
        for number in 0..POSTS {
            commit(&records, draft(&format!("post_{number}")), NOW).await;
            committed.fetch_add(1, Ordering::SeqCst);
        }
    };
    tokio::join!(reads, writes);
}

async fn keys_of_a_brand_share_counts_but_not_pending_approvals(world: &World) {
    let records = world.records();
    let [first, second, third] =
        [world.key("acme").await, world.key("acme").await, world.key("acme").await].map(|new| new.key.key_id);
    for (approval_id, key) in [("appr_1", &first), ("appr_2", &first), ("appr_3", &second)] {
        commit(&records, request(approval_id, key, NOW), NOW).await;
    }
    assert_eq!(pending(&records, Some(&first), NOW).await, 2);
    assert_eq!(pending(&records, Some(&second), NOW).await, 1);
    assert_eq!(pending(&records, Some(&third), NOW).await, 0);
    assert_eq!(pending(&records, None, NOW).await, 2, "that of the key that has most");

    // What the first key has read is used for the second one, unless that takes a second on a busy machine.
    let attempt = AtomicUsize::new(0);
    eventually("a key uses what another one has read", async || {
        let post_id = format!("post_{}", attempt.fetch_add(1, Ordering::Relaxed));
        commit(&records, draft(&post_id), NOW).await;
        assert_eq!(pending(&records, Some(&first), NOW).await, 2);
        let set = "UPDATE approvals SET status =";
        world.raw.execute(&format!("{set} 'expired' WHERE approval_id = 'appr_3'")).await;
        let seen = pending(&records, Some(&second), NOW).await;
        world.raw.execute(&format!("{set} 'pending' WHERE approval_id = 'appr_3'")).await;
        (seen == 1).then_some(())
    })
    .await;
}

async fn counts_of_another_hour_or_day_are_read_again(world: &World) {
    let records = world.records();
    commit(&records, Change::ConnectionTest(TestedConnection::ReportRecipients), NOW).await;
    commit(&records, Change::AddPost(make::published("post_1", NOW)), NOW).await;
    let seen = async |now| {
        let counts = counts(&records, None, now).await;
        [Quota::ConnectionTestsPerHour, Quota::PostsPerDay].map(|quota| counts.get(&quota).copied())
    };
    let (hour, midnight) = (Some((1, Some(NOW.next_hour()))), Some((1, Some(NOW.next_midnight()))));
    for _ in 0..2 {
        assert_eq!(seen(NOW).await, [hour, midnight]);
        assert_eq!(seen(after(HOUR - 1)).await, [hour, midnight]);
        assert_eq!(seen(after(HOUR)).await, [None, midnight]);
        assert_eq!(seen(NOW.next_midnight()).await, [None, None]);
    }
}

async fn expired_approvals_are_not_counted(world: &World) {
    let records = world.records();
    let key = world.key("acme").await.key.key_id;
    commit(&records, request("appr_1", &key, after(MINUTE)), after(MINUTE)).await;
    let expires_at = after(MINUTE).plus(Duration::from_hours(72));
    let before = Timestamp::from_millis(expires_at.millis() - 1);
    let seen = async |now| counts(&records, Some(&key), now).await.get(&Quota::PendingApprovals).copied();
    assert_eq!(seen(before).await, Some((1, Some(expires_at))));
    assert_eq!(seen(expires_at).await, None);
}

async fn changes_of_another_process_are_counted_soon(world: &World) {
    let (here, there) = (world.records(), records_of(world, &world.another_process().await));
    assert_eq!(used(&here, Quota::Drafts, NOW).await, 0);
    commit(&there, draft("post_1"), NOW).await;
    eventually("the draft is counted", async || (used(&here, Quota::Drafts, NOW).await == 1).then_some(()))
        .await;
}
