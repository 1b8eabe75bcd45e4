//! Starts that cannot work: one line that says what to do.

use std::net::TcpListener;

use svc_mcp_testkit::free_port;

use crate::support::Place;

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

fn assert_says(place: &Place, arguments: &[&str], words: &[&str]) {
    let said = place.fails(arguments);
    for word in words {
        assert!(said.contains(word), "{arguments:?} does not speak of {word}: {said}");
    }
}

#[test]
fn a_jwt_secret_that_is_too_short() {
    let place = Place::sqlite().with("SVC_JWT_SECRET", "0123456789012345678901234567890");
    assert_says(&place, &SERVE, &["SVC_JWT_SECRET", "32 bytes"]);
}

#[test]
fn sealing_keys_that_are_malformed() {
    for (keys, what) in [
        ("nonsense", "entry 1 has no colon"),
        ("a:nonsense", "entry 1 must hold exactly 32 bytes"),
        ("a b:a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=", "the id of entry 1"),
        ("a:a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=,b", "entry 2 has no colon"),
        ("", "entry 1 has no colon"),
    ] {
        let place = Place::sqlite().with("SVC_REVEAL_KEYS", keys);
        assert_says(&place, &SERVE, &["SVC_REVEAL_KEYS", what]);
        assert_says(&place, &["admin", "reveal-keys", "rewrap"], &["SVC_REVEAL_KEYS", what]);
    }
}

#[test]
fn a_port_in_use() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let place = Place::sqlite();
    assert_says(&place, &["serve", "--listen", &address], &[&address, "--listen"]);
    assert_says(&place, &["demo", "--listen", &address], &[&address, "--listen"]);
    let metrics = [SERVE.as_slice(), &["--metrics-listen", &address]].concat();
    assert_says(&place, &metrics, &[&address, "--metrics-listen"]);
}

#[test]
fn postgresql_without_a_jwt_secret() {
    let place = Place::postgres().without("SVC_JWT_SECRET");
    assert_says(&place, &SERVE, &["set SVC_JWT_SECRET"]);
}

#[test]
fn a_database_that_is_not_there() {
    let nowhere = format!("postgres://someone:canary@127.0.0.1:{}/nothing", free_port());
    let place = Place::postgres().with("SVC_DATABASE_URL", &nowhere);
    let ran = place.run(&SERVE);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(!ran.stderr.contains("canary"), "the password is shown: {ran:?}");
    assert!(ran.stderr.contains("SVC_DATABASE_URL"), "it does not say what to mend: {ran:?}");
}

#[test]
fn addresses_that_are_none() {
    for (variable, value) in [("SVC_DATABASE_URL", "mysql://a:canary@b/c"), ("SVC_REDIS_URL", "canary")] {
        let place = Place::sqlite().with(variable, value);
        assert_says(&place, &SERVE, &[variable]);
        let ran = place.run(&SERVE);
        assert!(!ran.stderr.contains("canary"), "{ran:?}");
    }
    let place = Place::sqlite();
    for (flag, value) in [
        ("--listen", "nowhere"),
        ("--public-url", "acme.example"),
        ("--public-url", "https://acme.example/?a=b"),
        ("--cors-origins", "https://acme.example/path"),
        ("--header-timeout", "soon"),
        ("--max-connections", "many"),
        ("--log-format", "xml"),
    ] {
        let said = place.misused(&["serve", flag, value]);
        assert!(said.contains(flag), "{flag} {value}: {said}");
    }
    assert_says(&place, &[SERVE.as_slice(), &["--log", "svc_mcp=loud"]].concat(), &["--log"]);
}

#[test]
fn a_data_directory_that_cannot_be_made() {
    let place = Place::sqlite();
    std::fs::write(place.path("file"), "").expect("a file");
    let dir = place.path("file").join("data").to_string_lossy().into_owned();
    let place = place.with("SVC_DATA_DIR", &dir);
    assert_says(&place, &SERVE, &[&dir]);
}

#[test]
fn postgresql_without_redis_is_warned_of() {
    let warned = |place: &Place| {
        let log = place.serve(&[]).stop();
        log.lines().any(|line| line.contains("\"WARN\"") && line.contains("SVC_REDIS_URL"))
    };
    assert!(warned(&Place::postgres().without("SVC_REDIS_URL")));
    assert!(!warned(&Place::postgres()));
    assert!(!warned(&Place::sqlite()));
}

#[test]
fn sqlite_by_its_address_is_not_taken_for_postgresql() {
    let place = Place::sqlite();
    let url = format!("sqlite:{}", place.path("other.db").display());
    let place = place.with("SVC_DATABASE_URL", &url);
    let log = place.serve(&[]).stop();
    assert!(place.path("other.db").exists());
    assert!(!log.contains("PostgreSQL"), "{log}");
}

/// The log goes to a file here, and colours are for terminals.
#[test]
fn a_log_in_a_file_has_no_colours() {
    let place =
        Place::postgres().without("SVC_JWT_SECRET").without("SVC_REDIS_URL").with("SVC_LOG_FORMAT", "text");
    let ran = place.run(&SERVE);
    assert!(ran.stderr.contains("WARN"), "{ran:?}");
    assert!(!ran.stderr.contains('\u{1b}'), "{ran:?}");
}
