//! Reports: recipients, mails and figures.

use std::collections::BTreeSet;

use svc_mcp_access::{Quota, Timestamp};
use svc_mcp_store::SetRecipientsError;
use svc_mcp_tools::{
    Change, Records,
    audit::{AuditChange, Code, Counts, Issue, Score, Severity, StopReason, Summary},
    jobs::{JobKind, NewJob},
    page::Cursor,
    posts::TargetStatus,
    records::CommitError,
    report::{
        Compared, DateRange, Email, EmailAddress, EmailPurpose, EmailStatus, Figures, LinkToken,
        ListedRecipient, NewEmail, PartialAudit, RecipientStatus, Report, ReportChange, ReportContent,
        ReportRecords, Section, TooManyConfirmationsError,
    },
};

use crate::{
    audits,
    make::{self, NOW, acme, after, id, umbrella},
    posts::keep,
    world::{World, at_once, retried},
};

on_both_engines! {
    list_keeps_the_consent_of_recipients,
    concurrent_lists_of_recipients_do_not_mix,
    concurrent_lists_ask_a_person_once,
    concurrent_lists_ask_at_most_a_hundred_people_a_day,
    list_with_new_people_needs_a_mail_server,
    link_works_only_for_its_brand_and_purpose,
    mail_changes_its_status_step_by_step,
    handed_over_mail_is_uncertain_when_its_job_is_given_up,
    number_of_mails_per_day_is_limited,
    refused_report_leaves_no_rows,
    mails_are_paged_newest_first,
    figures_compare_the_period_with_the_one_before,
    figures_of_an_empty_brand_are_zero,
    figures_of_a_partial_audit_have_no_score,
}

const DAY: i64 = 24 * 60 * 60 * 1000;

fn address(text: &str) -> EmailAddress {
    text.parse().expect("an address")
}

fn span(text: &str) -> DateRange {
    text.parse().expect("a span")
}

/// A list whose mails are called `mail_` and the address.
fn list(addresses: &[&str]) -> Vec<ListedRecipient> {
    addresses
        .iter()
        .map(|to| {
            let email_id = format!("mail_{to}");
            let job = NewJob {
                job_id: format!("job_{to}"),
                kind: JobKind::ReportEmail,
                subject: email_id.clone(),
                concurrency_key: None,
                due: NOW,
            };
            ListedRecipient { address: address(to), email_id, job }
        })
        .collect()
}

async fn set_list(world: &World, addresses: &[&str], now: Timestamp) {
    let set = world.store.set_report_recipients(&acme(), &list(addresses), true, now).await;
    set.expect("the list is set");
}

fn content() -> ReportContent {
    ReportContent {
        brand: "Acme “Coffee”".into(),
        website: "https://acme.example".into(),
        span: span("2026-11-09/2026-11-15"),
        before: span("2026-11-02/2026-11-08"),
        sections: BTreeSet::from(Section::ALL),
        note: Some("Zeile 1\nZeile 2 — 日本語 '\"\\".into()),
        figures: Figures { calls: Compared { now: 3, before: 1 }, ..Figures::default() },
    }
}

pub(crate) fn order(report_id: &str, emails: &[String]) -> Change {
    let email =
        |email_id: &String| NewEmail { email_id: email_id.clone(), recipient: address("ada@a.example") };
    Change::Reports(ReportChange::Order {
        report: Box::new(Report {
            report_id: report_id.to_owned(),
            content: content(),
            created_by_key: id("key_maker"),
        }),
        emails: emails.iter().map(email).collect(),
    })
}

/// The summary of an audit with these issues.
fn summary(issues: &[Issue]) -> Summary {
    let summary = audits::summary();
    Summary { score: Score { counts: Counts::of(issues), ..summary.score }, ..summary }
}

async fn commit(world: &World, changes: &[Change], now: Timestamp) {
    world.records().commit(&acme(), changes, None, now).await.expect("it commits");
}

async fn recipients(world: &World) -> Vec<(String, RecipientStatus, bool)> {
    let all = world.records().report_recipients(&acme()).await.expect("the store answers");
    all.into_iter().map(|one| (one.address.to_string(), one.status, one.listed)).collect()
}

async fn email(world: &World, email_id: &str) -> Email {
    let found = world.records().outgoing_email(&acme(), email_id).await.expect("the store answers");
    found.expect("it is there").email
}

