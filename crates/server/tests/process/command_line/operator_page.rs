//! Runs the commands of `docs/operator.md`, read from the page.

use std::{fs, time::Duration};

use serde_json::{Value, json};
use svc_mcp_testkit::DocPage;

use crate::support::{Api, Sandbox, Service, eventually};

/// A service with the brand of the page.
struct Week {
    page: DocPage,
    sandbox: Sandbox,
    url: String,
    token: String,
    operator: Api,
    agent: Api,
    run: Vec<String>,
}

impl Week {
    /// Runs a step with the variables of the page, and returns its output.
    fn step(&mut self, name: &str, variables: &[(&str, &str)]) -> String {
        let mut all = vec![("SVC_URL", self.url.as_str()), ("OPERATOR_TOKEN", self.token.as_str())];
        all.extend_from_slice(variables);
        let output = self.page.run(name, &self.sandbox, &all);
        self.run.push(name.to_owned());
        output
    }

    async fn create_post(&self, channel: &str, mode: Value) -> Value {
        let mut post = json!({"text": "Hello", "channels": [channel]});
        post.as_object_mut().expect("an object").extend(mode.as_object().expect("an object").clone());
        self.agent.call("create_post", &post).await.tool_result()["post"].clone()
    }

    /// The newest event delivery.
    async fn delivery(&self) -> String {
        let path = "/api/admin/event-deliveries?brand=acme&endpoint=crm";
        let list = self.operator.get(path).await.expect_status(200).json();
        list["event_deliveries"][0]["delivery_id"].as_str().expect("a delivery").to_owned()
    }

    /// The newest job with this status.
    async fn job(&self, status: &str) -> String {
        let path = format!("/api/admin/jobs?status={status}&kind=publish");
        eventually("the job", async || {
            let jobs = self.operator.get(&path).await.expect_status(200).json();
            jobs["jobs"][0]["job_id"].as_str().map(str::to_owned)
        })
        .await
    }

    fn hold_and_resume_jobs(&mut self) {
        let output = self.step("hold-jobs", &[]);
        assert!(output.contains("\"begun\"") && output.contains("All jobs are held since"), "{output}");
        let output = self.step("resume-jobs", &[]);
        assert!(output.contains("\"cancelled\":0") && output.contains("Jobs were not held."), "{output}");
    }

