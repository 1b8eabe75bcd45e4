//! What a page says, block by block: for measures of its text, and for finding its words again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    analysis::{Document, Heading},
    audit::snippet::clipped,
};

/// How much of the text of a crawled page is kept: a thousand of them must fit in memory.
pub(super) const OF_MANY: usize = 16 * 1024;

/// A run of text, as a reader of the page sees it. It is data, whatever it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    Heading { level: u8, text: String },
    Paragraph(String),
}

/// Gathers the blocks of a page while it is read.
#[derive(Debug)]
pub(super) struct Prose {
    blocks: Vec<Block>,
    open: String,
    room: usize,
}

impl Prose {
    pub(super) fn new(room: usize) -> Self {
        Self { blocks: Vec::new(), open: String::new(), room }
    }

    pub(super) fn add(&mut self, text: &str) {
        // Spaces between elements are the most of many pages, and do not count.
        if self.open.len() < self.room && !(self.open.is_empty() && text.trim_ascii().is_empty()) {
            self.open.push_str(text);
        }
    }

    pub(super) fn end_paragraph(&mut self) {
        if !self.open.is_empty() {
            let text = clipped(&std::mem::take(&mut self.open), self.room);
            self.push(text, Block::Paragraph);
        }
    }

    pub(super) fn heading(&mut self, level: u8, text: &str) {
        self.end_paragraph();
        self.push(text.to_owned(), |text| Block::Heading { level, text });
    }

    fn push(&mut self, text: String, block: impl FnOnce(String) -> Block) {
        if !text.is_empty() && self.room > 0 {
            self.room = self.room.saturating_sub(text.len() + 32);
            self.blocks.push(block(text));
        }
    }

    pub(super) fn finish(mut self) -> Vec<Block> {
        self.end_paragraph();
        self.blocks
    }
}

/// The blocks as a text to be measured.
pub(super) fn document(title: Option<&String>, blocks: &[Block]) -> Document {
    let mut document = Document { title: title.cloned(), ..Document::default() };
    for block in blocks {
        match block {
            Block::Paragraph(text) => document.paragraphs.push(text.clone()),
            Block::Heading { level, text } => {
                let after = document.paragraphs.len();
                document.headings.push(Heading { level: *level, text: text.clone(), after });
            }
        }
    }
    document
}
