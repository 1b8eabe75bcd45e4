//! Every route with every kind of credential. A route without a row here fails the test.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use svc_mcp::http::router;

use crate::support::{BRAND, OTHER_BRAND, TestApp};

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq)]
enum For {
    Everybody,
    SignedIn,
    /// People with an application token. A session is not enough.
    TokenHolders,
    /// People with an application token, on the service's own pages.
    SignIn,
    Members,
    /// Members who created the key in the path: here, `ada`.
    KeyCreator,
    /// Nobody, because the service of this test has no OpenID Connect provider.
    NotConfigured,
    /// People with a link from a mail. No credential replaces the link.
    LinkHolders,
    /// The creator of the key, or of the key that created the post, and administrators: here, `ada`.
    KeyCreatorOrAdmin,
    /// The creator of the key that made the call, and administrators: here, `ada`.
    Approvers,
    /// Administrators of the brand: here, `ada`.
    Administrators,
    Operators,
    Keys,
    WriteKeys,
}

const ROWS: &[(&str, &str, For)] = &[
    ("GET", "/mcp/v1/tools", For::Keys),
    ("POST", "/mcp/v1/tools/call", For::WriteKeys),
    ("GET", "/api/brands/{brand_id}/mcp-keys", For::Members),
    ("POST", "/api/brands/{brand_id}/mcp-keys", For::Members),
    ("GET", "/api/brands/{brand_id}/mcp-keys/{key_id}", For::Members),
    ("POST", "/api/brands/{brand_id}/mcp-keys/{key_id}/reveal", For::KeyCreator),
    ("POST", "/api/brands/{brand_id}/mcp-keys/{key_id}/rotate", For::KeyCreator),
    ("POST", "/api/brands/{brand_id}/mcp-keys/{key_id}/rotate/finish", For::KeyCreatorOrAdmin),
    ("PATCH", "/api/brands/{brand_id}/mcp-keys/{key_id}", For::KeyCreatorOrAdmin),
    ("DELETE", "/api/brands/{brand_id}/mcp-keys/{key_id}", For::KeyCreatorOrAdmin),
    ("GET", "/api/brands/{brand_id}/mcp-keys/{key_id}/activity", For::Members),
    ("GET", "/api/brands/{brand_id}/mcp-activity", For::Members),
    ("GET", "/api/brands/{brand_id}/mcp-usage", For::Members),
    ("GET", "/api/brands/{brand_id}/quotas", For::Members),
    ("GET", "/api/brands/{brand_id}/members", For::Members),
    ("GET", "/api/brands/{brand_id}", For::Members),
    ("PATCH", "/api/brands/{brand_id}", For::Administrators),
    ("GET", "/api/brands/{brand_id}/posts", For::Members),
    ("GET", "/api/brands/{brand_id}/posts/{post_id}", For::Members),
    ("PATCH", "/api/brands/{brand_id}/posts/{post_id}", For::KeyCreatorOrAdmin),
    ("DELETE", "/api/brands/{brand_id}/posts/{post_id}", For::KeyCreatorOrAdmin),
    ("POST", "/api/brands/{brand_id}/posts/{post_id}/publish", For::KeyCreatorOrAdmin),
    ("POST", "/api/brands/{brand_id}/posts/{post_id}/cancel", For::KeyCreatorOrAdmin),
    ("POST", "/api/brands/{brand_id}/posts/{post_id}/withdraw", For::KeyCreatorOrAdmin),
    ("POST", "/api/brands/{brand_id}/posts/{post_id}/retry", For::KeyCreatorOrAdmin),
    ("GET", "/api/brands/{brand_id}/audits", For::Members),
    ("POST", "/api/brands/{brand_id}/audits", For::Members),
    ("GET", "/api/brands/{brand_id}/audits/{audit_id}", For::Members),
    ("GET", "/api/brands/{brand_id}/approvals", For::Members),
    ("GET", "/api/brands/{brand_id}/approvals/{approval_id}", For::Members),
    ("POST", "/api/brands/{brand_id}/approvals/{approval_id}/approve", For::Approvers),
    ("POST", "/api/brands/{brand_id}/approvals/{approval_id}/reject", For::Approvers),
    ("GET", "/api/brands/{brand_id}/approval-settings", For::Members),
    ("PATCH", "/api/brands/{brand_id}/approval-settings", For::Administrators),
    ("PUT", "/api/brands/{brand_id}/approval-settings/emails", For::Members),
    ("GET", "/api/brands/{brand_id}/channels", For::Administrators),
    ("PUT", "/api/brands/{brand_id}/channels/{channel_id}", For::Administrators),
    ("GET", "/api/brands/{brand_id}/channels/{channel_id}", For::Administrators),
    ("POST", "/api/brands/{brand_id}/channels/{channel_id}/test", For::Administrators),
    ("DELETE", "/api/brands/{brand_id}/channels/{channel_id}", For::Administrators),
    ("GET", "/api/brands/{brand_id}/event-endpoints", For::Administrators),
    ("PUT", "/api/brands/{brand_id}/event-endpoints/{endpoint_id}", For::Administrators),
    ("GET", "/api/brands/{brand_id}/event-endpoints/{endpoint_id}", For::Administrators),
    ("POST", "/api/brands/{brand_id}/event-endpoints/{endpoint_id}/test", For::Administrators),
    ("DELETE", "/api/brands/{brand_id}/event-endpoints/{endpoint_id}", For::Administrators),
    ("GET", "/api/brands/{brand_id}/event-deliveries", For::Administrators),
    ("POST", "/api/brands/{brand_id}/event-deliveries/{delivery_id}/resend", For::Administrators),
    ("GET", "/api/brands/{brand_id}/keyword-imports", For::Administrators),
    ("POST", "/api/brands/{brand_id}/keyword-imports", For::Administrators),
    ("DELETE", "/api/brands/{brand_id}/keyword-imports/{import_id}", For::Administrators),
    ("GET", "/api/brands/{brand_id}/report-recipients", For::Administrators),
    ("PUT", "/api/brands/{brand_id}/report-recipients", For::Administrators),
    ("POST", "/api/brands/{brand_id}/report-recipients/test", For::Administrators),
    ("GET", "/api/brands/{brand_id}/schedules", For::Members),
    ("POST", "/api/brands/{brand_id}/schedules", For::Administrators),
    ("DELETE", "/api/brands/{brand_id}/schedules/{schedule_id}", For::Administrators),
    ("GET", "/api/me", For::SignedIn),
    ("GET", "/api/tools", For::SignedIn),
    ("POST", "/api/sign-in-codes", For::TokenHolders),
    ("POST", "/api/session", For::SignIn),
    ("GET", "/api/session", For::SignedIn),
    ("DELETE", "/api/session", For::SignedIn),
    ("GET", "/api/sign-in/oidc", For::NotConfigured),
    ("GET", "/api/sign-in/oidc/callback", For::NotConfigured),
    ("PUT", "/api/admin/plans/{plan_id}", For::Operators),
    ("GET", "/api/admin/plans/{plan_id}", For::Operators),
    ("DELETE", "/api/admin/plans/{plan_id}", For::Operators),
    ("PUT", "/api/admin/brands/{brand_id}", For::Operators),
    ("GET", "/api/admin/brands/{brand_id}", For::Operators),
    ("DELETE", "/api/admin/brands/{brand_id}", For::Operators),
    ("GET", "/api/admin/brands/{brand_id}/export", For::Operators),
    ("GET", "/api/admin/erasures", For::Operators),
    ("GET", "/api/admin/erasures/{receipt_id}", For::Operators),
    ("PUT", "/api/admin/brands/{brand_id}/members/{user_id}", For::Operators),
    ("DELETE", "/api/admin/brands/{brand_id}/members/{user_id}", For::Operators),
    ("GET", "/api/admin/plans", For::Operators),
    ("GET", "/api/admin/brands", For::Operators),
    ("GET", "/api/admin/brands/{brand_id}/members", For::Operators),
    ("POST", "/api/admin/brands/{brand_id}/suspend", For::Operators),
    ("POST", "/api/admin/brands/{brand_id}/resume", For::Operators),
    ("POST", "/api/admin/brands/{brand_id}/revoke-keys", For::Operators),
    ("GET", "/api/admin/users", For::Operators),
    ("GET", "/api/admin/users/{user_id}/brands", For::Operators),
    ("POST", "/api/admin/users/{user_id}/revoke-keys", For::Operators),
    ("POST", "/api/admin/users/{user_id}/erase", For::Operators),
    ("POST", "/api/admin/users/{user_id}/end-sessions", For::Operators),
    ("GET", "/api/admin/keys", For::Operators),
    ("POST", "/api/admin/keys/search", For::Operators),
    ("POST", "/api/admin/keys/{key_id}/revoke", For::Operators),
    ("GET", "/api/admin/jobs", For::Operators),
    ("POST", "/api/admin/jobs/hold", For::Operators),
    ("POST", "/api/admin/jobs/resume", For::Operators),
    ("POST", "/api/admin/jobs/{job_id}/retry", For::Operators),
    ("POST", "/api/admin/jobs/{job_id}/cancel", For::Operators),
    ("GET", "/api/admin/event-deliveries", For::Operators),
    ("POST", "/api/admin/event-deliveries/{delivery_id}/resend", For::Operators),
    ("GET", "/api/admin/approvals", For::Operators),
    ("GET", "/api/admin/posts", For::Operators),
    ("GET", "/api/admin/audit", For::Operators),
    ("GET", "/api/admin/activity", For::Operators),
    ("GET", "/api/admin/brands/{brand_id}/posts/{post_id}", For::Operators),
    ("PATCH", "/api/admin/brands/{brand_id}/posts/{post_id}", For::Operators),
    ("DELETE", "/api/admin/brands/{brand_id}/posts/{post_id}", For::Operators),
    ("POST", "/api/admin/brands/{brand_id}/posts/{post_id}/publish", For::Operators),
    ("POST", "/api/admin/brands/{brand_id}/posts/{post_id}/cancel", For::Operators),
    ("POST", "/api/admin/brands/{brand_id}/posts/{post_id}/withdraw", For::Operators),
    ("POST", "/api/admin/brands/{brand_id}/posts/{post_id}/retry", For::Operators),
    ("POST", "/api/leaked-keys", For::Everybody),
    ("GET", "/", For::Everybody),
    ("GET", "/settings/mcp", For::Everybody),
    ("GET", "/operator", For::Everybody),
    ("GET", "/settings/assets/{file}", For::Everybody),
    ("GET", "/bridge/svc_mcp_stdio.py", For::Everybody),
    ("GET", "/bridge/svc_mcp_stdio.py.sha256", For::Everybody),
    ("GET", "/bridge/svc-mcp.mcpb", For::Everybody),
    ("GET", "/bridge/svc-mcp.mcpb.sha256", For::Everybody),
    ("GET", "/feeds/{brand_id}/atom.xml", For::Everybody),
    ("GET", "/feeds/{brand_id}/feed.json", For::Everybody),
    ("GET", "/feeds/{brand_id}/posts/{post_id}", For::Everybody),
    ("GET", "/confirm/{brand_id}/{token}", For::LinkHolders),
    ("POST", "/confirm/{brand_id}/{token}", For::LinkHolders),
    ("GET", "/unsubscribe/{brand_id}/{token}", For::LinkHolders),
    ("POST", "/unsubscribe/{brand_id}/{token}", For::LinkHolders),
    ("GET", "/openapi.json", For::Everybody),
    ("GET", "/docs", For::Everybody),
    ("GET", "/docs/assets/{file}", For::Everybody),
    ("GET", "/healthz", For::Everybody),
    ("GET", "/readyz", For::Everybody),
];

