//! Certificates and proxies come from the environment, so these tests run the client in a child process.

use std::{
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer},
};
use svc_mcp_tools::net::{Guard, Outbound, Request};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    task::spawn_blocking,
};
use tokio_rustls::TlsAcceptor;

use crate::servers::{Server, answer};

const ADDRESS: &str = "SVC_TEST_ADDRESS";

/// Whether this is the child process of a test. If so, it requests the URL in the variable and prints the result.
#[expect(clippy::print_stdout, reason = "the parent process reads it")]
async fn is_child() -> bool {
    let Ok(address) = std::env::var(ADDRESS) else { return false };
    let address: url::Url = address.parse().unwrap();
    let allowed = format!("{}:{}", address.host_str().unwrap(), address.port().unwrap());
    let outbound = Outbound::new(Guard::allowing([allowed]).unwrap()).unwrap();
    match outbound.send(Request::get(address)).await {
        Ok(answer) => println!("came: {}", String::from_utf8_lossy(&answer.body)),
        Err(error) => println!("failed: {error}"),
    }
    true
}

/// Runs the same test in a child process with this environment, and returns its output.
async fn in_child(test: &str, address: &str, environment: &[(&str, &str)]) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child
        .args(["--exact", &format!("environment::{test}"), "--nocapture"])
        .env(ADDRESS, address)
        .envs(environment.iter().copied())
        .stdin(Stdio::null());
    let output = spawn_blocking(move || child.output().unwrap()).await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The test harness prints the test name on the same line.
    let result = text
        .lines()
        .find_map(|line| line.find("came: ").or(line.find("failed: ")).map(|at| line[at..].to_owned()));
    result.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

#[tokio::test]
async fn proxy_variables_are_ignored() {
    if is_child().await {
        return;
    }
    let proxy = Server::answering(|_| answer("200 OK", &[], b"proxied")).await;
    let server = Server::answering(|_| answer("200 OK", &[], b"direct")).await;
    let proxy_url = proxy.url("/").to_string();
    let environment: Vec<_> =
        ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            .into_iter()
            .map(|name| (name, proxy_url.as_str()))
            .chain([("no_proxy", ""), ("NO_PROXY", "")])
            .collect();
    assert_eq!(
        in_child("proxy_variables_are_ignored", server.url("/").as_str(), &environment).await,
        "came: direct"
    );
    assert_eq!(proxy.connections(), 0);
}

/// A server with a certificate for this name, and the certificate of its authority.
async fn secure(name: &str) -> (Server, String) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate =
        CertificateParams::new(vec![name.to_owned()]).unwrap().signed_by(&key, &authority).unwrap();
    let chain: Vec<CertificateDer<'static>> = vec![certificate.der().clone()];
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let server = Server::raw(move |stream| {
        let acceptor = acceptor.clone();
        async move {
            let Ok(mut stream) = acceptor.accept(stream).await else { return };
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.write_all(&answer("200 OK", &[], b"secure")).await;
            let _ = stream.shutdown().await;
        }
    })
    .await;
    (server, authority.pem())
}

fn write_pem(text: &str, folder: &Path) -> String {
    let path = folder.join("authority.pem");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[tokio::test]
async fn certificate_needs_a_known_authority_and_the_right_name() {
    if is_child().await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (server, authority) = secure("localhost").await;
    let authority = write_pem(&authority, folder.path());
    let known = [("SSL_CERT_FILE", authority.as_str())];
    let address = format!("https://localhost:{}/", server.port());
    assert_eq!(
        in_child("certificate_needs_a_known_authority_and_the_right_name", &address, &known).await,
        "came: secure"
    );
    let failed = "failed: the secure connection failed";
    assert_eq!(
        in_child("certificate_needs_a_known_authority_and_the_right_name", &address, &[]).await,
        failed,
        "an unknown authority"
    );
    let address = format!("https://127.0.0.1:{}/", server.port());
    assert_eq!(
        in_child("certificate_needs_a_known_authority_and_the_right_name", &address, &known).await,
        failed,
        "another name"
    );
}

#[tokio::test]
async fn https_to_http_server_and_http_to_https_server_fail() {
    if is_child().await {
        return;
    }
    let plain = Server::raw(|mut stream| async move {
        let _ = stream.read(&mut [0; 4096]).await;
        let _ = stream.write_all(&answer("200 OK", &[], b"plain")).await;
    })
    .await;
    let address = format!("https://{}/", plain.authority());
    assert_eq!(
        in_child("https_to_http_server_and_http_to_https_server_fail", &address, &[]).await,
        "failed: the secure connection failed"
    );
    let (secure, _) = secure("localhost").await;
    let output =
        in_child("https_to_http_server_and_http_to_https_server_fail", secure.url("/").as_str(), &[]).await;
    assert!(output.starts_with("failed: "), "{output}");
}
