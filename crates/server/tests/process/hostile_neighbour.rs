//! One brand attacks the service with 50 keys and a hostile site. Another brand does not notice it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use svc_mcp_testkit::hostile::{
    Attack, AttackKind, Engine, HostileSite, Installation, InstallationOptions, ResponseCounts,
};
use tokio::time::{Instant, sleep};

use crate::support::eventually;

/// The attack also lasts until the neighbour's audit has begun and its post is published.
const MIN_ATTACK_TIME: Duration = Duration::from_secs(15);
const MIN_RESPONSES_OF_EACH_KIND: u64 = 5;
/// 20 requests a second are below the limit of the neighbour's keys.
const NEIGHBOUR_KEYS: usize = 30;
const NEIGHBOUR_INTERVAL: Duration = Duration::from_millis(50);
/// A debug build needs more memory than a release build. The benchmark measures the latter.
const MAX_MEMORY_GROWTH_KIB: u64 = 160 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neighbour_of_a_hostile_brand_is_served_on_sqlite() {
    neighbour_is_served(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neighbour_of_a_hostile_brand_is_served_on_postgresql() {
    neighbour_is_served(Engine::Postgres).await;
}

async fn neighbour_is_served(engine: Engine) {
    let site = HostileSite::start().await;
    let options =
        InstallationOptions { engine, binary: None, neighbour_keys: NEIGHBOUR_KEYS, site: site.url() };
    let installation = Arc::new(Installation::start(options).await);
    let neighbour = &installation.neighbour;
    let (post_id, _) = neighbour.create_draft().await.expect("a draft");
    neighbour.measure_audit_start().await.expect("an audit before the attack");
    neighbour.measure_scheduled_post().await.expect("a post before the attack");
    let idle_memory = installation.instance.memory_kib();

    let started = Instant::now();
    let attack = Attack::start(&installation.target, "attack");
    let ended = Arc::new(AtomicBool::new(false));
    let requests = tokio::spawn(send_requests(Arc::clone(&installation), post_id, Arc::clone(&ended)));
    wait_for_responses(&attack, 1).await;
    let audit_delay = neighbour.measure_audit_start().await.expect("an audit during the attack");
    let post_delay = neighbour.measure_scheduled_post().await.expect("a post during the attack");
    let before = total(&attack.counts());
    wait_for_responses(&attack, MIN_RESPONSES_OF_EACH_KIND).await;
    sleep(MIN_ATTACK_TIME.saturating_sub(started.elapsed())).await;
    eventually("a running attack", async || (total(&attack.counts()) > before).then_some(())).await;
    let rows = installation.hostile_rows().await;
    ended.store(true, Ordering::SeqCst);
    let max_memory = requests.await.expect("every request of the neighbour succeeds");
    let (counts, read_pages) = (attack.stop().await, site.request_count());

    let growth = max_memory.saturating_sub(idle_memory);
    println!(
        "{engine}: {:?} of attack, audit after {audit_delay:?}, post after {post_delay:?}, memory {idle_memory} KiB and \
         {growth} KiB more, {read_pages} hostile pages, {counts:?}, {rows:?}",
        started.elapsed()
    );
    assert!(growth < MAX_MEMORY_GROWTH_KIB, "memory grew by {growth} KiB");
    for row in rows {
        assert!(row.count <= row.max, "{row:?}");
    }
    for (kind, statuses) in &counts {
        assert!(!statuses.contains_key(&500), "{kind:?}: {statuses:?}");
    }
    assert!(read_pages > 0 && counts[&AttackKind::Refused].contains_key(&429), "{counts:?}");
    let log = installation.instance.log();
    for word in ["panicked", "\"code\":\"internal\""] {
        assert!(!log.contains(word), "{word} in the log");
    }
}

/// Lists the tools and reads a post until the attack has ended. Returns the largest memory of the service in KiB.
async fn send_requests(installation: Arc<Installation>, post_id: String, ended: Arc<AtomicBool>) -> u64 {
    let mut max_memory = 0;
    while !ended.load(Ordering::SeqCst) {
        let neighbour = &installation.neighbour;
        neighbour.agent().list_tools().await.expect_status(200);
        sleep(NEIGHBOUR_INTERVAL).await;
        neighbour.agent().call("get_post", &json!({"post_id": post_id})).await.tool_result();
        sleep(NEIGHBOUR_INTERVAL).await;
        max_memory = max_memory.max(installation.instance.memory_kib());
    }
    max_memory
}

async fn wait_for_responses(attack: &Attack, count: u64) {
    eventually("responses to every kind of attack", async || {
        let counts = attack.counts();
        let answered =
            |kind: &AttackKind| counts.get(kind).is_some_and(|by| by.values().sum::<u64>() >= count);
        AttackKind::ALL.iter().all(answered).then_some(())
    })
    .await;
}

fn total(counts: &ResponseCounts) -> u64 {
    counts.values().flat_map(|statuses| statuses.values()).sum()
}