const SIGN_OUT: (&str, &str) = ("DELETE", "/api/session");
const ERASE_BRAND: (&str, &str) = ("DELETE", "/api/admin/brands/{brand_id}");
const ERASED_BRAND: &str = "erased";

/// The one route that takes a file.
const KEYWORD_IMPORTS: (&str, &str) = ("POST", "/api/brands/{brand_id}/keyword-imports");
/// A brand that is suspended and resumed.
const STOPPED_BRAND: &str = "stopped";
const KEYWORD_LIST: &str = "Query,Clicks,Impressions\ntea,1,2\n";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Who {
    Nobody,
    Garbage,
    Basic,
    ExpiredToken,
    ForgedToken,
    OtherBrandsAdmin,
    Member,
    Admin,
    Operator,
    /// A browser in which an administrator is signed in.
    AdminSession,
    OperatorSession,
    /// The same browser, in a request of another site.
    OperatorSessionElsewhere,
    ReadKey,
    WriteKey,
    FullKey,
    RevokedKey,
    ExpiredKey,
    OtherBrandsKey,
}

const EVERYONE: [Who; 18] = [
    Who::Nobody,
    Who::Garbage,
    Who::Basic,
    Who::ExpiredToken,
    Who::ForgedToken,
    Who::OtherBrandsAdmin,
    Who::Member,
    Who::Admin,
    Who::Operator,
    Who::AdminSession,
    Who::OperatorSession,
    Who::OperatorSessionElsewhere,
    Who::ReadKey,
    Who::WriteKey,
    Who::FullKey,
    Who::RevokedKey,
    Who::ExpiredKey,
    Who::OtherBrandsKey,
];

