//! One service at a time uses a SQLite file.

use std::fs;

use serde_json::json;

use crate::support::{Sandbox, Service, eventually_with_key};

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];
const DEMO: [&str; 5] = ["demo", "--listen", "127.0.0.1:0", "--site-listen", "127.0.0.1:0"];

/// Another start fails, and names the process that serves the database.
fn assert_refused(sandbox: &Sandbox, holder: &Service) {
    for arguments in [SERVE.as_slice(), &DEMO] {
        let message = sandbox.expect_failure(arguments);
        for part in ["already serves the database", &format!("(pid {})", holder.process()), "SVC_DATA_DIR"] {
            assert!(message.contains(part), "{arguments:?}: no {part} in {message}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn second_service_on_the_same_data_directory_is_refused() {
    let sandbox = Sandbox::sqlite();
    let service = sandbox.serve(&[]);
    assert_refused(&sandbox, &service);
    service.api("").get("/readyz").await.expect_status(200);
    service.stop();
    let demo = sandbox.demo(&[]);
    assert_refused(&sandbox, &demo);
    demo.stop();
    sandbox.serve(&[]).stop();
}

#[test]
fn killed_service_does_not_keep_the_lock() {
    let sandbox = Sandbox::sqlite();
    for _ in 0..3 {
        let service = sandbox.serve(&[]);
        let held = fs::read_to_string(sandbox.data_dir().join("svc-mcp.db.lock")).expect("the lock file");
        assert_eq!(held, format!("{}\n", service.process()));
        service.kill();
    }
}

#[test]
fn database_that_a_url_names_is_locked_too() {
    let sandbox = Sandbox::sqlite();
    let (file, link) = (sandbox.path("other.db"), sandbox.path("link.db"));
    let mut sandbox = sandbox.with("SVC_DATABASE_URL", &format!("sqlite:{}", file.display()));
    let service = sandbox.serve(&[]);
    assert_refused(&sandbox, &service);
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    sandbox.set("SVC_DATABASE_URL", &format!("sqlite:{}", link.display()));
    assert_refused(&sandbox, &service);
    service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn admin_works_beside_a_running_service() {
    let sandbox = Sandbox::sqlite();
    let service = sandbox.serve(&[]);
    sandbox.run_ok(&["migrate"]);
    let plan = ["admin", "plan", "set", "business", "--name", "Business", "--mcp", "on"];
    sandbox.run_ok(&plan);
    sandbox.add_brand("acme", "ada");
    let key = service.api(&sandbox.token("ada")).create_key("acme", &json!({"label": "agent"})).await;
    let text = |field: &str| key[field].as_str().expect("a string").to_owned();
    let agent = service.api(&text("api_key"));
    agent.list_tools().await.expect_status(200);
    sandbox.run_ok(&["admin", "keys", "revoke", "acme", &text("key_id")]);
    eventually_with_key("the revoke", async || (agent.list_tools().await.status == 401).then_some(())).await;
    service.stop();
}

#[test]
fn several_instances_share_postgresql() {
    let sandbox = Sandbox::postgres();
    let (first, second) = (sandbox.serve(&[]), sandbox.serve(&[]));
    first.stop();
    second.stop();
}
