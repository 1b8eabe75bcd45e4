//! A panic of a handler is answered 500. Neither the response nor the panic message contains data of the request.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use rand::TryRng;
use serde_json::json;
use svc_mcp_access::Entropy;

use crate::support::{AppOptions, BRAND, JWT_SECRET, TestApp};

#[tokio::test]
async fn panic_is_answered_500_with_only_the_request_id() {
    let broken = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&broken);
    let source = Mutex::new(svc_mcp_testkit::seeded(5));
    let entropy = Entropy::new(move |bytes| {
        // A request id needs few random bytes, a new key needs many.
        assert!(bytes.len() < 64 || !switch.swap(false, Ordering::SeqCst), "no random numbers left");
        let Ok(()) = source.lock().unwrap_or_else(std::sync::PoisonError::into_inner).try_fill_bytes(bytes);
    });
    let app = TestApp::with(AppOptions { entropy: Some(entropy), ..AppOptions::default() }).await;
    let path = format!("/api/brands/{BRAND}/mcp-keys");
    let message = Arc::new(Mutex::new(String::new()));
    let (recorded, previous) = (Arc::clone(&message), Arc::new(std::panic::take_hook()));
    let default_hook = Arc::clone(&previous);
    std::panic::set_hook(Box::new(move |panic| {
        if panic.to_string().contains("no random numbers left") {
            let trace = std::backtrace::Backtrace::force_capture();
            *recorded.lock().unwrap() = format!("{panic}\n{trace}");
        } else {
            default_hook(panic);
        }
    }));
    broken.store(true, Ordering::SeqCst);
    let token = app.token("ada");
    let named = app.post(&path).bearer(&token).header("x-request-id", "boom-1");
    let reply = named.json(&json!({"label": "never created"})).await.expect_problem(500, "internal");
    let message = message.lock().unwrap().clone();
    assert!(message.contains("no random numbers left"), "the panic hook was not called");
    for secret in [token.as_str(), JWT_SECRET, "never created"] {
        assert!(!message.contains(secret) && !reply.text.contains(secret), "{secret} is in the output");
    }
    assert_eq!(reply.body["request_id"], "boom-1");
    assert!(!reply.text.contains("random numbers"), "{}", reply.text);
    assert_eq!(app.get(&path).bearer(&app.token("ada")).send().await.body["keys"], json!([]));
    app.create_key(json!({"label": "created"})).await;
}
