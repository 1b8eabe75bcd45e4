//! Failed starts: one line says what to do.

use std::net::TcpListener;

use svc_mcp_testkit::free_port;

use crate::support::Sandbox;

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

fn assert_message(sandbox: &Sandbox, arguments: &[&str], parts: &[&str]) {
    let message = sandbox.expect_failure(arguments);
    for part in parts {
        assert!(message.contains(part), "{arguments:?}: no {part} in {message}");
    }
}

#[test]
fn short_jwt_secret_is_refused() {
    let sandbox = Sandbox::sqlite().with("SVC_JWT_SECRET", "0123456789012345678901234567890");
    assert_message(&sandbox, &SERVE, &["SVC_JWT_SECRET", "32 bytes"]);
}

#[test]
fn malformed_sealing_keys_are_refused() {
    for (keys, what) in [
        ("nonsense", "entry 1 has no colon"),
        ("a:nonsense", "entry 1 must hold exactly 32 bytes"),
        ("a b:a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=", "the id of entry 1"),
        ("a:a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=,b", "entry 2 has no colon"),
    ] {
        let sandbox = Sandbox::sqlite().with("SVC_REVEAL_KEYS", keys);
        assert_message(&sandbox, &SERVE, &["SVC_REVEAL_KEYS", what]);
        assert_message(&sandbox, &["admin", "reveal-keys", "rewrap"], &["SVC_REVEAL_KEYS", what]);
    }
}

/// An attacker who changes the set in transit can sign tokens.
#[test]
fn jwk_set_over_plain_http_is_refused() {
    let message = ["SVC_JWT_JWKS_URL", "https"];
    for url in ["http://app.example/jwks.json", "http://10.0.0.1/jwks.json", "app.example/jwks.json"] {
        let sandbox = Sandbox::sqlite().with("SVC_JWT_JWKS_URL", url);
        assert_message(&sandbox, &SERVE, &message);
    }
    let sandbox = Sandbox::sqlite().with("SVC_JWT_JWKS_URL", "http://ada:canary@app.example/jwks.json");
    assert!(!sandbox.expect_failure(&SERVE).contains("canary"));
}

#[test]
fn wrong_settings_of_events_are_refused() {
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    for (url, secret, what) in [
        ("http://hooks.example/", SECRET, "SVC_EVENTS_URL must be https"),
        ("hooks.example", SECRET, "SVC_EVENTS_URL"),
        ("https://hooks.example/", "whsec_canary", "SVC_EVENTS_SECRET"),
    ] {
        let sandbox = Sandbox::sqlite().with("SVC_EVENTS_URL", url).with("SVC_EVENTS_SECRET", secret);
        assert_message(&sandbox, &SERVE, &[what]);
        assert!(!sandbox.expect_failure(&SERVE).contains("canary"));
    }
    let without_secret = Sandbox::sqlite().with("SVC_EVENTS_URL", "https://hooks.example/");
    assert!(without_secret.expect_usage_error(&SERVE).contains("--events-secret"));
    let without_url = Sandbox::sqlite().with("SVC_EVENTS_SECRET", SECRET);
    assert!(without_url.expect_usage_error(&SERVE).contains("--events-url"));
}

#[test]
fn port_in_use_is_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let sandbox = Sandbox::sqlite();
    assert_message(&sandbox, &["serve", "--listen", &address], &[&address, "--listen"]);
    assert_message(&sandbox, &["demo", "--listen", &address], &[&address, "--listen"]);
    let metrics = [SERVE.as_slice(), &["--metrics-listen", &address]].concat();
    assert_message(&sandbox, &metrics, &[&address, "--metrics-listen"]);
}

#[test]
fn postgresql_needs_a_jwt_secret() {
    let sandbox = Sandbox::postgres().without("SVC_JWT_SECRET");
    assert_message(&sandbox, &SERVE, &["set SVC_JWT_SECRET"]);
}

#[test]
fn unreachable_database_is_reported_without_its_password() {
    let url = format!("postgres://someone:canary@127.0.0.1:{}/nothing", free_port());
    let sandbox = Sandbox::postgres().with("SVC_DATABASE_URL", &url);
    let output = sandbox.run(&SERVE);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(!output.stderr.contains("canary"), "the password is in the message: {output:?}");
    assert!(output.stderr.contains("SVC_DATABASE_URL"), "the setting is not named: {output:?}");
}

#[test]
fn invalid_values_are_refused_with_their_flag() {
    for (variable, value) in [("SVC_DATABASE_URL", "mysql://a:canary@b/c"), ("SVC_REDIS_URL", "canary")] {
        let sandbox = Sandbox::sqlite().with(variable, value);
        assert_message(&sandbox, &SERVE, &[variable]);
        let output = sandbox.run(&SERVE);
        assert!(!output.stderr.contains("canary"), "{output:?}");
    }
    let sandbox = Sandbox::sqlite();
    for (flag, value) in [
        ("--listen", "nowhere"),
        ("--public-url", "acme.example"),
        ("--public-url", "https://acme.example/?a=b"),
        ("--cors-origins", "https://acme.example/path"),
        ("--header-timeout", "soon"),
        ("--max-connections", "many"),
        ("--jwt-jwks-max-age", "59"),
        ("--log-format", "xml"),
        ("--log", "svc_mcp=loud"),
    ] {
        let message = sandbox.expect_usage_error(&["serve", flag, value]);
        assert!(message.contains(flag), "{flag} {value}: {message}");
    }
}

#[test]
fn data_directory_that_cannot_be_created_is_reported() {
    let sandbox = Sandbox::sqlite();
    std::fs::write(sandbox.path("file"), "").expect("the file is written");
    let dir = sandbox.path("file").join("data").to_string_lossy().into_owned();
    let sandbox = sandbox.with("SVC_DATA_DIR", &dir);
    assert_message(&sandbox, &SERVE, &[&dir]);
}

#[test]
fn postgresql_without_redis_logs_a_warning() {
    let logs_warning = |sandbox: &Sandbox| {
        let log = sandbox.serve(&[]).stop();
        log.lines().any(|line| line.contains("\"WARN\"") && line.contains("SVC_REDIS_URL"))
    };
    assert!(logs_warning(&Sandbox::postgres().without("SVC_REDIS_URL")));
    assert!(!logs_warning(&Sandbox::postgres()));
    assert!(!logs_warning(&Sandbox::sqlite()));
}

#[test]
fn sqlite_url_opens_that_file() {
    let sandbox = Sandbox::sqlite();
    let url = format!("sqlite:{}", sandbox.path("other.db").display());
    let sandbox = sandbox.with("SVC_DATABASE_URL", &url);
    let log = sandbox.serve(&[]).stop();
    assert!(sandbox.path("other.db").exists());
    assert!(!log.contains("PostgreSQL"), "{log}");
}

#[test]
fn log_in_a_file_has_no_colours() {
    let sandbox =
        Sandbox::postgres().without("SVC_JWT_SECRET").without("SVC_REDIS_URL").with("SVC_LOG_FORMAT", "text");
    let output = sandbox.run(&SERVE);
    assert!(output.stderr.contains("WARN"), "{output:?}");
    assert!(!output.stderr.contains('\u{1b}'), "{output:?}");
}
