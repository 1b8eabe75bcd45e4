//! What every command says of itself.

use crate::support::Place;

/// Every command that does something, with the arguments it cannot do without.
const COMMANDS: [&[&str]; 12] = [
    &["demo"],
    &["serve"],
    &["migrate"],
    &["openapi"],
    &["token"],
    &["admin", "plan", "set"],
    &["admin", "brand", "set"],
    &["admin", "member", "set"],
    &["admin", "member", "remove"],
    &["admin", "keys", "list"],
    &["admin", "keys", "revoke"],
    &["admin", "reveal-keys", "rewrap"],
];

const STORE: [(&str, &str); 5] = [
    ("--data-dir", "SVC_DATA_DIR"),
    ("--database-url", "SVC_DATABASE_URL"),
    ("--database-connections", "SVC_DATABASE_CONNECTIONS"),
    ("--redis-url", "SVC_REDIS_URL"),
    ("--reveal-keys", "SVC_REVEAL_KEYS"),
];
const JWT: [(&str, &str); 5] = [
    ("--jwt-secret", "SVC_JWT_SECRET"),
    ("--jwt-jwks-url", "SVC_JWT_JWKS_URL"),
    ("--jwt-jwks-file", "SVC_JWT_JWKS_FILE"),
    ("--jwt-issuer", "SVC_JWT_ISSUER"),
    ("--jwt-audience", "SVC_JWT_AUDIENCE"),
];
const SERVE: [(&str, &str); 12] = [
    ("--listen", "SVC_LISTEN"),
    ("--metrics-listen", "SVC_METRICS_LISTEN"),
    ("--public-url", "SVC_PUBLIC_URL"),
    ("--cors-origins", "SVC_CORS_ORIGINS"),
    ("--log", "SVC_LOG"),
    ("--log-format", "SVC_LOG_FORMAT"),
    ("--max-connections", "SVC_MAX_CONNECTIONS"),
    ("--max-requests", "SVC_MAX_REQUESTS"),
    ("--header-timeout", "SVC_HEADER_TIMEOUT"),
    ("--body-timeout", "SVC_BODY_TIMEOUT"),
    ("--shutdown-grace", "SVC_SHUTDOWN_GRACE"),
    ("--drain-delay", "SVC_DRAIN_DELAY"),
];

/// The words of a help page, however its lines were broken.
fn help(command: &[&str]) -> String {
    let page = Place::sqlite().ok(&[command, &["--help"]].concat());
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn assert_lists(command: &[&str], settings: &[(&str, &str)]) {
    let page = help(command);
    for (flag, variable) in settings {
        let named = [format!("[env: {variable}]"), format!("[env: {variable}=")];
        assert!(page.contains(&format!("{flag} <")), "{command:?} does not list {flag}: {page}");
        assert!(
            named.iter().any(|named| page.contains(named)),
            "{command:?} does not name {variable}: {page}"
        );
    }
}

#[test]
fn every_setting_is_listed_with_its_variable() {
    for command in [["serve"], ["demo"]] {
        assert_lists(&command, &SERVE);
        assert_lists(&command, &STORE);
        assert_lists(&command, &JWT);
    }
    assert_lists(&["demo"], &[("--site-listen", "SVC_DEMO_SITE_LISTEN")]);
    assert_lists(&["token"], &JWT);
    for command in COMMANDS.iter().filter(|command| !["openapi"].contains(&command[0])) {
        assert_lists(command, &STORE);
    }
}

#[test]
fn every_command_answers_in_json_too() {
    for command in COMMANDS {
        let page = help(command);
        assert!(page.contains(" --json "), "{command:?} has no --json: {page}");
    }
}

#[test]
fn the_flags_of_a_command_are_listed() {
    for (command, flags) in [
        (["token"].as_slice(), ["--user <", "--operator", "--ttl <"].as_slice()),
        (&["admin", "plan", "set"], &["<PLAN>", "--name <", "--mcp <"]),
        (&["admin", "brand", "set"], &["<BRAND>", "--name <", "--plan <", "--website <"]),
        (&["admin", "member", "set"], &["<BRAND>", "<USER>", "--role <", "--name <", "--email <"]),
        (&["admin", "member", "remove"], &["<BRAND>", "<USER>"]),
        (&["admin", "keys", "list"], &["<BRAND>", "--include-revoked"]),
        (&["admin", "keys", "revoke"], &["<BRAND>", "<KEY>"]),
    ] {
        let page = help(command);
        for flag in flags {
            assert!(page.contains(flag), "{command:?} does not list {flag}: {page}");
        }
    }
}

#[test]
fn alone_it_shows_what_there_is() {
    let ran = Place::sqlite().run(&[]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    for command in ["demo", "serve", "migrate", "openapi", "token", "admin"] {
        assert!(ran.stderr.lines().any(|line| line.trim_start().starts_with(command)), "{command}: {ran:?}");
    }
    let version = Place::sqlite().ok(&["--version"]);
    assert_eq!(version, format!("svc-mcp {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn what_there_is_not_is_a_usage_error() {
    let place = Place::sqlite();
    for wrong in
        [["nonsense"].as_slice(), &["serve", "--nonsense"], &["admin", "nonsense"], &["openapi", "extra"]]
    {
        place.misused(wrong);
    }
    assert!(!place.data_dir().exists(), "nothing was begun");
}

/// A help page is often pasted into a bug report.
#[test]
fn help_does_not_show_the_secrets_in_the_variables() {
    let secret = "canary-canary-canary-canary-canary-canary";
    let place = Place::sqlite()
        .with("SVC_JWT_SECRET", secret)
        .with("SVC_REVEAL_KEYS", secret)
        .with("SVC_DATABASE_URL", secret)
        .with("SVC_REDIS_URL", secret);
    for command in COMMANDS {
        let page = place.ok(&[command, &["--help"]].concat());
        assert!(!page.contains("canary"), "{command:?}: {page}");
    }
}

#[test]
fn the_api_document_is_printed() {
    let place = Place::sqlite();
    let document: serde_json::Value = serde_json::from_str(&place.ok(&["openapi"])).expect("JSON");
    assert_eq!(document["openapi"].as_str().map(|version| &version[..3]), Some("3.1"), "{document}");
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(document["paths"]["/mcp/v1/tools"]["get"].is_object(), "{document}");
    assert!(!place.data_dir().exists(), "it needs no data");
}
