//! Mails to approvers: who gets them, and when.

use std::time::Duration;

use serde_json::json;
use svc_mcp_access::{KeyId, Member, Timestamp};
use svc_mcp_store::{Store, ToolRecords};
use svc_mcp_tools::{
    Change, Records,
    approvals::{
        Approval, ApprovalChange, ApprovalNotice, ApprovalNoticeRecords, ApprovalStatus, MAX_LISTED,
        NewApproval,
    },
    jobs::{Job, JobKind, JobOutcome, JobRecords},
    records::CommitError,
    report::{EmailAddress, EmailPurpose, EmailStatus, NewEmail, ReportChange, ReportRecords},
};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    world::{World, at_once, retried},
};

on_both_engines! {
    brand_gets_one_mail_in_ten_minutes,
    mails_go_to_members_who_want_them_and_may_decide,
    only_administrators_get_mails_if_only_they_decide,
    nobody_is_told_when_nothing_waits,
    no_job_is_added_when_nobody_wants_mails,
    concurrent_calls_add_one_job,
    call_during_a_running_job_adds_another_one,
    person_with_a_queued_mail_gets_no_second_one,
    mail_lists_the_oldest_calls_and_counts_all,
    mails_need_an_address,
}

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;
const LEASE: Duration = Duration::from_secs(30);

fn address(text: &str) -> EmailAddress {
    text.parse().expect("an address")
}

/// Gives a member of Acme an address, and switches mails on.
async fn want_mails(world: &World, user: &str, role: &str) {
    let email = Some(format!("{}@Acme.example", user.to_uppercase()));
    world.store.put_member(&Member { email, ..make::member("acme", user, role) }).await.expect("a member");
    assert_eq!(world.store.set_approval_emails(&acme(), &id(user), true).await, Ok(true));
}

/// A key of Acme that this user created.
async fn key_of(world: &World, user: &str) -> KeyId {
    let key_id = world.key("acme").await.key.key_id;
    world.raw.execute(&format!("UPDATE keys SET created_by = '{user}' WHERE key_id = '{key_id}'")).await;
    key_id
}

pub(crate) fn request(approval_id: &str, key_id: &KeyId, now: Timestamp) -> Change {
    let approval = Approval {
        approval_id: approval_id.to_owned(),
        key_id: key_id.clone(),
        tool: "create_post".into(),
        arguments: json!({"text": "x", "channels": ["feed"]}),
        preview: None,
        digest: "0".repeat(64),
        status: ApprovalStatus::Pending,
        requested_at: now,
        expires_at: now.plus(Duration::from_hours(72)),
        decision: None,
        result: None,
        failure: None,
    };
    let notice_job_id = format!("job_{approval_id}");
    Change::Approvals(ApprovalChange::Request(Box::new(NewApproval { approval, notice_job_id })))
}

async fn commit(world: &World, change: Change, now: Timestamp) {
    world.records().commit(&acme(), &[change], None, now).await.expect("it commits");
}

async fn notice(world: &World, now: Timestamp) -> Option<ApprovalNotice> {
    world.records().approval_notice(&acme(), now).await.expect("the store answers")
}

async fn told(world: &World, now: Timestamp) -> Vec<String> {
    notice(world, now).await.map_or_else(Vec::new, |notice| {
        notice.recipients.into_iter().map(|recipient| recipient.to_string()).collect()
    })
}

/// The number of calls that a mail to this person would count.
async fn counted(world: &World, user: &str, now: Timestamp) -> Option<u64> {
    let to = address(&format!("{user}@acme.example"));
    let waiting = world.records().approval_notice_for(&acme(), &to, now).await;
    waiting.expect("the store answers").map(|waiting| waiting.total)
}

async fn open_jobs(world: &World) -> i64 {
    let sql = "SELECT COUNT(*) FROM jobs WHERE kind = 'approval_notice' AND status IN ('waiting', 'running')";
    world.raw.number(sql).await
}

async fn take(world: &World, now: Timestamp) -> Option<Job> {
    let kinds = [JobKind::ApprovalNotice];
    world.records().lease_job(&kinds, &[], now, LEASE).await.expect("the store answers")
}

fn mailed(email_id: &str, to: &str) -> Change {
    let email = NewEmail { email_id: email_id.to_owned(), recipient: address(to) };
    Change::Approvals(ApprovalChange::Mailed { emails: vec![email] })
}