/// `None`: it works. Otherwise the status and code of the refusal.
#[expect(clippy::match_same_arms, reason = "it reads in the order in which the service decides")]
fn expected(route: For, who: Who) -> Option<(u16, &'static str)> {
    use Who::*;
    const NO_TOKEN: Option<(u16, &str)> = Some((401, "token_invalid"));
    const MISSING: Option<(u16, &str)> = Some((401, "credential_missing"));
    let is_token = matches!(who, OtherBrandsAdmin | Member | Admin | Operator);
    let is_session = matches!(who, AdminSession | OperatorSession | OperatorSessionElsewhere);
    match (route, who) {
        (For::Everybody, _) => None,
        (For::LinkHolders, _) => Some((404, "")),
        (For::NotConfigured, _) => Some((404, "not_found")),
        (_, Nobody) => MISSING,
        (For::Keys | For::WriteKeys | For::TokenHolders, _) if is_session => MISSING,
        (_, OperatorSessionElsewhere) => Some((403, "cross_origin")),
        (For::SignIn, _) if is_session => MISSING,
        (For::Keys | For::WriteKeys, WriteKey | FullKey | OtherBrandsKey) | (For::Keys, ReadKey) => None,
        (For::WriteKeys, ReadKey) => Some((403, "insufficient_scope")),
        (For::Keys | For::WriteKeys, _) => Some((401, "key_invalid")),
        (_, _) if !is_token && !is_session => NO_TOKEN,
        (For::SignedIn | For::TokenHolders | For::SignIn, _) => None,
        (For::Operators, Operator | OperatorSession) => None,
        (For::Operators, _) => Some((403, "not_operator")),
        (_, OtherBrandsAdmin | Operator | OperatorSession) => Some((404, "not_found")),
        (For::KeyCreator | For::KeyCreatorOrAdmin, Member) => Some((403, "not_key_creator")),
        (For::Approvers, Member) => Some((403, "not_approver")),
        (For::Administrators, Member) => Some((403, "not_admin")),
        (_, _) => None,
    }
}

