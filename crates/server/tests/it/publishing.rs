//! Publishing to channels: at the scheduled time, with retries, and with a reason for a final failure.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_access::Clock;

use crate::support::{AppOptions, BRAND, Receiver, TestApp, eventually_with_key};

/// A service that may reach this machine, with a webhook as the channel `hook`.
pub(crate) struct PublishingTest {
    pub(crate) app: TestApp,
    pub(crate) receiver: Receiver,
    pub(crate) key: String,
}

impl PublishingTest {
    pub(crate) async fn new() -> Self {
        let arguments = vec!["--outbound-allow=127.0.0.1".to_owned()];
        let app =
            TestApp::with(AppOptions { arguments, local_rate_limit: true, ..AppOptions::default() }).await;
        let receiver = Receiver::start().await;
        let key = app.key("write").await;
        let test = Self { app, receiver, key };
        let settings = json!({"url": format!("{}/hook", test.receiver.url)});
        test.put_channel("hook", "webhook", settings).await;
        test
    }

    pub(crate) async fn put_channel(&self, channel: &str, kind: &str, settings: Value) {
        let path = format!("/api/brands/{BRAND}/channels/{channel}");
        let body = json!({"kind": kind, "settings": settings});
        self.app.put(&path).bearer(&self.app.token("ada")).json(&body).await.expect_status(200);
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        // The rate limit uses the clock of the test.
        self.app.clock.advance(Duration::from_secs(2));
        self.app.call(&self.key, tool, arguments).await.result().clone()
    }

    pub(crate) async fn create(&self, text: &str, mode: &str) -> Value {
        let mut post = json!({"text": text, "channels": ["hook"], "mode": mode});
        if mode == "schedule" {
            post["scheduled_at"] = json!("2026-11-15T01:00:00Z");
        }
        self.call("create_post", post).await["post"].clone()
    }

    /// The code of a call that must fail.
    pub(crate) async fn refusal(&self, tool: &str, arguments: Value) -> String {
        self.app.clock.advance(Duration::from_secs(2));
        let reply = self.app.call(&self.key, tool, arguments).await;
        assert_eq!((reply.status, &reply.body["isError"]), (200, &json!(true)), "{}", reply.text);
        reply.body["structuredContent"]["code"].as_str().unwrap().to_owned()
    }

    /// Waits until the only target of the post matches.
    pub(crate) async fn wait_for_target(&self, post: &Value, matches: impl Fn(&Value) -> bool) -> Value {
        eventually_with_key("the state of the target", async || {
            let found = self.app.call(&self.key, "get_post", json!({"post_id": post["post_id"]})).await;
            let target = &found.result()["targets"][0];
            // Time for the next poll within the rate limit.
            self.app.clock.advance(Duration::from_millis(1100));
            matches(target).then(|| target.clone())
        })
        .await
    }

    /// Moves the clock to the next attempt.
    pub(crate) fn advance_to_next_attempt(&self, target: &Value) {
        let next: svc_mcp_access::Timestamp = target["next_attempt_at"].as_str().unwrap().parse().unwrap();
        let wait = u64::try_from(next.millis() - self.app.clock.now().millis()).unwrap_or(0);
        self.app.clock.advance(Duration::from_millis(wait));
    }
}

pub(crate) fn is_waiting(target: &Value) -> bool {
    !target["next_attempt_at"].is_null()
}

pub(crate) fn has_ended(target: &Value) -> bool {
    !["scheduled", "publishing", "withdrawing"].contains(&target["status"].as_str().unwrap())
}

