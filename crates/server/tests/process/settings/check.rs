//! `serve --check`: everything is reached, nothing is served or changed.

use axum::{Json, Router, routing::get};
use serde_json::{Value, json};
use svc_mcp_testkit::{Smtp, free_port};

use crate::{
    command_line::jwks::{key_pair, publish},
    support::Sandbox,
};

const CHECK: [&str; 4] = ["serve", "--check", "--listen", "127.0.0.1:0"];

/// The report of a check. Its exit code and its `ok` say the same.
fn check(sandbox: &Sandbox) -> Value {
    let output = sandbox.run(&[CHECK.as_slice(), &["--json"]].concat());
    let report: Value =
        serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert!(!output.stdout.contains("canary") && !output.stderr.contains("canary"), "{output:?}");
    assert_eq!(output.code, Some(i32::from(report["ok"] != true)), "{output:?}");
    report
}

/// The outcome and the detail of a part.
fn part<'a>(report: &'a Value, name: &str) -> (&'a str, &'a str) {
    let parts = report["parts"].as_array().expect("a list");
    let part = parts.iter().find(|part| part["part"] == name).unwrap_or_else(|| panic!("{name}: {report}"));
    let text = |field: &str| part[field].as_str().expect("a text");
    (text("outcome"), text("detail"))
}

fn assert_failed(sandbox: &Sandbox, name: &str, texts: &[&str]) {
    let report = check(sandbox);
    let (outcome, detail) = part(&report, name);
    assert_eq!((outcome, &report["ok"]), ("failed", &Value::Bool(false)), "{name}: {report}");
    for text in texts {
        assert!(detail.contains(text), "{name}: no {text} in {detail}");
    }
}

#[test]
fn check_of_the_defaults_creates_nothing() {
    let sandbox = Sandbox::sqlite();
    let printed = sandbox.run_ok(&CHECK);
    let lines: Vec<(&str, &str)> = printed
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(outcome, rest)| (outcome, rest.trim_start()))
        .collect();
    for (outcome, begin) in [
        ("ok", "settings"),
        ("ok", "database         SQLite in"),
        ("off", "redis"),
        ("ok", "reveal           the start generates"),
        ("ok", "jwt              the start generates"),
        ("off", "mail"),
        ("off", "openid connect"),
        ("off", "events"),
        ("off", "keyword provider"),
        ("ok", "listen"),
        ("off", "metrics"),
        ("off", "traces"),
    ] {
        assert!(
            lines.iter().any(|(found, rest)| *found == outcome && rest.starts_with(begin)),
            "{outcome} {begin}: {printed}"
        );
    }
    assert_eq!(printed.lines().last(), Some("The service can start."));
    assert!(!sandbox.data_dir().exists(), "the data directory was created");
    // Also next to a running service.
    let service = sandbox.serve(&[]);
    let address = service.address.to_string();
    let printed = sandbox.run_ok(&["serve", "--check", "--listen", &address]);
    assert!(printed.contains("the tables are up to date") && printed.contains("is in use"), "{printed}");
    service.stop();
}

/// Starts an OpenID Connect provider that only publishes its metadata. Returns its address.
async fn publish_oidc_metadata() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let issuer = format!("http://{}", listener.local_addr().expect("an address"));
    let metadata = json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"), "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    });
    let router = Router::new()
        .route("/.well-known/openid-configuration", get(async move || Json(metadata)))
        .route("/jwks", get(async || Json(json!({"keys": []}))));
    tokio::spawn(async move { axum::serve(listener, router).await });
    issuer
}

