use std::{fs, path::PathBuf, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use crate::{ServerProcess, free_port};

/// A real mail server for one test: aiosmtpd. It behaves as the test sets, and records the mails it accepts.
#[derive(Debug)]
pub struct Smtp {
    port: u16,
    directory: TempDir,
    certificate: Option<(PathBuf, PathBuf)>,
    server: Option<ServerProcess>,
}

/// A mail that the server accepted, parsed by Python's email package.
#[derive(Debug, Clone)]
pub struct ReceivedMail(Value);

impl Smtp {
    pub fn start() -> Self {
        let mut smtp = Self::stopped();
        smtp.start_again();
        smtp
    }

    /// A server that is not started yet.
    fn stopped() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Self { port: free_port(), directory, certificate: None, server: None }
    }

    /// A server for `localhost` with implicit TLS and one user.
    pub fn with_tls(user: &str, password: &str) -> Self {
        let mut smtp = Self::stopped();
        let (certificate, key) = (smtp.path("certificate.pem"), smtp.path("key.pem"));
        // A self-signed server certificate. Without this configuration openssl creates one of an authority.
        let config = smtp.path("openssl.cnf");
        let extensions = "[ext]\nbasicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:localhost\n";
        let text = format!("[req]\ndistinguished_name=dn\nx509_extensions=ext\n[dn]\n{extensions}");
        fs::write(&config, text).expect("the configuration of openssl is written");
        let output = Command::new("openssl")
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
            .arg("-config")
            .arg(&config)
            .args(["-subj", "/CN=localhost", "-keyout"])
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .output()
            .expect("openssl runs");
        assert!(output.status.success(), "openssl failed: {}", String::from_utf8_lossy(&output.stderr));
        smtp.certificate = Some((certificate, key));
        smtp.set_behaviour(&serde_json::json!({"login": [user, password]}));
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
        assert!(fs::exists(&python).is_ok_and(|found| found), "{python} is missing. Run `make setup`.");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/smtp_server.py");
        let directory = self.directory.path().to_string_lossy().into_owned();
        let port = self.port.to_string();
        let mut arguments = vec![script.to_owned(), directory, port];
        if let Some((certificate, key)) = &self.certificate {
            arguments.extend([certificate, key].map(|path| path.to_string_lossy().into_owned()));
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut server = ServerProcess::start(&python, &arguments, "");
        server.wait_until_ready(|| ready.exists());
        self.server = Some(server);
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The certificate that a TLS client must trust.
    pub fn certificate(&self) -> Option<&PathBuf> {
        self.certificate.as_ref().map(|(certificate, _)| certificate)
    }

    /// Sets what the server does from now on; see `smtp_server.py`.
    pub fn set_behaviour(&self, behaviour: &Value) {
        let part = self.path(".behaviour.json");
        fs::write(&part, behaviour.to_string()).expect("the behaviour is written");
        fs::rename(part, self.path("behaviour.json")).expect("the behaviour is written");
    }

    /// Whether the server is holding back a reply.
    pub fn is_holding(&self) -> bool {
        self.path("held").exists()
    }

    /// All accepted mails, in the order of arrival.
    pub fn received(&self) -> Vec<ReceivedMail> {
        let mails = (1..).map(|number| self.path(&format!("mail-{number}.json")));
        mails.map_while(|path| fs::read_to_string(path).ok()).map(|text| ReceivedMail::parse(&text)).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

impl ReceivedMail {
    fn parse(text: &str) -> Self {
        Self(serde_json::from_str(text).expect("the server writes JSON"))
    }

    /// The only recipient.
    pub fn to(&self) -> &str {
        let all = self.0["to"].as_array().expect("a list");
        assert_eq!(all.len(), 1, "a mail has one recipient");
        all[0].as_str().expect("a string")
    }

    /// The value of a header that occurs once.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let values = self.headers(name);
        assert_eq!(values.len(), 1, "{name} in {:?}", self.0["headers"]);
        values[0]
    }

    pub fn headers(&self, name: &str) -> Vec<&str> {
        let all = self.0["headers"].as_array().expect("a list");
        let matching = all
            .iter()
            .filter(|header| header[0].as_str().is_some_and(|found| found.eq_ignore_ascii_case(name)));
        matching.map(|header| header[1].as_str().expect("a string")).collect()
    }

    /// The content of the part with this type.
    #[track_caller]
    pub fn part(&self, content_type: &str) -> &str {
        let parts = self.0["parts"].as_array().expect("a list");
        let part = parts.iter().find(|part| part[0] == content_type);
        part.unwrap_or_else(|| panic!("the mail has no part {content_type}"))[1].as_str().expect("a string")
    }

    /// The first link in the text that contains `path`, without its origin.
    #[track_caller]
    pub fn link(&self, path: &str) -> String {
        let text = self.part("text/plain");
        let link = text.split_whitespace().find(|word| word.contains(path)).expect("a link with this path");
        link[link.find(path).expect("the link contains the path")..].to_owned()
    }

    /// Another recorded fact: `defects`, `longest_line`, `bytes`, …
    pub fn fact(&self, name: &str) -> &Value {
        &self.0[name]
    }
}
