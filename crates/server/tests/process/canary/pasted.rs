//! A key that is pasted into the wrong field is neither stored nor returned.

use std::fs;

use reqwest::Method;
use serde_json::{Value, json};
use svc_mcp_testkit::eventually;

use super::{MARKER, SecretScanner, call, stored_data, text};
use crate::support::{Api, Sandbox, Service, send};

/// The directory of the service's mails.
const MAILS: &str = "mails";

/// A running service, and the key that is pasted.
struct PastedKey {
    sandbox: Sandbox,
    service: Service,
    manager: Api,
    operator: Api,
    agent: Api,
    key: String,
    scanner: SecretScanner,
}

impl PastedKey {
    async fn start() -> Self {
        let mut sandbox =
            Sandbox::sqlite().with("SVC_LOG", "trace,sqlx=trace").with("SVC_MAIL_FROM", "svc@svc.example");
        let mails = format!("file:{}", sandbox.path(MAILS).display());
        sandbox.set("SVC_SMTP_URL", &mails);
        sandbox.add_brand("acme", "ada");
        let service = sandbox.serve(&[]);
        let manager = service.api(&sandbox.token("ada"));
        let operator = manager.with_bearer(&sandbox.operator_token());
        let key = manager.create_key("acme", &json!({"label": MARKER, "scope": "write"})).await;
        let key = text(&key, "api_key");
        let agent = manager.with_bearer(&key);
        let mut scanner = SecretScanner::default();
        scanner.add_key("the key", &key);
        Self { sandbox, service, manager, operator, agent, key, scanner }
    }