fn body_of(method: &str, path: &str, digest: &Value, secret: &str) -> Option<Value> {
    match (method, path) {
        ("POST", path) if path.ends_with("/keys/search") => Some(json!({"secret": secret})),
        ("POST", path) if path.ends_with("/approve") => Some(json!({"digest": digest})),
        ("POST", path) if path.ends_with("/reject") => Some(json!({"reason": "no"})),
        ("PATCH", path) if path.ends_with("/approval-settings") => Some(json!({"approval_minimum": "none"})),
        ("PUT", path) if path.ends_with("/emails") => Some(json!({"enabled": false})),
        ("POST", "/mcp/v1/tools/call") => Some(
            json!({"name": "create_post", "arguments": {"text": "x", "channels": ["feed"], "dry_run": true}}),
        ),
        ("POST", path) if path.ends_with("/schedules") => {
            Some(json!({"kind": "audit", "every": "week", "weekday": "monday", "at": "09:00"}))
        }
        ("POST", "/api/leaked-keys") => Some(json!({"keys": ["svc_mcp_unknown"]})),
        ("POST", path) if path.ends_with("/mcp-keys") => Some(json!({"label": "swept"})),
        ("PATCH", path) if path.ends_with("/{key_id}") => Some(json!({"paused": true})),
        ("PUT", path) if path.contains("/plans/") => Some(json!({"name": "Business", "mcp_enabled": true})),
        ("PUT", path) if path.ends_with("/approval-settings/emails") => Some(json!({"enabled": false})),
        ("PUT", path) if path.ends_with("/report-recipients") => Some(json!({"recipients": []})),
        ("PUT", path) if path.ends_with("/{endpoint_id}") => Some(json!({"url": "https://hooks.example"})),
        ("PUT", path) if path.ends_with("/{channel_id}") => {
            Some(json!({"kind": "webhook", "settings": {"url": "https://hooks.example"}}))
        }
        ("PATCH", path) if path.ends_with("/{brand_id}") => Some(json!({"time_zone": "Europe/Berlin"})),
        ("PATCH", _) => Some(json!({"text": "changed"})),
        ("PUT", path) if path.ends_with("/{user_id}") => Some(json!({"role": "member"})),
        ("PUT", _) => Some(json!({"name": "Acme", "website": "https://acme.example", "plan_id": "business"})),
        _ => None,
    }
}

