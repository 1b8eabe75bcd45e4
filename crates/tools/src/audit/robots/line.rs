//! The lines of a robots.txt (RFC 9309 §2.2), read as forgivingly as search engines read them: a site's owner should
//! get from this crawler what the large ones would do with the same file.

/// RFC 9309 §2.5: a crawler must read at least this much. More is not read.
const LARGEST: usize = 500 * 1024;

/// Nothing that is longer can be meant: eight times the longest address that browsers took.
const LONGEST_LINE: usize = 8 * 2083 - 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    CrawlDelay,
    Unknown,
}

/// A line that has a key and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directive<'a> {
    /// Counted from 1.
    pub line: u32,
    pub key: Key,
    pub value: &'a [u8],
}

pub fn directives(file: &[u8]) -> impl Iterator<Item = Directive<'_>> {
    lines(without_mark(bounded(file))).zip(1..).filter_map(|(line, number)| {
        let (key, value) = key_and_value(&line[..line.len().min(LONGEST_LINE)])?;
        Some(Directive { line: number, key: key_of(key), value })
    })
}

/// A file that is too long ends with its last whole line: half a path would be another, wider rule.
fn bounded(file: &[u8]) -> &[u8] {
    if file.len() <= LARGEST {
        return file;
    }
    let end = file[..LARGEST].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(0);
    &file[..end]
}

/// Without the byte order mark, whole or cut short.
fn without_mark(file: &[u8]) -> &[u8] {
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
        // `Disallow /x`: the colon was forgotten. Only where there are two words, else it is prose.
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let pair = (words.next()?, words.next()?);
        words.next().is_none().then_some(pair)?
    };
    let key = key.trim_ascii();
    (!key.is_empty()).then_some((key, value.trim_ascii()))
}

fn key_of(key: &[u8]) -> Key {
    // With the mistypings that Google's parser and protego both read.
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
    fn a_file_over_the_limit_ends_with_its_last_whole_line() {
        let mut file = b"user-agent: *\n".to_vec();
        file.resize(LARGEST - 12, b'#');
        file.extend(b"\ndisallow: /private\n");
        assert_eq!(directives(&file).count(), 1);
        file.drain(20..60);
        assert_eq!(directives(&file).last().unwrap().value, b"/private");
    }

    #[test]
    fn prose_is_no_directive() {
        let read = |line: &'static str| directives(line.as_bytes()).next();
        assert_eq!(read("please do not crawl"), None);
        assert_eq!(read(": /x"), None);
        assert_eq!(read("Disallow"), None);
        assert_eq!(read("disallow /x # why").unwrap().value, b"/x");
        assert_eq!(read("Disallow:").unwrap().value, b"");
    }
}