/// Two administrators save at the same time. The list must be that of one of them, not a mix.
async fn concurrent_lists_of_recipients_do_not_mix(world: &World) {
    for round in 0..10 {
        let of_one = |who: u32| ["x", "y"].map(|name| format!("{name}{who}-{round}@a.example"));
        let lists: Vec<[String; 2]> = (0..4).map(of_one).collect();
        let set = |list_of: &[String; 2]| {
            let (store, list) = (world.store.clone(), list(&list_of.each_ref().map(String::as_str)));
            async move { store.set_report_recipients(&acme(), &list, true, NOW).await.expect("it is set") }
        };
        at_once(lists.iter().map(set)).await;
        let listed = recipients(world).await.into_iter().filter(|(_, _, listed)| *listed);
        let listed: Vec<String> = listed.map(|(address, ..)| address).collect();
        assert!(lists.iter().any(|one| *one == *listed), "round {round}: {listed:?}");
    }
}

/// Otherwise an administrator could send many mails to a stranger by saving the same list at the same time.
async fn concurrent_lists_ask_a_person_once(world: &World) {
    let other = world.another_process().await;
    let set = |number: usize| {
        let store = if number.is_multiple_of(2) { world.store.clone() } else { other.clone() };
        let mut list = list(&["stranger@b.example"]);
        list[0].email_id = format!("mail_{number}");
        list[0].job.job_id = format!("job_{number}");
        retried(move || {
            let (store, list) = (store.clone(), list.clone());
            async move { store.set_report_recipients(&acme(), &list, true, NOW).await }
        })
    };
    let results = at_once((0..30).map(set)).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM report_emails").await, 1);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM jobs").await, 1);
}

async fn concurrent_lists_ask_at_most_a_hundred_people_a_day(world: &World) {
    let set = |number: usize| {
        let people: Vec<String> = (0..8).map(|person| format!("p{person}-{number}@b.example")).collect();
        let list = list(&people.iter().map(String::as_str).collect::<Vec<_>>());
        let store = world.store.clone();
        retried(move || {
            let (store, list) = (store.clone(), list.clone());
            async move { store.set_report_recipients(&acme(), &list, true, NOW).await }
        })
    };
    let results = at_once((0..20).map(set)).await;
    let refused = Err(SetRecipientsError::TooManyConfirmations(TooManyConfirmationsError));
    assert_eq!(results.iter().filter(|result| **result == refused).count(), 8, "{results:?}");
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM report_emails").await, 96);
    // A refused list changes nothing, and a day later there is room again.
    set_list(world, &["last@b.example"], after(DAY)).await;
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM report_recipients").await, 97);
}

async fn list_with_new_people_needs_a_mail_server(world: &World) {
    let set =
        async |people: &[&str]| world.store.set_report_recipients(&acme(), &list(people), false, NOW).await;
    assert_eq!(set(&["ada@a.example"]).await, Err(SetRecipientsError::CannotAsk));
    assert_eq!(recipients(world).await, []);
    let ada = address("ada@a.example");
    world.store.add_confirmed_recipient(&acme(), &ada, NOW).await.expect("the store answers");
    assert_eq!(set(&["ada@a.example"]).await, Ok(()));
    assert_eq!(recipients(world).await, [("ada@a.example".into(), RecipientStatus::Confirmed, true)]);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM report_emails").await, 0);
}

async fn list_keeps_the_consent_of_recipients(world: &World) {
    use RecipientStatus::{Confirmed, Pending, Suppressed};
    let (ada, ben) = ("ada@a.example", "ben@a.example");
    set_list(world, &[ben, ada], NOW).await;
    assert_eq!(recipients(world).await, [(ada.into(), Pending, true), (ben.into(), Pending, true)]);
    let asked: Vec<_> = world.records().report_recipients(&acme()).await.expect("the store answers");
    assert_eq!((asked[0].asked_at, asked[1].asked_at), (Some(NOW), Some(NOW)));
    for (purpose, status) in [
        (EmailPurpose::Confirmation, Confirmed),
        (EmailPurpose::Report, Suppressed),
        (EmailPurpose::Report, Suppressed),
    ] {
        world
            .store
            .record_answer(&acme(), purpose, &address(ada), after(1))
            .await
            .expect("the store answers");
        assert_eq!(recipients(world).await[0], (ada.into(), status, true));
    }
    set_list(world, &[], after(2)).await;
    assert_eq!(recipients(world).await, [(ada.into(), Suppressed, false), (ben.into(), Pending, false)]);
    set_list(world, &[ada], after(3)).await;
    assert_eq!(recipients(world).await, [(ada.into(), Suppressed, true), (ben.into(), Pending, false)]);
    // The unsubscription of an unknown address is stored too.
    let stranger = address("zoe@a.example");
    world
        .store
        .record_answer(&acme(), EmailPurpose::Report, &stranger, NOW)
        .await
        .expect("the store answers");
    assert_eq!(recipients(world).await[2], ("zoe@a.example".into(), Suppressed, false));
    assert!(world.records().report_recipients(&umbrella()).await.expect("the store answers").is_empty());
}