    fn end_sessions(&mut self) {
        let output = self.step("end-sessions", &[]);
        let words = ["\"sessions\":0", "0 sessions of ben have ended."];
        assert!(words.iter().all(|word| output.contains(word)), "{output}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_line_of_the_page_works() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    sandbox.run_ok(&["admin", "members", "set", "acme", "ben", "--role", "member"]);
    let service: Service = sandbox.serve(&[]);
    let page = DocPage::open("operator.md");
    let token = page.run("operator-token", &sandbox, &[]);
    let admin = service.api(&sandbox.token("ada"));
    let key = admin.key("acme", "write").await;
    let (operator, agent) = (admin.with_bearer(&token), admin.with_bearer(&key.secret));
    // The service does not reach a private address, so publishing fails.
    let hook = json!({"kind": "webhook", "settings": {"url": "https://127.0.0.1:1/"}});
    admin.put("/api/brands/acme/channels/hook", &hook).await.expect_status(200);
    let endpoint = json!({"url": "https://127.0.0.1:1/", "types": ["post.failed"]});
    admin.put("/api/brands/acme/event-endpoints/crm", &endpoint).await.expect_status(200);
    fs::write(sandbox.path("leaked"), &key.secret).expect("the file is written");
    let url = service.url("");
    let mut week =
        Week { page, sandbox, url, token, operator, agent, run: vec!["operator-token".to_owned()] };

    for (step, words) in [
        ("find-brand", &["acme", "Acme"][..]),
        ("find-person", &["ada", "acme"]),
        ("members", &["ada", "ben"]),
        ("find-secret", &[&*key.key_id]),
        ("plans", &["business"]),
        ("approvals", &["\"approvals\":[]", "No approvals were found."]),
    ] {
        let output = week.step(step, &[]);
        assert!(words.iter().all(|word| output.contains(word)), "{step}: {output}");
    }
    let found = week.step("find-prefix", &[("PREFIX", &key.secret[..14])]);
    assert_eq!(found.matches(&*key.key_id).count(), 2, "{found}");

    week.create_post("hook", json!({"mode": "now"})).await;
    let failed = week.job("failed").await;
    let listed = week.step("failed-jobs", &[]);
    assert_eq!(listed.matches(&*failed).count(), 2, "{listed}");
    for step in ["retry-job", "retry-job-on-the-machine"] {
        let failed = week.job("failed").await;
        let output = week.step(step, &[("JOB_ID", &failed)]);
        assert!(output.contains(&failed), "{output}");
        assert_eq!(week.job("failed").await, failed, "it fails again");
    }
    let listed = week.step("events", &[]);
    let delivery = week.delivery().await;
    assert_eq!(listed.matches("post.failed").count() % 2, 0, "{listed}");
    assert!(listed.contains(&delivery), "{listed}");
    for step in ["resend-event", "resend-event-on-the-machine"] {
        let output = week.step(step, &[("DELIVERY_ID", &delivery)]);
        assert!(output.contains(&delivery), "{output}");
    }
    for step in ["cancel-job", "cancel-job-on-the-machine"] {
        let in_a_month = key.after_creation(Duration::from_hours(30 * 24));
        week.create_post("feed", json!({"mode": "schedule", "scheduled_at": in_a_month})).await;
        let waiting = week.job("waiting").await;
        let output = week.step(step, &[("JOB_ID", &waiting)]);
        assert!(output.contains("cancelled"), "{output}");
    }
    week.hold_and_resume_jobs();
    let post = week.create_post("feed", json!({"mode": "now"})).await;
    let post_id = post["post_id"].as_str().expect("an id");
    let output = week.step("posts", &[("POST_ID", post_id)]);
    assert!(output.contains(post_id) && output.contains("withdrawn"), "{output}");

    let output = week.step("audit-log", &[]);
    assert_eq!(output.matches("key.create").count(), 2, "{output}");
    week.step("audit-export", &[]);
    let output = week.step("audit-verify", &[]);
    assert_eq!(output.matches("The audit log is complete").count(), 3, "{output}");
    let output = week.step("activity", &[]);
    assert!(output.contains(&*key.key_id), "{output}");
    let activity = fs::read_to_string(week.sandbox.path("activity.ndjson")).expect("the export");
    assert!(activity.contains(&*key.key_id), "{activity}");

    let output = week.step("change-plan", &[]);
    assert!(output.contains("posts_per_day: 2000") && output.contains("on plan pro"), "{output}");
    let output = week.step("suspend", &[]);
    assert!(output.contains("Unpaid since October") && output.contains("suspended"), "{output}");
    let refused = week.agent.list_tools().await;
    assert_eq!((refused.status, &*refused.code()), (403, "brand_suspended"));
    week.step("resume", &[]);
    eventually("the resumed brand", async || {
        let suspended = week.operator.get("/api/admin/brands/acme").await.expect_status(200).json();
        (suspended["status"] == "active").then_some(())
    })
    .await;
    let output = week.step("revoke-key", &[("KEY_ID", &key.key_id)]);
    assert!(output.contains("is revoked"), "{output}");
    for step in ["stop-person", "stop-keys-of-brand"] {
        assert!(week.step(step, &[]).contains("keys of"), "{step}");
    }
    week.end_sessions();
    week.step("export", &[]);
    for file in ["acme.ndjson", "acme-again.ndjson"] {
        let export = fs::read_to_string(week.sandbox.path(file)).expect("the export");
        assert!(export.contains(&*key.key_id) && !export.contains(&key.secret), "{export}");
    }
    let output = week.step("erase-person", &[]);
    assert!(output.contains("erased_") && output.contains("User ben is erased"), "{output}");
    let output = week.step("erase", &[]);
    assert!(output.contains("era_") && output.contains("Brand acme is erased"), "{output}");
    week.run.sort_unstable();
    let mut steps = week.page.steps();
    steps.sort_unstable();
    assert_eq!(week.run, steps, "every step of the page is run");
}
