//! An outage is a few lines, however many requests fail. A failed job is a warning.

use std::time::Instant;

use futures_util::future::join_all;
use serde_json::{Value, json};
use svc_mcp_testkit::{Postgres, Smtp};

use super::{lines, wait_for_lines};
use crate::support::{Sandbox, TestService, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn outage_of_postgresql_is_one_line_at_its_begin_and_one_at_its_end() {
    const MIN_FAILED: usize = 150;
    let mut postgres = Postgres::start();
    let sandbox = Sandbox::postgres()
        .with("SVC_DATABASE_URL", &postgres.fresh_database())
        .with("SVC_ACCESS_LOG", "off")
        .with("SVC_MANAGEMENT_LIMIT", "0");
    let test = TestService::start(sandbox, &[]).await;
    let (person, agent) = (test.admin(), test.agent());
    agent.list_tools().await.expect_status(200);
    let before = lines(&test.service.log()).len();

    let began = Instant::now();
    postgres.stop();
    let mut failed = 0;
    // Some requests may be answered from the cache at first.
    while failed < MIN_FAILED {
        // A request may wait for seconds, so many are sent at a time.
        let managed = join_all((0..40).map(|_| person.get("/api/brands/acme/mcp-keys"))).await;
        let called = agent.call("list_posts", &Value::Null).await;
        failed += managed.iter().chain([&called]).filter(|response| response.status == 503).count();
    }
    postgres.start_again();
    eventually("the recovery", async || {
        (person.get("/api/brands/acme/mcp-keys").await.status == 200).then_some(())
    })
    .await;
    let ended = wait_for_lines(&test.service, "the end", |line| line["message"] == "outage ended").await;

    let log = lines(&test.service.log());
    let during = &log[before..];
    // On a slow machine this takes longer than a minute.
    let minutes = usize::try_from(began.elapsed().as_secs() / 60).expect("a number");
    assert!(during.len() <= 2 + minutes, "{failed} requests failed: {during:#?}");
    assert!(during.iter().all(|line| line["of"] == "database"), "{during:#?}");
    let message = during[0]["message"].as_str().expect("a text");
    assert!(message.starts_with("outage begins: the store does not answer"), "{message}");
    assert_eq!((&during[0]["level"], &ended[0]["level"]), (&json!("ERROR"), &json!("INFO")));
    assert!(during[0]["error"].as_str().is_some_and(|error| !error.is_empty()), "{during:#?}");
    assert!(ended[0]["failures"].as_u64() >= Some(10) && ended[0]["seconds"].is_u64(), "{ended:?}");
    let log = test.service.stop();
    assert!(!log.contains("svc_mcp::access"), "the access log is off");
    assert!(!log.contains("SELECT"), "SQL is not logged: {log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn outage_of_the_mail_server_and_failed_jobs_are_logged() {
    let mut smtp = Smtp::start();
    let sandbox = Sandbox::sqlite()
        .with("SVC_SMTP_URL", &format!("smtp://127.0.0.1:{}?tls=none", smtp.port()))
        .with("SVC_MAIL_FROM", "svc@svc.example");
    let test = TestService::start(sandbox, &[]).await;
    let admin = test.admin();
    // Each new recipient gets an email at once.
    let set = async |recipients: &[&str]| {
        let body = json!({"recipients": recipients});
        admin.put("/api/brands/acme/report-recipients", &body).await.expect_status(200);
    };
    let is_of_mail = |line: &Value, message: &str| {
        line["of"] == "mail" && line["message"].as_str().is_some_and(|text| text.starts_with(message))
    };
    smtp.stop();
    set(&["one@example.com"]).await;
    let begun = wait_for_lines(&test.service, "an outage", |line| is_of_mail(line, "outage begins")).await;
    assert_eq!((begun.len(), &begun[0]["level"]), (1, &json!("ERROR")), "{begun:?}");
    smtp.start_again();
    set(&["one@example.com", "two@example.com"]).await;
    let ended = wait_for_lines(&test.service, "its end", |line| is_of_mail(line, "outage ended")).await;
    assert_eq!(ended[0]["failures"], 1, "{ended:?}");

    smtp.set_behaviour(&json!({"rcpt": "550 no such user three@example.com"}));
    set(&["one@example.com", "two@example.com", "three@example.com"]).await;
    let failed = wait_for_lines(&test.service, "a failed job", |line| line["message"] == "job failed").await;
    let line = &failed[0];
    let fields = (&line["level"], &line["kind"], &line["brand"], &line["outcome"]);
    assert_eq!(fields, (&json!("WARN"), &json!("report_email"), &json!("acme"), &json!("failed")));
    assert!(line["job"].as_str().is_some_and(|job| !job.is_empty()), "{line}");
    assert!(line["reason"].as_str().is_some_and(|reason| reason.contains("550")), "{line}");
    let jobs = test.sandbox.json(&["admin", "jobs", "list", "--status", "failed"]);
    assert_eq!(jobs["jobs"].as_array().map(Vec::len), Some(1), "the operator can try it again: {jobs}");
    let log = test.service.stop();
    assert!(!log.contains("@example.com"), "addresses are not logged: {log}");
}
