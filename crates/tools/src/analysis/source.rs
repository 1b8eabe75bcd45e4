use super::text::{clip_to, excerpt};

/// A name longer than this is cut where it is shown, so that a result stays small whatever the names are.
const LONGEST_NAME: usize = 300;

/// A text and where it stands, for the measures that read several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// A URL, as a rule.
    pub name: &'a str,
    pub text: &'a str,
}

pub(super) fn shown_name(name: &str) -> String {
    excerpt(clip_to(name, LONGEST_NAME), LONGEST_NAME)
}
