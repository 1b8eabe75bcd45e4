//! Formats figures and foreign text for an email.

use svc_mcp_access::Timestamp;

use super::Compared;
use crate::net::parse_http_url;

/// Makes one line of a text from a page or a post: no control characters, no direction marks, single spaces, truncated.
pub(crate) fn one_line(text: &str, max_chars: usize) -> String {
    let shown = text.chars().map(|character| if character.is_whitespace() { ' ' } else { character });
    let shown: String = shown.filter(|character| !is_hidden(*character)).collect();
    truncated(&shown.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "), max_chars)
}

/// The same for each line of a note.
pub(super) fn lines(text: &str) -> Vec<String> {
    text.trim().lines().map(|line| one_line(line, usize::MAX)).collect()
}

/// Invisible characters that change how others are shown.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn truncated(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some(_) => {
            format!("{}…", text.chars().take(max_chars.saturating_sub(1)).collect::<String>().trim_end())
        }
    }
}

/// The address if it is safe as a link in an email.
pub(super) fn link(address: &str) -> Option<String> {
    parse_http_url(address).is_ok().then(|| address.trim().to_owned())
}

/// `broken_internal_link` as `Broken internal link`.
pub(crate) fn humanize(code: &str) -> String {
    let mut text = code.replace('_', " ");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// `1 page`, `1,204 pages`.
pub(crate) fn pluralize(number: u64, noun: &str) -> String {
    let suffix = if number == 1 { "" } else { "s" };
    format!("{} {noun}{suffix}", group_digits(number))
}

/// `1204` as `1,204`.
pub(crate) fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut written = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

/// `15 November 2026, 09:30 UTC`.
pub(crate) fn date_and_time(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.millis())
        .map_or_else(|_| at.to_string(), |at| at.strftime("%-d %B %Y, %H:%M UTC").to_string())
}

/// Whether a difference is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trend {
    Better,
    Worse,
    Neutral,
}

/// The difference to the period before: `+3`, `−2`, `±0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) text: String,
    pub(super) trend: Trend,
}

impl Difference {
    pub(super) fn of(compared: Compared, more_is_better: Option<bool>) -> Self {
        let Compared { now, before } = compared;
        let text = match now.cmp(&before) {
            std::cmp::Ordering::Greater => format!("+{}", group_digits(now - before)),
            std::cmp::Ordering::Less => format!("−{}", group_digits(before - now)),
            std::cmp::Ordering::Equal => "±0".to_owned(),
        };
        let trend = match more_is_better {
            Some(better) if now != before => {
                if (now > before) == better {
                    Trend::Better
                } else {
                    Trend::Worse
                }
            }
            _ => Trend::Neutral,
        };
        Self { text, trend }
    }

    /// For a score, with one decimal.
    pub(super) fn of_score(now: f64, before: f64) -> Self {
        let change = now - before;
        if change.abs() < 0.05 {
            return Self { text: "±0".into(), trend: Trend::Neutral };
        }
        let (sign, trend) = if change > 0.0 { ("+", Trend::Better) } else { ("−", Trend::Worse) };
        Self { text: format!("{sign}{:.1}", change.abs()), trend }
    }

    /// The CSS class, which has a lighter colour in dark mode.
    pub(super) fn class(&self) -> &'static str {
        match self.trend {
            Trend::Better => "better",
            Trend::Worse => "worse",
            Trend::Neutral => "muted",
        }
    }

    pub(super) fn colour(&self) -> &'static str {
        match self.trend {
            Trend::Better => "#15803d",
            Trend::Worse => "#b91c1c",
            Trend::Neutral => "#6b7280",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_becomes_one_plain_line() {
        assert_eq!(one_line("  a\r\nb\t c\u{0}\u{202e}d\u{200b} ", 100), "a b cd");
        assert_eq!(one_line("abcdef", 4), "abc…");
        assert_eq!(one_line("abcd", 4), "abcd");
    }

    #[test]
    fn only_web_addresses_become_links() {
        assert_eq!(link("https://acme.example/a"), Some("https://acme.example/a".into()));
        for bad in ["javascript:alert(1)", "data:text/html,x", "acme.example", "https://a.example/\nx"] {
            assert_eq!(link(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn differences_have_a_sign_and_a_trend() {
        let change = |now, before, better| {
            let change = Difference::of(Compared { now, before }, better);
            (change.text, change.trend)
        };
        assert_eq!(change(1205, 1, Some(true)), ("+1,204".into(), Trend::Better));
        assert_eq!(change(5, 3, Some(false)), ("+2".into(), Trend::Worse));
        assert_eq!(change(3, 5, Some(false)), ("−2".into(), Trend::Better));
        assert_eq!(change(3, 3, Some(true)), ("±0".into(), Trend::Neutral));
        assert_eq!(change(3, 9, None).1, Trend::Neutral);
        assert_eq!(Difference::of_score(87.5, 84.3).text, "+3.2");
        assert_eq!(Difference::of_score(84.3, 87.5).trend, Trend::Worse);
    }

    #[test]
    fn numbers_and_codes_are_formatted_for_people() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(group_digits), ["0", "12", "999", "1,000", "1,234,567"]);
        assert_eq!((pluralize(1, "page"), pluralize(2, "page")), ("1 page".into(), "2 pages".into()));
        assert_eq!(humanize("broken_internal_link"), "Broken internal link");
    }
}
