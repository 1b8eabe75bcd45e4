//! How people sign in to the settings page: codes, sessions, and which requests a session opens.

mod codes;
mod embedded;
mod oidc;
mod operators;
mod origins;
mod sessions;

use serde_json::{Value, json};

use crate::support::{Reply, TestApp, TestRequest};

/// A browser with its session cookie, as `name=value`.
struct Browser {
    cookie: String,
}

impl Browser {
    /// Signs in with an application token.
    async fn signed_in(app: &TestApp, user: &str) -> Self {
        Self::of(&app.exchange_token(&app.token(user), None, json!({})).await.expect_status(201))
    }

    /// The browser after this sign-in.
    #[track_caller]
    fn of(reply: &Reply) -> Self {
        let cookie = reply.header("set-cookie").split(';').next().unwrap().to_owned();
        assert!(cookie.starts_with("svc_session=svc_session_"), "{cookie}");
        Self { cookie }
    }

    /// A request of the service's own page.
    fn request(&self, app: &TestApp, method: &str, path: &str) -> TestRequest {
        self.request_from(app, method, path, "same-origin")
    }

    fn request_from(&self, app: &TestApp, method: &str, path: &str, site: &str) -> TestRequest {
        app.request(method, path).header("cookie", &self.cookie).header("sec-fetch-site", site)
    }

    /// `None`: nobody is signed in any more.
    async fn user(&self, app: &TestApp) -> Option<String> {
        let reply = self.request(app, "GET", "/api/session").send().await;
        if reply.status != 200 {
            reply.expect_problem(401, "session_ended");
            return None;
        }
        Some(reply.body["user_id"].as_str().unwrap().to_owned())
    }
}

impl TestApp {
    async fn code(&self, token: &str) -> String {
        let reply = self.post("/api/sign-in-codes").bearer(token).send().await.expect_status(201);
        reply.body["code"].as_str().unwrap().to_owned()
    }

    /// Exchanges a code in a browser.
    async fn exchange_code(&self, code: &str, browser: Option<&Browser>, more: Value) -> Reply {
        let mut body = json!({"code": code});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.sign_in_request(browser).json(&body).await
    }

    async fn exchange_token(&self, token: &str, browser: Option<&Browser>, body: Value) -> Reply {
        self.sign_in_request(browser).bearer(token).json(&body).await
    }

    fn sign_in_request(&self, browser: Option<&Browser>) -> TestRequest {
        let request = self.post("/api/session").header("sec-fetch-site", "same-origin");
        match browser {
            Some(browser) => request.header("cookie", &browser.cookie),
            None => request,
        }
    }
}