async fn link_works_only_for_its_brand_and_purpose(world: &World) {
    let (ada, link) = ("ada@a.example", LinkToken::generate(&mut svc_mcp_testkit::seeded(7)));
    set_list(world, &[ada], NOW).await;
    let mark =
        ReportChange::MarkSending { email_id: format!("mail_{ada}"), attempts: 1, link: Some(link.digest()) };
    commit(world, &[Change::Reports(mark)], after(1)).await;
    let holder = async |brand, purpose| world.store.holder_of_link(&brand, purpose, &link.digest()).await;
    assert_eq!(holder(acme(), EmailPurpose::Confirmation).await, Ok(Some(address(ada))));
    assert_eq!(holder(acme(), EmailPurpose::Report).await, Ok(None));
    assert_eq!(holder(umbrella(), EmailPurpose::Confirmation).await, Ok(None));
    let other = LinkToken::generate(&mut svc_mcp_testkit::seeded(8));
    let answered =
        world.store.answer_by_link(&acme(), EmailPurpose::Confirmation, &other.digest(), after(2)).await;
    assert_eq!(answered, Ok(None));
    assert_eq!(recipients(world).await[0].1, RecipientStatus::Pending);
    let answered =
        world.store.answer_by_link(&acme(), EmailPurpose::Confirmation, &link.digest(), after(2)).await;
    assert_eq!(answered, Ok(Some(address(ada))));
    assert_eq!(recipients(world).await[0].1, RecipientStatus::Confirmed);
}

async fn mail_changes_its_status_step_by_step(world: &World) {
    set_list(world, &["ada@a.example"], NOW).await;
    commit(world, &[order("report_1", &["mail_1".into()])], NOW).await;
    let outgoing_email = world
        .records()
        .outgoing_email(&acme(), "mail_1")
        .await
        .expect("the store answers")
        .expect("it is there");
    assert_eq!((outgoing_email.content, outgoing_email.email.status), (Some(content()), EmailStatus::Queued));
    assert_eq!(outgoing_email.recipient.map(|recipient| recipient.status), Some(RecipientStatus::Pending));
    assert_eq!(world.records().outgoing_email(&umbrella(), "mail_1").await, Ok(None));
    let link = Some(LinkToken::generate(&mut svc_mcp_testkit::seeded(7)).digest());
    let email_id = || "mail_1".to_owned();
    let steps = [
        (
            ReportChange::MarkSending { email_id: email_id(), attempts: 1, link: link.clone() },
            EmailStatus::Sending,
            1,
        ),
        (
            ReportChange::Requeue { email_id: email_id(), attempts: 1, answer: "451".into() },
            EmailStatus::Queued,
            1,
        ),
        (ReportChange::MarkSending { email_id: email_id(), attempts: 2, link }, EmailStatus::Sending, 2),
        (
            ReportChange::Ended {
                email_id: email_id(),
                attempts: 2,
                status: EmailStatus::Sent,
                answer: "250 Ok".into(),
            },
            EmailStatus::Sent,
            2,
        ),
        // A final status does not change.
        (
            ReportChange::Requeue { email_id: email_id(), attempts: 9, answer: "no".into() },
            EmailStatus::Sent,
            2,
        ),
        (ReportChange::GiveUp { email_id: email_id(), reason: "no".into() }, EmailStatus::Sent, 2),
    ];
    for (number, (change, status, attempts)) in (1..).zip(steps) {
        commit(world, &[Change::Reports(change)], after(number)).await;
        let email = email(world, "mail_1").await;
        assert_eq!((email.status, email.attempts), (status, attempts), "step {number}");
    }
    let email = email(world, "mail_1").await;
    assert_eq!(email.answer.as_deref(), Some("250 Ok"));
    assert_eq!((email.handed_over_at, email.ended_at), (Some(after(3)), Some(after(4))));
}

