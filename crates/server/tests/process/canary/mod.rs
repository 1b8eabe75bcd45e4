//! No clear secret is anywhere it should not be, whatever was done with it.

mod needles;
mod pasted;
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

use crate::support::{Place, Raw};
use needles::Needles;
use surfaces::Visitor;

/// A text that may be seen everywhere it is put: if the search did not find it, it would find nothing.
const PLANTED: &str = "planted-to-be-found";

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_left_behind_on_sqlite() {
    let mut place = Place::sqlite();
    place.add_brand("acme", "ada");
    // The first start makes the service's own secrets.
    place.serve(&[]).stop();
    let own = |name: &str| fs::read_to_string(place.data_dir().join(name)).expect("a secret of its own");
    let secrets = [own("jwt.secret"), own("reveal.keys")];
    nothing_is_left_behind(&mut place, secrets).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_left_behind_on_postgresql_and_redis() {
    let mut place = Place::postgres();
    place.add_brand("acme", "ada");
    let variable = |name| place.variable(name).expect("it is set").to_owned();
    let secrets = [variable("SVC_JWT_SECRET"), variable("SVC_REVEAL_KEYS")];
    nothing_is_left_behind(&mut place, secrets).await;
}

async fn nothing_is_left_behind(place: &mut Place, [jwt_secret, sealing_keys]: [String; 2]) {
    let mut needles = Needles::default();
    needles.add("the JWT secret", jwt_secret);
    needles.add_sealing_keys(&sealing_keys);
    place.set("SVC_LOG", "trace");
    let metrics: SocketAddr = ([127, 0, 0, 1], free_port()).into();
    let running = place.serve(&["--metrics-listen", &metrics.to_string()]);
    let mut visitor = Visitor::new(&running, place, &mut needles).await;
    visitor.visit_every_surface().await;
    let mut told = visitor.told;

    // A new sealing key, and everything is sealed again while the service runs.
    let newer = "newer:bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmU=";
    needles.add_sealing_keys(newer);
    place.set("SVC_REVEAL_KEYS", &format!("{newer},{sealing_keys}"));
    for arguments in [["reveal-keys", "rewrap"].as_slice(), &["keys", "list", "acme", "--include-revoked"]] {
        for json in [false, true] {
            let more: &[&str] = if json { &["--json"] } else { &[] };
            let ran = place.run(&[&["admin"], arguments, more].concat());
            assert_eq!(ran.code, Some(0), "{ran:?}");
            told.push((format!("{arguments:?}"), ran.stdout + &ran.stderr));
        }
    }
    let metrics = Raw::connect(metrics).await.get("/metrics").await;
    told.push(("the metrics".to_owned(), String::from_utf8(metrics.body).expect("text")));

    // Once while it runs, with what is not yet in the main file; and once when it has ended.
    let mut everything = kept(place);
    running.stop();
    everything.extend(kept(place));
    everything.extend(told.into_iter().map(|(name, text)| (name, text.into_bytes())));
    assert_it_would_be_found(&everything);
    let found: Vec<String> = everything
        .iter()
        .flat_map(|(place, bytes)| {
            let found = needles.found_in(bytes).into_iter();
            found.map(move |(what, before)| format!("{what} in {place}, after: {before}"))
        })
        .collect();
    assert!(found.is_empty(), "found:\n{}", found.join("\n"));
}

/// Everything a place has kept: its files, its database, its logs.
fn kept(place: &Place) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let in_data_dir =
        fs::read_dir(place.data_dir()).into_iter().flatten().flatten().map(|entry| entry.path());
    for file in in_data_dir.chain(place.written()) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !["jwt.secret", "reveal.keys"].contains(&name.as_str()) {
            // It may be gone again: a journal ends with its last user.
            all.extend(fs::read(&file).map(|bytes| (name, bytes)));
        }
    }
    if let Some(url) = place.variable("SVC_DATABASE_URL") {
        all.push(("the dump".to_owned(), Postgres::shared().dump(url).into_bytes()));
    }
    if let Some(url) = place.variable("SVC_REDIS_URL") {
        all.push(("Redis".to_owned(), redis_keys(url)));
    }
    all
}

/// The names of everything in a Redis database.
fn redis_keys(url: &str) -> Vec<u8> {
    let (_, database) = url.rsplit_once('/').expect("a database");
    let mut redis = TcpStream::connect(("127.0.0.1", Redis::shared().port())).expect("Redis");
    write!(redis, "SELECT {database}\r\nKEYS *\r\nQUIT\r\n").expect("it reads");
    let mut answer = Vec::new();
    redis.read_to_end(&mut answer).expect("it answers");
    answer
}

/// What may be seen is seen, in each kind of place: the search works.
fn assert_it_would_be_found(everything: &[(String, Vec<u8>)]) {
    let mut needles = Needles::default();
    needles.add("the planted text", PLANTED.to_owned());
    let places_with = |needles: &Needles| -> Vec<&str> {
        let with = everything.iter().filter(|(_, bytes)| !needles.found_in(bytes).is_empty());
        with.map(|(name, _)| name.as_str()).collect()
    };
    let found = places_with(&needles);
    let database = found.iter().any(|name| ["svc-mcp.db", "svc-mcp.db-wal", "the dump"].contains(name));
    assert!(database, "a label is not found in the database: {found:?}");
    assert!(
        found.iter().any(|name| name.ends_with("stderr")),
        "a request's id is not found in the log: {found:?}"
    );
    assert!(
        found.iter().any(|name| name.contains("keys")),
        "a label is not found in what was told: {found:?}"
    );
    let mut shown = Needles::default();
    shown.add("a metric", "route=\"/mcp/v1/tools/call\"".to_owned());
    assert_eq!(places_with(&shown), ["the metrics"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_readable_by_their_owner_alone() {
    let place = Place::sqlite();
    let running = place.serve(&[]);
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&place.data_dir()), 0o700);
    for name in ["jwt.secret", "reveal.keys"] {
        assert_eq!(mode(&place.data_dir().join(name)), 0o600, "{name}");
    }
    running.stop();
    let mut names: Vec<String> = fs::read_dir(place.data_dir())
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["jwt.secret", "reveal.keys", "svc-mcp.db"], "nothing else is left");
}

/// A key as it comes from the API.
fn text(key: &Value, field: &str) -> String {
    key[field].as_str().unwrap_or_else(|| panic!("{field} in {key}")).to_owned()
}

fn call(tool: &str, arguments: &Value) -> Value {
    json!({"name": tool, "arguments": arguments})
}
