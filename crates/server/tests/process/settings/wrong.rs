//! Wrong settings: the process ends with one message that says what to do, and with an exit code.

use std::{
    fmt::Write,
    fs,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use crate::support::Sandbox;

/// The rows run a few at a time.
const THREADS: usize = 4;
const SERVE: &str = "serve --listen 127.0.0.1:0";
const EVENTS_SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const EXAMPLE_KEYS: &str = "2026:ZXhhbXBsZS1leGFtcGxlLWV4YW1wbGUtZXhhbXBsZSE=";
const EXAMPLE_SECRET: &str = "example-secret-of-at-least-thirty-two-bytes";
const POSTGRES: &str = "postgres://svc:canary@127.0.0.1:1/svc";

/// A command line with variables (`NAME=value`), and optionally the content of `svc-mcp.toml`. `DIR` is the sandbox.
struct Row(&'static str, &'static [(&'static str, &'static str)], Option<&'static str>);

const ROWS: &[Row] = &[
    // Names
    Row(SERVE, &[("SVC_REDIS_ULR", "redis://canary")], None),
    Row(SERVE, &[("SVC_DB_URL", "canary"), ("SVC_LISTN", "canary"), ("SVC_QQQQ", "canary")], None),
    Row("demo --listen 127.0.0.1:0", &[("SVC_REDIS_ULR", "canary")], None),
    Row("admin plans list", &[("SVC_REDIS_ULR", "canary")], None),
    Row("admin plans list --allow-unknown", &[("SVC_REDIS_ULR", "canary")], None),
    Row("token --user ada", &[("SVC_JWT_SECRETS", "canary")], None),
    Row("migrate", &[("SVC_DATADIR", "canary")], None),
    Row(SERVE, &[("SVC_MCP_LISTEN", "canary")], None),
    Row(SERVE, &[("SVC_LISTEN_FILE", "canary")], None),
    Row(SERVE, &[("SVC_ALLOW_UNKNOWN", "perhaps")], None),
    Row("serve --redis-ulr canary", &[], None),
    // Numbers
    Row(SERVE, &[("SVC_DATABASE_CONNECTIONS", "0")], None),
    Row(SERVE, &[("SVC_DATABASE_CONNECTIONS", "1001")], None),
    Row("admin plans list", &[("SVC_DATABASE_CONNECTIONS", "0")], None),
    Row(SERVE, &[("SVC_MAX_CONNECTIONS", "0")], None),
    Row(SERVE, &[("SVC_MAX_CONNECTIONS", "1000001")], None),
    Row(SERVE, &[("SVC_MAX_CONNECTIONS", "many")], None),
    Row(SERVE, &[("SVC_MAX_CONNECTIONS_PER_ADDRESS", "-1")], None),
    Row(SERVE, &[("SVC_MAX_CONNECTIONS_PER_ADDRESS", "1000001")], None),
    Row(SERVE, &[("SVC_MAX_REQUESTS", "0")], None),
    Row(SERVE, &[("SVC_MAX_REQUESTS", "1000001")], None),
    Row(SERVE, &[("SVC_MANAGEMENT_LIMIT", "65536")], None),
    Row(SERVE, &[("SVC_HEADER_TIMEOUT", "0")], None),
    Row(SERVE, &[("SVC_IDLE_TIMEOUT", "3601")], None),
    Row(SERVE, &[("SVC_WRITE_TIMEOUT", "30s")], None),
    Row(SERVE, &[("SVC_BODY_TIMEOUT", "NaN")], None),
    Row(SERVE, &[("SVC_SHUTDOWN_GRACE", "-1")], None),
    Row(SERVE, &[("SVC_DRAIN_DELAY", "3601")], None),
    Row(SERVE, &[("SVC_JOB_WORKERS", "257")], None),
    Row(SERVE, &[("SVC_JOB_LEASE", "0.5")], None),
    Row(SERVE, &[("SVC_JWT_JWKS_MAX_AGE", "59")], None),
    Row(SERVE, &[("SVC_JWT_JWKS_MAX_AGE", "2592001")], None),
    // Addresses and texts
    Row("serve", &[("SVC_LISTEN", "nowhere")], None),
    Row(SERVE, &[("SVC_METRICS_LISTEN", "9090")], None),
    Row(SERVE, &[("SVC_PUBLIC_URL", "acme.example")], None),
    Row(SERVE, &[("SVC_PUBLIC_URL", "https://acme.example/?a=b")], None),
    Row(SERVE, &[("SVC_LOGIN_URL", "acme.example/login")], None),
    Row(SERVE, &[("SVC_FRAME_ANCESTORS", "https://app.example,http://other.example")], None),
    Row(SERVE, &[("SVC_FRAME_ANCESTORS", "https://app.example/settings")], None),
    Row(
        SERVE,
        &[("SVC_PAGE_NAME", "a name that has more than sixty characters, which is too long for it")],
        None,
    ),
    Row(SERVE, &[("SVC_PAGE_LOGO_URL", "http://acme.example/logo.svg")], None),
    Row(SERVE, &[("SVC_PAGE_ACCENT", "blue")], None),
    Row(SERVE, &[("SVC_PAGE_BACK_URL", "acme.example")], None),
    Row(SERVE, &[("SVC_CORS_ORIGINS", "https://acme.example,https://acme.example/path")], None),
    Row(SERVE, &[("SVC_OUTBOUND_ALLOW", "http://intranet/")], None),
    Row(SERVE, &[("SVC_TRUSTED_PROXIES", "10.0.0.0/33")], None),
    Row(SERVE, &[("SVC_LOG", "inof")], None),
    Row(SERVE, &[("SVC_LOG", "svc_mpc=debug")], None),
    Row(SERVE, &[("SVC_LOG", "hyper=debug")], None),
    Row(SERVE, &[("SVC_LOG_FORMAT", "xml")], None),
    Row(SERVE, &[("SVC_JWT_OPERATOR_CLAIM", "operator")], None),
    Row("demo --listen 127.0.0.1:0", &[("SVC_DEMO_SITE_LISTEN", "nowhere")], None),
    // Stores
    Row(SERVE, &[("SVC_DATABASE_URL", "mysql://a:canary@b/c")], None),
    Row(
        SERVE,
        &[
            ("SVC_DATABASE_URL", POSTGRES),
            ("SVC_JWT_SECRET", EXAMPLE_SECRET),
            ("SVC_PUBLIC_URL", "http://localhost"),
        ],
        None,
    ),
    Row(SERVE, &[("SVC_REDIS_URL", "canary")], None),
    Row(SERVE, &[("SVC_REDIS_CA_FILE", "DIR/ca.pem")], None),
    Row(SERVE, &[("SVC_DATA_DIR", "DIR/svc-mcp.toml/data")], Some("")),
    // Secrets
    Row(SERVE, &[("SVC_JWT_SECRET", "canary")], None),
    Row(SERVE, &[("SVC_JWT_SECRET", "canary"), ("SVC_JWT_SECRET_FILE", "DIR/secret")], None),
    Row(SERVE, &[("SVC_JWT_SECRET_FILE", "DIR/no-such-file")], None),
    Row(SERVE, &[("SVC_JWT_SECRET_FILE", "DIR")], None),
    Row(SERVE, &[("SVC_REVEAL_KEYS_FILE", "DIR/svc-mcp.toml")], Some("\n")),
    Row(SERVE, &[("SVC_REVEAL_KEYS", "nonsense")], None),
    Row(SERVE, &[("SVC_JWT_SECRET", EXAMPLE_SECRET), ("SVC_PUBLIC_URL", "https://mcp.acme.example")], None),
    Row(
        "serve --listen 0.0.0.0:0",
        &[("SVC_JWT_SECRET", EXAMPLE_SECRET), ("SVC_REVEAL_KEYS", EXAMPLE_KEYS)],
        None,
    ),
    Row(SERVE, &[("SVC_JWT_SECRET", "canary"), ("SVC_JWT_JWKS_URL", "https://acme.example/jwks")], None),
    Row(SERVE, &[("SVC_JWT_JWKS_URL", "http://acme.example/jwks.json")], None),
    Row(SERVE, &[("SVC_JWT_JWKS_FILE", "DIR/no-such-file")], None),
    // OpenID Connect
    Row(SERVE, &[("SVC_OIDC_ISSUER", "https://login.example")], None),
    Row(SERVE, &[("SVC_OIDC_CLIENT_SECRET", "canary")], None),
    Row(
        SERVE,
        &[
            ("SVC_OIDC_ISSUER", "http://login.example"),
            ("SVC_OIDC_CLIENT_ID", "svc-mcp"),
            ("SVC_OIDC_CLIENT_SECRET", "canary"),
        ],
        None,
    ),
    // Mails, events, keywords
    Row(SERVE, &[("SVC_SMTP_URL", "smtp://mail.acme.example")], None),
    Row(
        SERVE,
        &[
            ("SVC_SMTP_URL", "smtp://ada:canary@mail.acme.example?tls=none"),
            ("SVC_MAIL_FROM", "a@acme.example"),
        ],
        None,
    ),
    Row(SERVE, &[("SVC_SMTP_URL", "file:DIR/mail"), ("SVC_MAIL_FROM", "nobody")], None),
    Row(SERVE, &[("SVC_EVENTS_URL", "https://canary.example/")], None),
    Row(SERVE, &[("SVC_EVENTS_URL", "http://canary.example/"), ("SVC_EVENTS_SECRET", EVENTS_SECRET)], None),
    Row(SERVE, &[("SVC_EVENTS_URL", "https://canary.example/"), ("SVC_EVENTS_SECRET", "whsec_canary")], None),
    Row(SERVE, &[("SVC_KEYWORD_PROVIDER_URL", "canary")], None),
    // Traces
    Row(SERVE, &[("OTEL_EXPORTER_OTLP_ENDPOINT", "canary:4318")], None),
    Row(
        SERVE,
        &[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://ada:canary@collector.example/v1/traces")],
        None,
    ),
    Row(
        SERVE,
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization: canary"),
        ],
        None,
    ),
    Row(
        SERVE,
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=canary%0d%0a"),
        ],
        None,
    ),
    Row(SERVE, &[("OTEL_EXPORTER_OTLP_TIMEOUT", "10s")], None),
    Row(SERVE, &[("OTEL_EXPORTER_OTLP_TIMEOUT", "60001")], None),
    Row(SERVE, &[("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")], None),
    Row(SERVE, &[("OTEL_RESOURCE_ATTRIBUTES", "production")], None),
    Row(SERVE, &[("OTEL_TRACES_SAMPLER", "sometimes")], None),
    Row(SERVE, &[("OTEL_TRACES_SAMPLER_ARG", "1.1")], None),
    Row(SERVE, &[("OTEL_SDK_DISABLED", "perhaps")], None),
    Row("serve --config DIR/svc-mcp.toml", &[], Some("otel_exporter_otlp_endpont = 'canary'\n")),
    // The configuration file
    Row(SERVE, &[("SVC_CONFIG", "DIR/no-such-file.toml")], None),
    Row(
        "serve --config DIR/svc-mcp.toml",
        &[],
        Some("redis_ulr = 'canary'\nlisten = '127.0.0.1:0'\nSVC_LOG = 'info'\n"),
    ),
    Row("serve --config DIR/svc-mcp.toml", &[], Some("listen = '127.0.0.1:0'\njwt_secret = 'canary\n")),
    Row("serve --config DIR/svc-mcp.toml", &[], Some("listen = ['127.0.0.1:0']\n[jwt]\nsecret = 'canary'\n")),
    Row("serve --config DIR/svc-mcp.toml", &[], Some("listen = '127.0.0.1:0'\nmax_requests = 0\n")),
    Row(
        "serve --config DIR/svc-mcp.toml",
        &[],
        Some("jwt_secret = 'canary'\njwt_secret_file = 'DIR/secret'\n"),
    ),
    Row("admin --config DIR/svc-mcp.toml plans list", &[], Some("data_dirs = 'canary'\n")),
    Row(
        "serve --config DIR/svc-mcp.toml",
        &[("SVC_JWT_JWKS_FILE", "DIR/jwks.json")],
        Some("jwt_secret = 'canary'\n"),
    ),
];

/// The command, its exit code and its message.
fn describe(row: &Row) -> String {
    let Row(arguments, variables, file) = row;
    let mut sandbox = Sandbox::sqlite();
    let dir = sandbox.root().to_string_lossy().into_owned();
    let path = sandbox.path("svc-mcp.toml");
    if let Some(content) = file {
        fs::write(&path, content.replace("DIR", &dir)).expect("the file is written");
    }
    for (name, value) in *variables {
        sandbox.set(name, &value.replace("DIR", &dir));
    }
    let arguments: Vec<String> = arguments.split(' ').map(|argument| argument.replace("DIR", &dir)).collect();
    let output = sandbox.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.stdout, "", "{arguments:?}");
    // Lines of the log come before the message.
    let message: Vec<&str> = output.stderr.lines().filter(|line| !line.starts_with('{')).collect();
    let message = message.join("\n");
    assert!(!message.contains("canary"), "a value that may be a secret is in the message: {message}");
    let mut text = String::new();
    for (name, value) in *variables {
        let _ = write!(text, "{name}={value} ");
    }
    let _ = writeln!(text, "svc-mcp {}", row.0);
    if let Some(file) = file {
        let _ = writeln!(text, "svc-mcp.toml: {file:?}");
    }
    let code = output.code.map_or("a signal".to_owned(), |code| code.to_string());
    let _ = writeln!(text, "exit code {code}\n{}", message.replace(&dir, "DIR"));
    text
}

