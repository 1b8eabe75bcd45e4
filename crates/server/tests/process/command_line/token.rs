//! `svc-mcp token`.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::Value;

use crate::support::Place;

fn claims(token: &str) -> Value {
    let parts: Vec<&str> = token.split('.').collect();
    assert_eq!(parts.len(), 3, "{token}");
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(parts[1]).expect("base64")).expect("JSON")
}

fn seconds(place: &Place, ttl: &str) -> i64 {
    claims(&place.ok(&["token", "--user", "ada", "--ttl", ttl]))["exp"].as_i64().expect("a time")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_printed_alone_and_opens_the_api() {
    for place in [Place::sqlite(), Place::postgres()] {
        place.add_brand("acme", "ada");
        let printed = place.run(&["token", "--user", "ada"]);
        assert_eq!((printed.code, printed.stderr.as_str()), (Some(0), ""), "{printed:?}");
        let token = printed.stdout.strip_suffix('\n').expect("a line");
        assert!(!token.contains(char::is_whitespace), "{printed:?}");
        assert_eq!(claims(token)["sub"], "ada");
        let as_json = place.json(&["token", "--user", "ada"]);
        let running = place.serve(&[]);
        for token in [token, as_json["token"].as_str().expect("a token")] {
            let me = running.api(token).get("/api/me").await.expect(200).json();
            assert_eq!(me["user_id"], "ada");
            assert_eq!(me["operator"], false);
            assert_eq!(me["brands"][0]["brand_id"], "acme");
            let refused = running.api(token).get("/api/admin/plans/business").await.expect(403);
            assert_eq!(refused.code(), "not_operator");
        }
        let operator = place.operator_token();
        assert_eq!(claims(&operator)["svc_role"], "operator");
        running.api(&operator).get("/api/admin/plans/business").await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_has_the_issuer_and_audience_that_are_asked_for() {
    let mut place = Place::sqlite();
    let plain = place.token("ada");
    place.set("SVC_JWT_ISSUER", "https://app.example");
    let issued = place.token("ada");
    place.set("SVC_JWT_AUDIENCE", "svc-mcp");
    let full = place.token("ada");
    assert_eq!(claims(&full)["iss"], "https://app.example");
    assert_eq!(claims(&full)["aud"], "svc-mcp");
    let running = place.serve(&[]);
    running.api(&full).get("/api/me").await.expect(200);
    for poor in [plain, issued] {
        assert_eq!(running.api(&poor).get("/api/me").await.expect(401).code(), "token_invalid");
    }
}

#[test]
fn a_span_is_a_number_and_a_unit() {
    let place = Place::sqlite();
    let hour = seconds(&place, "1h");
    let default = claims(&place.token("ada"))["exp"].as_i64().expect("a time");
    // The tokens are made one after the other, some moments apart.
    for (exp, after_an_hour) in [
        (default, 0),
        (seconds(&place, "3600s"), 0),
        (seconds(&place, "60m"), 0),
        (seconds(&place, "7d"), 7 * 86_400 - 3600),
    ] {
        let late = exp - hour - after_an_hour;
        assert!((0..60).contains(&late), "{late} seconds off");
    }
    for wrong in ["", "1", "h", "-1h", "1.5h", "1 h", "1w", "1hh", "99999999999999999999d"] {
        let said = place.misused(&["token", "--user", "ada", &format!("--ttl={wrong}")]);
        assert!(said.contains("--ttl"), "{wrong}: {said}");
    }
}

#[test]
fn a_user_must_be_named_properly() {
    let place = Place::sqlite();
    place.misused(&["token"]);
    for wrong in ["", "a b", "a/b", "ü", &"x".repeat(65)] {
        let said = place.misused(&["token", &format!("--user={wrong}")]);
        assert!(said.contains("--user"), "{wrong}: {said}");
    }
}

/// The service would not take it: better to hear of it here.
#[test]
fn no_token_is_made_with_a_secret_that_is_too_short() {
    let place = Place::sqlite().with("SVC_JWT_SECRET", "short");
    let said = place.fails(&["token", "--user", "ada"]);
    assert!(said.contains("32 bytes"), "{said}");
}

#[test]
fn no_token_is_made_on_postgresql_without_a_secret() {
    let place = Place::postgres().without("SVC_JWT_SECRET");
    let said = place.fails(&["token", "--user", "ada"]);
    assert!(said.contains("set SVC_JWT_SECRET"), "{said}");
}
