//! Searches bytes for secrets, in clear text, hexadecimal and base64.

use std::{collections::BTreeMap, fmt::Write};

use base64::{Engine, prelude::BASE64_STANDARD};

#[derive(Debug)]
pub(super) struct SecretScanner {
    patterns: Vec<(String, Vec<u8>)>,
    /// The indexes of the patterns by their first two bytes, so that long logs are searched quickly.
    by_prefix: Vec<Vec<usize>>,
}

impl Default for SecretScanner {
    fn default() -> Self {
        Self { patterns: Vec::new(), by_prefix: vec![Vec::new(); 1 << 16] }
    }
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn prefix(bytes: &[u8]) -> usize {
    usize::from(bytes[0]) << 8 | usize::from(bytes[1])
}

impl SecretScanner {
    /// Adds a secret in three forms. A dump of the database shows bytes in hexadecimal.
    pub(super) fn add(&mut self, name: &str, secret: impl Into<Vec<u8>>) {
        let secret = secret.into();
        assert!(secret.len() >= 12, "{name} is too short to search for");
        let hex = hex_of(&secret);
        let base64 = BASE64_STANDARD.encode(&secret);
        self.push(format!("{name} in hexadecimal"), hex.into_bytes());
        self.push(format!("{name} in base64"), base64.trim_end_matches('=').into());
        self.push(name.to_owned(), secret);
    }

    fn push(&mut self, name: String, bytes: Vec<u8>) {
        self.by_prefix[prefix(&bytes)].push(self.patterns.len());
        self.patterns.push((name, bytes));
    }

    /// Adds a whole key, and the 43 secret characters in it.
    pub(super) fn add_key(&mut self, name: &str, key: &str) {
        self.add(name, key);
        self.add(&format!("the body of {name}"), &key[8..51]);
    }

    /// Adds a whole token, and its signature.
    pub(super) fn add_jwt(&mut self, name: &str, jwt: &str) {
        self.add(name, jwt);
        let (_, signature) = jwt.rsplit_once('.').expect("a token has three parts");
        self.add(&format!("the signature of {name}"), signature);
    }

    /// Adds each entry of `SVC_REVEAL_KEYS`: its base64 and its bytes.
    pub(super) fn add_sealing_keys(&mut self, entries: &str) {
        for entry in entries.trim().split(',') {
            let (id, base64) = entry.split_once(':').expect("an entry has an id");
            self.add(&format!("the sealing key {id}"), base64);
            let bytes = BASE64_STANDARD.decode(base64).expect("base64");
            self.add(&format!("the bytes of the sealing key {id}"), bytes);
        }
    }

    /// The names of the secrets in these bytes, each with the bytes before it.
    pub(super) fn found_in(&self, bytes: &[u8]) -> BTreeMap<&str, String> {
        let mut found = BTreeMap::new();
        for at in 0..bytes.len().saturating_sub(1) {
            for index in &self.by_prefix[prefix(&bytes[at..])] {
                let (name, secret) = &self.patterns[*index];
                if bytes[at..].starts_with(secret) {
                    let before = bytes[at.saturating_sub(160)..at].escape_ascii().to_string();
                    found.entry(name.as_str()).or_insert(before);
                }
            }
        }
        found
    }
}

#[test]
fn secrets_are_found_in_every_form() {
    let mut scanner = SecretScanner::default();
    scanner.add_key("the key", &format!("svc_mcp_{}", "k".repeat(49)));
    scanner.add("other", "\u{0}\u{1}binary secret");
    let hex = hex_of(b"\x00\x01binary secret");
    let names = |text: String| -> Vec<String> {
        scanner.found_in(text.as_bytes()).into_keys().map(str::to_owned).collect()
    };
    assert_eq!(names(format!("a svc_mcp_{}", "k".repeat(49))), ["the body of the key", "the key"]);
    assert_eq!(names(format!("k=_{}!", "k".repeat(43))), ["the body of the key"]);
    assert_eq!(names(format!("\\x{hex}")), ["other in hexadecimal"]);
    assert_eq!(names("\u{0}\u{1}binary secret".to_owned()), ["other"]);
    assert_eq!(names(format!("svc_mcp_{}", "k".repeat(42))), Vec::<String>::new());
}
