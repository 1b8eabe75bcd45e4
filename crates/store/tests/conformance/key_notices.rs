//! Notices about keys: that one expires soon, or was leaked.

use std::time::Duration;

use svc_mcp_access::{
    Member, StoreError, Timestamp,
    key::{NewKey, RevokedReason},
};
use svc_mcp_store::{ActivityFilter, Event, EventKind, Leak, QueuedWork, Store, system_actor};
use svc_mcp_tools::{
    Change, Records,
    jobs::{JobKind, JobRecords, NewJob},
    key_notices::{CancelledWork, KeyNotice, KeyNoticeRecords},
    posts::FEED,
    report::{EmailPurpose, EmailStatus, ReportRecords},
};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    world::{World, at_once, retried},
};

on_both_engines! {
    each_notice_of_an_expiry_is_recorded_once,
    after_an_outage_only_the_last_notice_is_recorded,
    notice_for_a_time_before_the_key_is_left_out,
    changed_expiry_starts_anew,
    revoked_and_expired_keys_need_no_notice,
    event_is_recorded_without_a_mail,
    two_instances_record_one_notice,
    many_keys_and_an_unreadable_one,
    mail_that_is_no_longer_true_is_not_sent,
    leaked_key_is_revoked_and_people_are_told_once,
    leak_cancels_queued_work,
    revoke_without_a_reason_was_requested,
}

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

async fn put_member(world: &World, user: &str, role: &str, email: Option<&str>) {
    let email = email.map(str::to_owned);
    world.store.put_member(&Member { email, ..make::member("acme", user, role) }).await.expect("a member");
}

/// A key of Ada that expires this long after `NOW`.
async fn key_until(world: &World, millis: i64) -> NewKey {
    let new = world.key("acme").await;
    set_expiry(world, &new, millis).await;
    new
}

async fn set_expiry(world: &World, new: &NewKey, millis: i64) {
    let (at, key) = (after(millis).millis(), &new.key.key_id);
    world.raw.execute(&format!("UPDATE keys SET expires_at = {at} WHERE key_id = '{key}'")).await;
}

async fn notify(world: &World, now: Timestamp) -> u64 {
    notify_from(&world.store, world, now).await
}

async fn notify_from(store: &Store, world: &World, now: Timestamp) -> u64 {
    let mut random = world.entropy.clone();
    store.notify_expiring_keys(now, true, &mut random).await.expect("the store answers")
}

async fn events(world: &World, kind: EventKind) -> Vec<Event> {
    let filter = ActivityFilter { kind: Some(kind), limit: 100, ..ActivityFilter::default() };
    world.store.activity(&acme(), &filter).await.expect("the store answers").0
}

/// The reasons of the notices, oldest first.
async fn reasons(world: &World) -> Vec<String> {
    let events = events(world, EventKind::Expiring).await.into_iter().rev();
    events.map(|event| event.reason.expect("a reason")).collect()
}

async fn mails(world: &World) -> i64 {
    world.raw.number("SELECT COUNT(*) FROM report_emails").await
}

/// Takes the job of the next mail. Returns the id and the recipient of the mail.
async fn next_mail(world: &World, now: Timestamp) -> Option<(String, String)> {
    let kinds = [JobKind::ReportEmail];
    let job = world.records().lease_job(&kinds, &[], now, Duration::from_hours(1)).await;
    let job = job.expect("the store answers")?;
    assert_eq!(job.key_id, None, "no key has ordered it");
    let outgoing = world.records().outgoing_email(&acme(), &job.subject).await.expect("the store answers");
    let email = outgoing.expect("it is kept").email;
    assert_eq!((email.status, email.report_id), (EmailStatus::Queued, None));
    Some((email.email_id, email.recipient.to_string()))
}

async fn notice_in(world: &World, email_id: &str, now: Timestamp) -> Option<KeyNotice> {
    world.records().key_notice(&acme(), email_id, now).await.expect("the store answers")
}

