//! Figures as words.

use super::Compared;

/// A text from a page or a post, fit for one line of a mail: no control characters, nothing that turns the writing
/// direction, one space between words, clipped.
pub(super) fn one_line(text: &str, longest: usize) -> String {
    let shown = text.chars().map(|character| if character.is_whitespace() { ' ' } else { character });
    let shown: String = shown.filter(|character| !is_hidden(*character)).collect();
    clipped(&shown.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "), longest)
}

/// A note that keeps its lines.
pub(super) fn lines(text: &str) -> Vec<String> {
    text.trim().lines().map(|line| one_line(line, usize::MAX)).collect()
}

/// Characters that are not seen and change how others are.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn clipped(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some(_) => {
            format!("{}…", text.chars().take(longest.saturating_sub(1)).collect::<String>().trim_end())
        }
    }
}

/// The address if a mail may lead there.
pub(super) fn link(address: &str) -> Option<String> {
    svc_mcp_access::validate::web_address(address).ok()
}

/// `broken_internal_link` as `Broken internal link`.
pub(super) fn spoken(code: &str) -> String {
    let mut words = code.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// `1 page`, `1,204 pages`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number))
}

/// `1204` as `1,204`.
pub(super) fn grouped(number: u64) -> String {
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

/// Whether a change is one to be glad of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    Better,
    Worse,
    Same,
}

/// `+3`, `−2`, `±0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) words: String,
    pub(super) mood: Mood,
}

impl Change {
    pub(super) fn of(compared: Compared, more_is_better: Option<bool>) -> Self {
        let Compared { now, before } = compared;
        let words = match now.cmp(&before) {
            std::cmp::Ordering::Greater => format!("+{}", grouped(now - before)),
            std::cmp::Ordering::Less => format!("−{}", grouped(before - now)),
            std::cmp::Ordering::Equal => "±0".to_owned(),
        };
        let mood = match more_is_better {
            Some(better) if now != before => {
                if (now > before) == better {
                    Mood::Better
                } else {
                    Mood::Worse
                }
            }
            _ => Mood::Same,
        };
        Self { words, mood }
    }

    /// Of a score, to one decimal.
    pub(super) fn of_score(now: f64, before: f64) -> Self {
        let change = now - before;
        if change.abs() < 0.05 {
            return Self { words: "±0".into(), mood: Mood::Same };
        }
        let (sign, mood) = if change > 0.0 { ("+", Mood::Better) } else { ("−", Mood::Worse) };
        Self { words: format!("{sign}{:.1}", change.abs()), mood }
    }

    /// Where a mail program draws on dark ground, this has a lighter colour.
    pub(super) fn class(&self) -> &'static str {
        match self.mood {
            Mood::Better => "better",
            Mood::Worse => "worse",
            Mood::Same => "muted",
        }
    }

    pub(super) fn colour(&self) -> &'static str {
        match self.mood {
            Mood::Better => "#15803d",
            Mood::Worse => "#b91c1c",
            Mood::Same => "#6b7280",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_from_elsewhere_is_one_plain_line() {
        assert_eq!(one_line("  a\r\nb\t c\u{0}\u{202e}d\u{200b} ", 100), "a b cd");
        assert_eq!(one_line("abcdef", 4), "abc…");
        assert_eq!(one_line("abcd", 4), "abcd");
    }

    #[test]
    fn a_mail_leads_to_web_pages_alone() {
        assert_eq!(link("https://acme.example/a"), Some("https://acme.example/a".into()));
        for bad in ["javascript:alert(1)", "data:text/html,x", "acme.example", "https://a.example/\nx"] {
            assert_eq!(link(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn changes_have_a_sign_and_a_mood() {
        let change = |now, before, better| {
            let change = Change::of(Compared { now, before }, better);
            (change.words, change.mood)
        };
        assert_eq!(change(1205, 1, Some(true)), ("+1,204".into(), Mood::Better));
        assert_eq!(change(5, 3, Some(false)), ("+2".into(), Mood::Worse));
        assert_eq!(change(3, 5, Some(false)), ("−2".into(), Mood::Better));
        assert_eq!(change(3, 3, Some(true)), ("±0".into(), Mood::Same));
        assert_eq!(change(3, 9, None).1, Mood::Same);
        assert_eq!(Change::of_score(87.5, 84.3).words, "+3.2");
        assert_eq!(Change::of_score(84.3, 87.5).mood, Mood::Worse);
    }

    #[test]
    fn numbers_and_codes_read_well() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(grouped), ["0", "12", "999", "1,000", "1,234,567"]);
        assert_eq!((counted(1, "page"), counted(2, "page")), ("1 page".into(), "2 pages".into()));
        assert_eq!(spoken("broken_internal_link"), "Broken internal link");
    }
}
