//! The help pages.

use crate::support::Sandbox;

/// All commands.
const COMMANDS: [&[&str]; 45] = [
    &["demo"],
    &["serve"],
    &["migrate"],
    &["backup"],
    &["restore"],
    &["openapi"],
    &["token"],
    &["admin", "plans", "list"],
    &["admin", "plans", "set"],
    &["admin", "plans", "show"],
    &["admin", "brands", "list"],
    &["admin", "brands", "set"],
    &["admin", "brands", "suspend"],
    &["admin", "brands", "resume"],
    &["admin", "brands", "revoke-keys"],
    &["admin", "brands", "export"],
    &["admin", "brands", "import"],
    &["admin", "brands", "erase"],
    &["admin", "members", "list"],
    &["admin", "members", "set"],
    &["admin", "members", "remove"],
    &["admin", "users", "list"],
    &["admin", "users", "brands"],
    &["admin", "users", "erase"],
    &["admin", "users", "end-sessions"],
    &["admin", "users", "revoke-keys"],
    &["admin", "keys", "list"],
    &["admin", "keys", "find"],
    &["admin", "keys", "revoke"],
    &["admin", "jobs", "list"],
    &["admin", "jobs", "retry"],
    &["admin", "jobs", "cancel"],
    &["admin", "jobs", "hold"],
    &["admin", "jobs", "resume"],
    &["admin", "events", "list"],
    &["admin", "events", "resend"],
    &["admin", "posts", "list"],
    &["admin", "approvals", "list"],
    &["admin", "audit", "list"],
    &["admin", "audit", "export"],
    &["admin", "audit", "verify"],
    &["admin", "activity", "export"],
    &["admin", "reveal-keys", "rewrap"],
    &["completions"],
    &["man"],
];
/// They use no settings.
const WITHOUT_SETTINGS: [&str; 3] = ["openapi", "completions", "man"];

const STORE: [(&str, &str); 6] = [
    ("--data-dir", "SVC_DATA_DIR"),
    ("--database-url", "SVC_DATABASE_URL"),
    ("--database-connections", "SVC_DATABASE_CONNECTIONS"),
    ("--redis-url", "SVC_REDIS_URL"),
    ("--redis-ca-file", "SVC_REDIS_CA_FILE"),
    ("--reveal-keys", "SVC_REVEAL_KEYS"),
];
const JWT: [(&str, &str); 7] = [
    ("--jwt-secret", "SVC_JWT_SECRET"),
    ("--jwt-jwks-url", "SVC_JWT_JWKS_URL"),
    ("--jwt-jwks-file", "SVC_JWT_JWKS_FILE"),
    ("--jwt-jwks-max-age", "SVC_JWT_JWKS_MAX_AGE"),
    ("--jwt-issuer", "SVC_JWT_ISSUER"),
    ("--jwt-audience", "SVC_JWT_AUDIENCE"),
    ("--jwt-operator-claim", "SVC_JWT_OPERATOR_CLAIM"),
];
const SERVE: [(&str, &str); 19] = [
    ("--listen", "SVC_LISTEN"),
    ("--metrics-listen", "SVC_METRICS_LISTEN"),
    ("--public-url", "SVC_PUBLIC_URL"),
    ("--cors-origins", "SVC_CORS_ORIGINS"),
    ("--log", "SVC_LOG"),
    ("--log-format", "SVC_LOG_FORMAT"),
    ("--access-log", "SVC_ACCESS_LOG"),
    ("--max-connections", "SVC_MAX_CONNECTIONS"),
    ("--max-connections-per-address", "SVC_MAX_CONNECTIONS_PER_ADDRESS"),
    ("--max-requests", "SVC_MAX_REQUESTS"),
    ("--management-limit", "SVC_MANAGEMENT_LIMIT"),
    ("--header-timeout", "SVC_HEADER_TIMEOUT"),
    ("--idle-timeout", "SVC_IDLE_TIMEOUT"),
    ("--write-timeout", "SVC_WRITE_TIMEOUT"),
    ("--body-timeout", "SVC_BODY_TIMEOUT"),
    ("--shutdown-grace", "SVC_SHUTDOWN_GRACE"),
    ("--drain-delay", "SVC_DRAIN_DELAY"),
    ("--events-url", "SVC_EVENTS_URL"),
    ("--events-secret", "SVC_EVENTS_SECRET"),
];

