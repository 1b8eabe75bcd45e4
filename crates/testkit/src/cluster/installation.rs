//! Several instances on one PostgreSQL and one Redis, behind one balancer.

use std::{fs, path::PathBuf};

use serde_json::json;
use tempfile::TempDir;

use super::{Balancer, Instance, Link, PostgresServer, RedisServer};
use crate::{Api, Key, Program};

pub const PLAN: &str = "business";
pub const BRAND: &str = "acme";
/// An administrator of the brand.
pub const USER: &str = "ada";

/// How an installation differs from the usual one.
#[derive(Debug, Default)]
pub struct Wishes<'a> {
    /// A PostgreSQL of its own, which may be stopped.
    pub own_postgres: bool,
    /// Every instance reaches PostgreSQL and Redis over wires of its own, which can be cut.
    pub links: bool,
    /// What each instance's clock is off by, as libfaketime takes it.
    pub clocks: &'a [&'a str],
    pub balancer: bool,
    pub arguments: &'a [&'a str],
}

#[derive(Debug)]
pub struct Cluster {
    pub instances: Vec<Instance>,
    /// Of each instance, to PostgreSQL and to Redis.
    pub links: Vec<(Link, Link)>,
    pub balancer: Option<Balancer>,
    pub redis: RedisServer,
    pub postgres: PostgresServer,
    pub database: String,
    /// The binary as it is used from a shell.
    pub program: Program,
    pub token: String,
    pub operator: String,
    pub dir: TempDir,
    http: Api,
}

const JWT_SECRET: &str = "a-shared-secret-of-the-tests-that-is-long-enough";
pub const REVEAL_KEYS: &str = "2026:a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=";

impl Cluster {
    /// Three instances, ready, with a brand on a plan that has MCP.
    pub async fn start(wishes: Wishes<'_>) -> Self {
        let mut cluster = Self::prepare(&wishes).await;
        for instance in &mut cluster.instances {
            instance.spawn();
        }
        for instance in &mut cluster.instances {
            instance.is_ready().await;
        }
        if wishes.balancer {
            let addresses: Vec<_> = cluster.instances.iter().map(|instance| instance.address).collect();
            cluster.balancer = Some(Balancer::start(cluster.dir.path(), &addresses).await);
        }
        cluster.add_brand(BRAND, PLAN).await;
        cluster
    }

    /// The same on an empty database, with nothing started.
    pub async fn prepare(wishes: &Wishes<'_>) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let postgres = if wishes.own_postgres { PostgresServer::own() } else { PostgresServer::shared() };
        let redis = RedisServer::start();
        let database = postgres.fresh_database();
        let program = Program::new(dir.path())
            .with("SVC_DATABASE_URL", &database)
            .with("SVC_REDIS_URL", &format!("redis://127.0.0.1:{}/0", redis.port()))
            .with("SVC_JWT_SECRET", JWT_SECRET)
            .with("SVC_REVEAL_KEYS", REVEAL_KEYS)
            .with("SVC_PUBLIC_URL", "http://svc.example")
            // As behind every balancer that keeps connections open: idle ones are closed by the balancer.
            .with("SVC_HEADER_TIMEOUT", "75")
            .with("SVC_LOG_FORMAT", "json");
        let (mut instances, mut links) = (Vec::new(), Vec::new());
        for number in 0..3 {
            let mut own = program.clone();
            if wishes.links {
                let (to_postgres, to_redis) = (Link::to(postgres.port()).await, Link::to(redis.port()).await);
                let through = |port: u16, link: &Link| (format!(":{port}/"), format!(":{}/", link.port));
                let (from, to) = through(postgres.port(), &to_postgres);
                own.set("SVC_DATABASE_URL", &database.replace(&from, &to));
                own.set("SVC_REDIS_URL", &format!("redis://127.0.0.1:{}/0", to_redis.port));
                links.push((to_postgres, to_redis));
            }
            if let Some(clock) = wishes.clocks.get(number) {
                own.set("LD_PRELOAD", &libfaketime().to_string_lossy());
                own.set("FAKETIME", clock);
                own.set("FAKETIME_DONT_FAKE_MONOTONIC", "1");
            }
            instances.push(Instance::new(&format!("instance-{number}"), own, wishes.arguments));
        }
        // A soak may take hours.
        let token = program.ok(&["token", "--user", USER, "--ttl", "7d"]);
        let operator = program.ok(&["token", "--user", "root", "--operator", "--ttl", "7d"]);
        let http = Api::new(&token);
        let balancer = None;
        Self { instances, links, balancer, redis, postgres, database, program, token, operator, dir, http }
    }

    /// Asks one instance as the brand's administrator.
    pub fn at(&self, instance: usize) -> Api {
        self.http.at(self.instances[instance].address)
    }

    /// Asks whichever instance the balancer chooses, as the brand's administrator.
    pub fn balanced(&self) -> Api {
        self.http.at(self.balancer.as_ref().expect("it was wished for").address)
    }

    /// Asks one instance with a key.
    pub fn agent(&self, instance: usize, key: &Key) -> Api {
        self.at(instance).with(&key.secret)
    }

    pub fn count(&self) -> usize {
        self.instances.len()
    }

    pub async fn put_plan(&self, instance: usize, mcp_enabled: bool) {
        let plan = json!({"name": "Business", "mcp_enabled": mcp_enabled});
        self.operator(instance).put(&format!("/api/admin/plans/{PLAN}"), &plan).await.expect(200);
    }

    pub async fn put_member(&self, instance: usize, brand: &str, user: &str) {
        let path = format!("/api/admin/brands/{brand}/members/{user}");
        self.operator(instance).put(&path, &json!({"role": "admin"})).await.expect(200);
    }

    pub async fn remove_member(&self, instance: usize, brand: &str, user: &str) {
        let path = format!("/api/admin/brands/{brand}/members/{user}");
        self.operator(instance).delete(&path).await.expect(204);
    }

    /// A brand and plan of its own for one part of a test: nothing that is done to others touches it.
    pub async fn add_brand(&self, brand: &str, plan: &str) {
        let about = json!({"name": "Business", "mcp_enabled": true});
        self.operator(0).put(&format!("/api/admin/plans/{plan}"), &about).await.expect(200);
        let about = json!({"name": "Acme", "website": "https://acme.example", "plan_id": plan});
        self.operator(0).put(&format!("/api/admin/brands/{brand}"), &about).await.expect(200);
        self.put_member(0, brand, USER).await;
    }

    fn operator(&self, instance: usize) -> Api {
        self.at(instance).with(&self.operator)
    }

    /// How often an instance has noticed that Redis is gone. On a starved machine it may seem so for a moment.
    pub fn degradations(&self) -> usize {
        let lines = |instance: &Instance| instance.log().matches("degraded: ").count();
        self.instances.iter().map(lines).sum()
    }

    /// Measures something that needs Redis, again where an instance was without it meanwhile.
    pub async fn with_redis<T>(&self, mut measure: impl AsyncFnMut() -> T) -> T {
        for _ in 0..10 {
            for instance in &self.instances {
                instance.becomes_degraded(false).await;
            }
            let before = self.degradations();
            let measured = measure().await;
            if self.degradations() == before {
                return measured;
            }
        }
        panic!("Redis hardly ever answers in time")
    }
}

fn libfaketime() -> PathBuf {
    let multiarch = fs::read_dir("/usr/lib").expect("/usr/lib is there").flatten();
    let mut found = multiarch.map(|entry| entry.path().join("faketime/libfaketimeMT.so.1"));
    found
        .find(|path| path.exists())
        .expect("libfaketime is missing: `make setup` installs what the tests need")
}
