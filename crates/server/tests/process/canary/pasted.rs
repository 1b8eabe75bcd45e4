//! A key that someone pastes where it does not belong is neither kept nor repeated.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Needles, PLANTED, call, kept, text};
use crate::support::{Api, Place, Running, answered};

/// A service, and a key of it to be pasted.
struct Pasting {
    place: Place,
    running: Running,
    manager: Api,
    operator: Api,
    agent: Api,
    key: String,
    needles: Needles,
}

impl Pasting {
    async fn start() -> Self {
        let place = Place::sqlite().with("SVC_LOG", "trace");
        place.add_brand("acme", "ada");
        let running = place.serve(&[]);
        let manager = running.api(&place.token("ada"));
        let operator = manager.with(&place.operator_token());
        let key = manager.create_key("acme", &json!({"label": PLANTED, "scope": "write"})).await;
        let key = text(&key, "api_key");
        let agent = manager.with(&key);
        let mut needles = Needles::default();
        needles.add_key("the key", &key);
        Self { place, running, manager, operator, agent, key, needles }
    }

    /// Nothing of it is in the database or the log.
    fn assert_not_kept(self) {
        let before = kept(&self.place);
        self.running.stop();
        for (place, bytes) in before.into_iter().chain(kept(&self.place)) {
            let found = self.needles.found_in(&bytes);
            assert!(found.is_empty(), "{found:?} in {place}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_label() {
    let pasting = Pasting::start().await;
    for label in [pasting.key.clone(), format!("my key is {}", pasting.key)] {
        pasting.manager.post("/api/brands/acme/mcp-keys", &json!({"label": label})).await;
    }
    pasting.assert_not_kept();
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_name_of_a_plan_a_brand_or_a_member() {
    let pasting = Pasting::start().await;
    let (key, operator) = (&pasting.key, &pasting.operator);
    operator.put("/api/admin/plans/p", &json!({"name": key, "mcp_enabled": true})).await;
    let website = format!("https://acme.example/?key={key}");
    let brand = |name: &str, website: &str| json!({"name": name, "website": website, "plan_id": "business"});
    operator.put("/api/admin/brands/b", &brand(key, "https://acme.example")).await;
    operator.put("/api/admin/brands/b", &brand("B", &website)).await;
    let competitors =
        json!({"name": "B", "website": "https://b.example", "plan_id": "business", "competitors": [website]});
    operator.put("/api/admin/brands/b", &competitors).await;
    operator.put("/api/admin/brands/acme/members/bob", &json!({"role": "member", "name": key})).await;
    pasting.assert_not_kept();
}

#[tokio::test(flavor = "multi_thread")]
async fn in_place_of_an_id() {
    let pasting = Pasting::start().await;
    let (key, operator) = (&pasting.key, &pasting.operator);
    operator.put(&format!("/api/admin/plans/{key}"), &json!({"name": "P", "mcp_enabled": true})).await;
    let brand = json!({"name": "B", "website": "https://b.example", "plan_id": "business"});
    operator.put(&format!("/api/admin/brands/{key}"), &brand).await;
    operator.put(&format!("/api/admin/brands/acme/members/{key}"), &json!({"role": "member"})).await;
    pasting.assert_not_kept();
}

/// What is published cannot be taken back.
#[tokio::test(flavor = "multi_thread")]
async fn in_a_post() {
    let pasting = Pasting::start().await;
    let (key, agent) = (&pasting.key, &pasting.agent);
    let link = format!("https://acme.example/?key={key}");
    for part in [json!({"text": key}), json!({"title": key}), json!({"link": link})] {
        let mut post = json!({"text": "Hello", "channels": ["feed"], "mode": "now"});
        post.as_object_mut().expect("an object").extend(part.as_object().expect("an object").clone());
        agent.call("create_post", &post).await;
    }
    let feed = pasting.manager.get("/feeds/acme/feed.json").await.expect(200);
    assert!(pasting.needles.found_in(feed.text.as_bytes()).is_empty(), "it is in the public feed");
    pasting.assert_not_kept();
}

#[tokio::test(flavor = "multi_thread")]
async fn as_an_idempotency_key() {
    let pasting = Pasting::start().await;
    let post = call("create_post", &json!({"text": "Hello", "channels": ["feed"]}));
    let request = pasting.agent.request(Method::POST, "/mcp/v1/tools/call");
    answered(request.header("Idempotency-Key", &pasting.key).json(&post)).await;
    pasting.assert_not_kept();
}

/// An error goes into the logs of whoever asked.
#[tokio::test(flavor = "multi_thread")]
async fn errors_do_not_repeat_it() {
    let pasting = Pasting::start().await;
    let (key, manager, agent) = (&pasting.key, &pasting.manager, &pasting.agent);
    let named = |value: Value| json!({key.as_str(): value});
    let answers = [
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
    let repeated: Vec<String> = answers
        .iter()
        .filter(|(_, answer)| !pasting.needles.found_in(answer.text.as_bytes()).is_empty())
        .map(|(what, answer)| format!("{what}: {}", answer.text))
        .collect();
    assert!(repeated.is_empty(), "{}", repeated.join("\n"));
    pasting.assert_not_kept();
}
