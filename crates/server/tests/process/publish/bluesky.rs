//! A real Bluesky server: published posts are read back from it.

use reqwest::Method;
use serde_json::{Value, json};

use super::ExternalServer;
use crate::support::{Sandbox, TestService, send};

/// An account of one test: `did`, `handle` and `app_password`.
struct Account {
    server: &'static ExternalServer,
    about: Value,
}

impl Account {
    /// Creates an account, and the channel `sky` that publishes to it.
    async fn create(test: &TestService) -> Self {
        let server = ExternalServer::bluesky().await;
        let about = server.post("/account", &json!({})).await.expect_status(200).json();
        let account = Self { server, about };
        account.put_channel(test, account.text("app_password")).await;
        account
    }

    async fn put_channel(&self, test: &TestService, app_password: &str) {
        let settings = json!({
            "server": self.server.url,
            "identifier": self.about["handle"],
            "app_password": app_password,
            "langs": ["de"],
        });
        test.put_channel("sky", "bluesky", settings).await;
    }

    fn text(&self, field: &str) -> &str {
        self.about[field].as_str().unwrap_or_else(|| panic!("{field} in {}", self.about))
    }

    /// The posts of the account, newest first.
    async fn records(&self) -> Vec<Value> {
        let did = self.text("did");
        let path = format!("/xrpc/com.atproto.repo.listRecords?repo={did}&collection=app.bsky.feed.post");
        self.server.get(&path).await["records"].as_array().expect("a list").clone()
    }

