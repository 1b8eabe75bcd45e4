//! Redis over TLS.

use std::{fs, path::Path};

use svc_mcp_testkit::{Redis, RedisCluster, ServerCertificate, free_port, raw_get};

use crate::support::{Sandbox, Service, eventually};

const PASSWORD: &str = "canary-canary-canary";

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// PostgreSQL, and this Redis with TLS.
fn sandbox(redis: &Redis) -> Sandbox {
    sandbox_at(&format!("rediss://default:{PASSWORD}@127.0.0.1:{}/0", redis.port()))
}

/// PostgreSQL, and Redis at this address. The system has no other authorities than those of the test.
fn sandbox_at(redis_url: &str) -> Sandbox {
    let sandbox = Sandbox::postgres().with("SVC_REDIS_URL", redis_url);
    let empty = sandbox.path("no-certificates");
    fs::create_dir(&empty).expect("a directory");
    let unknown = ServerCertificate::generate();
    let system = sandbox.path("system.pem");
    fs::copy(&unknown.ca_file, &system).expect("the file is copied");
    let (empty, system) = (text(&empty).to_owned(), text(&system).to_owned());
    sandbox.with("SSL_CERT_DIR", &empty).with("SSL_CERT_FILE", &system)
}

/// Starts the service, and waits until it has found out whether Redis answers.
async fn serve(sandbox: &Sandbox, degraded: bool) -> Service {
    let metrics = free_port();
    let service = sandbox.serve(&["--metrics-listen", &format!("127.0.0.1:{metrics}")]);
    let line = format!("svc_mcp_degraded {}", u8::from(degraded));
    eventually(&line, async || {
        let (_, text) = raw_get(([127, 0, 0, 1], metrics).into(), "/metrics").await?;
        text.lines().any(|known| known == line).then_some(())
    })
    .await;
    service
}

fn assert_no_password(log: &str) {
    assert!(!log.contains("canary"), "the password is in the log: {log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_with_a_certificate_of_the_configured_authority_is_used() {
    let certificate = ServerCertificate::generate();
    let redis = Redis::start_with_tls(&certificate, PASSWORD);
    let sandbox = sandbox(&redis).with("SVC_REDIS_CA_FILE", text(&certificate.ca_file));
    sandbox.add_brand("acme", "ada");
    let service = serve(&sandbox, false).await;
    let key = service.api(&sandbox.token("ada")).key("acme", "read").await.secret;
    service.api(&key).list_tools().await.expect_status(200);
    assert_no_password(&service.stop());
}

/// A Redis Cluster over TLS with a password. After a master is killed, the service goes on with its replica; then the same with another one.
#[tokio::test(flavor = "multi_thread")]
async fn redis_cluster_with_tls_and_a_password_is_used() {
    let certificate = ServerCertificate::generate();
    let cluster = RedisCluster::start_with_tls(&certificate, PASSWORD);
    let sandbox = sandbox_at(&format!("rediss+cluster://default:{PASSWORD}@{}", cluster.addresses()))
        .with("SVC_REDIS_CA_FILE", text(&certificate.ca_file));
    sandbox.add_brand("acme", "ada");
    let service = serve(&sandbox, false).await;
    let key = service.api(&sandbox.token("ada")).key("acme", "read").await.secret;
    service.api(&key).list_tools().await.expect_status(200);
    // Both have a replica from the beginning. A replica that was promoted has none.
    for master in &cluster.masters()[..2] {
        cluster.kill(*master);
        eventually(&format!("a replica takes over from {master}"), async || {
            let masters = cluster.masters();
            (!masters.contains(master) && masters.len() == 3).then_some(())
        })
        .await;
        eventually(&format!("the key is accepted again without {master}"), async || {
            (service.api(&key).list_tools().await.status == 200).then_some(())
        })
        .await;
    }
    assert_no_password(&service.stop());
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_with_a_certificate_of_the_system_is_used() {
    let certificate = ServerCertificate::generate();
    let redis = Redis::start_with_tls(&certificate, PASSWORD);
    let mut sandbox = sandbox(&redis).with("SSL_CERT_FILE", text(&certificate.ca_file));
    assert_no_password(&serve(&sandbox, false).await.stop());
    // A private authority is trusted in addition.
    let other = ServerCertificate::generate();
    sandbox.set("SVC_REDIS_CA_FILE", text(&other.ca_file));
    assert_no_password(&serve(&sandbox, false).await.stop());
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_with_a_certificate_of_an_unknown_authority_is_not_used() {
    let certificate = ServerCertificate::generate();
    let redis = Redis::start_with_tls(&certificate, PASSWORD);
    let mut sandbox = sandbox(&redis).with("SVC_LOG", "debug");
    let log = serve(&sandbox, true).await.stop();
    assert!(log.contains("degraded"), "{log}");
    assert_no_password(&log);
    let other = ServerCertificate::generate();
    sandbox.set("SVC_REDIS_CA_FILE", text(&other.ca_file));
    assert_no_password(&serve(&sandbox, true).await.stop());
}

#[test]
fn unusable_tls_settings_are_refused() {
    let certificate = ServerCertificate::generate();
    let files = Sandbox::sqlite();
    let empty = files.path("empty.pem");
    fs::write(&empty, "no certificate").expect("the file is written");
    let tls = format!("rediss://default:{PASSWORD}@127.0.0.1:1/0");
    let insecure = format!("{tls}#insecure");
    let plain = format!("redis://default:{PASSWORD}@127.0.0.1:1/0");
    for (url, file, parts) in [
        (&tls, Some("/no/such/file.pem"), ["SVC_REDIS_CA_FILE", "/no/such/file.pem"]),
        (&tls, Some(text(&empty)), ["SVC_REDIS_CA_FILE", "no certificate"]),
        (&plain, Some(text(&certificate.ca_file)), ["SVC_REDIS_CA_FILE", "rediss://"]),
        (&insecure, None, ["SVC_REDIS_URL", "#insecure"]),
    ] {
        let mut sandbox = Sandbox::sqlite().with("SVC_REDIS_URL", url);
        if let Some(file) = file {
            sandbox.set("SVC_REDIS_CA_FILE", file);
        }
        let message = sandbox.expect_failure(&["serve", "--listen", "127.0.0.1:0"]);
        for part in parts {
            assert!(message.contains(part), "no {part} in {message}");
        }
        assert_no_password(&message);
    }
}
