//! Tests of channels, event endpoints and report recipients. They send real requests and publish nothing.

use axum::{
    Json, Router,
    http::{HeaderMap, StatusCode},
    routing::{get, post},
};
use serde_json::{Value, json};
use svc_mcp_testkit::{ReceivedMail, Smtp};

use crate::{
    publishing::PublishingTest,
    reports::{add_recipients, wait_for_mails, with_mail},
    support::{BRAND, Reply, TestApp},
};

const TOKEN: &str = "mastodon-token-0123456789";
const WRITE_ONLY: &str = "mastodon-token-that-only-writes";
const PASSWORD: &str = "abcd-efgh-ijkl-mnop";

fn path(rest: &str) -> String {
    format!("/api/brands/{BRAND}/{rest}/test")
}

async fn test_as(app: &TestApp, user: &str, rest: &str) -> Reply {
    app.post(&path(rest)).bearer(&app.token(user)).send().await
}

/// The outcome of a test as the administrator sees it.
async fn outcome(app: &TestApp, rest: &str) -> (bool, String, Value) {
    let reply = test_as(app, "ada", rest).await.expect_status(200);
    for secret in [TOKEN, WRITE_ONLY, PASSWORD, "whsec_"] {
        assert!(!reply.text.contains(secret), "{}", reply.text);
    }
    let message = reply.body["message"].as_str().unwrap().to_owned();
    (reply.body["ok"].as_bool().unwrap(), message, reply.body["status"].clone())
}

/// A server with the routes of Mastodon and Bluesky that a test needs. Other routes answer 404.
async fn social_server() -> String {
    async fn account(headers: HeaderMap) -> (StatusCode, Json<Value>) {
        match headers["authorization"].to_str().unwrap().strip_prefix("Bearer ").unwrap() {
            TOKEN => (StatusCode::OK, Json(json!({"id": "1", "acct": "acme"}))),
            WRITE_ONLY => (StatusCode::FORBIDDEN, Json(json!({"error": "outside the authorized scopes"}))),
            // The answer repeats the token. People must not see it.
            other => {
                (StatusCode::UNAUTHORIZED, Json(json!({"error": format!("The token {other} is invalid")})))
            }
        }
    }
    async fn application(headers: HeaderMap) -> StatusCode {
        let is_known = headers["authorization"].to_str().unwrap().ends_with(WRITE_ONLY);
        if is_known { StatusCode::OK } else { StatusCode::UNAUTHORIZED }
    }
    async fn session(Json(body): Json<Value>) -> (StatusCode, Json<Value>) {
        if body["password"] == PASSWORD {
            let session = json!({"did": "did:plc:abc", "handle": "acme.example", "accessJwt": "secret-jwt"});
            return (StatusCode::OK, Json(session));
        }
        (StatusCode::UNAUTHORIZED, Json(json!({"message": "Invalid identifier or password"})))
    }
    let router = Router::new()
        .route("/api/v1/accounts/verify_credentials", get(account))
        .route("/api/v1/apps/verify_credentials", get(application))
        .route("/xrpc/com.atproto.server.createSession", post(session));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

#[tokio::test]
async fn credentials_of_mastodon_and_bluesky_are_checked() {
    let test = PublishingTest::new().await;
    let server = social_server().await;
    let mastodon = |token: &str| json!({"server": server, "access_token": token});
    let bluesky =
        |password: &str| json!({"server": server, "identifier": "acme.example", "app_password": password});
    test.put_channel("fedi", "mastodon", mastodon(TOKEN)).await;
    test.put_channel("fedi-write", "mastodon", mastodon(WRITE_ONLY)).await;
    test.put_channel("fedi-wrong", "mastodon", mastodon("wrong-token")).await;
    test.put_channel("sky", "bluesky", bluesky(PASSWORD)).await;
    test.put_channel("sky-wrong", "bluesky", bluesky("wrong-password")).await;
    for (channel, ok, status, words) in [
        ("fedi", true, 200, "“acme”"),
        ("fedi-write", true, 200, "accepts the access token"),
        ("fedi-wrong", false, 401, "write:statuses"),
        ("sky", true, 200, "“acme.example”"),
        ("sky-wrong", false, 401, "app password"),
    ] {
        let (found, message, answered) = outcome(&test.app, &format!("channels/{channel}")).await;
        assert_eq!((found, answered), (ok, json!(status)), "{channel}: {message}");
        assert!(message.contains(words) && !message.contains("wrong-"), "{channel}: {message}");
        assert!(!message.contains("secret-jwt"), "{channel}: {message}");
    }
}

#[tokio::test]
async fn webhook_gets_a_signed_message_that_says_it_is_a_test() {
    let test = PublishingTest::new().await;
    let (ok, message, status) = outcome(&test.app, "channels/hook").await;
    assert_eq!((ok, status), (true, json!(200)), "{message}");
    let requests = test.receiver.requests();
    let received = &requests[0];
    assert_eq!(
        (requests.len(), received.path.as_str(), &received.body["type"]),
        (1, "/hook", &json!("ping"))
    );
    assert!(received.body["data"]["message"].as_str().unwrap().contains("test"), "{}", received.body);
    assert_eq!(received.body["data"]["channel"], "hook");
    assert!(received.header("webhook-signature").starts_with("v1,"), "{:?}", received.headers);
    assert!(received.header("webhook-id").starts_with("msg_test_"), "{:?}", received.headers);
    test.receiver.respond_with([(500, None), (302, Some(("location", "/elsewhere".to_owned())))]);
    for expected in [500, 302] {
        let (ok, message, status) = outcome(&test.app, "channels/hook").await;
        assert_eq!((ok, status), (false, json!(expected)), "{message}");
    }
    assert_eq!(test.receiver.requests().len(), 3, "a redirect is not followed");
    // A private address is not reached, and the feed is the service's own.
    test.put_channel("private", "webhook", json!({"url": "https://10.0.0.1/"})).await;
    let (ok, message, status) = outcome(&test.app, "channels/private").await;
    assert_eq!((ok, status), (false, Value::Null), "{message}");
    let (ok, message, _) = outcome(&test.app, "channels/feed").await;
    assert!(ok && message.contains(&format!("/feeds/{BRAND}/atom.xml")), "{message}");
    // Nothing was published.
    assert_eq!(test.call("list_posts", json!({})).await["total"], 0);
}

#[tokio::test]
async fn event_endpoint_gets_a_test_event_also_while_it_is_off() {
    let test = PublishingTest::new().await;
    let endpoint = format!("/api/brands/{BRAND}/event-endpoints/crm");
    let body = json!({"url": format!("{}/events", test.receiver.url), "enabled": false});
    test.app.put(&endpoint).bearer(&test.app.token("ada")).json(&body).await.expect_status(200);
    let (ok, message, status) = outcome(&test.app, "event-endpoints/crm").await;
    assert_eq!((ok, status), (true, json!(200)), "{message}");
    let received = test.receiver.requests().remove(0);
    assert_eq!((received.path.as_str(), &received.body["type"]), ("/events", &json!("ping")));
    assert_eq!(received.body["data"]["endpoint_id"], "crm");
    assert!(received.header("webhook-signature").starts_with("v1,"), "{:?}", received.headers);
    test.receiver.respond_with([(410, None)]);
    let (ok, message, status) = outcome(&test.app, "event-endpoints/crm").await;
    assert_eq!((ok, status), (false, json!(410)), "{message}");
    // It does not count as a delivery or as a failure of the endpoint.
    let deliveries = format!("/api/brands/{BRAND}/event-deliveries");
    let deliveries = test.app.get(&deliveries).bearer(&test.app.token("ada")).send().await.expect_status(200);
    assert_eq!(deliveries.body["event_deliveries"], json!([]));
    let stored = test.app.get(&endpoint).bearer(&test.app.token("ada")).send().await.expect_status(200);
    assert_eq!(stored.body["failing_since"], Value::Null);
}

#[tokio::test]
async fn confirmed_recipients_get_one_test_email() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    let (ok, message, _) = outcome(&app, "report-recipients").await;
    assert!(!ok && message.contains("No recipient has confirmed"), "{message}");
    add_recipients(&app, &smtp, &["ada@example.com", "ben@example.com"]).await;
    // A third person has not confirmed.
    let list = json!({"recipients": ["ada@example.com", "ben@example.com", "cleo@example.com"]});
    let recipients = format!("/api/brands/{BRAND}/report-recipients");
    app.put(&recipients).bearer(&app.token("ada")).json(&list).await.expect_status(200);
    let before = wait_for_mails(&smtp, 3).await.len();
    let (ok, message, _) = outcome(&app, "report-recipients").await;
    assert!(ok && message.contains("2 recipients"), "{message}");
    let mails = wait_for_mails(&smtp, before + 2).await.split_off(before);
    let mut people: Vec<&str> = mails.iter().map(ReceivedMail::to).collect();
    people.sort_unstable();
    assert_eq!(people, ["ada@example.com", "ben@example.com"]);
    // It has a link to stop the reports, and that person gets no further tests.
    let link = mails.iter().find(|mail| mail.to() == "ben@example.com").unwrap().link("/unsubscribe/");
    app.post(&link).send().await.expect_status(200);
    let (ok, message, _) = outcome(&app, "report-recipients").await;
    assert!(ok && message.contains("one recipient"), "{message}");
    let last = wait_for_mails(&smtp, before + 3).await.pop().unwrap();
    assert_eq!(last.to(), "ada@example.com");
    // It does not count as a report.
    let key = app.key("read").await;
    assert_eq!(app.call(&key, "list_report_emails", json!({})).await.result()["total"], 0);
}

