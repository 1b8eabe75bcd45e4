//! How people stay signed in: the session of a browser, and the code that starts one.
//!
//! A code and a session come from an application token, and end no later than it.

use std::{fmt, time::Duration};

use rand::CryptoRng;

use crate::{Secret, Timestamp, UserId, key::base62, sha256};

pub const MAX_SESSION_LIFETIME: Duration = Duration::from_hours(12);
/// Shorter, because a session of an operator opens all brands.
pub const MAX_OPERATOR_SESSION_LIFETIME: Duration = Duration::from_hours(1);
/// Long enough for one redirect of a browser.
pub const CODE_LIFETIME: Duration = Duration::from_mins(1);
/// One more session ends the oldest one.
pub const MAX_SESSIONS_PER_USER: u32 = 20;
/// One more code ends the oldest one.
pub const MAX_CODES_PER_USER: u32 = 20;

pub const CODE_PREFIX: &str = "svc_code_";
pub const SESSION_PREFIX: &str = "svc_session_";
pub const ATTEMPT_PREFIX: &str = "svc_attempt_";

/// 62⁴³ > 2²⁵⁶.
const RANDOM_LENGTH: usize = 43;

/// SHA-256 of a code or of a session's secret. It has 256 random bits, so a slow password hash is not needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SignInDigest([u8; 32]);

impl SignInDigest {
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SignInDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignInDigest")
    }
}

macro_rules! sign_in_secrets {
    ($($(#[$doc:meta])* $name:ident $prefix:ident),+ $(,)?) => {$(
        $(#[$doc])*
        pub struct $name(Secret);

        impl $name {
            pub fn generate(random: &mut impl CryptoRng) -> Self {
                Self(Secret::new(format!("{}{}", $prefix, base62::random(RANDOM_LENGTH, random))))
            }

            /// The digest of what a client sent. A wrong form is refused, so that it costs no lookup.
            pub fn digest_of(text: &str) -> Option<SignInDigest> {
                let random = text.strip_prefix($prefix)?;
                let fits = random.len() == RANDOM_LENGTH && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
                fits.then(|| SignInDigest(sha256(text.as_bytes())))
            }

            pub fn digest(&self) -> SignInDigest {
                SignInDigest(sha256(self.0.expose().as_bytes()))
            }

            pub fn expose(&self) -> &str {
                self.0.expose()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(redacted)"))
            }
        }
    )+};
}

sign_in_secrets! {
    /// Exchanged once for a session.
    SignInCode CODE_PREFIX,
    /// The secret of a session. The browser keeps it in a cookie.
    SessionToken SESSION_PREFIX,
    /// The secret of a sign-in with OpenID Connect. The browser keeps it in a cookie until the provider has answered.
    AttemptToken ATTEMPT_PREFIX,
}

/// Who may sign in, and until when: what an application token proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInGrant {
    pub user_id: UserId,
    /// Whether the token has the operator role.
    pub operator: bool,
    /// When the token expires.
    pub ends_at: Timestamp,
}

impl SignInGrant {
    /// When a code of this grant expires.
    pub fn code_expires_at(&self, now: Timestamp) -> Timestamp {
        now.plus(CODE_LIFETIME).min(self.ends_at)
    }

    /// When a session of this grant expires.
    pub fn session_expires_at(&self, now: Timestamp) -> Timestamp {
        let lifetime = if self.operator { MAX_OPERATOR_SESSION_LIFETIME } else { MAX_SESSION_LIFETIME };
        now.plus(lifetime).min(self.ends_at)
    }
}

/// A session that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub user_id: UserId,
    /// Whether it opens the operator API.
    pub operator: bool,
    pub expires_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    #[test]
    fn a_secret_is_recognised_by_its_digest_and_other_texts_are_refused() {
        let mut random = StdRng::seed_from_u64(1);
        let (code, token) = (SignInCode::generate(&mut random), SessionToken::generate(&mut random));
        assert_eq!(SignInCode::digest_of(code.expose()), Some(code.digest()));
        assert_eq!(SessionToken::digest_of(token.expose()), Some(token.digest()));
        let long = format!("{}A", code.expose());
        for bad in
            ["", "svc_code_", token.expose(), &long, &code.expose()[..51], &code.expose().replace('_', "-")]
        {
            assert_eq!(SignInCode::digest_of(bad), None, "{bad}");
        }
        assert_eq!(SessionToken::digest_of(code.expose()), None);
        assert_eq!(format!("{code:?} {token:?}"), "SignInCode(redacted) SessionToken(redacted)");
    }

    #[test]
    fn nothing_outlives_the_token() {
        let now = Timestamp::from_millis(1_000_000);
        let grant = |seconds| SignInGrant {
            user_id: "ada".parse().expect("an id"),
            operator: false,
            ends_at: now.plus(Duration::from_secs(seconds)),
        };
        let at = |seconds| now.plus(Duration::from_secs(seconds));
        assert_eq!(grant(10).code_expires_at(now), at(10));
        assert_eq!(grant(3_600).code_expires_at(now), at(60));
        assert_eq!(grant(3_600).session_expires_at(now), at(3_600));
        assert_eq!(grant(90_000).session_expires_at(now), at(43_200));
        let operator = |seconds| SignInGrant { operator: true, ..grant(seconds) };
        assert_eq!(operator(90_000).session_expires_at(now), at(3_600));
        assert_eq!(operator(10).session_expires_at(now), at(10));
    }
}
