use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use svc_mcp_access::{Clock, Timestamp};
use svc_mcp_testkit::Smtp;

use super::{
    EventReceiver, ReceivedEvent, add_endpoint, app_with, deliveries, get_endpoint, label, put_endpoint,
    wait_for_deliveries,
};
use crate::{
    reports::wait_for_mails,
    support::{BRAND, TestApp, eventually},
};

/// The types of a key's events in their order, with repetitions of one event removed.
fn types_of(events: &[ReceivedEvent], key_id: &str) -> Vec<String> {
    let of_key = events.iter().filter(|event| event.body()["data"]["key_id"] == key_id);
    let mut ids = BTreeSet::new();
    of_key.filter(|event| ids.insert(event.id().to_owned())).map(ReceivedEvent::kind).collect()
}

/// Waits until the delivery that is tried first has had this many tries, and moves the clock to its next one. Returns its
/// status.
async fn advance_after_try(app: &TestApp, attempts: u64) -> Value {
    let tried = eventually(&format!("try {attempts}"), async || {
        let all = deliveries(app, "").await;
        let has_ended = |delivery: &&Value| delivery["attempts"] == attempts && !is_leased(delivery);
        all.iter().find(has_ended).cloned()
    })
    .await;
    if let Some(next) = tried["next_try_at"].as_str() {
        let next: Timestamp = next.parse().unwrap();
        let wait = u64::try_from(next.millis() - app.clock.now().millis()).unwrap_or(0);
        app.clock.advance(Duration::from_millis(wait));
    }
    tried
}

/// During a try, `next_try_at` is the end of the lease.
fn is_leased(delivery: &Value) -> bool {
    const LEASE_MILLIS: i64 = 30_000;
    let time = |field: &str| delivery[field].as_str().and_then(|text| text.parse::<Timestamp>().ok());
    let (Some(next), Some(last)) = (time("next_try_at"), time("last_try_at")) else { return false };
    next.millis() - last.millis() == LEASE_MILLIS
}

/// Moves the clock, but not during a try, whose lease would end.
async fn advance_between_tries(app: &TestApp, step: Duration) {
    if !deliveries(app, "status=pending").await.iter().any(is_leased) {
        app.clock.advance(step);
    }
}

#[tokio::test]
async fn after_an_outage_of_an_hour_everything_arrives_in_order() {
    let receiver = EventReceiver::start().await;
    receiver.answer_with(503);
    let app = app_with(Vec::new()).await;
    add_endpoint(&app, "crm", &receiver).await;
    let (first, second) =
        (app.create_key(json!({"label": "first"})).await, app.create_key(json!({"label": "second"})).await);
    for round in 0..4 {
        for key in [&first, &second] {
            label(&app, &key.key_id, &format!("label {round}")).await;
            app.set_paused("ada", &key.key_id, round % 2 == 0).await.expect_status(200);
        }
        receiver.wait_for_count(1 + round).await;
        app.clock.advance(Duration::from_mins(15));
    }
    app.revoke(&first.key_id).await;
    receiver.answer_with(204);
    let expected: Vec<&str> = ["key.created"]
        .into_iter()
        .chain(["key.updated", "key.paused", "key.updated", "key.resumed"].repeat(2))
        .collect();
    let first_expected: Vec<&str> = expected.iter().copied().chain(["key.revoked"]).collect();
    eventually("all events", async || {
        // The next tries may be hours away.
        advance_between_tries(&app, Duration::from_mins(10)).await;
        let accepted = receiver.accepted();
        let is_complete = types_of(&accepted, &first.key_id).len() == first_expected.len()
            && types_of(&accepted, &second.key_id).len() == expected.len();
        is_complete.then_some(())
    })
    .await;
    let accepted = receiver.accepted();
    assert_eq!(types_of(&accepted, &first.key_id), first_expected);
    assert_eq!(types_of(&accepted, &second.key_id), expected);
    // Every try of one event had the same id and body.
    for event in receiver.events() {
        let same = accepted.iter().find(|other| other.id() == event.id()).expect("it was accepted later");
        assert_eq!(same.raw, event.raw);
    }
}

