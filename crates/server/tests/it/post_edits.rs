//! Posts that are changed, published later and cancelled.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    publishing::{PublishingTest, has_ended, is_waiting},
    support::{OTHER_BRAND, TestApp},
};

/// The post with this id and these further arguments.
fn with(post: &Value, more: Value) -> Value {
    let mut arguments = more;
    arguments["post_id"] = post["post_id"].clone();
    arguments
}

/// The texts that the receiver got.
fn texts(test: &PublishingTest) -> Vec<Value> {
    test.receiver.requests().iter().map(|request| request.body["data"]["text"].clone()).collect()
}

#[tokio::test]
async fn draft_is_changed_and_published() {
    let test = PublishingTest::new().await;
    let draft =
        json!({"text": "old", "title": "Old", "link": "https://acme.example/", "channels": ["hook", "feed"]});
    let draft = test.call("create_post", draft).await["post"].clone();
    assert_eq!(draft["version"], 1);
    let change = json!({"text": "new", "title": "", "expected_version": 1});
    let changed = test.call("update_post", with(&draft, change)).await["post"].clone();
    assert_eq!(
        (&changed["text"], &changed["title"], &changed["version"]),
        (&json!("new"), &Value::Null, &json!(2))
    );
    assert_eq!(changed["link"], "https://acme.example/");
    assert_eq!(changed["targets"][0]["status"], "draft");
    // The same again changes nothing.
    let same = test.call("update_post", with(&draft, json!({"text": "new"}))).await;
    assert_eq!(same["post"], changed);
    assert_eq!(test.call("get_post", with(&draft, json!({}))).await, changed);
    // Long after its creation.
    test.app.clock.advance(Duration::from_hours(5));
    let published = test.call("publish_post", with(&draft, json!({}))).await["post"].clone();
    assert_eq!(published["version"], 3);
    for target in published["targets"].as_array().unwrap() {
        assert_eq!((&target["status"], &target["attempts"]), (&json!("published"), &json!(1)), "{published}");
    }
    assert_eq!(texts(&test), ["new"]);
    let sent = test.receiver.requests()[0].body["timestamp"].clone();
    assert_eq!((&sent, sent.as_str() > draft["created_at"].as_str()), (&published["scheduled_at"], true));
    let feed = test.app.get("/feeds/acme/feed.json").send().await.expect_status(200);
    assert_eq!(feed.body["items"][0]["content_text"], "new");
    for tool in ["publish_post", "update_post"] {
        let change = if tool == "update_post" { json!({"text": "newer"}) } else { json!({}) };
        assert_eq!(test.refusal(tool, with(&draft, change)).await, "post_state");
    }
}

#[tokio::test]
async fn change_of_another_version_is_refused() {
    let test = PublishingTest::new().await;
    let draft = test.create("first", "draft").await;
    let change = |text: &str| with(&draft, json!({"text": text, "expected_version": 1}));
    test.call("update_post", change("second")).await;
    assert_eq!(test.refusal("update_post", change("third")).await, "post_changed");
    for tool in ["publish_post", "cancel_post", "withdraw_post"] {
        assert_eq!(
            test.refusal(tool, with(&draft, json!({"expected_version": 1}))).await,
            "post_changed",
            "{tool}"
        );
    }
    let post = test.call("get_post", with(&draft, json!({}))).await;
    assert_eq!((&post["text"], &post["version"]), (&json!("second"), &json!(2)));
    assert!(texts(&test).is_empty());
}

#[tokio::test]
async fn concurrent_changes_are_made_one_after_the_other() {
    let test = PublishingTest::new().await;
    let draft = test.create("0", "draft").await;
    let changes = (1..=5).map(|number| {
        let change = with(&draft, json!({"text": number.to_string(), "expected_version": 1}));
        test.app.call(&test.key, "update_post", change)
    });
    let changed = join_all(changes).await;
    let done = changed.iter().filter(|reply| reply.expect_ok()["isError"] == false).count();
    assert_eq!(done, 1);
    let published =
        join_all((0..5).map(|_| test.app.call(&test.key, "publish_post", with(&draft, json!({}))))).await;
    let done = published.iter().filter(|reply| reply.expect_ok()["isError"] == false).count();
    assert_eq!(done, 1, "the others find nothing to publish");
    test.wait_for_target(&draft, has_ended).await;
    assert_eq!(texts(&test).len(), 1);
}