/// All parts answer; then each of them does not.
#[tokio::test(flavor = "multi_thread")]
async fn check_reaches_every_part() {
    let smtp = Smtp::start();
    let (jwks_port, (_, jwk)) = (free_port(), key_pair("one"));
    publish(jwks_port, jwk).await;
    let oidc = publish_oidc_metadata().await;
    let url = |port: u16| format!("http://127.0.0.1:{port}/jwks.json");
    let mail = |port: u16| format!("smtp://127.0.0.1:{port}?tls=none");
    let mut sandbox = Sandbox::postgres()
        .without("SVC_JWT_SECRET")
        .with("SVC_JWT_JWKS_URL", &url(jwks_port))
        .with("SVC_SMTP_URL", &mail(smtp.port()))
        .with("SVC_MAIL_FROM", "reports@svc.example")
        .with("SVC_OIDC_ISSUER", &oidc)
        .with("SVC_OIDC_CLIENT_ID", "svc-mcp")
        .with("SVC_OIDC_CLIENT_SECRET", "canary")
        .with("SVC_METRICS_LISTEN", "127.0.0.1:0")
        .with("SVC_EVENTS_URL", "https://hooks.example/")
        .with("SVC_EVENTS_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    let report = check(&sandbox);
    for name in [
        "settings",
        "database",
        "redis",
        "reveal",
        "jwt",
        "openid connect",
        "mail",
        "events",
        "listen",
        "metrics",
    ] {
        assert_eq!(part(&report, name).0, "ok", "{report}");
    }
    assert!(part(&report, "database").1.contains("no tables yet"), "{report}");
    sandbox.run_ok(&["migrate"]);
    let report = check(&sandbox);
    assert!(part(&report, "database").1.contains("up to date"), "{report}");
    assert!(smtp.received().is_empty(), "a mail was sent");

    for (variable, wrong, name, parts) in [
        (
            "SVC_DATABASE_URL",
            format!("postgres://svc:canary@127.0.0.1:{}/svc", free_port()),
            "database",
            ["SVC_DATABASE_URL", "refused"].as_slice(),
        ),
        (
            "SVC_REDIS_URL",
            format!("redis://:canary@127.0.0.1:{}/0", free_port()),
            "redis",
            &["SVC_REDIS_URL"],
        ),
        ("SVC_JWT_JWKS_URL", url(free_port()), "jwt", &["SVC_JWT_JWKS_URL"]),
        (
            "SVC_OIDC_ISSUER",
            format!("http://127.0.0.1:{}", free_port()),
            "openid connect",
            &["SVC_OIDC_ISSUER", "cannot be used"],
        ),
        ("SVC_SMTP_URL", mail(free_port()), "mail", &["SVC_SMTP_URL", "cannot be reached"]),
        ("SVC_REVEAL_KEYS", "canary".into(), "reveal", &["SVC_REVEAL_KEYS"]),
        ("SVC_EVENTS_SECRET", "whsec_canary".into(), "events", &["SVC_EVENTS_SECRET"]),
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            format!("http://127.0.0.1:{}/canary", free_port()),
            "traces",
            &["OTEL_EXPORTER_OTLP_ENDPOINT", "could not be made"],
        ),
        ("SVC_METRICS_LISTEN", "192.0.2.1:9090".into(), "metrics", &["--metrics-listen"]),
        ("SVC_OUTBOUND_ALLOW", "http://intranet/".into(), "settings", &["SVC_OUTBOUND_ALLOW"]),
    ] {
        let before = sandbox.variable(variable).unwrap_or_default().to_owned();
        sandbox.set(variable, &wrong);
        assert_failed(&sandbox, name, parts);
        sandbox.set(variable, &before);
    }
    assert_eq!(check(&sandbox)["ok"], true);
}

#[test]
fn check_warns_about_settings_that_surprise() {
    let sandbox = Sandbox::postgres().without("SVC_REVEAL_KEYS").without("SVC_REDIS_URL");
    let printed = sandbox.run_ok(&CHECK);
    let warnings: Vec<&str> = printed.lines().filter(|line| line.starts_with("warning")).collect();
    for variable in ["SVC_REDIS_URL", "SVC_PUBLIC_URL", "SVC_REVEAL_KEYS"] {
        assert!(warnings.iter().any(|line| line.contains(variable)), "{variable}: {printed}");
    }
    let sandbox = Sandbox::sqlite().with("SVC_JWT_SECRET", "example-secret-of-at-least-thirty-two-bytes");
    assert!(
        sandbox.run_ok(&CHECK).contains("warning  settings         SVC_JWT_SECRET must not be the example")
    );
    let sandbox = sandbox.with("SVC_PUBLIC_URL", "https://mcp.acme.example");
    assert_failed(&sandbox, "settings", &["SVC_JWT_SECRET must not be the example"]);
}
