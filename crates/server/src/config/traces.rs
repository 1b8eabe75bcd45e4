//! Where traces are sent. The names are those of OpenTelemetry, so that one environment serves all programs of a machine.

use clap::{Args, ValueEnum, builder::BoolishValueParser};
use opentelemetry_sdk::trace::Sampler;
use percent_encoding::percent_decode_str;
use svc_mcp_access::Secret;
use svc_mcp_tools::net::{UrlError, parse_http_url};
use url::Url;

use super::values::secret;

#[derive(Debug, Clone, Args)]
pub struct TraceArgs {
    /// URL of an OpenTelemetry collector (OTLP over HTTP); `/v1/traces` is added to it; unset: no traces
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub otel_exporter_otlp_endpoint: Option<Secret>,

    /// URL to which traces are sent, with its whole path; it wins over `OTEL_EXPORTER_OTLP_ENDPOINT`
    #[arg(long, env = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub otel_exporter_otlp_traces_endpoint: Option<Secret>,

    /// Headers for the collector, such as `authorization=Bearer%20…`, separated by commas
    #[arg(long, env = "OTEL_EXPORTER_OTLP_HEADERS", value_name = "HEADERS", value_parser = secret, hide_env_values = true)]
    pub otel_exporter_otlp_headers: Option<Secret>,

    /// How long the collector may take to answer, in milliseconds, 100 to 60000
    #[arg(long, env = "OTEL_EXPORTER_OTLP_TIMEOUT", default_value_t = 10_000, value_name = "N",
        value_parser = clap::value_parser!(u64).range(100..=60_000))]
    pub otel_exporter_otlp_timeout: u64,

    /// Only `http/protobuf` is supported
    #[arg(long, env = "OTEL_EXPORTER_OTLP_PROTOCOL", value_enum, default_value_t = Protocol::HttpProtobuf)]
    pub otel_exporter_otlp_protocol: Protocol,

    /// Name of the service in traces
    #[arg(long, env = "OTEL_SERVICE_NAME", default_value = "svc-mcp", value_name = "NAME")]
    pub otel_service_name: String,

    /// Attributes of every span, such as `deployment.environment.name=production`, separated by commas
    #[arg(long, env = "OTEL_RESOURCE_ATTRIBUTES", value_name = "ATTRIBUTES", value_parser = pairs)]
    pub otel_resource_attributes: Option<Pairs>,

    /// Which requests are traced; those with `parentbased` do what the caller's traceparent says, if there is one
    #[arg(long, env = "OTEL_TRACES_SAMPLER", value_enum, default_value_t = SamplerName::ParentBasedAlwaysOn)]
    pub otel_traces_sampler: SamplerName,

    /// Which part of the traces the samplers with `traceidratio` take, 0 to 1
    #[arg(long, env = "OTEL_TRACES_SAMPLER_ARG", default_value_t = 1.0, value_name = "RATIO", value_parser = ratio)]
    pub otel_traces_sampler_arg: f64,

    /// Whether traces are off although a collector is set: true or false
    #[arg(long, env = "OTEL_SDK_DISABLED", default_value_t = false, value_name = "BOOLEAN",
        action = clap::ArgAction::Set, value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    pub otel_sdk_disabled: bool,
}

impl TraceArgs {
    pub(crate) fn is_on(&self) -> bool {
        let endpoints = [&self.otel_exporter_otlp_endpoint, &self.otel_exporter_otlp_traces_endpoint];
        !self.otel_sdk_disabled && endpoints.into_iter().any(Option::is_some)
    }

