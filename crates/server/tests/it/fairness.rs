//! One brand cannot use up what all brands share: requests in flight, waits and workers.

use std::{
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    time::Duration,
};

use futures_util::{StreamExt, future::join_all, stream::FuturesUnordered};
use serde_json::{Value, json};

use crate::{
    audits::app_for,
    support::{
        AppOptions, BRAND, OTHER_BRAND, Receiver, Reply, Site, TestApp, eventually, eventually_with_key,
    },
};

/// On a very busy machine, calls may stop waiting before all of them have begun. Then the test starts again.
const MAX_RUNS: usize = 8;
const HOME: &str = "<html lang=en><title>The home of good coffee beans</title><h1>Home</h1>";

async fn pause() {
    tokio::time::sleep(Duration::from_millis(300)).await;
}

/// A call that is sent again while the service is busy.
async fn call_when_free(app: &TestApp, key: &str, arguments: &Value) -> Reply {
    loop {
        let reply = app.call(key, "run_audit", arguments.clone()).await;
        if reply.status != 503 {
            return reply;
        }
        pause().await;
    }
}

#[tokio::test]
async fn waiting_calls_of_a_brand_leave_the_requests_of_others_alone() {
    const MAX_REQUESTS: usize = 2;
    const WAITS: u32 = 5;
    for _ in 0..MAX_RUNS {
        let site = Site::with(&[("/", HOME)]).await;
        site.respond_only_to(0);
        let arguments =
            vec![format!("--outbound-allow={}", site.authority()), format!("--max-requests={MAX_REQUESTS}")];
        let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
        app.put_sites(&site.url, &[]).await;
        let (key, watcher) = (app.key("write").await, app.key("read").await);
        let other = app.create_key_as("eve", OTHER_BRAND, json!({"label": "other"})).await.api_key;
        let ended = AtomicUsize::new(0);
        let waits = join_all((1..=WAITS).map(|pages| {
            let (app, key, ended) = (&app, &key, &ended);
            async move {
                let arguments = json!({"max_pages": pages, "wait_seconds": 25});
                let reply = call_when_free(app, key, &arguments).await;
                assert_eq!(reply.status, 200, "{}", reply.text);
                ended.fetch_add(1, SeqCst);
            }
        }));
        let other_is_served = async {
            loop {
                // All calls have stored their audits, so they are waiting.
                let list = app.call(&watcher, "list_audits", json!({})).await;
                let is_stored = list.status == 200 && list.result()["total"] == WAITS;
                if is_stored && app.list_tools(&other).await.status == 200 {
                    return ended.load(SeqCst) == 0;
                }
                pause().await;
            }
        };
        tokio::select! {
            _ = waits => {}
            is_served = other_is_served => if is_served { return },
        }
    }
    panic!("another brand was never served while {WAITS} calls waited");
}

#[tokio::test]
async fn ninth_waiting_call_of_a_brand_returns_at_once_and_says_why() {
    let site = Site::with(&[("/", HOME)]).await;
    site.respond_only_to(0);
    let app = app_for(&[&site]).await;
    // The other calls find this audit. Without it, some of them would start their own at the same moment.
    app.call(&app.key("write").await, "run_audit", json!({})).await;
    let first = eventually("a call that does not wait", async || {
        let key = app.key("write").await;
        let waiting = |_| app.call(&key, "run_audit", json!({"wait_seconds": 25}));
        let mut calls: FuturesUnordered<_> = (0..9).map(waiting).collect();
        let first = calls.next().await.unwrap();
        first.result()["note"].is_string().then(|| first.result().clone())
    })
    .await;
    assert!(first["note"].as_str().unwrap().contains("get_audit"), "{first}");
    assert_eq!((&first["result"], &first["poll_with"]), (&Value::Null, &json!("get_audit")));
    assert!(["queued", "running"].contains(&first["status"].as_str().unwrap()), "{first}");
    site.respond_to_all();
    let key = app.key("write").await;
    let done = eventually_with_key("a call that waits again", async || {
        let done = app.call(&key, "run_audit", json!({"wait_seconds": 25})).await.result().clone();
        done["result"].is_object().then_some(done)
    })
    .await;
    assert_eq!((&done["note"], &done["status"]), (&Value::Null, &json!("done")));
}

async fn put_webhook(app: &TestApp, brand: &str, user: &str, channel: &str, url: &str) {
    let body = json!({"kind": "webhook", "settings": {"url": url}});
    let path = format!("/api/brands/{brand}/channels/{channel}");
    app.put(&path).bearer(&app.token(user)).json(&body).await.expect_status(200);
}

#[tokio::test]
async fn slow_webhooks_of_a_brand_do_not_delay_posts_of_others() {
    const CHANNELS: [&str; 4] = ["a", "b", "c", "d"];
    for _ in 0..MAX_RUNS {
        let (slow, receiver) = (Site::with(&[]).await, Receiver::start().await);
        slow.respond_only_to(0);
        let arguments = vec!["--outbound-allow=127.0.0.1".to_owned()];
        let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
        for channel in CHANNELS {
            put_webhook(&app, BRAND, "ada", channel, &format!("{}/{channel}", slow.url)).await;
        }
        put_webhook(&app, OTHER_BRAND, "eve", "hook", &receiver.url).await;
        let key = app.key("write").await;
        let other = json!({"label": "other", "scope": "write"});
        let other = app.create_key_as("eve", OTHER_BRAND, other).await.api_key;
        let blocking =
            app.call(&key, "create_post", json!({"text": "a", "channels": CHANNELS, "mode": "now"}));
        let publishing = async {
            let requests =
                || CHANNELS.iter().map(|channel| slow.request_count(&format!("/{channel}"))).sum::<usize>();
            eventually("a request to a slow webhook", async || (requests() > 0).then_some(())).await;
            let post = json!({"text": "b", "channels": ["hook"], "mode": "now"});
            let created = app.call(&other, "create_post", post).await.result()["post"].clone();
            eventually_with_key("the post of the other brand", async || {
                let post = app.call(&other, "get_post", json!({"post_id": created["post_id"]})).await;
                (post.result()["targets"][0]["status"] == "published").then_some(())
            })
            .await;
            // A request to a slow webhook ends after 15 s. Until then the brand has one of the two workers.
            requests() == 1
        };
        let (_, is_in_time) = tokio::join!(blocking, publishing);
        assert_eq!(receiver.requests().len(), 1);
        if is_in_time {
            return;
        }
    }
    panic!("the slow webhooks of one brand always delayed the post of the other");
}
