//! The log event at the start that says how the service runs.

use serde_json::{Value, json};
use svc_mcp_testkit::wait_until;

use crate::support::{Sandbox, Service};

fn summary(service: &Service) -> Value {
    let log = service.log();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut events: Vec<Value> = lines.filter(|line| line["message"] == "settings").collect();
    assert_eq!(events.len(), 1, "{log}");
    let mut event = events.remove(0);
    for field in ["timestamp", "level", "target"] {
        event.as_object_mut().expect("an object").remove(field);
    }
    event
}

#[test]
fn start_logs_a_summary_of_the_settings() {
    let sandbox = Sandbox::sqlite();
    let service = sandbox.serve(&[]);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        summary(&service),
        json!({
            "message": "settings", "version": version, "database": "SQLite", "redis": "off",
            "reveal": "on, with a generated key", "jwt": "generated secret", "mail": "off", "oidc": "off",
            "public_url": format!("http://{}", service.address), "config": "none",
            "off": "redis, mail, openid connect, events, keyword provider, metrics, traces",
        })
    );
    let sandbox = Sandbox::postgres()
        .with("SVC_SMTP_URL", "smtp://ada:canary@mail.example")
        .with("SVC_MAIL_FROM", "reports@svc.example")
        .with("SVC_PUBLIC_URL", "https://mcp.example")
        .with("SVC_METRICS_LISTEN", "127.0.0.1:0")
        .with("SVC_OIDC_ISSUER", "http://127.0.0.1:9/canary")
        .with("SVC_OIDC_CLIENT_ID", "canary")
        .with("SVC_OIDC_CLIENT_SECRET", "canary")
        .with("SVC_EVENTS_URL", "https://canary.example/")
        .with("SVC_EVENTS_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        .with("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9/canary")
        .with("OTEL_EXPORTER_OTLP_HEADERS", "authorization=canary")
        .with("SVC_KEYWORD_PROVIDER_URL", "https://canary.example/");
    let service = sandbox.serve(&[]);
    let event = summary(&service);
    assert_eq!(
        event,
        json!({
            "message": "settings", "version": version, "database": "PostgreSQL", "redis": "on", "reveal": "on",
            "jwt": "shared secret", "mail": "mail server", "oidc": "on", "public_url": "https://mcp.example", "config": "none",
            "off": "nothing",
        })
    );
    // The service starts although the provider is down.
    wait_until("the outage of the provider", || {
        service.log().contains("outage begins: the OpenID Connect provider cannot be read")
    });
    let log = service.stop();
    assert!(!log.contains("\"WARN\"") && !log.contains("canary"), "{log}");
}

/// A trial on this machine works with the secrets of the example, and says so.
#[test]
fn surprising_settings_are_warnings() {
    let warnings = |sandbox: Sandbox| {
        let log = sandbox.serve(&[]).stop();
        log.lines().filter(|line| line.contains("\"WARN\"")).map(str::to_owned).collect::<Vec<_>>()
    };
    let found = warnings(Sandbox::postgres().without("SVC_REVEAL_KEYS"));
    for variable in ["SVC_PUBLIC_URL", "SVC_REVEAL_KEYS"] {
        assert!(
            found.iter().any(|line| line.contains(&format!("without {variable}"))),
            "{variable}: {found:?}"
        );
    }
    let secret = "example-secret-of-at-least-thirty-two-bytes";
    let example =
        Sandbox::sqlite().with("SVC_JWT_SECRET", secret).with("SVC_PUBLIC_URL", "http://localhost:8080");
    let found = warnings(example);
    assert!(found.iter().any(|line| line.contains("SVC_JWT_SECRET must not be the example")), "{found:?}");
    assert!(!found.iter().any(|line| line.contains(secret)), "{found:?}");
}
