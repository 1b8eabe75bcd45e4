//! Record keys of ATProto (TIDs): 53 bits of microseconds and 10 bits of clock id, in 13 sortable characters.

use aws_lc_rs::digest::{SHA256, digest};
use svc_mcp_access::Timestamp;

const DIGITS: &[u8; 32] = b"234567abcdefghijklmnopqrstuvwxyz";

/// The key of a post's record. It depends only on its arguments, so a retry finds the record of the first attempt. The id
/// separates posts of the same millisecond.
pub(super) fn record_key(at: Timestamp, id: &str) -> String {
    let hash = digest(&SHA256, id.as_bytes());
    let hash = hash.as_ref().first_chunk().map_or(0, |head| u64::from_be_bytes(*head));
    let millis = u64::try_from(at.millis()).unwrap_or(0);
    let micros = (millis * 1000 + hash % 1000) & ((1 << 53) - 1);
    let clock_id = (hash / 1000) & 0x3ff;
    let number = micros << 10 | clock_id;
    let digit = |place: u32| {
        let digit = usize::try_from(number >> (5 * place) & 31).unwrap_or(0);
        char::from(DIGITS[digit])
    };
    (0..13).rev().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    /// Decodes a key as the specification says.
    fn number(tid: &str) -> u64 {
        tid.bytes().fold(0, |number, byte| {
            let digit = DIGITS.iter().position(|digit| *digit == byte).expect("a digit");
            number << 5 | digit as u64
        })
    }

    proptest! {
        #[test]
        fn a_key_has_the_specified_form_and_encodes_the_time(millis in 0_i64..8_000_000_000_000, id in ".{0,40}") {
            let tid = record_key(Timestamp::from_millis(millis), &id);
            prop_assert_eq!(tid.len(), 13);
            prop_assert!(b"234567abcdefghij".contains(&tid.as_bytes()[0]), "{}", tid);
            prop_assert_eq!((number(&tid) >> 10) / 1000, u64::try_from(millis).expect("positive"));
            prop_assert_eq!(tid, record_key(Timestamp::from_millis(millis), &id));
        }

        #[test]
        fn keys_of_later_posts_sort_later(first in 0_i64..4_000_000_000_000, more in 1_i64..4_000_000_000_000, id in "[a-z]{8}") {
            let (one, other) = (Timestamp::from_millis(first), Timestamp::from_millis(first + more));
            prop_assert!(record_key(one, &id) < record_key(other, "another"));
        }
    }

    #[test]
    fn posts_of_the_same_millisecond_have_different_keys() {
        let at = Timestamp::from_millis(1_794_700_800_000);
        let keys: HashSet<String> = (0..200).map(|number| record_key(at, &format!("msg_{number}"))).collect();
        assert_eq!(keys.len(), 200);
    }

    #[test]
    fn the_example_of_the_specification_decodes_to_its_time() {
        // https://atproto.com/specs/tid: 3jzfcijpj2z2a.
        assert_eq!(number("3jzfcijpj2z2a") >> 10, 1_688_137_381_887_007);
    }
}
