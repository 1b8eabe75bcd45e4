//! A worker that dies in the middle of an audit: another one goes on from where it was.

use std::time::Duration;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use svc_mcp_testkit::Site;

use crate::support::{Api, Place, Running, eventually};

const PAGES: usize = 120;
const KILLS: u64 = 3;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_audit_survives_kills_on_sqlite() {
    survive(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_audit_survives_kills_on_postgresql() {
    survive(Place::postgres()).await;
}

async fn survive(place: Place) {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let site = site().await;
    site.answer_only(0);
    let place = place.with("SVC_JOB_LEASE", "1").with("SVC_OUTBOUND_ALLOW", site.authority());
    place.add_brand("acme", "ada");
    place.ok(&[
        "admin",
        "brand",
        "set",
        "acme",
        "--name",
        "Acme",
        "--plan",
        "business",
        "--website",
        &site.url,
    ]);
    let mut running = place.serve(&[]);
    let token = place.token("ada");
    let mut key = fresh_key(&running, &token).await;
    let begun = running.api(&key).call("run_audit", &json!({"max_pages": 500})).await.expect(200).json();
    let audit_id = begun["structuredContent"]["id"].clone();
    for kill in 1..=KILLS {
        // The site answers some more, and the service dies when it has noted part of them.
        site.answer_only(random.random_range(20..=35));
        let noted = eventually("progress", async || {
            let visited = audit(&running.api(&key), &audit_id).await["progress"]["visited"].as_u64()?;
            (visited >= 10 * kill).then_some(visited)
        })
        .await;
        running.kill();
        assert!(noted < PAGES as u64, "it was killed in the middle");
        running = place.serve(&[]);
        key = fresh_key(&running, &token).await;
    }
    site.answer_all();
    let ended = wait_for_end(&running, &key, &audit_id).await;
    assert_eq!(
        (&ended["status"], &ended["summary"]["visited"]),
        (&json!("done"), &json!(PAGES + 1)),
        "{ended}"
    );
    let asked: usize = (0..PAGES).map(|page| site.times_asked(&format!("/{page}"))).sum();
    // Without what was noted it would be the first pages again after each kill: hundreds more.
    assert!(asked < PAGES + 3 * 35, "{asked} requests for {PAGES} pages");
    let list = running.api(&key).call("list_audits", &json!({})).await.json();
    assert_eq!(list["structuredContent"]["total"], 1);
    running.stop();
}

async fn wait_for_end(running: &Running, key: &str, audit_id: &Value) -> Value {
    eventually("the end", async || {
        let audit = audit(&running.api(key), audit_id).await;
        (audit["status"] == "done" || audit["status"] == "failed").then_some(audit)
    })
    .await
}

/// How it stands. Asked for no faster than the key's sixty a minute allow.
async fn audit(api: &Api, audit_id: &Value) -> Value {
    tokio::time::sleep(Duration::from_millis(500)).await;
    let answer = api.call("get_audit", &json!({"audit_id": audit_id})).await.expect(200);
    answer.json()["structuredContent"].clone()
}

async fn fresh_key(running: &Running, token: &str) -> String {
    let wish = json!({"label": "audits", "scope": "write"});
    let key = running.api(token).create_key("acme", &wish).await;
    key["api_key"].as_str().expect("a key").to_owned()
}

/// A page that links to all others.
async fn site() -> Site {
    let links: Vec<String> = (0..PAGES).map(|page| format!("<a href=/{page}>{page}</a> ")).collect();
    let site = Site::with(&[("/", &links.concat())]).await;
    for page in 0..PAGES {
        site.put(&format!("/{page}"), 200, &format!("<title>Page {page}</title><h1>{page}</h1>"));
    }
    site
}