async fn each_notice_of_an_expiry_is_recorded_once(world: &World) {
    put_member(world, "ada", "admin", Some("Ada@Acme.example")).await;
    let new = key_until(world, 20 * DAY).await;
    for (at, notices) in [
        (NOW, 0),
        (after(6 * DAY - 1), 0),
        (after(6 * DAY), 1),
        (after(6 * DAY + 1), 0),
        (after(17 * DAY - 1), 0),
        (after(17 * DAY), 1),
        (after(18 * DAY), 0),
        (after(19 * DAY), 1),
        (after(20 * DAY - 1), 0),
        (after(20 * DAY), 0),
    ] {
        assert_eq!(notify(world, at).await, notices, "{at}");
    }
    assert_eq!(reasons(world).await, ["in_14_days", "in_3_days", "in_1_day"]);
    let event = events(world, EventKind::Expiring).await.remove(0);
    assert_eq!((event.key_id, event.actor, event.at), (new.key.key_id, system_actor(), after(19 * DAY)));
    for _ in 0..3 {
        let (email_id, to) = next_mail(world, after(19 * DAY)).await.expect("a mail");
        assert_eq!(to, "ada@acme.example");
        let notice = notice_in(world, &email_id, after(19 * DAY)).await;
        let (label, prefix, expires_at) = ("a label".into(), new.key.prefix.clone(), after(20 * DAY));
        assert_eq!(notice, Some(KeyNotice::Expiring { label, prefix, expires_at }));
    }
    assert_eq!(next_mail(world, after(19 * DAY)).await, None);
}

async fn after_an_outage_only_the_last_notice_is_recorded(world: &World) {
    put_member(world, "ada", "admin", Some("ada@acme.example")).await;
    key_until(world, 30 * DAY).await;
    assert_eq!(notify(world, after(28 * DAY)).await, 1);
    assert_eq!(notify(world, after(29 * DAY + 5)).await, 1);
    assert_eq!((reasons(world).await, mails(world).await), (vec!["in_3_days".into(), "in_1_day".into()], 2));
}

async fn notice_for_a_time_before_the_key_is_left_out(world: &World) {
    key_until(world, 14 * DAY).await;
    key_until(world, DAY).await;
    assert_eq!(notify(world, after(MINUTE)).await, 0);
    assert_eq!(notify(world, after(11 * DAY)).await, 1);
    assert_eq!(reasons(world).await, ["in_3_days"]);
}

async fn changed_expiry_starts_anew(world: &World) {
    let new = key_until(world, 20 * DAY).await;
    assert_eq!(notify(world, after(19 * DAY)).await, 1);
    set_expiry(world, &new, 40 * DAY).await;
    assert_eq!(notify(world, after(19 * DAY)).await, 0);
    for day in [26, 37, 39] {
        assert_eq!(notify(world, after(day * DAY)).await, 1, "day {day}");
    }
    assert_eq!(reasons(world).await, ["in_1_day", "in_14_days", "in_3_days", "in_1_day"]);
    set_expiry(world, &new, 41 * DAY).await;
    assert_eq!(notify(world, after(39 * DAY)).await, 1);
}

async fn revoked_and_expired_keys_need_no_notice(world: &World) {
    put_member(world, "ada", "admin", Some("ada@acme.example")).await;
    let (revoked, paused) = (key_until(world, 20 * DAY).await, key_until(world, 20 * DAY).await);
    key_until(world, 2 * DAY).await;
    world.key("acme").await;
    let event = make::revoked(&revoked, NOW);
    let stopped = world.store.revoke_key(&acme(), &revoked.key.key_id, QueuedWork::Cancel, &event).await;
    stopped.expect("it is revoked");
    world.store.pause_key(&acme(), &paused.key.key_id, &make::paused(&paused)).await.expect("it is paused");
    assert_eq!(notify(world, after(19 * DAY)).await, 1, "only the paused one");
    assert_eq!(events(world, EventKind::Expiring).await[0].key_id, paused.key.key_id);
    assert_eq!(mails(world).await, 1);
}

async fn event_is_recorded_without_a_mail(world: &World) {
    key_until(world, 20 * DAY).await;
    assert_eq!((notify(world, after(6 * DAY)).await, mails(world).await), (1, 0), "no address");
    for address in ["not an address", ""] {
        put_member(world, "ada", "admin", Some(address)).await;
        assert_eq!(notify(world, after(6 * DAY)).await, 0);
    }
    assert_eq!((notify(world, after(17 * DAY)).await, mails(world).await), (1, 0), "no usable address");
    put_member(world, "ada", "admin", Some("ada@acme.example")).await;
    let mut random = world.entropy.clone();
    let without_a_mail_server = world
        .store
        .notify_expiring_keys(after(19 * DAY), false, &mut random)
        .await
        .expect("the store answers");
    assert_eq!((without_a_mail_server, mails(world).await), (1, 0));
    // The creator has left, and the address of an administrator does not count.
    let new = key_until(world, 60 * DAY).await;
    put_member(world, "bob", "admin", Some("bob@acme.example")).await;
    world.store.remove_member(&acme(), &id("ada"), &make::removal()).await.expect("the store answers");
    assert_eq!((notify(world, after(50 * DAY)).await, mails(world).await), (1, 0));
    assert_eq!(events(world, EventKind::Expiring).await[0].key_id, new.key.key_id);
}

