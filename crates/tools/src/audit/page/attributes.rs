use html5ever::tokenizer::Tag;

pub(super) fn attribute<'a>(tag: &'a Tag, name: &str) -> Option<&'a str> {
    tag.attrs.iter().find(|attribute| &*attribute.name.local == name).map(|attribute| &*attribute.value)
}

/// Whether a space-separated attribute such as `rel` contains this token.
pub(super) fn has_token(tag: &Tag, name: &str, token: &str) -> bool {
    let value = attribute(tag, name).unwrap_or_default();
    value.split_ascii_whitespace().any(|each| each.eq_ignore_ascii_case(token))
}