#[tokio::test]
async fn scheduled_post_gets_another_time_text_and_channels() {
    let test = PublishingTest::new().await;
    // For one o'clock.
    let post = test.create("early", "schedule").await;
    let change =
        json!({"text": "late", "channels": ["feed", "hook"], "scheduled_at": "2026-11-15T03:00:00+01:00"});
    let changed = test.call("update_post", with(&post, change)).await["post"].clone();
    assert_eq!(changed["scheduled_at"], "2026-11-15T02:00:00.000Z");
    for target in changed["targets"].as_array().unwrap() {
        assert_eq!(target["status"], "scheduled", "{changed}");
    }
    test.app.clock.advance(Duration::from_mins(90));
    // Another published post shows that the workers are running.
    test.create("between", "now").await;
    assert_eq!(texts(&test), ["between"]);
    test.app.get("/feeds/acme/feed.json").send().await.expect_problem(404, "not_found");
    test.app.clock.advance(Duration::from_mins(31));
    test.wait_for_target(&post, has_ended).await;
    test.create("after", "now").await;
    assert_eq!(texts(&test), ["between", "late", "after"]);
    assert_eq!(test.receiver.requests()[1].body["timestamp"], "2026-11-15T02:00:00.000Z");

    // Without one of its channels, and earlier.
    let post = json!({"text": "x", "channels": ["feed", "hook"], "mode": "schedule", "scheduled_at": "2026-11-20T00:00:00Z"});
    let post = test.call("create_post", post).await["post"].clone();
    let change = json!({"channels": ["hook"], "scheduled_at": "2026-11-16T00:00:00Z"});
    let changed = test.call("update_post", with(&post, change)).await["post"].clone();
    assert_eq!(changed["targets"].as_array().unwrap().len(), 1);
    test.app.clock.advance(Duration::from_hours(30));
    test.wait_for_target(&post, has_ended).await;
    assert_eq!(texts(&test).len(), 4);
}

#[tokio::test]
async fn change_that_does_not_fit_is_refused() {
    let test = PublishingTest::new().await;
    let post = test.create("fits", "schedule").await;
    for change in [
        json!({"text": "x".repeat(10_001)}),
        json!({"channels": ["nowhere"]}),
        json!({"scheduled_at": "2026-11-14T00:00:00Z"}),
        json!({"scheduled_at": ""}),
    ] {
        assert_eq!(
            test.refusal("update_post", with(&post, change.clone())).await,
            "post_invalid",
            "{change}"
        );
    }
    for (change, field) in [
        (json!({}), "text"),
        (json!({"text": "  "}), "text"),
        (json!({"link": "ftp://acme.example"}), "link"),
        (json!({"scheduled_at": "tomorrow"}), "scheduled_at"),
        (json!({"channels": []}), "channels"),
        (json!({"expected_version": 0}), "expected_version"),
        (json!({"text": "x", "mode": "now"}), "mode"),
    ] {
        test.app.clock.advance(Duration::from_secs(2));
        let reply = test.app.call(&test.key, "update_post", with(&post, change)).await;
        assert_eq!(reply.expect_problem(422, "invalid_arguments").faulty_fields(), [field]);
    }
    let unchanged = test.call("get_post", with(&post, json!({}))).await;
    assert_eq!((&unchanged["text"], &unchanged["version"]), (&json!("fits"), &json!(1)));
    assert_eq!(
        test.refusal("update_post", json!({"post_id": "post_none", "text": "x"})).await,
        "post_not_found"
    );
}

