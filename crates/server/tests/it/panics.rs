//! A handler that panics is answered, and nothing of its request is told.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use rand::TryRng;
use serde_json::json;
use svc_mcp_access::Entropy;

use crate::support::{BRAND, TestApp, Wishes};

#[tokio::test]
async fn a_panic_is_a_500_with_the_request_id_alone() {
    let broken = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&broken);
    let source = Mutex::new(svc_mcp_testkit::seeded(5));
    let entropy = Entropy::new(move |bytes| {
        // Ids of requests are short draws; what makes a key is a long one.
        assert!(bytes.len() < 64 || !switch.swap(false, Ordering::SeqCst), "no random numbers left");
        let Ok(()) = source.lock().unwrap_or_else(std::sync::PoisonError::into_inner).try_fill_bytes(bytes);
    });
    let app = TestApp::with(Wishes { entropy: Some(entropy), ..Wishes::default() }).await;
    let path = format!("/api/brands/{BRAND}/mcp-keys");
    broken.store(true, Ordering::SeqCst);
    let named = app.post(&path).bearer(&app.token("ada")).header("x-request-id", "boom-1");
    let reply = named.json(&json!({"label": "never made"})).await.expect_problem(500, "internal");
    assert_eq!(reply.body["request_id"], "boom-1");
    assert!(!reply.text.contains("random numbers"), "{}", reply.text);
    assert_eq!(app.get(&path).bearer(&app.token("ada")).send().await.body["keys"], json!([]));
    app.create_key(json!({"label": "made"})).await;
}
