//! A client that uses every route, and sends secrets in places where they do not belong.

use std::collections::BTreeSet;

use reqwest::{Method, RequestBuilder, header};
use serde_json::{Value, json};

use super::{MARKER, SecretScanner, call, text};
use crate::support::{Api, RawClient, Sandbox, Service, send, with_json_body};

pub(super) struct SurfaceClient<'a> {
    service: &'a Service,
    api: Api,
    user: String,
    operator: String,
    stranger: String,
    /// A key of scope `write`.
    key: Value,
    /// A key that is revoked.
    spare: Value,
    /// A well-formed key that does not exist.
    unknown: String,
    /// The session of the user: `svc_session=…`.
    cookie: String,
    /// A sign-in code that is not used.
    code: String,
    /// The responses that must not contain a secret, each with a description of its request.
    pub(super) responses: Vec<(String, String)>,
}

impl<'a> SurfaceClient<'a> {
    pub(super) async fn new(service: &'a Service, sandbox: &Sandbox, scanner: &mut SecretScanner) -> Self {
        let (user, operator, stranger) =
            (sandbox.token("ada"), sandbox.operator_token(), sandbox.token("eve"));
        for (name, jwt) in
            [("the user's token", &user), ("the operator's", &operator), ("the stranger's", &stranger)]
        {
            scanner.add_jwt(name, jwt);
        }
        let api = service.api(&user).keep_alive();
        let (cookie, code) = sign_in(&api, scanner).await;
        let create = async |label: &str, mut body: Value| {
            body["label"] = json!(label);
            api.create_key("acme", &body).await
        };
        let key = create(MARKER, json!({"scope": "write"})).await;
        let spare = create("spare", json!({"scope": "full", "tools": ["get_brand"]})).await;
        let hidden = create("hidden", json!({"can_reveal": false})).await;
        for (name, key) in [("the key", &key), ("the spare key", &spare), ("the hidden key", &hidden)] {
            scanner.add_key(name, &text(key, "api_key"));
        }
        let rotated = create("rotated", json!({})).await;
        let path = format!("/api/brands/acme/mcp-keys/{}/rotate", text(&rotated, "key_id"));
        let new = api.post(&path, &json!({})).await.expect_status(200).json();
        for (name, key, status) in [("the old secret", &rotated, 401), ("the new secret", &new, 200)] {
            let secret = text(key, "api_key");
            scanner.add_key(name, &secret);
            let agent = api.with_bearer(&secret);
            agent.list_tools().await.expect_status(200);
            api.post(&format!("{path}/finish"), &json!({})).await.expect_status(200);
            agent.list_tools().await.expect_status(status);
        }
        let endpoint = json!({"url": "https://127.0.0.1:1/events"});
        let endpoint =
            api.put("/api/brands/acme/event-endpoints/crm", &endpoint).await.expect_status(200).json();
        scanner.add("the signing secret of an event endpoint", text(&endpoint, "secret"));
        // An unknown key is a secret too: it may be valid in another installation.
        let unknown =
            "svc_mcp_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg".to_owned() + &checksum_of_digits();
        scanner.add_key("the unknown key", &unknown);
        let responses = Vec::new();
        Self { service, api, user, operator, stranger, key, spare, unknown, cookie, code, responses }
    }

    pub(super) async fn visit_every_surface(&mut self) {
        self.use_everything_as_intended().await;
        self.sweep_every_operation().await;
        self.put_secrets_in_urls_and_headers().await;
        self.put_secrets_in_bodies().await;
        self.send_what_is_not_http().await;
        self.exceed_the_rate_limit().await;
        self.read_the_audit_log().await;
    }

    fn secret(&self) -> String {
        text(&self.key, "api_key")
    }

    /// Sends a request, and records the response.
    async fn record(&mut self, what: impl Into<String>, request: RequestBuilder) -> u16 {
        let response = send(request).await;
        let head = format!("{:?}", response.headers);
        let status = response.status;
        self.responses.push((format!("{status} to {}", what.into()), response.text + &head));
        status
    }

    async fn use_everything_as_intended(&mut self) {
        let (id, spare_id) = (text(&self.key, "key_id"), text(&self.spare, "key_id"));
        let revealed = self.api.reveal("acme", &id).await.expect_status(200).json();
        assert_eq!(revealed["api_key"], self.key["api_key"]);
        let agent = self.api.with_bearer(&self.secret());
        agent.list_tools().await.expect_status(200);
        let post = json!({"text": "Hello", "channels": ["feed"], "mode": "now"});
        let request = agent.request(Method::POST, "/mcp/v1/tools/call").header("Idempotency-Key", "once");
        for _ in 0..2 {
            send(request.try_clone().expect("no stream").json(&call("create_post", &post)))
                .await
                .expect_status(200);
        }
        let spare = self.api.with_bearer(&text(&self.spare, "api_key"));
        spare.list_tools().await.expect_status(200);
        self.api.delete(&format!("/api/brands/acme/mcp-keys/{spare_id}")).await.expect_status(204);
        spare.list_tools().await.expect_status(401);
        self.api.reveal("acme", &spare_id).await.expect_status(409);
    }