async fn two_instances_record_one_notice(world: &World) {
    put_member(world, "ada", "admin", Some("ada@acme.example")).await;
    for _ in 0..5 {
        key_until(world, 20 * DAY).await;
    }
    let other = world.another_process().await;
    let search = |number: usize| {
        let store = if number.is_multiple_of(2) { world.store.clone() } else { other.clone() };
        let entropy = world.entropy.clone();
        async move {
            let notices: Result<u64, StoreError> = retried(|| async {
                store.notify_expiring_keys(after(6 * DAY), true, &mut entropy.clone()).await
            })
            .await;
            notices.expect("the store answers")
        }
    };
    at_once((0..6).map(search)).await;
    assert_eq!((events(world, EventKind::Expiring).await.len(), mails(world).await), (5, 5));
}

async fn many_keys_and_an_unreadable_one(world: &World) {
    let unreadable = key_until(world, 20 * DAY).await;
    for _ in 0..45 {
        key_until(world, 20 * DAY).await;
    }
    let key = &unreadable.key.key_id;
    world.raw.execute(&format!("UPDATE keys SET created_by = 'no id!' WHERE key_id = '{key}'")).await;
    assert_eq!(notify(world, after(6 * DAY)).await, 45);
    assert_eq!(events(world, EventKind::Expiring).await.len(), 45);
}

async fn mail_that_is_no_longer_true_is_not_sent(world: &World) {
    put_member(world, "ada", "admin", Some("ada@acme.example")).await;
    let new = key_until(world, 20 * DAY).await;
    let now = after(19 * DAY);
    assert_eq!(notify(world, now).await, 1);
    let (email_id, _) = next_mail(world, now).await.expect("a mail");
    assert!(notice_in(world, &email_id, now).await.is_some());
    assert_eq!(world.records().key_notice(&umbrella(), &email_id, now).await, Ok(None));
    assert_eq!(notice_in(world, "mail_unknown", now).await, None);
    assert_eq!(notice_in(world, &email_id, after(20 * DAY)).await, None, "it has expired");
    set_expiry(world, &new, 50 * DAY).await;
    assert_eq!(notice_in(world, &email_id, now).await, None, "it expires later");
    set_expiry(world, &new, 20 * DAY).await;
    put_member(world, "ada", "admin", Some("ada@other.example")).await;
    put_member(world, "bob", "admin", Some("ada@acme.example")).await;
    assert_eq!(notice_in(world, &email_id, now).await, None, "the creator has another address");
    put_member(world, "ada", "member", Some("ADA@acme.example")).await;
    assert!(notice_in(world, &email_id, now).await.is_some());
    let event = make::revoked(&new, now);
    let stopped = world.store.revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &event).await;
    stopped.expect("it is revoked");
    assert_eq!(notice_in(world, &email_id, now).await, None, "it is revoked");
}

