//! Flags win over variables, and variables win over the configuration file.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::Value;

use crate::support::{Sandbox, Service};

const SECRETS: [&str; 3] = [
    "the-first-secret-that-is-long-enough-for-hs256",
    "the-second-secret-that-is-long-enough-for-hs256",
    "the-third-secret-that-is-long-enough-for-hs256",
];

fn public_url(service: &Service) -> String {
    let log = service.log();
    let mut lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let settings = lines.find(|line| line["message"] == "settings").expect("the settings are logged");
    settings["public_url"].as_str().expect("a text").to_owned()
}

fn write(sandbox: &Sandbox, name: &str, content: &str) -> String {
    let path = sandbox.path(name);
    fs::write(&path, content).expect("the file is written");
    path.to_string_lossy().into_owned()
}

#[test]
fn flags_win_over_variables_and_variables_over_the_file() {
    let mut sandbox = Sandbox::sqlite();
    let file = write(&sandbox, "svc-mcp.toml", "public_url = 'https://file.example'\nmax_requests = 9\n");
    sandbox.set("SVC_CONFIG", &file);
    assert_eq!(public_url(&sandbox.serve(&[])), "https://file.example");
    sandbox.set("SVC_PUBLIC_URL", "https://variable.example");
    assert_eq!(public_url(&sandbox.serve(&[])), "https://variable.example");
    let flag = ["--public-url", "https://flag.example"];
    assert_eq!(public_url(&sandbox.serve(&flag)), "https://flag.example");
    // An empty variable is an unset one.
    sandbox.set("SVC_PUBLIC_URL", "");
    sandbox.set("SVC_REDIS_URL", "");
    sandbox.set("SVC_MAX_CONNECTIONS", "");
    assert_eq!(public_url(&sandbox.serve(&[])), "https://file.example");
    // The flag wins over the variable that names the file, too.
    let other = write(&sandbox, "other.toml", "public_url = 'https://other.example'\n");
    assert_eq!(public_url(&sandbox.serve(&["--config", &other])), "https://other.example");
}

/// The token says which secret was used: only the same one verifies it.
#[tokio::test(flavor = "multi_thread")]
async fn secrets_come_from_files() {
    let sandbox = Sandbox::sqlite().without("SVC_LOG_FORMAT");
    let [first, second, third] = SECRETS;
    let in_variable = |sandbox: Sandbox, secret: &str| sandbox.with("SVC_JWT_SECRET", secret).token("ada");
    let tokens = [first, second, third].map(|secret| in_variable(Sandbox::sqlite(), secret));
    let paths =
        [("first", format!("{first}\n")), ("second", second.to_owned()), ("third", format!("{third}\r\n"))]
            .map(|(name, content)| write(&sandbox, name, &content));
    let config =
        write(&sandbox, "svc-mcp.toml", &format!("jwt_secret_file = '{}'\nlog_format = 'json'\n", paths[2]));
    let accepts = async |sandbox: &Sandbox, arguments: &[&str], expected: usize| {
        let service = sandbox.serve(arguments);
        for (at, token) in tokens.iter().enumerate() {
            let status = if at == expected { 200 } else { 401 };
            service.api(token).get("/api/me").await.expect_status(status);
        }
    };
    let mut sandbox = sandbox.with("SVC_CONFIG", &config);
    accepts(&sandbox, &[], 2).await;
    sandbox.set("SVC_JWT_SECRET_FILE", &paths[0]);
    accepts(&sandbox, &[], 0).await;
    accepts(&sandbox, &["--jwt-secret", second], 1).await;
    // A secret of the service need not be readable for a command that does not use it.
    let path = sandbox.path("no-such-file").to_string_lossy().into_owned();
    sandbox.set("SVC_JWT_SECRET_FILE", &path);
    sandbox.run_ok(&["admin", "plans", "list", "--init"]);
    assert!(sandbox.expect_usage_error(&["token", "--user", "ada"]).contains(&path));
    sandbox.run_ok(&["token", "--user", "ada", "--jwt-secret", second]);
}

/// The help lists a file for each secret, and each is accepted.
#[test]
fn every_secret_can_be_in_a_file() {
    let page = Sandbox::sqlite().run_ok(&["serve", "--help"]);
    for secret in [
        "SVC_DATABASE_URL",
        "SVC_REDIS_URL",
        "SVC_REVEAL_KEYS",
        "SVC_JWT_SECRET",
        "SVC_OIDC_CLIENT_SECRET",
        "SVC_SMTP_URL",
        "SVC_EVENTS_URL",
        "SVC_EVENTS_SECRET",
        "SVC_KEYWORD_PROVIDER_URL",
        "SVC_KEYWORD_PROVIDER_TOKEN",
    ] {
        assert!(page.contains(&format!("{secret}_FILE")), "{secret}: {page}");
        let sandbox = Sandbox::sqlite();
        let missing = sandbox.path("missing").to_string_lossy().into_owned();
        let sandbox = sandbox.with(&format!("{secret}_FILE"), &missing);
        let message = sandbox.expect_usage_error(&["serve"]);
        assert!(message.contains(&missing) && message.contains(&format!("{secret}_FILE")), "{message}");
    }
}

#[test]
fn lists_and_numbers_of_the_file_are_read() {
    let sandbox = Sandbox::sqlite();
    let content = "trusted_proxies = ['10.0.0.1', '10.1.0.0/16']\ncors_origins = 'https://a.example,https://b.example'\n\
        idle_timeout = 7.5\njob_workers = 0\nlog = ''\noutbound_allow = []\nlisten = '127.0.0.1:0'\n";
    let file = write(&sandbox, "svc-mcp.toml", content);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).expect("the mode is set");
    let log = sandbox.serve(&["--config", &file]).stop();
    assert!(log.contains("job workers"), "{log}");
    // Commands that do not know all of these settings read the same file.
    sandbox.run_ok(&["admin", "plans", "list", "--config", &file]);
}

/// Kubernetes, the bridge and the tests have variables with the same prefix.
#[test]
fn variables_of_others_are_ignored() {
    let mut sandbox = Sandbox::sqlite();
    for (name, value) in [
        ("SVC_API_URL", "http://127.0.0.1:8080"),
        ("SVC_MCP_KEY", "svc_mcp_x"),
        ("SVC_MCP_READ_ONLY", "1"),
        ("SVC_ALLOW_HTTP", "1"),
        ("SVC_URL", "http://127.0.0.1:8080"),
        ("SVC_TEST_SEED", "1"),
        ("SVC_MCP_SERVICE_HOST", "10.0.0.1"),
        ("SVC_MCP_SERVICE_PORT_HTTP", "80"),
        ("SVC_MCP_PORT", "tcp://10.0.0.1:80"),
        ("SVC_MCP_PORT_80_TCP_ADDR", "10.0.0.1"),
    ] {
        sandbox.set(name, value);
    }
    sandbox.run_ok(&["admin", "plans", "list", "--init"]);
    sandbox.set("SVC_REDIS_ULR", "redis://127.0.0.1");
    sandbox.expect_usage_error(&["admin", "plans", "list"]);
    sandbox.run_ok(&["admin", "plans", "list", "--allow-unknown"]);
    sandbox.set("SVC_ALLOW_UNKNOWN", "1");
    sandbox.run_ok(&["admin", "plans", "list"]);
    // Commands without settings, and the help, work with any environment.
    sandbox.set("SVC_ALLOW_UNKNOWN", "0");
    sandbox.run_ok(&["openapi"]);
    sandbox.run_ok(&["serve", "--help"]);
}
