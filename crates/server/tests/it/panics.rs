//! A handler that panics is answered, and nothing of its request is told: not in the answer, not in what the panic
//! itself prints.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use rand::TryRng;
use serde_json::json;
use svc_mcp_access::Entropy;

use crate::support::{BRAND, JWT_SECRET, TestApp, Wishes};

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
    let told = Arc::new(Mutex::new(String::new()));
    let (heard, usual) = (Arc::clone(&told), Arc::new(std::panic::take_hook()));
    let unheard = Arc::clone(&usual);
    std::panic::set_hook(Box::new(move |panic| {
        if panic.to_string().contains("no random numbers left") {
            let trace = std::backtrace::Backtrace::force_capture();
            *heard.lock().unwrap() = format!("{panic}\n{trace}");
        } else {
            unheard(panic);
        }
    }));
    broken.store(true, Ordering::SeqCst);
    let token = app.token("ada");
    let named = app.post(&path).bearer(&token).header("x-request-id", "boom-1");
    let reply = named.json(&json!({"label": "never made"})).await.expect_problem(500, "internal");
    let told = told.lock().unwrap().clone();
    assert!(told.contains("no random numbers left"), "the panic was not heard");
    for secret in [token.as_str(), JWT_SECRET, "never made"] {
        assert!(!told.contains(secret) && !reply.text.contains(secret), "{secret} is told");
    }
    assert_eq!(reply.body["request_id"], "boom-1");
    assert!(!reply.text.contains("random numbers"), "{}", reply.text);
    assert_eq!(app.get(&path).bearer(&app.token("ada")).send().await.body["keys"], json!([]));
    app.create_key(json!({"label": "made"})).await;
}
