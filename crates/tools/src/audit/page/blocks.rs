//! The text of a page as headings and paragraphs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    analysis::{Document, Heading},
    audit::snippet::clip,
};

/// The text stored for each page of a crawl, if it has few pages.
pub(in crate::audit) const MAX_CRAWL_TEXT_BYTES: usize = 16 * 1024;

/// A heading or paragraph, as a reader sees it. It is untrusted data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    Heading { level: u8, text: String },
    Paragraph(String),
}

#[derive(Debug)]
pub(super) struct BlockCollector {
    blocks: Vec<Block>,
    paragraph: String,
    bytes_left: usize,
}

impl BlockCollector {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self { blocks: Vec::new(), paragraph: String::new(), bytes_left: max_bytes }
    }

    pub(super) fn add(&mut self, text: &str) {
        // Whitespace between elements is often most of a page, and does not count.
        let is_leading_space = self.paragraph.is_empty() && text.trim_ascii().is_empty();
        if self.paragraph.len() < self.bytes_left && !is_leading_space {
            self.paragraph.push_str(text);
        }
    }

    pub(super) fn end_paragraph(&mut self) {
        if !self.paragraph.is_empty() {
            let text = clip(&std::mem::take(&mut self.paragraph), self.bytes_left);
            self.push(text, Block::Paragraph);
        }
    }

    pub(super) fn add_heading(&mut self, level: u8, text: &str) {
        self.end_paragraph();
        self.push(text.to_owned(), |text| Block::Heading { level, text });
    }

    fn push(&mut self, text: String, block: impl FnOnce(String) -> Block) {
        if !text.is_empty() && self.bytes_left > 0 {
            self.bytes_left = self.bytes_left.saturating_sub(text.len() + 32);
            self.blocks.push(block(text));
        }
    }

    pub(super) fn finish(mut self) -> Vec<Block> {
        self.end_paragraph();
        self.blocks.shrink_to_fit();
        self.blocks
    }
}

/// The blocks as a document for text analysis.
pub(super) fn to_document(title: Option<&String>, blocks: &[Block]) -> Document {
    let mut document = Document { title: title.cloned(), ..Document::default() };
    for block in blocks {
        match block {
            Block::Paragraph(text) => document.paragraphs.push(text.clone()),
            Block::Heading { level, text } => {
                let paragraphs_before = document.paragraphs.len();
                document.headings.push(Heading { level: *level, text: text.clone(), paragraphs_before });
            }
        }
    }
    document
}
