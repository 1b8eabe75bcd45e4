//! A key that is pasted into the wrong field is neither stored nor returned.

use reqwest::Method;
use serde_json::{Value, json};

use super::{MARKER, SecretScanner, call, stored_data, text};
use crate::support::{Api, Sandbox, Service, send};

/// A running service, and the key that is pasted.
struct PastedKey {
    sandbox: Sandbox,
    service: Service,
    manager: Api,
    operator: Api,
    agent: Api,
    key: String,
    scanner: SecretScanner,
}

impl PastedKey {
    async fn start() -> Self {
        let sandbox = Sandbox::sqlite().with("SVC_LOG", "trace");
        sandbox.add_brand("acme", "ada");
        let service = sandbox.serve(&[]);
        let manager = service.api(&sandbox.token("ada"));
        let operator = manager.with_bearer(&sandbox.operator_token());
        let key = manager.create_key("acme", &json!({"label": MARKER, "scope": "write"})).await;
        let key = text(&key, "api_key");
        let agent = manager.with_bearer(&key);
        let mut scanner = SecretScanner::default();
        scanner.add_key("the key", &key);
        Self { sandbox, service, manager, operator, agent, key, scanner }
    }

    /// The key is neither in the database nor in the log.
    fn assert_not_stored(self) {
        let before = stored_data(&self.sandbox);
        self.service.stop();
        for (location, bytes) in before.into_iter().chain(stored_data(&self.sandbox)) {
            let found = self.scanner.found_in(&bytes);
            assert!(found.is_empty(), "{found:?} in {location}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn key_in_a_label_is_not_stored() {
    let test = PastedKey::start().await;
    for label in [test.key.clone(), format!("my key is {}", test.key)] {
        test.manager.post("/api/brands/acme/mcp-keys", &json!({"label": label})).await;
    }
    test.assert_not_stored();
}

#[tokio::test(flavor = "multi_thread")]
async fn key_in_a_name_or_website_is_not_stored() {
    let test = PastedKey::start().await;
    let (key, operator) = (&test.key, &test.operator);
    operator.put("/api/admin/plans/p", &json!({"name": key, "mcp_enabled": true})).await;
    let website = format!("https://acme.example/?key={key}");
    let brand = |name: &str, website: &str| json!({"name": name, "website": website, "plan_id": "business"});
    operator.put("/api/admin/brands/b", &brand(key, "https://acme.example")).await;
    operator.put("/api/admin/brands/b", &brand("B", &website)).await;
    let competitors =
        json!({"name": "B", "website": "https://b.example", "plan_id": "business", "competitors": [website]});
    operator.put("/api/admin/brands/b", &competitors).await;
    operator.put("/api/admin/brands/acme/members/bob", &json!({"role": "member", "name": key})).await;
    test.assert_not_stored();
}

#[tokio::test(flavor = "multi_thread")]
async fn key_in_place_of_an_id_is_not_stored() {
    let test = PastedKey::start().await;
    let (key, operator) = (&test.key, &test.operator);
    operator.put(&format!("/api/admin/plans/{key}"), &json!({"name": "P", "mcp_enabled": true})).await;
    let brand = json!({"name": "B", "website": "https://b.example", "plan_id": "business"});
    operator.put(&format!("/api/admin/brands/{key}"), &brand).await;
    operator.put(&format!("/api/admin/brands/acme/members/{key}"), &json!({"role": "member"})).await;
    test.assert_not_stored();
}

#[tokio::test(flavor = "multi_thread")]
async fn key_in_a_post_is_not_stored_or_published() {
    let test = PastedKey::start().await;
    let (key, agent) = (&test.key, &test.agent);
    let link = format!("https://acme.example/?key={key}");
    for part in [json!({}), json!({"text": key}), json!({"title": key}), json!({"link": link})] {
        let mut post = json!({"text": "Hello", "channels": ["feed"], "mode": "now"});
        post.as_object_mut().expect("an object").extend(part.as_object().expect("an object").clone());
        agent.call("create_post", &post).await;
    }
    let feed = test.manager.get("/feeds/acme/feed.json").await.expect_status(200);
    assert!(test.scanner.found_in(feed.text.as_bytes()).is_empty(), "the key is in the public feed");
    test.assert_not_stored();
}

#[tokio::test(flavor = "multi_thread")]
async fn key_as_idempotency_key_is_not_stored() {
    let test = PastedKey::start().await;
    let post = call("create_post", &json!({"text": "Hello", "channels": ["feed"]}));
    let request = test.agent.request(Method::POST, "/mcp/v1/tools/call");
    send(request.header("Idempotency-Key", &test.key).json(&post)).await;
    test.assert_not_stored();
}

/// Clients log errors.
#[tokio::test(flavor = "multi_thread")]
async fn errors_do_not_contain_the_key() {
    let test = PastedKey::start().await;
    let (key, manager, agent) = (&test.key, &test.manager, &test.agent);
    let named = |value: Value| json!({key.as_str(): value});
    let responses = [
        ("an unknown field", manager.post("/api/brands/acme/mcp-keys", &named(json!(1))).await),
        (
            "a tool's name",
            manager.post("/api/brands/acme/mcp-keys", &json!({"label": "a", "tools": [key]})).await,
        ),
        ("an unknown argument", agent.call("list_posts", &named(json!(1))).await),
        ("an unknown tool", agent.call(key, &json!({})).await),
        ("an unknown field of a call", agent.post("/mcp/v1/tools/call", &named(json!(1))).await),
        ("an unknown post", agent.call("get_post", &json!({"post_id": key})).await),
        ("an unknown channel", agent.call("create_post", &json!({"text": "a", "channels": [key]})).await),
        ("a wrong value", agent.call("list_posts", &json!({"status": key})).await),
        ("a wrong cursor", agent.call("list_posts", &json!({"cursor": key})).await),
    ];
    let repeated: Vec<String> = responses
        .iter()
        .filter(|(_, response)| !test.scanner.found_in(response.text.as_bytes()).is_empty())
        .map(|(what, response)| format!("{what}: {}", response.text))
        .collect();
    assert!(repeated.is_empty(), "{}", repeated.join("\n"));
    test.assert_not_stored();
}
