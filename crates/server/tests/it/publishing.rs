//! Posts on their way to channels: at their time, again after a failure, and with a reason where it fails for good.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_access::Clock;

use crate::support::{BRAND, Receiver, TestApp, Wishes};

/// A service that may reach this machine, with a webhook as the channel `hook`.
struct World {
    app: TestApp,
    receiver: Receiver,
    key: String,
}

impl World {
    async fn new() -> Self {
        let arguments = vec!["--outbound-allow=127.0.0.1".to_owned()];
        let app = TestApp::with(Wishes { arguments, local_limit: true, ..Wishes::default() }).await;
        let receiver = Receiver::start().await;
        let key = app.key("write").await;
        let world = Self { app, receiver, key };
        let settings = json!({"url": format!("{}/hook", world.receiver.url)});
        world.put_channel("hook", "webhook", settings).await;
        world
    }

    async fn put_channel(&self, channel: &str, kind: &str, settings: Value) {
        let path = format!("/api/brands/{BRAND}/channels/{channel}");
        let body = json!({"kind": kind, "settings": settings});
        self.app.put(&path).bearer(&self.app.token("ada")).json(&body).await.expect_status(200);
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        // The test's clock stands still, and so does the key's window.
        self.app.clock.advance(Duration::from_secs(2));
        self.app.call(&self.key, tool, arguments).await.result().clone()
    }

    async fn create(&self, text: &str, mode: &str) -> Value {
        let mut post = json!({"text": text, "channels": ["hook"], "mode": mode});
        if mode == "schedule" {
            post["scheduled_at"] = json!("2026-11-15T01:00:00Z");
        }
        self.call("create_post", post).await["post"].clone()
    }

