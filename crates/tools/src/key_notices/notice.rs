//! What an email about a key says. It is stored with the email, because a leaked key cannot be asked again what it had queued.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, StoreError, Timestamp, key::redact_keys};

use crate::report::format::one_line;

/// The longest text that says where a key was found.
pub const MAX_SOURCE_CHARS: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum KeyNotice {
    Expiring {
        label: String,
        prefix: String,
        expires_at: Timestamp,
    },
    Leaked {
        label: String,
        prefix: String,
        revoked_at: Timestamp,
        /// Where the key was found, as the reporter says.
        source: Option<String>,
        cancelled: CancelledWork,
        /// What a worker had begun to send before.
        already_sending: u32,
    },
}

/// How much work of a key was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CancelledWork {
    pub posts: u32,
    pub mails: u32,
    /// Audits and analyses.
    pub jobs: u32,
    /// Calls that waited for approval.
    pub approvals: u32,
    pub schedules: u32,
}

#[async_trait]
pub trait KeyNoticeRecords: Send + Sync {
    /// `None`: the email must not be sent any more. The recipient has left the brand or has another address, or the key
    /// that was to expire is revoked, has expired, or expires at another time now.
    async fn key_notice(
        &self,
        brand: &BrandId,
        email_id: &str,
        now: Timestamp,
    ) -> Result<Option<KeyNotice>, StoreError>;
}

/// A reporter's text as it may be stored and mailed: one line, without keys. `None`: nothing is left.
pub fn clean_source(text: &str) -> Option<String> {
    // Twice: characters that are removed may have split a key.
    let line = one_line(&redact_keys(text), MAX_SOURCE_CHARS);
    let line = one_line(&redact_keys(&line), MAX_SOURCE_CHARS);
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};
    use svc_mcp_access::key::KeyToken;

    use super::*;

    #[test]
    fn source_is_one_line_without_keys() {
        let token = KeyToken::generate(&mut StdRng::seed_from_u64(1));
        let (key, shown) = (token.expose(), token.shown_prefix());
        for (text, clean) in [
            ("https://example.com/a.env", Some("https://example.com/a.env".to_owned())),
            (" a\r\nBcc: b\u{202e} ", Some("a Bcc: b".to_owned())),
            (&format!("see {key}"), Some(format!("see {shown}…"))),
            (&key.replacen("mcp", "mc\u{200b}p", 1), Some(format!("{shown}…"))),
            (" \n\u{200b}", None),
        ] {
            assert_eq!(clean_source(text), clean, "{text:?}");
        }
        let long = format!("{}{key}", "x".repeat(180));
        let clean = clean_source(&long).expect("some text");
        assert!(
            clean.chars().count() <= MAX_SOURCE_CHARS && clean.ends_with(&format!("{shown}…")),
            "{clean}"
        );
    }
}
