//! Every route by which a person changes something adds a record. A new route without a row here fails the test.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp::http::router;
use svc_mcp_testkit::Smtp;

use crate::{
    reports::{add_recipients, with_mail},
    support::{BRAND, Reply, TestApp, eventually},
};

/// These need no application token, or change nothing but whether the person is signed in.
const NOT_BY_PEOPLE: [(&str, &str); 4] = [
    ("POST", "/api/leaked-keys"),
    ("POST", "/api/sign-in-codes"),
    ("POST", "/api/session"),
    ("DELETE", "/api/session"),
];
/// These change nothing: a secret does not belong in a URL, so a search has a body.
const READS: [(&str, &str); 1] = [("POST", "/api/admin/keys/search")];

const KEYWORD_LIST: &str = "Query,Clicks,Impressions\ntea,1,2\n";
/// A brand that is stopped and erased.
const OTHER: &str = "stopped";

/// A request that changes something, and the record that it adds.
struct Change {
    path: String,
    body: Body,
    action: &'static str,
}

enum Body {
    None,
    Json(Value),
    Csv,
}

/// Everything that the routes are used for.
struct Setup {
    app: TestApp,
    /// The secret of a write key.
    writer: String,
    smtp: Smtp,
}

impl Setup {
    async fn put(&self, user: &str, path: &str, body: Value) {
        let reply = self.app.put(path).bearer(&self.token(user)).json(&body).await;
        assert!(reply.status < 300, "{path}: {}", reply.text);
    }

    fn token(&self, user: &str) -> String {
        if user == "olga" { self.app.operator() } else { self.app.token(user) }
    }

    async fn post(&self, channel: &str, mode: &str) -> String {
        let mut post = json!({"text": "x", "channels": [channel], "mode": mode});
        if mode == "schedule" {
            post["scheduled_at"] = json!("2027-01-01T00:00:00Z");
        }
        let created = self.app.call(&self.writer, "create_post", post).await;
        created.result()["post"]["post_id"].as_str().unwrap().to_owned()
    }

    async fn job(&self, status: &str) -> String {
        let path = format!("/api/admin/jobs?status={status}&brand={BRAND}&kind=publish");
        eventually("the job", async || {
            let jobs = self.app.get(&path).bearer(&self.app.operator()).send().await.expect_status(200).body;
            jobs["jobs"][0]["job_id"].as_str().map(str::to_owned)
        })
        .await
    }

    /// The id of an event delivery.
    async fn delivery(&self) -> String {
        let endpoint = format!("/api/brands/{BRAND}/event-endpoints/resent");
        self.put("ada", &endpoint, json!({"url": "https://events.example/resent"})).await;
        self.key("ada", BRAND).await;
        let path = format!("/api/brands/{BRAND}/event-deliveries?endpoint=resent");
        let list = self.app.get(&path).bearer(&self.app.token("ada")).send().await.expect_status(200).body;
        list["event_deliveries"][0]["delivery_id"].as_str().unwrap().to_owned()
    }

    /// The id and the digest of a call that waits for approval.
    async fn held_call(&self) -> (String, Value) {
        let key = json!({"label": "asks", "scope": "write", "approval": "outward"});
        let key = self.app.create_key(key).await;
        let post = json!({"text": "x", "channels": ["feed"], "mode": "now"});
        let held = self.app.call(&key.api_key, "create_post", post).await;
        let id = held.result()["approval_id"].as_str().unwrap().to_owned();
        let path = format!("/api/brands/{BRAND}/approvals/{id}");
        let view = self.app.get(&path).bearer(&self.app.token("ada")).send().await.expect_status(200);
        (id, view.body["digest"].clone())
    }

    async fn key(&self, user: &str, brand: &str) -> String {
        self.app.create_key_as(user, brand, json!({"label": "in the path"})).await.key_id
    }

