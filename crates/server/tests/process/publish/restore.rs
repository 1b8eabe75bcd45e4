//! A post that went out after the backup does not go out again by itself.

use serde_json::{Value, json};

use super::{ExternalServer, webhook::start_receiver};
use crate::support::{RawClient, Sandbox, TestService, eventually};

async fn texts(receiver: &ExternalServer) -> Vec<Value> {
    receiver.log().await.iter().map(|entry| entry["body"]["data"]["text"].clone()).collect()
}

async fn sent(receiver: &ExternalServer, expected: &[&str]) {
    eventually("the posts", async || (texts(receiver).await == expected).then_some(())).await;
}

async fn publish_now(test: &TestService, text: &str) -> Value {
    let post = json!({"text": text, "channels": ["hook"], "mode": "now"});
    test.agent().call("create_post", &post).await.expect_status(200).json()
}

/// Stops the service, restores the backup and starts the service again.
fn restore(test: TestService) -> TestService {
    test.service.stop();
    let refused = test.sandbox.expect_failure(&["restore", "backup"]);
    assert!(refused.contains("--replace"), "{refused}");
    let restored = test.sandbox.json(&["restore", "backup", "--replace"]);
    assert_eq!(restored["jobs_held"], true, "{restored}");
    let service = test.sandbox.serve(&["--metrics-listen", "127.0.0.1:0"]);
    TestService { service, ..test }
}

#[tokio::test(flavor = "multi_thread")]
async fn restored_posts_are_held_until_the_operator_resumes_them() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let receiver = start_receiver(&test, json!({})).await;
    test.sandbox.run_ok(&["admin", "jobs", "hold"]);
    eventually("the hold", async || {
        let ready = test.service.api("").get("/readyz").await.expect_status(200).text;
        ready.contains("all jobs are held").then_some(())
    })
    .await;
    publish_now(&test, "in the backup").await;
    test.sandbox.run_ok(&["backup", "backup", "--with-secrets"]);
    test.sandbox.run_ok(&["admin", "jobs", "resume"]);
    sent(&receiver, &["in the backup"]).await;

    let test = restore(test);
    let log = test.service.log();
    assert!(log.contains("all jobs are held") && log.contains("\"cause\":\"restore\""), "{log}");
    let ready = test.service.api("").get("/readyz").await.expect_status(200).text;
    assert!(ready.contains("because the backup of") && ready.contains("was restored"), "{ready}");
    let metrics = metrics(&test).await;
    assert!(metrics.contains("svc_mcp_jobs_held 1"), "{metrics}");
    let list = test.sandbox.run_ok(&["admin", "jobs", "list", "--status", "waiting"]);
    assert!(list.starts_with("All jobs are held since") && list.contains("publish"), "{list}");
    let list = test.sandbox.json(&["admin", "jobs", "list"]);
    assert_eq!(list["hold"]["cause"], "restore", "{list}");
    let result = publish_now(&test, "after the restore").await;
    assert!(result["content"][1]["text"].as_str().expect("a note").contains("waits"), "{result}");
    assert_eq!(texts(&receiver).await, ["in the backup"]);
    let resumed = test.sandbox.json(&["admin", "jobs", "resume", "--cancel-due-before-hold"]);
    assert_eq!(
        (&resumed["cancelled"], &resumed["hold"]["cause"]),
        (&json!(1), &json!("restore")),
        "{resumed}"
    );
    sent(&receiver, &["in the backup", "after the restore"]).await;
    let records = test.sandbox.run_ok(&["admin", "audit", "list"]);
    assert!(records.contains("jobs.hold") && records.contains("jobs.resume"), "{records}");
    assert!(test.sandbox.run_ok(&["admin", "audit", "verify"]).contains("The audit log is complete"));

    // Without the flag, what was due in the last 24 hours goes out, again with the same id.
    let test = restore(test);
    assert_eq!(test.sandbox.run_ok(&["admin", "jobs", "resume"]), "Jobs run again.");
    sent(&receiver, &["in the backup", "after the restore", "in the backup"]).await;
    let log = receiver.log().await;
    assert_eq!(log[0]["id"], log[2]["id"], "{log:?}");
    assert_eq!(log[2]["verified"], true, "the sealing keys are restored: {log:?}");
    test.service.stop();
}

/// The address of the metrics is in the log.
async fn metrics(test: &TestService) -> String {
    let address = eventually("the address of the metrics", async || {
        let log = test.service.log();
        let mut lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let line = lines.find(|line| line["message"] == "metrics")?;
        line["address"].as_str()?.parse().ok()
    })
    .await;
    let response = RawClient::connect(address).await.get("/metrics").await;
    String::from_utf8_lossy(&response.body).into_owned()
}