    /// Every route with every kind of credential, and with keys in place of ids.
    async fn sweep_every_operation(&mut self) {
        let document = self.api.get("/openapi.json").await.expect_status(200).json();
        let (key, key_id) = (self.secret(), text(&self.key, "key_id"));
        let ids = [("{brand_id}", "acme"), ("{key_id}", key_id.as_str()), ("{plan_id}", "business")];
        let mut swept = 0;
        for (route, item) in document["paths"].as_object().expect("paths") {
            for method in item.as_object().expect("operations").keys() {
                let method: Method = method.to_uppercase().parse().expect("a method");
                // Deletes and stops nothing: the ids are invalid.
                let stops = ["/suspend", "/revoke", "/revoke-keys", "/erase", "/end-sessions"]
                    .iter()
                    .any(|end| route.ends_with(end));
                let is_harmless = method != Method::DELETE && !stops;
                let known: &[(&str, &str)] = if is_harmless { &ids } else { &[] };
                let paths = BTreeSet::from([filled(route, known, &key), filled(route, &[], &key)]);
                for path in paths {
                    for (who, request) in self.with_each_credential(&method, &path) {
                        let shows_secret = path.ends_with("/reveal") || path.ends_with("/rotate");
                        if shows_secret && ["the user", "a session"].contains(&who) {
                            continue; // This response contains the secret on purpose.
                        }
                        let request = if method == Method::GET { request } else { request.json(&json!({})) };
                        self.record(format!("{method} {route} as {who}"), request).await;
                        swept += 1;
                    }
                }
            }
        }
        assert!(swept > 300, "only {swept} requests were sent");
    }

    /// The same request with each credential.
    fn with_each_credential(&self, method: &Method, path: &str) -> Vec<(&'static str, RequestBuilder)> {
        let bare = || self.api.anonymous_request(method.clone(), path);
        let with = |bearer: &str| bare().bearer_auth(bearer);
        let (key, user) = (self.secret(), &self.user);
        vec![
            ("nobody", bare()),
            ("the user", with(user)),
            ("the operator", with(&self.operator)),
            ("a stranger", with(&self.stranger)),
            ("a forger", with(&format!("{}x", &user[..user.len() - 1]))),
            ("a key", with(&key)),
            ("an unknown key", with(&self.unknown)),
            ("a broken key", with(&key[..50])),
            ("a key and a token", with(&format!("{key} {user}"))),
            ("two at once", with(&key).header(header::AUTHORIZATION, format!("Bearer {user}"))),
            ("basic", bare().basic_auth("key", Some(&key))),
            ("no scheme", bare().header(header::AUTHORIZATION, &key)),
            ("another page", bare().header(header::COOKIE, &self.cookie)),
            (
                "a session",
                bare().header(header::COOKIE, &self.cookie).header("sec-fetch-site", "same-origin"),
            ),
        ]
    }

    async fn put_secrets_in_urls_and_headers(&mut self) {
        let (key, user, code, cookie) =
            (self.secret(), self.user.clone(), self.code.clone(), self.cookie.clone());
        for secret in [&key, &user, &code, &cookie] {
            for path in ["/mcp/v1/tools", "/api/me", "/settings/mcp", "/nowhere", "/healthz"] {
                for query in
                    [format!("key={secret}"), format!("{secret}=1"), format!("a=%20{secret}"), secret.clone()]
                {
                    let address = format!("{path}?{query}");
                    self.record(
                        format!("{path} with a query"),
                        self.api.anonymous_request(Method::GET, &address),
                    )
                    .await;
                    self.record(format!("{path} with a query"), self.api.request(Method::GET, &address))
                        .await;
                }
            }
            for path in [
                format!("/{secret}"),
                format!("/mcp/v1/tools/{secret}"),
                format!("/settings/assets/{secret}"),
            ] {
                self.record("a path", self.api.request(Method::GET, &path)).await;
                self.record("a path", self.api.request(Method::POST, &path)).await;
            }
            for name in [
                "cookie",
                "user-agent",
                "referer",
                "accept",
                "origin",
                "if-none-match",
                "x-request-id",
                "host",
                "content-type",
                "x-api-key",
                "x-forwarded-for",
                "traceparent",
            ] {
                for path in ["/mcp/v1/tools", "/api/me", "/healthz"] {
                    let request = self.api.anonymous_request(Method::GET, path).header(name, secret.as_str());
                    self.record(format!("{path} with {name}"), request).await;
                }
            }
        }
        for id in [format!("req-{key}"), format!("{MARKER}-1")] {
            let request = self.api.anonymous_request(Method::GET, "/mcp/v1/tools").header("x-request-id", id);
            self.record("a request id", request).await;
        }
    }

