//! Posts as people read, change and stop them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    publishing::{PublishingTest, has_ended},
    support::{BRAND, OTHER_BRAND, Reply, TestApp, TestRequest},
};

fn path(post: &Value, action: &str) -> String {
    format!("/api/brands/{BRAND}/posts/{}{action}", post["post_id"].as_str().unwrap())
}

/// Creates a draft for the feed with this key.
async fn draft(app: &TestApp, key: &str, text: &str) -> Value {
    let created = app.call(key, "create_post", json!({"text": text, "channels": ["feed"]})).await;
    created.result()["post"].clone()
}

/// Every change of a post, as this person.
async fn every_change(app: &TestApp, user: &str, post: &Value) -> Vec<(&'static str, Reply)> {
    let request = |method: &str, action: &str| -> TestRequest {
        app.request(method, &path(post, action)).bearer(&app.token(user))
    };
    vec![
        ("patch", request("PATCH", "").json(&json!({"text": "changed"})).await),
        ("retry", request("POST", "/retry").send().await),
        ("withdraw", request("POST", "/withdraw").send().await),
        ("publish", request("POST", "/publish").send().await),
        ("cancel", request("POST", "/cancel").send().await),
        ("delete", request("DELETE", "").send().await),
    ]
}

#[tokio::test]
async fn members_change_posts_of_their_own_keys_and_administrators_all() {
    let app = TestApp::new().await;
    let hers = app.key("write").await;
    let his = app.create_key_as("ben", BRAND, json!({"label": "his", "scope": "write"})).await;
    let (her_post, his_post) = (draft(&app, &hers, "hers").await, draft(&app, &his.api_key, "his").await);
    for post in [&her_post, &his_post] {
        for user in ["ada", "ben"] {
            let read = app.get(&path(post, "")).bearer(&app.token(user)).send().await.expect_status(200);
            assert_eq!((&read.body["text"], &read.body["version"]), (&post["text"], &json!(1)));
            assert!(read.body["key_id"].is_string(), "{}", read.text);
        }
    }
    for (change, reply) in every_change(&app, "ben", &her_post).await {
        assert_eq!((reply.status, reply.code()), (403, "not_key_creator"), "{change}: {}", reply.text);
    }
    // To people of other brands, neither the brand nor its posts exist.
    for (change, reply) in every_change(&app, "eve", &her_post).await {
        assert_eq!((reply.status, reply.code()), (404, "not_found"), "{change}: {}", reply.text);
    }
    let theirs = path(&her_post, "").replace(BRAND, OTHER_BRAND);
    app.get(&theirs).bearer(&app.token("eve")).send().await.expect_problem(404, "not_found");
    let unchanged = app.get(&path(&her_post, "")).bearer(&app.token("ben")).send().await;
    assert_eq!((&unchanged.body["text"], &unchanged.body["version"]), (&json!("hers"), &json!(1)));

    for (user, post) in [("ben", &his_post), ("ada", &her_post)] {
        let replies = every_change(&app, user, post).await;
        let states: Vec<(&str, u16, &str)> =
            replies.iter().map(|(change, reply)| (*change, reply.status, reply.code())).collect();
        assert_eq!(
            states,
            [
                ("patch", 200, ""),
                ("retry", 409, "post_state"),
                ("withdraw", 200, ""),
                ("publish", 200, ""),
                ("cancel", 200, ""),
                ("delete", 409, "post_state"),
            ]
        );
    }
    // An administrator also changes posts of others.
    let another = draft(&app, &his.api_key, "another").await;
    let publish = app.post(&path(&another, "/publish")).bearer(&app.token("ada")).send().await;
    assert_eq!(publish.expect_status(200).body["post"]["targets"][0]["status"], "published");
    let withdraw = app.post(&path(&another, "/withdraw")).bearer(&app.token("ada")).send().await;
    assert_eq!(withdraw.expect_status(200).body["targets"][0]["status"], "withdrawn");
}