async fn brand_gets_one_mail_in_ten_minutes(world: &World) {
    want_mails(world, "ada", "admin").await;
    let key = key_of(world, "ada").await;
    for (number, at) in [("1", NOW), ("2", after(1_000))] {
        commit(world, request(&format!("apr_{number}"), &key, at), at).await;
    }
    assert_eq!(open_jobs(world).await, 1);
    assert_eq!(take(world, after(14_999)).await, None, "several calls fit into one mail");
    let job = take(world, after(15_000)).await.expect("it is due");
    assert_eq!((job.subject.as_str(), &job.key_id, &job.brand_id), ("approvals", &None, &acme()));
    let changes = [mailed("mail_1", "ada@acme.example")];
    let sent = after(16_000);
    assert_eq!(world.records().finish_job(&job, &JobOutcome::Done, &changes, sent).await, Ok(true));
    let email = world.records().outgoing_email(&acme(), "mail_1").await.expect("the store answers");
    let email = email.expect("it is queued").email;
    assert_eq!((email.purpose, email.status), (EmailPurpose::Approvals, EmailStatus::Queued));
    assert_eq!((email.report_id, email.recipient), (None, address("ada@acme.example")));

    commit(world, request("apr_3", &key, after(MINUTE)), after(MINUTE)).await;
    let due = sent.plus(Duration::from_mins(10));
    assert_eq!(take(world, due.minus(Duration::from_millis(1))).await, None);
    assert!(take(world, due).await.is_some());
}

async fn mails_go_to_members_who_want_them_and_may_decide(world: &World) {
    let (of_ada, of_bob) = (key_of(world, "ada").await, key_of(world, "bob").await);
    want_mails(world, "bob", "member").await;
    want_mails(world, "cleo", "admin").await;
    commit(world, request("apr_1", &of_ada, NOW), NOW).await;
    // Ada does not want mails, and Bob may not decide the calls of her key.
    assert_eq!(told(world, NOW).await, ["cleo@acme.example"]);
    assert_eq!((counted(world, "cleo", NOW).await, counted(world, "bob", NOW).await), (Some(1), None));
    commit(world, request("apr_2", &of_bob, after(1)), after(1)).await;
    assert_eq!(told(world, after(1)).await, ["bob@acme.example", "cleo@acme.example"]);
    assert_eq!(
        (counted(world, "cleo", after(1)).await, counted(world, "bob", after(1)).await),
        (Some(2), Some(1))
    );
    assert_eq!(counted(world, "ada", after(1)).await, None);
    assert_eq!(world.records().approval_notice(&umbrella(), after(1)).await, Ok(None));
    // Bob switches them off, and Cleo leaves.
    assert_eq!(world.store.set_approval_emails(&acme(), &id("bob"), false).await, Ok(true));
    world.store.remove_member(&acme(), &id("cleo"), &make::removal()).await.expect("the store answers");
    assert_eq!(notice(world, after(2)).await, None);
    assert_eq!((counted(world, "cleo", after(2)).await, counted(world, "bob", after(2)).await), (None, None));
}

async fn only_administrators_get_mails_if_only_they_decide(world: &World) {
    want_mails(world, "ada", "admin").await;
    want_mails(world, "bob", "member").await;
    let key = key_of(world, "bob").await;
    world.raw.execute("UPDATE brands SET approvers = 'admins' WHERE brand_id = 'acme'").await;
    commit(world, request("apr_1", &key, NOW), NOW).await;
    assert_eq!(told(world, NOW).await, ["ada@acme.example"]);
    assert_eq!((counted(world, "ada", NOW).await, counted(world, "bob", NOW).await), (Some(1), None));
}

async fn nobody_is_told_when_nothing_waits(world: &World) {
    want_mails(world, "ada", "admin").await;
    assert_eq!(notice(world, NOW).await, None);
    let key = key_of(world, "ada").await;
    for approval_id in ["apr_1", "apr_2"] {
        commit(world, request(approval_id, &key, NOW), NOW).await;
    }
    world.raw.execute("UPDATE approvals SET status = 'rejected' WHERE approval_id = 'apr_1'").await;
    assert_eq!(counted(world, "ada", NOW).await, Some(1));
    let expired = after(3 * DAY);
    assert_eq!((notice(world, expired).await, counted(world, "ada", expired).await), (None, None));
}

