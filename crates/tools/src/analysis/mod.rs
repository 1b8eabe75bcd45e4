//! What can be said of a text by reading it: `run_analysis`.
//!
//! The measures are pure functions: no network, no clock, no store. [`Analyse`] gathers their texts as a job. Each takes text as it is, reads a bounded part of it in time that
//! grows with its length, and answers with a plain struct that is small enough to be a tool's result. What a
//! well-known Python package also computes is held to its answers by `tests/analysis/`: readability and sentiment are
//! equal to them, languages and key phrases nearly.
//!
//! | what | function | oracle |
//! |---|---|---|
//! | language | [`detect`] | `py3langid` |
//! | six readability measures | [`readability()`] | `textstat` |
//! | sentiment | [`sentiment()`], [`score`] | `vaderSentiment` |
//! | key phrases | [`key_phrases`] | `yake` |
//! | density of target keywords | [`density()`] | |
//! | outline and its faults | [`outline()`] | |
//! | all of the above, for one text | [`content()`] | |
//! | near-duplicates among many texts | [`near_duplicates`] | |
//! | share of mentions among many texts | [`mentions()`] | |
//! | terms competitors have and the brand lacks | [`gap()`] | |
//!
//! A [`Document`] is a text in its parts; HTML is taken apart elsewhere, plain text and Markdown by
//! [`Document::from_markdown`]. Languages are ISO 639-1 codes. The embedded data and its licences are in `word_lists/`.

pub(crate) mod chunks;
mod content;
mod density;
mod document;
mod duplicates;
mod findings;
mod gap;
mod get_analysis;
mod language;
mod lexicon;
mod list_analyses;
mod mentions;
mod names;
mod outline;
mod phrases;
mod readability;
mod records;
mod request;
mod run_analysis;
mod sentences;
mod sentiment;
mod source;
pub(crate) mod stems;
pub(crate) mod stop_words;
mod syllables;
pub(crate) mod terms;
pub(crate) mod text;
mod view;
mod work;

pub use content::{Content, content};
pub use density::{KeywordDensity, density};
pub use document::{Document, Heading};
pub use duplicates::{Duplicate, DuplicateGroup, Duplicates, MAX_TEXTS, NEARLY_ALIKE, near_duplicates};
pub use gap::{Gap, GapTerm, gap};
pub use get_analysis::GetAnalysis;
pub use language::{Language, detect};
pub use list_analyses::ListAnalyses;
pub use mentions::{MentionSample, MentionSentiment, Mentions, NameMentions, Written, mentions};
pub use names::Name;
pub use outline::{Outline, OutlineFault, OutlineFaultCode, Section, outline};
pub use phrases::{KeyPhrase, key_phrases};
pub use readability::{Readability, measure as readability};
pub use records::AnalysisRecords;
pub use request::{Analysis, AnalysisChange, AnalysisKind, Kept, Measured, Request};
pub use run_analysis::RunAnalysis;
pub use sentences::split as sentences;
pub use sentiment::{Feeling, Scores, Sentiment, of_text as sentiment, score};
pub use source::Source;
pub use syllables::count as syllables;
pub use text::MAX_TEXT;
pub use view::{AnalysisLine, AnalysisView};
pub use work::Analyse;