    /// The only target of the post once it is as wished.
    async fn target(&self, post: &Value, wished: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..500 {
            let found = self.app.call(&self.key, "get_post", json!({"post_id": post["post_id"]})).await;
            let target = &found.result()["targets"][0];
            if wished(target) {
                return target.clone();
            }
            self.app.clock.advance(Duration::from_millis(1100));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the target of {post} did not come to be as wished");
    }

    /// Moves the clock to when the target is tried again.
    fn until_next_attempt(&self, target: &Value) {
        let next: svc_mcp_access::Timestamp = target["next_attempt_at"].as_str().unwrap().parse().unwrap();
        let wait = u64::try_from(next.millis() - self.app.clock.now().millis()).unwrap_or(0);
        self.app.clock.advance(Duration::from_millis(wait));
    }
}

fn waits(target: &Value) -> bool {
    !target["next_attempt_at"].is_null()
}

fn has_ended(target: &Value) -> bool {
    !["scheduled", "publishing"].contains(&target["status"].as_str().unwrap())
}

#[tokio::test]
async fn a_post_now_is_answered_with_what_became_of_it() {
    let world = World::new().await;
    let post = world.create("hello", "now").await;
    let target = &post["targets"][0];
    assert_eq!(
        (&target["status"], &target["attempts"], &target["error"]),
        (&json!("published"), &json!(1), &Value::Null)
    );
    let got = world.receiver.got();
    assert_eq!(
        (got.len(), got[0].path.as_str(), &got[0].body["data"]["text"]),
        (1, "/hook", &json!("hello"))
    );
    // A replay says the same, and publishes nothing.
    let body =
        json!({"name": "create_post", "arguments": {"text": "twice", "channels": ["hook"], "mode": "now"}});
    let send = async || {
        let request =
            world.app.post("/mcp/v1/tools/call").bearer(&world.key).header("idempotency-key", "one");
        request.json(&body).await.expect_status(200)
    };
    let (first, second) = (send().await, send().await);
    assert_eq!(second.header("idempotency-replayed"), "true");
    assert_eq!(first.result(), second.result());
    assert_eq!(first.result()["post"]["targets"][0]["status"], "published");
    assert_eq!(world.receiver.got().len(), 2);
}

#[tokio::test]
async fn a_scheduled_post_goes_out_at_its_time_once() {
    let world = World::new().await;
    let post = world.create("later", "schedule").await;
    assert_eq!(post["targets"][0]["status"], "scheduled");
    world.app.clock.advance(Duration::from_mins(30));
    // Another post goes out meanwhile, so the workers have looked.
    world.create("now", "now").await;
    assert_eq!(world.receiver.got().len(), 1);
    world.app.clock.advance(Duration::from_mins(31));
    world.target(&post, has_ended).await;
    world.create("after", "now").await;
    let texts: Vec<Value> = world.receiver.got().iter().map(|got| got.body["data"]["text"].clone()).collect();
    assert_eq!(texts, ["now", "later", "after"]);
    assert_eq!(world.receiver.got()[1].body["timestamp"], "2026-11-15T01:00:00.000Z");
}

#[tokio::test]
async fn a_failed_attempt_is_told_and_made_again_under_the_same_id() {
    let world = World::new().await;
    world.receiver.will_answer([(503, None), (500, None)]);
    let post = world.create("again", "now").await;
    let first = &post["targets"][0];
    assert_eq!((&first["status"], &first["attempts"]), (&json!("publishing"), &json!(1)), "{first}");
    assert!(first["error"].as_str().unwrap().contains("answered 503"), "{first}");
    world.until_next_attempt(first);
    let second = world.target(&post, |target| waits(target) && target["attempts"] == 2).await;
    assert!(second["error"].as_str().unwrap().contains("answered 500"), "{second}");
    world.until_next_attempt(&second);
    let third = world.target(&post, has_ended).await;
    assert_eq!(
        (&third["status"], &third["attempts"], &third["error"]),
        (&json!("published"), &json!(3), &Value::Null)
    );
    let got = world.receiver.got();
    assert_eq!(got.len(), 3);
    for other in &got[1..] {
        assert_eq!((other.header("webhook-id"), &other.body), (got[0].header("webhook-id"), &got[0].body));
        assert_ne!(other.header("webhook-timestamp"), got[0].header("webhook-timestamp"));
    }
}

#[tokio::test]
async fn whoever_asks_for_patience_gets_it() {
    let world = World::new().await;
    world.receiver.will_answer([(429, Some(("retry-after", "7200".to_owned())))]);
    let before = world.app.clock.now();
    let post = world.create("patience", "now").await;
    let next: svc_mcp_access::Timestamp =
        post["targets"][0]["next_attempt_at"].as_str().unwrap().parse().unwrap();
    assert!(next >= before.plus(Duration::from_hours(2)), "{next}");
    world.app.clock.advance(Duration::from_mins(110));
    world.create("meanwhile", "now").await;
    assert_eq!(world.receiver.got().len(), 2, "not before its time");
}

#[tokio::test]
async fn after_eight_attempts_it_has_failed_with_its_reason() {
    let world = World::new().await;
    world.receiver.will_answer((0..8).map(|_| (503, None)));
    let post = world.create("never", "now").await;
    let mut target = post["targets"][0].clone();
    let begun = world.app.clock.now();
    for attempt in 2..=8 {
        world.until_next_attempt(&target);
        target = world
            .target(&post, |target| target["attempts"] == attempt && (waits(target) || has_ended(target)))
            .await;
    }
    assert_eq!((&target["status"], &target["attempts"]), (&json!("failed"), &json!(8)), "{target}");
    let told = target["error"].as_str().unwrap();
    assert!(told.contains("tried 8 times") && told.contains("answered 503"), "{told}");
    let hours = (world.app.clock.now().millis() - begun.millis()) / 3_600_000;
    assert!((12..=30).contains(&hours), "{hours}");
    let failed = world.call("list_posts", json!({"status": "failed"})).await;
    assert_eq!(failed["total"], 1);
}

#[tokio::test]
async fn what_will_not_get_better_fails_at_once_and_says_what_to_do() {
    let world = World::new().await;
    for (answer, words) in [
        (401, "signing secret"),
        (403, "signing secret"),
        (404, "Check the address"),
        (410, "Check the address"),
        (422, "did not take the post"),
        (301, "redirect"),
    ] {
        world.receiver.will_answer([(answer, Some(("location", "http://127.0.0.1:1/".to_owned())))]);
        let post = world.create("no", "now").await;
        let target = &post["targets"][0];
        assert_eq!((&target["status"], &target["attempts"]), (&json!("failed"), &json!(1)), "{target}");
        assert!(target["error"].as_str().unwrap().contains(words), "{answer}: {target}");
    }
    assert_eq!(world.receiver.got().len(), 6);
}

#[tokio::test]
async fn inner_hosts_are_not_reached_unless_the_operator_says_so() {
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
    assert!(receiver.got().is_empty());
}

#[tokio::test]
async fn deleting_a_channel_cancels_what_was_to_go_there() {
    let world = World::new().await;
    world.receiver.will_answer([(503, None)]);
    let scheduled = world.create("later", "schedule").await;
    let waiting = world.create("again", "now").await;
    let draft = world.create("draft", "draft").await;
    let path = format!("/api/brands/{BRAND}/channels/hook");
    world.app.delete(&path).bearer(&world.app.token("ada")).send().await.expect_status(204);
    for post in [&scheduled, &waiting, &draft] {
        let target = world.target(post, has_ended).await;
        assert_eq!((&target["status"], &target["next_attempt_at"]), (&json!("cancelled"), &Value::Null));
        assert_eq!(target["error"], "The channel was removed.");
    }
    let refused = world.app.call(&world.key, "create_post", json!({"text": "x", "channels": ["hook"]})).await;
    assert!(refused.text.contains("has no channel"), "{}", refused.text);
    // Their time comes, and nothing goes out, not even to a channel that has the same name by then.
    let settings = json!({"url": format!("{}/new", world.receiver.url)});
    world.put_channel("hook", "webhook", settings).await;
    world.app.clock.advance(Duration::from_hours(2));
    world.create("new", "now").await;
    let texts: Vec<Value> = world.receiver.got().iter().map(|got| got.body["data"]["text"].clone()).collect();
    assert_eq!(texts, ["again", "new"]);
}

#[tokio::test]
async fn each_network_counts_in_its_own_way() {
    let world = World::new().await;
    let server = &world.receiver.url;
    let settings = json!({"server": server, "access_token": "x"});
    world.put_channel("fediverse", "mastodon", settings).await;
    let settings = json!({"server": server, "identifier": "acme.example", "app_password": "x"});
    world.put_channel("sky", "bluesky", settings).await;
    let link = format!("https://acme.example/{}", "x".repeat(280));
    let issues = async |post: Value| {
        let verdict = world.call("validate_post", post).await;
        let issues = verdict["issues"].as_array().unwrap().clone();
        let told = |issue: &Value| {
            format!("{} {} {}", issue["channel"], issue["code"], issue["actual"]).replace('"', "")
        };
        issues.iter().map(told).collect::<Vec<_>>()
    };
    let both = json!(["fediverse", "sky"]);
    // 277 characters and a link of 301: 300 for Mastodon, 578 for Bluesky.
    let text = format!("{} {link}", "a".repeat(276));
    assert_eq!(issues(json!({"text": text, "channels": both})).await, ["sky text_too_long 578"]);
    // The link as a field: below the text on Mastodon, a card on Bluesky.
    let text = "a".repeat(300);
    assert_eq!(issues(json!({"text": text, "link": link, "channels": both})).await, Vec::<String>::new());
    let text = "a".repeat(476);
    let told = issues(json!({"text": text, "link": link, "channels": ["fediverse"]})).await;
    assert_eq!(told, ["fediverse text_too_long 501"]);
    let families = "👩‍👩‍👧‍👦".repeat(121);
    assert_eq!(issues(json!({"text": families, "channels": both})).await, ["sky text_too_many_bytes 3025"]);
    let media: Vec<Value> = (0..5).map(|n| json!({"url": format!("https://acme.example/{n}.png")})).collect();
    let told = issues(json!({"text": "x", "media": media, "channels": both})).await;
    assert_eq!(told, ["fediverse too_many_media 5", "sky too_many_media 5"]);
}

#[tokio::test]
async fn a_dry_run_shows_what_would_be_sent_and_sends_nothing() {
    let world = World::new().await;
    let server = &world.receiver.url;
    let settings = json!({"server": server, "access_token": "s3cret", "visibility": "private"});
    world.put_channel("fediverse", "mastodon", settings).await;
    let settings = json!({"server": server, "identifier": "acme.example", "app_password": "s3cret"});
    world.put_channel("sky", "bluesky", settings).await;
    let post = json!({
        "text": "Hello #coffee", "link": "https://acme.example/menu", "mode": "now", "dry_run": true,
        "channels": ["feed", "fediverse", "hook", "sky"],
    });
    let shown = world.app.call(&world.key, "create_post", post).await;
    assert!(!shown.text.contains("s3cret"), "{}", shown.text);
    let previews = shown.result()["previews"].as_array().unwrap().clone();
    let of = |channel: &str| previews.iter().find(|one| one["channel"] == channel).unwrap().clone();
    assert_eq!(of("feed")["request"], Value::Null);
    assert_eq!(of("hook")["request"]["data"]["text"], "Hello #coffee");
    assert_eq!((&of("fediverse")["length"], &of("fediverse")["text_limit"]), (&json!(38), &json!(500)));
    assert_eq!(
        of("fediverse")["request"],
        json!({"status": "Hello #coffee\n\nhttps://acme.example/menu", "visibility": "private", "media_ids": []})
    );
    let record = &of("sky")["request"];
    assert_eq!(record["facets"][0]["index"], json!({"byteStart": 6, "byteEnd": 13}));
    assert_eq!(record["embed"]["external"]["uri"], "https://acme.example/menu");
    assert!(world.receiver.got().is_empty());
    assert_eq!(world.call("list_posts", json!({})).await["total"], 0);
}
