//! A visitor who goes everywhere, and leaves secrets where they do not belong.

use std::collections::BTreeSet;

use reqwest::{Method, RequestBuilder, header};
use serde_json::{Value, json};

use super::{Needles, PLANTED, call, text};
use crate::support::{Api, Place, Raw, Running, answered, as_json};

pub(super) struct Visitor<'a> {
    running: &'a Running,
    api: Api,
    user: String,
    operator: String,
    stranger: String,
    /// Of scope write.
    key: Value,
    /// To be revoked.
    spare: Value,
    /// A key of the right shape that nobody has.
    unknown: String,
    /// Every answer that has no business holding a secret, with what was asked.
    pub(super) told: Vec<(String, String)>,
}

impl<'a> Visitor<'a> {
    pub(super) async fn new(running: &'a Running, place: &Place, needles: &mut Needles) -> Self {
        let (user, operator, stranger) = (place.token("ada"), place.operator_token(), place.token("eve"));
        for (name, jwt) in
            [("the user's token", &user), ("the operator's", &operator), ("the stranger's", &stranger)]
        {
            needles.add_jwt(name, jwt);
        }
        let api = running.api(&user).persistent();
        let make = async |label: &str, wish: Value| {
            let mut wish = wish;
            wish["label"] = json!(label);
            api.create_key("acme", &wish).await
        };
        let key = make(PLANTED, json!({"scope": "write"})).await;
        let spare = make("spare", json!({"scope": "full", "tools": ["get_brand"]})).await;
        let hidden = make("hidden", json!({"can_reveal": false})).await;
        for (name, key) in [("the key", &key), ("the spare key", &spare), ("the hidden key", &hidden)] {
            needles.add_key(name, &text(key, "api_key"));
        }
        // A key that is gone is as secret as one that is not: it may be somebody's password elsewhere.
        let unknown =
            "svc_mcp_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg".to_owned() + &checksum_of_the_digits();
        needles.add_key("the unknown key", &unknown);
        Self { running, api, user, operator, stranger, key, spare, unknown, told: Vec::new() }
    }

    pub(super) async fn visit_every_surface(&mut self) {
        self.use_everything_as_intended().await;
        self.sweep_every_operation().await;
        self.put_secrets_in_urls_and_headers().await;
        self.put_secrets_in_bodies().await;
        self.send_what_is_not_http().await;
        self.wear_the_key_out().await;
    }

    fn secret(&self) -> String {
        text(&self.key, "api_key")
    }

    /// Sends it, and remembers the answer.
    async fn tell(&mut self, what: impl Into<String>, request: RequestBuilder) -> u16 {
        let answer = answered(request).await;
        let head = format!("{:?}", answer.headers);
        let status = answer.status;
        self.told.push((format!("{status} to {}", what.into()), answer.text + &head));
        status
    }

    async fn use_everything_as_intended(&mut self) {
        let (id, spare_id) = (text(&self.key, "key_id"), text(&self.spare, "key_id"));
        let revealed = self.api.reveal("acme", &id).await.expect(200).json();
        assert_eq!(revealed["api_key"], self.key["api_key"]);
        let agent = self.api.with(&self.secret());
        agent.tools().await.expect(200);
        let post = json!({"text": "Hello", "channels": ["feed"], "mode": "now"});
        let request = agent.request(Method::POST, "/mcp/v1/tools/call").header("Idempotency-Key", "once");
        for _ in 0..2 {
            answered(request.try_clone().expect("no stream").json(&call("create_post", &post)))
                .await
                .expect(200);
        }
        let spare = self.api.with(&text(&self.spare, "api_key"));
        spare.tools().await.expect(200);
        self.api.delete(&format!("/api/brands/acme/mcp-keys/{spare_id}")).await.expect(204);
        spare.tools().await.expect(401);
        self.api.reveal("acme", &spare_id).await.expect(409);
    }

    /// Every route there is, with every kind of credential, and with keys where ids belong.
    async fn sweep_every_operation(&mut self) {
        let document = self.api.get("/openapi.json").await.expect(200).json();
        let (key, key_id) = (self.secret(), text(&self.key, "key_id"));
        let ids = [("{brand_id}", "acme"), ("{key_id}", key_id.as_str()), ("{plan_id}", "business")];
        let mut swept = 0;
        for (route, item) in document["paths"].as_object().expect("paths") {
            for method in item.as_object().expect("operations").keys() {
                let method: Method = method.to_uppercase().parse().expect("a method");
                // Nothing is deleted here.
                let known: &[(&str, &str)] = if method == Method::DELETE { &[] } else { &ids };
                let paths = BTreeSet::from([filled(route, known, &key), filled(route, &[], &key)]);
                for path in paths {
                    for (who, request) in self.as_everybody(&method, &path) {
                        if path.ends_with("/reveal") && who == "the user" {
                            continue; // It is what this answer is for.
                        }
                        let request = if method == Method::GET { request } else { request.json(&json!({})) };
                        self.tell(format!("{method} {route} as {who}"), request).await;
                        swept += 1;
                    }
                }
            }
        }
        assert!(swept > 300, "{swept} requests are no sweep");
    }

