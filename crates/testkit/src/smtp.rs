use std::{fs, path::PathBuf, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use crate::supervised::{Supervised, free_port, wait_until};

/// A real mail server of one test: aiosmtpd, which does as it is told and writes down what it got.
#[derive(Debug)]
pub struct Smtp {
    port: u16,
    directory: TempDir,
    certificate: Option<(PathBuf, PathBuf)>,
    server: Option<Supervised>,
}

/// A mail that the server has taken, as Python's email package reads it.
#[derive(Debug, Clone)]
pub struct Received(Value);

impl Smtp {
    pub fn start() -> Self {
        let mut smtp = Self::stopped();
        smtp.start_again();
        smtp
    }

    /// Nobody listens on its port yet.
    pub fn stopped() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        Self { port: free_port(), directory, certificate: None, server: None }
    }

    /// One that speaks TLS from the first byte, as `localhost`, and lets one user in. `certificate` says whom to trust.
    pub fn with_tls(user: &str, password: &str) -> Self {
        let mut smtp = Self::stopped();
        let (certificate, key) = (smtp.path("certificate.pem"), smtp.path("key.pem"));
        let made = Command::new("openssl")
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
            ])
            .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout"])
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .output()
            .expect("openssl runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        smtp.certificate = Some((certificate, key));
        smtp.behave(&serde_json::json!({"login": [user, password]}));
        smtp.start_again();
        smtp
    }

    pub fn stop(&mut self) {
        self.server = None;
    }

    pub fn start_again(&mut self) {
        let ready = self.path("ready");
        let _ = fs::remove_file(&ready);
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let python = format!("{root}/.venv/test/bin/python");
        assert!(
            fs::exists(&python).is_ok_and(|found| found),
            "no {python}: `make setup` installs what the tests need"
        );
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/smtp_server.py");
        let directory = self.directory.path().to_string_lossy().into_owned();
        let port = self.port.to_string();
        let mut arguments = vec![script.to_owned(), directory, port];
        if let Some((certificate, key)) = &self.certificate {
            arguments.extend([certificate, key].map(|path| path.to_string_lossy().into_owned()));
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.server = Some(Supervised::start(&python, &arguments, ""));
        wait_until("the mail server's start", || ready.exists());
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whom to trust, to speak TLS with it.
    pub fn certificate(&self) -> Option<&PathBuf> {
        self.certificate.as_ref().map(|(certificate, _)| certificate)
    }

    /// What it does from now on; see `smtp_server.py`.
    pub fn behave(&self, behaviour: &Value) {
        let part = self.path(".behaviour.json");
        fs::write(&part, behaviour.to_string()).expect("a file");
        fs::rename(part, self.path("behaviour.json")).expect("a file");
    }

    /// Whether it is holding an answer back.
    pub fn holds(&self) -> bool {
        self.path("held").exists()
    }

    /// Everything it has taken so far, in that order.
    pub fn received(&self) -> Vec<Received> {
        let mails = (1..).map(|number| self.path(&format!("mail-{number}.json")));
        mails.map_while(|path| fs::read_to_string(path).ok()).map(|text| Received::of(&text)).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

impl Received {
    fn of(text: &str) -> Self {
        Self(serde_json::from_str(text).expect("the server writes JSON"))
    }

    /// The one recipient.
    pub fn to(&self) -> &str {
        let all = self.0["to"].as_array().expect("a list");
        assert_eq!(all.len(), 1, "one recipient a mail");
        all[0].as_str().expect("a text")
    }

    /// The value of a header that is there once.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let values = self.headers(name);
        assert_eq!(values.len(), 1, "{name} in {:?}", self.0["headers"]);
        values[0]
    }

    pub fn headers(&self, name: &str) -> Vec<&str> {
        let all = self.0["headers"].as_array().expect("a list");
        let named = all
            .iter()
            .filter(|header| header[0].as_str().is_some_and(|known| known.eq_ignore_ascii_case(name)));
        named.map(|header| header[1].as_str().expect("a text")).collect()
    }

    /// The content of the part of this type.
    #[track_caller]
    pub fn part(&self, kind: &str) -> &str {
        let parts = self.0["parts"].as_array().expect("a list");
        let part = parts.iter().find(|part| part[0] == kind);
        part.unwrap_or_else(|| panic!("no {kind}"))[1].as_str().expect("a text")
    }

    /// The first address in the text that holds this, without its origin.
    #[track_caller]
    pub fn link(&self, path: &str) -> String {
        let text = self.part("text/plain");
        let link = text.split_whitespace().find(|word| word.contains(path)).expect("a link");
        link[link.find(path).expect("it is there")..].to_owned()
    }

    /// Everything else that was noted of it: `defects`, `longest_line`, `bytes`, …
    pub fn note(&self, name: &str) -> &Value {
        &self.0[name]
    }
}
