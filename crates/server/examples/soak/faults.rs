//! Injects one fault after the other, at random moments.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{RngExt, rngs::StdRng};
use svc_mcp_testkit::cluster::{Cluster, ProxyMode, query_one};
use tokio::sync::RwLock;

use crate::notes::{FailureKind, Fault, Notes};

#[derive(Debug, Clone, Copy)]
enum FaultKind {
    KillInstance,
    RestartInstance,
    FreezeInstance,
    DropConnections,
    StopPostgres,
    FreezePostgres,
    CutPostgres,
    SlowPostgres,
    LoseCommits,
    KillRedis,
    FreezeRedis,
    EmptyRedis,
    CutRedis,
}

const OTHER_FAULTS: &[FaultKind] = &[
    FaultKind::KillInstance,
    FaultKind::RestartInstance,
    FaultKind::DropConnections,
    FaultKind::StopPostgres,
    FaultKind::FreezePostgres,
    FaultKind::CutPostgres,
    FaultKind::SlowPostgres,
    FaultKind::LoseCommits,
];

/// Faults after which each instance has its own rate limit.
const REDIS_FAULTS: &[FaultKind] = &[
    FaultKind::FreezeInstance,
    FaultKind::KillRedis,
    FaultKind::FreezeRedis,
    FaultKind::EmptyRedis,
    FaultKind::CutRedis,
];

/// Injects faults until this time. Waits after each one until all instances have recovered.
pub(crate) async fn inject(
    cluster: &RwLock<Cluster>,
    notes: &Arc<Notes>,
    until: Instant,
    with_redis: bool,
    random: &mut StdRng,
) {
    while Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(random.random_range(1000..4000))).await;
        let kinds = OTHER_FAULTS.len() + if with_redis { REDIS_FAULTS.len() } else { 0 };
        let chosen = random.random_range(0..kinds);
        let kind =
            OTHER_FAULTS.get(chosen).copied().unwrap_or_else(|| REDIS_FAULTS[chosen - OTHER_FAULTS.len()]);
        let started = Instant::now();
        let (description, explains) = inject_one(kind, cluster, notes, random).await;
        wait_for_recovery(cluster).await;
        println!("{description}, recovered after {:.1} s", started.elapsed().as_secs_f64());
        // The load balancer and waiting requests need some time more.
        notes.add_fault(Fault {
            description,
            explains,
            started,
            ended: Instant::now() + Duration::from_secs(2),
        });
    }
}

async fn random_pause(random: &mut StdRng, max_seconds: f64) {
    tokio::time::sleep(Duration::from_secs_f64(random.random_range(0.3..max_seconds))).await;
}

async fn inject_one(
    kind: FaultKind,
    cluster: &RwLock<Cluster>,
    notes: &Notes,
    random: &mut StdRng,
) -> (String, Vec<FailureKind>) {
    use FailureKind::{Broken, Unavailable};
    // The first instance is never restarted, because its memory is measured.
    let (victim, any) = (random.random_range(1..3), random.random_range(0..3));
    match kind {
        FaultKind::KillInstance => {
            cluster.write().await.instances[victim].kill();
            random_pause(random, 2.0).await;
            notes.add_restart(victim);
            cluster.write().await.instances[victim].start().await;
            (format!("instance {victim} killed"), vec![Broken])
        }
        FaultKind::RestartInstance => {
            cluster.write().await.instances[victim].stop().await;
            notes.add_restart(victim);
            cluster.write().await.instances[victim].start().await;
            (format!("instance {victim} restarted"), vec![])
        }
        FaultKind::FreezeInstance => {
            let frozen = cluster.read().await.instances[any].freeze();
            random_pause(random, 4.0).await;
            drop(frozen);
            (format!("instance {any} was frozen"), vec![Broken, Unavailable])
        }
        FaultKind::DropConnections => {
            let sql = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'svc-mcp'";
            let (count,): (i64,) = query_one(&cluster.read().await.database, sql).await;
            (format!("{count} connections dropped"), vec![Unavailable])
        }
        FaultKind::StopPostgres => {
            cluster.write().await.postgres.stop();
            random_pause(random, 3.0).await;
            cluster.write().await.postgres.start_again();
            // No instance is ready, so the balancer cannot forward requests.
            ("PostgreSQL stopped".into(), vec![Unavailable, Broken])
        }
        FaultKind::FreezePostgres => {
            let frozen = cluster.read().await.postgres.freeze().await;
            random_pause(random, 4.0).await;
            drop(frozen);
            ("PostgreSQL was frozen".into(), vec![Unavailable, Broken])
        }
        FaultKind::CutPostgres => {
            let mode = if random.random() { ProxyMode::Cut } else { ProxyMode::Silent };
            cluster.read().await.proxies[any].postgres.set(mode);
            random_pause(random, 4.0).await;
            cluster.read().await.proxies[any].postgres.set(ProxyMode::Open);
            (format!("instance {any} without PostgreSQL ({mode:?})"), vec![Unavailable])
        }
        FaultKind::SlowPostgres => {
            cluster.read().await.proxies[any].postgres.set(ProxyMode::Slow(Duration::from_millis(80)));
            random_pause(random, 4.0).await;
            cluster.read().await.proxies[any].postgres.set(ProxyMode::Open);
            (format!("instance {any} with a slow PostgreSQL"), vec![Unavailable])
        }
        FaultKind::LoseCommits => {
            cluster.read().await.proxies[any].postgres.set(ProxyMode::LoseCommits { after: 0 });
            random_pause(random, 1.0).await;
            cluster.read().await.proxies[any].postgres.set(ProxyMode::Open);
            (format!("instance {any} lost the answers to its commits"), vec![Unavailable])
        }
        FaultKind::KillRedis => {
            cluster.write().await.redis.kill();
            random_pause(random, 3.0).await;
            cluster.write().await.redis.start_again();
            ("Redis killed".into(), vec![])
        }
        FaultKind::FreezeRedis => {
            let frozen = cluster.read().await.redis.freeze();
            random_pause(random, 3.0).await;
            drop(frozen);
            ("Redis was frozen".into(), vec![])
        }
        FaultKind::EmptyRedis => {
            cluster.read().await.redis.command("FLUSHALL");
            ("Redis emptied".into(), vec![])
        }
        FaultKind::CutRedis => {
            let mode = if random.random() { ProxyMode::Cut } else { ProxyMode::Silent };
            cluster.read().await.proxies[any].redis.set(mode);
            random_pause(random, 4.0).await;
            cluster.read().await.proxies[any].redis.set(ProxyMode::Open);
            (format!("instance {any} without Redis ({mode:?})"), vec![])
        }
    }
}

/// Waits until every instance is ready and uses Redis.
async fn wait_for_recovery(cluster: &RwLock<Cluster>) {
    let mut cluster = cluster.write().await;
    for instance in &mut cluster.instances {
        instance.wait_until_ready().await;
        instance.wait_until_degraded(false).await;
    }
}
