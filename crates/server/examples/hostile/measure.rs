//! The phases of a run, and what is measured in them.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::json;
use svc_mcp_testkit::{
    Api,
    hostile::{Engine, Installation, InstallationOptions, Neighbour, ResponseCounts, RowCount},
    try_send,
};
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval, sleep, timeout},
};

use crate::{attacker::Attacker, busy_cores::BusyCores};

const ROUNDS: u32 = 4;
/// Enough keys for 150 requests a second.
const NEIGHBOUR_KEYS: usize = 200;
const WARM_UP_TIME: Duration = Duration::from_secs(3);
/// After an attack, until its last requests have ended.
const SETTLE_TIME: Duration = Duration::from_secs(2);
const MEMORY_INTERVAL: Duration = Duration::from_millis(100);
/// An audit that has not begun by then, or a post that is not published, counts as lost.
const STEP_TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) binary: Option<PathBuf>,
    /// In all rounds together.
    pub(crate) attack_time: Duration,
}

/// The neighbour's requests in all phases of one kind.
#[derive(Debug, Default)]
pub(crate) struct Responses {
    pub(crate) list: Vec<Duration>,
    pub(crate) get: Vec<Duration>,
    pub(crate) statuses: BTreeMap<u16, u64>,
}

#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) quiet: Responses,
    /// Without the attack, while something else keeps all cores busy.
    pub(crate) busy: Responses,
    pub(crate) attacked: Responses,
    /// One for each round. An error says what happened instead.
    pub(crate) audit_starts: Vec<Result<Duration, String>>,
    pub(crate) post_delays: Vec<Result<Duration, String>>,
    pub(crate) idle_memory_kib: u64,
    pub(crate) max_memory_kib: u64,
    pub(crate) database_growth: i64,
    pub(crate) rows: Vec<RowCount>,
    pub(crate) attack: ResponseCounts,
    pub(crate) attack_time: Duration,
}

pub(crate) async fn measure(engine: Engine, options: &Options) -> Measured {
    let mut attacker = Attacker::start();
    let installation = InstallationOptions {
        engine,
        binary: options.binary.clone(),
        neighbour_keys: NEIGHBOUR_KEYS,
        site: attacker.site.clone(),
    };
    let installation = Arc::new(Installation::start(installation).await);
    let neighbour = &installation.neighbour;
    let (post_id, _) = neighbour.create_draft().await.expect("a draft");
    let post_id: Arc<str> = post_id.into();
    // The first requests, the first audit and the first post need memory that is used again later.
    send_requests(neighbour, &post_id, WARM_UP_TIME, &mut Responses::default()).await;
    let _ = (step(neighbour.measure_audit_start()).await, step(neighbour.measure_scheduled_post()).await);
    sleep(SETTLE_TIME).await;
    let mut measured = Measured {
        quiet: Responses::default(),
        busy: Responses::default(),
        attacked: Responses::default(),
        audit_starts: Vec::new(),
        post_delays: Vec::new(),
        idle_memory_kib: installation.instance.memory_kib(),
        max_memory_kib: 0,
        database_growth: 0,
        rows: Vec::new(),
        attack: ResponseCounts::new(),
        attack_time: Duration::ZERO,
    };
    let database_bytes = installation.database_bytes().await;
    let phase = options.attack_time / ROUNDS;
    for _ in 0..ROUNDS {
        send_requests(neighbour, &post_id, phase, &mut measured.quiet).await;
        let busy_cores = BusyCores::start();
        send_requests(neighbour, &post_id, phase, &mut measured.busy).await;
        drop(busy_cores);
        let mut watcher = JoinSet::new();
        watcher.spawn(max_memory(Arc::clone(&installation), phase));
        let started = Instant::now();
        attacker.attack(&installation.target);
        let ((), audit_start, post_delay) = tokio::join!(
            send_requests(neighbour, &post_id, phase, &mut measured.attacked),
            step(neighbour.measure_audit_start()),
            step(neighbour.measure_scheduled_post()),
        );
        measured.audit_starts.push(audit_start);
        measured.post_delays.push(post_delay);
        measured.attack_time += started.elapsed();
        for (kind, statuses) in attacker.stop() {
            for (status, count) in statuses {
                *measured.attack.entry(kind).or_default().entry(status).or_default() += count;
            }
        }
        let max_memory = watcher.join_all().await.into_iter().max().unwrap_or_default();
        measured.max_memory_kib = measured.max_memory_kib.max(max_memory);
        sleep(SETTLE_TIME).await;
    }
    let rejected = u64::try_from(neighbour.rejected()).unwrap_or(u64::MAX);
    *measured.attacked.statuses.entry(503).or_default() += rejected;
    measured.rows = installation.hostile_rows().await;
    let difference = i128::from(installation.database_bytes().await) - i128::from(database_bytes);
    measured.database_growth = i64::try_from(difference).unwrap_or(i64::MAX);
    measured
}

async fn step(step: impl Future<Output = Result<Duration, String>>) -> Result<Duration, String> {
    let outcome = timeout(STEP_TIMEOUT, step).await;
    outcome.unwrap_or_else(|_| Err(format!("not within {STEP_TIMEOUT:?}")))
}

/// Sends requests at a fixed rate, whether or not earlier ones were answered: two lists for each `get_post`.
async fn send_requests(neighbour: &Neighbour, post_id: &Arc<str>, time: Duration, responses: &mut Responses) {
    // A key may send one request a second. A quarter is left for the other calls.
    let rate = u32::try_from(neighbour.key_count() * 3 / 4).unwrap_or(1).max(1);
    let mut ticks = interval(Duration::from_secs(1) / rate);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let started = Instant::now();
    let mut requests = JoinSet::new();
    for number in 0_u64.. {
        if started.elapsed() >= time {
            break;
        }
        ticks.tick().await;
        requests.spawn(send_request(neighbour.agent().clone(), Arc::clone(post_id), number % 3 == 2));
    }
    for (is_get, status, latency) in requests.join_all().await {
        *responses.statuses.entry(status).or_default() += 1;
        if is_get { &mut responses.get } else { &mut responses.list }.push(latency);
    }
}

/// Whether it was a `get_post`, the status (0: no response), and the latency.
async fn send_request(agent: Api, post_id: Arc<str>, is_get: bool) -> (bool, u16, Duration) {
    let request = if is_get {
        agent.call_request("get_post", &json!({"post_id": &*post_id}))
    } else {
        agent.list_tools_request()
    };
    let started = Instant::now();
    let status = try_send(request).await.map_or(0, |response| response.status);
    (is_get, status, started.elapsed())
}

/// The largest resident memory in this time, in KiB.
async fn max_memory(installation: Arc<Installation>, time: Duration) -> u64 {
    let started = Instant::now();
    let mut max = 0;
    while started.elapsed() < time {
        max = max.max(installation.instance.memory_kib());
        sleep(MEMORY_INTERVAL).await;
    }
    max
}
