//! Which claims and signatures are accepted, and the reason of a refusal.

use serde_json::{Value, json};

use super::{LATER, Signer, claims, refusal, shared, status, with_arguments};

#[tokio::test]
async fn shared_secret_accepts_only_hs256() {
    let app = with_arguments(Vec::new(), false).await;
    let hs256 = json!({"alg": "HS256", "typ": "JWT"});
    assert_eq!(status(&app, &shared().token(hs256.clone(), claims())).await, 200);
    for alg in ["HS384", "HS512", "none", "RS256", "hs256", ""] {
        assert_eq!(status(&app, &shared().token(json!({"alg": alg}), claims())).await, 401, "{alg}");
    }
    assert_eq!(status(&app, &Signer::Nothing.token(json!({"alg": "none"}), claims())).await, 401);
    assert_eq!(status(&app, &Signer::Nothing.token(hs256.clone(), claims())).await, 401);
    assert_eq!(
        status(&app, &Signer::Hmac(b"another secret, also long enough".to_vec()).token(hs256, claims()))
            .await,
        401
    );
}

#[tokio::test]
async fn required_claims_and_times_are_checked() {
    let app = with_arguments(Vec::new(), false).await;
    let begin = LATER - 3600;
    let hs256 = || json!({"alg": "HS256"});
    for (claims, expected) in [
        (json!({"sub": "ada"}), 401),
        (json!({"exp": LATER}), 401),
        (json!({"sub": "", "exp": LATER}), 401),
        (json!({"sub": "a b", "exp": LATER}), 401),
        (json!({"sub": 7, "exp": LATER}), 401),
        (json!({"sub": "ada", "exp": "soon"}), 401),
        (json!({"sub": "ada", "exp": begin - 30}), 401),
        (json!({"sub": "ada", "exp": begin - 29}), 200),
        (json!({"sub": "ada", "exp": LATER, "nbf": begin + 31}), 401),
        (json!({"sub": "ada", "exp": LATER, "nbf": begin + 30}), 200),
        (json!({"sub": "ada", "exp": i64::MAX}), 200),
        (json!({"sub": "ada", "exp": LATER, "iss": "anyone", "aud": "anything"}), 200),
        (json!([]), 401),
    ] {
        assert_eq!(status(&app, &shared().token(hs256(), claims.clone())).await, expected, "{claims}");
    }
    let long = json!({"sub": "ada", "exp": LATER, "padding": "x".repeat(9000)});
    assert_eq!(status(&app, &shared().token(hs256(), long)).await, 401);
    for garbage in ["", ".", "..", "a.b.c", "ey.ey.ey"] {
        assert_eq!(status(&app, garbage).await, 401, "{garbage}");
    }
}

#[tokio::test]
async fn refused_token_says_which_check_failed_and_what_to_do() {
    let arguments = vec!["--jwt-issuer=https://app.example".into(), "--jwt-audience=svc".into()];
    let app = with_arguments(arguments, false).await;
    let begin = LATER - 3600;
    let token = |changes: Value| {
        let mut claims = json!({"sub": "ada", "exp": LATER, "iss": "https://app.example", "aud": "svc"});
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        claims
    };
    let signed = |changes: Value| shared().token(json!({"alg": "HS256"}), token(changes));
    app.get("/api/me").bearer(&signed(json!({}))).send().await.expect_status(200);
    let other_secret = Signer::Hmac(b"another secret, also long enough".to_vec());
    let long = "x".repeat(9000);
    let with_signature = |signature: &str| {
        let valid = signed(json!({}));
        format!("{}.{signature}", valid.rsplit_once('.').unwrap().0)
    };
    for (token, reason, advice) in [
        // Cut off, not base64, and base64 whose last character has bits of no byte.
        (with_signature(""), "signature", "Get a new token"),
        (with_signature("AAAA"), "signature", "Get a new token"),
        (with_signature("!"), "signature", "Get a new token"),
        (with_signature(&"B".repeat(43)), "signature", "Get a new token"),
        ("xyz".to_owned(), "malformed", "Get a token from the application"),
        ("a.b.c".to_owned(), "malformed", "Get a token from the application"),
        (Signer::Nothing.token(json!({"alg": "none"}), token(json!({}))), "malformed", "not a signed JWT"),
        (signed(json!({"padding": long})), "malformed", "8 KiB"),
        ("svc_mcp_not_a_token".to_owned(), "malformed", "An MCP key is not accepted here"),
        (other_secret.token(json!({"alg": "HS256"}), token(json!({}))), "signature", "Get a new token"),
        (shared().token(json!({"alg": "HS384"}), token(json!({}))), "signature", "its algorithm"),
        // The signature comes first: the claims of a forged token are not read.
        (
            other_secret.token(json!({"alg": "HS256"}), token(json!({"exp": 1}))),
            "signature",
            "tell the operator",
        ),
        (signed(json!({"exp": null})), "claims", "A token needs `exp`"),
        (signed(json!({"exp": "soon"})), "claims", "A token needs `exp`"),
        (signed(json!({"sub": null})), "claims", "`sub`"),
        (signed(json!({"sub": "a b"})), "claims", "visible characters"),
        (shared().token(json!({"alg": "HS256"}), json!([])), "claims", "Ask the operator of the application"),
        (signed(json!({"iss": "https://evil.example"})), "issuer", "`iss`"),
        (signed(json!({"iss": null})), "issuer", "Get a token from the application"),
        (signed(json!({"aud": "other"})), "audience", "`aud`"),
        (signed(json!({"aud": ["other"]})), "audience", "Get a token that was issued for it"),
        (signed(json!({"aud": null})), "audience", "`aud`"),
        (signed(json!({"exp": begin - 30})), "expired", "Sign in to the application again"),
        (signed(json!({"nbf": begin + 31})), "not_yet_valid", "Try again at that time"),
    ] {
        let (found, detail) = refusal(&app, &token).await;
        assert_eq!(found, reason, "{detail}");
        assert!(detail.contains(advice), "{reason}: {detail}");
    }
    // A header that is no bearer token.
    for header in ["Basic YWRhOnNlY3JldA==", "Bearer", "token"] {
        let reply = app.get("/api/me").header("authorization", header).send().await;
        assert_eq!(reply.expect_problem(401, "token_invalid").body["reason"], "malformed", "{header}");
    }
}