    async fn put_secrets_in_bodies(&mut self) {
        let (key, user) = (self.secret(), self.user.clone());
        let agent = self.api.with_bearer(&text(&self.key, "api_key"));
        let routes = [
            (self.api.clone(), Method::POST, "/api/brands/acme/mcp-keys"),
            (agent, Method::POST, "/mcp/v1/tools/call"),
            (self.api.with_bearer(&self.operator), Method::PUT, "/api/admin/brands/acme"),
            (self.api.clone(), Method::POST, "/api/session"),
        ];
        for (api, method, path) in routes {
            for secret in [&key, &user] {
                for body in [
                    secret.clone(),
                    format!("\"{secret}\""),
                    format!("{{\"label\": \"{secret}"),
                    format!("{{\"label\": {secret}}}"),
                    format!("[\"{secret}\"]"),
                    json!({"label": [secret], "scope": secret, "expires_at": secret, "can_reveal": secret})
                        .to_string(),
                    json!({"name": [secret], "website": secret, "plan_id": [secret]}).to_string(),
                    json!({"name": secret}).to_string(),
                    call("list_posts", &json!({"cursor": secret, "from": secret, "limit": secret}))
                        .to_string(),
                    call("list_posts", &json!({"channel": secret})).to_string(),
                    call("create_post", &json!({"text": 1, "channels": "a", "mode": secret, "link": secret}))
                        .to_string(),
                    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": secret}).to_string(),
                ] {
                    let request = with_json_body(api.request(method.clone(), path), body);
                    self.record(format!("{path} with a body"), request).await;
                }
                let plain = api.request(method.clone(), path).body(secret.clone());
                self.record(format!("{path} with a text"), plain).await;
            }
        }
    }

    async fn send_what_is_not_http(&mut self) {
        let key = self.secret();
        let large = "a".repeat(40_000);
        for bytes in [
            format!("{key}\r\n\r\n"),
            format!("{key} / HTTP/1.1\r\nHost: a\r\n\r\n"),
            format!("GET /nowhere HTTP/1.1\r\n{key}\r\n\r\n"),
            format!("GET /nowhere HTTP/1.1\r\nHost: a\r\nX: {key}{large}\r\n\r\n"),
            format!("GET /{key}{large} HTTP/1.1\r\nHost: a\r\n\r\n"),
            format!("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: {key}\r\n\r\n"),
            format!("GET /nowhere HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\u{1}\r\n\r\n"),
        ] {
            let mut client = RawClient::connect(self.service.address).await;
            client.send(&bytes).await;
            let response = client.response().await;
            assert!(response.status >= 400, "{response:?}");
            self.responses.push((
                format!("{} to bytes", response.status),
                response.head + &String::from_utf8_lossy(&response.body),
            ));
        }
    }

    /// All of it: the sweep reads only the first page.
    async fn read_the_audit_log(&mut self) {
        let operator = self.api.with_bearer(&self.operator);
        let mut cursor = String::new();
        loop {
            let path = format!("/api/admin/audit?limit=100{cursor}");
            let page = operator.get(&path).await.expect_status(200).json();
            self.responses.push(("the audit log".to_owned(), page.to_string()));
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return,
            }
        }
    }

    async fn exceed_the_rate_limit(&mut self) {
        let key = self.secret();
        for _ in 0..70 {
            let request = self.api.with_bearer(&key).request(Method::GET, "/mcp/v1/tools");
            if self.record("a request over the limit", request).await == 429 {
                return;
            }
        }
        panic!("the limit was never reached");
    }
}

/// Signs in with a code. Returns the cookie, and another code.
async fn sign_in(api: &Api, scanner: &mut SecretScanner) -> (String, String) {
    let mut codes = Vec::new();
    for name in ["the used code", "the unused code"] {
        let code = send(api.request(Method::POST, "/api/sign-in-codes")).await.expect_status(201).json();
        scanner.add(name, text(&code, "code"));
        codes.push(text(&code, "code"));
    }
    let exchange =
        api.anonymous_request(Method::POST, "/api/session").header("sec-fetch-site", "same-origin");
    let reply = send(exchange.json(&json!({"code": codes[0]}))).await.expect_status(201);
    let cookie = reply.headers[header::SET_COOKIE].to_str().expect("plain text");
    let cookie = cookie.split(';').next().expect("a cookie").to_owned();
    let (_, session) = cookie.split_once('=').expect("a value");
    scanner.add("the session", session);
    (cookie, codes.remove(1))
}

/// The path of a route, with known ids, and the key in place of other ids.
fn filled(path: &str, ids: &[(&str, &str)], key: &str) -> String {
    let parts = path.split('/').map(|part| {
        let known = ids.iter().find(|(name, _)| *name == part).map(|(_, id)| *id);
        known.unwrap_or(if part.starts_with('{') { key } else { part })
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The checksum of `0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg`: CRC-32 as six base62 digits.
fn checksum_of_digits() -> String {
    let mut crc = u32::MAX;
    for byte in b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg" {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    let digits: Vec<char> = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
    let mut number = !crc;
    let mut text: Vec<char> = Vec::new();
    for _ in 0..6 {
        text.push(digits[usize::try_from(number % 62).expect("small")]);
        number /= 62;
    }
    text.into_iter().rev().collect()
}
