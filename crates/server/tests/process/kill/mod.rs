//! `kill -9` at random moments: what was acknowledged holds, and what was asked for once happens once.

mod audit;
mod client;
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

use crate::support::{Api, Place, eventually};
use client::Client;

/// Kills of a service that has traffic. Some more hit it while it starts.
const KILLS: u32 = 52;
const KILLS_WHILE_STARTING: u32 = 6;
const CLIENTS: u32 = 6;
/// A brand has at most 50 active keys, so each client moves on to a new brand after so many rounds.
const ROUNDS_OF_A_BRAND: u32 = 6;

/// One life of the service.
#[derive(Debug, Default)]
struct Round {
    acknowledged: AtomicU32,
    killed: AtomicBool,
}

impl Round {
    async fn wait_for(&self, count: u32) {
        eventually("traffic", async || (self.acknowledged.load(Ordering::SeqCst) >= count).then_some(()))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_changes_survive_kills_on_sqlite() {
    survive_kills(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_changes_survive_kills_on_postgresql() {
    survive_kills(Place::postgres()).await;
}

async fn survive_kills(place: Place) {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    kill_while_starting(&place, &mut random).await;
    let token = place.ok(&["token", "--user", "ada", "--ttl", "1d"]);
    set_up(&place).await;
    let mut clients: Vec<Client> =
        (0..CLIENTS).map(|number| Client::new(number, StdRng::seed_from_u64(random.random()))).collect();
    for round in 0..KILLS {
        let running = place.serve(&[]);
        let api = running.api(&token).persistent();
        verify::everything_new(&api, &mut clients).await;
        let life = Arc::new(Round::default());
        let at_work: Vec<_> = clients
            .drain(..)
            .map(|client| {
                let brand = brand_of(client.number, round / ROUNDS_OF_A_BRAND);
                tokio::spawn(client.work(api.clone(), brand, Arc::clone(&life)))
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(random.random_range(5..=120))).await;
        // On a busy machine little may have happened by now.
        life.wait_for(random.random_range(1..=8)).await;
        life.killed.store(true, Ordering::SeqCst);
        running.kill();
        for client in at_work {
            clients.push(client.await.expect("a client meets nothing but the kill"));
        }
        // Half of the times, what was sent again still finds its first try claimed; it is sent once more later.
        if round % 2 == 0 {
            let_a_minute_pass(&place).await;
        }
    }
    let_a_minute_pass(&place).await;
    let running = place.serve(&[]);
    let api = running.api(&token).persistent();
    verify::everything_new(&api, &mut clients).await;
    verify::everything_at_last(&api, &clients).await;
    running.stop();
}

/// On an empty place: tables and secrets are half made, again and again.
async fn kill_while_starting(place: &Place, random: &mut StdRng) {
    for _ in 0..KILLS_WHILE_STARTING {
        let mut child = place.command(&["serve", "--listen", "127.0.0.1:0"]);
        let child = child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn();
        let mut child = child.expect("the binary starts");
        tokio::time::sleep(Duration::from_millis(random.random_range(1..=60))).await;
        child.kill().expect("it still runs");
        child.wait().expect("it has ended");
    }
}

async fn set_up(place: &Place) {
    let running = place.serve(&[]);
    let operator = running.api(&place.operator_token()).persistent();
    let plan = json!({"name": "Business", "mcp_enabled": true});
    operator.put("/api/admin/plans/business", &plan).await.expect(200);
    for client in 0..CLIENTS {
        for age in 0..=KILLS / ROUNDS_OF_A_BRAND {
            add_brand(&operator, &brand_of(client, age)).await;
        }
    }
    running.stop();
}

async fn add_brand(operator: &Api, brand: &str) {
    let about = json!({"name": brand, "website": "https://acme.example", "plan_id": "business"});
    operator.put(&format!("/api/admin/brands/{brand}"), &about).await.expect(200);
    let member = json!({"role": "member"});
    operator.put(&format!("/api/admin/brands/{brand}/members/ada"), &member).await.expect(200);
}

fn brand_of(client: u32, age: u32) -> String {
    format!("brand-{client}-{age}")
}

/// A call that was cut off keeps its idempotency key claimed for a minute. The test does not wait for that.
async fn let_a_minute_pass(place: &Place) {
    let sql = "UPDATE promises SET claimed_until = claimed_until - 60000 WHERE answer IS NULL";
    if let Some(url) = place.variable("SVC_DATABASE_URL") {
        let mut database = sqlx::PgConnection::connect(url).await.expect("the database");
        sqlx::query(sql).execute(&mut database).await.expect("it takes SQL");
        database.close().await.expect("it closes");
    } else {
        let file = place.data_dir().join("svc-mcp.db");
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file);
        let mut database = sqlx::SqliteConnection::connect_with(&options).await.expect("the database");
        sqlx::query(sql).execute(&mut database).await.expect("it takes SQL");
        database.close().await.expect("it closes");
    }
}
