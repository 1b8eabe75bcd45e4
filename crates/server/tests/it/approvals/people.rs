//! Who may see and decide approvals.

use serde_json::{Value, json};

use super::{ApprovalsTest, new_key, now, path};
use crate::support::{BRAND, OTHER_BRAND, Reply};

/// Every request about an approval, with this credential.
async fn every_request(test: &ApprovalsTest, bearer: Option<&str>, approval_id: &str) -> Vec<Reply> {
    let digest = json!({"digest": test.digest(approval_id).await});
    let request = |method: &str, path: &str| {
        let request = test.app.request(method, path);
        match bearer {
            Some(bearer) => request.bearer(bearer),
            None => request,
        }
    };
    vec![
        request("GET", &format!("/api/brands/{BRAND}/approvals")).send().await,
        request("GET", &path(approval_id, "")).send().await,
        request("POST", &path(approval_id, "/approve")).json(&digest).await,
        request("POST", &path(approval_id, "/reject")).json(&json!({"reason": "no"})).await,
    ]
}

#[tokio::test]
async fn administrators_decide_about_all_keys_and_members_about_their_own() {
    let test = ApprovalsTest::new().await;
    let his = new_key(&test.app, "ben", "outward").await;
    for user in ["ada", "ben"] {
        let approve = test.hold_with(&his, "create_post", now("his")).await;
        let reject = test.hold_with(&his, "create_post", now("his")).await;
        let done = test.look_and_approve(user, &approve).await.expect_status(200).body;
        assert_eq!((&done["status"], &done["decided_by"]), (&json!("done"), &json!(user)));
        let rejected = test.reject(user, &reject, "no").await.expect_status(200).body;
        assert_eq!((&rejected["status"], &rejected["decided_by"]), (&json!("rejected"), &json!(user)));
    }
}

#[tokio::test]
async fn member_sees_calls_of_other_keys_but_does_not_decide() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hers")).await;
    assert_eq!(test.view("ben", &approval_id).await["preview"]["post"]["text"], "hers");
    assert_eq!(test.list("ben", "").await.expect_status(200).body["total"], 1);
    test.look_and_approve("ben", &approval_id).await.expect_problem(403, "not_approver");
    test.reject("ben", &approval_id, "no").await.expect_problem(403, "not_approver");
    test.assert_still_waits(&approval_id).await;
}

#[tokio::test]
async fn brand_can_leave_decisions_to_administrators() {
    let test = ApprovalsTest::new().await;
    let his = new_key(&test.app, "ben", "outward").await;
    let approval_id = test.hold_with(&his, "create_post", now("his")).await;
    test.set_settings("ada", json!({"approvers": "admins"})).await.expect_status(200);
    test.look_and_approve("ben", &approval_id).await.expect_problem(403, "not_approver");
    test.reject("ben", &approval_id, "no").await.expect_problem(403, "not_approver");
    test.assert_still_waits(&approval_id).await;
    let done = test.look_and_approve("ada", &approval_id).await.expect_status(200).body;
    assert_eq!(done["status"], "done");
    test.set_settings("ada", json!({"approvers": "members"})).await.expect_status(200);
    let approval_id = test.hold_with(&his, "create_post", now("his")).await;
    test.look_and_approve("ben", &approval_id).await.expect_status(200);
}

#[tokio::test]
async fn strangers_keys_and_nobody_neither_see_nor_decide() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hers")).await;
    // Neither the key that made the call nor one that may do everything.
    let full = test.app.key("full").await;
    for key in [&test.key.api_key, &full] {
        for reply in every_request(&test, Some(key), &approval_id).await {
            reply.expect_problem(401, "token_invalid");
        }
    }
    for reply in every_request(&test, Some(&test.app.token("eve")), &approval_id).await {
        reply.expect_problem(404, "not_found");
    }
    for reply in every_request(&test, Some(&test.app.operator()), &approval_id).await {
        reply.expect_problem(404, "not_found");
    }
    for reply in every_request(&test, None, &approval_id).await {
        reply.expect_problem(401, "credential_missing");
    }
    test.assert_still_waits(&approval_id).await;
}

#[tokio::test]
async fn approval_of_another_brand_does_not_exist() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hers")).await;
    let body = json!({"digest": test.digest(&approval_id).await});
    for id in [approval_id.as_str(), "approval_none", "a%00b"] {
        let theirs = path(id, "").replace(BRAND, OTHER_BRAND);
        let eve = test.app.token("eve");
        test.app.get(&theirs).bearer(&eve).send().await.expect_problem(404, "not_found");
        let approve = test.app.post(&format!("{theirs}/approve")).bearer(&eve);
        approve.json(&body).await.expect_problem(404, "not_found");
        let reject = test.app.post(&format!("{theirs}/reject")).bearer(&eve);
        reject.json(&json!({"reason": "no"})).await.expect_problem(404, "not_found");
    }
    let theirs = format!("/api/brands/{OTHER_BRAND}/approvals");
    let list = test.app.get(&theirs).bearer(&test.app.token("eve")).send().await.expect_status(200);
    assert_eq!(list.body["total"], 0);
    test.assert_still_waits(&approval_id).await;
}

#[tokio::test]
async fn approvals_are_listed_newest_first_with_filters_and_pages() {
    let test = ApprovalsTest::new().await;
    let his = new_key(&test.app, "ben", "outward").await;
    let mut newest_first = Vec::new();
    for number in 0..5 {
        let key = if number % 2 == 0 { &test.key } else { &his };
        newest_first.insert(0, test.hold_with(key, "create_post", now(&number.to_string())).await);
    }
    let ids = |list: &Reply| -> Vec<Value> {
        let approvals = list.body["approvals"].as_array().unwrap();
        approvals.iter().map(|approval| approval["approval_id"].clone()).collect()
    };
    let first = test.list("ben", "?limit=3").await.expect_status(200);
    assert_eq!((ids(&first) == newest_first[..3], &first.body["total"]), (true, &json!(5)), "{}", first.text);
    let cursor = first.body["next_cursor"].as_str().unwrap();
    let rest = test.list("ben", &format!("?limit=3&cursor={cursor}")).await.expect_status(200);
    assert_eq!((ids(&rest) == newest_first[3..], &rest.body["next_cursor"]), (true, &Value::Null));
    let of_key = test.list("ada", &format!("?key_id={}", his.key_id)).await.expect_status(200);
    assert_eq!(ids(&of_key), [newest_first[1].as_str(), newest_first[3].as_str()]);
    test.reject("ada", &newest_first[0], "no").await.expect_status(200);
    let rejected = test.list("ada", "?status=rejected").await.expect_status(200);
    assert_eq!(ids(&rejected), [newest_first[0].as_str()]);
    assert_eq!(test.list("ada", "?status=pending").await.body["total"], 4);
    assert_eq!(test.list("ada", "?status=approved").await.expect_status(200).body["total"], 0);
    for (query, field) in
        [("?status=lost", "status"), ("?limit=0", "limit"), ("?cursor=x", "cursor"), ("?q=x", "q")]
    {
        let reply = test.list("ada", query).await.expect_problem(422, "invalid_request");
        assert_eq!(reply.faulty_fields(), [field], "{}", reply.text);
    }
}
