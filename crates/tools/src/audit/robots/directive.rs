//! The lines of a robots.txt (RFC 9309 §2.2). The parser is as lenient as those of search engines, so that this crawler
//! treats a file as they do.

/// RFC 9309 §2.5 requires a crawler to read at least this much.
const MAX_FILE_BYTES: usize = 500 * 1024;

/// The limit of Google's parser: eight times the longest URL of old browsers.
const MAX_LINE_CHARS: usize = 8 * 2083 - 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    CrawlDelay,
    Unknown,
}

/// A line with a key and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directive<'a> {
    /// Counted from 1.
    pub line: u32,
    pub key: Key,
    pub value: &'a [u8],
}

pub fn directives(file: &[u8]) -> impl Iterator<Item = Directive<'_>> {
    lines(strip_bom(truncate(file))).zip(1..).filter_map(|(line, number)| {
        let (key, value) = key_and_value(&line[..line.len().min(MAX_LINE_CHARS)])?;
        Some(Directive { line: number, key: parse_key(key), value })
    })
}

/// Cuts a long file after its last complete line: half a path would be a wider rule.
fn truncate(file: &[u8]) -> &[u8] {
    if file.len() <= MAX_FILE_BYTES {
        return file;
    }
    let end = file[..MAX_FILE_BYTES].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(0);
    &file[..end]
}

/// Removes a byte order mark, even an incomplete one.
fn strip_bom(file: &[u8]) -> &[u8] {
    let length = file.iter().zip([0xEF, 0xBB, 0xBF]).take_while(|(byte, mark)| *byte == mark).count();
    &file[length..]
}

/// Lines end with LF, CR or both.
fn lines(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(file);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
            rest = None;
            return Some(text);
        };
        let width = if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = Some(&text[end + width..]);
        Some(&text[..end])
    })
}

fn key_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.split(|byte| *byte == b'#').next()?.trim_ascii();
    let (key, value) = if let Some(colon) = line.iter().position(|byte| *byte == b':') {
        (&line[..colon], &line[colon + 1..])
    } else {
        // `Disallow /x` without a colon. A line with more words is prose.
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let pair = (words.next()?, words.next()?);
        words.next().is_none().then_some(pair)?
    };
    let key = key.trim_ascii();
    (!key.is_empty()).then_some((key, value.trim_ascii()))
}

fn parse_key(key: &[u8]) -> Key {
    // Includes the misspellings that Google's parser and protego accept.
    const KEYS: [(&[&str], Key); 5] = [
        (&["user-agent", "useragent", "user agent"], Key::UserAgent),
        (&["allow"], Key::Allow),
        (&["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"], Key::Disallow),
        (&["sitemap", "site-map", "sitemaps"], Key::Sitemap),
        (&["crawl-delay", "crawl delay"], Key::CrawlDelay),
    ];
    let is_named = |name: &&str| key.eq_ignore_ascii_case(name.as_bytes());
    KEYS.iter().find(|(names, _)| names.iter().any(is_named)).map_or(Key::Unknown, |(_, key)| *key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_file_is_cut_after_its_last_complete_line() {
        let mut file = b"user-agent: *\n".to_vec();
        file.resize(MAX_FILE_BYTES - 12, b'#');
        file.extend(b"\ndisallow: /private\n");
        assert_eq!(directives(&file).count(), 1);
        file.drain(20..60);
        assert_eq!(directives(&file).last().unwrap().value, b"/private");
    }

    #[test]
    fn prose_is_not_a_directive() {
        let read = |line: &'static str| directives(line.as_bytes()).next();
        assert_eq!(read("please do not crawl"), None);
        assert_eq!(read(": /x"), None);
        assert_eq!(read("Disallow"), None);
        assert_eq!(read("disallow /x # why").unwrap().value, b"/x");
        assert_eq!(read("Disallow:").unwrap().value, b"");
    }
}