async fn handed_over_mail_is_uncertain_when_its_job_is_given_up(world: &World) {
    let mails = ["mail_1".to_owned(), "mail_2".to_owned()];
    let link = Some(LinkToken::generate(&mut svc_mcp_testkit::seeded(7)).digest());
    let mark = ReportChange::MarkSending { email_id: "mail_1".into(), attempts: 1, link };
    commit(world, &[order("report_1", &mails), Change::Reports(mark)], NOW).await;
    for email_id in mails {
        let given_up = ReportChange::GiveUp { email_id, reason: "It went wrong.".into() };
        commit(world, &[Change::Reports(given_up)], after(1)).await;
    }
    assert_eq!(email(world, "mail_1").await.status, EmailStatus::Uncertain);
    assert_eq!(email(world, "mail_2").await.status, EmailStatus::Failed);
}

async fn number_of_mails_per_day_is_limited(world: &World) {
    let orders = (0..12).map(|number| {
        let records = world.records();
        async move {
            let mails: Vec<String> = (0..3).map(|mail| format!("mail_{number}_{mail}")).collect();
            records.commit(&acme(), &[order(&format!("report_{number}"), &mails)], None, after(DAY - 1)).await
        }
    });
    let ended = at_once(orders).await;
    let refused = |end: &Result<(), CommitError>| matches!(end, Err(CommitError::Refused(failure)) if failure.code == "quota_reached");
    let done = ended.iter().filter(|end| end.is_ok()).count();
    assert_eq!((done, ended.iter().filter(|end| refused(end)).count()), (6, 6), "{ended:?}");
    let quota = Quota::ReportEmailsPerDay;
    let today = async |now| world.records().used_today(&acme(), quota, now).await;
    assert_eq!(today(NOW).await, Ok(18));
    assert_eq!(today(after(DAY)).await, Ok(0));
    assert_eq!(world.records().used_today(&umbrella(), quota, NOW).await, Ok(0));
    // Confirmation mails do not count, and the limit starts again the next day.
    set_list(world, &["ada@a.example"], NOW).await;
    assert_eq!(today(NOW).await, Ok(18));
    let many: Vec<String> = (0..quota.default_limit()).map(|number| format!("mail_next_{number}")).collect();
    commit(world, &[order("report_next", &many)], after(DAY)).await;
    assert_eq!(today(after(DAY)).await, Ok(20));
}

async fn refused_report_leaves_no_rows(world: &World) {
    let many: Vec<String> =
        (0..=Quota::ReportEmailsPerDay.default_limit()).map(|number| format!("mail_{number}")).collect();
    let changes = [Change::AddPost(make::post("post_1", NOW)), order("report_1", &many)];
    let refused = world.records().commit(&acme(), &changes, None, NOW).await;
    assert!(matches!(refused, Err(CommitError::Refused(_))), "{refused:?}");
    for table in ["posts", "reports", "report_emails"] {
        assert_eq!(world.raw.number(&format!("SELECT COUNT(*) FROM {table}")).await, 0, "{table}");
    }
}