async fn no_job_is_added_when_nobody_wants_mails(world: &World) {
    let key = key_of(world, "ada").await;
    commit(world, request("apr_1", &key, NOW), NOW).await;
    assert_eq!(open_jobs(world).await, 0);
    // A member whose address was removed later.
    want_mails(world, "bob", "member").await;
    world.store.put_member(&make::member("acme", "bob", "member")).await.expect("a member");
    commit(world, request("apr_2", &key, NOW), NOW).await;
    assert_eq!(open_jobs(world).await, 0);
}

async fn concurrent_calls_add_one_job(world: &World) {
    want_mails(world, "ada", "admin").await;
    let key = key_of(world, "ada").await;
    let other = world.another_process().await;
    let call = |number: usize| {
        let store: Store = if number.is_multiple_of(2) { world.store.clone() } else { other.clone() };
        let records = ToolRecords { store, entropy: world.entropy.clone() };
        let change = [request(&format!("apr_{number}"), &key, NOW)];
        async move {
            let brand = acme();
            let committed: Result<(), CommitError> =
                retried(|| records.commit(&brand, &change, None, NOW)).await;
            committed.expect("it commits");
        }
    };
    at_once((0..20).map(call)).await;
    assert_eq!(counted(world, "ada", NOW).await, Some(20));
    assert_eq!(open_jobs(world).await, 1);
}

/// The running job may have looked before the call began to wait.
async fn call_during_a_running_job_adds_another_one(world: &World) {
    want_mails(world, "ada", "admin").await;
    let key = key_of(world, "ada").await;
    commit(world, request("apr_1", &key, NOW), NOW).await;
    let running = take(world, after(MINUTE)).await.expect("it is due");
    commit(world, request("apr_2", &key, after(MINUTE)), after(MINUTE)).await;
    assert_eq!(open_jobs(world).await, 2);
    let later = after(MINUTE + 20_000);
    assert_eq!(take(world, later).await, None, "the two do not run at the same time");
    let changes = [mailed("mail_1", "ada@acme.example")];
    assert_eq!(world.records().finish_job(&running, &JobOutcome::Done, &changes, later).await, Ok(true));
    assert!(take(world, later).await.is_some());
}

async fn person_with_a_queued_mail_gets_no_second_one(world: &World) {
    want_mails(world, "ada", "admin").await;
    want_mails(world, "cleo", "admin").await;
    let key = key_of(world, "ada").await;
    commit(world, request("apr_1", &key, NOW), NOW).await;
    commit(world, mailed("mail_1", "ada@acme.example"), after(1)).await;
    let now = notice(world, after(2)).await.expect("cleo has none");
    assert_eq!(now.recipients, [address("cleo@acme.example")]);
    assert_eq!(now.last_mailed_at, Some(after(1)));
    let mark = ReportChange::MarkSending { email_id: "mail_1".into(), attempts: 1, link: None };
    commit(world, Change::Reports(mark), after(3)).await;
    assert_eq!(told(world, after(4)).await, ["ada@acme.example", "cleo@acme.example"]);
}

async fn mail_lists_the_oldest_calls_and_counts_all(world: &World) {
    want_mails(world, "ada", "admin").await;
    let key = key_of(world, "ada").await;
    for number in (0..25).rev() {
        commit(world, request(&format!("apr_{number}"), &key, after(number)), after(number)).await;
    }
    let waiting = world.records().approval_notice_for(&acme(), &address("ada@acme.example"), after(30)).await;
    let waiting = waiting.expect("the store answers").expect("they wait");
    assert_eq!((waiting.total, waiting.listed.len()), (25, MAX_LISTED as usize));
    let times: Vec<Timestamp> = waiting.listed.iter().map(|one| one.requested_at).collect();
    assert_eq!(times, (0..20).map(after).collect::<Vec<_>>());
    let first = &waiting.listed[0];
    assert_eq!((first.tool.as_str(), first.key_label.as_str()), ("create_post", "a label"));
    assert_eq!(first.expires_at, after(3 * DAY));
}

async fn mails_need_an_address(world: &World) {
    let set = async |enabled| world.store.set_approval_emails(&acme(), &id("bob"), enabled).await;
    let wanted = async || world.store.approval_emails(&acme(), &id("bob")).await;
    assert_eq!((set(true).await, wanted().await), (Ok(false), Ok(false)));
    assert_eq!(set(false).await, Ok(true));
    want_mails(world, "bob", "member").await;
    assert_eq!(wanted().await, Ok(true));
    assert_eq!((set(false).await, wanted().await), (Ok(true), Ok(false)));
    assert_eq!(world.store.approval_emails(&acme(), &id("stranger")).await, Ok(false));
}
