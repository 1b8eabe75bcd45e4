//! Analyses of texts: `run_analysis` and its tools.
//!
//! The analyses are pure functions: no network, clock or store. [`AnalysisHandler`] is the job that loads their texts. Each
//! analysis reads a bounded part of a text in linear time and returns a struct that is small enough for the result of a
//! tool. `tests/analysis/` compares with reference implementations in Python: readability and sentiment are equal to
//! them, languages and key phrases nearly.
//!
//! | analysis | function | reference |
//! |---|---|---|
//! | language | [`detect`] | `py3langid` |
//! | readability | [`readability()`] | `textstat` |
//! | sentiment | [`sentiment()`], [`score`] | `vaderSentiment` |
//! | key phrases | [`key_phrases`] | `yake` |
//! | density of target keywords | [`keyword_densities`] | |
//! | outline and its faults | [`outline()`] | |
//! | all of the above, for one text | [`analyse_content`] | |
//! | near-duplicates | [`near_duplicates`] | |
//! | mentions of brands | [`count_mentions`] | |
//! | terms that only competitors use | [`content_gap`] | |
//! | many texts by how hard they are to read | [`rank_texts`] | |
//!
//! A [`Document`] is a text in its parts. [`Document::from_markdown`] parses plain text and Markdown; `audit::page` parses
//! HTML. Languages are ISO 639-1 codes. The embedded data and its licences are in `word_lists/`.

pub(crate) mod chunks;
mod content;
mod density;
mod document;
mod duplicates;
mod findings;
mod gap;
mod get_analysis;
mod job;
mod language;
mod lexicon;
mod list_analyses;
mod mentions;
mod model;
mod name_matcher;
mod named_text;
pub(crate) mod names;
mod outline;
mod phrases;
mod ranking;
mod readability;
mod records;
mod run_analysis;
mod sentences;
mod sentiment;
pub(crate) mod stems;
pub(crate) mod stop_words;
mod syllables;
pub(crate) mod terms;
pub(crate) mod text;
mod verdict;
mod view;

pub(crate) use content::prose;
pub use content::{Content, analyse_content};
pub use density::{KeywordDensity, keyword_densities};
pub use document::{Document, Heading};
pub use duplicates::{
    ClosestPair, DEFAULT_SIMILARITY, Duplicate, DuplicateGroup, Duplicates, near_duplicates,
};
pub use gap::{Gap, GapTerm, content_gap};
pub use get_analysis::GetAnalysis;
pub use job::AnalysisHandler;
pub use language::{Language, LanguageSource, detect, detect_or_brand};
pub use list_analyses::ListAnalyses;
pub use mentions::{MentionSample, MentionSentiment, Mentions, NameForm, NameMentions, count_mentions};
pub use model::{
    Analysis, AnalysisChange, AnalysisKind, AnalysisRequest, AnalysisResult, AnalysisScope, AnalysisSummary,
    StoredJson,
};
pub use name_matcher::TrackedName;
pub use named_text::NamedText;
pub use outline::{Outline, OutlineFault, OutlineFaultCode, Section, outline};
pub use phrases::{KeyPhrase, key_phrases};
pub use ranking::{RankedText, TextRanking, rank_texts};
pub use readability::{Readability, readability};
pub use records::AnalysisRecords;
pub use run_analysis::RunAnalysis;
pub use sentences::split_sentences;
pub use sentiment::{Polarity, Scores, Sentiment, score, sentiment};
pub use syllables::count_syllables;
pub use text::MAX_TEXT_BYTES;
pub(crate) use verdict::reading_ease;
pub use view::{AnalysisListItem, AnalysisView};
