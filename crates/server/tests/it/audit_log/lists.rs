//! What the operator reads: the audit log and the activity of all brands.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_access::Clock;

use crate::support::{AppOptions, BRAND, OTHER_BRAND, TestApp};

fn column(records: &[Value], name: &str) -> Vec<String> {
    records.iter().map(|record| record[name].as_str().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn audit_log_is_filtered_by_time_brand_actor_and_action() {
    let app = TestApp::new().await;
    app.clock.advance(Duration::from_secs(1));
    let start = app.clock.now();
    app.create_key(json!({"label": "first"})).await;
    app.clock.advance(Duration::from_secs(1));
    let middle = app.clock.now();
    app.create_key_as("ben", BRAND, json!({"label": "second"})).await;
    app.create_key_as("eve", OTHER_BRAND, json!({"label": "third"})).await;
    app.put_plan("another", true).await;

    let all = app.audit_records(&format!("since={start}")).await;
    assert_eq!(column(&all, "actor"), ["ada", "ben", "eve", "olga"]);
    assert_eq!(column(&all, "role"), ["admin", "member", "admin", "operator"]);
    assert_eq!(column(&all, "action"), ["key.create", "key.create", "key.create", "plan.put"]);
    assert_eq!(all[3]["brand_id"], Value::Null, "a plan belongs to no brand");
    for (filters, expected) in [
        (format!("since={middle}"), &["ben", "eve", "olga"][..]),
        (format!("since={start}&until={middle}"), &["ada"]),
        (format!("since={start}&brand={BRAND}"), &["ada", "ben"]),
        (format!("since={start}&actor=eve"), &["eve"]),
        (format!("since={start}&action=plan.put"), &["olga"]),
        (format!("since={start}&action=key.create&brand={OTHER_BRAND}"), &["eve"]),
        (format!("since={start}&actor=nobody"), &[]),
    ] {
        assert_eq!(column(&app.audit_records(&filters).await, "actor"), expected, "{filters}");
    }
    let path = format!("/api/admin/audit?since={start}&limit=3");
    let page = app.get(&path).bearer(&app.operator()).send().await.expect_status(200).body;
    assert_eq!(page["records"], json!(all[..3]));
    let next = format!("{path}&cursor={}", page["next_cursor"].as_str().unwrap());
    let page = app.get(&next).bearer(&app.operator()).send().await.expect_status(200).body;
    assert_eq!((&page["records"], &page["next_cursor"]), (&json!(all[3..]), &Value::Null));
    let wrong = app.get("/api/admin/audit?action=key.steal").bearer(&app.operator()).send().await;
    assert_eq!(wrong.expect_status(422).faulty_fields(), ["action"]);
}

#[tokio::test]
async fn records_say_what_has_changed_without_texts_names_and_addresses() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "a label", "scope": "write"})).await;
    app.clock.advance(Duration::from_secs(1));
    let change = json!({"label": "another label", "scope": "read", "allowed_networks": ["203.0.113.0/24", "127.0.0.0/8"]});
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    app.request("PATCH", &path).bearer(&app.token("ada")).json(&change).await.expect_status(200);
    let member = json!({"role": "admin", "name": "Benedict", "email": "benedict@acme.example"});
    let path = format!("/api/admin/brands/{BRAND}/members/ben");
    app.put(&path).bearer(&app.operator()).json(&member).await.expect_status(200);
    let again = app.put(&path).bearer(&app.operator()).json(&member).await;
    again.expect_status(200);
    let records = app.new_audit_records().await;
    let [of_key, of_member] = &records[..] else {
        panic!("a change that changes nothing has no record: {records:?}")
    };
    assert_eq!(of_key["target"], json!({"kind": "key", "id": key.key_id}));
    assert_eq!(of_key["before"], json!({"scope": "write"}));
    let after = json!({"scope": "read", "label": "changed", "allowed_networks": "changed"});
    assert_eq!(of_key["after"], after);
    assert_eq!(of_member["target"], json!({"kind": "member", "id": "ben"}));
    assert_eq!(of_member["before"], json!({"role": "member"}));
    assert_eq!(of_member["after"], json!({"role": "admin", "name": "changed", "email": "changed"}));
}

#[tokio::test]
async fn export_of_a_brand_is_recorded_and_its_records_survive_its_erasure() {
    let app = TestApp::new().await;
    app.clock.advance(Duration::from_secs(1));
    let brand = format!("/api/admin/brands/{BRAND}");
    app.get(&format!("{brand}/export")).bearer(&app.operator()).send().await.expect_status(200);
    app.delete(&brand).bearer(&app.operator()).send().await.expect_status(202);
    app.delete(&brand).bearer(&app.operator()).send().await.expect_status(202);
    let records = app.new_audit_records().await;
    assert_eq!(column(&records, "action"), ["brand.export", "brand.erase"]);
    let all = app.audit_records(&format!("brand={BRAND}")).await;
    let text = json!(all).to_string();
    assert!(all.len() > 3, "{text}");
    for personal in ["acme.example", "a label"] {
        assert!(!text.contains(personal), "{text}");
    }
}

#[tokio::test]
async fn activity_of_all_brands_is_listed_by_time() {
    let app = TestApp::with(AppOptions::default()).await;
    app.create_key(json!({"label": "before"})).await;
    app.clock.advance(Duration::from_secs(1));
    let since = app.clock.now();
    app.create_key(json!({"label": "one"})).await;
    app.clock.advance(Duration::from_secs(1));
    app.create_key_as("eve", OTHER_BRAND, json!({"label": "two"})).await;
    app.clock.advance(Duration::from_secs(1));
    app.create_key(json!({"label": "three"})).await;
    let (mut events, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/admin/activity?since={since}&limit=2{cursor}");
        let page = app.get(&path).bearer(&app.operator()).send().await.expect_status(200).body;
        events.extend(page["events"].as_array().unwrap().iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(column(&events, "brand_id"), [BRAND, OTHER_BRAND, BRAND]);
    assert_eq!(column(&events, "kind"), ["created"; 3]);
    let path = format!("/api/admin/activity?until={since}");
    let earlier = app.get(&path).bearer(&app.operator()).send().await.expect_status(200).body;
    assert_eq!(earlier["events"].as_array().unwrap().len(), 1);
}