async fn leaked_key_is_revoked_and_people_are_told_once(world: &World) {
    put_member(world, "ada", "member", Some("ada@acme.example")).await;
    put_member(world, "bob", "admin", Some("Bob@Acme.example")).await;
    put_member(world, "cleo", "admin", Some("bob@acme.example")).await;
    put_member(world, "dora", "admin", None).await;
    put_member(world, "emil", "member", Some("emil@acme.example")).await;
    let new = world.key("acme").await;
    let leak = Leak { source: Some("a paste"), email_prefix: Some("mail_leak".into()) };
    let event = make::event(EventKind::Leaked, &new, after(1));
    for _ in 0..2 {
        let stopped = world.store.revoke_leaked_key(&acme(), &new.key.key_id, &leak, &event).await;
        stopped.expect("it is revoked");
    }
    let key =
        world.store.key(&acme(), &new.key.key_id).await.expect("the store answers").expect("it is kept");
    assert_eq!((key.revoked_at, key.revoked_reason), (Some(after(1)), Some(RevokedReason::Leaked)));
    assert_eq!(events(world, EventKind::Leaked).await.len(), 1);
    assert_eq!(events(world, EventKind::Revoked).await.len(), 0);
    assert_eq!(mails(world).await, 2);
    let mut mailed = Vec::new();
    while let Some((email_id, to)) = next_mail(world, after(2)).await {
        let outgoing = world.records().outgoing_email(&acme(), &email_id).await.expect("the store answers");
        assert_eq!(outgoing.expect("it is kept").email.purpose, EmailPurpose::KeyLeaked);
        let notice = notice_in(world, &email_id, after(2)).await.expect("it is true");
        assert_eq!(
            notice,
            KeyNotice::Leaked {
                label: "a label".into(),
                prefix: new.key.prefix.clone(),
                revoked_at: after(1),
                source: Some("a paste".into()),
                cancelled: CancelledWork::default(),
                already_sending: 0,
            }
        );
        mailed.push((to, email_id));
    }
    mailed.sort();
    assert_eq!(
        mailed.iter().map(|(to, _)| to.as_str()).collect::<Vec<_>>(),
        ["ada@acme.example", "bob@acme.example"]
    );
    world.store.remove_member(&acme(), &id("ada"), &make::removal()).await.expect("the store answers");
    assert_eq!(notice_in(world, &mailed[0].1, after(3)).await, None, "ada has left");
    assert!(notice_in(world, &mailed[1].1, after(3)).await.is_some());
}

async fn leak_cancels_queued_work(world: &World) {
    put_member(world, "ada", "admin", Some("ada@acme.example")).await;
    let new = world.key("acme").await;
    let subject = format!("post_1/{FEED}");
    let (job_id, kind) = ("job_1".to_owned(), JobKind::Publish);
    let job = NewJob { job_id, kind, subject, concurrency_key: None, due: NOW };
    let changes = [Change::AddPost(make::scheduled("post_1", NOW)), Change::AddJob(job)];
    world.records().commit_for_key(&acme(), &new.key.key_id, &changes, None, NOW).await.expect("it commits");
    let leak = Leak { source: None, email_prefix: Some("mail_leak".into()) };
    let event = make::event(EventKind::Leaked, &new, after(1));
    let stopped = world.store.revoke_leaked_key(&acme(), &new.key.key_id, &leak, &event).await;
    assert_eq!(stopped.expect("it is revoked").cancelled.posts, 1);
    let (email_id, _) = next_mail(world, after(2)).await.expect("a mail");
    let Some(KeyNotice::Leaked { cancelled, source, .. }) = notice_in(world, &email_id, after(2)).await
    else {
        panic!("no notice")
    };
    assert_eq!((cancelled.posts, source), (1, None));
    let cancelled = events(world, EventKind::Cancelled).await;
    assert_eq!(cancelled.len(), 1);
    // Without a mail server, the key is revoked all the same.
    let other = world.key("acme").await;
    let leak = Leak { source: None, email_prefix: None };
    let event = make::event(EventKind::Leaked, &other, after(3));
    let stopped = world.store.revoke_leaked_key(&acme(), &other.key.key_id, &leak, &event).await;
    stopped.expect("it is revoked");
    assert_eq!((events(world, EventKind::Leaked).await.len(), mails(world).await), (2, 1));
}

async fn revoke_without_a_reason_was_requested(world: &World) {
    let (new, old) = (world.key("acme").await, world.key("acme").await);
    let reason = async |new: &NewKey| {
        let key = world.store.key(&acme(), &new.key.key_id).await.expect("the store answers");
        key.expect("it is kept").revoked_reason
    };
    assert_eq!(reason(&new).await, None);
    let event = make::revoked(&new, NOW);
    let stopped = world.store.revoke_key(&acme(), &new.key.key_id, QueuedWork::Keep, &event).await;
    stopped.expect("it is revoked");
    assert_eq!(reason(&new).await, Some(RevokedReason::Requested));
    let (key, at) = (&old.key.key_id, NOW.millis());
    world.raw.execute(&format!("UPDATE keys SET revoked_at = {at} WHERE key_id = '{key}'")).await;
    assert_eq!(reason(&old).await, Some(RevokedReason::Requested));
}
