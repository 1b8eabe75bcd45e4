//! How often target keywords occur in a document, and where.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    document::{Block, Document},
    stems::StemInterner,
    text::{clip, excerpt, share, words},
};

const MAX_KEYWORDS: usize = 30;
const MAX_FORMS: usize = 3;
const MAX_KEYWORD_CHARS: usize = 80;

#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct KeywordDensity {
    pub keyword: String,
    /// How often it occurs in headings and text, in any form: `shoe` also counts `shoes`.
    pub count: usize,
    /// The share of all words that belong to the keyword, from 0 to 1.
    pub density: f64,
    pub in_title: bool,
    pub in_h1: bool,
    pub in_first_paragraph: bool,
    /// How many headings contain it, including the h1.
    pub headings: usize,
    /// The number of words before its first occurrence. Left out if it does not occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_at: Option<usize>,
    /// The forms that occur, most frequent first; at most 3.
    pub forms: Vec<String>,
}

/// The density of each keyword in a document in `language` (ISO 639-1), in the given order. Blank and repeated keywords
/// are skipped, and so are those beyond [`MAX_KEYWORDS`].
pub fn keyword_densities(document: &Document, keywords: &[String], language: &str) -> Vec<KeywordDensity> {
    let mut stems = StemInterner::new(language);
    let title = stemmed_words(&mut stems, clip(document.title.as_deref().unwrap_or_default()));
    let blocks: Vec<(Block<'_>, StemmedWords<'_>)> =
        document.blocks().map(|block| (block, stemmed_words(&mut stems, block.text()))).collect();
    let mut seen = Vec::new();
    let mut densities = Vec::new();
    for keyword in keywords {
        let keyword_ids: Vec<u32> =
            stemmed_words(&mut stems, clip(keyword)).into_iter().map(|(id, _)| id).collect();
        if keyword_ids.is_empty() || seen.contains(&keyword_ids) || densities.len() == MAX_KEYWORDS {
            continue;
        }
        densities.push(measure(excerpt(keyword, MAX_KEYWORD_CHARS), &keyword_ids, &title, &blocks));
        seen.push(keyword_ids);
    }
    densities
}

fn measure(
    keyword: String,
    keyword_ids: &[u32],
    title: &[(u32, &str)],
    blocks: &[(Block<'_>, StemmedWords<'_>)],
) -> KeywordDensity {
    let mut density = KeywordDensity {
        keyword,
        in_title: !positions(title, keyword_ids).is_empty(),
        ..KeywordDensity::default()
    };
    let mut forms = HashMap::<String, usize>::new();
    let mut words_read = 0;
    let mut paragraphs = 0;
    for (block, words) in blocks {
        let positions = positions(words, keyword_ids);
        if let Some(first) = positions.first() {
            density.first_at.get_or_insert(words_read + first);
        }
        for position in &positions {
            let form: Vec<String> = words[*position..position + keyword_ids.len()]
                .iter()
                .map(|(_, word)| word.to_lowercase())
                .collect();
            *forms.entry(form.join(" ")).or_default() += 1;
        }
        let occurs = !positions.is_empty();
        match block {
            Block::Heading(level, _) => {
                density.headings += usize::from(occurs);
                density.in_h1 |= occurs && *level == 1;
            }
            Block::Paragraph(_) => {
                density.in_first_paragraph |= occurs && paragraphs == 0;
                paragraphs += 1;
            }
        }
        density.count += positions.len();
        words_read += words.len();
    }
    density.density = share(density.count * keyword_ids.len(), words_read);
    let mut forms: Vec<(String, usize)> = forms.into_iter().collect();
    forms.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    density.forms =
        forms.into_iter().take(MAX_FORMS).map(|(form, _)| excerpt(&form, MAX_KEYWORD_CHARS)).collect();
    density
}

/// Where the stems of the keyword occur one after the other. Occurrences do not overlap.
fn positions(words: &[(u32, &str)], keyword_ids: &[u32]) -> Vec<usize> {
    let mut positions = Vec::new();
    let mut at = 0;
    while at + keyword_ids.len() <= words.len() {
        if words[at..at + keyword_ids.len()].iter().map(|(id, _)| id).eq(keyword_ids) {
            positions.push(at);
            at += keyword_ids.len();
        } else {
            at += 1;
        }
    }
    positions
}

/// Words with the id of their stem.
type StemmedWords<'a> = Vec<(u32, &'a str)>;

fn stemmed_words<'a>(stems: &mut StemInterner, text: &'a str) -> StemmedWords<'a> {
    words(text).map(|word| (stems.intern(word.text), word.text)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn density_of(document: &Document, keyword: &str) -> KeywordDensity {
        keyword_densities(document, &[keyword.to_owned()], "en").remove(0)
    }

    #[test]
    fn every_form_is_counted_in_headings_and_text() {
        let mut document = Document::from_markdown(
            "# Running shoes for all\n\nA running shoe should fit. Our Running Shoes do.\n\n## Care\n\nWash the shoe's sole.",
        );
        document.title = Some("Shoes to run in".to_owned());
        let density = density_of(&document, "running shoes");
        assert_eq!((density.count, density.headings, density.first_at), (3, 1, Some(0)));
        assert_eq!((density.keyword.as_str(), density.density), ("running shoes", 0.3333)); // 6 of 18 words
        assert_eq!((density.in_title, density.in_h1, density.in_first_paragraph), (false, true, true));
        assert_eq!(density.forms, ["running shoes", "running shoe"]);

        let density = density_of(&document, "shoe");
        assert_eq!((density.count, density.in_title), (4, true));
    }

    #[test]
    fn missing_keyword_has_zero_count_and_null_position() {
        let density = density_of(&Document::from_markdown("Tea only."), "coffee beans");
        assert_eq!(
            (density.count, density.density, density.first_at, density.forms.len()),
            (0, 0.0, None, 0)
        );
    }

    #[test]
    fn keyword_does_not_span_blocks_and_is_measured_once() {
        let document = Document::from_markdown("green\n\ntea, and green tea");
        let keywords = ["green tea".to_owned(), "Green Teas".to_owned(), " ".to_owned()];
        let densities = keyword_densities(&document, &keywords, "en");
        assert_eq!(densities.len(), 1);
        assert_eq!(densities[0].count, 1);
    }

    proptest! {
        #[test]
        fn any_text_is_accepted(text in "(\\PC|[ab \n#]){0,100}", keyword in "(\\PC|[ab ]){0,10}") {
            for density in keyword_densities(&Document::from_markdown(&text), &[keyword], "en") {
                prop_assert!((0.0..=1.0).contains(&density.density));
            }
        }
    }
}
