//! Ended spans wait here for the task that sends them. A request never waits: if the queue is full, its span is lost.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use opentelemetry::Context;
use opentelemetry_sdk::{
    error::OTelSdkResult,
    trace::{Span, SpanData, SpanProcessor},
};
use svc_mcp_tools::outage::Outage;
use tokio::{
    sync::mpsc::{Receiver, Sender, channel},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::collector::Collector;

/// A few megabytes.
const MAX_WAITING_SPANS: usize = 4_096;
const MAX_BATCH: usize = 512;
/// A span waits at most this long for others of its batch.
const SEND_INTERVAL: Duration = Duration::from_secs(2);

pub(super) fn count_lost(spans: u64) {
    metrics::counter!("svc_mcp_spans_lost_total").increment(spans);
}

/// The end of the queue that the spans use.
#[derive(Debug)]
pub(super) struct SpanQueue(Sender<SpanData>);

impl SpanQueue {
    pub(super) fn new() -> (Self, Receiver<SpanData>) {
        let (sender, receiver) = channel(MAX_WAITING_SPANS);
        (Self(sender), receiver)
    }
}

impl SpanProcessor for SpanQueue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if self.0.try_send(span).is_err() {
            count_lost(1);
        }
    }

    /// [`Traces::stop`](super::Traces::stop) flushes: the SDK would block a thread meanwhile.
    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Sends batches until the service stops, and then what is left.
pub(super) async fn send_batches(
    collector: Arc<Collector>,
    mut spans: Receiver<SpanData>,
    stopped: CancellationToken,
) {
    let outage =
        Outage::of_seldom_used("traces", "the collector of traces does not take spans; they are lost");
    let mut is_last = false;
    while !is_last {
        let mut batch = Vec::new();
        tokio::select! {
            () = fill(&mut spans, &mut batch) => {}
            () = stopped.cancelled() => {}
        }
        if stopped.is_cancelled() {
            spans.close();
            while batch.len() < MAX_BATCH
                && let Ok(span) = spans.try_recv()
            {
                batch.push(span);
            }
            is_last = spans.is_empty();
        }
        if !batch.is_empty() {
            send(&collector, batch, &outage).await;
        }
    }
}

/// Waits for a span, and then for others until the batch is full or the first one has waited long enough.
async fn fill(spans: &mut Receiver<SpanData>, batch: &mut Vec<SpanData>) {
    spans.recv_many(batch, MAX_BATCH).await;
    let rest = async {
        while batch.len() < MAX_BATCH && spans.recv_many(batch, MAX_BATCH - batch.len()).await > 0 {}
    };
    let _ = timeout(SEND_INTERVAL, rest).await;
}

async fn send(collector: &Collector, batch: Vec<SpanData>, outage: &Outage) {
    let number = batch.len() as u64;
    let lost = match collector.send(batch).await {
        Ok(rejected) => {
            outage.succeeded(Instant::now());
            rejected
        }
        Err(error) => {
            outage.failed(Instant::now(), &error);
            number
        }
    };
    count_lost(lost);
}
