//! Sends traces to an OpenTelemetry collector, if one is set (`config/traces.rs`). `svc_mcp_tools::trace` makes the spans.

mod collector;
mod queue;

use std::{sync::Arc, time::Duration};

use opentelemetry::{KeyValue, global};
use opentelemetry_sdk::{
    Resource,
    resource::TelemetryResourceDetector,
    trace::{SdkTracerProvider, SpanLimits},
};
use svc_mcp_tools::trace;
use tokio::{task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

pub(crate) use self::collector::{Collector, CollectorError};
use self::queue::{SpanQueue, count_lost, send_batches};
use crate::config::TraceArgs;

/// A collector that does not answer delays the end of the service by at most this time.
const MAX_STOP_DELAY: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(crate) struct Traces {
    stop: CancellationToken,
    sender: JoinHandle<()>,
}

impl Traces {
    /// Switches traces on in this process. `None`: they are off.
    pub(crate) fn start(args: &TraceArgs) -> Result<Option<Self>, CollectorError> {
        let resource = resource(args);
        let Some(collector) = Collector::new(args, &resource)? else { return Ok(None) };
        let (queue, spans) = SpanQueue::new();
        let provider = SdkTracerProvider::builder()
            .with_resource(resource)
            .with_sampler(args.sampler())
            .with_span_limits(SpanLimits::default())
            .with_span_processor(queue)
            .build();
        global::set_tracer_provider(provider);
        trace::switch_on();
        // The metric is there from the start.
        count_lost(0);
        let stop = CancellationToken::new();
        let sender = tokio::spawn(send_batches(Arc::new(collector), spans, stop.clone()));
        Ok(Some(Self { stop, sender }))
    }

    /// Sends the spans that wait.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        if timeout(MAX_STOP_DELAY, self.sender).await.is_err() {
            tracing::warn!("the collector of traces does not answer: the last spans are lost");
        }
    }
}

/// What the spans of this process have in common.
pub(crate) fn resource(args: &TraceArgs) -> Resource {
    let attributes = args.otel_resource_attributes.iter().flat_map(|pairs| pairs.0.iter().cloned());
    Resource::builder_empty()
        .with_detector(Box::new(TelemetryResourceDetector))
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_attributes(attributes.map(|(name, value)| KeyValue::new(name, value)))
        .with_service_name(args.otel_service_name.clone())
        .build()
}