/// Whether the token of the same person has made this change already.
fn is_done_already((method, pattern, route): (&str, &str, For), who: Who, got: Option<(u16, &str)>) -> bool {
    let Some((status, _)) = got else { return false };
    let removes = method == "DELETE" || pattern.ends_with("/cancel");
    match who {
        Who::AdminSession => status == 409 || removes && status == 404,
        Who::OperatorSession => route == For::Operators && matches!(status, 404 | 409),
        _ => false,
    }
}

/// The cookie of a browser in which the holder of a token has signed in.
async fn signed_in(app: &TestApp, token: &str) -> String {
    let request = app.post("/api/session").header("sec-fetch-site", "same-origin").bearer(token);
    let reply = request.send().await.expect_status(201);
    reply.header("set-cookie").split(';').next().unwrap().to_owned()
}

/// How a request proves who sends it.
enum Proof {
    None,
    Authorization(String),
    Cookie(String),
}

struct Credentials(Vec<(Who, Proof)>);

impl Credentials {
    async fn of(app: &TestApp) -> Self {
        let revoked = app.create_key(json!({"label": "revoked"})).await;
        app.revoke(&revoked.key_id).await;
        let soon = "2026-11-15T00:01:00Z";
        let expired = app.create_key(json!({"label": "expired", "expires_at": soon})).await;
        let expired_token = app.sign("ada", true, Duration::from_secs(1));
        let other = app.create_key_as("eve", OTHER_BRAND, json!({"label": "other", "scope": "write"})).await;
        let mut forged = app.token("ada");
        let last = if forged.pop() == Some('A') { 'B' } else { 'A' };
        forged.insert(forged.len() - 10, last);
        app.clock.advance(Duration::from_mins(30));
        let bearer = |token: String| Proof::Authorization(format!("Bearer {token}"));
        let operators_browser = signed_in(app, &app.operator()).await;
        Self(vec![
            (Who::Nobody, Proof::None),
            (Who::Garbage, bearer("xyz".into())),
            (Who::Basic, Proof::Authorization("Basic YWRhOnNlY3JldA==".into())),
            (Who::ExpiredToken, bearer(expired_token)),
            (Who::ForgedToken, bearer(forged)),
            (Who::OtherBrandsAdmin, bearer(app.token("eve"))),
            (Who::Member, bearer(app.token("ben"))),
            (Who::Admin, bearer(app.token("ada"))),
            (Who::Operator, bearer(app.operator())),
            (Who::AdminSession, Proof::Cookie(signed_in(app, &app.token("ada")).await)),
            (Who::OperatorSession, Proof::Cookie(operators_browser.clone())),
            (Who::OperatorSessionElsewhere, Proof::Cookie(operators_browser)),
            (Who::ReadKey, bearer(app.key("read").await)),
            (Who::WriteKey, bearer(app.key("write").await)),
            (Who::FullKey, bearer(app.key("full").await)),
            (Who::RevokedKey, bearer(revoked.api_key)),
            (Who::ExpiredKey, bearer(expired.api_key)),
            (Who::OtherBrandsKey, bearer(other.api_key)),
        ])
    }
}

