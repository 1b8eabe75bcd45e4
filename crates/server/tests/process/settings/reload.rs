//! SIGHUP reads the log filter and the public keys again, and does not end the process.

use std::fs;

use serde_json::json;

use crate::{
    command_line::jwks::{key_pair, signed},
    support::{Sandbox, Service, wait_until},
};

fn wait_for_line(service: &Service, text: &str, count: usize) {
    wait_until(text, || service.log().lines().filter(|line| line.contains(text)).count() >= count);
}

#[tokio::test(flavor = "multi_thread")]
async fn hangup_reads_the_filter_and_the_public_keys_again() {
    let mut sandbox = Sandbox::sqlite();
    let ((old, old_jwk), (new, new_jwk)) = (key_pair("old"), key_pair("new"));
    let (keys, file) = (sandbox.path("keys.json"), sandbox.path("svc-mcp.toml"));
    let publish =
        |jwk: &_| fs::write(&keys, json!({"keys": [jwk]}).to_string()).expect("the keys are written");
    let configure = |content: &str| fs::write(&file, content).expect("the file is written");
    publish(&old_jwk);
    configure("log = 'info'\n");
    sandbox.set("SVC_JWT_JWKS_FILE", &keys.to_string_lossy());
    sandbox.set("SVC_CONFIG", &file.to_string_lossy());
    let mut service = sandbox.serve(&[]);
    let (old, new) = (signed(&old, "old", "ada"), signed(&new, "new", "ada"));
    service.api(&old).get("/api/me").await.expect_status(200);
    service.api(&new).get("/api/me").await.expect_status(401);
    let debug_lines =
        |service: &Service| service.log().lines().filter(|line| line.contains("\"DEBUG\"")).count();
    assert_eq!(debug_lines(&service), 0);

    publish(&new_jwk);
    configure("log = 'debug'\nmax_requests = 9\njwt_issuer = 'canary'\n");
    service.signal("HUP");
    wait_for_line(&service, "the settings were read again", 1);
    wait_for_line(&service, "the JWK set was read again", 1);
    service.api(&new).get("/api/me").await.expect_status(200);
    // Without the signal, the old key would stay for ten minutes.
    service.api(&old).get("/api/me").await.expect_status(401);
    wait_until("a line at debug", || debug_lines(&service) > 0);
    let log = service.log();
    let warning = log.lines().find(|line| line.contains("need a restart")).expect("a warning");
    assert!(warning.contains("SVC_JWT_ISSUER, SVC_MAX_REQUESTS") && !warning.contains("canary"), "{warning}");

    // What cannot be read changes nothing.
    fs::write(&keys, "nonsense").expect("the keys are written");
    configure("log = 'inof'\n");
    service.signal("HUP");
    wait_for_line(&service, "the settings cannot be read again", 1);
    wait_for_line(&service, "the JWK set cannot be read; the cached keys stay in use", 1);
    service.api(&new).get("/api/me").await.expect_status(200);
    assert!(!service.has_exited());
    service.stop();
}

/// A flag or a variable wins over the file, also after the signal. The demo does not end either.
#[tokio::test(flavor = "multi_thread")]
async fn hangup_keeps_what_a_variable_says() {
    let sandbox = Sandbox::sqlite();
    let file = sandbox.path("svc-mcp.toml");
    fs::write(&file, "log = 'debug'\n").expect("the file is written");
    let sandbox = sandbox.with("SVC_LOG", "svc_mcp=info").with("SVC_CONFIG", &file.to_string_lossy());
    let mut service = sandbox.demo(&[]);
    service.signal("HUP");
    wait_for_line(&service, "the settings were read again", 1);
    assert!(service.log().contains("\"log\":\"svc_mcp=info\""), "{}", service.log());
    service.api("").get("/healthz").await.expect_status(200);
    assert!(!service.has_exited());
    service.stop();
}