/// The help page of a command in one line.
fn help(command: &[&str]) -> String {
    let page = Sandbox::sqlite().run_ok(&[command, &["--help"]].concat());
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn assert_lists(command: &[&str], settings: &[(&str, &str)]) {
    let page = help(command);
    for (flag, variable) in settings {
        let names = [format!("[env: {variable}]"), format!("[env: {variable}=")];
        assert!(page.contains(&format!("{flag} <")), "{command:?} does not list {flag}: {page}");
        assert!(names.iter().any(|name| page.contains(name)), "{command:?} does not name {variable}: {page}");
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
    for command in COMMANDS.iter().filter(|command| !WITHOUT_SETTINGS.contains(&command[0])) {
        assert_lists(command, &STORE);
    }
}

#[test]
fn every_command_has_a_json_flag() {
    // The result of `completions` is a script.
    for command in COMMANDS.iter().filter(|command| command[0] != "completions") {
        let page = help(command);
        assert!(page.contains(" --json "), "{command:?} has no --json: {page}");
    }
}

#[test]
fn every_admin_command_can_create_the_database() {
    for command in COMMANDS.iter().filter(|command| command[0] == "admin") {
        assert!(help(command).contains(" --init "), "{command:?} has no --init");
    }
}

#[test]
fn flags_of_each_command_are_listed() {
    for (command, flags) in [
        (["token"].as_slice(), ["--user <", "--operator", "--ttl <"].as_slice()),
        (&["serve"], &["--check", "--config <", "--allow-unknown"]),
        (&["completions"], &["<SHELL>"]),
        (&["man"], &["<DIR>"]),
        (&["backup"], &["<DIR>", "--with-secrets"]),
        (&["restore"], &["<DIR>", "--replace"]),
        (&["admin", "jobs", "resume"], &["--cancel-due-before-hold"]),
        (&["admin", "plan", "set"], &["<PLAN>", "--name <", "--mcp <"]),
        (&["admin", "brand", "set"], &["<BRAND>", "--name <", "--plan <", "--website <"]),
        (&["admin", "member", "set"], &["<BRAND>", "<USER>", "--role <", "--name <", "--email <"]),
        (&["admin", "member", "remove"], &["<BRAND>", "<USER>"]),
        (
            &["admin", "keys", "list"],
            &["[BRAND]", "--include-revoked", "--prefix <", "--user <", "--status <"],
        ),
        (&["admin", "brands", "list"], &["--q <", "--plan <", "--status <", "--limit <"]),
        (&["admin", "brands", "suspend"], &["<BRAND>", "--reason <"]),
        (&["admin", "jobs", "list"], &["--status <", "--brand <", "--kind <"]),
        (&["admin", "events", "list"], &["--status <", "--brand <", "--endpoint <"]),
        (&["admin", "events", "resend"], &["<DELIVERY>"]),
        (&["admin", "keys", "revoke"], &["<BRAND>", "<KEY>"]),
        (&["admin", "audit", "list"], &["--since <", "--until <", "--brand <", "--actor <", "--action <"]),
        (&["admin", "audit", "export"], &["--since <"]),
        (&["admin", "audit", "verify"], &["--head <", "--export <"]),
    ] {
        let page = help(command);
        for flag in flags {
            assert!(page.contains(flag), "{command:?} does not list {flag}: {page}");
        }
    }
}

#[test]
fn commands_are_listed_without_arguments() {
    let output = Sandbox::sqlite().run(&[]);
    assert_eq!(output.code, Some(2), "{output:?}");
    for command in
        ["demo", "serve", "migrate", "backup", "restore", "openapi", "token", "admin", "completions", "man"]
    {
        assert!(
            output.stderr.lines().any(|line| line.trim_start().starts_with(command)),
            "{command}: {output:?}"
        );
    }
    let version = Sandbox::sqlite().run_ok(&["--version"]);
    assert_eq!(version, format!("svc-mcp {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn unknown_command_or_flag_is_a_usage_error() {
    let sandbox = Sandbox::sqlite();
    for wrong in
        [["nonsense"].as_slice(), &["serve", "--nonsense"], &["admin", "nonsense"], &["openapi", "extra"]]
    {
        sandbox.expect_usage_error(wrong);
    }
    assert!(!sandbox.data_dir().exists(), "no data directory is created");
}

/// Help pages are pasted into bug reports.
#[test]
fn help_does_not_show_secrets_from_the_environment() {
    let secret = "canary-canary-canary-canary-canary-canary";
    let sandbox = Sandbox::sqlite()
        .with("SVC_JWT_SECRET", secret)
        .with("SVC_REVEAL_KEYS", secret)
        .with("SVC_DATABASE_URL", secret)
        .with("SVC_REDIS_URL", secret)
        .with("SVC_EVENTS_URL", secret)
        .with("SVC_EVENTS_SECRET", secret);
    for command in COMMANDS {
        let page = sandbox.run_ok(&[command, &["--help"]].concat());
        assert!(!page.contains("canary"), "{command:?}: {page}");
    }
}

#[test]
fn openapi_prints_the_api_document() {
    let sandbox = Sandbox::sqlite();
    let document: serde_json::Value = serde_json::from_str(&sandbox.run_ok(&["openapi"])).expect("JSON");
    assert_eq!(document["openapi"].as_str().map(|version| &version[..3]), Some("3.1"), "{document}");
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(document["paths"]["/mcp/v1/tools"]["get"].is_object(), "{document}");
    assert!(!sandbox.data_dir().exists(), "no data directory is created");
}
