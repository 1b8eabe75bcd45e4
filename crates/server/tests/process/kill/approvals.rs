//! The service is killed while people approve calls. After the restart they press again until every call is decided. No
//! call is lost, and nothing is published or mailed twice.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use axum::{Router, extract::State};
use http::HeaderMap;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::SliceRandom};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Round, mail::MailTest, verify::all_pages};
use crate::support::{Api, Sandbox, eventually_with_key, try_send};

const KILLS: u32 = 52;
/// Posts that wait for approval in each round. There is also one report mail.
const POSTS: u32 = 4;
const PEOPLE: [&str; 2] = ["ada", "bob"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn approved_calls_run_once_despite_kills_on_sqlite() {
    approved_calls_run_once(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn approved_calls_run_once_despite_kills_on_postgresql() {
    approved_calls_run_once(Sandbox::postgres()).await;
}

/// What the webhook has received: the ids of the messages with each text. A repetition has the id of the first attempt.
type Received = Arc<Mutex<BTreeMap<String, BTreeSet<String>>>>;

/// The calls that agents have made, by the id of their approval.
#[derive(Default)]
struct Held {
    texts: BTreeMap<String, String>,
    notes: BTreeMap<String, String>,
}

impl Held {
    fn ids(&self) -> Vec<String> {
        self.texts.keys().chain(self.notes.keys()).cloned().collect()
    }
}

async fn approved_calls_run_once(sandbox: Sandbox) {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let sandbox = sandbox.with("SVC_OUTBOUND_ALLOW", "127.0.0.1").with("SVC_MANAGEMENT_LIMIT", "0");
    let test = MailTest::new(sandbox).await;
    let received = Received::default();
    let tokens = PEOPLE.map(|person| test.sandbox.run_ok(&["token", "--user", person, "--ttl", "1d"]));
    let admin_token = &tokens[0];
    set_up(&test.sandbox, admin_token, &received).await;
    let (mut held, mut decided) = (Held::default(), BTreeSet::new());
    for round in 0..KILLS {
        let service = test.sandbox.serve(&[]);
        let admin = service.api(admin_token).keep_alive();
        verify_decided(&admin, &decided).await;
        hold_calls(&admin, round, &mut held).await;
        let open: Vec<String> = held.ids().into_iter().filter(|id| !decided.contains(id)).collect();
        let current = Arc::new(Round::default());
        let people: Vec<_> = tokens
            .iter()
            .map(|token| {
                let mut open = open.clone();
                open.shuffle(&mut random);
                tokio::spawn(press(admin.with_bearer(token), open, Arc::clone(&current)))
            })
            .collect();
        // Some calls are done by then, others are not.
        current.wait_for_acknowledged(random.random_range(0..=POSTS)).await;
        tokio::time::sleep(Duration::from_millis(random.random_range(0..=15))).await;
        current.killed.store(true, Ordering::SeqCst);
        service.kill();
        for person in people {
            decided.extend(person.await.expect("a person fails only by the kill"));
        }
    }
    let service = test.sandbox.serve(&[]);
    let admin = service.api(admin_token).keep_alive();
    verify_decided(&admin, &decided).await;
    let open: Vec<String> = held.ids().into_iter().filter(|id| !decided.contains(id)).collect();
    press(admin.clone(), open, Arc::default()).await;
    verify_decided(&admin, &held.ids().into_iter().collect()).await;
    let events = all_pages(&admin, "/api/brands/acme/mcp-activity?kind=approved&limit=200", "events").await;
    assert_eq!(events.len(), held.ids().len(), "each approval is recorded once");
    verify_posts(&admin, &held, &received).await;
    verify_mails(&admin, &held, &test).await;
    service.stop();
}

/// Adds a second person and the channel `hook`. The quotas are larger than what the test needs.
async fn set_up(sandbox: &Sandbox, token: &str, received: &Received) {
    let plan = ["admin", "plan", "set", "business", "--name", "Business", "--mcp", "on"];
    let quotas = ["--quota", "keys=1000", "--quota", "report_emails_per_day=1000"];
    sandbox.run_ok(&[plan.as_slice(), &quotas].concat());
    sandbox.run_ok(&["admin", "member", "set", "acme", "bob", "--role", "admin"]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().fallback(receive).with_state(Arc::clone(received));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let service = sandbox.serve(&[]);
    let hook = json!({"kind": "webhook", "settings": {"url": format!("http://{address}/")}});
    service.api(token).put("/api/brands/acme/channels/hook", &hook).await.expect_status(200);
    service.stop();
}

async fn receive(State(received): State<Received>, headers: HeaderMap, body: String) {
    let body: Value = serde_json::from_str(&body).expect("JSON");
    let text = body["data"]["text"].as_str().expect("a text").to_owned();
    let id = headers["webhook-id"].to_str().expect("ASCII").to_owned();
    received.lock().expect("no panic").entry(text).or_default().insert(id);
}

/// An agent with a new key makes the calls of this round.
async fn hold_calls(admin: &Api, round: u32, held: &mut Held) {
    let key = json!({"label": format!("round {round}"), "scope": "write", "approval": "outward"});
    let key = admin.create_key("acme", &key).await;
    let agent = admin.with_bearer(key["api_key"].as_str().expect("a key"));
    let hold = async |tool: &str, arguments: Value| {
        let answer = agent.call(tool, &arguments).await.tool_result();
        assert_eq!(answer["status"], "awaiting_approval", "{answer}");
        answer["approval_id"].as_str().expect("an id").to_owned()
    };
    for number in 0..POSTS {
        let text = format!("post {number} of round {round}");
        let post = json!({"text": text, "channels": ["feed", "hook"], "mode": "now"});
        held.texts.insert(hold("create_post", post).await, text);
    }
    let note = format!("The report of round {round}.");
    let report = json!({"period": "last_7_days", "note": note});
    held.notes.insert(hold("send_report_email", report).await, note);
}

/// A person looks at each call and approves it, until all are decided or the service is killed. Returns the ids of those
/// that the service has answered as decided.
async fn press(api: Api, mut open: Vec<String>, round: Arc<Round>) -> BTreeSet<String> {
    let mut decided = BTreeSet::new();
    while let Some(approval_id) = open.pop() {
        match press_once(&api, &approval_id).await {
            Ok(true) => {
                round.acknowledged.fetch_add(1, Ordering::SeqCst);
                decided.insert(approval_id);
            }
            Ok(false) => open.insert(0, approval_id),
            Err(error) => {
                assert!(round.killed.load(Ordering::SeqCst), "a request failed before the kill: {error:?}");
                break;
            }
        }
    }
    decided
}

/// Whether the call is decided. If not, the person looks again.
async fn press_once(api: &Api, approval_id: &str) -> Result<bool, reqwest::Error> {
    let path = format!("/api/brands/acme/approvals/{approval_id}");
    let seen = try_send(api.request(Method::GET, &path)).await?;
    if seen.status == 503 {
        return Ok(false);
    }
    let seen = seen.expect_status(200).json();
    if seen["status"] == "done" {
        return Ok(true);
    }
    assert_eq!((&seen["status"], &seen["problem"]), (&json!("pending"), &Value::Null), "{seen}");
    let body = json!({"digest": seen["digest"]});
    let pressed = try_send(api.request(Method::POST, &format!("{path}/approve")).json(&body)).await?;
    match (pressed.status, pressed.code().as_str()) {
        (200, _) => {
            assert_eq!(pressed.json()["status"], "done", "{pressed:?}");
            Ok(true)
        }
        (409, "already_decided") => Ok(true),
        // Figures of a report can change between the two requests; on a slow disk a write may be answered 503.
        (409, "approval_changed") | (503, _) => Ok(false),
        _ => panic!("{approval_id}: {pressed:?}"),
    }
}

/// What the service has answered as decided is done, with its result and its person.
async fn verify_decided(api: &Api, decided: &BTreeSet<String>) {
    let done = all_pages(api, "/api/brands/acme/approvals?status=done&limit=100", "approvals").await;
    let mut found = BTreeSet::new();
    for approval in &done {
        assert!(approval["result"].is_object() && approval["decided_by"].is_string(), "{approval}");
        found.insert(approval["approval_id"].as_str().expect("an id").to_owned());
    }
    assert!(found.is_superset(decided), "lost: {:?}", decided.difference(&found).collect::<Vec<_>>());
}

/// Each post exists once, is in the feed, and reached the webhook as one message.
async fn verify_posts(admin: &Api, held: &Held, received: &Received) {
    let reader = admin.with_bearer(&admin.key("acme", "read").await.secret);
    eventually_with_key("the end of publishing", async || {
        let open = reader.poll_tool("list_posts", &json!({"status": "publishing"})).await?;
        (open["total"] == 0).then_some(())
    })
    .await;
    let wanted: BTreeSet<&str> = held.texts.values().map(String::as_str).collect();
    let posts = all_pages(admin, "/api/brands/acme/posts?limit=100", "posts").await;
    let texts: BTreeSet<&str> = posts.iter().filter_map(|post| post["text"].as_str()).collect();
    assert_eq!((texts, posts.len()), (wanted.clone(), wanted.len()));
    for post in &posts {
        let targets = post["targets"].as_array().expect("a list");
        assert_eq!(targets.len(), 2, "{post}");
        assert!(targets.iter().all(|target| target["status"] == "published"), "{post}");
    }
    let received = received.lock().expect("no panic");
    assert_eq!(received.keys().map(String::as_str).collect::<BTreeSet<_>>(), wanted);
    for (text, ids) in received.iter() {
        assert_eq!(ids.len(), 1, "{text} was published as several posts: {ids:?}");
    }
}

/// Each report has one mail. It was accepted once; a mail whose outcome is unknown was accepted at most once.
async fn verify_mails(admin: &Api, held: &Held, test: &MailTest) {
    let reader = admin.with_bearer(&admin.key("acme", "read").await.secret);
    let mails = eventually_with_key("the end of all mails", async || {
        let mails = reader.poll_tool("list_report_emails", &json!({"limit": 100})).await?;
        let items = mails["items"].as_array().expect("a list");
        let is_open = |mail: &Value| matches!(mail["status"].as_str(), Some("queued" | "sending"));
        (!items.iter().any(is_open)).then(|| mails.clone())
    })
    .await;
    assert_eq!(mails["total"], held.notes.len(), "{mails}");
    for mail in mails["items"].as_array().expect("a list") {
        let accepted = test.accepted(mail["email_id"].as_str().expect("an id"));
        match mail["status"].as_str() {
            Some("sent") => assert_eq!(accepted, 1, "{mail}"),
            Some("uncertain") => assert!(accepted <= 1, "{mail}"),
            _ => panic!("{mail}"),
        }
    }
}