    /// Prepares what a route needs. `None`: the test does not know the route.
    async fn prepare(&self, method: &str, pattern: &str) -> Option<Change> {
        let app = &self.app;
        let of_brand = pattern.strip_prefix("/api/brands/{brand_id}");
        // An operator changes posts of any brand in the same way.
        let of_posts = pattern.strip_prefix("/api/admin/brands/{brand_id}/posts");
        let of_posts = of_posts.or_else(|| of_brand.and_then(|rest| rest.strip_prefix("/posts")));
        if let Some(rest) = of_posts {
            return self.prepare_post(method, pattern, rest).await;
        }
        let (path, body, action) = match (method, pattern) {
            ("POST", p) if p.ends_with("/mcp-keys") => {
                (p.into(), Body::Json(json!({"label": "new"})), "key.create")
            }
            (method, p) if p.contains("/mcp-keys/{key_id}") => return self.prepare_key(method, p).await,
            ("PATCH", "/api/brands/{brand_id}") => {
                (pattern.into(), Body::Json(json!({"time_zone": "Europe/Berlin"})), "brand.update")
            }
            ("POST", p) if p.ends_with("/approve") || p.ends_with("/reject") => {
                let (approval_id, digest) = self.held_call().await;
                let path = p.replace("{approval_id}", &approval_id);
                if p.ends_with("/approve") {
                    (path, Body::Json(json!({"digest": digest})), "approval.approve")
                } else {
                    (path, Body::Json(json!({"reason": "no"})), "approval.reject")
                }
            }
            ("PATCH", p) if p.ends_with("/approval-settings") => {
                (p.into(), Body::Json(json!({"approvers": "admins"})), "approval_settings.update")
            }
            ("PUT", p) if p.ends_with("/approval-settings/emails") => {
                let path = format!("/api/admin/brands/{BRAND}/members/ada");
                self.put("olga", &path, json!({"email": "ada@acme.example"})).await;
                (p.into(), Body::Json(json!({"enabled": true})), "approval_emails.update")
            }
            ("POST", p) if p.ends_with("/test") => return self.prepare_connection_test(p).await,
            (method, p) if p.ends_with("/channels/{channel_id}") => {
                let body = json!({"kind": "webhook", "settings": {"url": "https://hooks.example"}});
                let path = p.replace("{channel_id}", "swept");
                if method == "PUT" {
                    (path, Body::Json(body), "channel.put")
                } else {
                    self.put("ada", &path.replace("{brand_id}", BRAND), body).await;
                    (path, Body::None, "channel.delete")
                }
            }
            (method, p) if p.ends_with("/event-endpoints/{endpoint_id}") => {
                let body = json!({"url": "https://events.example/swept"});
                let path = p.replace("{endpoint_id}", "swept");
                if method == "PUT" {
                    (path, Body::Json(body), "event_endpoint.put")
                } else {
                    self.put("ada", &path.replace("{brand_id}", BRAND), body).await;
                    (path, Body::None, "event_endpoint.delete")
                }
            }
            ("POST", p) if p.ends_with("/resend") => {
                let path = p.replace("{delivery_id}", &self.delivery().await);
                (path, Body::None, "event_delivery.resend")
            }
            ("POST", p) if p.ends_with("/keyword-imports") => (p.into(), Body::Csv, "keyword_import.create"),
            ("DELETE", p) if p.ends_with("/{import_id}") => {
                let list =
                    app.post(&format!("/api/brands/{BRAND}/keyword-imports")).bearer(&app.token("ada"));
                let list = list.header("content-type", "text/csv").body(KEYWORD_LIST).await;
                let import_id = list.body["import_id"].as_str().unwrap();
                (p.replace("{import_id}", import_id), Body::None, "keyword_import.delete")
            }
            ("PUT", p) if p.ends_with("/report-recipients") => {
                (p.into(), Body::Json(json!({"recipients": ["cleo@acme.example"]})), "report_recipients.put")
            }
            ("POST", p) if p.ends_with("/audits") => (p.into(), Body::Json(json!({})), "audit.run"),
            ("POST", p) if p.ends_with("/schedules") => {
                let body = json!({"kind": "audit", "every": "week", "weekday": "monday", "at": "09:00"});
                (p.into(), Body::Json(body), "schedule.create")
            }
            ("DELETE", p) if p.ends_with("/{schedule_id}") => {
                let body = json!({"kind": "audit", "every": "month", "day": 2, "at": "09:00"});
                let path = format!("/api/brands/{BRAND}/schedules");
                let made = app.post(&path).bearer(&app.token("ada")).json(&body).await.expect_status(201);
                let schedule_id = made.body["schedule"]["schedule_id"].as_str().unwrap().to_owned();
                (p.replace("{schedule_id}", &schedule_id), Body::None, "schedule.delete")
            }
            (method, p) => return self.prepare_operator(method, p).await,
        };
        Some(Change { path, body, action })
    }

