//! The collector: an address that takes spans as OTLP over HTTP.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, header};
use opentelemetry_proto::{
    tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse},
    transform::{
        common::tonic::ResourceAttributesWithSchema, trace::tonic::group_spans_by_resource_and_scope,
    },
};
use opentelemetry_sdk::{Resource, trace::SpanData};
use prost::Message;
use svc_mcp_access::Secret;
use svc_mcp_tools::net::{ClientError, Guard, InvalidHostError, Limits, NetError, Outbound, Request};
use url::Url;

use crate::config::{EndpointError, InvalidPairs, TraceArgs, pairs};

/// The answer says at most which spans were rejected.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

pub(crate) struct Collector {
    url: Url,
    headers: HeaderMap,
    timeout: Duration,
    outbound: Outbound,
    resource: ResourceAttributesWithSchema,
}

/// Wrong settings. The message never contains a header.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CollectorError {
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    #[error("OTEL_EXPORTER_OTLP_ENDPOINT: {0}")]
    Host(#[from] InvalidHostError),
    #[error("OTEL_EXPORTER_OTLP_HEADERS {0}")]
    Headers(#[from] InvalidPairs),
    #[error("OTEL_EXPORTER_OTLP_HEADERS has a name or value that cannot be a header")]
    Header,
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// Why spans were not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SendError {
    #[error("the collector does not answer: {0}")]
    Net(#[from] NetError),
    #[error("the collector answered with status {0}")]
    Status(u16),
}

impl Collector {
    /// `None`: traces are off.
    pub(crate) fn new(args: &TraceArgs, resource: &Resource) -> Result<Option<Self>, CollectorError> {
        let Some(url) = args.url()? else { return Ok(None) };
        // The operator configured this host, so it may have a private address.
        let (host, port) =
            (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default());
        let outbound = Outbound::new(Guard::allowing([format!("{host}:{port}")])?)?;
        let headers = headers(args.otel_exporter_otlp_headers.as_ref())?;
        let timeout = Duration::from_millis(args.otel_exporter_otlp_timeout);
        Ok(Some(Self { url, headers, timeout, outbound, resource: resource.into() }))
    }

    /// Sends spans. Returns how many of them the collector rejected.
    pub(super) async fn send(&self, spans: Vec<SpanData>) -> Result<u64, SendError> {
        let resource_spans = if spans.is_empty() {
            Vec::new()
        } else {
            group_spans_by_resource_and_scope(spans, &self.resource)
        };
        let body = ExportTraceServiceRequest { resource_spans }.encode_to_vec();
        let mut request = Request::post(self.url.clone(), body);
        request.headers = self.headers.clone();
        request.limits = Limits { timeout: self.timeout, max_body_bytes: MAX_ANSWER_BYTES, max_redirects: 0 };
        let answer = self.outbound.send(request).await?;
        if !answer.is_success() {
            return Err(SendError::Status(answer.status));
        }
        let answer = ExportTraceServiceResponse::decode(answer.body.as_slice()).unwrap_or_default();
        let rejected = answer.partial_success.map_or(0, |partial| partial.rejected_spans);
        Ok(u64::try_from(rejected).unwrap_or(0))
    }

    /// Sends no span, to see whether the collector would take one.
    pub(crate) async fn check(&self) -> Result<(), SendError> {
        self.send(Vec::new()).await.map(drop)
    }
}

fn headers(text: Option<&Secret>) -> Result<HeaderMap, CollectorError> {
    let mut headers = HeaderMap::new();
    for (name, value) in
        text.map(|text| pairs(text.expose())).transpose()?.map_or(Vec::new(), |pairs| pairs.0)
    {
        let name = HeaderName::try_from(name).map_err(|_| CollectorError::Header)?;
        let mut value = HeaderValue::try_from(value).map_err(|_| CollectorError::Header)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
    Ok(headers)
}

impl std::fmt::Debug for Collector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collector").field("host", &self.url.host_str()).finish_non_exhaustive()
    }
}