/// A post that the route can be used for.
async fn create_post_for(app: &TestApp, key: &str, pattern: &str) -> String {
    let (channel, mode) = match pattern {
        // Publishing fails, because the channel has a private address.
        retry if retry.ends_with("/retry") => ("unreachable", "now"),
        feed if feed.starts_with("/feeds") => ("feed", "now"),
        _ => ("feed", "draft"),
    };
    let post = json!({"text": "x", "channels": [channel], "mode": mode});
    let created = app.call(key, "create_post", post).await;
    created.result()["post"]["post_id"].as_str().unwrap().to_owned()
}

/// A job that can be tried again or cancelled.
async fn create_job_for(app: &TestApp, key: &str, pattern: &str) -> String {
    let status = if pattern.ends_with("/retry") { "failed" } else { "waiting" };
    if status == "failed" {
        create_post_for(app, key, pattern).await;
    } else {
        let post = json!({"text": "x", "channels": ["feed"], "mode": "schedule", "scheduled_at": "2027-01-01T00:00:00Z"});
        app.call(key, "create_post", post).await.result();
    }
    let path = format!("/api/admin/jobs?status={status}&brand={BRAND}&kind=publish");
    let jobs = app.get(&path).bearer(&app.operator()).send().await.expect_status(200).body;
    jobs["jobs"][0]["job_id"].as_str().unwrap_or_else(|| panic!("{jobs}")).to_owned()
}

/// A delivery to an endpoint, which fails because its address is private.
async fn create_delivery(app: &TestApp) -> String {
    let path = format!("/api/brands/{BRAND}/event-endpoints/unreachable");
    let body = json!({"url": "https://127.0.0.1:1/", "types": ["key.created"]});
    app.put(&path).bearer(&app.token("ada")).json(&body).await.expect_status(200);
    app.key("read").await;
    let path = format!("/api/brands/{BRAND}/event-deliveries");
    let list = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200).body;
    list["event_deliveries"][0]["delivery_id"].as_str().unwrap().to_owned()
}

/// The id and the digest of a call that waits for approval.
async fn hold_call(app: &TestApp) -> (String, Value) {
    let key = app.create_key(json!({"label": "asks", "scope": "write", "approval": "outward"})).await;
    let post = json!({"text": "x", "channels": ["feed"], "mode": "now"});
    let held = app.call(&key.api_key, "create_post", post).await;
    let approval_id = held.result()["approval_id"].as_str().unwrap().to_owned();
    let path = format!("/api/brands/{BRAND}/approvals/{approval_id}");
    let view = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
    (approval_id, view.body["digest"].clone())
}

#[test]
fn every_route_has_a_row() {
    let document = router::document();
    let mut documented = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        documented
            .extend(item.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone())));
    }
    let rows: BTreeSet<_> =
        ROWS.iter().map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned())).collect();
    assert_eq!(rows, documented);
}

