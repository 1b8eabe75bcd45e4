//! Texts of other servers in the log.

const MAX_LOGGED_CHARS: usize = 300;

/// One line, shortened, and without email addresses: logs name people by their ids.
pub(crate) fn without_addresses(text: &str) -> String {
    let words = text.split_whitespace().map(|word| if word.contains('@') { "[address]" } else { word });
    let line = words.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_LOGGED_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logged_texts_are_one_short_line_without_addresses() {
        let reply = "550 5.1.1 <ada@example.com>:\r\n no such user";
        assert_eq!(without_addresses(reply), "550 5.1.1 [address] no such user");
        assert_eq!(without_addresses(&"é".repeat(400)), format!("{}…", "é".repeat(MAX_LOGGED_CHARS)));
    }
}