#[tokio::test]
async fn failed_target_is_published_again_with_the_same_id() {
    let test = PublishingTest::new().await;
    test.receiver.respond_with([(422, None), (422, None)]);
    let post = test.create("again", "now").await;
    assert_eq!(post["targets"][0]["status"], "failed");
    assert_eq!(test.refusal("update_post", with(&post, json!({"text": "other"}))).await, "post_state");
    let past = json!({"scheduled_at": "2026-11-14T00:00:00Z"});
    assert_eq!(test.refusal("publish_post", with(&post, past)).await, "post_invalid");
    let failed = test.call("publish_post", with(&post, json!({}))).await["post"]["targets"][0].clone();
    assert_eq!((&failed["status"], &failed["attempts"]), (&json!("failed"), &json!(1)), "{failed}");
    let later = json!({"scheduled_at": "2026-11-15T06:00:00Z"});
    let scheduled = test.call("publish_post", with(&post, later)).await["post"].clone();
    assert_eq!(scheduled["targets"][0]["status"], "scheduled");
    // The receiver may have got it, so its text stays.
    assert_eq!(test.refusal("update_post", with(&post, json!({"text": "other"}))).await, "post_state");
    test.app.clock.advance(Duration::from_hours(7));
    let target = test.wait_for_target(&post, has_ended).await;
    assert_eq!((&target["status"], &target["error"]), (&json!("published"), &Value::Null));
    let requests = test.receiver.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|one| one.header("webhook-id") == requests[0].header("webhook-id")));
}

#[tokio::test]
async fn cancelled_draft_is_deleted() {
    let test = PublishingTest::new().await;
    let draft = test.create("no", "draft").await;
    let cancelled = test.call("cancel_post", with(&draft, json!({}))).await;
    assert_eq!((&cancelled["post"], &cancelled["targets"]), (&Value::Null, &json!([])));
    for tool in ["get_post", "cancel_post", "publish_post", "withdraw_post"] {
        assert_eq!(test.refusal(tool, with(&draft, json!({}))).await, "post_not_found");
    }
}

#[tokio::test]
async fn cancelled_post_is_not_sent_at_its_time() {
    let test = PublishingTest::new().await;
    let post = json!({"text": "no", "channels": ["feed", "hook"], "mode": "schedule", "scheduled_at": "2026-11-15T01:00:00Z"});
    let post = test.call("create_post", post).await["post"].clone();
    let cancelled = test.call("cancel_post", with(&post, json!({}))).await;
    for (number, target) in cancelled["targets"].as_array().unwrap().iter().enumerate() {
        assert_eq!((&target["status"], &target["done"]), (&json!("cancelled"), &json!(true)));
        assert_eq!(cancelled["post"]["targets"][number]["error"], "It was cancelled.");
    }
    // A second call answers the same.
    assert_eq!(test.call("cancel_post", with(&post, json!({}))).await["targets"], cancelled["targets"]);
    test.app.clock.advance(Duration::from_hours(2));
    test.create("other", "now").await;
    assert_eq!(texts(&test), ["other"]);
    test.app.get("/feeds/acme/feed.json").send().await.expect_problem(404, "not_found");
    for tool in ["publish_post", "update_post"] {
        let change = if tool == "update_post" { json!({"text": "x"}) } else { json!({}) };
        assert_eq!(test.refusal(tool, with(&post, change)).await, "post_state");
    }
}

#[tokio::test]
async fn cancelling_stops_the_retries_and_leaves_what_is_out() {
    let test = PublishingTest::new().await;
    test.receiver.respond_with([(503, None)]);
    let post = json!({"text": "half", "channels": ["feed", "hook"], "mode": "now"});
    let post = test.call("create_post", post).await["post"].clone();
    assert!(is_waiting(&post["targets"][1]), "{post}");
    let cancelled = test.call("cancel_post", with(&post, json!({}))).await;
    let targets = &cancelled["targets"];
    assert_eq!((&targets[0]["status"], &targets[0]["done"]), (&json!("published"), &json!(false)));
    assert!(targets[0]["message"].as_str().unwrap().contains("withdraw_post"), "{targets}");
    assert_eq!((&targets[1]["status"], &targets[1]["done"]), (&json!("cancelled"), &json!(true)));
    let error = cancelled["post"]["targets"][1]["error"].as_str().unwrap();
    assert!(error.contains("cancelled") && error.contains("answered 503"), "{error}");
    test.app.clock.advance(Duration::from_hours(2));
    test.create("other", "now").await;
    assert_eq!(texts(&test), ["half", "other"]);
    test.app.get("/feeds/acme/feed.json").send().await.expect_status(200);
}