#[test]
fn wrong_setting_ends_the_process_with_a_message() {
    assert!(ROWS.len() >= 40);
    let next = AtomicUsize::new(0);
    let mut rows: Vec<(usize, String)> = thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::SeqCst);
                let Some(row) = ROWS.get(at) else { return done };
                done.push((at, describe(row)));
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("every row runs")).collect()
    });
    rows.sort();
    let text: Vec<String> = rows.into_iter().map(|(_, text)| text).collect();
    for text in &text {
        assert!(text.contains("exit code 1\nerror: ") || text.contains("exit code 2\nerror: "), "{text}");
    }
    insta::assert_snapshot!(text.join("\n"));
}

/// The range in the help is the range that is enforced (see the rows above).
#[test]
fn help_states_the_range_of_every_number() {
    let page = Sandbox::sqlite().run_ok(&["serve", "--help"]);
    let words: Vec<&str> = page.split_whitespace().collect();
    let page = words.join(" ");
    for (flag, range) in [
        ("--database-connections", "2 to 1000"),
        ("--max-connections", "1 to 1000000"),
        ("--max-connections-per-address", "0 to 1000000"),
        ("--max-requests", "1 to 1000000"),
        ("--management-limit", "0 to 65535"),
        ("--header-timeout", "0.1 to 3600"),
        ("--idle-timeout", "0.1 to 3600"),
        ("--write-timeout", "0.1 to 3600"),
        ("--body-timeout", "0.1 to 3600"),
        ("--shutdown-grace", "0 to 3600"),
        ("--drain-delay", "0 to 3600"),
        ("--job-workers", "0 to 256"),
        ("--job-lease", "1 to 86400"),
        ("--jwt-jwks-max-age", "60 to 2592000"),
        ("--otel-exporter-otlp-timeout", "100 to 60000"),
    ] {
        let from = page.find(&format!("{flag} <")).expect(flag);
        let text = &page[from..];
        let end = text[2..].find(" --").map_or(text.len(), |end| end + 2);
        assert!(text[..end].contains(range), "{flag} does not state {range}: {}", &text[..end]);
    }
    let numbers = words.iter().filter(|word| matches!(**word, "<N>" | "<SECONDS>")).count();
    assert_eq!(numbers, 15, "a number is missing in this test: {page}");
}
