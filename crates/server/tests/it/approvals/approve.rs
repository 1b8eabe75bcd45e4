//! Approved calls run once, and their result is kept.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{ApprovalsTest, new_key, now};
use crate::{
    audits::app_for,
    support::{BRAND, Reply, Site, eventually},
};

#[tokio::test]
async fn approved_post_is_published_with_its_result() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    let pending = test.view("ada", &approval_id).await;
    assert_eq!(
        (&pending["status"], &pending["key_id"], &pending["tool"], &pending["arguments"]),
        (&json!("pending"), &json!(test.key.key_id), &json!("create_post"), &now("hello"))
    );
    assert_eq!(pending["preview"]["post"]["text"], "hello");
    assert_eq!(pending["digest"].as_str().map(str::len), Some(64), "{pending}");
    for field in ["problem", "decided_at", "decided_by", "result", "failure"] {
        assert_eq!(pending[field], Value::Null, "{field}: {pending}");
    }
    let body = json!({"digest": pending["digest"], "note": "Nice."});
    let done = test.approve("ada", &approval_id, body).await.expect_status(200).body;
    assert_eq!(
        (&done["status"], &done["decided_by"], &done["note"], &done["changes"]),
        (&json!("done"), &json!("ada"), &json!("Nice."), &json!([]))
    );
    assert!(done["decided_at"].is_string(), "{done}");
    assert_eq!(test.feed().await, ["hello"]);
    let post_id = &done["result"]["post"]["post_id"];
    let post = test.call(&test.free_key, "get_post", json!({"post_id": post_id})).await;
    assert_eq!(
        (&post.result()["text"], &post.result()["targets"][0]["status"]),
        (&json!("hello"), &json!("published"))
    );
    let seen = test.view_of_agent(&test.key, &approval_id).await;
    assert_eq!((&seen["status"], &seen["result"]), (&json!("done"), &done["result"]));
    let event = test.event("approved").await;
    assert_eq!(
        (&event["actor"], &event["tool"], &event["key_id"], &event["outcome"]),
        (&json!("ada"), &json!("create_post"), &json!(test.key.key_id), &json!("ok"))
    );
}

#[tokio::test]
async fn approved_post_reaches_the_webhook_once() {
    let test = ApprovalsTest::new().await;
    let post = json!({"text": "hello", "channels": ["hook"], "mode": "now"});
    let approval_id = test.hold("create_post", post).await;
    let done = test.look_and_approve("ada", &approval_id).await.expect_status(200).body;
    assert_eq!(done["status"], "done");
    eventually("the post", async || (!test.received().is_empty()).then_some(())).await;
    // Another post shows that the workers have nothing else to send.
    let after = json!({"text": "after", "channels": ["hook"], "mode": "now"});
    test.call(&test.free_key, "create_post", after).await.result();
    assert_eq!(test.received(), ["hello", "after"]);
}

#[tokio::test]
async fn every_tool_that_goes_out_can_be_approved() {
    let test = ApprovalsTest::new().await;
    let create = json!({"text": "later", "channels": ["feed"], "mode": "schedule", "scheduled_at": "2026-11-20T00:00:00Z"});
    let approve = async |tool: &str, arguments: Value| {
        let approval_id = test.hold(tool, arguments).await;
        let done = test.look_and_approve("ada", &approval_id).await.expect_status(200).body;
        assert_eq!(done["status"], "done", "{done}");
        done["result"]["post"].clone()
    };
    let post = approve("create_post", create).await;
    assert_eq!(post["targets"][0]["status"], "scheduled");
    let id = json!({"post_id": post["post_id"]});
    let post = approve("update_post", json!({"post_id": post["post_id"], "text": "sooner"})).await;
    assert_eq!((&post["text"], &post["version"]), (&json!("sooner"), &json!(2)));
    test.call(&test.key.api_key, "cancel_post", id).await.result();
    let draft = json!({"text": "draft", "channels": ["feed"]});
    let draft = test.call(&test.key.api_key, "create_post", draft).await.result()["post"].clone();
    let id = json!({"post_id": draft["post_id"]});
    assert_eq!(approve("publish_post", id.clone()).await["targets"][0]["status"], "published");
    assert_eq!(test.feed().await, ["draft"]);
    assert_eq!(approve("withdraw_post", id).await["targets"][0]["status"], "withdrawn");
    assert_eq!(test.feed().await, Vec::<Value>::new());
}

