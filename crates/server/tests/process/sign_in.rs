//! The session cookie of the real service, on a public address and on an address of this machine.

use reqwest::{Method, header};
use serde_json::json;

use crate::support::{Sandbox, send};

#[tokio::test(flavor = "multi_thread")]
async fn session_cookie_is_secure_except_on_plain_http_of_this_machine() {
    let public = "https://mcp.acme.example";
    for (public_url, name, secure) in
        [(Some(public), "__Host-svc_session", "; Secure"), (None, "svc_session", "")]
    {
        let sandbox = Sandbox::sqlite();
        sandbox.add_brand("acme", "ada");
        let arguments = public_url.map_or(vec![], |url| vec!["--public-url", url]);
        let service = sandbox.serve(&arguments);
        let api = service.api(&sandbox.token("ada"));
        let code = send(api.request(Method::POST, "/api/sign-in-codes")).await.expect_status(201).json();
        let origin = public_url.map_or_else(|| service.url(""), str::to_owned);
        assert_eq!(code["url"], format!("{origin}/settings/mcp#code={}", code["code"].as_str().unwrap()));
        let exchange = api.anonymous_request(Method::POST, "/api/session").header(header::ORIGIN, &origin);
        let reply = send(exchange.json(&json!({"code": code["code"]}))).await.expect_status(201);
        let cookie = reply.headers[header::SET_COOKIE].to_str().unwrap();
        let (pair, attributes) = cookie.split_once(';').unwrap();
        let (found, session) = pair.split_once('=').unwrap();
        assert_eq!(found, name);
        let (max_age, rest) = attributes.strip_prefix(" Path=/; Max-Age=").unwrap().split_once(';').unwrap();
        let max_age: u32 = max_age.parse().unwrap();
        assert!((1..=3600).contains(&max_age), "the token lasts an hour: {max_age}");
        assert_eq!(rest, format!(" HttpOnly; SameSite=Strict{secure}"));

        let get = |cookie: String| {
            let request = api.anonymous_request(Method::GET, "/api/session").header(header::COOKIE, cookie);
            send(request.header("sec-fetch-site", "same-origin"))
        };
        assert_eq!(get(pair.to_owned()).await.expect_status(200).json()["user_id"], "ada");
        // Another host of the domain could set a cookie of the other name.
        let other = if secure.is_empty() { "__Host-svc_session" } else { "svc_session" };
        get(format!("{other}={session}")).await.expect_status(401);
        let log = service.stop();
        for secret in [session, code["code"].as_str().unwrap()] {
            assert!(!log.contains(secret), "{log}");
        }
    }
}
