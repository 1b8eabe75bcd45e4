//! From the settings to the first request of an agent.

use serde_json::{Value, json};
use svc_mcp_testkit::{Api, Program, cluster::Instance};

use super::run_step;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_operator_gets_from_the_settings_to_the_first_request() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let data = dir.path().join("data").to_string_lossy().into_owned();
    let program = Program::new(dir.path()).with("SVC_DATA_DIR", &data).with("SVC_LOG_FORMAT", "json");
    let checked = run_step("check-settings", &program, &[]);
    assert!(checked.contains("ok") && !checked.contains("failed"), "{checked}");
    let mut instance = Instance::new("first", program.clone(), &[]);
    let log = dir.path().join("first.log").to_string_lossy().into_owned();
    instance.start().await;
    let url = format!("http://{}", instance.address);
    let url = ("URL", url.as_str());
    run_step("is-ready", &program, &[url]);
    run_step("first-brand", &program, &[]);
    let token = run_step("first-token", &program, &[]);
    let created = run_step("first-key", &program, &[url, ("TOKEN", &token)]);
    let created: Value = serde_json::from_str(&created).expect("JSON");
    let key = created["api_key"].as_str().expect("the secret");
    let tools = run_step("first-request", &program, &[url, ("KEY", key)]);
    assert!(tools.contains("\"get_brand\"") && !tools.contains("\"create_post\""), "{tools}");
    let refused = Api::new(key).at(instance.address).call("create_post", &json!({})).await;
    assert_eq!(refused.expect_status(403).code(), "insufficient_scope");
    instance.stop().await;
    let key_id = created["key_id"].as_str().expect("an id");
    let found = run_step("log-queries", &program, &[("LOG", &log), ("KEY_ID", key_id)]);
    assert!(found.contains(r#""insufficient_scope""#) && found.contains(r#""create_post""#), "{found}");
}