    /// The key is neither in the database nor in the log.
    fn assert_not_stored(self) {
        let before = stored_data(&self.sandbox);
        self.service.stop();
        for (location, bytes) in before.into_iter().chain(stored_data(&self.sandbox)) {
            let found = self.scanner.found_in(&bytes);
            assert!(found.is_empty(), "{found:?} in {location}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn key_in_a_label_is_not_stored() {
    let test = PastedKey::start().await;
    for label in [test.key.clone(), format!("my key is {}", test.key)] {
        test.manager.post("/api/brands/acme/mcp-keys", &json!({"label": label})).await;
    }
    test.assert_not_stored();
}

#[tokio::test(flavor = "multi_thread")]
async fn key_in_a_name_or_website_is_not_stored() {
    let test = PastedKey::start().await;
    let (key, operator) = (&test.key, &test.operator);
    operator.put("/api/admin/plans/p", &json!({"name": key, "mcp_enabled": true})).await;
    let website = format!("https://acme.example/?key={key}");
    let brand = |name: &str, website: &str| json!({"name": name, "website": website, "plan_id": "business"});
    operator.put("/api/admin/brands/b", &brand(key, "https://acme.example")).await;
    operator.put("/api/admin/brands/b", &brand("B", &website)).await;
    let competitors =
        json!({"name": "B", "website": "https://b.example", "plan_id": "business", "competitors": [website]});
    operator.put("/api/admin/brands/b", &competitors).await;
    operator.put("/api/admin/brands/acme/members/bob", &json!({"role": "member", "name": key})).await;
    test.assert_not_stored();
}

#[tokio::test(flavor = "multi_thread")]
async fn key_in_place_of_an_id_is_not_stored() {
    let test = PastedKey::start().await;
    let (key, operator) = (&test.key, &test.operator);
    operator.put(&format!("/api/admin/plans/{key}"), &json!({"name": "P", "mcp_enabled": true})).await;
    let brand = json!({"name": "B", "website": "https://b.example", "plan_id": "business"});
    operator.put(&format!("/api/admin/brands/{key}"), &brand).await;
    operator.put(&format!("/api/admin/brands/acme/members/{key}"), &json!({"role": "member"})).await;
    test.assert_not_stored();
}

#[tokio::test(flavor = "multi_thread")]
async fn key_in_a_post_is_not_stored_or_published() {
    let test = PastedKey::start().await;
    let (key, agent) = (&test.key, &test.agent);
    let link = format!("https://acme.example/?key={key}");
    for part in [json!({}), json!({"text": key}), json!({"title": key}), json!({"link": link})] {
        let mut post = json!({"text": "Hello", "channels": ["feed"], "mode": "now"});
        post.as_object_mut().expect("an object").extend(part.as_object().expect("an object").clone());
        agent.call("create_post", &post).await;
    }
    let feed = test.manager.get("/feeds/acme/feed.json").await.expect_status(200);
    assert!(test.scanner.found_in(feed.text.as_bytes()).is_empty(), "the key is in the public feed");
    test.assert_not_stored();
}

#[tokio::test(flavor = "multi_thread")]
async fn key_as_idempotency_key_is_not_stored() {
    let test = PastedKey::start().await;
    let post = call("create_post", &json!({"text": "Hello", "channels": ["feed"]}));
    let request = test.agent.request(Method::POST, "/mcp/v1/tools/call");
    send(request.header("Idempotency-Key", &test.key).json(&post)).await;
    test.assert_not_stored();
}

/// The operator may paste a whole key into this one field, and into the command line's input.
#[tokio::test(flavor = "multi_thread")]
async fn key_that_the_operator_searches_for_is_not_stored() {
    let test = PastedKey::start().await;
    let (key, operator) = (&test.key, &test.operator);
    let found = operator.post("/api/admin/keys/search", &json!({"secret": key})).await.expect_status(200);
    let mut answers = vec![found.text];
    let mistyped = format!("{}{}", &key[..56], if key.ends_with('0') { '1' } else { '0' });
    for wrong in [json!({"secret": mistyped}), json!({"secret": [key]}), json!({"secret": {"a": key}})] {
        answers.push(operator.post("/api/admin/keys/search", &wrong).await.expect_status(422).text);
    }
    answers.push(operator.get(&format!("/api/admin/keys?prefix={key}")).await.expect_status(400).text);
    for input in [key, &mistyped] {
        let output = test.sandbox.run_with_input(&["admin", "keys", "find"], input);
        answers.push(output.stdout + &output.stderr);
    }
    let output = test.sandbox.run(&["admin", "keys", "list", "--prefix", key]);
    assert_eq!(output.code, Some(1), "a whole key is no prefix: {output:?}");
    answers.push(output.stdout + &output.stderr);
    for answer in answers {
        assert!(test.scanner.found_in(answer.as_bytes()).is_empty(), "{answer}");
    }
    test.assert_not_stored();
}

/// Clients log errors.
#[tokio::test(flavor = "multi_thread")]
async fn errors_do_not_contain_the_key() {
    let test = PastedKey::start().await;
    let (key, manager, agent) = (&test.key, &test.manager, &test.agent);
    let named = |value: Value| json!({key.as_str(): value});
    let responses = [
        ("an unknown field", manager.post("/api/brands/acme/mcp-keys", &named(json!(1))).await),
        (
            "a tool's name",
            manager.post("/api/brands/acme/mcp-keys", &json!({"label": "a", "tools": [key]})).await,
        ),
        ("an unknown argument", agent.call("list_posts", &named(json!(1))).await),
        ("an unknown tool", agent.call(key, &json!({})).await),
        ("an unknown field of a call", agent.post("/mcp/v1/tools/call", &named(json!(1))).await),
        ("an unknown post", agent.call("get_post", &json!({"post_id": key})).await),
        ("an unknown channel", agent.call("create_post", &json!({"text": "a", "channels": [key]})).await),
        ("a wrong value", agent.call("list_posts", &json!({"status": key})).await),
        ("a wrong cursor", agent.call("list_posts", &json!({"cursor": key})).await),
    ];
    let repeated: Vec<String> = responses
        .iter()
        .filter(|(_, response)| !test.scanner.found_in(response.text.as_bytes()).is_empty())
        .map(|(what, response)| format!("{what}: {}", response.text))
        .collect();
    assert!(repeated.is_empty(), "{}", repeated.join("\n"));
    test.assert_not_stored();
}

/// A reported key is revoked, and otherwise forgotten.
#[tokio::test(flavor = "multi_thread")]
async fn reported_key_is_not_stored_or_repeated() {
    let test = PastedKey::start().await;
    let (key, manager) = (&test.key, &test.manager);
    let member = json!({"role": "admin", "email": "ada@acme.example"});
    test.operator.put("/api/admin/brands/acme/members/ada", &member).await.expect_status(200);
    let mut texts = Vec::new();
    for body in [
        json!({"keys": key}),
        json!({"keys": [{key.as_str(): 1}], "source": key}),
        json!({"keys": [key], key.as_str(): 1}),
        json!({"keys": [format!("{key} {}", "x".repeat(1_000))]}),
        json!({"keys": [key], "source": format!("{key} {}", "x".repeat(200))}),
        json!([key]),
        json!({"keys": [format!("KEY={key}"), key], "source": format!("https://paste.example/?{key}")}),
        json!({"keys": [key], "source": key}),
    ] {
        let response = send(manager.anonymous_request(Method::POST, "/api/leaked-keys").json(&body)).await;
        texts.push((response.status, response.text));
    }
    let broken = manager.anonymous_request(Method::POST, "/api/leaked-keys");
    let broken =
        send(broken.header("content-type", "application/json").body(format!("{{\"keys\": [\"{key}\""))).await;
    texts.push((broken.status, broken.text));
    let statuses: Vec<u16> = texts.iter().map(|(status, _)| *status).collect();
    assert_eq!(statuses, [422, 422, 422, 422, 422, 422, 202, 202, 400]);
    test.agent.list_tools().await.expect_status(401);
    texts.push((0, manager.get("/api/brands/acme/mcp-activity").await.expect_status(200).text));
    for (status, text) in &texts {
        assert!(test.scanner.found_in(text.as_bytes()).is_empty(), "{status}: {text}");
    }
    let mail = eventually("the mail about the key", async || {
        let mut mails = fs::read_dir(test.sandbox.path(MAILS)).ok()?.flatten().map(|entry| entry.path());
        mails.find(|path| path.extension().is_some_and(|extension| extension == "eml"))
    })
    .await;
    let mail = fs::read(mail).expect("the mail is kept");
    assert!(test.scanner.found_in(&mail).is_empty(), "the key is in the mail");
    test.assert_not_stored();
}

#[tokio::test(flavor = "multi_thread")]
async fn key_in_the_name_or_address_of_a_client_is_not_stored() {
    let test = PastedKey::start().await;
    for name in ["X-MCP-Client", "User-Agent", "Forwarded", "X-Forwarded-For"] {
        for value in [test.key.clone(), format!("{} {}", "x".repeat(70), test.key)] {
            send(test.agent.list_tools_request().header(name, value)).await.expect_status(200);
        }
    }
    test.assert_not_stored();
}
