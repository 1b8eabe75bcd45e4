//! A person changes a call before approving it.

use serde_json::{Value, json};

use super::{ApprovalsTest, now};
use crate::support::Reply;

/// Looks at the approval, and approves it with other arguments.
async fn approve_with(test: &ApprovalsTest, approval_id: &str, arguments: Value) -> Reply {
    let body = json!({"digest": test.digest(approval_id).await, "arguments": arguments});
    test.approve("ada", approval_id, body).await
}

#[tokio::test]
async fn text_of_the_approver_is_published() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("Helo")).await;
    let done = approve_with(&test, &approval_id, now("Hello")).await.expect_status(200).body;
    assert_eq!(
        (&done["status"], &done["result"]["post"]["text"]),
        (&json!("done"), &json!("Hello")),
        "{done}"
    );
    assert_eq!(test.feed().await, ["Hello"]);
    // The person and the agent see the difference, as JSON text.
    let changes = json!([{"field": "text", "from": "\"Helo\"", "to": "\"Hello\""}]);
    let seen = test.view_of_agent(&test.key, &approval_id).await;
    for view in [&done, &test.view("ben", &approval_id).await, &seen] {
        assert_eq!(view["changes"], changes, "{view}");
    }
    assert_eq!(done["arguments"]["text"], "Helo", "the call as the agent made it");
}

#[tokio::test]
async fn added_and_removed_arguments_are_changes_too() {
    let test = ApprovalsTest::new().await;
    let mut proposed = now("hello");
    proposed["link"] = json!("https://acme.example/");
    let approval_id = test.hold("create_post", proposed).await;
    let mut approved = now("hello");
    approved["title"] = json!("Hello");
    let done = approve_with(&test, &approval_id, approved).await.expect_status(200).body;
    let mut changes = done["changes"].as_array().unwrap().clone();
    changes.sort_by_key(|change| change["field"].as_str().unwrap().to_owned());
    assert_eq!(
        changes,
        [
            json!({"field": "link", "from": "\"https://acme.example/\"", "to": null}),
            json!({"field": "title", "from": null, "to": "\"Hello\""}),
        ]
    );
    assert_eq!(done["result"]["post"]["title"], "Hello");
}

#[tokio::test]
async fn same_arguments_are_no_change() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    let done = approve_with(&test, &approval_id, now("hello")).await.expect_status(200).body;
    assert_eq!((&done["status"], &done["changes"]), (&json!("done"), &json!([])));
}

#[tokio::test]
async fn invalid_arguments_are_named() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    for (arguments, field) in [
        (now(""), "text"),
        (json!({"channels": ["feed"], "mode": "now"}), "text"),
        (json!({"text": "x", "channels": "feed"}), "channels"),
        (json!({"text": "x", "channels": ["feed"], "colour": "red"}), "colour"),
        (json!({"text": "x", "channels": ["feed"], "link": "javascript:alert(1)"}), "link"),
    ] {
        let refused = approve_with(&test, &approval_id, arguments.clone()).await;
        let refused = refused.expect_problem(422, "invalid_arguments");
        let fields = refused.faulty_fields();
        assert!(fields.len() == 1 && fields[0].ends_with(field), "{arguments}: {}", refused.text);
        test.assert_still_waits(&approval_id).await;
    }
    assert_eq!(test.post_count().await, 0);
}

#[tokio::test]
async fn text_that_is_too_long_for_its_channel_is_refused() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    for arguments in
        [now(&"x".repeat(10_001)), json!({"text": "hello", "channels": ["nowhere"], "mode": "now"})]
    {
        let refused =
            approve_with(&test, &approval_id, arguments).await.expect_problem(422, "approval_invalid");
        let detail = refused.body["detail"].as_str().unwrap();
        assert!(detail.contains("feed") || detail.contains("nowhere"), "the message of the tool: {detail}");
        test.assert_still_waits(&approval_id).await;
    }
    assert_eq!(test.post_count().await, 0);
    // A corrected text is accepted.
    approve_with(&test, &approval_id, now("short")).await.expect_status(200);
    assert_eq!(test.feed().await, ["short"]);
}

#[tokio::test]
async fn changed_arguments_need_the_digest_too() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    let body = json!({"digest": "0".repeat(64), "arguments": now("Hello")});
    test.approve("ada", &approval_id, body).await.expect_problem(409, "approval_changed");
    test.assert_still_waits(&approval_id).await;
}