#[tokio::test]
async fn changes_are_recorded_with_the_person() {
    let app = TestApp::new().await;
    let his = app.create_key_as("ben", BRAND, json!({"label": "his", "scope": "write"})).await;
    let post = draft(&app, &his.api_key, "watched").await;
    let send = async |user: &str, action: &str| {
        app.clock.advance(Duration::from_secs(1));
        app.post(&path(&post, action)).bearer(&app.token(user)).send().await.expect_status(200);
    };
    send("ben", "/withdraw").await;
    send("ada", "/publish").await;
    send("ben", "/withdraw").await;
    // Nothing changes any more.
    send("ada", "/withdraw").await;
    let activity = format!("/api/brands/{BRAND}/mcp-activity?kind=post");
    let activity = app.get(&activity).bearer(&app.token("ben")).send().await.expect_status(200);
    let events = activity.body["events"].as_array().unwrap();
    let summaries: Vec<Value> =
        events.iter().map(|event| json!([event["actor"], event["tool"], event["outcome"]])).collect();
    assert_eq!(summaries, [json!(["ben", "withdraw_post", "ok"]), json!(["ada", "publish_post", "ok"])]);
    for event in events {
        assert_eq!((&event["post_id"], &event["key_id"]), (&post["post_id"], &json!(his.key_id)));
    }
    let of_key = format!("/api/brands/{BRAND}/mcp-keys/{}/activity?kind=post", his.key_id);
    let of_key = app.get(&of_key).bearer(&app.token("ben")).send().await.expect_status(200);
    assert_eq!(&of_key.body["events"], &activity.body["events"]);
}

#[tokio::test]
async fn wrong_changes_are_refused_with_the_reason() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let post = draft(&app, &key, "first").await;
    let patch = async |body: Value| {
        app.request("PATCH", &path(&post, "")).bearer(&app.token("ada")).json(&body).await
    };
    for (body, field) in [
        (json!({}), "text"),
        (json!({"text": ""}), "text"),
        (json!({"text": "x", "post_id": "post_1"}), "post_id"),
        (json!({"link": "javascript:alert(1)"}), "link"),
        (json!({"scheduled_at": "tomorrow"}), "scheduled_at"),
        (json!({"text": "x", "expected_version": "1"}), "expected_version"),
        (json!({"text": "x", "expected_version": 5_000_000_000_u64}), "expected_version"),
    ] {
        let reply = patch(body).await.expect_problem(422, "invalid_request");
        assert_eq!(reply.faulty_fields(), [field], "{}", reply.text);
    }
    patch(json!({"text": "x".repeat(10_001)})).await.expect_problem(422, "post_invalid");
    patch(json!({"channels": ["nowhere"]})).await.expect_problem(422, "post_invalid");
    let changed =
        patch(json!({"text": "second", "title": "T", "expected_version": 1})).await.expect_status(200);
    assert_eq!((&changed.body["post"]["title"], &changed.body["post"]["version"]), (&json!("T"), &json!(2)));
    patch(json!({"text": "third", "expected_version": 1})).await.expect_problem(409, "post_changed");
    for action in ["/publish", "/cancel", "/withdraw", "/retry"] {
        let old = app
            .post(&path(&post, action))
            .bearer(&app.token("ada"))
            .json(&json!({"expected_version": 1}))
            .await;
        old.expect_problem(409, "post_changed");
        let unknown =
            app.post(&path(&post, action)).bearer(&app.token("ada")).json(&json!({"mode": "now"})).await;
        assert_eq!(unknown.expect_problem(422, "invalid_request").faulty_fields(), ["mode"]);
    }
    let old = format!("{}?expected_version=1", path(&post, ""));
    app.delete(&old).bearer(&app.token("ada")).send().await.expect_problem(409, "post_changed");
    let past = json!({"scheduled_at": "2020-01-01T00:00:00Z"});
    let past = app.post(&path(&post, "/publish")).bearer(&app.token("ada")).json(&past).await;
    past.expect_problem(422, "post_invalid");
    for id in ["post_none", "a%00b"] {
        let none = format!("/api/brands/{BRAND}/posts/{id}");
        app.get(&none).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");
        app.delete(&none).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");
    }
    app.get(&path(&post, "")).bearer(&key).send().await.expect_problem(401, "token_invalid");
}

