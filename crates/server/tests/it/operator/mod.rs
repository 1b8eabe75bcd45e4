//! The operator's lists, searches and stops over all brands.

mod job_hold;
mod jobs;
mod keys;
mod lists;
mod posts;
mod suspension;

use serde_json::{Value, json};

use crate::support::{AppOptions, BRAND, Receiver, Reply, TestApp};

/// A service with a webhook at the receiver.
async fn start_with_hook(receiver: &Receiver) -> TestApp {
    let arguments = vec!["--outbound-allow=127.0.0.1".to_owned()];
    let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
    let hook = json!({"kind": "webhook", "settings": {"url": receiver.url}});
    let path = format!("/api/brands/{BRAND}/channels/hook");
    app.put(&path).bearer(&app.token("ada")).json(&hook).await.expect_status(200);
    app
}

impl TestApp {
    /// A `GET` of the operator.
    async fn operator_get(&self, path: &str) -> Reply {
        self.get(path).bearer(&self.operator()).send().await
    }

    /// A `POST` of the operator without a body.
    async fn operator_post(&self, path: &str) -> Reply {
        self.post(path).bearer(&self.operator()).send().await
    }
}

/// This field of every row of a list.
fn column(reply: &Reply, list: &str, field: &str) -> Vec<String> {
    let rows = reply.body[list].as_array().unwrap_or_else(|| panic!("{}", reply.text));
    rows.iter().map(|row| row[field].as_str().unwrap_or_default().to_owned()).collect()
}

/// Reads a list in pages of two rows.
async fn all_pages(app: &TestApp, path: &str, list: &str) -> Vec<Value> {
    let (mut rows, mut cursor) = (Vec::new(), String::new());
    let mark = if path.contains('?') { '&' } else { '?' };
    loop {
        let page = app.operator_get(&format!("{path}{mark}limit=2{cursor}")).await.expect_status(200).body;
        let items = page[list].as_array().unwrap();
        assert!(items.len() <= 2, "{page}");
        rows.extend(items.iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return rows,
        }
    }
}
