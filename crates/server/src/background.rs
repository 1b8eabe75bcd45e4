//! Background tasks: write recorded uses, notice changes of other instances, run jobs, send events, tell of keys that expire
//! soon, delete old rows, read public keys, ask the OpenID Connect provider.

use std::{sync::Arc, time::Duration};

use metrics_exporter_prometheus::PrometheusHandle;
use svc_mcp_access::Timestamp;
use svc_mcp_store::{RedisState, UsageBatch};
use svc_mcp_tools::{
    job_handlers,
    jobs::{JobKind, WorkerPool},
};
use tokio::{
    task::JoinSet,
    time::{Instant, MissedTickBehavior},
};
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    config::JobArgs,
    erasure::continue_erasures,
    gauges::{QUEUE_INTERVAL, record_queues},
    jwt::Keys,
    telemetry::METRICS_UPKEEP_INTERVAL,
};

/// Recorded uses are written at least this often, so that people see them within a second. If many keys wait and the
/// service is not busy, writing takes up to half of the time.
const WRITE_INTERVAL: Duration = Duration::from_millis(400);
/// While the service is busy, a batch has the events of three intervals: small batches cost more to start than to write. It is
/// written in parts, with a pause after each. Otherwise the requests would wait for one long write if both share a core.
const BUSY_WRITE_INTERVALS: u64 = 3;
const BUSY_WRITE_PAUSE: Duration = Duration::from_millis(10);
/// As many transactions follow each other also without events, so that the counts of at least 100 keys are written.
const MIN_BUSY_WRITES: u32 = 8;
const NOTICE_INTERVAL: Duration = Duration::from_millis(400);
/// Keys that expire soon are searched when the service's clock has moved this far, which is checked every second.
const EXPIRY_SEARCH_INTERVAL: Duration = Duration::from_mins(5);
const EXPIRY_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// How often it is read whether all jobs are held. Workers read it themselves for each job; this is what the service says of it.
const HOLD_CHECK_INTERVAL: Duration = Duration::from_secs(1);
const PRUNE_INTERVAL: Duration = Duration::from_hours(1);
/// How often the number of waiting event deliveries is checked.
const EXCESS_INTERVAL: Duration = Duration::from_mins(1);
const ERASE_INTERVAL: Duration = Duration::from_secs(2);

/// The tasks of a running service.
#[derive(Debug)]
pub(crate) struct Background {
    stop: CancellationToken,
    tasks: JoinSet<()>,
}

impl Background {
    pub(crate) fn start(
        app: &Arc<App>,
        jobs: &JobArgs,
        shared: Option<RedisState>,
        metrics: Option<PrometheusHandle>,
        is_scraped: bool,
    ) -> Self {
        let stop = CancellationToken::new();
        let mut tasks = JoinSet::new();
        for kinds in JobKind::GROUPS {
            let handlers = job_handlers().into_iter().filter(|handler| kinds.contains(&handler.kind()));
            let (workers, lease) = (jobs.job_workers, jobs.job_lease);
            let pool = Arc::new(WorkerPool::new(handlers.collect(), workers, app.job_context(), lease));
            for _ in 0..workers {
                let (pool, stopped) = (Arc::clone(&pool), stop.clone());
                tasks.spawn(async move { pool.run_worker(stopped).await });
            }
        }
        // Without workers, other instances do this too.
        if jobs.job_workers > 0 {
            tasks.spawn(app.event_sender().run(stop.clone()));
            tasks.spawn(every(EXCESS_INTERVAL, stop.clone(), Arc::clone(app), |app| async move {
                let _ = app.store.drop_excess_deliveries().await;
            }));
        }
        tasks.spawn(write_uses(Arc::clone(app), stop.clone()));
        // The store logs its own errors, and the next run tries again.
        tasks.spawn(every(NOTICE_INTERVAL, stop.clone(), Arc::clone(app), |app| async move {
            let _ = app.store.notice_changes().await;
        }));
        tasks.spawn(every(NOTICE_INTERVAL, stop.clone(), Arc::clone(app), |app| async move {
            let _ = app.store.maintain_key_filter().await;
        }));
        tasks.spawn(every(HOLD_CHECK_INTERVAL, stop.clone(), Arc::clone(app), |app| async move {
            let _ = app.store.refresh_job_hold().await;
        }));
        tasks.spawn(every(PRUNE_INTERVAL, stop.clone(), Arc::clone(app), |app| async move {
            let _ = app.store.prune(app.clock.now()).await;
        }));
        tasks.spawn(notify_expiring_keys(Arc::clone(app), stop.clone()));
        tasks.spawn(every(
            ERASE_INTERVAL,
            stop.clone(),
            (Arc::clone(app), stop.clone()),
            |(app, stopped)| async move {
                stopped.run_until_cancelled(Box::pin(continue_erasures(&app))).await;
            },
        ));
        tasks.spawn(refresh_public_keys(Arc::clone(app), stop.clone()));
        tasks.spawn(check_oidc(Arc::clone(app), stop.clone()));
        if let Some(shared) = shared {
            tasks.spawn(every(NOTICE_INTERVAL, stop.clone(), shared, |shared| async move {
                shared.probe().await;
            }));
        }
        if let Some(metrics) = metrics {
            tasks.spawn(every(METRICS_UPKEEP_INTERVAL, stop.clone(), metrics, |metrics| async move {
                metrics.run_upkeep();
            }));
        }
        if is_scraped {
            tasks.spawn(every(QUEUE_INTERVAL, stop.clone(), Arc::clone(app), |app| async move {
                record_queues(&app).await;
            }));
        }
        Self { stop, tasks }
    }