    /// Where spans are posted. `None`: traces are off.
    pub(crate) fn url(&self) -> Result<Option<Url>, EndpointError> {
        let endpoint = |secret: &Secret, name| {
            parse_http_url(secret.expose()).map_err(|source| EndpointError { name, source })
        };
        if !self.is_on() {
            return Ok(None);
        }
        if let Some(url) = &self.otel_exporter_otlp_traces_endpoint {
            return endpoint(url, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT").map(Some);
        }
        let Some(url) = &self.otel_exporter_otlp_endpoint else { return Ok(None) };
        let mut url = endpoint(url, "OTEL_EXPORTER_OTLP_ENDPOINT")?;
        let path = format!("{}/v1/traces", url.path().trim_end_matches('/'));
        url.set_path(&path);
        Ok(Some(url))
    }

    pub(crate) fn sampler(&self) -> Sampler {
        let ratio = || Sampler::TraceIdRatioBased(self.otel_traces_sampler_arg);
        match self.otel_traces_sampler {
            SamplerName::AlwaysOn => Sampler::AlwaysOn,
            SamplerName::AlwaysOff => Sampler::AlwaysOff,
            SamplerName::TraceIdRatio => ratio(),
            SamplerName::ParentBasedAlwaysOn => Sampler::ParentBased(Box::new(Sampler::AlwaysOn)),
            SamplerName::ParentBasedAlwaysOff => Sampler::ParentBased(Box::new(Sampler::AlwaysOff)),
            SamplerName::ParentBasedTraceIdRatio => Sampler::ParentBased(Box::new(ratio())),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    #[value(name = "http/protobuf")]
    HttpProtobuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SamplerName {
    #[value(name = "always_on")]
    AlwaysOn,
    #[value(name = "always_off")]
    AlwaysOff,
    #[value(name = "traceidratio")]
    TraceIdRatio,
    #[value(name = "parentbased_always_on")]
    ParentBasedAlwaysOn,
    #[value(name = "parentbased_always_off")]
    ParentBasedAlwaysOff,
    #[value(name = "parentbased_traceidratio")]
    ParentBasedTraceIdRatio,
}

/// `name=value` with percent-encoded values, separated by commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairs(pub(crate) Vec<(String, String)>);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be `name=value`, separated by commas, with `%20` for a blank")]
pub struct InvalidPairs;

pub(crate) fn pairs(text: &str) -> Result<Pairs, InvalidPairs> {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').ok_or(InvalidPairs)?;
        let value = percent_decode_str(value.trim()).decode_utf8().map_err(|_| InvalidPairs)?;
        let name = name.trim();
        if name.is_empty() { Err(InvalidPairs) } else { Ok((name.to_owned(), value.into_owned())) }
    };
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    parts.map(pair).collect::<Result<_, _>>().map(Pairs)
}

/// The URL is not shown: it may have a password or a token.
#[derive(Debug, thiserror::Error)]
#[error("{name} {source}")]
pub struct EndpointError {
    name: &'static str,
    source: UrlError,
}

#[derive(Debug, thiserror::Error)]
#[error("must be a number from 0 to 1")]
struct InvalidRatio;

fn ratio(text: &str) -> Result<f64, InvalidRatio> {
    text.trim().parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio)).ok_or(InvalidRatio)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        traces: TraceArgs,
    }

    fn url(arguments: &[&str]) -> Option<String> {
        let command = Command::try_parse_from([&["svc-mcp"], arguments].concat()).expect("valid");
        command.traces.url().expect("valid").map(String::from)
    }

    #[test]
    fn endpoint_of_traces_wins_and_has_its_whole_path() {
        assert_eq!(url(&[]), None);
        for (base, expected) in [
            ("http://collector:4318", "http://collector:4318/v1/traces"),
            ("http://collector:4318/", "http://collector:4318/v1/traces"),
            ("https://collector.example/otlp/", "https://collector.example/otlp/v1/traces"),
        ] {
            assert_eq!(url(&["--otel-exporter-otlp-endpoint", base]).as_deref(), Some(expected));
        }
        let both = [
            "--otel-exporter-otlp-endpoint",
            "http://a/",
            "--otel-exporter-otlp-traces-endpoint",
            "http://b/x",
        ];
        assert_eq!(url(&both).as_deref(), Some("http://b/x"));
        assert_eq!(url(&[both.as_slice(), &["--otel-sdk-disabled", "true"]].concat()), None);
    }

    #[test]
    fn pairs_are_decoded() {
        let parsed = pairs("authorization=Bearer%20a%3Db, x-tenant = acme,").map(|pairs| pairs.0);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(parsed, Ok(vec![pair("authorization", "Bearer a=b"), pair("x-tenant", "acme")]));
        assert_eq!(pairs(""), Ok(Pairs(Vec::new())));
        for wrong in ["authorization", "=value", "name=%ff"] {
            assert_eq!(pairs(wrong), Err(InvalidPairs), "{wrong}");
        }
    }
}
