//! Text from crawled pages, made short enough to be passed on. It is data: nothing here reads it.

/// The longest piece of a page that a result holds, in characters.
pub(super) const LONGEST_SNIPPET: usize = 200;

/// On one line, with single spaces, cut off with `…` where it is longer.
pub(crate) fn clipped(text: &str, longest: usize) -> String {
    let mut clip = String::new();
    let mut length = 0;
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            space = length > 0;
            continue;
        }
        if length + usize::from(space) >= longest {
            clip.push('…');
            break;
        }
        if std::mem::take(&mut space) {
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
        assert_eq!(clipped("  a \n\t b\u{0}c ", 10), "a b c");
        assert_eq!(clipped("äöüß", 3), "äöü…");
        assert_eq!(clipped("äöü", 3), "äöü");
        assert_eq!(clipped("ab cd", 3), "ab…");
        assert_eq!(clipped("", 3), "");
    }
}