    async fn prepare_key(&self, method: &str, pattern: &str) -> Option<Change> {
        let app = &self.app;
        let key_id = self.key("ada", BRAND).await;
        let (body, action) = match (method, pattern.rsplit_once("{key_id}")?.1) {
            ("POST", "/reveal") => (Body::None, "key.reveal"),
            ("POST", "/rotate") => (Body::Json(json!({})), "key.rotate"),
            ("POST", "/rotate/finish") => {
                let rotate = format!("/api/brands/{BRAND}/mcp-keys/{key_id}/rotate");
                let rotated = app.post(&rotate).bearer(&app.token("ada")).json(&json!({})).await;
                rotated.expect_status(200);
                (Body::None, "key.finish_rotation")
            }
            ("PATCH", "") => (Body::Json(json!({"paused": true})), "key.update"),
            ("DELETE", "") => (Body::None, "key.revoke"),
            _ => return None,
        };
        Some(Change { path: pattern.replace("{key_id}", &key_id), body, action })
    }

    async fn prepare_connection_test(&self, pattern: &str) -> Option<Change> {
        let (path, action) = if pattern.ends_with("/channels/{channel_id}/test") {
            (pattern.replace("{channel_id}", "feed"), "channel.test")
        } else if pattern.ends_with("/event-endpoints/{endpoint_id}/test") {
            let path = format!("/api/brands/{BRAND}/event-endpoints/tested");
            self.put("ada", &path, json!({"url": "https://127.0.0.1:1/", "enabled": false})).await;
            (pattern.replace("{endpoint_id}", "tested"), "event_endpoint.test")
        } else if pattern.ends_with("/report-recipients/test") {
            add_recipients(&self.app, &self.smtp, &["dora@acme.example"]).await;
            (pattern.to_owned(), "report_recipients.test")
        } else {
            return None;
        };
        Some(Change { path, body: Body::None, action })
    }

    async fn prepare_post(&self, method: &str, pattern: &str, rest: &str) -> Option<Change> {
        let (channel, mode, body, action) = match (method, rest) {
            ("PATCH", "/{post_id}") => ("feed", "draft", Body::Json(json!({"text": "y"})), "post.update"),
            ("DELETE", "/{post_id}") => ("feed", "draft", Body::None, "post.delete"),
            ("POST", "/{post_id}/publish") => ("feed", "draft", Body::None, "post.publish"),
            ("POST", "/{post_id}/cancel") => ("feed", "schedule", Body::None, "post.cancel"),
            ("POST", "/{post_id}/withdraw") => ("feed", "now", Body::None, "post.withdraw"),
            // Publishing fails, because the channel has a private address.
            ("POST", "/{post_id}/retry") => ("unreachable", "now", Body::None, "post.retry"),
            _ => return None,
        };
        let post_id = self.post(channel, mode).await;
        Some(Change { path: pattern.replace("{post_id}", &post_id), body, action })
    }

