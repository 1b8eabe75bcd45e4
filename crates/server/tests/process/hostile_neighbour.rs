//! One brand attacks the service with 50 keys and a hostile site. Another brand does not notice it.

use std::{
    collections::BTreeMap,
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
const MIN_ATTACK_TIME: Duration = Duration::from_secs(10);
const MIN_RESPONSES_OF_EACH_KIND: u64 = 5;
/// 20 requests a second are below the limit of the neighbour's keys.
const NEIGHBOUR_KEYS: usize = 30;
const NEIGHBOUR_INTERVAL: Duration = Duration::from_millis(50);
/// On a machine that is busy with other work, the database may be too slow for some requests: 13 percent were rejected once.
/// Without fair queues nearly all are. The benchmark counts every one.
const MAX_REJECTED_PERCENT: usize = 20;
/// A debug build needs more memory than a release build. The benchmark measures the latter.
const MAX_MEMORY_GROWTH_KIB: u64 = 192 * 1024;

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

    let ended = Arc::new(AtomicBool::new(false));
    let requests = tokio::spawn(send_requests(Arc::clone(&installation), post_id, Arc::clone(&ended)));
    attack(&installation, false).await;
    attack(&installation, true).await;
    let rows = installation.hostile_rows().await;
    ended.store(true, Ordering::SeqCst);
    let (sent, max_memory) = requests.await.expect("every request of the neighbour succeeds");
    let rejected = neighbour.rejected();
    assert!(rejected * 100 <= sent * MAX_REJECTED_PERCENT, "{rejected} of {sent} requests were rejected");

    let growth = max_memory.saturating_sub(idle_memory);
    eprintln!(
        "{engine}: {rejected} of {sent} rejected, memory {idle_memory} KiB and {growth} KiB more, {rows:?}"
    );
    assert!(growth < MAX_MEMORY_GROWTH_KIB, "memory grew by {growth} KiB");
    for row in rows {
        assert!(row.count <= row.max, "{row:?}");
    }
    assert!(site.request_count() > 0, "no audit or analysis reads the hostile site");
    let log = installation.instance.log();
    for word in ["panicked", "\"code\":\"internal\""] {
        assert!(!log.contains(word), "{word} in the log");
    }
}

/// Attacks until the neighbour's audit has begun and its post is published.
async fn attack(installation: &Installation, slow_bodies: bool) {
    let started = Instant::now();
    let attack = Attack::start(&installation.target, &format!("slow-bodies-{slow_bodies}"), slow_bodies);
    wait_for_responses(&attack, slow_bodies, 1).await;
    let neighbour = &installation.neighbour;
    let audit_delay = neighbour.measure_audit_start().await.expect("an audit during the attack");
    let post_delay = neighbour.measure_scheduled_post().await.expect("a post during the attack");
    let before = total(&attack.counts());
    wait_for_responses(&attack, slow_bodies, MIN_RESPONSES_OF_EACH_KIND).await;
    sleep(MIN_ATTACK_TIME.saturating_sub(started.elapsed())).await;
    eventually("a running attack", async || (total(&attack.counts()) > before).then_some(())).await;
    let counts = attack.stop().await;
    eprintln!("audit after {audit_delay:?}, post after {post_delay:?}, {:?}: {counts:?}", started.elapsed());
    for (kind, statuses) in &counts {
        assert!(!statuses.contains_key(&500), "{kind:?}: {statuses:?}");
    }
    assert!(counts[&AttackKind::Refused].contains_key(&429), "{counts:?}");
}

/// Lists the tools and reads a post until the attack has ended. Returns the number of requests, and the
/// largest memory of the service in KiB.
async fn send_requests(
    installation: Arc<Installation>,
    post_id: String,
    ended: Arc<AtomicBool>,
) -> (usize, u64) {
    let (mut sent, mut max_memory) = (0, 0);
    while !ended.load(Ordering::SeqCst) {
        let neighbour = &installation.neighbour;
        let list = neighbour.agent().list_tools().await;
        sleep(NEIGHBOUR_INTERVAL).await;
        let post = neighbour.agent().call("get_post", &json!({"post_id": post_id})).await;
        sleep(NEIGHBOUR_INTERVAL).await;
        if !neighbour.count_rejected(&list) {
            list.expect_status(200);
        }
        if !neighbour.count_rejected(&post) {
            post.tool_result();
        }
        sent += 2;
        max_memory = max_memory.max(installation.instance.memory_kib());
    }
    (sent, max_memory)
}

async fn wait_for_responses(attack: &Attack, slow_bodies: bool, count: u64) {
    eventually("responses to every kind of attack", async || {
        let counts = attack.counts();
        let mut kinds = AttackKind::ALL.iter().filter(|kind| slow_bodies || **kind != AttackKind::SlowBody);
        let is_answered = |statuses: &BTreeMap<u16, u64>| statuses.values().sum::<u64>() >= count;
        kinds.all(|kind| counts.get(kind).is_some_and(is_answered)).then_some(())
    })
    .await;
}

fn total(counts: &ResponseCounts) -> u64 {
    counts.values().flat_map(|statuses| statuses.values()).sum()
}
