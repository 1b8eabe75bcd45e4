//! `kill -9` while a brand or a user is erased: the erasure goes on and completes, and nobody else loses anything.

use std::time::Duration;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::json;

use super::{places::Database, receipt_id, wait_until_done};
use crate::support::{Sandbox, Service, eventually, try_send};

/// Kills while an erasure is not done.
const KILLS_OF_BRANDS: u32 = 20;
const KILLS_OF_USERS: u32 = 8;
/// In the year 2096, so that no row is deleted because of its age.
const RECENT: i64 = 4_000_000_000_000;
/// Rows of each table that is filled.
const ROWS: u32 = 12_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn brand_erasure_survives_kills_on_sqlite() {
    kill_brand_erasures(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn brand_erasure_survives_kills_on_postgresql() {
    kill_brand_erasures(Sandbox::postgres()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn user_erasure_survives_kills_on_sqlite() {
    kill_user_erasures(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn user_erasure_survives_kills_on_postgresql() {
    kill_user_erasures(Sandbox::postgres()).await;
}

/// Fills three tables of a brand. `batch` makes the ids of the rows unique within the brand.
async fn fill(database: &mut Database, brand: &str, batch: &str, actor: &str) {
    let numbers = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {ROWS}) INSERT INTO"
    );
    for insert in [
        format!(
            "activity (brand_id, at, event_id, kind, key_id, actor, outcome) \
             SELECT '{brand}', {RECENT} + n, '{batch}-' || n, 'list', 'key_1', '{actor}', 'ok' FROM numbers"
        ),
        format!(
            "page_texts (brand_id, site, position, url, text, is_own, fetched_at) \
             SELECT '{brand}', '{batch}', n, 'https://acme.example/' || n, 'The text of a page', 1, 1 FROM numbers"
        ),
        format!(
            "approvals (brand_id, approval_id, key_id, tool, arguments, digest, status, requested_at, expires_at, \
             decided_by) SELECT '{brand}', '{batch}-' || n, 'key_1', 'create_post', '{{}}', 'd', 'done', n, \
             4102444800000, '{actor}' FROM numbers WHERE n <= 2000"
        ),
    ] {
        database.execute(&format!("{numbers} {insert}")).await;
    }
}

/// All rows of a brand, without the line that has the time.
fn export(sandbox: &Sandbox, brand: &str) -> Vec<String> {
    let export = sandbox.run_ok(&["admin", "brands", "export", brand]);
    export.lines().skip(1).map(str::to_owned).collect()
}

/// Erasures whose first search has not ended.
const OPEN: &str = "SELECT COUNT(*) FROM erasures WHERE rows_deleted_at IS NULL";

/// Waits until the erasure has changed some rows more, or is done, then kills the service. Returns 1 if the erasure was not
/// done, else 0.
async fn kill_in_between(service: Service, database: &mut Database, random: &mut StdRng) -> u32 {
    const CHANGED: &str = "SELECT CAST(COALESCE(SUM(deleted_rows), 0) AS BIGINT) FROM erasures";
    let before = database.number(CHANGED).await;
    eventually("a step of the erasure", async || {
        let has_moved = database.number(CHANGED).await > before || database.number(OPEN).await == 0;
        has_moved.then_some(())
    })
    .await;
    tokio::time::sleep(Duration::from_millis(random.random_range(0..=25))).await;
    service.kill();
    u32::from(database.number(OPEN).await > 0)
}

/// Sends the request that starts an erasure, and kills the service at a random moment of it.
async fn kill_during_request(service: Service, token: &str, method: Method, path: &str, random: &mut StdRng) {
    let request = service.api(token).request(method, path);
    let sending = tokio::spawn(try_send(request));
    tokio::time::sleep(Duration::from_millis(random.random_range(0..=40))).await;
    service.kill();
    // It may have been answered, or not.
    let _ = sending.await.expect("the task ends");
}

async fn kill_brand_erasures(sandbox: Sandbox) {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    sandbox.add_brand("kept", "ada");
    let mut database = Database::open(&sandbox).await;
    fill(&mut database, "kept", "b", "ada").await;
    let kept = export(&sandbox, "kept");
    let token = sandbox.operator_token();
    let (mut kills, mut receipts) = (0, Vec::new());
    while kills < KILLS_OF_BRANDS {
        let brand = format!("erased-{}", receipts.len());
        sandbox.add_brand(&brand, "eve");
        fill(&mut database, &brand, "b", "eve").await;
        let path = format!("/api/admin/brands/{brand}");
        kill_during_request(sandbox.serve(&[]), &token, Method::DELETE, &path, &mut random).await;
        let service = sandbox.serve(&[]);
        // If the first request was committed, this returns its receipt.
        let receipt = service.api(&token).delete(&path).await.expect_status(202).json();
        receipts.push((brand, receipt_id(&receipt)));
        kills += kill_in_between(service, &mut database, &mut random).await;
        while database.number(OPEN).await > 0 {
            kills += kill_in_between(sandbox.serve(&[]), &mut database, &mut random).await;
        }
    }
    let service = sandbox.serve(&[]);
    let operator = service.api(&token);
    for (brand, receipt_id) in &receipts {
        wait_until_done(&operator, &mut database, receipt_id).await;
        assert_eq!(database.tables_that_mention(brand).await, ["erasures"], "{brand}");
    }
    service.stop();
    assert!(export(&sandbox, "kept") == kept, "the other brand has all of its rows");
}

async fn kill_user_erasures(sandbox: Sandbox) {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    sandbox.add_brand("acme", "ada");
    let mut database = Database::open(&sandbox).await;
    fill(&mut database, "acme", "b", "ada").await;
    let token = sandbox.operator_token();
    let (mut kills, mut receipts) = (0, Vec::new());
    while kills < KILLS_OF_USERS {
        let user = format!("erased-user-{}", receipts.len());
        let email = format!("{user}@mail.example");
        let set = ["admin", "members", "set", "acme", &user, "--role", "member", "--email", &email];
        sandbox.run_ok(&set);
        fill(&mut database, "acme", &format!("b{}", receipts.len()), &user).await;
        let path = format!("/api/admin/users/{user}/erase");
        kill_during_request(sandbox.serve(&[]), &token, Method::POST, &path, &mut random).await;
        let service = sandbox.serve(&[]);
        let receipt = service.api(&token).post(&path, &json!({})).await.expect_status(202).json();
        receipts.push((user, receipt_id(&receipt)));
        kills += kill_in_between(service, &mut database, &mut random).await;
        while database.number(OPEN).await > 0 {
            kills += kill_in_between(sandbox.serve(&[]), &mut database, &mut random).await;
        }
    }
    let service = sandbox.serve(&[]);
    let operator = service.api(&token);
    for (user, receipt_id) in &receipts {
        let receipt = wait_until_done(&operator, &mut database, receipt_id).await;
        assert_eq!(database.tables_that_mention(user).await, [""; 0], "{user}");
        let pseudonym = receipt["subject"].as_str().expect("a pseudonym");
        let events = format!("SELECT COUNT(*) FROM activity WHERE actor = '{pseudonym}'");
        assert_eq!(database.number(&events).await, i64::from(ROWS), "no event is lost");
    }
    let events = "SELECT COUNT(*) FROM activity WHERE actor = 'ada'";
    assert_eq!(database.number(events).await, i64::from(ROWS), "the other person has all events");
    service.stop();
}