#[tokio::test]
async fn published_post_is_returned_with_its_target() {
    let test = PublishingTest::new().await;
    let post = test.create("hello", "now").await;
    let target = &post["targets"][0];
    assert_eq!(
        (&target["status"], &target["attempts"], &target["error"]),
        (&json!("published"), &json!(1), &Value::Null)
    );
    let requests = test.receiver.requests();
    assert_eq!(
        (requests.len(), requests[0].path.as_str(), &requests[0].body["data"]["text"]),
        (1, "/hook", &json!("hello"))
    );
    // A replay returns the same, and publishes nothing.
    let body =
        json!({"name": "create_post", "arguments": {"text": "twice", "channels": ["hook"], "mode": "now"}});
    let send = async || {
        let request = test.app.post("/mcp/v1/tools/call").bearer(&test.key).header("idempotency-key", "one");
        request.json(&body).await.expect_status(200)
    };
    let (first, second) = (send().await, send().await);
    assert_eq!(second.header("idempotency-replayed"), "true");
    assert_eq!(first.result(), second.result());
    assert_eq!(first.result()["post"]["targets"][0]["status"], "published");
    assert_eq!(test.receiver.requests().len(), 2);
}

#[tokio::test]
async fn scheduled_post_is_sent_once_at_its_time() {
    let test = PublishingTest::new().await;
    let post = test.create("later", "schedule").await;
    assert_eq!(post["targets"][0]["status"], "scheduled");
    test.app.clock.advance(Duration::from_mins(30));
    // Another published post shows that the workers are running.
    test.create("now", "now").await;
    assert_eq!(test.receiver.requests().len(), 1);
    test.app.clock.advance(Duration::from_mins(31));
    test.wait_for_target(&post, has_ended).await;
    test.create("after", "now").await;
    let texts: Vec<Value> =
        test.receiver.requests().iter().map(|request| request.body["data"]["text"].clone()).collect();
    assert_eq!(texts, ["now", "later", "after"]);
    assert_eq!(test.receiver.requests()[1].body["timestamp"], "2026-11-15T01:00:00.000Z");
}

#[tokio::test]
async fn failed_attempt_is_reported_and_repeated_with_the_same_id() {
    let test = PublishingTest::new().await;
    test.receiver.respond_with([(503, None), (500, None)]);
    let post = test.create("again", "now").await;
    let first = &post["targets"][0];
    assert_eq!((&first["status"], &first["attempts"]), (&json!("publishing"), &json!(1)), "{first}");
    assert!(first["error"].as_str().unwrap().contains("answered 503"), "{first}");
    test.advance_to_next_attempt(first);
    let second = test.wait_for_target(&post, |target| is_waiting(target) && target["attempts"] == 2).await;
    assert!(second["error"].as_str().unwrap().contains("answered 500"), "{second}");
    test.advance_to_next_attempt(&second);
    let third = test.wait_for_target(&post, has_ended).await;
    assert_eq!(
        (&third["status"], &third["attempts"], &third["error"]),
        (&json!("published"), &json!(3), &Value::Null)
    );
    let requests = test.receiver.requests();
    assert_eq!(requests.len(), 3);
    for other in &requests[1..] {
        assert_eq!(
            (other.header("webhook-id"), &other.body),
            (requests[0].header("webhook-id"), &requests[0].body)
        );
        assert_ne!(other.header("webhook-timestamp"), requests[0].header("webhook-timestamp"));
    }
}

#[tokio::test]
async fn retry_after_of_the_receiver_is_respected() {
    let test = PublishingTest::new().await;
    test.receiver.respond_with([(429, Some(("retry-after", "7200".to_owned())))]);
    let before = test.app.clock.now();
    let post = test.create("later", "now").await;
    let next: svc_mcp_access::Timestamp =
        post["targets"][0]["next_attempt_at"].as_str().unwrap().parse().unwrap();
    assert!(next >= before.plus(Duration::from_hours(2)), "{next}");
    test.app.clock.advance(Duration::from_mins(110));
    test.create("meanwhile", "now").await;
    assert_eq!(test.receiver.requests().len(), 2, "the post was sent too early");
}

