//! Three instances on one PostgreSQL and one Redis, behind one load balancer.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use serde_json::json;
use tempfile::TempDir;

use super::{Balancer, Instance, PostgresServer, RedisServer, TcpProxy};
use crate::{Api, Key, Program, WAIT_TIMEOUT};

pub const PLAN: &str = "business";
pub const BRAND: &str = "acme";
/// An administrator of the brand.
pub const USER: &str = "ada";

/// Differences from the default installation.
#[derive(Debug, Default)]
pub struct ClusterOptions<'a> {
    /// A PostgreSQL server for this cluster, which the test may stop.
    pub own_postgres: bool,
    /// Each instance connects to PostgreSQL and Redis through its own proxies.
    pub proxies: bool,
    /// The clock offset of each instance, in the format of libfaketime.
    pub clock_offsets: &'a [&'a str],
    pub balancer: bool,
    pub arguments: &'a [&'a str],
}

/// The proxies between one instance and its servers.
#[derive(Debug)]
pub struct InstanceProxies {
    pub postgres: TcpProxy,
    pub redis: TcpProxy,
}

#[derive(Debug)]
pub struct Cluster {
    pub instances: Vec<Instance>,
    /// One entry for each instance.
    pub proxies: Vec<InstanceProxies>,
    pub balancer: Option<Balancer>,
    pub redis: RedisServer,
    pub postgres: PostgresServer,
    pub database: String,
    /// Runs commands with the settings of the cluster.
    pub program: Program,
    pub token: String,
    pub operator: String,
    pub dir: TempDir,
    http: Api,
}

/// A key may send 60 requests in this time.
pub const RATE_WINDOW: Duration = Duration::from_mins(1);

const JWT_SECRET: &str = "a-shared-secret-of-the-tests-that-is-long-enough";
pub const REVEAL_KEYS: &str = "2026:a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=";

impl Cluster {
    /// Three running instances, with a brand on a plan that has MCP.
    pub async fn start(options: ClusterOptions<'_>) -> Self {
        let mut cluster = Self::prepare(&options).await;
        for instance in &mut cluster.instances {
            instance.spawn();
        }
        for instance in &mut cluster.instances {
            instance.wait_until_ready().await;
        }
        if options.balancer {
            let addresses: Vec<_> = cluster.instances.iter().map(|instance| instance.address).collect();
            cluster.balancer = Some(Balancer::start(cluster.dir.path(), &addresses).await);
        }
        cluster.add_brand(BRAND, PLAN).await;
        cluster
    }

    /// The same on an empty database, before the instances are started.
    pub async fn prepare(options: &ClusterOptions<'_>) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let postgres = if options.own_postgres { PostgresServer::own() } else { PostgresServer::shared() };
        let redis = RedisServer::start();
        let database = postgres.fresh_database();
        let program = Program::new(dir.path())
            .with("SVC_DATABASE_URL", &database)
            .with("SVC_REDIS_URL", &format!("redis://127.0.0.1:{}/0", redis.port()))
            .with("SVC_JWT_SECRET", JWT_SECRET)
            .with("SVC_REVEAL_KEYS", REVEAL_KEYS)
            .with("SVC_PUBLIC_URL", "http://svc.example")
            // Longer than the balancer keeps an idle connection, so that the balancer closes it.
            .with("SVC_IDLE_TIMEOUT", "75")
            .with("SVC_LOG_FORMAT", "json")
            // `degradations` counts each moment without Redis, also those of one outage.
            .with("SVC_LOG", "info,svc_mcp_store::redis_state=debug");
        let (mut instances, mut proxies) = (Vec::new(), Vec::new());
        for number in 0..3 {
            let mut program = program.clone();
            if options.proxies {
                let (to_postgres, to_redis) =
                    (TcpProxy::start(postgres.port()).await, TcpProxy::start(redis.port()).await);
                let (from, to) = (format!(":{}/", postgres.port()), format!(":{}/", to_postgres.port));
                program.set("SVC_DATABASE_URL", &database.replace(&from, &to));
                program.set("SVC_REDIS_URL", &format!("redis://127.0.0.1:{}/0", to_redis.port));
                proxies.push(InstanceProxies { postgres: to_postgres, redis: to_redis });
            }
            if let Some(offset) = options.clock_offsets.get(number) {
                set_clock_offset(&mut program, offset);
            }
            instances.push(Instance::new(&format!("instance-{number}"), program, options.arguments));
        }
        // A soak test may run for hours.
        let token = program.run_ok(&["token", "--user", USER, "--ttl", "7d"]);
        let operator = program.run_ok(&["token", "--user", "root", "--operator", "--ttl", "7d"]);
        let http = Api::new(&token);
        let balancer = None;
        Self { instances, proxies, balancer, redis, postgres, database, program, token, operator, dir, http }
    }

