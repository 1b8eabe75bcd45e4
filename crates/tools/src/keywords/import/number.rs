//! Numbers as exported lists write them: `1,300`, `1.300`, `1 300`, `170.0`, `1K – 10K`, `<10`, `3,45`, `$1.20`, `-`.
//!
//! Only English heads are known, so what could be read either way is read the English way: `1,250` is a thousand two
//! hundred and fifty. A count has no fraction, so `1.300` as a count can only be thirteen hundred.

use super::super::model::Range;

/// No count is larger: more searches a month than there are people would be a misread column.
const LARGEST: f64 = 1e12;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Count {
    Exact(u64),
    Between(Range<u64>),
}

/// It is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NoNumber;

/// A count, or a range of counts. `None`: the list does not know it.
pub(super) fn count(text: &str) -> Result<Option<Count>, NoNumber> {
    let text = trimmed(text);
    if is_unknown(text) {
        return Ok(None);
    }
    if let Some(limit) = text.strip_prefix(['<', '≤']) {
        let limit = magnitude(limit)?;
        let high = if text.starts_with('<') { limit.saturating_sub(1) } else { limit };
        return Ok(Some(Count::Between(Range { low: 0, high: Some(high) })));
    }
    if let Some(limit) = text.strip_prefix(['>', '≥']).or_else(|| text.strip_suffix('+')) {
        let low = magnitude(limit)?;
        let low = if text.starts_with('>') { low.saturating_add(1) } else { low };
        return Ok(Some(Count::Between(Range { low, high: None })));
    }
    let parts = text.split_once(['–', '—', '-']).or_else(|| text.split_once(" to "));
    match parts {
        Some((low, high)) => {
            let (low, high) = (magnitude(low)?, magnitude(high)?);
            if low > high {
                return Err(NoNumber);
            }
            Ok(Some(Count::Between(Range { low, high: Some(high) })))
        }
        None => magnitude(text).map(|count| Some(Count::Exact(count))),
    }
}

/// A count that can be no range.
pub(super) fn exact(text: &str) -> Result<Option<u64>, NoNumber> {
    match count(text)? {
        None => Ok(None),
        Some(Count::Exact(count)) => Ok(Some(count)),
        Some(Count::Between(_)) => Err(NoNumber),
    }
}

/// A number with a fraction: a price, a share, a position. It is never below 0.
pub(super) fn decimal(text: &str) -> Result<Option<f64>, NoNumber> {
    let text = trimmed(text);
    if is_unknown(text) {
        return Ok(None);
    }
    let bare = text.strip_prefix("US").unwrap_or(text);
    let bare = trimmed(bare.trim_matches(['$', '€', '£', '¥', '₹', '%']));
    number(bare, Fraction::Possible).map(Some)
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

fn is_unknown(text: &str) -> bool {
    matches!(text, "" | "-" | "--" | "–" | "—")
        || ["n/a", "na", "n.a.", "nan", "null", "none", "unknown"]
            .iter()
            .any(|unknown| text.eq_ignore_ascii_case(unknown))
}

/// A whole number, or thousands, millions and billions as letters: `1.2K`.
fn magnitude(text: &str) -> Result<u64, NoNumber> {
    let text = trimmed(text);
    let factor = match text.chars().last().map(|c| c.to_ascii_lowercase()) {
        Some('k') => 1e3,
        Some('m') => 1e6,
        Some('b') => 1e9,
        _ => return whole(number(text, Fraction::None)?),
    };
    whole((number(trimmed(&text[..text.len() - 1]), Fraction::Possible)? * factor).round())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be whole and in bounds"
)]
fn whole(number: f64) -> Result<u64, NoNumber> {
    if number.fract() == 0.0 && (0.0..=LARGEST).contains(&number) { Ok(number as u64) } else { Err(NoNumber) }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fraction {
    None,
    Possible,
}

fn number(text: &str, fraction: Fraction) -> Result<f64, NoNumber> {
    let is_digit = |c: char| c.is_ascii_digit();
    if text.len() > 40 || !text.starts_with(is_digit) || !text.ends_with(is_digit) {
        return Err(NoNumber);
    }
    let (integer, decimals) = match decimal_mark(text, fraction) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    };
    if !decimals.chars().all(is_digit) {
        return Err(NoNumber);
    }
    let number: f64 = format!("{}.{decimals}0", without_groups(integer)?).parse().map_err(|_| NoNumber)?;
    if number <= LARGEST { Ok(number) } else { Err(NoNumber) }
}