#[tokio::test]
async fn only_what_has_not_gone_out_is_deleted() {
    let test = PublishingTest::new().await;
    let delete =
        async |post: &Value| test.app.delete(&path(post, "")).bearer(&test.app.token("ada")).send().await;
    let (draft, later) = (test.create("draft", "draft").await, test.create("later", "schedule").await);
    let published = test.create("published", "now").await;
    for post in [&draft, &later] {
        delete(post).await.expect_status(204);
        delete(post).await.expect_problem(404, "not_found");
    }
    delete(&published).await.expect_problem(409, "post_state");
    test.app.clock.advance(Duration::from_hours(2));
    test.create("after", "now").await;
    assert_eq!(test.receiver.requests().len(), 2);
}

#[tokio::test]
async fn failed_channels_are_retried_and_published_ones_withdrawn() {
    let test = PublishingTest::new().await;
    test.receiver.respond_with([(422, None)]);
    let post = test.create("again", "now").await;
    assert_eq!(post["targets"][0]["status"], "failed");
    let send = async |action: &str| {
        let request = test.app.post(&path(&post, action)).bearer(&test.app.token("ada"));
        request.send().await.expect_status(200).body
    };
    let retried = send("/retry").await;
    assert_eq!(
        (&retried["post"]["targets"][0]["status"], &retried["post"]["version"]),
        (&json!("publishing"), &json!(2))
    );
    assert_eq!(test.wait_for_target(&post, has_ended).await["status"], "published");
    let withdrawn = send("/withdraw").await;
    assert_eq!(withdrawn["targets"][0]["status"], "withdrawing");
    assert_eq!(test.wait_for_target(&post, has_ended).await["status"], "withdrawn");
    let kinds: Vec<Value> =
        test.receiver.requests().iter().map(|request| request.body["type"].clone()).collect();
    assert_eq!(kinds, ["post.published", "post.published", "post.withdrawn"]);
}

#[tokio::test]
async fn quota_is_told_to_people() {
    let test = PublishingTest::new().await;
    let draft = test.create("draft", "draft").await;
    let body = json!({"name": "Business", "mcp_enabled": true, "quotas": {"queued_targets": 0}});
    test.app
        .put("/api/admin/plans/business")
        .bearer(&test.app.operator())
        .json(&body)
        .await
        .expect_status(200);
    let publish = test.app.post(&path(&draft, "/publish")).bearer(&test.app.token("ada")).send().await;
    let problem = publish.expect_problem(409, "quota_reached").body;
    assert_eq!((&problem["quota"], &problem["limit"]), (&json!("queued_targets"), &json!(0)));
}

#[tokio::test]
async fn posts_are_listed_and_filtered() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for number in 0..5 {
        let mode = if number % 2 == 0 { "now" } else { "draft" };
        let post = json!({"text": format!("post {number}"), "channels": ["feed"], "mode": mode});
        app.call(&key, "create_post", post).await.result();
        app.clock.advance(Duration::from_secs(1));
    }
    let list = async |query: &str| {
        let path = format!("/api/brands/{BRAND}/posts{query}");
        app.get(&path).bearer(&app.token("ben")).send().await
    };
    let texts = |list: &Reply| -> Vec<Value> {
        list.body["posts"].as_array().unwrap().iter().map(|post| post["text"].clone()).collect()
    };
    let first = list("?limit=3").await.expect_status(200);
    assert_eq!(
        (texts(&first), &first.body["total"]),
        (vec!["post 4".into(), "post 3".into(), "post 2".into()], &json!(5))
    );
    let rest = list(&format!("?limit=3&cursor={}", first.body["next_cursor"].as_str().unwrap())).await;
    assert_eq!((texts(&rest).len(), &rest.body["next_cursor"]), (2, &Value::Null));
    assert_eq!(list("?status=published&channel=feed").await.body["total"], 3);
    assert_eq!(
        texts(&list("?from=2026-11-15T00:00:01Z&to=2026-11-15T00:00:03Z").await),
        ["post 2", "post 1"]
    );
    for (query, field) in
        [("?status=lost", "status"), ("?limit=101", "limit"), ("?cursor=x", "cursor"), ("?q=x", "q")]
    {
        let reply = list(query).await.expect_problem(422, "invalid_request");
        assert_eq!(reply.faulty_fields(), [field], "{}", reply.text);
    }
}