#[tokio::test]
async fn every_route_with_every_credential() {
    let app = TestApp::new().await;
    let credentials = Credentials::of(&app).await;
    app.put_brand(STOPPED_BRAND, "business").await;
    assert_eq!(credentials.0.iter().map(|(who, _)| *who).collect::<Vec<_>>(), EVERYONE);
    let (hook, writer) =
        (json!({"kind": "webhook", "settings": {"url": "https://127.0.0.1:1/"}}), app.key("write").await);
    let path = format!("/api/brands/{BRAND}/channels/unreachable");
    app.put(&path).bearer(&app.token("ada")).json(&hook).await.expect_status(200);
    let list = app.post(&format!("/api/brands/{BRAND}/keyword-imports")).bearer(&app.token("ada"));
    let list = list.header("content-type", "text/csv").body(KEYWORD_LIST).await.expect_status(201);
    let import_id = list.body["import_id"].as_str().unwrap().to_owned();
    let schedule = json!({"kind": "audit", "every": "month", "day": 1, "at": "09:00"});
    let path = format!("/api/brands/{BRAND}/schedules");
    let schedule = app.post(&path).bearer(&app.token("ada")).json(&schedule).await.expect_status(201);
    let schedule_id = schedule.body["schedule"]["schedule_id"].as_str().unwrap().to_owned();
    app.put_brand(ERASED_BRAND, "business").await;
    let path = format!("/api/admin/brands/{ERASED_BRAND}");
    let receipt = app.delete(&path).bearer(&app.operator()).send().await.expect_status(202);
    let receipt_id = receipt.body["receipt_id"].as_str().unwrap().to_owned();
    let delivery_id = create_delivery(&app).await;
    let audits = app.post(&format!("/api/brands/{BRAND}/audits")).bearer(&app.token("ada"));
    let audit_id = audits.send().await.expect_status(202).body["audit_id"].as_str().unwrap().to_owned();
    let mut wrong = Vec::new();
    for (method, pattern, route) in ROWS {
        let key = app.create_key(json!({"label": "in the path"})).await;
        // Plans that brands are on cannot be deleted, so that row has one of its own.
        let plan = if *method == "DELETE" { "unused" } else { "business" };
        let has_post = pattern.contains("{post_id}");
        let post_id = if has_post { create_post_for(&app, &writer, pattern).await } else { String::new() };
        let has_approval = pattern.contains("{approval_id}");
        let (approval_id, digest) = if has_approval { hold_call(&app).await } else { Default::default() };
        let has_job = pattern.contains("{job_id}");
        let job_id = if has_job { create_job_for(&app, &writer, pattern).await } else { String::new() };
        // What stops a brand is done to one that no other row uses.
        let stops = ["/suspend", "/resume", "/revoke-keys"].iter().any(|end| pattern.ends_with(end));
        let brand = match (*method, *pattern) {
            // An erased brand is of no use to the other rows.
            ERASE_BRAND => ERASED_BRAND,
            _ if stops => STOPPED_BRAND,
            _ => BRAND,
        };
        let path = pattern
            .replace("{brand_id}", brand)
            .replace("{receipt_id}", &receipt_id)
            .replace("{job_id}", &job_id)
            .replace("{approval_id}", &approval_id)
            .replace("{key_id}", &key.key_id)
            .replace("{channel_id}", "hook")
            .replace("{endpoint_id}", "hook")
            .replace("{delivery_id}", &delivery_id)
            .replace("{plan_id}", plan)
            .replace("{user_id}", "zoe")
            .replace("{post_id}", &post_id)
            .replace("{import_id}", &import_id)
            .replace("{schedule_id}", &schedule_id)
            .replace("{audit_id}", &audit_id)
            .replace("{file}", if pattern.starts_with("/docs") { "swagger-ui.css" } else { "index.html" })
            .replace("{token}", &"A".repeat(43));
        let path = if *pattern == "/api/admin/posts" { format!("{path}?brand={BRAND}") } else { path };
        for (who, credential) in &credentials.0 {
            // A sign-in and sessions are only for the pages of the service.
            let site = if *who == Who::OperatorSessionElsewhere { "cross-site" } else { "same-origin" };
            let request = app.request(method, &path).header("sec-fetch-site", site);
            let request = match credential {
                Proof::None => request,
                Proof::Authorization(value) => request.header("authorization", value),
                // The other rows still need their sessions.
                Proof::Cookie(_) if (*method, *pattern) == SIGN_OUT => {
                    request.header("cookie", &signed_in(&app, &app.operator()).await)
                }
                Proof::Cookie(cookie) => request.header("cookie", cookie),
            };
            let reply = match body_of(method, pattern, &digest, &key.api_key) {
                _ if (*method, *pattern) == KEYWORD_IMPORTS => {
                    request.header("content-type", "text/csv").body(KEYWORD_LIST).await
                }
                Some(body) => request.json(&body).await,
                None => request.send().await,
            };
            let got = (reply.status >= 400).then(|| (reply.status, reply.code()));
            let expected = expected(*route, *who);
            let is_expected = got == expected
                || expected.is_none() && is_done_already((method, pattern, *route), *who, got);
            if !is_expected {
                wrong.push(format!("{method} {pattern} as {who:?}: {got:?}, not {expected:?}"));
            }
        }
        app.revoke(&key.key_id).await;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
