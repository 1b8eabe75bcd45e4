//! The links in an email. A valid token proves that the person received the email.

use std::fmt;

use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::CryptoRng;
use svc_mcp_access::{BrandId, Secret};

const TOKEN_BYTES: usize = 32;

/// 256 random bits. The store keeps only their digest.
pub struct LinkToken(Secret);

/// The SHA-256 digest of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkDigest([u8; 32]);

impl LinkToken {
    pub fn generate(random: &mut impl CryptoRng) -> Self {
        let mut bytes = [0; TOKEN_BYTES];
        random.fill_bytes(&mut bytes);
        Self(Secret::new(BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// `None`: the text does not have the form of a token.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == TOKEN_BYTES).then(|| Self(Secret::new(text.to_owned())))
    }

    pub fn digest(&self) -> LinkDigest {
        let sha256 = digest(&SHA256, self.0.expose().as_bytes());
        LinkDigest(sha256.as_ref().try_into().expect("SHA-256 has 32 bytes"))
    }

    pub(super) fn unsubscribe_url(&self, public_url: &str, brand: &BrandId) -> String {
        format!("{public_url}/unsubscribe/{brand}/{}", self.0.expose())
    }

    pub(super) fn confirm_url(&self, public_url: &str, brand: &BrandId) -> String {
        format!("{public_url}/confirm/{brand}/{}", self.0.expose())
    }
}

impl LinkDigest {
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for LinkToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkToken(redacted)")
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    #[test]
    fn a_token_is_recognised_by_its_digest_and_malformed_tokens_are_rejected() {
        let token = LinkToken::generate(&mut StdRng::seed_from_u64(1));
        let url = token.unsubscribe_url("https://svc.example", &"acme".parse().unwrap());
        let text = url.strip_prefix("https://svc.example/unsubscribe/acme/").unwrap();
        assert_eq!(text.len(), 43);
        assert_eq!(LinkToken::parse(text).unwrap().digest(), token.digest());
        assert!(!format!("{token:?}").contains(text));
        for bad in ["", "x", &text[1..], &format!("{text}A"), "../../../../../../../../../../../../../../.."]
        {
            assert!(LinkToken::parse(bad).is_none(), "{bad}");
        }
    }
}
