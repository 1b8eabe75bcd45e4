//! Report mails, with a real mail server.

mod delivery;
mod recipients;
mod tools;

use serde_json::{Value, json};
use svc_mcp_testkit::{ReceivedMail, Smtp};

use crate::support::{AppOptions, BRAND, Reply, TestApp, eventually, eventually_with_key};

const RECIPIENTS: &str = "/api/brands/acme/report-recipients";

/// A service that sends its mails to this server, with a public https URL.
pub(crate) async fn with_mail(smtp: &Smtp) -> TestApp {
    let arguments = vec![
        format!("--smtp-url=smtp://127.0.0.1:{}?tls=none", smtp.port()),
        "--mail-from=Svc reports <reports@svc.example>".into(),
        "--mail-reply-to=help@svc.example".into(),
        "--public-url=https://svc.example".into(),
    ];
    TestApp::with(AppOptions { arguments, local_rate_limit: true, ..AppOptions::default() }).await
}

async fn put(app: &TestApp, recipients: &[&str]) -> Reply {
    app.put(RECIPIENTS).bearer(&app.token("ada")).json(&json!({"recipients": recipients})).await
}

/// The list as the administrator sees it: address and status.
async fn list_recipients(app: &TestApp) -> Vec<(String, String)> {
    let reply = app.get(RECIPIENTS).bearer(&app.token("ada")).send().await.expect_status(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let row = |recipient: &Value| (text(&recipient["email"]), text(&recipient["status"]));
    reply.body["recipients"].as_array().unwrap().iter().map(row).collect()
}

/// Waits until the server has accepted this many mails.
pub(crate) async fn wait_for_mails(smtp: &Smtp, count: usize) -> Vec<ReceivedMail> {
    eventually(&format!("mail number {count}"), async || {
        let received = smtp.received();
        (received.len() >= count).then_some(received)
    })
    .await
}

/// Adds recipients and confirms them. Returns the paths of their confirmation links.
pub(crate) async fn add_recipients(app: &TestApp, smtp: &Smtp, people: &[&str]) -> Vec<String> {
    let before = smtp.received().len();
    put(app, people).await.expect_status(200);
    // Mails to other people may arrive meanwhile.
    let confirmations = eventually("a mail to every recipient", async || {
        let received = smtp.received().split_off(before);
        people.iter().map(|person| received.iter().find(|mail| mail.to() == *person).cloned()).collect()
    });
    let confirmations: Vec<ReceivedMail> = confirmations.await;
    let links: Vec<String> = confirmations.iter().map(|mail| mail.link("/confirm/")).collect();
    for link in &links {
        app.post(link).send().await.expect_status(200);
    }
    links
}

/// Waits until this many report mails have this status.
async fn wait_for_status(app: &TestApp, status: &str, count: usize) -> Vec<Value> {
    let key = app.key("read").await;
    eventually_with_key(&format!("{count} mails with the status {status}"), async || {
        let reply = app.call(&key, "list_report_emails", json!({"status": status})).await;
        let items = reply.result()["items"].as_array().unwrap();
        (items.len() >= count).then(|| items.clone())
    })
    .await
}

/// Waits until a report mail has this status and this number of attempts.
async fn mail_after_attempts(app: &TestApp, status: &str, attempts: u64) -> Value {
    let key = app.key("read").await;
    eventually_with_key(&format!("{attempts} attempts"), async || {
        let reply = app.call(&key, "list_report_emails", json!({"status": status})).await;
        let mut items = reply.result()["items"].as_array().unwrap().iter();
        items.find(|mail| mail["attempts"] == attempts).cloned()
    })
    .await
}

async fn send(app: &TestApp, arguments: Value) -> Reply {
    let key = app.key("write").await;
    app.call(&key, "send_report_email", arguments).await
}

fn week() -> Value {
    json!({"period": "last_7_days"})
}

/// The code of a failed call.
#[track_caller]
fn failure_code(reply: &Reply) -> &str {
    assert_eq!((reply.status, &reply.body["isError"]), (200, &json!(true)), "{}", reply.text);
    reply.body["structuredContent"]["code"].as_str().unwrap()
}

/// Publishes a post, which the report then contains.
async fn publish_post(app: &TestApp, title: &str) {
    let key = app.key("write").await;
    let post = json!({"text": "Hello", "title": title, "channels": ["feed"], "mode": "now"});
    assert_eq!(app.call(&key, "create_post", post).await.result()["dry_run"], false);
}

#[tokio::test]
async fn report_is_confirmed_sent_and_unsubscribed() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    put(&app, &["Ada@Example.com"]).await.expect_status(200);
    assert_eq!(list_recipients(&app).await, [("ada@example.com".to_owned(), "pending".to_owned())]);

    // The confirmation mail. Mail scanners open its link, so a GET changes nothing.
    let confirmation = wait_for_mails(&smtp, 1).await.remove(0);
    assert_eq!(confirmation.to(), "ada@example.com");
    assert_eq!(confirmation.fact("defects"), &json!([]));
    let link = confirmation.link("/confirm/");
    let page = app.get(&link).send().await.expect_status(200);
    assert!(page.header("content-security-policy").contains("form-action 'self'"));
    assert!(
        page.text.contains("<form method=\"post\">") && page.text.contains("a…@example.com"),
        "{}",
        page.text
    );
    assert_eq!(list_recipients(&app).await[0].1, "pending");
    assert_eq!(failure_code(&send(&app, week()).await), "no_confirmed_recipients");
    app.post(&link).send().await.expect_status(200);
    assert_eq!(list_recipients(&app).await[0].1, "confirmed");

    // The report.
    publish_post(&app, "Fish & chips <b>today</b>").await;
    let key = app.key("read").await;
    let preview = app.call(&key, "preview_report", week()).await;
    let ordered =
        send(&app, json!({"period": "last_7_days", "note": "Well done,\r\nBcc: eve@example.com"})).await;
    assert_eq!(ordered.result()["recipients"], json!(["a…@example.com"]));
    assert_eq!(ordered.result()["mails_left_today"], 19);
    let mail = wait_for_mails(&smtp, 2).await.remove(1);
    let sent = wait_for_status(&app, "sent", 1).await.remove(0);
    assert_eq!(sent["email_id"], ordered.result()["emails"][0]["email_id"]);
    assert_eq!((&sent["attempts"], &sent["answer"]), (&json!(1), &json!("250 2.0.0 Ok: queued as 2")));
    assert!(sent["ended_at"].is_string() && sent["handed_over_at"].is_string());

    // A valid message with the expected headers.
    assert_eq!(mail.fact("defects"), &json!([]));
    assert_eq!((mail.fact("bare_newlines"), mail.fact("is_ascii")), (&json!(0), &json!(true)));
    assert!(mail.fact("longest_line").as_u64().unwrap() <= 998);
    assert_eq!(mail.fact("content_type"), "multipart/alternative");
    assert_eq!(mail.to(), "ada@example.com");
    assert_eq!(mail.fact("from"), "reports@svc.example");
    assert_eq!(mail.header("subject"), ordered.result()["subject"].as_str().unwrap());
    assert_eq!(mail.header("from"), "Svc reports <reports@svc.example>");
    assert_eq!(mail.header("reply-to"), "help@svc.example");
    assert_eq!(mail.header("message-id"), format!("<{}@svc.example>", sent["email_id"].as_str().unwrap()));
    assert_eq!(mail.header("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
    assert!(mail.headers("bcc").is_empty());
    let one_click = mail.header("list-unsubscribe").trim_matches(['<', '>']);
    assert!(one_click.starts_with(&format!("https://svc.example/unsubscribe/{BRAND}/")), "{one_click}");

    // Both parts have the content of the preview.
    let (text, html) = (mail.part("text/plain"), mail.part("text/html"));
    assert!(text.contains("> Bcc: eve@example.com"), "the note is quoted: {text}");
    // Only the posts: the usage may have changed between preview and mail.
    let figures = |text: &str| {
        text.lines().filter(|line| line.contains("published")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(figures(text), figures(preview.result()["text"].as_str().unwrap()));
    assert!(text.contains("feed: 1 published (+1)") && html.contains("<b>1 published</b>"), "{text}");
    assert!(html.contains("Fish &#38; chips &#60;b&#62;today"), "{html}");
    assert!(html.contains(one_click) && text.contains(one_click));

    // One-click unsubscribe of a mail client.
    let path = one_click.strip_prefix("https://svc.example").unwrap();
    let page = app.get(path).send().await.expect_status(200);
    assert!(page.text.contains("Stop the reports"));
    assert_eq!(list_recipients(&app).await[0].1, "confirmed");
    let click = app.post(path).header("content-type", "application/x-www-form-urlencoded");
    click.body("List-Unsubscribe=One-Click").await.expect_status(200);
    assert_eq!(list_recipients(&app).await[0].1, "suppressed");
    assert_eq!(failure_code(&send(&app, week()).await), "no_confirmed_recipients");
    assert_eq!(smtp.received().len(), 2);
}
