//! Starts a service for each test, and sends requests to it.

mod receiver;
mod reply;
mod schemas;

use std::{sync::Arc, time::Duration};

use clap::Parser;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
pub(crate) use receiver::{LOST, Receiver};
pub(crate) use reply::Reply;
use serde_json::{Map, Value, json};
use svc_mcp::{
    config::ServeArgs,
    jwt::{Issuer, NewToken, OperatorClaim},
    service::{self, Running},
};
use svc_mcp_access::{Clock, Entropy, Quota, Secret};
use svc_mcp_testkit::{Postgres, Redis, TestClock, seeded};
pub(crate) use svc_mcp_testkit::{Site, eventually, eventually_with_key};
use tempfile::TempDir;

pub(crate) const JWT_SECRET: &str = "a secret for tests, long enough to be taken";
pub(crate) const BRAND: &str = "acme";
pub(crate) const OTHER_BRAND: &str = "umbrella";
/// All other tools only read.
pub(crate) const WRITE_TOOLS: [&str; 11] = [
    "create_post",
    "update_post",
    "publish_post",
    "cancel_post",
    "withdraw_post",
    "run_audit",
    "run_analysis",
    "keyword_research_search",
    "send_report_email",
    "create_schedule",
    "delete_schedule",
];

pub(crate) struct TestApp {
    pub(crate) url: String,
    pub(crate) clock: Arc<TestClock>,
    _data: TempDir,
    /// The arguments of `serve`.
    arguments: Vec<String>,
    restarts: u64,
    issuer: Issuer,
    http: reqwest::Client,
    running: Running,
}

#[derive(Debug, Parser)]
#[command(args_override_self = true)]
struct Arguments {
    #[command(flatten)]
    serve: ServeArgs,
}

/// Differences from the default service.
#[derive(Default)]
pub(crate) struct AppOptions {
    pub(crate) arguments: Vec<String>,
    /// Limit rates without Redis, which uses its own clock and not the clock of the test.
    pub(crate) local_rate_limit: bool,
    pub(crate) entropy: Option<Entropy>,
    /// Start without brands, plans and members.
    pub(crate) empty: bool,
    /// Start without the shared JWT secret.
    pub(crate) no_jwt_secret: bool,
}

impl TestApp {
    pub(crate) async fn new() -> Self {
        Self::with(AppOptions::default()).await
    }

    /// A service whose rate limit uses the clock of the test.
    pub(crate) async fn with_local_rate_limit() -> Self {
        Self::with(AppOptions { local_rate_limit: true, ..AppOptions::default() }).await
    }

