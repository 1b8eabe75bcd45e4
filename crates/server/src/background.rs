//! What runs beside the requests: writing what was gathered, noticing changes, doing jobs.

use std::{future::Future, sync::Arc, time::Duration};

use metrics_exporter_prometheus::PrometheusHandle;
use svc_mcp_store::{Batch, Shared};
use svc_mcp_tools::{
    jobs::{Crew, JobKind},
    works,
};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant, MissedTickBehavior},
};

use crate::{app::App, config::JobArgs, telemetry::METRICS_UPKEEP};

/// Uses are written at least this often, so they are seen well within a second. Where many keys wait, and nobody is in
/// need of the machine, half of the time goes into it.
const WRITE_EVERY: Duration = Duration::from_millis(400);
/// While requests need the machine, only every third time: what is written at a time is little then, and costs more to
/// begin than to write.
const WRITE_WHILE_BUSY: u64 = 3;
const NOTICE_EVERY: Duration = Duration::from_millis(400);
const PRUNE_EVERY: Duration = Duration::from_hours(1);

/// The tasks of a running service. Stopping them waits for the last write.
#[derive(Debug)]
pub(crate) struct Background {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Background {
    pub(crate) fn start(
        app: &Arc<App>,
        jobs: &JobArgs,
        shared: Option<Shared>,
        metrics: Option<PrometheusHandle>,
    ) -> Self {
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        let crew = Arc::new(Crew::new(works(), app.workplace(), jobs.job_lease));
        for _ in 0..jobs.job_workers {
            for kinds in [JobKind::LONG, JobKind::SHORT] {
                let (crew, stopped) = (Arc::clone(&crew), stopped.clone());
                tasks.spawn(async move { crew.work(&kinds, stopped).await });
            }
        }
        tasks.spawn(write_uses(Arc::clone(app), stopped.clone()));
        let service = Arc::clone(app);
        tasks.spawn(every(NOTICE_EVERY, stopped.clone(), move || {
            let app = Arc::clone(&service);
            async move {
                let _ = app.store.notice_changes().await;
            }
        }));
        let service = Arc::clone(app);
        tasks.spawn(every(NOTICE_EVERY, stopped.clone(), move || {
            let app = Arc::clone(&service);
            async move {
                let _ = app.store.keep_roll().await;
            }
        }));
        let service = Arc::clone(app);
        tasks.spawn(every(PRUNE_EVERY, stopped.clone(), move || {
            let app = Arc::clone(&service);
            async move {
                let _ = app.store.prune(app.clock.now()).await;
            }
        }));
        if let Some(shared) = shared {
            tasks.spawn(every(NOTICE_EVERY, stopped.clone(), move || {
                let shared = shared.clone();
                async move { shared.probe().await }
            }));
        }
        if let Some(metrics) = metrics {
            tasks.spawn(every(METRICS_UPKEEP, stopped, move || {
                let metrics = metrics.clone();
                async move { metrics.run_upkeep() }
            }));
        }
        Self { stop, tasks }
    }

    pub(crate) async fn stop(mut self) {
        let _ = self.stop.send(true);
        while self.tasks.join_next().await.is_some() {}
    }
}

/// Writes what was gathered, and once more when it is told to stop: nothing that was answered goes unrecorded.
async fn write_uses(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    let mut batch = Batch::default();
    for time in 0u64.. {
        let last = tokio::select! {
            () = tokio::time::sleep(WRITE_EVERY) => false,
            _ = stopped.wait_for(|stopped| *stopped) => true,
        };
        app.recorder.drain_into(&mut batch, &mut app.entropy.clone());
        if !last && batch.is_busy() && !time.is_multiple_of(WRITE_WHILE_BUSY) {
            continue;
        }
        let begun = Instant::now();
        while let Ok(true) = app.store.write_batch(&mut batch).await
            && (last || !batch.is_busy() && begun.elapsed() < WRITE_EVERY / 2)
        {}
        if last {
            return;
        }
    }
}

async fn every<F: Future<Output = ()> + Send>(
    pause: Duration,
    mut stopped: watch::Receiver<bool>,
    mut work: impl FnMut() -> F + Send,
) {
    let mut ticks = tokio::time::interval(pause);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let stop = tokio::select! {
            _ = ticks.tick() => false,
            _ = stopped.wait_for(|stopped| *stopped) => true,
        };
        if stop {
            return;
        }
        work().await;
    }
}
