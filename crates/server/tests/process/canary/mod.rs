//! Searches responses, logs, files and databases for secrets in clear text.

mod oidc;
mod pasted;
mod scanner;
mod surfaces;

use std::{
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use serde_json::{Value, json};
use svc_mcp_testkit::{Postgres, Redis, free_port};

use crate::{
    support::{RawClient, Sandbox},
    traces::receiver::Receiver,
};
use oidc::Provider;
use scanner::SecretScanner;
use surfaces::SurfaceClient;

/// A text that is not secret. The search must find it, which shows that the search works.
const MARKER: &str = "marker-to-be-found";

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_stored_or_sent_on_sqlite() {
    let mut sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    // The first start generates the secrets.
    sandbox.serve(&[]).stop();
    let own = |name: &str| fs::read_to_string(sandbox.data_dir().join(name)).expect("a generated secret");
    let secrets = [own("jwt.secret"), own("reveal.keys")];
    assert_no_secret_is_stored(&mut sandbox, secrets).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_stored_or_sent_on_postgresql_and_redis() {
    let mut sandbox = Sandbox::postgres();
    sandbox.add_brand("acme", "ada");
    let variable = |name| sandbox.variable(name).expect("the variable is set").to_owned();
    let secrets = [variable("SVC_JWT_SECRET"), variable("SVC_REVEAL_KEYS")];
    assert_no_secret_is_stored(&mut sandbox, secrets).await;
}

async fn assert_no_secret_is_stored(sandbox: &mut Sandbox, [jwt_secret, sealing_keys]: [String; 2]) {
    let mut scanner = SecretScanner::default();
    scanner.add("the JWT secret", jwt_secret);
    scanner.add_sealing_keys(&sealing_keys);
    // With SQL statements and the access log.
    sandbox.set("SVC_LOG", "trace,sqlx=trace");
    let metrics: SocketAddr = ([127, 0, 0, 1], free_port()).into();
    let receiver = Receiver::start().await;
    sandbox.set("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.url(""));
    sandbox.set("OTEL_EXPORTER_OTLP_HEADERS", "authorization=header-of-the-collector");
    scanner.add("the header of the collector", "header-of-the-collector");
    let provider = Provider::start(&mut scanner).await;
    for (name, value) in provider.settings() {
        sandbox.set(name, &value);
    }
    let service = sandbox.serve(&["--metrics-listen", &metrics.to_string()]);
    provider.sign_in(&service, &mut scanner).await;
    let mut client = SurfaceClient::new(&service, sandbox, &mut scanner).await;
    client.visit_every_surface().await;
    let mut responses = client.responses;

    // A new sealing key: everything is resealed while the service is running.
    let newer = "newer:bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmU=";
    scanner.add_sealing_keys(newer);
    sandbox.set("SVC_REVEAL_KEYS", &format!("{newer},{sealing_keys}"));
    for arguments in [["reveal-keys", "rewrap"].as_slice(), &["keys", "list", "acme", "--include-revoked"]] {
        for json in [false, true] {
            let more: &[&str] = if json { &["--json"] } else { &[] };
            let output = sandbox.run(&[&["admin"], arguments, more].concat());
            assert_eq!(output.code, Some(0), "{output:?}");
            responses.push((format!("{arguments:?}"), output.stdout + &output.stderr));
        }
    }
    let metrics = RawClient::connect(metrics).await.get("/metrics").await;
    responses.push(("the metrics".to_owned(), String::from_utf8(metrics.body).expect("text")));

    // Before and after the shutdown, because SQLite has a journal file while the service is running.
    let mut everything = stored_data(sandbox);
    service.stop();
    everything.extend(stored_data(sandbox));
    everything.push(("the spans".to_owned(), receiver.bytes()));
    everything.extend(responses.into_iter().map(|(name, text)| (name, text.into_bytes())));
    assert_marker_is_found(&everything);
    let found: Vec<String> = everything
        .iter()
        .flat_map(|(location, bytes)| {
            let found = scanner.found_in(bytes).into_iter();
            found.map(move |(what, before)| format!("{what} in {location}, after: {before}"))
        })
        .collect();
    assert!(found.is_empty(), "found:\n{}", found.join("\n"));
}

/// The content of all files, logs and databases of a sandbox.
fn stored_data(sandbox: &Sandbox) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let in_data_dir =
        fs::read_dir(sandbox.data_dir()).into_iter().flatten().flatten().map(|entry| entry.path());
    for file in in_data_dir.chain(sandbox.output_files()) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !["jwt.secret", "reveal.keys"].contains(&name.as_str()) {
            // A journal may be deleted meanwhile.
            all.extend(fs::read(&file).map(|bytes| (name, bytes)));
        }
    }
    if let Some(url) = sandbox.variable("SVC_DATABASE_URL") {
        all.push(("the dump".to_owned(), Postgres::shared().dump(url).into_bytes()));
    }
    if let Some(url) = sandbox.variable("SVC_REDIS_URL") {
        all.push(("Redis".to_owned(), redis_keys(url)));
    }
    all
}

/// The names of all keys in a Redis database.
fn redis_keys(url: &str) -> Vec<u8> {
    let (_, database) = url.rsplit_once('/').expect("a database");
    let mut redis = TcpStream::connect(("127.0.0.1", Redis::shared().port())).expect("a connection to Redis");
    write!(redis, "SELECT {database}\r\nKEYS *\r\nQUIT\r\n").expect("Redis reads");
    let mut answer = Vec::new();
    redis.read_to_end(&mut answer).expect("a reply of Redis");
    answer
}

/// The marker is found in each kind of location, so the search works.
fn assert_marker_is_found(everything: &[(String, Vec<u8>)]) {
    let mut scanner = SecretScanner::default();
    scanner.add("the marker", MARKER.to_owned());
    let locations_with = |scanner: &SecretScanner| -> Vec<&str> {
        let with = everything.iter().filter(|(_, bytes)| !scanner.found_in(bytes).is_empty());
        with.map(|(name, _)| name.as_str()).collect()
    };
    let found = locations_with(&scanner);
    let database = found.iter().any(|name| ["svc-mcp.db", "svc-mcp.db-wal", "the dump"].contains(name));
    assert!(database, "a label is not found in the database: {found:?}");
    assert!(
        found.iter().any(|name| name.ends_with("stderr")),
        "a request's id is not found in the log: {found:?}"
    );
    assert!(
        found.iter().any(|name| name.contains("keys")),
        "a label is not found in the responses: {found:?}"
    );
    assert!(found.contains(&"the spans"), "a request's id is not found in the spans: {found:?}");
    let mut access_line = SecretScanner::default();
    access_line.add("an access line", r#""target":"svc_mcp::access""#.to_owned());
    assert!(locations_with(&access_line).iter().any(|name| name.ends_with("stderr")), "no access log");
    let mut all_lines = SecretScanner::default();
    all_lines.add("no lost line", "svc_mcp_log_lines_lost_total 0\n".to_owned());
    assert_eq!(locations_with(&all_lines), ["the metrics"], "the log is not complete");
    let mut metric = SecretScanner::default();
    metric.add("a metric", "route=\"/mcp/v1/tools/call\"".to_owned());
    assert_eq!(locations_with(&metric), ["the metrics"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn secret_files_are_readable_only_by_their_owner() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let service = sandbox.serve(&[]);
    // The first use opens the database. Before it, SQLite has no log file.
    service.api(&sandbox.token("ada")).key("acme", "read").await;
    let mode = |path: &Path| fs::metadata(path).expect("the file exists").permissions().mode() & 0o777;
    assert_eq!(mode(&sandbox.data_dir()), 0o700);
    for name in
        ["jwt.secret", "reveal.keys", "svc-mcp.db", "svc-mcp.db-wal", "svc-mcp.db-shm", "svc-mcp.db.lock"]
    {
        assert_eq!(mode(&sandbox.data_dir().join(name)), 0o600, "{name}");
    }
    service.stop();
    let mut names: Vec<String> = fs::read_dir(sandbox.data_dir())
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["jwt.secret", "reveal.keys", "svc-mcp.db", "svc-mcp.db.lock"], "no other files");
}

fn text(key: &Value, field: &str) -> String {
    key[field].as_str().unwrap_or_else(|| panic!("{field} in {key}")).to_owned()
}

fn call(tool: &str, arguments: &Value) -> Value {
    json!({"name": tool, "arguments": arguments})
}
