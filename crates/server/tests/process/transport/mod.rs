//! Slow, greedy and confused clients, and the shutdown of the service.

mod addresses;
mod connections;
mod protocol;
mod shutdown;
mod size;
mod slow;
mod too_many;
mod unread;

use crate::support::TestService;

impl TestService {
    /// The head of a request that creates a key, without its body.
    fn create_head(&self, more: &str) -> String {
        head("/api/brands/acme/mcp-keys", &self.admin_token, more)
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

/// JSON with trailing spaces up to this length.
fn padded(json: &str, length: usize) -> String {
    format!("{json}{}", " ".repeat(length - json.len()))
}