    /// Restarts all instances with another number of workers, and with clocks that are ahead by `clock_offset` (`+10m`) if it
    /// is not empty.
    pub async fn restart_with(&mut self, workers: &str, clock_offset: &str) {
        for instance in &mut self.instances {
            instance.stop().await;
            instance.program.set("SVC_JOB_WORKERS", workers);
            if !clock_offset.is_empty() {
                set_clock_offset(&mut instance.program, clock_offset);
            }
            instance.start().await;
        }
    }

    /// A client of one instance, as the brand's administrator.
    pub fn at(&self, instance: usize) -> Api {
        self.http.at(self.instances[instance].address)
    }

    /// A client of the load balancer, as the brand's administrator.
    pub fn balanced(&self) -> Api {
        self.http.at(self.balancer.as_ref().expect("the option `balancer`").address)
    }

    /// A client of one instance, with a key.
    pub fn agent(&self, instance: usize, key: &Key) -> Api {
        self.at(instance).with_bearer(&key.secret)
    }

    pub fn count(&self) -> usize {
        self.instances.len()
    }

    pub async fn put_plan(&self, instance: usize, mcp_enabled: bool) {
        let plan = json!({"name": "Business", "mcp_enabled": mcp_enabled});
        self.operator(instance).put(&format!("/api/admin/plans/{PLAN}"), &plan).await.expect_status(200);
    }

    pub async fn put_member(&self, instance: usize, brand: &str, user: &str) {
        let path = format!("/api/admin/brands/{brand}/members/{user}");
        self.operator(instance).put(&path, &json!({"role": "admin"})).await.expect_status(200);
    }

    pub async fn remove_member(&self, instance: usize, brand: &str, user: &str) {
        let path = format!("/api/admin/brands/{brand}/members/{user}");
        self.operator(instance).delete(&path).await.expect_status(204);
    }

    /// Adds a brand and a plan for one part of a test, so that changes to other brands do not affect it.
    pub async fn add_brand(&self, brand: &str, plan: &str) {
        // Tests under load write more than a brand usually may.
        let quotas = json!({"posts_per_day": 1_000_000, "drafts": 1_000_000, "queued_targets": 1_000_000});
        let body = json!({"name": "Business", "mcp_enabled": true, "quotas": quotas});
        self.operator(0).put(&format!("/api/admin/plans/{plan}"), &body).await.expect_status(200);
        let body = json!({"name": "Acme", "website": "https://acme.example", "plan_id": plan});
        self.operator(0).put(&format!("/api/admin/brands/{brand}"), &body).await.expect_status(200);
        self.put_member(0, brand, USER).await;
    }

    pub fn operator(&self, instance: usize) -> Api {
        self.at(instance).with_bearer(&self.operator)
    }

    /// How often an instance has logged that Redis is gone. On a busy machine this can happen while Redis is running.
    pub fn degradations(&self) -> usize {
        let lines = |instance: &Instance| instance.log().matches("degraded: ").count();
        self.instances.iter().map(lines).sum()
    }

    /// Measures something that needs Redis. Repeats it if an instance was without Redis, or if it took longer than one
    /// window of the rate limit.
    pub async fn with_redis<T>(&self, mut measure: impl AsyncFnMut() -> T) -> T {
        let started = Instant::now();
        loop {
            for instance in &self.instances {
                instance.wait_until_degraded(false).await;
            }
            let (before, begun) = (self.degradations(), Instant::now());
            let measured = measure().await;
            if self.degradations() == before && begun.elapsed() < RATE_WINDOW {
                return measured;
            }
            assert!(started.elapsed() < WAIT_TIMEOUT, "Redis was never available for a whole measurement");
        }
    }
}

fn set_clock_offset(program: &mut Program, offset: &str) {
    program.set("LD_PRELOAD", &libfaketime().to_string_lossy());
    program.set("FAKETIME", offset);
    program.set("FAKETIME_DONT_FAKE_MONOTONIC", "1");
}

fn libfaketime() -> PathBuf {
    let multiarch = fs::read_dir("/usr/lib").expect("/usr/lib").flatten();
    let mut found = multiarch.map(|entry| entry.path().join("faketime/libfaketimeMT.so.1"));
    found.find(|path| path.exists()).expect("libfaketime is missing. Run `make setup`.")
}
