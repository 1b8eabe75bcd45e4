//! How often the words a page wants to be found by stand in it, and where.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    document::{Block, Document},
    stems::StemNumbers,
    text::{clip, excerpt, share, words},
};

/// More target keywords than this are not looked for.
const MAX_KEYWORDS: usize = 30;
const MAX_FORMS: usize = 3;
const KEYWORD_CHARS: usize = 80;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KeywordDensity {
    pub keyword: String,
    /// How often it stands in headings and text, in any of its forms: `shoe` also counts `shoes`.
    pub count: usize,
    /// The share of all words that belong to it, from 0 to 1.
    pub density: f64,
    pub in_title: bool,
    pub in_h1: bool,
    pub in_first_paragraph: bool,
    /// How many headings have it, the h1 included.
    pub headings: usize,
    /// After how many words it is first met. Null: never.
    pub first_at: Option<usize>,
    /// The forms it was met in, most frequent first; at most 3.
    pub forms: Vec<String>,
}

/// The density of each keyword in a document of `language` (ISO 639-1), in the order given. Blank and repeated ones
/// are left out, and those after the thirtieth.
pub fn density(document: &Document, keywords: &[String], language: &str) -> Vec<KeywordDensity> {
    let mut stems = StemNumbers::of(language);
    let title = numbered(&mut stems, clip(document.title.as_deref().unwrap_or_default()));
    let blocks: Vec<(Block<'_>, StemmedText<'_>)> =
        document.blocks().map(|block| (block, numbered(&mut stems, block.text()))).collect();
    let mut seen = Vec::new();
    let mut found = Vec::new();
    for keyword in keywords {
        let ids: Vec<u32> = numbered(&mut stems, clip(keyword)).into_iter().map(|(id, _)| id).collect();
        if ids.is_empty() || seen.contains(&ids) || found.len() == MAX_KEYWORDS {
            continue;
        }
        found.push(find(excerpt(keyword, KEYWORD_CHARS), &ids, &title, &blocks));
        seen.push(ids);
    }
    found
}

fn find(
    keyword: String,
    ids: &[u32],
    title: &StemmedText<'_>,
    blocks: &[(Block<'_>, StemmedText<'_>)],
) -> KeywordDensity {
    let mut density = KeywordDensity {
        keyword,
        count: 0,
        density: 0.0,
        in_title: !positions(title, ids).is_empty(),
        in_h1: false,
        in_first_paragraph: false,
        headings: 0,
        first_at: None,
        forms: Vec::new(),
    };
    let mut forms = HashMap::<String, usize>::new();
    let mut read = 0;
    let mut paragraphs = 0;
    for (block, text) in blocks {
        let positions = positions(text, ids);
        if let Some(first) = positions.first() {
            density.first_at.get_or_insert(read + first);
        }
        for position in &positions {
            let form: Vec<String> =
                text[*position..position + ids.len()].iter().map(|(_, word)| word.to_lowercase()).collect();
            *forms.entry(form.join(" ")).or_default() += 1;
        }
        let met = !positions.is_empty();
        match block {
            Block::Heading(level, _) => {
                density.headings += usize::from(met);
                density.in_h1 |= met && *level == 1;
            }
            Block::Paragraph(_) => {
                density.in_first_paragraph |= met && paragraphs == 0;
                paragraphs += 1;
            }
        }
        density.count += positions.len();
        read += text.len();
    }
    density.density = share(density.count * ids.len(), read);
    let mut forms: Vec<(String, usize)> = forms.into_iter().collect();
    forms.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    density.forms =
        forms.into_iter().take(MAX_FORMS).map(|(form, _)| excerpt(&form, KEYWORD_CHARS)).collect();
    density
}

/// Where the stems of a keyword follow each other, none of them counted twice.
fn positions(text: &StemmedText<'_>, ids: &[u32]) -> Vec<usize> {
    let mut positions = Vec::new();
    let mut at = 0;
    while at + ids.len() <= text.len() {
        if text[at..at + ids.len()].iter().map(|(id, _)| id).eq(ids) {
            positions.push(at);
            at += ids.len();
        } else {
            at += 1;
        }
    }
    positions
}

/// Words with the number of their stem.
type StemmedText<'a> = Vec<(u32, &'a str)>;

fn numbered<'a>(stems: &mut StemNumbers, text: &'a str) -> StemmedText<'a> {
    words(text).map(|word| (stems.number(word.text), word.text)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(document: &Document, keyword: &str) -> KeywordDensity {
        density(document, &[keyword.to_owned()], "en").remove(0)
    }

    #[test]
    fn every_form_counts_wherever_it_stands() {
        let mut document = Document::from_markdown(
            "# Running shoes for all\n\nA running shoe should fit. Our Running Shoes do.\n\n## Care\n\nWash the shoe's sole.",
        );
        document.title = Some("Shoes to run in".to_owned());
        let found = of(&document, "running shoes");
        assert_eq!((found.count, found.headings, found.first_at), (3, 1, Some(0)));
        assert_eq!((found.keyword.as_str(), found.density), ("running shoes", 0.3333)); // 6 of 18 words
        assert_eq!((found.in_title, found.in_h1, found.in_first_paragraph), (false, true, true));
        assert_eq!(found.forms, ["running shoes", "running shoe"]);

        let found = of(&document, "shoe");
        assert_eq!((found.count, found.in_title), (4, true));
    }

    #[test]
    fn what_is_missing_is_null_and_zero() {
        let found = of(&Document::from_markdown("Tea only."), "coffee beans");
        assert_eq!((found.count, found.density, found.first_at, found.forms.len()), (0, 0.0, None, 0));
    }

    #[test]
    fn a_keyword_never_spans_two_blocks_and_is_asked_once() {
        let document = Document::from_markdown("green\n\ntea, and green tea");
        let keywords = ["green tea".to_owned(), "Green Teas".to_owned(), " ".to_owned()];
        let found = density(&document, &keywords, "en");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].count, 1);
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text in "(\\PC|[ab \n#]){0,100}", keyword in "(\\PC|[ab ]){0,10}") {
            for found in density(&Document::from_markdown(&text), &[keyword], "en") {
                prop_assert!((0.0..=1.0).contains(&found.density));
            }
        }
    }
}
