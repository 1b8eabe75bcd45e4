//! The secret of a key: `svc_mcp_`, 43 random base62 characters, and a checksum of 6 characters.

use std::fmt;

use rand::CryptoRng;

use super::{base62, digest::KeyDigest};
use crate::Secret;

/// Never change this: every existing key starts with it, and secret scanners search for it.
pub const PREFIX: &str = "svc_mcp_";

/// 62⁴³ > 2²⁵⁶.
const RANDOM_LENGTH: usize = 43;
const CHECKSUM_LENGTH: usize = 6;
const LENGTH: usize = PREFIX.len() + RANDOM_LENGTH + CHECKSUM_LENGTH;
/// How many characters of a key lists show.
pub const SHOWN_LENGTH: usize = PREFIX.len() + 6;

/// An MCP key in clear text.
#[derive(Clone)]
pub struct KeyToken(Secret);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an MCP key")]
pub struct Malformed;

impl KeyToken {
    pub fn generate(random: &mut impl CryptoRng) -> Self {
        let mut text = String::with_capacity(LENGTH);
        text.push_str(PREFIX);
        text.push_str(&base62::random(RANDOM_LENGTH, random));
        let checksum = checksum(&text.as_bytes()[PREFIX.len()..]);
        text.extend(checksum.map(char::from));
        Self(Secret::new(text))
    }

    /// The digest of a key that a client sent. A wrong form or checksum is refused, so that a mistyped or
    /// invented key costs a CRC and never a lookup.
    pub fn digest_of(token: &[u8]) -> Result<KeyDigest, Malformed> {
        if token.len() != LENGTH {
            return Err(Malformed);
        }
        let body = token.strip_prefix(PREFIX.as_bytes()).ok_or(Malformed)?;
        let (random, given) = body.split_at(RANDOM_LENGTH);
        // Without an early exit, so that the compiler vectorises the loop.
        let is_alphanumeric = random.iter().fold(true, |all, byte| all & byte.is_ascii_alphanumeric());
        if given != checksum(random) || !is_alphanumeric {
            return Err(Malformed);
        }
        Ok(KeyDigest::of(token))
    }

    pub fn from_clear(clear: Secret) -> Result<Self, Malformed> {
        Self::digest_of(clear.expose().as_bytes()).map(|_| Self(clear))
    }

    pub fn digest(&self) -> KeyDigest {
        KeyDigest::of(self.0.expose().as_bytes())
    }

    /// The part that lists show: enough to tell keys apart, and useless as a key.
    pub fn shown_prefix(&self) -> &str {
        &self.0.expose()[..SHOWN_LENGTH]
    }

    pub(super) fn secret(&self) -> &Secret {
        &self.0
    }

    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl fmt::Debug for KeyToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyToken(redacted)")
    }
}

/// Whether a text contains something that looks like a key. Such a text is neither stored nor quoted, because people
/// paste keys into wrong fields.
pub fn mentions_key(text: &str) -> bool {
    let long_enough =
        |rest: &str| rest.bytes().take_while(u8::is_ascii_alphanumeric).count() >= RANDOM_LENGTH;
    text.match_indices(PREFIX).any(|(at, _)| long_enough(&text[at + PREFIX.len()..]))
}

/// The digests of all keys in a text, which may be longer than a key, such as a line of a file. Texts that only look like a
/// key are left out.
pub fn digests_in(text: &str) -> impl Iterator<Item = KeyDigest> {
    text.match_indices(PREFIX).filter_map(|(at, _)| {
        let token = text.as_bytes().get(at..at + LENGTH)?;
        KeyToken::digest_of(token).ok()
    })
}

/// The text with every key in it cut to the part that lists show.
pub fn redact_keys(text: &str) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(PREFIX) {
        let (before, found) = rest.split_at(at);
        let body = found[PREFIX.len()..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        let (token, after) = found.split_at(PREFIX.len() + body);
        redacted.push_str(before);
        match token.get(..SHOWN_LENGTH).filter(|shown| shown.len() < token.len()) {
            Some(shown) => redacted.extend([shown, "…"]),
            None => redacted.push_str(token),
        }
        rest = after;
    }
    redacted + rest
}

