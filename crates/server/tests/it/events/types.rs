use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use svc_mcp_tools::events::EventType;

use super::{EventReceiver, OPERATOR_SECRET, ReceivedEvent, app_with, label, operator_arguments};
use crate::{
    audits::run_job,
    support::{BRAND, Receiver, Site, TestApp, eventually},
};

/// Texts that no event may contain.
const PRIVATE: [&str; 4] = ["a private label", "the text of a post", "zoe@example.com", "svc_mcp_"];

/// Causes every type of event once or more.
async fn cause_everything(app: &TestApp, receiver: &EventReceiver, site: &Site) {
    change_plans_brands_and_members(app, receiver).await;
    use_keys(app).await;
    decide_on_a_call(app).await;
    publish_posts(app).await;
    audit_twice(app, site).await;
    // Last, because the clock moves far.
    let body = json!({"label": "a private label", "expires_at": "2026-12-05T00:00:00Z"});
    app.create_key(body).await;
    app.clock.advance(Duration::from_hours(24 * 18));
}

async fn change_plans_brands_and_members(app: &TestApp, receiver: &EventReceiver) {
    let operator = app.operator();
    app.put_plan("team", true).await;
    app.put_brand("gone", "business").await;
    for path in ["/api/admin/brands/gone/suspend", "/api/admin/brands/gone/resume"] {
        app.post(path).bearer(&operator).json(&json!({})).await.expect_status(200);
    }
    let path = format!("/api/admin/brands/{BRAND}/members/zoe");
    let body = json!({"role": "member", "email": "zoe@example.com", "name": "zoe"});
    app.put(&path).bearer(&operator).json(&body).await.expect_status(200);
    app.remove_member(BRAND, "zoe").await;
    // The erasure also deletes the events of the brand that are not sent yet.
    let is_resumed = |events: &[ReceivedEvent]| events.iter().any(|event| event.kind() == "brand.resumed");
    receiver.wait_for("the resumed brand", is_resumed).await;
    app.delete("/api/admin/brands/gone").bearer(&operator).send().await.expect_status(202);
    let erased = "/api/admin/erasures";
    eventually("the erasure", async || {
        app.clock.advance(Duration::from_secs(70));
        let receipts = app.get(erased).bearer(&app.operator()).send().await.expect_status(200);
        receipts.text.contains(r#""finished_at":"2026"#).then_some(())
    })
    .await;
}

async fn use_keys(app: &TestApp) {
    let key = app.create_key(json!({"label": "a private label", "scope": "write"})).await;
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    label(app, &key.key_id, "a private label 2").await;
    let ada = app.token("ada");
    app.post(&format!("{path}/reveal")).bearer(&ada).send().await.expect_status(200);
    app.post(&format!("{path}/rotate")).bearer(&ada).json(&json!({})).await.expect_status(200);
    app.set_paused("ada", &key.key_id, true).await.expect_status(200);
    app.set_paused("ada", &key.key_id, false).await.expect_status(200);
    app.revoke(&key.key_id).await;
    let leaked = app.key("read").await;
    app.post("/api/leaked-keys").json(&json!({"keys": [leaked]})).await.expect_status(202);
}

async fn decide_on_a_call(app: &TestApp) {
    let key = app.create_key(json!({"label": "asks", "scope": "write", "approval": "all"})).await;
    let post = json!({"text": "the text of a post", "channels": ["feed"]});
    let held = app.call(&key.api_key, "create_post", post).await;
    let id = held.result()["approval_id"].as_str().unwrap().to_owned();
    let path = format!("/api/brands/{BRAND}/approvals/{id}/reject");
    app.post(&path).bearer(&app.token("ada")).json(&json!({"reason": "no"})).await.expect_status(200);
}

async fn publish_posts(app: &TestApp) {
    let gone = Receiver::start().await;
    gone.respond_with([(410, None)]);
    let path = format!("/api/brands/{BRAND}/channels/hook");
    let hook = json!({"kind": "webhook", "settings": {"url": gone.url}});
    app.put(&path).bearer(&app.token("ada")).json(&hook).await.expect_status(200);
    let key = app.key("write").await;
    let create = async |channel: &str| {
        let post = json!({"text": "the text of a post", "channels": [channel], "mode": "now"});
        app.call(&key, "create_post", post).await.result()["post"]["post_id"].clone()
    };
    let published = create("feed").await;
    create("hook").await;
    app.call(&key, "withdraw_post", json!({"post_id": published})).await.result();
}

async fn audit_twice(app: &TestApp, site: &Site) {
    app.put_sites(&site.url, &[]).await;
    let key = app.key("write").await;
    for page in ["<a href=/menu>Menu</a>", "<a href=/menu>Menu</a> <a href=/missing>Missing</a>"] {
        let home = format!("<html lang=en><title>The home of good coffee beans</title><h1>Home</h1>{page}");
        site.put("/", 200, &home);
        let audit = run_job(app, &key, "run_audit", json!({})).await;
        assert_eq!(audit["status"], "done", "{audit}");
        app.clock.advance(Duration::from_mins(10));
    }
}

fn fields(event: &ReceivedEvent) -> BTreeSet<String> {
    event.body()["data"].as_object().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn every_type_is_sent_with_its_data_and_nothing_private() {
    let receiver = EventReceiver::start().await;
    let app = app_with(operator_arguments(&receiver)).await;
    let site =
        Site::with(&[("/menu", "<html lang=en><title>All that we have on the menu</title><h1>Menu</h1>")]);
    let site = site.await;
    cause_everything(&app, &receiver, &site).await;
    let is_complete = |events: &[ReceivedEvent]| {
        let seen: BTreeSet<String> = events.iter().map(ReceivedEvent::kind).collect();
        EventType::ALL.iter().all(|event| seen.contains(event.as_str()))
    };
    let all = receiver.shared.events.clone();
    let seen =
        tokio::time::timeout(Duration::from_mins(4), receiver.wait_for("every type", is_complete)).await;
    let events = seen.unwrap_or_else(|_| {
        let seen: BTreeSet<String> = all.lock().unwrap().iter().map(ReceivedEvent::kind).collect();
        panic!("only {seen:?}");
    });
    for event in &events {
        assert!(event.is_signed_with(OPERATOR_SECRET), "{event:?}");
        for text in PRIVATE {
            assert!(!event.raw.contains(text), "{text} in {}", event.raw);
        }
        let kind: EventType = event.kind().parse().unwrap();
        let (optional, needed): (Vec<&str>, Vec<&str>) =
            kind.data().iter().partition(|field| field.ends_with('?'));
        let (have, optional): (BTreeSet<String>, BTreeSet<String>) =
            (fields(event), optional.iter().map(|field| field.trim_end_matches('?').to_owned()).collect());
        let needed: BTreeSet<String> = needed.into_iter().map(str::to_owned).collect();
        assert!(have.is_superset(&needed), "{kind:?}: {}", event.raw);
        assert!(have.is_subset(&needed.union(&optional).cloned().collect()), "{kind:?}: {}", event.raw);
    }
    let data = |kind: &str| events.iter().find(|event| event.kind() == kind).unwrap().body()["data"].clone();
    for (kind, field, value) in [
        ("key.updated", "changed", json!(["label"])),
        ("key.leaked", "actor", json!("svc-mcp")),
        ("key.revoked", "actor", json!("ada")),
        ("approval.requested", "tool", json!("create_post")),
        ("approval.decided", "status", json!("rejected")),
        ("post.published", "channel", json!("feed")),
        ("post.failed", "status", json!("failed")),
        ("post.withdrawn", "status", json!("withdrawn")),
        ("job.failed", "kind", json!("publish")),
        ("audit.new_errors", "brand_id", json!(BRAND)),
        ("brand.suspended", "brand_id", json!("gone")),
        ("brand.resumed", "actor", json!("olga")),
        ("brand.erased", "brand_id", json!("gone")),
        ("member.removed", "user_id", json!("zoe")),
        ("plan.updated", "change", json!("put")),
    ] {
        assert_eq!(data(kind)[field], value, "{kind}");
    }
    let zoe = json!({"brand_id": BRAND, "user_id": "zoe", "role": "member", "actor": "olga"});
    assert!(events.iter().any(|event| event.kind() == "member.added" && event.body()["data"] == zoe));
    assert!(data("audit.new_errors")["new_errors"].as_u64().unwrap() >= 1);
    assert_eq!(data("key.expiring")["reason"], Value::from("in_3_days"));
}
