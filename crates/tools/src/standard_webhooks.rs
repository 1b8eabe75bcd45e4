//! Standard Webhooks: the secret that signs requests, and the signed request. The webhooks of posts and events use it.

use std::fmt;

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderName, HeaderValue, header::CONTENT_TYPE};
use rand::CryptoRng;
use svc_mcp_access::{Secret, Timestamp};
use url::Url;
use zeroize::Zeroizing;

use crate::net::Request;

const PREFIX: &str = "whsec_";

/// `whsec_` and 24 to 64 bytes in base64.
pub struct SigningSecret(Key);

pub(crate) const FORMAT_MESSAGE: &str =
    "must be `whsec_` followed by 24 to 64 bytes in base64; leave it out to have one generated";

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{FORMAT_MESSAGE}")]
pub struct SigningSecretError;

impl SigningSecret {
    pub fn parse(text: &Secret) -> Result<Self, SigningSecretError> {
        let bytes = text.expose().strip_prefix(PREFIX).ok_or(SigningSecretError)?;
        let bytes = Zeroizing::new(BASE64_STANDARD.decode(bytes).map_err(|_| SigningSecretError)?);
        if !(24..=64).contains(&bytes.len()) {
            return Err(SigningSecretError);
        }
        Ok(Self(Key::new(HMAC_SHA256, &bytes)))
    }

    pub fn generate(random: &mut impl CryptoRng) -> Secret {
        let mut bytes = Zeroizing::new([0; 32]);
        random.fill_bytes(bytes.as_mut());
        Secret::new(format!("{PREFIX}{}", BASE64_STANDARD.encode(bytes.as_ref())))
    }

    /// A signed request. `id` is the same at each attempt, and `now` is the time of the attempt.
    pub(crate) fn request(&self, url: Url, id: &str, now: Timestamp, body: String) -> Request {
        let seconds = now.millis().div_euclid(1000);
        let headers = [
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", seconds.to_string()),
            ("webhook-signature", self.sign(id, seconds, &body)),
        ];
        let mut request = Request::post(url, body);
        for (name, value) in headers {
            let value = HeaderValue::try_from(value).expect("ids, numbers and base64 are plain ASCII");
            request.headers.insert(HeaderName::from_static(name), value);
        }
        request.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request
    }

    /// The value of the header `webhook-signature`.
    fn sign(&self, id: &str, seconds: i64, body: &str) -> String {
        let tag = sign(&self.0, format!("{id}.{seconds}.{body}").as_bytes());
        format!("v1,{}", BASE64_STANDARD.encode(tag.as_ref()))
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(redacted)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_match_the_standard_webhooks_example() {
        let secret = Secret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".into());
        let key = SigningSecret::parse(&secret).expect("a secret");
        let signature = key.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert!(!format!("{key:?} {secret:?}").contains("MfKQ"));
    }

    #[test]
    fn malformed_secrets_are_rejected_and_generated_ones_are_valid() {
        for bad in ["", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_%%%"] {
            assert!(SigningSecret::parse(&Secret::new(bad.into())).is_err(), "{bad}");
        }
        let random = &mut <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(1);
        assert!(SigningSecret::parse(&SigningSecret::generate(random)).is_ok());
    }
}