    async fn prepare_operator(&self, method: &str, pattern: &str) -> Option<Change> {
        let brand = format!("/api/admin/brands/{OTHER}");
        let new_brand = json!({"name": "Stopped", "website": "https://s.example", "plan_id": "business"});
        let (path, body, action) = match (method, pattern) {
            (method, "/api/admin/plans/{plan_id}") => {
                let plan = json!({"name": "Unused", "mcp_enabled": true});
                let path = pattern.replace("{plan_id}", "unused");
                if method == "PUT" {
                    (path, Body::Json(plan), "plan.put")
                } else {
                    self.put("olga", &path, plan).await;
                    (path, Body::None, "plan.delete")
                }
            }
            ("PUT", "/api/admin/brands/{brand_id}") => {
                ("/api/admin/brands/new".into(), Body::Json(new_brand), "brand.put")
            }
            ("DELETE", "/api/admin/brands/{brand_id}") => {
                self.put("olga", "/api/admin/brands/erased", new_brand).await;
                ("/api/admin/brands/erased".into(), Body::None, "brand.erase")
            }
            ("POST", "/api/admin/jobs/hold") => (pattern.into(), Body::None, "jobs.hold"),
            ("POST", "/api/admin/jobs/resume") => {
                let hold = self.app.post("/api/admin/jobs/hold").bearer(&self.app.operator());
                hold.send().await.expect_status(200);
                (pattern.into(), Body::Json(json!({})), "jobs.resume")
            }
            ("POST", p) if p.ends_with("/suspend") || p.ends_with("/resume") => {
                self.put("olga", &brand, new_brand).await;
                let call = |end: &str| self.app.post(&format!("{brand}/{end}")).bearer(&self.app.operator());
                let other = if p.ends_with("/suspend") { "resume" } else { "suspend" };
                call(other).send().await.expect_status(200);
                let action = if other == "resume" { "brand.suspend" } else { "brand.resume" };
                (p.replace("{brand_id}", OTHER), Body::None, action)
            }
            ("POST", p) if p.ends_with("/revoke-keys") => {
                let of_user = p.contains("{user_id}");
                self.put("olga", &brand, new_brand).await;
                self.app.post(&format!("{brand}/resume")).bearer(&self.app.operator()).send().await;
                self.put("olga", &format!("{brand}/members/zoe"), json!({"role": "member"})).await;
                self.key("zoe", OTHER).await;
                let path =
                    if of_user { p.replace("{user_id}", "zoe") } else { p.replace("{brand_id}", OTHER) };
                (path, Body::None, "key.revoke")
            }
            ("PUT", p) if p.ends_with("/members/{user_id}") => {
                (p.replace("{user_id}", "yan"), Body::Json(json!({"role": "member"})), "member.put")
            }
            ("DELETE", p) if p.ends_with("/members/{user_id}") => {
                let path = p.replace("{user_id}", "xia");
                self.put("olga", &path.replace("{brand_id}", BRAND), json!({"role": "member"})).await;
                (path, Body::None, "member.remove")
            }
            ("POST", "/api/admin/users/{user_id}/end-sessions") => {
                let request = self.app.post("/api/session").header("sec-fetch-site", "same-origin");
                request.bearer(&self.app.token("zoe")).send().await.expect_status(201);
                (pattern.replace("{user_id}", "zoe"), Body::None, "sessions.end")
            }
            ("POST", "/api/admin/users/{user_id}/erase") => {
                (pattern.replace("{user_id}", "wil"), Body::None, "user.erase")
            }
            ("POST", "/api/admin/keys/{key_id}/revoke") => {
                (pattern.replace("{key_id}", &self.key("ada", BRAND).await), Body::None, "key.revoke")
            }
            ("POST", "/api/admin/jobs/{job_id}/retry") => {
                self.post("unreachable", "now").await;
                (pattern.replace("{job_id}", &self.job("failed").await), Body::None, "job.retry")
            }
            ("POST", "/api/admin/jobs/{job_id}/cancel") => {
                self.post("feed", "schedule").await;
                (pattern.replace("{job_id}", &self.job("waiting").await), Body::None, "job.cancel")
            }
            _ => return None,
        };
        Some(Change { path, body, action })
    }