#[tokio::test]
async fn token_of_an_unpublished_key_is_refused_as_such() {
    let (known, other) = (Signer::ed(), Signer::ed());
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("jwks.json");
    std::fs::write(&file, json!({"keys": [known.jwk("one"), other.jwk("two")]}).to_string()).unwrap();
    let app = with_arguments(vec![format!("--jwt-jwks-file={}", file.display())], true).await;
    let with = |header: Value| known.token(header, claims());
    assert_eq!(status(&app, &with(json!({"alg": "EdDSA", "kid": "one"}))).await, 200);
    for header in [json!({"alg": "EdDSA", "kid": "three"}), json!({"alg": "EdDSA"})] {
        let (reason, detail) = refusal(&app, &with(header)).await;
        assert_eq!(reason, "key_unknown");
        assert!(detail.contains("`kid`") && detail.contains("Get a new token"), "{detail}");
    }
    for header in [json!({"alg": "EdDSA", "kid": "two"}), json!({"alg": "ES256", "kid": "one"})] {
        assert_eq!(refusal(&app, &with(header.clone())).await.0, "signature", "{header}");
    }
}

#[tokio::test]
async fn operator_claim_is_configured() {
    for (setting, operator, others) in [
        (
            "realm_access.roles=svc-operator",
            json!({"realm_access": {"roles": ["user", "svc-operator"]}}),
            vec![
                json!({"svc_role": "operator"}),
                json!({"realm_access": {"roles": ["operator"]}}),
                json!({"realm_access": {"roles": "user svc-operator"}}),
                json!({"realm_access.roles": "svc-operator"}),
            ],
        ),
        (
            "https://example.com/roles=operator",
            json!({"https://example.com/roles": "operator"}),
            vec![json!({"https://example": {"com/roles": "operator"}}), json!({"roles": "operator"})],
        ),
        (
            "/my.claim/a~1b=operator",
            json!({"my.claim": {"a/b": ["operator"]}}),
            vec![json!({"my": {"claim": {"a/b": "operator"}}})],
        ),
    ] {
        let app = with_arguments(vec![format!("--jwt-operator-claim={setting}")], false).await;
        let signed = |more: &Value| {
            let mut claims = claims();
            claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            shared().token(json!({"alg": "HS256"}), claims)
        };
        let plan = "/api/admin/plans/none";
        app.get(plan).bearer(&signed(&operator)).send().await.expect_problem(404, "not_found");
        for other in others {
            let refused = app.get(plan).bearer(&signed(&other)).send().await;
            let refused = refused.expect_problem(403, "not_operator");
            assert!(refused.body["detail"].as_str().unwrap().contains(setting), "{}", refused.text);
            let me = app.get("/api/me").bearer(&signed(&other)).send().await.expect_status(200);
            assert_eq!(me.body["operator"], false, "{other}");
        }
    }
}

#[tokio::test]
async fn configured_issuer_and_audience_are_checked() {
    let arguments = vec!["--jwt-issuer=https://app.example".into(), "--jwt-audience=svc".into()];
    let app = with_arguments(arguments, false).await;
    for (iss, aud, expected) in [
        (json!("https://app.example"), json!("svc"), 200),
        (json!("https://app.example"), json!(["other", "svc"]), 200),
        (json!("https://app.example"), json!("other"), 401),
        (json!("https://app.example"), Value::Null, 401),
        (json!("https://evil.example"), json!("svc"), 401),
        (Value::Null, json!("svc"), 401),
    ] {
        let mut claims = claims();
        for (name, value) in [("iss", &iss), ("aud", &aud)] {
            if !value.is_null() {
                claims[name] = value.clone();
            }
        }
        assert_eq!(
            status(&app, &shared().token(json!({"alg": "HS256"}), claims)).await,
            expected,
            "{iss} {aud}"
        );
    }
}

#[tokio::test]
async fn operator_role_is_a_claim() {
    let app = with_arguments(Vec::new(), false).await;
    for (role, expected) in [("operator", 404), ("Operator", 403), ("admin", 403)] {
        let token =
            shared().token(json!({"alg": "HS256"}), json!({"sub": "ada", "exp": LATER, "svc_role": role}));
        assert_eq!(app.get("/api/admin/plans/none").bearer(&token).send().await.status, expected, "{role}");
    }
}
