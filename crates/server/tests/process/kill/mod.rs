//! `kill -9` at random moments: acknowledged changes are kept, and a repeated request is executed once.

mod approvals;
mod audit;
mod client;
mod events;
mod mail;
mod rotation;
mod verify;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use sqlx::Connection;

use crate::support::{Api, Sandbox, eventually};
use client::Client;

/// Kills under traffic. More kills follow during the start.
const KILLS: u32 = 52;
const KILLS_WHILE_STARTING: u32 = 6;
const CLIENTS: u32 = 6;
/// A brand has at most 50 active keys, so each client changes to a new brand after this many rounds.
const ROUNDS_PER_BRAND: u32 = 6;

/// The time from one start of the service to its kill.
#[derive(Debug, Default)]
struct Round {
    acknowledged: AtomicU32,
    killed: AtomicBool,
}

impl Round {
    async fn wait_for_acknowledged(&self, count: u32) {
        eventually("acknowledged requests", async || {
            (self.acknowledged.load(Ordering::SeqCst) >= count).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_changes_survive_kills_on_sqlite() {
    survive_kills(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_changes_survive_kills_on_postgresql() {
    survive_kills(Sandbox::postgres()).await;
}

async fn survive_kills(sandbox: Sandbox) {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    kill_while_starting(&sandbox, &mut random).await;
    let token = sandbox.run_ok(&["token", "--user", "ada", "--ttl", "1d"]);
    set_up(&sandbox).await;
    let mut clients: Vec<Client> =
        (0..CLIENTS).map(|number| Client::new(number, StdRng::seed_from_u64(random.random()))).collect();
    for round in 0..KILLS {
        let service = sandbox.serve(&[]);
        let api = service.api(&token).keep_alive();
        verify::changes(&api, &mut clients).await;
        let current = Arc::new(Round::default());
        let tasks: Vec<_> = clients
            .drain(..)
            .map(|client| {
                let brand = brand_name(client.number, round / ROUNDS_PER_BRAND);
                tokio::spawn(client.work(api.clone(), brand, Arc::clone(&current)))
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(random.random_range(5..=120))).await;
        // On a busy machine no request may be acknowledged yet.
        current.wait_for_acknowledged(random.random_range(2..=10)).await;
        current.killed.store(true, Ordering::SeqCst);
        service.kill();
        for client in tasks {
            clients.push(client.await.expect("a client fails only by the kill"));
        }
        // In every other round a repeated call still finds the first one in progress, and is repeated later.
        if round % 2 == 0 {
            expire_claims(&sandbox).await;
        }
    }
    expire_claims(&sandbox).await;
    let service = sandbox.serve(&[]);
    let api = service.api(&token).keep_alive();
    verify::changes(&api, &mut clients).await;
    verify::all(&api, &clients).await;
    service.stop();
}

/// Interrupts the creation of tables and secrets in an empty sandbox.
async fn kill_while_starting(sandbox: &Sandbox, random: &mut StdRng) {
    for _ in 0..KILLS_WHILE_STARTING {
        let mut child = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
        let child = child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn();
        let mut child = child.expect("the binary starts");
        tokio::time::sleep(Duration::from_millis(random.random_range(1..=60))).await;
        child.kill().expect("the service is killed");
        child.wait().expect("the service has exited");
    }
}

async fn set_up(sandbox: &Sandbox) {
    let service = sandbox.serve(&[]);
    let operator = service.api(&sandbox.operator_token()).keep_alive();
    let plan = json!({"name": "Business", "mcp_enabled": true});
    operator.put("/api/admin/plans/business", &plan).await.expect_status(200);
    for client in 0..CLIENTS {
        for age in 0..=KILLS / ROUNDS_PER_BRAND {
            add_brand(&operator, &brand_name(client, age)).await;
        }
    }
    service.stop();
}

async fn add_brand(operator: &Api, brand: &str) {
    let body = json!({"name": brand, "website": "https://acme.example", "plan_id": "business"});
    operator.put(&format!("/api/admin/brands/{brand}"), &body).await.expect_status(200);
    let member = json!({"role": "member"});
    operator.put(&format!("/api/admin/brands/{brand}/members/ada"), &member).await.expect_status(200);
}

fn brand_name(client: u32, age: u32) -> String {
    format!("brand-{client}-{age}")
}

/// An interrupted call holds its idempotency key for a minute. The test moves the time instead of waiting.
async fn expire_claims(sandbox: &Sandbox) {
    let sql = "UPDATE promises SET claimed_until = claimed_until - 60000 WHERE answer IS NULL";
    if let Some(url) = sandbox.variable("SVC_DATABASE_URL") {
        let mut database = sqlx::PgConnection::connect(url).await.expect("a connection to the database");
        sqlx::query(sql).execute(&mut database).await.expect("the SQL runs");
        database.close().await.expect("the connection closes");
    } else {
        let file = sandbox.data_dir().join("svc-mcp.db");
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file);
        let mut database =
            sqlx::SqliteConnection::connect_with(&options).await.expect("a connection to the database");
        sqlx::query(sql).execute(&mut database).await.expect("the SQL runs");
        database.close().await.expect("the connection closes");
    }
}
