//! The service is killed before, while and after it sends a report mail. An acknowledged mail is not sent twice, and an
//! unsent mail is not lost.

use serde_json::{Value, json};
use svc_mcp_testkit::Smtp;

use crate::support::{Sandbox, Service, eventually_with_key, send, wait_until};

const RECIPIENT: &str = "ada@example.com";

/// A mail server, and a brand with one confirmed recipient.
pub(super) struct MailTest {
    pub(super) sandbox: Sandbox,
    smtp: Smtp,
    token: String,
}

impl MailTest {
    pub(super) async fn new(sandbox: Sandbox) -> Self {
        let smtp = Smtp::start();
        let test = Self::with(sandbox, smtp, "smtp://127.0.0.1:{port}?tls=none");
        test.confirm_recipient().await;
        test
    }

    fn with(sandbox: Sandbox, smtp: Smtp, url: &str) -> Self {
        let sandbox = sandbox
            .with("SVC_SMTP_URL", &url.replace("{port}", &smtp.port().to_string()))
            .with("SVC_MAIL_FROM", "reports@svc.example")
            .with("SVC_JOB_LEASE", "4");
        sandbox.add_brand("acme", "ada");
        let token = sandbox.token("ada");
        Self { sandbox, smtp, token }
    }

    async fn confirm_recipient(&self) {
        let service = self.sandbox.serve(&[]);
        let api = service.api(&self.token);
        api.put("/api/brands/acme/report-recipients", &json!({"recipients": [RECIPIENT]}))
            .await
            .expect_status(200);
        wait_until("the confirmation mail", || self.smtp.received().len() == 1);
        let link = self.smtp.received()[0].link("/confirm/");
        send(api.anonymous_request(reqwest::Method::POST, &link)).await.expect_status(200);
        service.stop();
    }

    /// Orders a report, and returns the id of its mail.
    async fn order(&self, service: &Service) -> String {
        let agent = service.api(&self.key(service).await);
        let result = agent.call("send_report_email", &json!({"period": "last_7_days"})).await.tool_result();
        result["emails"][0]["email_id"].as_str().expect("an id").to_owned()
    }

    async fn key(&self, service: &Service) -> String {
        service.api(&self.token).key("acme", "write").await.secret
    }

    /// Waits until a mail is in a final state.
    async fn wait_for_mail(&self, service: &Service, email_id: &str) -> Value {
        let agent = service.api(&self.key(service).await);
        eventually_with_key("the final state of the mail", async || {
            let list = agent.poll_tool("list_report_emails", &json!({"limit": 100})).await?;
            let mails = list["items"].as_array().expect("a list");
            let mail = mails.iter().find(|mail| mail["email_id"] == email_id).expect("the mail is listed");
            (!matches!(mail["status"].as_str(), Some("queued" | "sending"))).then(|| mail.clone())
        })
        .await
    }

    /// How often the mail server accepted this mail.
    pub(super) fn accepted(&self, email_id: &str) -> usize {
        let id = format!("<{email_id}@svc.example>");
        self.smtp.received().iter().filter(|mail| mail.header("message-id") == id).count()
    }
}

async fn kill_before_sending(sandbox: Sandbox) {
    let test = MailTest::new(sandbox).await;
    test.smtp.set_behaviour(&json!({"rcpt": "hold"}));
    let service = test.sandbox.serve(&[]);
    let email_id = test.order(&service).await;
    wait_until("the RCPT command", || test.smtp.is_holding());
    service.kill();
    test.smtp.set_behaviour(&json!({}));
    let service = test.sandbox.serve(&[]);
    let mail = test.wait_for_mail(&service, &email_id).await;
    assert_eq!(mail["status"], "sent", "{mail}");
    assert_eq!(test.accepted(&email_id), 1);
    service.stop();
}

async fn kill_before_the_reply(sandbox: Sandbox) {
    let test = MailTest::new(sandbox).await;
    test.smtp.set_behaviour(&json!({"data": "take and hold"}));
    let service = test.sandbox.serve(&[]);
    let email_id = test.order(&service).await;
    wait_until("a mail without a reply", || test.smtp.is_holding());
    service.kill();
    test.smtp.set_behaviour(&json!({}));
    let service = test.sandbox.serve(&[]);
    let mail = test.wait_for_mail(&service, &email_id).await;
    assert_eq!(mail["status"], "uncertain", "{mail}");
    assert!(mail["answer"].as_str().expect("a reason").contains("It may have arrived"), "{mail}");
    assert_eq!(test.accepted(&email_id), 1);
    // Later mails are sent. This one is not sent again.
    let next = test.order(&service).await;
    assert_eq!(test.wait_for_mail(&service, &next).await["status"], "sent");
    assert_eq!((test.accepted(&email_id), test.accepted(&next)), (1, 1));
    service.stop();
}

async fn kill_after_the_reply(sandbox: Sandbox) {
    let test = MailTest::new(sandbox).await;
    for _ in 0..5 {
        let service = test.sandbox.serve(&[]);
        let email_id = test.order(&service).await;
        wait_until("the mail at the server", || test.accepted(&email_id) == 1);
        service.kill();
        let service = test.sandbox.serve(&[]);
        let mail = test.wait_for_mail(&service, &email_id).await;
        assert!(matches!(mail["status"].as_str(), Some("sent" | "uncertain")), "{mail}");
        assert_eq!(test.accepted(&email_id), 1);
        service.stop();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unsent_mail_is_sent_after_a_kill_on_sqlite() {
    kill_before_sending(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unsent_mail_is_sent_after_a_kill_on_postgresql() {
    kill_before_sending(Sandbox::postgres()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_without_a_reply_is_not_sent_again_on_sqlite() {
    kill_before_the_reply(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_without_a_reply_is_not_sent_again_on_postgresql() {
    kill_before_the_reply(Sandbox::postgres()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_mail_is_not_sent_again() {
    kill_after_the_reply(Sandbox::sqlite()).await;
}

/// Implicit TLS, and a server that requires a login.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mails_are_sent_over_tls_with_a_login() {
    let smtp = Smtp::with_tls("svc", "p@ss/word");
    let certificate = smtp.certificate().expect("a certificate").to_string_lossy().into_owned();
    let sandbox = Sandbox::sqlite().with("SSL_CERT_FILE", &certificate);
    let test = MailTest::with(sandbox, smtp, "smtps://svc:p%40ss%2Fword@localhost:{port}");
    test.confirm_recipient().await;
    let service = test.sandbox.serve(&[]);
    let email_id = test.order(&service).await;
    assert_eq!(test.wait_for_mail(&service, &email_id).await["status"], "sent");
    let log = service.stop();
    assert!(!log.contains("p@ss") && !log.contains("p%40ss"), "{log}");
}
