//! Calls that wait for a person's approval.

mod agents;
mod approve;
mod changed_arguments;
mod digests;
mod ends;
mod held;
mod limits;
mod obstacles;
mod people;
mod rules;

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{AppOptions, BRAND, CreatedKey, Receiver, Reply, TestApp, eventually};

/// A service with a webhook as the channel `hook`.
struct ApprovalsTest {
    app: TestApp,
    receiver: Receiver,
    /// A key of `ada` that asks before anything goes out.
    key: CreatedKey,
    /// A key of `ada` that never asks.
    free_key: String,
}

impl ApprovalsTest {
    async fn new() -> Self {
        Self::with(Vec::new()).await
    }

    async fn with(more: Vec<String>) -> Self {
        let mut arguments = vec!["--outbound-allow=127.0.0.1".to_owned()];
        arguments.extend(more);
        let app =
            TestApp::with(AppOptions { arguments, local_rate_limit: true, ..AppOptions::default() }).await;
        let receiver = Receiver::start().await;
        let hook = json!({"kind": "webhook", "settings": {"url": format!("{}/hook", receiver.url)}});
        let path = format!("/api/brands/{BRAND}/channels/hook");
        app.put(&path).bearer(&app.token("ada")).json(&hook).await.expect_status(200);
        let key = new_key(&app, "ada", "outward").await;
        let free_key = app.key("write").await;
        Self { app, receiver, key, free_key }
    }

    /// A call. The rate limit uses the clock of the test.
    async fn call(&self, key: &str, tool: &str, arguments: Value) -> Reply {
        self.app.clock.advance(Duration::from_secs(2));
        self.app.call(key, tool, arguments).await
    }

    /// A call of the key that asks. Returns the id of its approval.
    async fn hold(&self, tool: &str, arguments: Value) -> String {
        self.hold_with(&self.key, tool, arguments).await
    }

    async fn hold_with(&self, key: &CreatedKey, tool: &str, arguments: Value) -> String {
        let reply = self.call(&key.api_key, tool, arguments).await;
        assert!(is_held(&reply), "{}", reply.text);
        reply.result()["approval_id"].as_str().unwrap().to_owned()
    }

    /// The approval as this person sees it.
    async fn view(&self, user: &str, approval_id: &str) -> Value {
        let request = self.app.get(&path(approval_id, "")).bearer(&self.app.token(user));
        request.send().await.expect_status(200).body
    }

    /// The approval as the agent sees it.
    async fn view_of_agent(&self, key: &CreatedKey, approval_id: &str) -> Value {
        let arguments = json!({"approval_id": approval_id});
        self.call(&key.api_key, "get_approval", arguments).await.result().clone()
    }

    async fn digest(&self, approval_id: &str) -> Value {
        self.view("ada", approval_id).await["digest"].clone()
    }

    async fn approve(&self, user: &str, approval_id: &str, body: Value) -> Reply {
        self.app.post(&path(approval_id, "/approve")).bearer(&self.app.token(user)).json(&body).await
    }

    /// Looks at the approval and presses the button.
    async fn look_and_approve(&self, user: &str, approval_id: &str) -> Reply {
        let digest = self.view(user, approval_id).await["digest"].clone();
        self.approve(user, approval_id, json!({"digest": digest})).await
    }

    async fn reject(&self, user: &str, approval_id: &str, reason: &str) -> Reply {
        let request = self.app.post(&path(approval_id, "/reject")).bearer(&self.app.token(user));
        request.json(&json!({"reason": reason})).await
    }

    /// The approvals of the brand that this query finds.
    async fn list(&self, user: &str, query: &str) -> Reply {
        let path = format!("/api/brands/{BRAND}/approvals{query}");
        self.app.get(&path).bearer(&self.app.token(user)).send().await
    }

    /// The number of posts with any status.
    async fn post_count(&self) -> Value {
        self.call(&self.free_key, "list_posts", json!({})).await.result()["total"].clone()
    }

    /// The texts in the feed, newest first.
    async fn feed(&self) -> Vec<Value> {
        let feed = self.app.get(&format!("/feeds/{BRAND}/feed.json")).send().await;
        let items = feed.body["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().map(|item| item["content_text"].clone()).collect()
    }

    /// The texts that the webhook got.
    fn received(&self) -> Vec<Value> {
        self.receiver.requests().iter().map(|request| request.body["data"]["text"].clone()).collect()
    }

    /// Asserts that the call still waits and that nothing has gone out.
    async fn assert_still_waits(&self, approval_id: &str) {
        assert_eq!(self.view("ada", approval_id).await["status"], "pending");
        assert_eq!((self.feed().await, self.received()), (vec![], vec![]));
    }

    /// Asserts that nobody can approve the call any more, and that nothing has gone out.
    async fn assert_ended(&self, approval_id: &str, status: &str) {
        let view = self.view("ada", approval_id).await;
        assert_eq!(view["status"], status, "{view}");
        let body = json!({"digest": view["digest"]});
        let refused =
            self.approve("ada", approval_id, body).await.expect_problem(409, "already_decided").body;
        assert_eq!(refused["approval_status"], status);
        assert!(refused["detail"].as_str().unwrap().contains(status), "{refused}");
        assert_eq!((self.feed().await, self.received()), (vec![], vec![]));
    }

    /// The newest event of this kind in the activity of the brand.
    async fn event(&self, kind: &str) -> Value {
        eventually(&format!("an event {kind}"), async || {
            let path = format!("/api/brands/{BRAND}/mcp-activity?kind={kind}");
            let page = self.app.get(&path).bearer(&self.app.token("ada")).send().await.expect_status(200);
            page.body["events"].get(0).cloned()
        })
        .await
    }

    async fn set_settings(&self, user: &str, settings: Value) -> Reply {
        let path = format!("/api/brands/{BRAND}/approval-settings");
        self.app.request("PATCH", &path).bearer(&self.app.token(user)).json(&settings).await
    }

    async fn restart_with(self, argument: &str) -> Self {
        Self { app: self.app.restart_with(argument).await, ..self }
    }
}

/// A write key of this person with this rule.
async fn new_key(app: &TestApp, user: &str, rule: &str) -> CreatedKey {
    let body = json!({"label": format!("{user}'s, {rule}"), "scope": "write", "approval": rule});
    app.create_key_as(user, BRAND, body).await
}

fn path(approval_id: &str, action: &str) -> String {
    format!("/api/brands/{BRAND}/approvals/{approval_id}{action}")
}

fn is_held(reply: &Reply) -> bool {
    reply.result()["status"] == "awaiting_approval"
}

/// A post that the feed has at once.
fn now(text: &str) -> Value {
    json!({"text": text, "channels": ["feed"], "mode": "now"})
}