#[tokio::test]
async fn tests_are_for_administrators_and_ten_an_hour() {
    let app = TestApp::new().await;
    for rest in ["channels/feed", "event-endpoints/crm", "report-recipients"] {
        test_as(&app, "ben", rest).await.expect_problem(403, "not_admin");
        test_as(&app, "eve", rest).await.expect_problem(404, "not_found");
    }
    test_as(&app, "ada", "channels/unknown").await.expect_problem(404, "not_found");
    test_as(&app, "ada", "event-endpoints/unknown").await.expect_problem(404, "not_found");
    let (ok, message, _) = outcome(&app, "report-recipients").await;
    assert!(!ok && message.contains("no mail server"), "{message}");
    for _ in 0..10 {
        test_as(&app, "ada", "channels/feed").await.expect_status(200);
    }
    let refused = test_as(&app, "ada", "channels/feed").await.expect_problem(409, "quota_reached");
    assert_eq!(
        (&refused.body["quota"], &refused.body["limit"], &refused.body["frees_at"]),
        (&json!("connection_tests_per_hour"), &json!(10), &json!("2026-11-15T01:00:00.000Z"))
    );
    app.clock.advance(std::time::Duration::from_hours(1));
    test_as(&app, "ada", "channels/feed").await.expect_status(200);
    // A suspended brand tests no connections.
    let suspend = format!("/api/admin/brands/{BRAND}/suspend");
    app.post(&suspend).bearer(&app.operator()).send().await.expect_status(200);
    test_as(&app, "ada", "channels/feed").await.expect_problem(403, "brand_suspended");
}