#[tokio::test]
async fn time_of_a_draft_is_only_a_wish() {
    let test = PublishingTest::new().await;
    let wish = json!({"text": "when", "channels": ["hook"], "scheduled_at": "2026-11-15T01:00:00Z"});
    let created = test.call("create_post", wish).await;
    assert_eq!(created["post"]["scheduled_at"], "2026-11-15T01:00:00.000Z");
    let note = created["notes"][0].as_str().unwrap();
    assert!(note.contains("nothing is published by itself") && note.contains("publish_post"), "{created}");
    let post = &created["post"];
    test.app.clock.advance(Duration::from_hours(2));
    test.create("other", "now").await;
    assert_eq!(texts(&test), ["other"]);
    // The old wish does not hinder other changes.
    let changed = test.call("update_post", with(post, json!({"text": "whenever"}))).await;
    assert_eq!(changed["notes"].as_array().unwrap().len(), 1);
    let changed = test.call("update_post", with(post, json!({"scheduled_at": ""}))).await;
    assert_eq!((&changed["post"]["scheduled_at"], &changed["notes"]), (&Value::Null, &Value::Null));
    let later = json!({"scheduled_at": "2026-11-15T03:00:00Z"});
    let scheduled = test.call("publish_post", with(post, later)).await;
    assert_eq!(scheduled["post"]["targets"][0]["status"], "scheduled");
    test.app.clock.advance(Duration::from_hours(1));
    test.wait_for_target(post, has_ended).await;
    assert_eq!(texts(&test), ["other", "whenever"]);
}

#[tokio::test]
async fn quotas_hold_for_changed_and_published_posts() {
    let test = PublishingTest::new().await;
    let set_quotas = async |quotas: Value| {
        test.app.set_quotas(quotas).await.expect_status(200);
    };
    let (draft, scheduled) = (test.create("draft", "draft").await, test.create("later", "schedule").await);
    set_quotas(json!({"queued_targets": 1})).await;
    let later = || with(&draft, json!({"scheduled_at": "2026-11-20T00:00:00Z"}));
    assert_eq!(test.refusal("publish_post", later()).await, "quota_reached");
    let more = with(&scheduled, json!({"channels": ["feed", "hook"]}));
    assert_eq!(test.refusal("update_post", more).await, "quota_reached");
    test.call("cancel_post", with(&scheduled, json!({}))).await;
    test.call("publish_post", later()).await;
    test.call("update_post", with(&draft, json!({"text": "changed"}))).await;

    // On the day of its creation a post is counted already; on another day its publication counts.
    set_quotas(json!({"posts_per_day": 0})).await;
    let today = async |text: &str| {
        set_quotas(json!({})).await;
        let draft = test.create(text, "draft").await;
        set_quotas(json!({"posts_per_day": 0})).await;
        draft
    };
    let (one, other) = (today("one").await, today("other").await);
    test.call("publish_post", with(&one, json!({}))).await;
    test.app.clock.advance(Duration::from_hours(24));
    assert_eq!(test.refusal("publish_post", with(&other, json!({}))).await, "quota_reached");
    assert_eq!(texts(&test), ["one"]);
}

#[tokio::test]
async fn only_write_keys_of_the_brand_change_its_posts() {
    let app = TestApp::new().await;
    let (read, write) = (app.key("read").await, app.key("write").await);
    let theirs = app.create_key_as("eve", OTHER_BRAND, json!({"label": "theirs", "scope": "write"})).await;
    let draft = app.call(&write, "create_post", json!({"text": "ours", "channels": ["feed"]})).await;
    let post = draft.result()["post"].clone();
    for tool in ["update_post", "publish_post", "cancel_post", "withdraw_post"] {
        let change = if tool == "update_post" { json!({"text": "x"}) } else { json!({}) };
        app.call(&read, tool, with(&post, change.clone())).await.expect_problem(403, "insufficient_scope");
        let refused = app.call(&theirs.api_key, tool, with(&post, change)).await;
        assert_eq!(refused.body["structuredContent"]["code"], "post_not_found", "{tool}");
    }
    assert_eq!(app.call(&read, "get_post", with(&post, json!({}))).await.result(), &post);
}
