use super::text::{clip_to, excerpt};

/// Longer names are truncated in results, to limit their size.
const MAX_NAME_CHARS: usize = 300;

/// A text with its name, for analyses of several texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedText<'a> {
    /// Usually a URL.
    pub name: &'a str,
    pub text: &'a str,
}

pub(super) fn display_name(name: &str) -> String {
    excerpt(clip_to(name, MAX_NAME_CHARS), MAX_NAME_CHARS)
}
