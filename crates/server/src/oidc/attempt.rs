//! A sign-in that is under way: the browser is at the provider.
//!
//! A cookie in the browser holds a random token, the expiry and the page to return to. `state`, `nonce` and the PKCE verifier
//! are SHA-256 digests of all three. So the service stores nothing, every instance can finish the sign-in, and a changed cookie
//! does not match the `state` that the provider returns. URLs show `state` and `nonce`; the verifier cannot be computed from them.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::CryptoRng;
use svc_mcp_access::{Secret, Timestamp, session::AttemptToken, sha256};

use super::ReturnPath;

/// Long enough for a password and a second factor.
pub(crate) const ATTEMPT_LIFETIME: Duration = Duration::from_mins(10);

#[derive(Debug, Clone)]
pub(crate) struct SignInAttempt {
    token: Secret,
    expires_at: Timestamp,
    return_path: ReturnPath,
}

impl SignInAttempt {
    pub(crate) fn new(return_path: ReturnPath, now: Timestamp, random: &mut impl CryptoRng) -> Self {
        let token = Secret::new(AttemptToken::generate(random).expose().to_owned());
        Self { token, expires_at: now.plus(ATTEMPT_LIFETIME), return_path }
    }

    /// Reads what `cookie_value` has written. `None`: it is not valid, or has expired.
    pub(crate) fn parse(value: &str, now: Timestamp) -> Option<Self> {
        let mut parts = value.split('.');
        let (token, expires_at, path) = (parts.next()?, parts.next()?, parts.next()?);
        AttemptToken::digest_of(token)?;
        let expires_at = Timestamp::from_millis(expires_at.parse().ok()?);
        let path = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(path).ok()?).ok()?;
        let attempt =
            Self { token: Secret::new(token.to_owned()), expires_at, return_path: ReturnPath::parse(&path) };
        let is_open = parts.next().is_none() && now < expires_at && expires_at <= now.plus(ATTEMPT_LIFETIME);
        is_open.then_some(attempt)
    }

    pub(crate) fn cookie_value(&self) -> String {
        let path = BASE64_URL_SAFE_NO_PAD.encode(self.return_path.as_str());
        format!("{}.{}.{path}", self.token.expose(), self.expires_at.millis())
    }

    pub(crate) fn return_path(&self) -> &ReturnPath {
        &self.return_path
    }

    pub(crate) fn state(&self) -> String {
        self.derive("state")
    }

    pub(crate) fn nonce(&self) -> String {
        self.derive("nonce")
    }

    /// The PKCE verifier. Without the cookie, nobody can use the provider's code.
    pub(crate) fn verifier(&self) -> String {
        self.derive("verifier")
    }

    fn derive(&self, purpose: &str) -> String {
        // None of the parts has a line break, so different parts never give the same text.
        let text = format!(
            "{purpose}\n{}\n{}\n{}",
            self.token.expose(),
            self.expires_at.millis(),
            self.return_path.as_str()
        );
        BASE64_URL_SAFE_NO_PAD.encode(sha256(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn attempt(seed: u64) -> SignInAttempt {
        SignInAttempt::new(ReturnPath::parse("/operator?a=b"), NOW, &mut StdRng::seed_from_u64(seed))
    }

    fn derived(attempt: &SignInAttempt) -> [String; 3] {
        [attempt.state(), attempt.nonce(), attempt.verifier()]
    }

    #[test]
    fn a_cookie_leads_to_the_same_values_for_ten_minutes() {
        let attempt = attempt(1);
        let value = attempt.cookie_value();
        let ends = NOW.plus(ATTEMPT_LIFETIME);
        for at in [NOW, Timestamp::from_millis(ends.millis() - 1)] {
            let read = SignInAttempt::parse(&value, at).expect("it is open");
            assert_eq!(derived(&read), derived(&attempt));
            assert_eq!(read.return_path().as_str(), "/operator?a=b");
        }
        assert!(SignInAttempt::parse(&value, ends).is_none());
        // A cookie of a service whose clock is wrong, or one that somebody has written.
        assert!(SignInAttempt::parse(&value, Timestamp::from_millis(NOW.millis() - 1)).is_none());
    }

    #[test]
    fn every_value_differs() {
        let (one, other) = (derived(&attempt(1)), derived(&attempt(2)));
        let mut all: Vec<&String> = one.iter().chain(&other).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 6);
        assert!(all.iter().all(|value| value.len() == 43), "a PKCE verifier has at least 43 characters");
    }

    #[test]
    fn a_changed_cookie_has_another_state_or_is_refused() {
        let attempt = attempt(1);
        let value = attempt.cookie_value();
        let (token, rest) = value.split_once('.').expect("parts");
        let (ends, path) = rest.split_once('.').expect("parts");
        let other = BASE64_URL_SAFE_NO_PAD.encode("/settings/mcp");
        for changed in [format!("{token}.{}.{path}", NOW.millis() + 1), format!("{token}.{ends}.{other}")] {
            let read = SignInAttempt::parse(&changed, NOW).expect("it has the form");
            assert_ne!(read.state(), attempt.state(), "{changed}");
        }
        for bad in ["", "x", token, &format!("{token}.{ends}"), &format!("{value}.x"), &format!("x{value}")] {
            assert!(SignInAttempt::parse(bad, NOW).is_none(), "{bad}");
        }
    }
}
