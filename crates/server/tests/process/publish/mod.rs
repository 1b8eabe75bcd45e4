//! Published and withdrawn posts: to a receiver that verifies signatures, to an implementation of Mastodon's documentation, to a real
//! Bluesky server, and when the service is killed while it publishes.

mod bluesky;
mod events;
mod external_server;
mod kill;
mod mastodon;
mod restore;
mod webhook;

use serde_json::{Value, json};

use crate::support::{Sandbox, TestService, eventually_with_key, try_send};
use external_server::ExternalServer;

impl TestService {
    /// A service that may send requests to this machine.
    async fn publishing(sandbox: Sandbox) -> Self {
        // The lease is long enough that a busy worker keeps it, and short enough to wait for after a kill.
        let sandbox = sandbox.with("SVC_OUTBOUND_ALLOW", "127.0.0.1,localhost").with("SVC_JOB_LEASE", "4");
        Self::start(sandbox, &[]).await
    }

    async fn put_channel(&self, channel: &str, kind: &str, settings: Value) -> Value {
        let path = format!("/api/brands/acme/channels/{channel}");
        let body = json!({"kind": kind, "settings": settings});
        self.admin().put(&path, &body).await.expect_status(200).json()
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.agent().call(tool, &arguments).await.tool_result()
    }

    /// Publishes a post now, and returns its only target in the final state.
    async fn publish(&self, post: Value) -> Value {
        let created = self.call("create_post", post).await;
        let post_id = created["post"]["post_id"].as_str().expect("an id").to_owned();
        self.wait_for_target(&post_id).await
    }

    /// Withdraws the only post, and returns its only target in the final state.
    async fn withdraw(&self) -> Value {
        let post_id = self.post_id().await;
        self.call("withdraw_post", json!({"post_id": post_id})).await;
        self.wait_for_target(&post_id).await
    }

    /// Publishes a post now. Does not wait, because the server of the channel holds the response back.
    fn publish_in_background(&self, text: &str, channel: &str) {
        let arguments = json!({"text": text, "channels": [channel], "mode": "now"});
        let request = self.agent().call_request("create_post", &arguments);
        tokio::spawn(async move {
            // The service is killed before it responds.
            let _ = try_send(request).await;
        });
    }

    /// The id of the only post.
    async fn post_id(&self) -> String {
        let posts = self.call("list_posts", json!({})).await;
        assert_eq!(posts["total"], 1, "{posts}");
        posts["items"][0]["post_id"].as_str().expect("an id").to_owned()
    }

    /// The only target of a post, once it is in a final state.
    async fn wait_for_target(&self, post_id: &str) -> Value {
        eventually_with_key("the final state of a target", async || {
            let post = self.agent().poll_tool("get_post", &json!({"post_id": post_id})).await?;
            let target = post["targets"][0].clone();
            let is_open = ["scheduled", "publishing", "withdrawing"].contains(&target["status"].as_str()?);
            (!is_open).then_some(target)
        })
        .await
    }

    /// `kill -9`, and a new process on the same data.
    fn kill_and_restart(self) -> Self {
        self.service.kill();
        Self { service: self.sandbox.serve(&[]), ..self }
    }
}
