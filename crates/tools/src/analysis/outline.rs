//! The outline of a text: its headings, the number of words under each, and faults in the structure.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    document::{Block, Document},
    text::{excerpt, words},
};

const MAX_HEADINGS: usize = 50;
const MAX_FAULTS: usize = 20;
const MAX_MESSAGE_CHARS: usize = 40;
const MAX_HEADING_CHARS: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Outline {
    /// In the order of the text; the first 50.
    pub headings: Vec<Section>,
    pub headings_total: usize,
    /// The number of words before the first heading.
    pub words_before: usize,
    /// The first 20.
    pub faults: Vec<OutlineFault>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Section {
    /// 1 to 6.
    pub level: u8,
    pub text: String,
    /// The number of words between this heading and the next.
    pub words: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OutlineFault {
    pub code: OutlineFaultCode,
    /// The index of the heading, from 0. Left out if the fault concerns the whole outline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<usize>,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutlineFaultCode {
    H1Missing,
    H1Multiple,
    /// A heading level is skipped.
    HeadingOrder,
    HeadingEmpty,
    /// A heading without text or a lower heading below it.
    SectionEmpty,
}

pub fn outline(document: &Document) -> Outline {
    let mut sections: Vec<Section> = Vec::new();
    let mut words_before = 0;
    for block in document.blocks() {
        match block {
            Block::Heading(level, text) => {
                sections.push(Section { level, text: excerpt(text, MAX_HEADING_CHARS), words: 0 });
            }
            Block::Paragraph(text) => {
                let count = sections.last_mut().map_or(&mut words_before, |section| &mut section.words);
                *count += words(text).count();
            }
        }
    }
    // A text without headings is complete, for example a post.
    let needs_h1 = document.is_page || !sections.is_empty();
    let mut faults = faults(&sections, needs_h1);
    faults.truncate(MAX_FAULTS);
    let headings_total = sections.len();
    sections.truncate(MAX_HEADINGS);
    Outline { headings: sections, headings_total, words_before, faults }
}

fn faults(sections: &[Section], needs_h1: bool) -> Vec<OutlineFault> {
    let mut faults = Vec::new();
    let mut add = |code, heading, message: String| faults.push(OutlineFault { code, heading, message });

    let h1s = sections.iter().filter(|section| section.level == 1).count();
    if h1s == 0 && needs_h1 {
        add(
            OutlineFaultCode::H1Missing,
            None,
            "There is no h1. Add one that says what the page is about.".to_owned(),
        );
    } else if h1s > 1 {
        add(OutlineFaultCode::H1Multiple, None, format!("There are {h1s} h1 headings. Use only one."));
    }
    for (index, section) in sections.iter().enumerate() {
        let previous = index.checked_sub(1).map(|previous| &sections[previous]);
        if let Some(above) = previous.filter(|above| section.level > above.level.saturating_add(1)) {
            let message = format!("h{} follows h{}: a heading level is skipped.", section.level, above.level);
            add(OutlineFaultCode::HeadingOrder, Some(index), message);
        }
        if section.text.is_empty() {
            add(OutlineFaultCode::HeadingEmpty, Some(index), format!("An h{} has no text.", section.level));
        }
        let has_lower = sections.get(index + 1).is_some_and(|next| next.level > section.level);
        if section.words == 0 && !has_lower {
            let message = format!(
                "There is no text below the heading “{}”.",
                excerpt(&section.text, MAX_MESSAGE_CHARS)
            );
            add(OutlineFaultCode::SectionEmpty, Some(index), message);
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<(OutlineFaultCode, Option<usize>)> {
        let outline = outline(&Document::from_markdown(text));
        outline.faults.iter().map(|fault| (fault.code, fault.heading)).collect()
    }

    #[test]
    fn words_are_counted_below_their_heading() {
        let outline = outline(&Document::from_markdown(
            "Intro words.\n\n# Tea\nTwo words.\n\nThree more words.\n## Kinds\nOne.",
        ));
        assert_eq!(outline.words_before, 2);
        assert_eq!(
            outline.headings,
            [
                Section { level: 1, text: "Tea".to_owned(), words: 5 },
                Section { level: 2, text: "Kinds".to_owned(), words: 1 },
            ]
        );
        assert!(outline.faults.is_empty());
    }

    #[test]
    fn each_fault_has_its_code_and_heading() {
        use OutlineFaultCode::{H1Missing, H1Multiple, HeadingEmpty, HeadingOrder, SectionEmpty};
        assert_eq!(codes("## A\nx"), [(H1Missing, None)]);
        assert_eq!(codes("# A\nx\n# B\ny"), [(H1Multiple, None)]);
        assert_eq!(codes("# A\nx\n### B\ny"), [(HeadingOrder, Some(1))]);
        assert_eq!(codes("# A\nx\n##\ny"), [(HeadingEmpty, Some(1))]);
        assert_eq!(codes("# A\n## B\nx\n## C"), [(SectionEmpty, Some(2))]);
    }

    #[test]
    fn page_needs_an_h1_and_a_text_does_not() {
        let text = Document::from_markdown("Only text.");
        assert!(outline(&text).faults.is_empty());
        let page = Document { is_page: true, ..text };
        assert_eq!(outline(&page).faults[0].code, OutlineFaultCode::H1Missing);
    }

    #[test]
    fn returning_to_a_higher_level_is_no_fault() {
        assert!(codes("# A\n## B\n### C\nx\n## D\ny").is_empty());
    }

    #[test]
    fn headings_and_faults_are_limited() {
        let outline = outline(&Document::from_markdown(&"# A\n".repeat(300)));
        assert_eq!((outline.headings.len(), outline.headings_total, outline.faults.len()), (50, 300, 20));
    }
}