fn checksum(random: &[u8]) -> [u8; CHECKSUM_LENGTH] {
    base62::six_digits(crc32fast::hash(random))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    fn token(seed: u64) -> KeyToken {
        KeyToken::generate(&mut StdRng::seed_from_u64(seed))
    }

    #[test]
    fn format_is_the_published_one() {
        let body = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg";
        // CRC-32 (IEEE) by its definition, bit by bit, and base62 by repeated division.
        let mut crc = u32::MAX;
        for byte in body.bytes() {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
            }
        }
        let mut number = !crc;
        let mut digits = vec![];
        for _ in 0..6 {
            digits.push(char::from(base62::DIGITS[(number % 62) as usize]));
            number /= 62;
        }
        let checksum: String = digits.iter().rev().collect();
        let key = format!("svc_mcp_{body}{checksum}");
        assert_eq!(key.len(), 57);
        assert_eq!(KeyToken::digest_of(key.as_bytes()), Ok(KeyDigest::of(key.as_bytes())));
    }

    #[test]
    fn pasted_key_is_detected_and_its_prefix_is_not() {
        let token = token(3);
        assert!(mentions_key(token.expose()));
        assert!(mentions_key(&format!("see svc_mcp_ and {}!", token.expose())));
        assert!(!mentions_key(token.shown_prefix()));
        assert!(!mentions_key("a key begins with svc_mcp_ and goes on"));
    }

    #[test]
    fn keys_are_found_in_any_text() {
        let (one, other) = (token(5), token(6));
        let text = format!("MCP_KEY=\"{}\" # é {}x{}", one.expose(), one.shown_prefix(), other.expose());
        assert_eq!(digests_in(&text).collect::<Vec<_>>(), [one.digest(), other.digest()]);
        let joined = format!("{}{}", one.expose(), other.expose());
        assert_eq!(digests_in(&joined).count(), 2);
        let mut wrong = one.expose().to_owned();
        wrong.replace_range(20..21, if &wrong[20..21] == "A" { "B" } else { "A" });
        for text in
            ["", "svc_mcp_", &wrong, &one.expose()[..56], "svc_mcp_éééééééééééééééééééééééééééééééééé"]
        {
            assert_eq!(digests_in(text).count(), 0, "{text}");
        }
    }

    #[test]
    fn redacted_text_has_only_the_shown_part_of_a_key() {
        let (one, other) = (token(7), token(8));
        let text = format!("https://a.example/?k={}&x={}, é", one.expose(), other.expose());
        let redacted = format!("https://a.example/?k={}…&x={}…, é", one.shown_prefix(), other.shown_prefix());
        assert_eq!(redact_keys(&text), redacted);
        assert_eq!(redact_keys(&one.expose()[..40]), format!("{}…", one.shown_prefix()));
        for plain in ["", "no key", "svc_mcp_", "svc_mcp_abc and more", one.shown_prefix()] {
            assert_eq!(redact_keys(plain), plain);
        }
    }

    #[test]
    fn debug_output_is_redacted() {
        assert_eq!(format!("{:?}", token(1)), "KeyToken(redacted)");
    }

    proptest! {
        #[test]
        fn every_generated_key_is_recognised(seed: u64) {
            let token = token(seed);
            prop_assert_eq!(KeyToken::digest_of(token.expose().as_bytes()), Ok(token.digest()));
            prop_assert!(token.expose().starts_with(token.shown_prefix()));
            prop_assert_eq!(token.shown_prefix().len(), 14);
        }

        #[test]
        fn any_single_changed_byte_is_refused(seed: u64, at in 0..LENGTH, byte: u8) {
            let mut bytes = token(seed).expose().as_bytes().to_vec();
            prop_assume!(bytes[at] != byte);
            bytes[at] = byte;
            prop_assert_eq!(KeyToken::digest_of(&bytes), Err(Malformed));
        }

        #[test]
        fn arbitrary_bytes_are_refused(bytes: Vec<u8>) {
            prop_assert_eq!(KeyToken::digest_of(&bytes), Err(Malformed));
        }
    }
}
