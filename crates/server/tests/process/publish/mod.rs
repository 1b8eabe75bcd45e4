//! Posts that really go out: to a receiver that verifies their signature, to Mastodon's documented interface, to a real
//! Bluesky server; and what happens when the service is killed while one does.

mod bluesky;
mod kill;
mod mastodon;
mod other;
mod webhook;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Api, Place, Running, eventually, try_answered};
use other::Other;

/// A running service with the brand `acme`, and who asks it.
#[derive(Debug)]
struct World {
    place: Place,
    running: Running,
    /// An administrator's token.
    admin: String,
    /// A key with the scope `write`.
    key: String,
}

impl World {
    async fn new(place: Place) -> Self {
        let place = place.with("SVC_OUTBOUND_ALLOW", "127.0.0.1,localhost").with("SVC_JOB_LEASE", "1");
        place.add_brand("acme", "ada");
        let running = place.serve(&[]);
        let admin = place.token("ada");
        let wish = json!({"label": "agent", "scope": "write"});
        let key = running.api(&admin).create_key("acme", &wish).await;
        let key = key["api_key"].as_str().expect("a key").to_owned();
        Self { place, running, admin, key }
    }

    fn agent(&self) -> Api {
        self.running.api(&self.key)
    }

    async fn put_channel(&self, channel: &str, kind: &str, settings: Value) -> Value {
        let path = format!("/api/brands/acme/channels/{channel}");
        let body = json!({"kind": kind, "settings": settings});
        self.running.api(&self.admin).put(&path, &body).await.expect(200).json()
    }

    /// What a tool gave.
    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.agent().call(tool, &arguments).await.expect(200).json();
        assert_eq!(answer["isError"], false, "{answer}");
        answer["structuredContent"].clone()
    }

    /// Publishes a post now, and gives the only target as it ended.
    async fn publish(&self, post: Value) -> Value {
        let created = self.call("create_post", post).await;
        let post_id = created["post"]["post_id"].as_str().expect("an id").to_owned();
        self.ended(&post_id).await
    }

    /// Publishes a post now and does not wait: whoever is to take it keeps it, and gives no answer.
    fn begin(&self, text: &str, channel: &str) {
        let arguments = json!({"text": text, "channels": [channel], "mode": "now"});
        let call = json!({"name": "create_post", "arguments": arguments});
        let request = self.agent().request(Method::POST, "/mcp/v1/tools/call").json(&call);
        tokio::spawn(async move {
            // The service is killed before it answers.
            let _ = try_answered(request).await;
        });
    }

    /// The id of the only post.
    async fn post_id(&self) -> String {
        let posts = self.call("list_posts", json!({})).await;
        assert_eq!(posts["total"], 1, "{posts}");
        posts["items"][0]["post_id"].as_str().expect("an id").to_owned()
    }

    /// The only target of a post, once it has come to its end.
    async fn ended(&self, post_id: &str) -> Value {
        eventually("the end of a target", async || {
            let post = self.call("get_post", json!({"post_id": post_id})).await;
            let target = post["targets"][0].clone();
            let open = ["scheduled", "publishing"].contains(&target["status"].as_str()?);
            (!open).then_some(target)
        })
        .await
    }

    /// `kill -9`, and the next process.
    fn killed_and_started(self) -> Self {
        self.running.kill();
        Self { running: self.place.serve(&[]), ..self }
    }
}
