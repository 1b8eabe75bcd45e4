//! Counts the words of a page as they come by, and draws a fingerprint of them, without keeping the text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// No word is longer; more of one is left out.
const LONGEST_WORD: usize = 64;

/// What makes two texts the same, or nearly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Fingerprint {
    /// Equal where all words are the same, in their order.
    pub exact: u64,
    /// `SimHash` of every three words in a row: a few bits differ where a few words do.
    pub similar: u64,
}

impl Fingerprint {
    /// How many of the 64 bits differ.
    pub fn distance(self, other: Self) -> u32 {
        (self.similar ^ other.similar).count_ones()
    }
}

#[derive(Debug)]
pub(super) struct Words {
    word: String,
    count: u32,
    exact: u64,
    last: [u64; 2],
    balance: [i32; 64],
}

impl Words {
    pub(super) fn new() -> Self {
        Self { word: String::new(), count: 0, exact: 0, last: [0; 2], balance: [0; 64] }
    }

    /// Adds visible text. A word may go on in the next piece, as in `re<b>mark</b>able`.
    pub(super) fn add(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_alphanumeric() {
                // Scripts without spaces: each sign counts as a word.
                let stands_alone = is_without_spaces(c);
                if stands_alone {
                    self.end_word();
                }
                if self.word.len() < LONGEST_WORD {
                    self.word.extend(c.to_lowercase());
                }
                if stands_alone {
                    self.end_word();
                }
            } else if c.is_whitespace() {
                self.end_word();
            }
        }
    }

    pub(super) fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let hash = spread(self.word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }));
        self.word.clear();
        self.count = self.count.saturating_add(1);
        self.exact = spread(self.exact ^ hash);
        let [before, previous] = self.last;
        self.last = [previous, hash];
        let row = spread(before.rotate_left(2) ^ previous.rotate_left(1) ^ hash);
        for (bit, balance) in self.balance.iter_mut().enumerate() {
            *balance += if row >> bit & 1 == 1 { 1 } else { -1 };
        }
    }

    pub(super) fn finish(mut self) -> (u32, Fingerprint) {
        self.end_word();
        let bits = self.balance.iter().enumerate().filter(|(_, balance)| **balance > 0);
        let similar = bits.fold(0, |bits, (bit, _)| bits | 1 << bit);
        (self.count, Fingerprint { exact: self.exact, similar })
    }
}

/// Every bit of the result depends on every bit of the number (the finish of splitmix64).
fn spread(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

fn is_without_spaces(c: char) -> bool {
    // Thai, Lao, Myanmar, Khmer; kana and Han with their extensions.
    matches!(u32::from(c), 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (u32, Fingerprint) {
        let mut words = Words::new();
        words.add(text);
        words.finish()
    }

    #[test]
    fn words_are_counted_in_scripts_with_and_without_spaces() {
        for (text, count) in
            [("", 0), ("One, two – 3!", 3), ("it's e-mail", 2), ("日本語です", 5), ("ok日本", 3)]
        {
            assert_eq!(read(text).0, count, "{text}");
        }
        assert_eq!(read(&"a".repeat(10_000)).0, 1);
    }

    #[test]
    fn a_changed_word_changes_few_bits_and_another_text_many() {
        let text: String = (0..300).map(|n| format!("word{} ", n * 7 % 251)).collect::<Vec<_>>().concat();
        let changed = text.replace("word50 ", "other ");
        let another: String = (0..300).map(|n| format!("term{} ", n * 5 % 239)).collect::<Vec<_>>().concat();
        let (original, changed, another) = (read(&text).1, read(&changed).1, read(&another).1);
        assert_ne!(original.exact, changed.exact);
        assert!(original.distance(changed) <= 6, "{}", original.distance(changed));
        assert!(original.distance(another) >= 16, "{}", original.distance(another));
        assert_eq!(read("Same text.").1, read("same   TEXT").1);
    }
}