#[tokio::test]
async fn delivery_fails_after_eight_tries() {
    let receiver = EventReceiver::start().await;
    receiver.answer_with(500);
    let app = app_with(Vec::new()).await;
    add_endpoint(&app, "crm", &receiver).await;
    app.key("read").await;
    let mut last = Value::Null;
    for attempt in 1..=8 {
        last = advance_after_try(&app, attempt).await;
    }
    assert_eq!(
        (&last["status"], &last["last_status"], &last["next_try_at"]),
        (&json!("failed"), &json!(500), &Value::Null)
    );
    let events = receiver.events();
    assert_eq!(events.len(), 8);
    assert!(events.iter().all(|event| event.id() == events[0].id() && event.raw == events[0].raw));
    // A day has passed.
    let first: i64 = events[0].header("webhook-timestamp").parse().unwrap();
    let spent = app.clock.now().millis() / 1000 - first;
    assert!((24 * 3600..25 * 3600).contains(&spent), "{spent} seconds");
}

#[tokio::test]
async fn endpoint_that_fails_for_three_days_is_switched_off_with_a_mail() {
    let (smtp, receiver) = (Smtp::start(), EventReceiver::start().await);
    receiver.answer_with(500);
    let app = app_with(vec![
        format!("--smtp-url=smtp://127.0.0.1:{}?tls=none", smtp.port()),
        "--mail-from=Svc <reports@svc.example>".into(),
        "--public-url=https://svc.example".into(),
    ])
    .await;
    for (user, role) in [("ada", "admin"), ("ben", "member")] {
        let path = format!("/api/admin/brands/{BRAND}/members/{user}");
        let body = json!({"role": role, "email": format!("{user}@example.com")});
        app.put(&path).bearer(&app.operator()).json(&body).await.expect_status(200);
    }
    add_endpoint(&app, "crm", &receiver).await;
    let key = app.create_key(json!({"label": "changed"})).await;
    receiver.wait_for_count(1).await;
    let mut changes = 0;
    let off = eventually("the endpoint is off", async || {
        changes += 1;
        label(&app, &key.key_id, &format!("change {changes}")).await;
        advance_between_tries(&app, Duration::from_hours(2)).await;
        let endpoint = get_endpoint(&app, "crm").await;
        (!endpoint["disabled_at"].is_null()).then_some(endpoint)
    })
    .await;
    assert_eq!((&off["enabled"], &off["disabled_reason"]), (&json!(true), &json!("It answered 500.")));
    let time = |field: &str| off[field].as_str().unwrap().parse::<Timestamp>().unwrap().millis();
    assert!(time("disabled_at") - time("failing_since") >= 72 * 3_600_000, "{off}");
    let mails = wait_for_mails(&smtp, 1).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].to(), "ada@example.com");
    assert_eq!(mails[0].header("subject"), format!("The event endpoint “crm” of {BRAND} is switched off"));
    let text = mails[0].part("text/plain");
    assert!(text.contains("Last answer: It answered 500.") && !text.contains(&receiver.url), "{text}");
    eventually("nothing waits", async || {
        // A change that committed at the same moment is given up at the next look.
        app.clock.advance(Duration::from_secs(1));
        deliveries(&app, "status=pending").await.is_empty().then_some(())
    })
    .await;
    // Nothing is sent until an administrator saves it again.
    let before = receiver.events().len();
    receiver.answer_with(204);
    app.key("read").await;
    put_endpoint(&app, "crm", json!({"url": receiver.url})).await.expect_status(200);
    assert_eq!(get_endpoint(&app, "crm").await["disabled_at"], Value::Null);
    app.key("read").await;
    wait_for_deliveries(&app, "delivered", 1).await;
    assert_eq!(receiver.events().len(), before + 1);
}

#[tokio::test]
async fn slow_endpoint_does_not_hold_up_the_others() {
    // It accepts connections and never answers.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent_url = format!("http://{}/", silent.local_addr().unwrap());
    let receiver = EventReceiver::start().await;
    let app = app_with(Vec::new()).await;
    put_endpoint(&app, "a-slow", json!({"url": silent_url})).await.expect_status(200);
    add_endpoint(&app, "z-fast", &receiver).await;
    for _ in 0..10 {
        app.key("read").await;
    }
    receiver.wait_for_count(10).await;
    let waiting = deliveries(&app, "endpoint=a-slow&status=delivered").await;
    assert!(waiting.is_empty(), "{waiting:?}");
    drop(silent);
}