#[tokio::test]
async fn target_fails_after_eight_attempts_with_a_reason() {
    let test = PublishingTest::new().await;
    test.receiver.respond_with((0..8).map(|_| (503, None)));
    let post = test.create("never", "now").await;
    let mut target = post["targets"][0].clone();
    let begun = test.app.clock.now();
    for attempt in 2..=8 {
        test.advance_to_next_attempt(&target);
        target = test
            .wait_for_target(&post, |target| {
                target["attempts"] == attempt && (is_waiting(target) || has_ended(target))
            })
            .await;
    }
    assert_eq!((&target["status"], &target["attempts"]), (&json!("failed"), &json!(8)), "{target}");
    let error = target["error"].as_str().unwrap();
    assert!(error.contains("tried 8 times") && error.contains("answered 503"), "{error}");
    let hours = (test.app.clock.now().millis() - begun.millis()) / 3_600_000;
    assert!((12..=30).contains(&hours), "{hours}");
    let failed = test.call("list_posts", json!({"status": "failed"})).await;
    assert_eq!(failed["total"], 1);
}

#[tokio::test]
async fn permanent_error_fails_at_once_with_advice() {
    let test = PublishingTest::new().await;
    for (status, advice) in [
        (401, "signing secret"),
        (403, "signing secret"),
        (404, "Check the address"),
        (410, "Check the address"),
        (422, "did not accept the post"),
        (301, "redirect"),
    ] {
        test.receiver.respond_with([(status, Some(("location", "http://127.0.0.1:1/".to_owned())))]);
        let post = test.create("no", "now").await;
        let target = &post["targets"][0];
        assert_eq!((&target["status"], &target["attempts"]), (&json!("failed"), &json!(1)), "{target}");
        assert!(target["error"].as_str().unwrap().contains(advice), "{status}: {target}");
    }
    assert_eq!(test.receiver.requests().len(), 6);
}

#[tokio::test]
async fn private_hosts_are_refused_unless_allowed() {
    let app = TestApp::new().await;
    let receiver = Receiver::start().await;
    let path = format!("/api/brands/{BRAND}/channels/hook");
    let body = json!({"kind": "webhook", "settings": {"url": receiver.url}});
    app.put(&path).bearer(&app.token("ada")).json(&body).await.expect_status(200);
    let post = json!({"text": "x", "channels": ["hook"], "mode": "now"});
    let created = app.call(&app.key("write").await, "create_post", post).await;
    let target = &created.result()["post"]["targets"][0];
    assert_eq!(target["status"], "failed");
    assert!(target["error"].as_str().unwrap().contains("not a public server"), "{target}");
    assert!(receiver.requests().is_empty());
}

#[tokio::test]
async fn deleting_a_channel_cancels_its_targets() {
    let test = PublishingTest::new().await;
    test.receiver.respond_with([(503, None)]);
    let scheduled = test.create("later", "schedule").await;
    let waiting = test.create("again", "now").await;
    let draft = test.create("draft", "draft").await;
    let path = format!("/api/brands/{BRAND}/channels/hook");
    test.app.delete(&path).bearer(&test.app.token("ada")).send().await.expect_status(204);
    for post in [&scheduled, &waiting, &draft] {
        let target = test.wait_for_target(post, has_ended).await;
        assert_eq!((&target["status"], &target["next_attempt_at"]), (&json!("cancelled"), &Value::Null));
        assert_eq!(target["error"], "The channel was removed.");
    }
    let refused = test.app.call(&test.key, "create_post", json!({"text": "x", "channels": ["hook"]})).await;
    assert!(refused.text.contains("has no channel"), "{}", refused.text);
    // At their time nothing is sent, also not to a new channel with the same name.
    let settings = json!({"url": format!("{}/new", test.receiver.url)});
    test.put_channel("hook", "webhook", settings).await;
    test.app.clock.advance(Duration::from_hours(2));
    test.create("new", "now").await;
    let texts: Vec<Value> =
        test.receiver.requests().iter().map(|request| request.body["data"]["text"].clone()).collect();
    assert_eq!(texts, ["again", "new"]);
}

