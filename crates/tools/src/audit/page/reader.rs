//! Reads a document token by token. No tree is built: a tree of a hostile page can be a thousand times its size
//! (unclosed formatting elements are copied into every paragraph), and facts need none.

use std::cell::RefCell;

use html5ever::{
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
        states::RawKind,
    },
};

use super::{Address, Html, facts::Facts};

pub(super) fn read(address: &Address, text: &str, room_for_text: usize) -> Html {
    let facts = Facts::new(address, room_for_text);
    let tokenizer = Tokenizer::new(Sink(RefCell::new(facts)), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(bounded(text)));
    // It stops at scripts, for those who would run them.
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner().finish()
}

/// The tokenizer compares each attribute of a tag with all before it. Before a tag that has very many the document
/// ends: nobody wrote that one.
fn bounded(text: &str) -> &str {
    const MOST_ATTRIBUTES: usize = 5_000;
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
                let opens_value = matches!(byte, b'"' | b'\'') && before(bytes, at) == Some(b'=');
                if opens_value {
                    // A value is one part, however long it is.
                    at +=
                        bytes[at + 1..].iter().position(|each| *each == byte).map_or(0, |length| length + 1);
                }
                parts += usize::from(opens_value || byte.is_ascii_whitespace() || byte == b'/');
                if parts > MOST_ATTRIBUTES {
                    return &text[..start];
                }
            }
            _ => {}
        }
        at += 1;
    }
    text
}

fn before(bytes: &[u8], at: usize) -> Option<u8> {
    bytes[..at].trim_ascii_end().last().copied()
}

struct Sink(RefCell<Facts>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut facts = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                facts.start(&tag);
                if facts.is_foreign() { TokenSinkResult::Continue } else { content_of(&tag) }
            }
            Token::TagToken(tag) => {
                facts.end(&tag.name);
                TokenSinkResult::Continue
            }
            Token::CharacterTokens(text) => {
                facts.text(&text);
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.borrow().is_foreign()
    }
}

/// Elements whose content is not markup, as in a browser that runs scripts.
fn content_of(tag: &Tag) -> TokenSinkResult<()> {
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
        read(&Address::parse("https://a.test/dir/page").unwrap(), html, 1_000)
    }

    #[test]
    fn a_tag_with_very_many_attributes_ends_the_document() {
        let attributes: String = (0..200_000).map(|n| format!(" a{n}")).collect::<Vec<_>>().concat();
        let html = page(&format!("<title>Kept</title><p{attributes}><h1>Gone</h1>"));
        assert_eq!(html.titles, ["Kept"]);
        assert!(html.headings.is_empty());
        let value = "word ".repeat(50_000);
        let html = page(&format!("<div data-a=\"{value}\" data-b = '{value}'><h1>Kept</h1>"));
        assert_eq!(html.headings.len(), 1);
    }

    #[test]
    fn formatting_that_would_grow_a_tree_is_read_in_one_pass() {
        let mut hostile: String = (0..4_000).map(|n| format!("<b id={n}>")).collect::<Vec<_>>().concat();
        hostile.push_str(&"<p>x".repeat(4_000));
        assert_eq!(page(&hostile).words, 4_000);
        assert_eq!(page(&"<div>".repeat(20_000)).words, 0);
    }

    #[test]
    fn what_scripts_and_styles_say_is_not_on_the_page() {
        let html = page(
            "<body>seen<script>if (a < b) { '<h1>no</h1>' }</script><style>h1 {}</style>\
             <noscript><h1>no</h1><img src=x></noscript><template><h1>no</h1></template>\
             <svg><title>no</title><style>x</style><text>no</text></svg><textarea>no</textarea> seen",
        );
        assert_eq!((html.words, html.headings.len(), html.titles.len(), html.images.len()), (2, 0, 0, 0));
    }

    #[test]
    fn a_drawing_that_is_not_closed_ends_at_the_next_paragraph() {
        assert_eq!(
            page("<svg><path d='x'><p>one two <svg><foreignObject><p>no</p></foreignObject></svg> three")
                .words,
            3
        );
    }

    #[test]
    fn what_is_kept_of_a_page_is_bounded() {
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
        fn any_text_is_read(text in ".{0,300}") {
            page(&text);
        }

        #[test]
        fn any_markup_is_read(text in "(<|>|/|a|h1|title|script|svg|!--|-->|\\[CDATA\\[|=|\"|'| |href|é|&#x0;|&amp;){0,60}") {
            page(&text);
        }
    }
}
