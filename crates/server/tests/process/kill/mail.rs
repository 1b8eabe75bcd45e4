//! A report mail whose worker is killed: before it hands the mail over, while it does, and right after. Nothing that the
//! mail server acknowledged is sent twice, and nothing that it never got is lost.

use serde_json::{Value, json};
use svc_mcp_testkit::{Smtp, wait_until};

use crate::support::{Place, Running, eventually};

const RECIPIENT: &str = "ada@example.com";

/// A brand whose one recipient has confirmed, and a mail server.
struct Scene {
    place: Place,
    smtp: Smtp,
    token: String,
}

impl Scene {
    async fn set(place: Place) -> Self {
        let smtp = Smtp::start();
        let scene = Self::with(place, smtp, "smtp://127.0.0.1:{port}?tls=none");
        scene.confirm_recipient().await;
        scene
    }

    fn with(place: Place, smtp: Smtp, url: &str) -> Self {
        let place = place
            .with("SVC_SMTP_URL", &url.replace("{port}", &smtp.port().to_string()))
            .with("SVC_MAIL_FROM", "reports@svc.example")
            .with("SVC_JOB_LEASE", "1");
        place.add_brand("acme", "ada");
        let token = place.token("ada");
        Self { place, smtp, token }
    }

    async fn confirm_recipient(&self) {
        let running = self.place.serve(&[]);
        let api = running.api(&self.token);
        api.put("/api/brands/acme/report-recipients", &json!({"recipients": [RECIPIENT]})).await.expect(200);
        wait_until("the question", || self.smtp.received().len() == 1);
        let link = self.smtp.received()[0].link("/confirm/");
        let path = &link[..];
        let answer = crate::support::answered(api.bare(reqwest::Method::POST, path)).await;
        answer.expect(200);
        running.stop();
    }

    /// Orders a report, and gives the id of its mail.
    async fn order(&self, running: &Running) -> String {
        let key = self.key(running).await;
        let ordered = running.api(&key).call("send_report_email", &json!({"period": "last_7_days"})).await;
        let result = ordered.expect(200).json();
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"]["emails"][0]["email_id"].as_str().expect("an id").to_owned()
    }

    async fn key(&self, running: &Running) -> String {
        let wish = json!({"label": "mails", "scope": "write"});
        let key = running.api(&self.token).create_key("acme", &wish).await;
        key["api_key"].as_str().expect("a key").to_owned()
    }

    /// What became of a mail, once it has come to an end.
    async fn end_of(&self, running: &Running, email_id: &str) -> Value {
        let api = running.api(&self.key(running).await);
        eventually("the end of the mail", || async {
            let list = api.call("list_report_emails", &json!({"limit": 100})).await.expect(200).json();
            let mails = list["structuredContent"]["items"].as_array().expect("a list").clone();
            let mail = mails.into_iter().find(|mail| mail["email_id"] == email_id).expect("it is listed");
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            (!matches!(mail["status"].as_str(), Some("queued" | "sending"))).then_some(mail)
        })
        .await
    }

    /// How often the mail server took this mail.
    fn taken(&self, email_id: &str) -> usize {
        let id = format!("<{email_id}@svc.example>");
        self.smtp.received().iter().filter(|mail| mail.header("message-id") == id).count()
    }
}

async fn killed_before_the_mail_is_handed_over(place: Place) {
    let scene = Scene::set(place).await;
    scene.smtp.behave(&json!({"rcpt": "hold"}));
    let running = scene.place.serve(&[]);
    let email_id = scene.order(&running).await;
    wait_until("the recipient is named", || scene.smtp.holds());
    running.kill();
    scene.smtp.behave(&json!({}));
    let running = scene.place.serve(&[]);
    let mail = scene.end_of(&running, &email_id).await;
    assert_eq!(mail["status"], "sent", "{mail}");
    assert_eq!(scene.taken(&email_id), 1);
    running.stop();
}

async fn killed_before_the_answer(place: Place) {
    let scene = Scene::set(place).await;
    scene.smtp.behave(&json!({"data": "hold"}));
    let running = scene.place.serve(&[]);
    let email_id = scene.order(&running).await;
    wait_until("the mail is there and not answered", || scene.smtp.holds());
    running.kill();
    // The server takes it after all: nobody is there to be told.
    scene.smtp.behave(&json!({}));
    let running = scene.place.serve(&[]);
    let mail = scene.end_of(&running, &email_id).await;
    assert_eq!(mail["status"], "uncertain", "{mail}");
    assert!(mail["answer"].as_str().expect("a reason").contains("It may have arrived"), "{mail}");
    wait_until("the server has it", || scene.taken(&email_id) == 1);
    // Another one goes out as ever, and this one never again.
    let next = scene.order(&running).await;
    assert_eq!(scene.end_of(&running, &next).await["status"], "sent");
    assert_eq!((scene.taken(&email_id), scene.taken(&next)), (1, 1));
    running.stop();
}

async fn killed_right_after_the_answer(place: Place) {
    let scene = Scene::set(place).await;
    for _ in 0..5 {
        let running = scene.place.serve(&[]);
        let email_id = scene.order(&running).await;
        wait_until("the server has it", || scene.taken(&email_id) == 1);
        running.kill();
        let running = scene.place.serve(&[]);
        let mail = scene.end_of(&running, &email_id).await;
        assert!(matches!(mail["status"].as_str(), Some("sent" | "uncertain")), "{mail}");
        assert_eq!(scene.taken(&email_id), 1);
        running.stop();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_that_was_not_handed_over_is_sent_on_sqlite() {
    killed_before_the_mail_is_handed_over(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_that_was_not_handed_over_is_sent_on_postgresql() {
    killed_before_the_mail_is_handed_over(Place::postgres()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_that_may_have_arrived_is_not_sent_again_on_sqlite() {
    killed_before_the_answer(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_that_may_have_arrived_is_not_sent_again_on_postgresql() {
    killed_before_the_answer(Place::postgres()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_that_was_acknowledged_is_not_sent_again() {
    killed_right_after_the_answer(Place::sqlite()).await;
}

/// Not a kill, and the same scene: TLS from the first byte, and a server that lets only its user in.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mails_go_over_tls_with_a_password() {
    let smtp = Smtp::with_tls("svc", "p@ss/word");
    let certificate = smtp.certificate().expect("it has one").to_string_lossy().into_owned();
    let place = Place::sqlite().with("SSL_CERT_FILE", &certificate);
    let scene = Scene::with(place, smtp, "smtps://svc:p%40ss%2Fword@localhost:{port}");
    scene.confirm_recipient().await;
    let running = scene.place.serve(&[]);
    let email_id = scene.order(&running).await;
    assert_eq!(scene.end_of(&running, &email_id).await["status"], "sent");
    let log = running.stop();
    assert!(!log.contains("p@ss") && !log.contains("p%40ss"), "{log}");
}
