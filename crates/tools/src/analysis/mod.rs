//! What can be said of a text by reading it: `run_analysis`.
//!
//! Pure functions: no network, no clock, no store. Each takes text as it is, reads a bounded part of it in time that
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
mod gap;
mod language;
mod lexicon;
mod mentions;
mod names;
mod outline;
mod phrases;
mod readability;
mod sentences;
mod sentiment;
mod source;
pub(crate) mod stems;
pub(crate) mod stop_words;
mod syllables;
pub(crate) mod terms;
pub(crate) mod text;

pub use content::{Content, content};
pub use density::{KeywordDensity, density};
pub use document::{Document, Heading};
pub use duplicates::{Duplicate, DuplicateGroup, Duplicates, MAX_TEXTS, NEARLY_ALIKE, near_duplicates};
pub use gap::{Gap, GapTerm, gap};
pub use language::{Language, detect};
pub use mentions::{MentionSample, MentionSentiment, Mentions, NameMentions, Written, mentions};
pub use names::Name;
pub use outline::{Outline, OutlineFault, OutlineFaultCode, Section, outline};
pub use phrases::{KeyPhrase, key_phrases};
pub use readability::{Readability, measure as readability};
pub use sentences::split as sentences;
pub use sentiment::{Feeling, Scores, Sentiment, of_text as sentiment, score};
pub use source::Source;
pub use syllables::count as syllables;
pub use text::MAX_TEXT;
