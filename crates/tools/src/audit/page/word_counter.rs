//! Counts the words of a page and computes their fingerprint, without storing the text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rest of a longer word is ignored.
const MAX_WORD_CHARS: usize = 64;

/// Shows whether two texts are equal or similar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Fingerprint {
    /// Equal for the same words in the same order.
    pub exact: u64,
    /// `SimHash` of all three-word sequences: a few different words change a few bits.
    pub similar: u64,
}

impl Fingerprint {
    /// How many of the 64 bits differ.
    pub fn distance(self, other: Self) -> u32 {
        (self.similar ^ other.similar).count_ones()
    }
}

#[derive(Debug)]
pub(super) struct WordCounter {
    word: String,
    count: u32,
    exact: u64,
    last: [u64; 2],
    balance: [i32; 64],
}

impl WordCounter {
    pub(super) fn new() -> Self {
        Self { word: String::new(), count: 0, exact: 0, last: [0; 2], balance: [0; 64] }
    }

    /// Adds visible text. A word may continue in the next call, as in `re<b>mark</b>able`.
    pub(super) fn add(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_alphanumeric() {
                // In scripts without spaces, each character counts as a word.
                let is_word = is_without_spaces(c);
                if is_word {
                    self.end_word();
                }
                if self.word.len() < MAX_WORD_CHARS {
                    self.word.extend(c.to_lowercase());
                }
                if is_word {
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
        let hash = mix(self.word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }));
        self.word.clear();
        self.count = self.count.saturating_add(1);
        self.exact = mix(self.exact ^ hash);
        let [before, previous] = self.last;
        self.last = [previous, hash];
        let shingle = mix(before.rotate_left(2) ^ previous.rotate_left(1) ^ hash);
        for (bit, balance) in self.balance.iter_mut().enumerate() {
            *balance += if shingle >> bit & 1 == 1 { 1 } else { -1 };
        }
    }

    pub(super) fn finish(mut self) -> (u32, Fingerprint) {
        self.end_word();
        let bits = self.balance.iter().enumerate().filter(|(_, balance)| **balance > 0);
        let similar = bits.fold(0, |bits, (bit, _)| bits | 1 << bit);
        (self.count, Fingerprint { exact: self.exact, similar })
    }
}

/// The finalizer of splitmix64: every input bit changes every output bit.
fn mix(number: u64) -> u64 {
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
        let mut words = WordCounter::new();
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
    fn changed_word_changes_few_bits_and_other_text_many() {
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