async fn mails_are_paged_newest_first(world: &World) {
    for number in 0..5 {
        commit(world, &[order(&format!("report_{number}"), &[format!("mail_{number}")])], after(number / 2))
            .await;
    }
    set_list(world, &["ada@a.example"], NOW).await;
    let failed = ReportChange::GiveUp { email_id: "mail_2".into(), reason: "no".into() };
    commit(world, &[Change::Reports(failed)], after(9)).await;
    for (status, expected) in [
        (None, vec!["mail_4", "mail_3", "mail_2", "mail_1", "mail_0"]),
        (Some(EmailStatus::Failed), vec!["mail_2"]),
        (Some(EmailStatus::Sent), vec![]),
    ] {
        for limit in [1, 2, 5, 100] {
            let (mut all, mut cursor) = (Vec::new(), None::<Cursor>);
            loop {
                let page = world.records().report_emails(&acme(), status, cursor.as_ref(), limit).await;
                let page = page.expect("the store answers");
                assert_eq!(page.total, expected.len() as u64);
                all.extend(page.items.into_iter().map(|email| email.email_id));
                cursor = page.next;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(all, expected, "{status:?} by {limit}");
        }
    }
}

async fn figures_compare_the_period_with_the_one_before(world: &World) {
    // NOW is the start of 15 November. The period is 14 and 15 November, the one before is 12 and 13 November.
    let (now, before) = (span("2026-11-14/2026-11-15"), span("2026-11-12/2026-11-13"));
    let mut failed = make::target("mastodon", TargetStatus::Failed);
    failed.error = Some("no".into());
    let with_failure = |post_id: &str, at| svc_mcp_tools::posts::Post {
        targets: vec![failed.clone()],
        ..make::post(post_id, at)
    };
    keep(
        world,
        [
            make::published("post_1", after(-3 * DAY - 1)),
            make::published("post_2", after(-3 * DAY)),
            make::published("post_3", after(-DAY - 1)),
            make::published("post_4", after(-DAY)),
            make::published("post_5", after(DAY - 1)),
            make::published("post_6", after(DAY)),
            with_failure("post_7", after(-2 * DAY)),
            with_failure("post_8", NOW),
            with_failure("post_9", after(1)),
            make::scheduled("post_10", after(5 * DAY)),
        ],
    )
    .await;
    let issue = |code, severity, url: &str| audits::issue(code, severity, url, "");
    let audit = async |audit_id: &str, at: Timestamp, issues: Vec<Issue>| {
        let changes = [
            Change::Audits(AuditChange::Add(audits::audit(audit_id))),
            Change::Audits(audits::finished_with(audit_id, summary(&issues), issues, Vec::new())),
        ];
        world.records().commit(&acme(), &changes, None, at).await.expect("it commits");
    };
    let (error, warning) = (Severity::Error, Severity::Warning);
    audit("audit_1", after(-5 * DAY), vec![]).await;
    audit(
        "audit_2",
        after(-2 * DAY),
        vec![issue(Code::Http4xx, error, "/gone"), issue(Code::TitleLong, warning, "/a")],
    )
    .await;
    audit(
        "audit_3",
        after(5),
        vec![
            issue(Code::TitleMissing, error, "/b"),
            issue(Code::TitleLong, warning, "/a"),
            issue(Code::TitleLong, warning, "/c"),
        ],
    )
    .await;
    audit("audit_4", after(2 * DAY), vec![]).await;
    // Partial audits do not count.
    for (audit_id, at) in [("partial_1", after(-DAY - 1)), ("partial_2", after(10))] {
        let summary = Summary { end: StopReason::Limited, left_out: 9, ..summary(&[]) };
        let finish = audits::finished_with(audit_id, summary, Vec::new(), Vec::new());
        let changes = [AuditChange::Add(audits::audit(audit_id)), finish].map(Change::Audits);
        world.records().commit(&acme(), &changes, None, at).await.expect("it commits");
    }
    let figures = world.records().figures(&acme(), &now, &before).await.expect("the store answers");
    let channels: Vec<_> = figures
        .channels
        .iter()
        .map(|channel| (channel.channel.as_str(), channel.published, channel.failed, channel.scheduled))
        .collect();
    let compared = |now, before| Compared { now, before };
    assert_eq!(
        channels,
        [("feed", compared(2, 2), compared(0, 0), 1), ("mastodon", compared(0, 0), compared(2, 1), 0)]
    );
    let latest: Vec<&str> = figures.latest_posts.iter().map(|post| post.title.as_str()).collect();
    assert_eq!(latest, ["The text of post_5", "The text of post_4"]);
    let audit = figures.audit.expect("there were audits");
    assert_eq!(
        (audit.now.audit_id.as_str(), audit.before.map(|before| before.audit_id)),
        ("audit_3", Some("audit_2".into()))
    );
    assert_eq!((audit.new, audit.fixed, audit.still_there), (2, 1, 1));
    let top: Vec<_> =
        audit.top.iter().map(|top| (top.code, top.severity, top.pages, top.example.as_str())).collect();
    assert_eq!(top, [(Code::TitleMissing, error, 1, "/b"), (Code::TitleLong, warning, 2, "/a")]);
}

async fn figures_of_an_empty_brand_are_zero(world: &World) {
    keep(world, [make::published("post_1", NOW)]).await;
    let (now, before) = (span("2026-11-14/2026-11-15"), span("2026-11-12/2026-11-13"));
    let figures = world.records().figures(&umbrella(), &now, &before).await.expect("the store answers");
    assert_eq!(figures, Figures::default());
}

async fn figures_of_a_partial_audit_have_no_score(world: &World) {
    let (now, before) = (span("2026-11-14/2026-11-15"), span("2026-11-12/2026-11-13"));
    let summary = Summary { end: StopReason::Limited, visited: 2, left_out: 9, ..summary(&[]) };
    let finish = audits::finished_with("audit_1", summary, Vec::new(), Vec::new());
    let changes = [AuditChange::Add(audits::audit("audit_1")), finish].map(Change::Audits);
    world.records().commit(&acme(), &changes, None, after(5)).await.expect("it commits");
    let figures = world.records().figures(&acme(), &now, &before).await.expect("the store answers");
    assert_eq!(figures.audit, None);
    let partial = PartialAudit { finished_at: after(5), visited: 2, left_out: 9 };
    assert_eq!(figures.partial_audit, Some(partial));
}