#[tokio::test]
async fn each_network_has_its_own_text_limit() {
    let test = PublishingTest::new().await;
    let server = &test.receiver.url;
    let settings = json!({"server": server, "access_token": "x"});
    test.put_channel("fediverse", "mastodon", settings).await;
    let settings = json!({"server": server, "identifier": "acme.example", "app_password": "x"});
    test.put_channel("sky", "bluesky", settings).await;
    let link = format!("https://acme.example/{}", "x".repeat(280));
    let issues = async |post: Value| {
        let verdict = test.call("validate_post", post).await;
        let issues = verdict["issues"].as_array().unwrap().clone();
        let describe = |issue: &Value| {
            format!("{} {} {}", issue["channel"], issue["code"], issue["actual"]).replace('"', "")
        };
        issues.iter().map(describe).collect::<Vec<_>>()
    };
    let both = json!(["fediverse", "sky"]);
    // 277 characters and a link of 301: 300 for Mastodon, 578 for Bluesky.
    let text = format!("{} {link}", "a".repeat(276));
    assert_eq!(issues(json!({"text": text, "channels": both})).await, ["sky text_too_long 578"]);
    // The link as a field: below the text on Mastodon, a card on Bluesky.
    let text = "a".repeat(300);
    assert_eq!(issues(json!({"text": text, "link": link, "channels": both})).await, Vec::<String>::new());
    let text = "a".repeat(476);
    let found = issues(json!({"text": text, "link": link, "channels": ["fediverse"]})).await;
    assert_eq!(found, ["fediverse text_too_long 501"]);
    let families = "👩‍👩‍👧‍👦".repeat(121);
    assert_eq!(issues(json!({"text": families, "channels": both})).await, ["sky text_too_many_bytes 3025"]);
    let media: Vec<Value> = (0..5).map(|n| json!({"url": format!("https://acme.example/{n}.png")})).collect();
    let found = issues(json!({"text": "x", "media": media, "channels": both})).await;
    assert_eq!(found, ["fediverse too_many_media 5", "sky too_many_media 5"]);
}

#[tokio::test]
async fn dry_run_returns_the_requests_and_sends_nothing() {
    let test = PublishingTest::new().await;
    let server = &test.receiver.url;
    let settings = json!({"server": server, "access_token": "s3cret", "visibility": "private"});
    test.put_channel("fediverse", "mastodon", settings).await;
    let settings = json!({"server": server, "identifier": "acme.example", "app_password": "s3cret"});
    test.put_channel("sky", "bluesky", settings).await;
    let mut post = json!({
        "text": "Hello #coffee", "link": "https://acme.example/menu", "mode": "now", "dry_run": true,
        "channels": ["feed", "fediverse", "hook", "sky"],
    });
    let shown = test.app.call(&test.key, "create_post", post.clone()).await;
    assert!(!shown.text.contains("s3cret"), "{}", shown.text);
    let previews = shown.result()["previews"].as_array().unwrap().clone();
    let preview = |channel: &str| previews.iter().find(|one| one["channel"] == channel).unwrap().clone();
    assert_eq!(preview("feed")["request"], Value::Null);
    let event = &preview("hook")["request"]["data"];
    assert_eq!((&event["text"], &event["post_id"]), (&json!("Hello #coffee"), &Value::Null));
    for target in shown.result()["post"]["targets"].as_array().unwrap() {
        assert_eq!((&target["status"], &target["url"]), (&json!("would_publish"), &Value::Null));
    }
    assert_eq!(
        (&preview("fediverse")["length"], &preview("fediverse")["text_limit"]),
        (&json!(38), &json!(500))
    );
    assert_eq!(
        preview("fediverse")["request"],
        json!({"status": "Hello #coffee\n\nhttps://acme.example/menu", "visibility": "private", "media_ids": []})
    );
    let record = &preview("sky")["request"];
    assert_eq!(record["facets"][0]["index"], json!({"byteStart": 6, "byteEnd": 13}));
    assert_eq!(record["embed"]["external"]["uri"], "https://acme.example/menu");
    let pictures = Receiver::start().await;
    pictures.respond_with([(200, Some(("content-type", "image/png".to_owned())))]);
    post["media"] = json!([{"url": format!("{}/cup.png", pictures.url), "alt": "A cup"}]);
    let shown = test.call("create_post", post.clone()).await;
    for preview in shown["previews"].as_array().unwrap() {
        assert_eq!(preview["media"], post["media"], "{preview}");
    }
    assert!(test.receiver.requests().is_empty());
    assert_eq!(test.call("list_posts", json!({})).await["total"], 0);
}
