//! Texts in XML and HTML.

/// Safe inside text and quoted attributes of XML and HTML. Characters that XML does not allow are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' | '\r' => safe.push(character),
            other if other.is_control() || matches!(other, '\u{fffe}' | '\u{ffff}') => {}
            other => safe.push(other),
        }
    }
    safe
}
