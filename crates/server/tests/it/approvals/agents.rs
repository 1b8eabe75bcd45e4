//! Approvals as agents see them: only their own.

use serde_json::{Value, json};

use super::{ApprovalsTest, new_key, now};

/// The ids in a page of `list_approvals`.
fn ids(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|item| item["approval_id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn agent_sees_its_own_approval() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("mine")).await;
    let seen = test.view_of_agent(&test.key, &approval_id).await;
    assert_eq!(
        (&seen["approval_id"], &seen["status"], &seen["tool"]),
        (&json!(approval_id), &json!("pending"), &json!("create_post"))
    );
    let list = test.call(&test.key.api_key, "list_approvals", json!({})).await;
    assert_eq!((ids(list.result()), &list.result()["total"]), (vec![approval_id.as_str()], &json!(1)));
}

#[tokio::test]
async fn approval_of_another_key_is_like_one_that_does_not_exist() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("mine")).await;
    // A key of the same person and brand, and a key of another person.
    for key in [new_key(&test.app, "ada", "all").await, new_key(&test.app, "ben", "outward").await] {
        let get = async |id: &str| {
            let reply = test.call(&key.api_key, "get_approval", json!({"approval_id": id})).await;
            assert_eq!(reply.expect_ok()["isError"], true, "{}", reply.text);
            assert!(!reply.text.contains("mine"), "{}", reply.text);
            reply.body["structuredContent"]["code"].clone()
        };
        assert_eq!(get(&approval_id).await, get("approval_none").await);
        let list = test.call(&key.api_key, "list_approvals", json!({})).await;
        assert_eq!((ids(list.result()), &list.result()["total"]), (vec![], &json!(0)));
    }
}

#[tokio::test]
async fn agent_filters_its_approvals_by_status() {
    let test = ApprovalsTest::new().await;
    let mut held = Vec::new();
    for number in 0..4 {
        held.push(test.hold("create_post", now(&number.to_string())).await);
    }
    test.look_and_approve("ada", &held[0]).await.expect_status(200);
    test.reject("ada", &held[1], "no").await.expect_status(200);
    // `approved` is a valid name, but an approved call is done at once.
    for (status, expected) in [
        ("pending", vec![held[3].as_str(), held[2].as_str()]),
        ("done", vec![held[0].as_str()]),
        ("rejected", vec![held[1].as_str()]),
        ("approved", vec![]),
        ("failed", vec![]),
        ("expired", vec![]),
        ("cancelled", vec![]),
    ] {
        let list = test.call(&test.key.api_key, "list_approvals", json!({"status": status})).await;
        assert_eq!(ids(list.result()), expected, "{status}");
        assert_eq!(list.result()["total"], expected.len(), "{status}");
    }
    let wrong = test.call(&test.key.api_key, "list_approvals", json!({"status": "lost"})).await;
    assert_eq!(wrong.expect_problem(422, "invalid_arguments").faulty_fields(), ["status"]);
}

#[tokio::test]
async fn agent_pages_through_its_approvals() {
    let test = ApprovalsTest::new().await;
    let mut held = Vec::new();
    for number in 0..5 {
        held.insert(0, test.hold("create_post", now(&number.to_string())).await);
    }
    let page = async |arguments: Value| {
        test.call(&test.key.api_key, "list_approvals", arguments).await.result().clone()
    };
    let first = page(json!({"limit": 3})).await;
    assert_eq!((ids(&first), &first["total"]), (held[..3].iter().map(String::as_str).collect(), &json!(5)));
    let rest = page(json!({"limit": 3, "cursor": first["next_cursor"]})).await;
    assert_eq!(
        (ids(&rest), &rest["next_cursor"]),
        (held[3..].iter().map(String::as_str).collect(), &Value::Null)
    );
}

#[tokio::test]
async fn read_key_has_the_tools_and_no_approvals() {
    let test = ApprovalsTest::new().await;
    test.hold("create_post", now("mine")).await;
    let read = test.app.key("read").await;
    let list = test.call(&read, "list_approvals", json!({})).await;
    assert_eq!(list.result()["total"], 0);
}
