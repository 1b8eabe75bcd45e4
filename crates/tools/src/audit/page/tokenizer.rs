//! Tokenizes HTML without building a tree. The tree of a hostile page can be a thousand times its size, because
//! unclosed formatting elements are copied into every paragraph.

use std::cell::RefCell;

use html5ever::{
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
        states::RawKind,
    },
};

use super::{Html, PageUrl, extractor::Extractor};
use crate::cpu_pool::checkpoint;

/// How much is tokenized between two checkpoints.
const MAX_CHUNK_BYTES: usize = 64 * 1024;

pub(super) fn read(url: &PageUrl, text: &str, max_text_bytes: usize) -> Html {
    let extractor = Extractor::new(url, max_text_bytes);
    let tokenizer = Tokenizer::new(Sink(RefCell::new(extractor)), TokenizerOpts::default());
    let input = BufferQueue::default();
    let mut rest = truncate(text);
    while !rest.is_empty() {
        checkpoint();
        let (chunk, after) = rest.split_at(rest.floor_char_boundary(MAX_CHUNK_BYTES));
        input.push_back(StrTendril::from(chunk));
        rest = after;
        // The tokenizer returns at each script, so that a browser can run it.
        while !input.is_empty() {
            let _ = tokenizer.feed(&input);
        }
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner().finish()
}

/// Cuts the document before a tag with very many attributes: the tokenizer's time is quadratic in their number.
fn truncate(text: &str) -> &str {
    const MAX_ATTRIBUTES: usize = 5_000;
    let bytes = text.as_bytes();
    let (mut tag, mut parts, mut at) = (None, 0, 0);
    while at < bytes.len() {
        match (tag, bytes[at]) {
            (None, b'<')
                if bytes.get(at + 1).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/') =>
            {
                (tag, parts) = (Some(at), 0);
            }
            (Some(_), b'>') => tag = None,
            (Some(start), byte) => {
                let opens_value = matches!(byte, b'"' | b'\'') && last_before(bytes, at) == Some(b'=');
                if opens_value {
                    // A quoted value counts once, however long it is.
                    at +=
                        bytes[at + 1..].iter().position(|each| *each == byte).map_or(0, |length| length + 1);
                }
                parts += usize::from(opens_value || byte.is_ascii_whitespace() || byte == b'/');
                if parts > MAX_ATTRIBUTES {
                    return &text[..start];
                }
            }
            _ => {}
        }
        at += 1;
    }
    text
}

fn last_before(bytes: &[u8], at: usize) -> Option<u8> {
    bytes[..at].trim_ascii_end().last().copied()
}

struct Sink(RefCell<Extractor>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut extractor = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                extractor.start(&tag);
                if extractor.is_foreign() { TokenSinkResult::Continue } else { content_model(&tag) }
            }
            Token::TagToken(tag) => {
                extractor.end(&tag.name);
                TokenSinkResult::Continue
            }
            Token::CharacterTokens(text) => {
                extractor.text(&text);
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.borrow().is_foreign()
    }
}

/// Elements whose content is not markup, as in a browser with scripts enabled.
fn content_model(tag: &Tag) -> TokenSinkResult<()> {
    match &*tag.name {
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => {
            TokenSinkResult::RawData(RawKind::Rawtext)
        }
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page(html: &str) -> Html {
        read(&PageUrl::parse("https://a.test/dir/page").unwrap(), html, 1_000)
    }

    #[test]
    fn tag_with_very_many_attributes_ends_the_document() {
        let attributes: String = (0..200_000).map(|n| format!(" a{n}")).collect::<Vec<_>>().concat();
        let html = page(&format!("<title>Kept</title><p{attributes}><h1>Gone</h1>"));
        assert_eq!(html.titles, ["Kept"]);
        assert!(html.headings.is_empty());
        let value = "word ".repeat(50_000);
        let html = page(&format!("<div data-a=\"{value}\" data-b = '{value}'><h1>Kept</h1>"));
        assert_eq!(html.headings.len(), 1);
    }

    #[test]
    fn hostile_formatting_is_read_in_one_pass() {
        let mut hostile: String = (0..4_000).map(|n| format!("<b id={n}>")).collect::<Vec<_>>().concat();
        hostile.push_str(&"<p>x".repeat(4_000));
        assert_eq!(page(&hostile).words, 4_000);
        assert_eq!(page(&"<div>".repeat(20_000)).words, 0);
    }

    #[test]
    fn text_that_spans_chunks_is_read_as_one() {
        let text = "<p title='&amp;>'>One&nbsp;word and&#32;another, é. <!-- <h1>no</h1> --><h2>Head</h2>"
            .repeat(3_000);
        let whole = page(&text);
        assert_eq!(whole.headings.len(), 500);
        assert_eq!(whole.words, 3_000 * 6);
        assert!(whole.truncated);
        assert!(whole.headings.iter().all(|heading| heading.text == "Head"));
    }

    #[test]
    fn scripts_styles_and_templates_are_not_page_text() {
        let html = page(
            "<body>seen<script>if (a < b) { '<h1>no</h1>' }</script><style>h1 {}</style>\
             <noscript><h1>no</h1><img src=x></noscript><template><h1>no</h1></template>\
             <svg><title>no</title><style>x</style><text>no</text></svg><textarea>no</textarea> seen",
        );
        assert_eq!((html.words, html.headings.len(), html.titles.len(), html.images.len()), (2, 0, 0, 0));
    }

    #[test]
    fn unclosed_drawing_ends_at_the_next_paragraph() {
        assert_eq!(
            page("<svg><path d='x'><p>one two <svg><foreignObject><p>no</p></foreignObject></svg> three")
                .words,
            3
        );
    }

    #[test]
    fn size_of_the_facts_is_bounded() {
        let long = "x".repeat(1_500);
        let links: String = (0..1_000)
            .map(|n| format!("<title>{n}</title><a href='/{n}{long}'>{long}</a>"))
            .collect::<Vec<_>>()
            .concat();
        let html = page(&links);
        assert_eq!(html.titles.len(), 20);
        assert!(html.links.len() > 100);
        assert!(serde_json::to_string(&html).unwrap().len() < 320 * 1024);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn any_text_is_parsed(text in ".{0,300}") {
            page(&text);
        }

        #[test]
        fn any_markup_is_parsed(text in "(<|>|/|a|h1|title|script|svg|!--|-->|\\[CDATA\\[|=|\"|'| |href|é|&#x0;|&amp;){0,60}") {
            page(&text);
        }
    }
}