    pub(crate) async fn with(options: AppOptions) -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut arguments = vec!["serve".to_owned(), "--listen=127.0.0.1:0".into()];
        // The clock of a test stands still, so that all requests of a test are in one minute.
        arguments.push("--management-limit=0".into());
        arguments.push(format!("--data-dir={}", data.path().display()));
        if !options.no_jwt_secret {
            arguments.push(format!("--jwt-secret={JWT_SECRET}"));
        }
        arguments.extend(engine(options.local_rate_limit));
        arguments.extend(options.arguments);
        let clock = Arc::new(TestClock::default());
        let entropy = options.entropy.unwrap_or_else(|| seeded(1));
        let running = start(&arguments, &clock, entropy).await;
        let app = Self {
            url: format!("http://{}", running.address),
            clock,
            _data: data,
            arguments,
            restarts: 0,
            issuer: Issuer {
                secret: Secret::new(JWT_SECRET.into()),
                issuer: None,
                audience: None,
                operator_claim: OperatorClaim::default(),
            },
            http: reqwest::Client::builder()
                .no_proxy()
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .unwrap(),
            running,
        };
        if !options.empty {
            app.set_up().await;
        }
        app
    }

    /// Stops the service, and starts it again on the same data with more arguments.
    pub(crate) async fn restart_with(mut self, argument: &str) -> Self {
        self.running.stop().await;
        self.arguments.push(argument.to_owned());
        self.restarts += 1;
        // Other random numbers, because ids are not used twice.
        self.running = start(&self.arguments, &self.clock, seeded(1 + self.restarts)).await;
        self.url = format!("http://{}", self.running.address);
        self
    }

    /// Adds a plan with MCP, a plan without, and two brands. `ada` is administrator and `ben` member of the first brand,
    /// `eve` is administrator of the other.
    async fn set_up(&self) {
        self.put_plan("business", true).await;
        self.put_plan("starter", false).await;
        for brand in [BRAND, OTHER_BRAND] {
            self.put_brand(brand, "business").await;
        }
        for (brand, user, role) in
            [(BRAND, "ada", "admin"), (BRAND, "ben", "member"), (OTHER_BRAND, "eve", "admin")]
        {
            self.put_member(brand, user, role).await;
        }
    }

    pub(crate) async fn put_plan(&self, plan: &str, mcp_enabled: bool) {
        let body = json!({"name": plan, "mcp_enabled": mcp_enabled});
        self.put(&format!("/api/admin/plans/{plan}"))
            .bearer(&self.operator())
            .json(&body)
            .await
            .expect_status(200);
    }

    pub(crate) async fn put_brand(&self, brand: &str, plan: &str) {
        let body = json!({"name": brand, "website": "https://acme.example", "plan_id": plan});
        self.put(&format!("/api/admin/brands/{brand}"))
            .bearer(&self.operator())
            .json(&body)
            .await
            .expect_status(200);
    }

    /// Sets the website and the competitors of the brand.
    pub(crate) async fn put_sites(&self, website: &str, competitors: &[&str]) {
        let body =
            json!({"name": "Acme", "website": website, "plan_id": "business", "competitors": competitors});
        let path = format!("/api/admin/brands/{BRAND}");
        self.put(&path).bearer(&self.operator()).json(&body).await.expect_status(200);
    }

    /// Gives the brands' plan these quotas, and defaults for the rest.
    pub(crate) async fn set_quotas(&self, quotas: Value) -> Reply {
        let mut all: Map<String, Value> =
            Quota::ALL.iter().map(|quota| (quota.as_str().to_owned(), Value::Null)).collect();
        all.extend(quotas.as_object().unwrap().clone());
        let body = json!({"name": "Business", "mcp_enabled": true, "quotas": all});
        self.put("/api/admin/plans/business").bearer(&self.operator()).json(&body).await
    }

    pub(crate) async fn put_member(&self, brand: &str, user: &str, role: &str) {
        let path = format!("/api/admin/brands/{brand}/members/{}", path_segment(user));
        let body = json!({"role": role, "name": user});
        self.put(&path).bearer(&self.operator()).json(&body).await.expect_status(200);
    }

    pub(crate) async fn remove_member(&self, brand: &str, user: &str) {
        let path = format!("/api/admin/brands/{brand}/members/{}", path_segment(user));
        self.delete(&path).bearer(&self.operator()).send().await.expect_status(204);
    }

    /// A valid application token.
    pub(crate) fn token(&self, user: &str) -> String {
        self.sign(user, false, Duration::from_hours(1))
    }

    pub(crate) fn operator(&self) -> String {
        self.sign("olga", true, Duration::from_hours(1))
    }

    pub(crate) fn sign(&self, user: &str, operator: bool, valid_for: Duration) -> String {
        let token = NewToken { user_id: user.parse().unwrap(), operator, valid_for };
        self.issuer.issue(&token, self.clock.now()).expose().to_owned()
    }

    /// Creates a key as `ada`.
    pub(crate) async fn create_key(&self, body: Value) -> CreatedKey {
        self.create_key_as("ada", BRAND, body).await
    }

    pub(crate) async fn create_key_as(&self, user: &str, brand: &str, body: Value) -> CreatedKey {
        let path = format!("/api/brands/{brand}/mcp-keys");
        let reply = self.post(&path).bearer(&self.token(user)).json(&body).await.expect_status(201);
        let text = |name: &str| reply.body[name].as_str().unwrap().to_owned();
        CreatedKey { key_id: text("key_id"), api_key: text("api_key"), body: reply.body.clone() }
    }

    /// Creates a key of this scope, and returns its secret.
    pub(crate) async fn key(&self, scope: &str) -> String {
        self.create_key(json!({"label": scope, "scope": scope})).await.api_key
    }

    pub(crate) async fn revoke(&self, key_id: &str) {
        let path = format!("/api/brands/{BRAND}/mcp-keys/{key_id}");
        self.delete(&path).bearer(&self.token("ada")).send().await.expect_status(204);
    }

    /// Pauses or resumes a key.
    pub(crate) async fn set_paused(&self, user: &str, key_id: &str, paused: bool) -> Reply {
        let path = format!("/api/brands/{BRAND}/mcp-keys/{key_id}");
        self.request("PATCH", &path).bearer(&self.token(user)).json(&json!({"paused": paused})).await
    }

    /// The kinds of a key's events, newest first.
    pub(crate) async fn event_kinds(&self, key_id: &str) -> Vec<String> {
        let path = format!("/api/brands/{BRAND}/mcp-keys/{key_id}/activity?limit=200");
        let page = self.get(&path).bearer(&self.token("ada")).send().await.expect_status(200);
        let events = page.body["events"].as_array().unwrap();
        events.iter().map(|event| event["kind"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) async fn list_tools(&self, key: &str) -> Reply {
        self.get("/mcp/v1/tools").bearer(key).send().await
    }

    pub(crate) async fn call(&self, key: &str, tool: &str, arguments: Value) -> Reply {
        let body = json!({"name": tool, "arguments": arguments});
        let reply = self.post("/mcp/v1/tools/call").bearer(key).json(&body).await;
        if reply.status == 200 {
            schemas::check(tool, &reply);
        }
        reply
    }

    pub(crate) fn get(&self, path: &str) -> TestRequest {
        self.request("GET", path)
    }

    pub(crate) fn post(&self, path: &str) -> TestRequest {
        self.request("POST", path)
    }

    pub(crate) fn put(&self, path: &str) -> TestRequest {
        self.request("PUT", path)
    }

    pub(crate) fn delete(&self, path: &str) -> TestRequest {
        self.request("DELETE", path)
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> TestRequest {
        TestRequest(self.http.request(method.parse().unwrap(), format!("{}{path}", self.url)))
    }

    /// Stops the service. It writes all buffered records.
    pub(crate) async fn stop(self) {
        self.running.stop().await;
    }
}

/// A text as one segment of a path.
pub(crate) fn path_segment(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

async fn start(arguments: &[String], clock: &Arc<TestClock>, entropy: Entropy) -> Running {
    let arguments = Arguments::try_parse_from(arguments).unwrap().serve;
    service::start(&arguments, Arc::clone(clock) as Arc<dyn Clock>, entropy, None).await.unwrap()
}

pub(crate) struct CreatedKey {
    pub(crate) key_id: String,
    pub(crate) api_key: String,
    pub(crate) body: Value,
}

/// A request that is not sent yet.
pub(crate) struct TestRequest(reqwest::RequestBuilder);

impl TestRequest {
    pub(crate) fn bearer(self, credential: &str) -> Self {
        self.header("authorization", &format!("Bearer {credential}"))
    }

    pub(crate) fn header(self, name: &str, value: &str) -> Self {
        Self(self.0.header(name, value))
    }

    pub(crate) async fn json(self, body: &Value) -> Reply {
        self.header("content-type", "application/json").body(body.to_string()).await
    }

    pub(crate) async fn body(self, body: impl Into<reqwest::Body>) -> Reply {
        Self(self.0.body(body)).send().await
    }

    pub(crate) async fn send(self) -> Reply {
        Reply::read(self.0.send().await.unwrap()).await
    }
}

pub(crate) fn on_postgres() -> bool {
    match std::env::var("SVC_TEST_ENGINE").as_deref() {
        Err(_) | Ok("sqlite") => false,
        Ok("postgres") => true,
        Ok(other) => panic!("SVC_TEST_ENGINE must be sqlite or postgres, not {other}"),
    }
}

fn engine(local_rate_limit: bool) -> Vec<String> {
    const SEALING_KEY: &str = "--reveal-keys=test:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    if !on_postgres() {
        return Vec::new();
    }
    let mut arguments = vec![
        format!("--database-url={}", Postgres::shared().fresh_database()),
        "--database-connections=4".into(),
        SEALING_KEY.into(),
    ];
    if !local_rate_limit {
        arguments.push(format!("--redis-url={}", Redis::shared().fresh_database()));
    }
    arguments
}
