//! Identifiers: `[A-Za-z0-9_-]{1,64}`, except for user ids, whose form the host application chooses. Each kind has its own
//! type, so that one cannot be passed for another.

use std::{
    fmt,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use rand::CryptoRng;
use serde::{Deserialize, Serialize};

use crate::{
    key::{base62, mentions_key},
    user_id::{InvalidUserId, check_user_id},
};

const MAX_LENGTH: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -")]
pub struct InvalidId;

/// Whether a text has the form of an id.
pub fn is_id(text: &str) -> bool {
    check(text).is_ok()
}

fn check(text: &str) -> Result<(), InvalidId> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    // An MCP key has the form of an id. If it were accepted as one, it would be stored in clear text.
    let fits = (1..=MAX_LENGTH).contains(&text.len()) && text.bytes().all(allowed) && !mentions_key(text);
    if fits { Ok(()) } else { Err(InvalidId) }
}

/// A new identifier such as `key_4fT9…`: a readable prefix and 20 random base62 characters (119 bits).
pub fn fresh(prefix: &str, random: &mut impl CryptoRng) -> String {
    format!("{prefix}_{}", base62::random(20, random))
}

/// Identifiers that are needed for every request: one random prefix for the process, then a counter.
#[derive(Debug)]
pub struct Sequence {
    prefix: String,
    next: AtomicU64,
}

impl Sequence {
    pub fn new(prefix: &str, random: &mut impl CryptoRng) -> Self {
        Self { prefix: format!("{prefix}_{}", base62::random(12, random)), next: AtomicU64::new(0) }
    }

    /// Written by hand, because `format!` would cost every request as much as checking its key.
    pub fn next(&self) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        const MIN_DIGITS: u32 = 6;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let digits = (u64::BITS - number.leading_zeros()).div_ceil(4).max(MIN_DIGITS);
        let mut id = String::with_capacity(self.prefix.len() + digits as usize);
        id.push_str(&self.prefix);
        for place in (0..digits).rev() {
            id.push(char::from(DIGITS[(number >> (4 * place) & 15) as usize]));
        }
        id
    }
}

// `Arc<Box<str>>` is one pointer wide. Every cached key has four ids, and shares three of them with other keys.
macro_rules! ids {
    ($check:ident $error:ident: $($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Arc<Box<str>>);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                $check(text).map(|()| Self(Arc::new(text.into())))
            }
        }

        impl TryFrom<String> for $name {
            type Error = $error;

            fn try_from(text: String) -> Result<Self, $error> {
                $check(&text).map(|()| Self(Arc::new(text.into())))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.as_str().to_owned()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

ids! {
    check InvalidId:
    BrandId,
    PlanId,
    /// Names a key in paths and lists. It is not a secret.
    KeyId,
    /// A channel that a brand publishes posts to.
    ChannelId,
    /// Where a brand gets its events.
    EndpointId,
}

ids! {
    check_user_id InvalidUserId:
    /// A user of the host application: the `sub` of its JWT. See [`InvalidUserId`] for its form.
    UserId,
}

impl KeyId {
    pub fn fresh(random: &mut impl CryptoRng) -> Self {
        Self(Arc::new(fresh("key", random).into()))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn sequence_counts_in_hexadecimal() {
        let sequence = Sequence::new("req", &mut rand::rngs::StdRng::seed_from_u64(1));
        for number in [0, 1, 15, 16, 0x00ab_cdef, 0x00ff_ffff, 0x0100_0000, u64::MAX] {
            sequence.next.store(number, Ordering::Relaxed);
            assert_eq!(sequence.next(), format!("{}{number:06x}", sequence.prefix));
        }
    }

    #[test]
    fn id_has_at_most_64_plain_characters() {
        for good in ["a", "acme", "A-b_9", &"x".repeat(64)] {
            assert!(good.parse::<BrandId>().is_ok(), "{good}");
        }
        for bad in ["", "a b", "a/b", "é", "a.b", &"x".repeat(65)] {
            assert!(bad.parse::<BrandId>().is_err(), "{bad}");
        }
    }
}