    async fn send(&self, method: &str, change: &Change, user: &str) -> Reply {
        let path = change.path.replace("{brand_id}", BRAND);
        let request = self.app.request(method, &path).bearer(&self.token(user));
        match &change.body {
            Body::None => request.send().await,
            Body::Json(body) => request.json(body).await,
            Body::Csv => request.header("content-type", "text/csv").body(KEYWORD_LIST).await,
        }
    }
}

#[tokio::test]
async fn every_change_by_a_person_adds_a_record_and_a_refused_one_adds_none() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    let writer = app.key("write").await;
    let setup = Setup { app, writer, smtp };
    let hook = json!({"kind": "webhook", "settings": {"url": "https://127.0.0.1:1/"}});
    setup.put("ada", &format!("/api/brands/{BRAND}/channels/unreachable"), hook).await;
    let document = router::document();
    let mut swept = 0;
    for (pattern, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            let method = method.to_uppercase();
            let row = (method.as_str(), pattern.as_str());
            let is_left_out = NOT_BY_PEOPLE.contains(&row) || READS.contains(&row);
            if method == "GET" || !pattern.starts_with("/api/") || is_left_out {
                continue;
            }
            let change = setup.prepare(&method, pattern).await;
            let change = change.unwrap_or_else(|| panic!("say how {method} {pattern} is used"));
            let is_operator = pattern.starts_with("/api/admin/");
            let (user, role) = if is_operator { ("olga", "operator") } else { ("ada", "admin") };

            setup.app.clock.advance(Duration::from_secs(1));
            let stranger = if is_operator { "ada" } else { "eve" };
            let refused = setup.send(&method, &change, stranger).await;
            assert!([403, 404].contains(&refused.status), "{method} {pattern}: {}", refused.text);
            if let Body::Json(_) = change.body {
                let body = Body::Json(json!({"no_such_field": 1}));
                let invalid = Change { path: change.path.clone(), body, action: "" };
                setup.send(&method, &invalid, user).await.expect_status(422);
            }
            let records = setup.app.new_audit_records().await;
            assert!(records.is_empty(), "{method} {pattern} is refused: {records:?}");

            let reply = setup.send(&method, &change, user).await;
            assert!(reply.status < 300, "{method} {pattern}: {}", reply.text);
            let records = setup.app.new_audit_records().await;
            assert!(!records.is_empty(), "{method} {pattern} adds no audit record");
            for record in &records {
                let expected = json!([user, role, "127.0.0.1", reply.header("x-request-id"), change.action]);
                let found = json!([
                    record["actor"],
                    record["role"],
                    record["address"],
                    record["request_id"],
                    record["action"]
                ]);
                assert_eq!(found, expected, "{method} {pattern}: {record}");
                let kind = record["target"]["kind"].as_str().unwrap();
                assert!(change.action.starts_with(&format!("{kind}.")), "{record}");
            }
            swept += 1;
        }
    }
    assert!(swept >= 40, "only {swept} routes");
    setup.expect_unbroken_chain().await;
}

impl Setup {
    /// Everybody can check the hashes of what the API returns.
    async fn expect_unbroken_chain(&self) {
        let records = self.app.audit_records("").await;
        let mut records: Vec<svc_mcp_store::AuditRecord> =
            records.into_iter().map(|record| serde_json::from_value(record).unwrap()).collect();
        records.sort_by_key(|record| record.sequence);
        let mut previous = "0".repeat(64);
        for (number, record) in (1..).zip(&records) {
            assert_eq!((record.sequence, &record.previous_hash), (number, &previous), "{record:?}");
            assert_eq!(record.compute_hash(), record.hash, "{record:?}");
            previous.clone_from(&record.hash);
        }
    }
}