    /// Whether a log entry is a `putRecord` of this account.
    fn is_put(&self, entry: &Value) -> bool {
        entry["method"] == "com.atproto.repo.putRecord" && entry["repo"] == self.about["did"]
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn post_is_published_with_its_facets() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let account = Account::create(&test).await;
    let text = "Grüße 👩‍👩‍👧‍👦 @adalovelace.test und @nobody.test: https://acme.example/é?a=1, #Kaffee!";
    let link = json!({"text": text, "title": "Menü", "link": "https://acme.example/menu", "channels": ["sky"], "mode": "now"});
    let target = test.publish(link).await;
    assert_eq!(target["status"], "published", "{target}");
    let found = account.records().await;
    assert_eq!(found.len(), 1);
    let (uri, record) = (found[0]["uri"].as_str().expect("an address"), &found[0]["value"]);
    let key = uri.rsplit('/').next().expect("a key");
    assert_eq!(target["url"], format!("https://bsky.app/profile/{}/post/{key}", account.text("did")));
    assert_eq!((&record["text"], &record["langs"]), (&json!(text), &json!(["de"])));
    let mut covered = Vec::new();
    for facet in record["facets"].as_array().expect("facets") {
        let index =
            |name: &str| usize::try_from(facet["index"][name].as_u64().expect("a number")).expect("small");
        let feature = &facet["features"][0];
        let value = ["uri", "did", "tag"].iter().find_map(|name| feature[*name].as_str()).expect("a value");
        covered.push((&text[index("byteStart")..index("byteEnd")], value));
    }
    let ada = account.text("ada");
    assert_eq!(
        covered,
        [
            ("@adalovelace.test", ada),
            ("https://acme.example/é?a=1", "https://acme.example/%C3%A9?a=1"),
            ("#Kaffee", "Kaffee")
        ]
    );
    let card = json!({"uri": "https://acme.example/menu", "title": "Menü", "description": ""});
    assert_eq!(record["embed"]["external"], card);

    // With a picture, the link is added below the text. The limit is 300 graphemes.
    let pictures = ExternalServer::python("mastodon.py").await;
    let long = format!("{} ", "👩‍👩‍👧‍👦".repeat(100));
    let with_picture = json!({
        "text": long, "link": "https://acme.example/", "channels": ["sky"], "mode": "now",
        "media": [{"url": format!("{}/picture.png", pictures.url), "alt": "A pixel"}],
    });
    let target = test.publish(with_picture).await;
    assert_eq!(target["status"], "published", "{target}");
    let found = account.records().await;
    let record = &found[0]["value"];
    assert_eq!(record["text"], format!("{long}\n\nhttps://acme.example/"));
    let image = &record["embed"]["images"][0];
    assert_eq!((&image["alt"], &image["image"]["mimeType"]), (&json!("A pixel"), &json!("image/png")));
    assert_eq!(image["image"]["size"], 69);
    assert!(!test.service.stop().contains(account.text("app_password")));
}

#[tokio::test(flavor = "multi_thread")]
async fn validation_has_the_same_limits_as_the_server() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let account = Account::create(&test).await;
    // Each text is checked by `validate_post`, and sent to the server directly.
    let cases = [
        ("e\u{301}".repeat(300), true),
        ("e\u{301}".repeat(301), false),
        ("🇩🇪".repeat(300), true),
        ("👍🏽".repeat(301), false),
        ("क्षि".repeat(150), true),
        ("ä".repeat(300), true),
        // The limit in bytes is 3,000: 110 families are 2,750 bytes, 121 are 3,025.
        ("👩‍👩‍👧‍👦".repeat(110), true),
        ("👩‍👩‍👧‍👦".repeat(121), false),
    ];
    let session = json!({"identifier": account.about["handle"], "password": account.about["app_password"]});
    let session = account
        .server
        .post("/xrpc/com.atproto.server.createSession", &session)
        .await
        .expect_status(200)
        .json();
    let session = account.server.api.with_bearer(session["accessJwt"].as_str().expect("a token"));
    for (text, fits) in cases {
        let verdict = test.call("validate_post", json!({"text": text, "channels": ["sky"]})).await;
        assert_eq!(verdict["valid"], fits, "{} …: {verdict}", text.chars().take(4).collect::<String>());
        let record =
            json!({"$type": "app.bsky.feed.post", "text": text, "createdAt": "2026-11-15T00:00:00.000Z"});
        let body =
            json!({"repo": account.about["did"], "collection": "app.bsky.feed.post", "record": record});
        let request = session.request(Method::POST, "/xrpc/com.atproto.repo.createRecord").json(&body);
        let response = send(request).await;
        assert_eq!(
            response.status == 200,
            fits,
            "{} …: {response:?}",
            text.chars().take(4).collect::<String>()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_password_fails_with_advice() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let account = Account::create(&test).await;
    account.put_channel(&test, "wrong-wrong-wrong").await;
    let target = test.publish(json!({"text": "Hello", "channels": ["sky"], "mode": "now"})).await;
    let error = target["error"].as_str().expect("a reason");
    assert_eq!((&target["status"], &target["attempts"]), (&json!("failed"), &json!(1)), "{error}");
    assert!(error.contains("Invalid identifier or password") && error.contains("app password"), "{error}");
    assert!(!error.contains("wrong-wrong"), "{error}");
}

/// The server stores the record, the response is lost, and the service is killed. The next process puts the same record.
#[tokio::test(flavor = "multi_thread")]
async fn killed_service_leaves_one_record() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let account = Account::create(&test).await;
    account.server.control(json!({"hold": account.about["did"]})).await;
    test.publish_in_background("Once, #really", "sky");
    account.server.wait_for_request(|entry| account.is_put(entry) && entry["held"] == 200).await;
    let test = test.kill_and_restart();
    let target = test.wait_for_target(&test.post_id().await).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("published"), &json!(2)), "{target}");
    let mut puts = account.server.log().await;
    puts.retain(|entry| account.is_put(entry));
    assert_eq!((puts.len(), &puts[1]["answered"]), (2, &json!(200)));
    assert_eq!(account.records().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn withdrawn_record_is_deleted() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let account = Account::create(&test).await;
    test.publish(json!({"text": "Wrong", "channels": ["sky"], "mode": "now"})).await;
    assert_eq!(account.records().await.len(), 1);
    let post_id = test.post_id().await;
    // A wrong password is a definite refusal: the post stays, and the target says why.
    account.put_channel(&test, "wrong-wrong-wrong").await;
    let target = test.withdraw().await;
    assert_eq!(target["status"], "published", "{target}");
    assert!(target["error"].as_str().is_some_and(|error| error.contains("app password")), "{target}");
    assert_eq!(account.records().await.len(), 1);
    // Another account does not have the record.
    let other = Account::create(&test).await;
    let target = test.withdraw().await;
    assert!(target["error"].as_str().is_some_and(|error| error.contains("another account")), "{target}");
    assert!(other.records().await.is_empty());

    account.put_channel(&test, account.text("app_password")).await;
    let target = test.withdraw().await;
    assert_eq!((&target["status"], &target["error"]), (&json!("withdrawn"), &Value::Null), "{target}");
    assert!(account.records().await.is_empty());
    let again = test.call("withdraw_post", json!({"post_id": post_id})).await;
    assert_eq!(again["targets"][0]["done"], true, "{again}");
}

/// Somebody has deleted the record by hand.
#[tokio::test(flavor = "multi_thread")]
async fn record_that_is_gone_counts_as_withdrawn() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let account = Account::create(&test).await;
    test.publish(json!({"text": "Wrong", "channels": ["sky"], "mode": "now"})).await;
    let uri = account.records().await[0]["uri"].as_str().expect("an address").to_owned();
    let session = json!({"identifier": account.about["handle"], "password": account.about["app_password"]});
    let session = account.server.post("/xrpc/com.atproto.server.createSession", &session).await;
    let session = session.expect_status(200).json();
    let session = account.server.api.with_bearer(session["accessJwt"].as_str().expect("a token"));
    let body = json!({
        "repo": account.about["did"],
        "collection": "app.bsky.feed.post",
        "rkey": uri.rsplit('/').next(),
    });
    session.post("/xrpc/com.atproto.repo.deleteRecord", &body).await.expect_status(200);
    let target = test.withdraw().await;
    assert_eq!(target["status"], "withdrawn", "{target}");
}
