//! Sign-in with an OpenID Connect provider.

mod flow;
mod provider;
mod refusals;

use std::collections::HashMap;

use serde_json::json;
use url::Url;

use self::provider::Provider;
use super::Browser;
use crate::support::{AppOptions, Reply, TestApp, path_segment};

const CLIENT_ID: &str = "svc-mcp";
const CLIENT_SECRET: &str = "the-clients-secret";
const START: &str = "/api/sign-in/oidc";
const CALLBACK: &str = "/api/sign-in/oidc/callback";

async fn app_with(provider: &Provider, more: &[&str]) -> TestApp {
    TestApp::with(options(provider, more)).await
}

fn options(provider: &Provider, more: &[&str]) -> AppOptions {
    let mut arguments = vec![
        format!("--oidc-issuer={}", provider.issuer),
        format!("--oidc-client-id={CLIENT_ID}"),
        format!("--oidc-client-secret={CLIENT_SECRET}"),
    ];
    arguments.extend(more.iter().map(|argument| (*argument).to_owned()));
    AppOptions { arguments, ..AppOptions::default() }
}

/// A sign-in that is not finished: the browser is at the provider.
struct PendingSignIn {
    /// `name=value`.
    cookie: String,
    /// The parameters of the request to the provider.
    asked: HashMap<String, String>,
}

impl TestApp {
    async fn begin(&self, query: &str) -> PendingSignIn {
        let reply = self.get(&format!("{START}{query}")).send().await.expect_status(303);
        let cookie = reply.header("set-cookie").split(';').next().unwrap().to_owned();
        assert!(cookie.starts_with("svc_sign_in=svc_attempt_"), "{cookie}");
        let address: Url = reply.header("location").parse().unwrap();
        assert_eq!(address.path(), "/authorize");
        PendingSignIn { cookie, asked: address.query_pairs().into_owned().collect() }
    }

    /// The provider sends the browser back.
    async fn come_back(&self, pending: &PendingSignIn, code: &str) -> Reply {
        let query = format!("code={}&state={}&session_state=x", path_segment(code), pending.asked["state"]);
        self.come_back_with(&pending.cookie, &query).await
    }

    async fn come_back_with(&self, cookie: &str, query: &str) -> Reply {
        let request = self.get(&format!("{CALLBACK}?{query}")).header("cookie", cookie);
        request.header("sec-fetch-site", "cross-site").send().await
    }

    /// Begins a sign-in, and ends it with an ID token for this user.
    async fn sign_in_at(&self, provider: &Provider, user: &str) -> Reply {
        let pending = self.begin("").await;
        let code = provider.code(&pending, &provider.claims(self, &pending, user));
        self.come_back(&pending, &code).await
    }
}

/// The fragment of the page to which a response redirects.
#[track_caller]
fn fragment<'a>(app: &TestApp, reply: &'a Reply, page: &str) -> &'a str {
    assert_eq!(reply.status, 303, "{reply:?}");
    let address = format!("{}{page}#", app.url);
    let location = reply.header("location");
    location.strip_prefix(&address).unwrap_or_else(|| panic!("{location} does not begin with {address}"))
}

/// Checks that nobody is signed in, and that the page gets this reason.
#[track_caller]
fn assert_failed(app: &TestApp, reply: &Reply, reason: &str) {
    assert_eq!(fragment(app, reply, "/settings/mcp"), format!("sign-in={reason}"));
    assert!(!format!("{:?}", reply.headers).contains("svc_session"), "{reply:?}");
}

/// Exchanges the code that the page gets.
async fn browser_of(app: &TestApp, reply: &Reply, page: &str) -> Browser {
    let code = fragment(app, reply, page).strip_prefix("code=").unwrap();
    Browser::of(&app.exchange_code(code, None, json!({})).await.expect_status(201))
}