    /// The same request with each credential.
    fn as_everybody(&self, method: &Method, path: &str) -> Vec<(&'static str, RequestBuilder)> {
        let bare = || self.api.bare(method.clone(), path);
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
        ]
    }

    async fn put_secrets_in_urls_and_headers(&mut self) {
        let (key, user) = (self.secret(), self.user.clone());
        for secret in [&key, &user] {
            for path in ["/mcp/v1/tools", "/api/me", "/settings/mcp", "/nowhere", "/healthz"] {
                for query in
                    [format!("key={secret}"), format!("{secret}=1"), format!("a=%20{secret}"), secret.clone()]
                {
                    let address = format!("{path}?{query}");
                    self.tell(format!("{path} with a query"), self.api.bare(Method::GET, &address)).await;
                    self.tell(format!("{path} with a query"), self.api.request(Method::GET, &address)).await;
                }
            }
            for path in [
                format!("/{secret}"),
                format!("/mcp/v1/tools/{secret}"),
                format!("/settings/assets/{secret}"),
            ] {
                self.tell("a path", self.api.request(Method::GET, &path)).await;
                self.tell("a path", self.api.request(Method::POST, &path)).await;
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
                    let request = self.api.bare(Method::GET, path).header(name, secret.as_str());
                    self.tell(format!("{path} with {name}"), request).await;
                }
            }
        }
        for id in [format!("req-{key}"), format!("{PLANTED}-1")] {
            let request = self.api.bare(Method::GET, "/mcp/v1/tools").header("x-request-id", id);
            self.tell("a request id", request).await;
        }
    }

    async fn put_secrets_in_bodies(&mut self) {
        let (key, user) = (self.secret(), self.user.clone());
        let agent = self.api.with(&text(&self.key, "api_key"));
        let places = [
            (self.api.clone(), Method::POST, "/api/brands/acme/mcp-keys"),
            (agent, Method::POST, "/mcp/v1/tools/call"),
            (self.api.with(&self.operator), Method::PUT, "/api/admin/brands/acme"),
        ];
        for (api, method, path) in places {
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
                    let request = as_json(api.request(method.clone(), path), body);
                    self.tell(format!("{path} with a body"), request).await;
                }
                let plain = api.request(method.clone(), path).body(secret.clone());
                self.tell(format!("{path} with a text"), plain).await;
            }
        }
    }

    async fn send_what_is_not_http(&mut self) {
        let key = self.secret();
        let large = "a".repeat(40_000);
        for bytes in [
            format!("{key}\r\n\r\n"),
            format!("{key} / HTTP/1.1\r\nHost: a\r\n\r\n"),
            format!("GET / HTTP/1.1\r\n{key}\r\n\r\n"),
            format!("GET / HTTP/1.1\r\nHost: a\r\nX: {key}{large}\r\n\r\n"),
            format!("GET /{key}{large} HTTP/1.1\r\nHost: a\r\n\r\n"),
            format!("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {key}\r\n\r\n"),
            format!("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\u{1}\r\n\r\n"),
        ] {
            let mut client = Raw::connect(self.running.address).await;
            client.send(&bytes).await;
            let answer = client.answer().await;
            assert!(answer.status >= 400, "{answer:?}");
            self.told.push((
                format!("{} to bytes", answer.status),
                answer.head + &String::from_utf8_lossy(&answer.body),
            ));
        }
    }

    async fn wear_the_key_out(&mut self) {
        let key = self.secret();
        for _ in 0..70 {
            let request = self.api.with(&key).request(Method::GET, "/mcp/v1/tools");
            if self.tell("one request too many", request).await == 429 {
                return;
            }
        }
        panic!("the limit was never reached");
    }
}

/// A route's path with ids that are known, and the key where none is.
fn filled(path: &str, ids: &[(&str, &str)], key: &str) -> String {
    let parts = path.split('/').map(|part| {
        let known = ids.iter().find(|(name, _)| *name == part).map(|(_, id)| *id);
        known.unwrap_or(if part.starts_with('{') { key } else { part })
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The checksum of `0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg`: CRC-32 by its definition, as six base62 digits.
fn checksum_of_the_digits() -> String {
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
