//! One fault after the other, at random moments.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{RngExt, rngs::StdRng};
use svc_mcp_testkit::cluster::{Cluster, Mode, one};
use tokio::sync::RwLock;

use crate::notes::{Explains, Fault, Notes};

#[derive(Debug, Clone, Copy)]
enum Kind {
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

const WITHOUT_REDIS: &[Kind] = &[
    Kind::KillInstance,
    Kind::RestartInstance,
    Kind::DropConnections,
    Kind::StopPostgres,
    Kind::FreezePostgres,
    Kind::CutPostgres,
    Kind::SlowPostgres,
    Kind::LoseCommits,
];

/// These make instances count for themselves.
const WITH_REDIS: &[Kind] =
    &[Kind::FreezeInstance, Kind::KillRedis, Kind::FreezeRedis, Kind::EmptyRedis, Kind::CutRedis];

/// Breaks things until the time has come, and waits until all is well again.
pub(crate) async fn inject(
    cluster: &RwLock<Cluster>,
    notes: &Arc<Notes>,
    until: Instant,
    redis_too: bool,
    random: &mut StdRng,
) {
    while Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(random.random_range(1000..4000))).await;
        let kinds = WITHOUT_REDIS.len() + if redis_too { WITH_REDIS.len() } else { 0 };
        let chosen = random.random_range(0..kinds);
        let kind =
            WITHOUT_REDIS.get(chosen).copied().unwrap_or_else(|| WITH_REDIS[chosen - WITHOUT_REDIS.len()]);
        let begun = Instant::now();
        let (what, explains) = break_something(kind, cluster, notes, random).await;
        all_is_well(cluster).await;
        println!("{what}, over after {:.1} s", begun.elapsed().as_secs_f64());
        // The balancer and those who wait need a moment longer.
        notes.fault(Fault { what, explains, begun, over: Instant::now() + Duration::from_secs(2) });
    }
}

async fn some_seconds(random: &mut StdRng, most: f64) {
    tokio::time::sleep(Duration::from_secs_f64(random.random_range(0.3..most))).await;
}

async fn break_something(
    kind: Kind,
    cluster: &RwLock<Cluster>,
    notes: &Notes,
    random: &mut StdRng,
) -> (String, Vec<Explains>) {
    use Explains::{Broken, Unavailable};
    // The first one is never restarted: its memory is watched.
    let (victim, any) = (random.random_range(1..3), random.random_range(0..3));
    match kind {
        Kind::KillInstance => {
            cluster.write().await.instances[victim].kill();
            some_seconds(random, 2.0).await;
            notes.started_again(victim);
            cluster.write().await.instances[victim].start().await;
            (format!("instance {victim} killed"), vec![Broken])
        }
        Kind::RestartInstance => {
            cluster.write().await.instances[victim].stop().await;
            notes.started_again(victim);
            cluster.write().await.instances[victim].start().await;
            (format!("instance {victim} restarted"), vec![])
        }
        Kind::FreezeInstance => {
            let frozen = cluster.read().await.instances[any].freeze();
            some_seconds(random, 4.0).await;
            drop(frozen);
            (format!("instance {any} stood still"), vec![Broken, Unavailable])
        }
        Kind::DropConnections => {
            let sql = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'svc-mcp'";
            let (count,): (i64,) = one(&cluster.read().await.database, sql).await;
            (format!("{count} connections dropped"), vec![Unavailable])
        }
        Kind::StopPostgres => {
            cluster.write().await.postgres.stop();
            some_seconds(random, 3.0).await;
            cluster.write().await.postgres.start_again();
            // With every instance red, the balancer has nobody to send to.
            ("PostgreSQL stopped".into(), vec![Unavailable, Broken])
        }
        Kind::FreezePostgres => {
            let frozen = cluster.read().await.postgres.freeze().await;
            some_seconds(random, 4.0).await;
            drop(frozen);
            ("PostgreSQL stood still".into(), vec![Unavailable, Broken])
        }
        Kind::CutPostgres => {
            let mode = if random.random() { Mode::Cut } else { Mode::Silent };
            cluster.read().await.links[any].0.set(mode);
            some_seconds(random, 4.0).await;
            cluster.read().await.links[any].0.set(Mode::Open);
            (format!("instance {any} without PostgreSQL ({mode:?})"), vec![Unavailable])
        }
        Kind::SlowPostgres => {
            cluster.read().await.links[any].0.set(Mode::Slow(Duration::from_millis(80)));
            some_seconds(random, 4.0).await;
            cluster.read().await.links[any].0.set(Mode::Open);
            (format!("instance {any} with a slow PostgreSQL"), vec![Unavailable])
        }
        Kind::LoseCommits => {
            cluster.read().await.links[any].0.set(Mode::LoseCommits { after: 0 });
            some_seconds(random, 1.0).await;
            cluster.read().await.links[any].0.set(Mode::Open);
            (format!("instance {any} lost the answers to its commits"), vec![Unavailable])
        }
        Kind::KillRedis => {
            cluster.write().await.redis.kill();
            some_seconds(random, 3.0).await;
            cluster.write().await.redis.start_again();
            ("Redis killed".into(), vec![])
        }
        Kind::FreezeRedis => {
            let frozen = cluster.read().await.redis.freeze();
            some_seconds(random, 3.0).await;
            drop(frozen);
            ("Redis stood still".into(), vec![])
        }
        Kind::EmptyRedis => {
            cluster.read().await.redis.ask("FLUSHALL");
            ("Redis emptied".into(), vec![])
        }
        Kind::CutRedis => {
            let mode = if random.random() { Mode::Cut } else { Mode::Silent };
            cluster.read().await.links[any].1.set(mode);
            some_seconds(random, 4.0).await;
            cluster.read().await.links[any].1.set(Mode::Open);
            (format!("instance {any} without Redis ({mode:?})"), vec![])
        }
    }
}

/// Every instance is ready and counts over Redis, by itself.
async fn all_is_well(cluster: &RwLock<Cluster>) {
    let mut cluster = cluster.write().await;
    for instance in &mut cluster.instances {
        instance.is_ready().await;
        instance.becomes_degraded(false).await;
    }
}
