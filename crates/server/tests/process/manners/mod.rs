//! Clients that are slow, greedy or confused, and a service that is told to stop.

mod connections;
mod protocol;
mod shutdown;
mod size;
mod slow;
mod too_many;

use serde_json::json;

use crate::support::{Place, Running};

/// A service with one brand, and what opens it.
struct Ready {
    place: Place,
    running: Running,
    /// An administrator of `acme`.
    token: String,
    /// A key of scope `write`.
    key: String,
}

impl Ready {
    async fn with(arguments: &[&str]) -> Self {
        let place = Place::sqlite();
        place.add_brand("acme", "ada");
        let token = place.token("ada");
        let running = place.serve(arguments);
        let wish = json!({"label": "agent", "scope": "write"});
        let key = running.api(&token).create_key("acme", &wish).await;
        let key = key["api_key"].as_str().expect("a key").to_owned();
        Self { place, running, token, key }
    }

    /// The head of a request that creates a key, without its body.
    fn create_head(&self, more: &str) -> String {
        head("/api/brands/acme/mcp-keys", &self.token, more)
    }

    /// The head of a request that calls a tool, without its body.
    fn call_head(&self, more: &str) -> String {
        head("/mcp/v1/tools/call", &self.key, more)
    }
}

fn head(path: &str, bearer: &str, more: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {bearer}\r\n\
         Content-Type: application/json\r\n{more}\r\n\r\n"
    )
}

/// JSON that is exactly so long.
fn padded(json: &str, length: usize) -> String {
    format!("{json}{}", " ".repeat(length - json.len()))
}
