//! What can be said of a text by reading it.
mod language;
mod lexicon;
mod readability;
mod sentences;
mod sentiment;
mod stems;
mod stop_words;
mod syllables;
mod text;
pub use language::{Language, detect};
pub use readability::{Readability, measure};
pub use sentiment::{score,of_text,Sentiment,Scores};
pub use syllables::count;
