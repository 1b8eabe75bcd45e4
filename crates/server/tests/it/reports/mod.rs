//! Reports by mail, with a real mail server at the other end.

mod delivery;
mod recipients;
mod tools;

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::{Received, Smtp};

use crate::support::{BRAND, Reply, TestApp, Wishes};

const RECIPIENTS: &str = "/api/brands/acme/report-recipients";

/// A service whose mails go to this server, and which the world knows by an https address.
async fn with_mail(smtp: &Smtp) -> TestApp {
    let arguments = vec![
        format!("--smtp-url=smtp://127.0.0.1:{}?tls=none", smtp.port()),
        "--mail-from=Svc reports <reports@svc.example>".into(),
        "--mail-reply-to=help@svc.example".into(),
        "--public-url=https://svc.example".into(),
    ];
    TestApp::with(Wishes { arguments, local_limit: true, ..Wishes::default() }).await
}

async fn put(app: &TestApp, recipients: &[&str]) -> Reply {
    app.put(RECIPIENTS).bearer(&app.token("ada")).json(&json!({"recipients": recipients})).await
}

/// The list as the administrator sees it: address and status.
async fn listed(app: &TestApp) -> Vec<(String, String)> {
    let reply = app.get(RECIPIENTS).bearer(&app.token("ada")).send().await.expect_status(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let row = |recipient: &Value| (text(&recipient["email"]), text(&recipient["status"]));
    reply.body["recipients"].as_array().unwrap().iter().map(row).collect()
}

/// Looks until there is something, a few seconds at most.
async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..100 {
        if let Some(found) = look().await {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} did not happen in time");
}

/// The first so many mails, once they are there.
async fn mails(smtp: &Smtp, count: usize) -> Vec<Received> {
    eventually(&format!("mail number {count}"), async || {
        let received = smtp.received();
        (received.len() >= count).then_some(received)
    })
    .await
}

/// These people are on the list and have confirmed. Gives the paths of their confirmation links.
async fn confirmed(app: &TestApp, smtp: &Smtp, people: &[&str]) -> Vec<String> {
    let before = smtp.received().len();
    put(app, people).await.expect_status(200);
    let questions = mails(smtp, before + people.len()).await.split_off(before);
    let link = |person: &&str| questions.iter().find(|mail| mail.to() == *person).unwrap().link("/confirm/");
    let links: Vec<String> = people.iter().map(link).collect();
    for link in &links {
        app.post(link).send().await.expect_status(200);
    }
    links
}

/// Report mails that have come to this state, once there are so many.
async fn in_state(app: &TestApp, status: &str, count: usize) -> Vec<Value> {
    let key = app.key("read").await;
    for _ in 0..55 {
        let reply = app.call(&key, "list_report_emails", json!({"status": status})).await;
        let items = reply.result()["items"].as_array().unwrap();
        if items.len() >= count {
            return items.clone();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let all = app.call(&key, "list_report_emails", json!({})).await;
    panic!("{count} mails did not come to be {status}: {}", all.text);
}

async fn send(app: &TestApp, arguments: Value) -> Reply {
    let key = app.key("write").await;
    app.call(&key, "send_report_email", arguments).await
}

fn week() -> Value {
    json!({"period": "last_7_days"})
}

/// A failure that the tool tells of.
#[track_caller]
fn failure(reply: &Reply) -> &str {
    assert_eq!((reply.status, &reply.body["isError"]), (200, &json!(true)), "{}", reply.text);
    reply.body["structuredContent"]["code"].as_str().unwrap()
}

/// A post that went out, so that there is something to tell.
async fn published(app: &TestApp, title: &str) {
    let key = app.key("write").await;
    let post = json!({"text": "Hello", "title": title, "channels": ["feed"], "mode": "now"});
    assert_eq!(app.call(&key, "create_post", post).await.result()["dry_run"], false);
}

#[tokio::test]
async fn the_whole_story() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    put(&app, &["Ada@Example.com"]).await.expect_status(200);
    assert_eq!(listed(&app).await, [("ada@example.com".to_owned(), "pending".to_owned())]);

    // The question. Opening its link is what mail scanners do, and it changes nothing.
    let question = mails(&smtp, 1).await.remove(0);
    assert_eq!(question.to(), "ada@example.com");
    assert_eq!(question.note("defects"), &json!([]));
    let link = question.link("/confirm/");
    let page = app.get(&link).send().await.expect_status(200);
    assert!(page.header("content-security-policy").contains("form-action 'self'"));
    assert!(
        page.text.contains("<form method=\"post\">") && page.text.contains("a…@example.com"),
        "{}",
        page.text
    );
    assert_eq!(listed(&app).await[0].1, "pending");
    assert_eq!(failure(&send(&app, week()).await), "no_confirmed_recipients");
    app.post(&link).send().await.expect_status(200);
    assert_eq!(listed(&app).await[0].1, "confirmed");

    // The report.
    published(&app, "Fish & chips <b>today</b>").await;
    let key = app.key("read").await;
    let preview = app.call(&key, "preview_report", week()).await;
    let ordered =
        send(&app, json!({"period": "last_7_days", "note": "Well done,\r\nBcc: eve@example.com"})).await;
    assert_eq!(ordered.result()["recipients"], json!(["a…@example.com"]));
    assert_eq!(ordered.result()["mails_left_today"], 19);
    let mail = mails(&smtp, 2).await.remove(1);
    let sent = in_state(&app, "sent", 1).await.remove(0);
    assert_eq!(sent["email_id"], ordered.result()["emails"][0]["email_id"]);
    assert_eq!((&sent["attempts"], &sent["answer"]), (&json!(1), &json!("250 2.0.0 Ok: queued as 2")));
    assert!(sent["ended_at"].is_string() && sent["handed_over_at"].is_string());

    // A valid message with the headers that are wanted.
    assert_eq!(mail.note("defects"), &json!([]));
    assert_eq!((mail.note("bare_newlines"), mail.note("is_ascii")), (&json!(0), &json!(true)));
    assert!(mail.note("longest_line").as_u64().unwrap() <= 998);
    assert_eq!(mail.note("content_type"), "multipart/alternative");
    assert_eq!(mail.to(), "ada@example.com");
    assert_eq!(mail.note("from"), "reports@svc.example");
    assert_eq!(mail.header("subject"), ordered.result()["subject"].as_str().unwrap());
    assert_eq!(mail.header("from"), "Svc reports <reports@svc.example>");
    assert_eq!(mail.header("reply-to"), "help@svc.example");
    assert_eq!(mail.header("message-id"), format!("<{}@svc.example>", sent["email_id"].as_str().unwrap()));
    assert_eq!(mail.header("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
    assert!(mail.headers("bcc").is_empty());
    let one_click = mail.header("list-unsubscribe").trim_matches(['<', '>']);
    assert!(one_click.starts_with(&format!("https://svc.example/unsubscribe/{BRAND}/")), "{one_click}");

    // Both parts say what the preview said.
    let (text, html) = (mail.part("text/plain"), mail.part("text/html"));
    assert!(text.contains("> Bcc: eve@example.com"), "the note is quoted text: {text}");
    // Of the posts: uses are written a moment later, and may be between the two.
    let figures = |text: &str| {
        text.lines().filter(|line| line.contains("published")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(figures(text), figures(preview.result()["text"].as_str().unwrap()));
    assert!(text.contains("feed: 1 published (+1)") && html.contains("<b>1 published</b>"), "{text}");
    assert!(html.contains("Fish &#38; chips &#60;b&#62;today"), "{html}");
    assert!(html.contains(one_click) && text.contains(one_click));

    // One click, as a mail program does it.
    let path = one_click.strip_prefix("https://svc.example").unwrap();
    let asked = app.get(path).send().await.expect_status(200);
    assert!(asked.text.contains("Stop the reports"));
    assert_eq!(listed(&app).await[0].1, "confirmed");
    let click = app.post(path).header("content-type", "application/x-www-form-urlencoded");
    click.body("List-Unsubscribe=One-Click").await.expect_status(200);
    assert_eq!(listed(&app).await[0].1, "suppressed");
    assert_eq!(failure(&send(&app, week()).await), "no_confirmed_recipients");
    assert_eq!(smtp.received().len(), 2);
}