#[tokio::test]
async fn search_runs_only_after_the_approval() {
    let home = "<html lang=en><title>Tea</title><h1>Green tea</h1><p>Green tea from our garden, and more green tea.</p>";
    let site = Site::with(&[("/", home)]).await;
    let app = app_for(&[&site]).await;
    let key = new_key(&app, "ada", "all").await;
    let held = app.call(&key.api_key, "keyword_research_search", json!({"seeds": ["green tea"]})).await;
    assert_eq!((&held.result()["preview"], site.request_count("/")), (&Value::Null, 0));
    let path = format!("/api/brands/{BRAND}/approvals/{}", held.result()["approval_id"].as_str().unwrap());
    let view = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200).body;
    assert_eq!((&view["preview"], site.request_count("/")), (&Value::Null, 0));
    let press = app.post(&format!("{path}/approve")).bearer(&app.token("ada"));
    let done = press.json(&json!({"digest": view["digest"]})).await.expect_status(200).body;
    assert_eq!(done["status"], "done", "{done}");
    assert!(done["result"]["total"].is_number(), "{done}");
    assert!(site.request_count("/") > 0);
}

/// Asserts that one press was accepted, and that the others name it. Returns the view of the accepted one.
#[track_caller]
fn accepted_once(replies: Vec<Reply>) -> Value {
    let (accepted, refused): (Vec<Reply>, Vec<Reply>) =
        replies.into_iter().partition(|reply| reply.status == 200);
    let texts: Vec<&str> = refused.iter().map(|reply| reply.text.as_str()).collect();
    assert_eq!(accepted.len(), 1, "{texts:?}");
    let view = accepted[0].body.clone();
    for reply in refused {
        let problem = reply.expect_problem(409, "already_decided").body;
        assert_eq!(
            (&problem["approval_status"], &problem["decided_by"], &problem["decided_at"]),
            (&view["status"], &view["decided_by"], &view["decided_at"])
        );
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(view["decided_by"].as_str().unwrap()), "{detail}");
    }
    view
}

#[tokio::test]
async fn first_of_two_people_decides() {
    let test = ApprovalsTest::new().await;
    test.app.put_member(BRAND, "cyd", "admin").await;
    let approval_id = test.hold("create_post", now("once")).await;
    let body = json!({"digest": test.digest(&approval_id).await});
    let (ada, cyd) = tokio::join!(
        test.approve("ada", &approval_id, body.clone()),
        test.approve("cyd", &approval_id, body.clone())
    );
    let view = accepted_once(vec![ada, cyd]);
    assert_eq!(test.view("ada", &approval_id).await["decided_by"], view["decided_by"]);
    assert_eq!((test.feed().await, test.post_count().await), (vec![json!("once")], json!(1)));
    // Also a person who comes later, and one who wants to reject it.
    test.approve("ada", &approval_id, body).await.expect_problem(409, "already_decided");
    test.reject("ada", &approval_id, "no").await.expect_problem(409, "already_decided");
}

#[tokio::test]
async fn button_that_is_pressed_many_times_publishes_once() {
    let test = ApprovalsTest::new().await;
    let post = json!({"text": "once", "channels": ["feed", "hook"], "mode": "now"});
    let approval_id = test.hold("create_post", post).await;
    let body = json!({"digest": test.digest(&approval_id).await});
    let replies = join_all((0..20).map(|_| test.approve("ada", &approval_id, body.clone()))).await;
    accepted_once(replies);
    eventually("the post", async || (!test.received().is_empty()).then_some(())).await;
    let after = json!({"text": "after", "channels": ["hook"], "mode": "now"});
    test.call(&test.free_key, "create_post", after).await.result();
    assert_eq!(
        (test.feed().await, test.received()),
        (vec![json!("once")], vec!["once".into(), "after".into()])
    );
    let path = format!("/api/brands/{BRAND}/mcp-activity?kind=approved");
    let activity = test.app.get(&path).bearer(&test.app.token("ada")).send().await.expect_status(200);
    assert_eq!(activity.body["events"].as_array().map(Vec::len), Some(1), "{}", activity.text);
}

#[tokio::test]
async fn approve_and_reject_at_once_have_one_outcome() {
    let test = ApprovalsTest::new().await;
    for round in 0..10 {
        let text = format!("round {round}");
        let approval_id = test.hold("create_post", now(&text)).await;
        let body = json!({"digest": test.digest(&approval_id).await});
        let (approved, rejected) =
            tokio::join!(test.approve("ada", &approval_id, body), test.reject("ada", &approval_id, "no"));
        let mut statuses = [approved.status, rejected.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{} {}", approved.text, rejected.text);
        let is_public = test.feed().await.contains(&json!(text));
        assert_eq!(is_public, approved.status == 200, "{}", approved.text);
    }
}