    /// Waits for the last write.
    pub(crate) async fn stop(mut self) {
        self.stop.cancel();
        while self.tasks.join_next().await.is_some() {}
    }
}

/// Writes recorded uses at intervals, and all that are left when it stops.
async fn write_uses(app: Arc<App>, stopped: CancellationToken) {
    let mut batch = UsageBatch::default();
    let mut next = Instant::now() + WRITE_INTERVAL;
    for interval in 0u64.. {
        let is_last = tokio::select! {
            () = tokio::time::sleep_until(next) => false,
            () = stopped.cancelled() => true,
        };
        next = Instant::now() + WRITE_INTERVAL;
        app.recorder.drain_into(&mut batch, &mut app.entropy.clone());
        if is_last {
            batch.end_busy_time();
            while let Ok(true) = app.store.write_batch(&mut batch).await {}
            return;
        }
        if !batch.is_busy() {
            let end = Instant::now() + WRITE_INTERVAL / 2;
            while let Ok(true) = app.store.write_batch(&mut batch).await
                && Instant::now() < end
            {}
        } else if batch.has_sorted_events() || interval.is_multiple_of(BUSY_WRITE_INTERVALS) {
            let mut writes = 1;
            while let Ok(true) = app.store.write_batch(&mut batch).await
                && (batch.has_sorted_events() || writes < MIN_BUSY_WRITES)
                && Instant::now() < next
            {
                writes += 1;
                tokio::time::sleep(BUSY_WRITE_PAUSE).await;
            }
        }
    }
}

/// Searches the keys that expire soon. The store logs its own errors, and the next check tries again.
async fn notify_expiring_keys(app: Arc<App>, stopped: CancellationToken) {
    let mut last: Option<Timestamp> = None;
    loop {
        let now = app.clock.now();
        let is_recent = last.is_some_and(|last| (last..last.plus(EXPIRY_SEARCH_INTERVAL)).contains(&now));
        if !is_recent {
            let can_mail = app.mailer.is_some();
            let searched = app.store.notify_expiring_keys(now, can_mail, &mut app.entropy.clone()).await;
            last = searched.is_ok().then_some(now);
        }
        tokio::select! {
            () = tokio::time::sleep(EXPIRY_CHECK_INTERVAL) => {}
            () = stopped.cancelled() => return,
        }
    }
}

async fn refresh_public_keys(app: Arc<App>, stopped: CancellationToken) {
    if let Keys::Published(keys) = &app.verifier.keys {
        stopped.run_until_cancelled(keys.keep_fresh(&*app.clock)).await;
    }
}

/// Asks the provider at the start, so that the log reports an outage before somebody signs in.
async fn check_oidc(app: Arc<App>, stopped: CancellationToken) {
    if let Some(provider) = &app.oidc {
        let _ = stopped.run_until_cancelled(provider.check(app.clock.now())).await;
    }
}

async fn every<T: Clone, F: Future<Output = ()>>(
    interval: Duration,
    stopped: CancellationToken,
    state: T,
    work: impl Fn(T) -> F,
) {
    let mut ticks = tokio::time::interval(interval);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = stopped.cancelled() => return,
        }
        work(state.clone()).await;
    }
}
