//! `svc-mcp token`.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::Value;

use crate::support::Sandbox;

fn claims(token: &str) -> Value {
    let parts: Vec<&str> = token.split('.').collect();
    assert_eq!(parts.len(), 3, "{token}");
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(parts[1]).expect("base64")).expect("JSON")
}

fn expiry(sandbox: &Sandbox, ttl: &str) -> i64 {
    claims(&sandbox.run_ok(&["token", "--user", "ada", "--ttl", ttl]))["exp"].as_i64().expect("a time")
}

#[tokio::test(flavor = "multi_thread")]
async fn token_is_printed_and_accepted_by_the_api() {
    for sandbox in [Sandbox::sqlite(), Sandbox::postgres()] {
        sandbox.add_brand("acme", "ada");
        let printed = sandbox.run(&["token", "--user", "ada"]);
        assert_eq!((printed.code, printed.stderr.as_str()), (Some(0), ""), "{printed:?}");
        let token = printed.stdout.strip_suffix('\n').expect("a line");
        assert!(!token.contains(char::is_whitespace), "{printed:?}");
        assert_eq!(claims(token)["sub"], "ada");
        let with_json_body = sandbox.json(&["token", "--user", "ada"]);
        let service = sandbox.serve(&[]);
        for token in [token, with_json_body["token"].as_str().expect("a token")] {
            let me = service.api(token).get("/api/me").await.expect_status(200).json();
            assert_eq!(me["user_id"], "ada");
            assert_eq!(me["operator"], false);
            assert_eq!(me["brands"][0]["brand_id"], "acme");
            let refused = service.api(token).get("/api/admin/plans/business").await.expect_status(403);
            assert_eq!(refused.code(), "not_operator");
        }
        let operator = sandbox.operator_token();
        assert_eq!(claims(&operator)["svc_role"], "operator");
        service.api(&operator).get("/api/admin/plans/business").await.expect_status(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn token_has_the_configured_issuer_and_audience() {
    let mut sandbox = Sandbox::sqlite();
    let plain = sandbox.token("ada");
    sandbox.set("SVC_JWT_ISSUER", "https://app.example");
    let issued = sandbox.token("ada");
    sandbox.set("SVC_JWT_AUDIENCE", "svc-mcp");
    let full = sandbox.token("ada");
    assert_eq!(claims(&full)["iss"], "https://app.example");
    assert_eq!(claims(&full)["aud"], "svc-mcp");
    let service = sandbox.serve(&[]);
    service.api(&full).get("/api/me").await.expect_status(200);
    for incomplete in [plain, issued] {
        assert_eq!(service.api(&incomplete).get("/api/me").await.expect_status(401).code(), "token_invalid");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn token_has_the_configured_operator_claim() {
    let mut sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let other = sandbox.operator_token();
    sandbox.set("SVC_JWT_OPERATOR_CLAIM", "realm_access.roles=svc-operator");
    let operator = sandbox.operator_token();
    assert_eq!(claims(&operator)["realm_access"]["roles"], "svc-operator");
    let service = sandbox.serve(&[]);
    service.api(&operator).get("/api/admin/plans/business").await.expect_status(200);
    let refused = service.api(&other).get("/api/admin/plans/business").await.expect_status(403);
    assert_eq!(refused.code(), "not_operator");
}

#[test]
fn wrong_operator_claim_is_refused_at_the_start() {
    for (setting, what) in [
        ("operator", "must be CLAIM=VALUE"),
        ("svc_role=", "must be CLAIM=VALUE"),
        ("realm_access..roles=operator", "empty name"),
        ("/a~2=operator", "JSON pointer"),
        ("sub=ada", "meaning of their own"),
    ] {
        let sandbox = Sandbox::sqlite().with("SVC_JWT_OPERATOR_CLAIM", setting);
        let message = sandbox.expect_usage_error(&["serve", "--listen", "127.0.0.1:0"]);
        assert!(message.contains("--jwt-operator-claim") && message.contains(what), "{setting}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_token_is_logged_with_its_reason_and_request_id() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let service = sandbox.serve(&[]);
    let token = sandbox.token("ada");
    let (message, signature) = token.rsplit_once('.').expect("a signature");
    let forged = format!("{message}.{}", signature.chars().rev().collect::<String>());
    let refused = service.api(&forged).get("/api/me").await.expect_status(401).json();
    assert_eq!(refused["reason"], "signature", "{refused}");
    let request_id = refused["request_id"].as_str().expect("an id").to_owned();
    for _ in 0..100 {
        service.api("xyz").get("/api/me").await.expect_status(401);
    }
    let log = service.stop();
    let lines: Vec<&str> =
        log.lines().filter(|line| line.contains("an application token was refused")).collect();
    let line = lines.iter().find(|line| line.contains(&request_id)).expect("a line with the request id");
    assert!(line.contains("signature") && line.contains("/api/me"), "{line}");
    let signature = forged.rsplit('.').next().expect("a signature");
    assert!(!log.contains(signature) && !log.contains(&forged), "the log has the token");
    assert_eq!(lines.len(), 60, "nobody can fill the log");
}

#[test]
fn ttl_is_a_number_and_a_unit() {
    let sandbox = Sandbox::sqlite();
    let hour = expiry(&sandbox, "1h");
    let default = claims(&sandbox.token("ada"))["exp"].as_i64().expect("a time");
    // The tokens are created one after the other. Each start of the binary takes time.
    for (exp, after_an_hour) in [
        (default, 0),
        (expiry(&sandbox, "3600s"), 0),
        (expiry(&sandbox, "60m"), 0),
        (expiry(&sandbox, "7d"), 7 * 86_400 - 3600),
    ] {
        let late = exp - hour - after_an_hour;
        assert!((0..600).contains(&late), "{late} seconds off");
    }
    for wrong in ["", "1", "h", "-1h", "1.5h", "1 h", "1w", "1hh", "99999999999999999999d"] {
        let message = sandbox.expect_usage_error(&["token", "--user", "ada", &format!("--ttl={wrong}")]);
        assert!(message.contains("--ttl"), "{wrong}: {message}");
    }
}

#[test]
fn invalid_user_id_is_refused() {
    let sandbox = Sandbox::sqlite();
    sandbox.expect_usage_error(&["token"]);
    for wrong in ["", "a b", "a\nb", "..", "a\u{200b}b", &"x".repeat(256)] {
        let message = sandbox.expect_usage_error(&["token", &format!("--user={wrong}")]);
        assert!(message.contains("--user"), "{wrong}: {message}");
    }
}

#[test]
fn short_secret_is_refused() {
    let sandbox = Sandbox::sqlite().with("SVC_JWT_SECRET", "short");
    let message = sandbox.expect_failure(&["token", "--user", "ada"]);
    assert!(message.contains("32 bytes"), "{message}");
}

#[test]
fn postgresql_needs_a_secret() {
    let sandbox = Sandbox::postgres().without("SVC_JWT_SECRET");
    let message = sandbox.expect_failure(&["token", "--user", "ada"]);
    assert!(message.contains("set SVC_JWT_SECRET"), "{message}");
}
