//! Parses numbers as exported lists write them: `1,300`, `1.300`, `1 300`, `170.0`, `1K – 10K`, `<10`, `3,45`, `$1.20`, `-`.
//!
//! Only English headers are known, so ambiguous numbers are parsed as English: `1,250` is 1250. A count has no fraction, so
//! `1.300` as a count is 1300.

use super::super::model::Range;

/// A larger number cannot be right: the column was misread.
const MAX_NUMBER: f64 = 1e12;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Count {
    Exact(u64),
    Range(Range<u64>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a number")]
pub(super) struct ParseNumberError;

/// Parses a count or a range of counts. `None` if the list has no value.
pub(super) fn parse_count(text: &str) -> Result<Option<Count>, ParseNumberError> {
    let text = trim(text);
    if is_unknown(text) {
        return Ok(None);
    }
    if let Some(limit) = text.strip_prefix(['<', '≤']) {
        let limit = parse_magnitude(limit)?;
        let high = if text.starts_with('<') { limit.saturating_sub(1) } else { limit };
        return Ok(Some(Count::Range(Range { low: 0, high: Some(high) })));
    }
    if let Some(limit) = text.strip_prefix(['>', '≥']).or_else(|| text.strip_suffix('+')) {
        let low = parse_magnitude(limit)?;
        let low = if text.starts_with('>') { low.saturating_add(1) } else { low };
        return Ok(Some(Count::Range(Range { low, high: None })));
    }
    let parts = text.split_once(['–', '—', '-']).or_else(|| text.split_once(" to "));
    match parts {
        Some((low, high)) => {
            let (low, high) = (parse_magnitude(low)?, parse_magnitude(high)?);
            if low > high {
                return Err(ParseNumberError);
            }
            Ok(Some(Count::Range(Range { low, high: Some(high) })))
        }
        None => parse_magnitude(text).map(|count| Some(Count::Exact(count))),
    }
}

/// Parses a count that must not be a range.
pub(super) fn parse_exact_count(text: &str) -> Result<Option<u64>, ParseNumberError> {
    match parse_count(text)? {
        None => Ok(None),
        Some(Count::Exact(count)) => Ok(Some(count)),
        Some(Count::Range(_)) => Err(ParseNumberError),
    }
}

/// Parses a number that may have a fraction: a price, a share, a position. It is never negative.
pub(super) fn parse_decimal(text: &str) -> Result<Option<f64>, ParseNumberError> {
    let text = trim(text);
    if is_unknown(text) {
        return Ok(None);
    }
    let text = text.strip_prefix("US").unwrap_or(text);
    let digits = trim(text.trim_matches(['$', '€', '£', '¥', '₹', '%']));
    parse_number(digits, Fraction::Possible).map(Some)
}

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

fn is_unknown(text: &str) -> bool {
    matches!(text, "" | "-" | "--" | "–" | "—")
        || ["n/a", "na", "n.a.", "nan", "null", "none", "unknown"]
            .iter()
            .any(|unknown| text.eq_ignore_ascii_case(unknown))
}

/// Parses a whole number that may have a unit: `1.2K`, `3M`, `1B`.
fn parse_magnitude(text: &str) -> Result<u64, ParseNumberError> {
    let text = trim(text);
    let factor = match text.chars().last().map(|c| c.to_ascii_lowercase()) {
        Some('k') => 1e3,
        Some('m') => 1e6,
        Some('b') => 1e9,
        _ => return to_count(parse_number(text, Fraction::None)?),
    };
    to_count((parse_number(trim(&text[..text.len() - 1]), Fraction::Possible)? * factor).round())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be whole and within bounds"
)]
fn to_count(number: f64) -> Result<u64, ParseNumberError> {
    if number.fract() == 0.0 && (0.0..=MAX_NUMBER).contains(&number) {
        Ok(number as u64)
    } else {
        Err(ParseNumberError)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fraction {
    None,
    Possible,
}

fn parse_number(text: &str, fraction: Fraction) -> Result<f64, ParseNumberError> {
    let is_digit = |c: char| c.is_ascii_digit();
    if text.len() > 40 || !text.starts_with(is_digit) || !text.ends_with(is_digit) {
        return Err(ParseNumberError);
    }
    let (integer, decimals) = match decimal_separator_index(text, fraction) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    };
    if !decimals.chars().all(is_digit) {
        return Err(ParseNumberError);
    }
    let number: f64 =
        format!("{}.{decimals}0", remove_group_separators(integer)?).parse().map_err(|_| ParseNumberError)?;
    if number <= MAX_NUMBER { Ok(number) } else { Err(ParseNumberError) }
}

/// The byte offset of the decimal separator, if there is one.
fn decimal_separator_index(text: &str, fraction: Fraction) -> Option<usize> {
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
    let may_be_thousands = after.len() == 3 && before.len() <= 3 && !before.starts_with('0');
    let is_thousands = may_be_thousands && (mark == ',' || fraction == Fraction::None);
    (!is_thousands).then_some(last)
}

/// Removes the separators of thousands. Groups have three digits, or two before the last group (India).
fn remove_group_separators(integer: &str) -> Result<String, ParseNumberError> {
    let is_mark = |c: char| matches!(c, ',' | '.' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let groups: Vec<&str> = integer.split(is_mark).collect();
    let digits = groups.iter().all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    let valid = match groups.as_slice() {
        [_] => true,
        [first, middle @ .., last] => {
            first.len() <= 3 && last.len() == 3 && middle.iter().all(|group| matches!(group.len(), 2 | 3))
        }
        [] => false,
    };
    if digits && valid { Ok(groups.concat()) } else { Err(ParseNumberError) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_are_parsed_in_many_formats() {
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
            assert_eq!(parse_count(text), Ok(Some(Count::Exact(expected))), "{text}");
        }
    }

    #[test]
    fn missing_value_is_none_and_not_zero() {
        for text in ["", "-", "--", "–", "—", "n/a", "N/A", "null", " - "] {
            assert_eq!(parse_count(text), Ok(None), "{text}");
            assert_eq!(parse_decimal(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn ranges_are_parsed() {
        let range = |low, high| Ok(Some(Count::Range(Range { low, high })));
        for text in ["1K – 10K", "1K–10K", "1,000 - 10,000", "1K — 10K", "1000 to 10000"] {
            assert_eq!(parse_count(text), range(1_000, Some(10_000)), "{text}");
        }
        assert_eq!(parse_count("0-10"), range(0, Some(10)));
        assert_eq!(parse_count("<10"), range(0, Some(9)));
        assert_eq!(parse_count("< 1K"), range(0, Some(999)));
        assert_eq!(parse_count("1M+"), range(1_000_000, None));
        assert_eq!(parse_count(">100"), range(101, None));
        assert_eq!(parse_exact_count("0-10"), Err(ParseNumberError));
    }

    #[test]
    fn decimals_are_parsed_in_many_formats() {
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
            // Ambiguous, so parsed as English.
            ("1.250", 1.25),
            ("1,250", 1250.0),
            ("7", 7.0),
        ] {
            assert_eq!(parse_decimal(text), Ok(Some(expected)), "{text}");
        }
    }

    #[test]
    fn invalid_number_is_rejected() {
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
            assert_eq!(parse_count(text), Err(ParseNumberError), "{text}");
        }
        for text in ["abc", "-5", "1.2.3,4,5", "=1+1", "$", "%"] {
            assert_eq!(parse_decimal(text), Err(ParseNumberError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_accepted(text in "\\PC{0,30}", numeric in "[0-9.,KkMm<>+ –-]{0,20}") {
            for text in [text, numeric] {
                let _ = (parse_count(&text), parse_exact_count(&text));
                if let Ok(Some(number)) = parse_decimal(&text) {
                    prop_assert!(number.is_finite() && number >= 0.0);
                }
            }
        }

        #[test]
        fn number_is_parsed_with_any_group_separator(number in 0u64..1_000_000_000, mark in "[,. ']") {
            let digits = number.to_string();
            let mut grouped = String::new();
            for (at, digit) in digits.chars().enumerate() {
                if at > 0 && (digits.len() - at).is_multiple_of(3) {
                    grouped.push_str(&mark);
                }
                grouped.push(digit);
            }
            prop_assert_eq!(parse_exact_count(&grouped), Ok(Some(number)));
        }
    }
}