/// Where the mark is that parts the fraction, if there is one.
fn decimal_mark(text: &str, fraction: Fraction) -> Option<usize> {
    let last = text.rfind([',', '.'])?;
    let mark = text[last..].chars().next()?;
    let other = if mark == ',' { '.' } else { ',' };
    let (before, after) = (&text[..last], &text[last + 1..]);
    if before.contains(mark) {
        return None; // `1,300,000`
    }
    if before.contains(other) {
        return Some(last); // `1.300,50`
    }
    let could_be_thousands = after.len() == 3 && before.len() <= 3 && !before.starts_with('0');
    let is_thousands = could_be_thousands && (mark == ',' || fraction == Fraction::None);
    (!is_thousands).then_some(last)
}

/// The digits without what parts the thousands. Groups have three digits; in India those before the last have two.
fn without_groups(integer: &str) -> Result<String, NoNumber> {
    let is_mark = |c: char| matches!(c, ',' | '.' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let groups: Vec<&str> = integer.split(is_mark).collect();
    let digits = groups.iter().all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    let right = match groups.as_slice() {
        [_] => true,
        [first, middle @ .., last] => {
            first.len() <= 3 && last.len() == 3 && middle.iter().all(|group| matches!(group.len(), 2 | 3))
        }
        [] => false,
    };
    if digits && right { Ok(groups.concat()) } else { Err(NoNumber) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_come_in_many_spellings() {
        for (text, expected) in [
            ("1300", 1300),
            ("1,300", 1300),
            ("1.300", 1300),
            ("1 300", 1300),
            ("1\u{a0}300", 1300),
            ("1\u{202f}300", 1300),
            ("1'300", 1300),
            ("1,300,000", 1_300_000),
            ("1.300.000", 1_300_000),
            ("1,00,000", 100_000),
            ("170.0", 170),
            ("2900,00", 2900),
            ("1.300,0", 1300),
            ("1.2K", 1200),
            ("1,2k", 1200),
            ("10K", 10_000),
            ("3M", 3_000_000),
            ("0", 0),
            (" 12 ", 12),
        ] {
            assert_eq!(count(text), Ok(Some(Count::Exact(expected))), "{text}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_zero() {
        for text in ["", "-", "--", "–", "—", "n/a", "N/A", "null", " - "] {
            assert_eq!(count(text), Ok(None), "{text}");
            assert_eq!(decimal(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn ranges_stay_ranges() {
        let range = |low, high| Ok(Some(Count::Between(Range { low, high })));
        for text in ["1K – 10K", "1K–10K", "1,000 - 10,000", "1K — 10K", "1000 to 10000"] {
            assert_eq!(count(text), range(1_000, Some(10_000)), "{text}");
        }
        assert_eq!(count("0-10"), range(0, Some(10)));
        assert_eq!(count("<10"), range(0, Some(9)));
        assert_eq!(count("< 1K"), range(0, Some(999)));
        assert_eq!(count("1M+"), range(1_000_000, None));
        assert_eq!(count(">100"), range(101, None));
        assert_eq!(exact("0-10"), Err(NoNumber));
    }

    #[test]
    fn decimals_come_in_many_spellings() {
        for (text, expected) in [
            ("1.25", 1.25),
            ("1,25", 1.25),
            ("$1.20", 1.2),
            ("US$1.20", 1.2),
            ("0,50 €", 0.5),
            ("1,234.56", 1234.56),
            ("1.234,56", 1234.56),
            ("45.61%", 45.61),
            ("0.123", 0.123),
            ("0,123", 0.123),
            // Both could be either: English heads, English numbers.
            ("1.250", 1.25),
            ("1,250", 1250.0),
            ("7", 7.0),
        ] {
            assert_eq!(decimal(text), Ok(Some(expected)), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "abc",
            "-5",
            "1.5",
            "12,34,5",
            "1,,000",
            "=1+1",
            "K",
            "10K – 1K",
            "1e5",
            "٣",
            ".5",
            "9999999999999999",
        ] {
            assert_eq!(count(text), Err(NoNumber), "{text}");
        }
        for text in ["abc", "-5", "1.2.3,4,5", "=1+1", "$", "%"] {
            assert_eq!(decimal(text), Err(NoNumber), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text in "\\PC{0,30}", numeric in "[0-9.,KkMm<>+ –-]{0,20}") {
            for text in [text, numeric] {
                let _ = (count(&text), exact(&text));
                if let Ok(Some(number)) = decimal(&text) {
                    prop_assert!(number.is_finite() && number >= 0.0);
                }
            }
        }

        #[test]
        fn a_number_comes_back_however_it_is_grouped(number in 0u64..1_000_000_000, mark in "[,. ']") {
            let digits = number.to_string();
            let mut grouped = String::new();
            for (at, digit) in digits.chars().enumerate() {
                if at > 0 && (digits.len() - at).is_multiple_of(3) {
                    grouped.push_str(&mark);
                }
                grouped.push(digit);
            }
            prop_assert_eq!(exact(&grouped), Ok(Some(number)));
        }
    }
}
