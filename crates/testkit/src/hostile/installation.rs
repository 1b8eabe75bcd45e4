//! One service with two brands: the attacker's and the neighbour's.

use std::{fmt, path::PathBuf};

use serde_json::{Value, json};
use svc_mcp_access::Quota;
use tempfile::TempDir;
use tokio::time::Instant;

use super::{
    Neighbour, Target,
    database::Database,
    requests::{CHANNELS, channel_id},
    target::HOSTILE_BRAND,
};
use crate::{
    Api, Postgres, Program, Redis, Site,
    cluster::{Instance, REVEAL_KEYS},
};

const NEIGHBOUR_BRAND: &str = "neighbour";
const READ_KEYS: usize = 10;
/// A user may send 120 requests a minute to the management API.
const KEYS_PER_USER: usize = 100;
const HOSTILE_ADMINS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL + Redis",
        })
    }
}

#[derive(Debug)]
pub struct InstallationOptions {
    pub engine: Engine,
    /// The binary. `None`: the one that Cargo has built with this test.
    pub binary: Option<PathBuf>,
    pub neighbour_keys: usize,
    /// The attacker's site.
    pub site: String,
}

#[derive(Debug)]
pub struct Installation {
    pub instance: Instance,
    pub target: Target,
    pub neighbour: Neighbour,
    pub(super) database: Database,
    /// When the attacker got the keys.
    pub(super) started: Instant,
    dir: TempDir,
}

impl Installation {
    pub async fn start(options: InstallationOptions) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let data = dir.path().join("data");
        let mail = format!("file:{}", dir.path().join("mail").display());
        let mut program = Program::new(dir.path())
            .with("SVC_DATA_DIR", &data.to_string_lossy())
            .with("SVC_JWT_SECRET", "a-shared-secret-of-the-tests-that-is-long-enough")
            .with("SVC_REVEAL_KEYS", REVEAL_KEYS)
            .with("SVC_OUTBOUND_ALLOW", "127.0.0.1")
            .with("SVC_SMTP_URL", &mail)
            .with("SVC_MAIL_FROM", "reports@acme.example")
            .with("SVC_LOG_FORMAT", "json")
            // The default limit protects against the attack.
            .without("SVC_MANAGEMENT_LIMIT");
        if let Some(binary) = options.binary {
            program = program.with_binary(binary);
        }
        let database = match options.engine {
            Engine::Sqlite => Database::Sqlite(data.join("svc-mcp.db")),
            Engine::Postgres => {
                let url = Postgres::shared().fresh_database();
                program.set("SVC_DATABASE_URL", &url);
                program.set("SVC_REDIS_URL", &Redis::shared().fresh_database());
                Database::Postgres(url)
            }
        };
        let mut instance = Instance::new("service", program, &[]);
        instance.start().await;
        let set_up = SetUp { instance: &instance, http: Api::new("").at(instance.address) };
        let neighbour = set_up.neighbour(options.neighbour_keys).await;
        let started = Instant::now();
        let target = set_up.target(options.site).await;
        Self { instance, target, neighbour, database, started, dir }
    }

    /// The service's directory, with its log.
    pub fn dir(&self) -> &std::path::Path {
        self.dir.path()
    }
}

struct SetUp<'a> {
    instance: &'a Instance,
    http: Api,
}

impl SetUp<'_> {
    async fn neighbour(&self, count: usize) -> Neighbour {
        let site = Site::with(&[
            ("/robots.txt", "User-agent: *\nAllow: /\n"),
            ("/", "<title>The neighbour's site</title><a href=/about>About</a>"),
            ("/about", "<title>About the neighbour</title><h1>About</h1>"),
            ("/hook", ""),
        ])
        .await;
        // More keys than usual, so that the latency can be measured with many requests.
        let users = count.div_ceil(KEYS_PER_USER);
        let tokens = self.brand(NEIGHBOUR_BRAND, &site.url, users, count).await;
        let mut keys = Vec::new();
        for token in &tokens {
            keys.extend(
                self.keys(NEIGHBOUR_BRAND, token, "write", KEYS_PER_USER.min(count - keys.len())).await,
            );
        }
        self.put_webhook(NEIGHBOUR_BRAND, &tokens[0], "hook", &format!("{}/hook", site.url)).await;
        Neighbour::new(keys.iter().map(|key| self.http.with_bearer(key)).collect(), site)
    }

    async fn target(&self, site: String) -> Target {
        let count = Quota::Keys.default_limit() as usize;
        let tokens = self.brand(HOSTILE_BRAND, &site, HOSTILE_ADMINS, count).await;
        let read_keys = self.keys(HOSTILE_BRAND, &tokens[0], "read", READ_KEYS).await;
        let write_keys = self.keys(HOSTILE_BRAND, &tokens[1], "write", count - READ_KEYS).await;
        for number in 0..CHANNELS {
            let url = format!("{site}/hook/{number}");
            self.put_webhook(HOSTILE_BRAND, &tokens[2], &channel_id(number), &url).await;
        }
        let address = self.instance.address;
        Target { address, brand: HOSTILE_BRAND.to_owned(), site, write_keys, read_keys, admin_tokens: tokens }
    }

    /// Creates a plan and a brand with these administrators, and returns their tokens.
    async fn brand(&self, brand: &str, website: &str, admins: usize, keys: usize) -> Vec<String> {
        let operator = self.http.with_bearer(&self.instance.program.operator_token());
        let mut plan = json!({"name": "Business", "mcp_enabled": true});
        if keys != Quota::Keys.default_limit() as usize {
            plan["quotas"] = json!({"keys": keys});
        }
        let path = format!("/api/admin/plans/{brand}");
        if operator.put(&path, &plan).await.status != 200 {
            // A version without quotas.
            plan.as_object_mut().expect("an object").remove("quotas");
            operator.put(&path, &plan).await.expect_status(200);
        }
        let body = json!({"name": brand, "website": website, "plan_id": brand});
        operator.put(&format!("/api/admin/brands/{brand}"), &body).await.expect_status(200);
        let mut tokens = Vec::new();
        for number in 0..admins {
            let user = format!("{brand}-admin-{number}");
            let path = format!("/api/admin/brands/{brand}/members/{user}");
            operator.put(&path, &json!({"role": "admin"})).await.expect_status(200);
            tokens.push(self.instance.program.token(&user));
        }
        tokens
    }

    /// Creates this many keys, or as many as the version allows.
    async fn keys(&self, brand: &str, token: &str, scope: &str, count: usize) -> Vec<String> {
        let admin = self.http.with_bearer(token);
        let path = format!("/api/brands/{brand}/mcp-keys");
        let mut keys = Vec::new();
        while keys.len() < count {
            let response = admin.post(&path, &json!({"label": "a key", "scope": scope})).await;
            if response.code() == "key_limit_reached" {
                break;
            }
            let created = response.expect_status(201).json();
            keys.extend(created["api_key"].as_str().map(str::to_owned));
        }
        keys
    }

    async fn put_webhook(&self, brand: &str, token: &str, channel: &str, url: &str) {
        let body: Value = json!({"kind": "webhook", "settings": {"url": url}});
        let path = format!("/api/brands/{brand}/channels/{channel}");
        self.http.with_bearer(token).put(&path, &body).await.expect_status(200);
    }
}
