//! `serve --check`: tries everything that a start needs, and reports each part. Nothing is created or changed.

mod parts;

use std::{fmt::Write, time::Duration};

use serde_json::{Value, json};
use svc_mcp_access::{Clock, Entropy};

use crate::config::{ServeArgs, warnings};

/// How long one part may take.
const PART_TIMEOUT: Duration = Duration::from_secs(15);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Ok,
    Warning,
    Failed,
    Off,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
            Self::Off => "off",
        }
    }
}

#[derive(Debug)]
struct Part {
    name: &'static str,
    outcome: Outcome,
    detail: String,
}

#[derive(Debug, Default)]
pub(crate) struct Report(Vec<Part>);

impl Report {
    fn add(&mut self, name: &'static str, outcome: Outcome, detail: impl Into<String>) {
        // One line for each part: an error of a library may have several.
        let detail: String = detail.into().split_whitespace().collect::<Vec<_>>().join(" ");
        self.0.push(Part { name, outcome, detail });
    }

    /// `Ok(None)`: the part is off, and `off` says how it is switched on.
    fn add_result(&mut self, name: &'static str, off: &str, result: Result<Option<String>, String>) {
        match result {
            Ok(Some(detail)) => self.add(name, Outcome::Ok, detail),
            Ok(None) => self.add(name, Outcome::Off, off),
            Err(detail) => self.add(name, Outcome::Failed, detail),
        }
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.0.iter().any(|part| part.outcome == Outcome::Failed)
    }

    /// A line for each part.
    pub(crate) fn as_text(&self) -> String {
        let mut text = String::new();
        for Part { name, outcome, detail } in &self.0 {
            let _ = writeln!(text, "{outcome:<8} {name:<16} {detail}", outcome = outcome.name());
        }
        text.push_str(if self.has_failed() {
            "The service would not work."
        } else {
            "The service can start."
        });
        text
    }

    pub(crate) fn as_json(&self) -> Value {
        let part =
            |part: &Part| json!({"part": part.name, "outcome": part.outcome.name(), "detail": part.detail});
        json!({"ok": !self.has_failed(), "parts": self.0.iter().map(part).collect::<Vec<_>>()})
    }
}

pub(crate) async fn run(args: &ServeArgs, clock: &dyn Clock, entropy: &Entropy) -> Report {
    let mut report = Report::default();
    report.add_result("settings", "", parts::settings(args).map(Some));
    report.add_result("database", "", within(parts::database(&args.store)).await.map(Some));
    let redis = within(parts::redis(&args.store, entropy)).await;
    report.add_result("redis", "limits are counted in this process; SVC_REDIS_URL shares them", redis);
    let reveal = parts::reveal(&args.store, entropy);
    report.add_result("reveal", "keys cannot be revealed; SVC_REVEAL_KEYS switches it on", reveal);
    let jwt = within(parts::jwt(&args.jwt, &args.store, clock, entropy)).await;
    report.add_result("jwt", "", jwt.map(Some));
    let oidc = within(parts::oidc(args, clock)).await;
    report.add_result("openid connect", "SVC_OIDC_ISSUER switches it on", oidc);
    report.add_result(
        "mail",
        "no mails are sent; SVC_SMTP_URL switches them on",
        Box::pin(within(parts::mail(&args.mail))).await,
    );
    let events = parts::events(&args.events);
    report.add_result("events", "the operator gets no events; SVC_EVENTS_URL switches them on", events);
    let keywords = parts::keyword_provider(&args.keywords);
    report.add_result("keyword provider", "SVC_KEYWORD_PROVIDER_URL switches it on", keywords);
    let traces = within(parts::traces(&args.traces)).await;
    report.add_result("traces", "OTEL_EXPORTER_OTLP_ENDPOINT switches them on", traces);
    report.add_result("listen", "", parts::listen(args.listen, "--listen").map(Some));
    let metrics = args.metrics_listen.map(|address| parts::listen(address, "--metrics-listen")).transpose();
    report.add_result("metrics", "SVC_METRICS_LISTEN switches them on", metrics);
    for warning in warnings(args) {
        report.add("settings", Outcome::Warning, warning);
    }
    report
}

async fn within<T>(part: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    // Boxed: the futures of some parts are large.
    tokio::time::timeout(PART_TIMEOUT, Box::pin(part)).await.unwrap_or_else(|_| {
        let seconds = PART_TIMEOUT.as_secs();
        Err(format!("no answer within {seconds} s: check the address and the firewall"))
    })
}
