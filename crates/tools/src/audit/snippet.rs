//! Shortens text from crawled pages. It is untrusted data.

pub(super) const MAX_SNIPPET_CHARS: usize = 200;

/// The text on one line with single spaces. A longer text is cut and ends with `…`.
pub(crate) fn clip(text: &str, max_chars: usize) -> String {
    let mut clip = String::new();
    let mut length = 0;
    let mut pending_space = false;
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            pending_space = length > 0;
            continue;
        }
        if length + usize::from(pending_space) >= max_chars {
            clip.push('…');
            break;
        }
        if std::mem::take(&mut pending_space) {
            clip.push(' ');
            length += 1;
        }
        clip.push(c);
        length += 1;
    }
    clip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_one_short_line() {
        assert_eq!(clip("  a \n\t b\u{0}c ", 10), "a b c");
        assert_eq!(clip("äöüß", 3), "äöü…");
        assert_eq!(clip("äöü", 3), "äöü");
        assert_eq!(clip("ab cd", 3), "ab…");
        assert_eq!(clip("", 3), "");
    }
}
