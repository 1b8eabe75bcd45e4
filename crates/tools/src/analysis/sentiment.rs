//! How a text feels, by the rules and the lexicon of VADER (Hutto and Gilbert, 2014), for English.
//!
//! A port of `vaderSentiment` 3.3.2 that gives the same numbers, oddities included: see [`contrast`]. VADER is made
//! for sentences, so a text is scored sentence by sentence.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    lexicon::{self, Booster},
    sentences,
    text::{as_f64, excerpt, is_space, rounded, share},
};

/// More words than this are no sentence; the rest of them is not read. It bounds the time [`contrast`] takes.
const MAX_WORDS: usize = 2_000;
/// From this compound score on (or below its negative) a sentence counts as positive (or negative), as VADER's
/// authors advise.
const THRESHOLD: f64 = 0.05;
const SAMPLE_CHARS: usize = 240;

const CAPITALS: f64 = 0.733;
const NEGATION: f64 = -0.74;
const NORMALIZATION: f64 = 15.0;

/// What VADER says of one sentence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Scores {
    /// From -1 (most negative) to 1 (most positive).
    pub compound: f64,
    /// This and the two below: how much of the sentence is of that kind; together 1.
    pub positive: f64,
    pub neutral: f64,
    pub negative: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Feeling {
    Positive,
    Neutral,
    Negative,
}

impl Feeling {
    pub fn of(compound: f64) -> Self {
        if compound >= THRESHOLD {
            Self::Positive
        } else if compound <= -THRESHOLD {
            Self::Negative
        } else {
            Self::Neutral
        }
    }
}

/// What the sentences of a text say together.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Sentiment {
    pub feeling: Feeling,
    /// The mean over the sentences, from -1 to 1.
    pub compound: f64,
    pub sentences: usize,
    /// This and the two below: the share of sentences, from 0 to 1.
    pub positive: f64,
    pub neutral: f64,
    pub negative: f64,
    /// The sentence that is most positive. Null where none is.
    pub most_positive: Option<String>,
    pub most_negative: Option<String>,
}

/// The sentiment of an English text, or nothing where it has no words.
pub fn of_text(text: &str) -> Option<Sentiment> {
    of_sentences(sentences::split(text))
}

pub(super) fn of_sentences<'a>(sentences: impl IntoIterator<Item = &'a str>) -> Option<Sentiment> {
    let scored: Vec<(f64, &str)> =
        sentences.into_iter().map(|sentence| (score(sentence).compound, sentence)).collect();
    if scored.is_empty() {
        return None;
    }
    let compound = scored.iter().map(|(compound, _)| compound).sum::<f64>() / as_f64(scored.len());
    let share_of = |feeling| {
        share(scored.iter().filter(|(compound, _)| Feeling::of(*compound) == feeling).count(), scored.len())
    };
    let sample = |feeling| {
        let of_feeling = scored.iter().filter(|(compound, _)| Feeling::of(*compound) == feeling);
        of_feeling
            .max_by(|left, right| left.0.abs().total_cmp(&right.0.abs()))
            .map(|(_, sentence)| excerpt(sentence, SAMPLE_CHARS))
    };
    Some(Sentiment {
        feeling: Feeling::of(compound),
        compound: rounded(compound, 4),
        sentences: scored.len(),
        positive: share_of(Feeling::Positive),
        neutral: share_of(Feeling::Neutral),
        negative: share_of(Feeling::Negative),
        most_positive: sample(Feeling::Positive),
        most_negative: sample(Feeling::Negative),
    })
}

/// VADER's `polarity_scores`.
pub fn score(sentence: &str) -> Scores {
    let text = lexicon::describe_emoji(sentence);
    let words = Words::of(&text);
    let mut valences: Vec<f64> = (0..words.len()).map(|at| words.valence(at)).collect();
    if let Some(but) = words.lower.iter().position(|word| word == "but") {
        contrast(&mut valences, but);
    }
    combine(&valences, emphasis(&text))
}

/// The words of a sentence with what the rules ask of them.
struct Words {
    lower: Vec<String>,
    /// Per word: is it in capitals?
    shouted: Vec<bool>,
    /// Some words are in capitals and some are not, so that capitals mean something.
    mixed: bool,
}

impl Words {
    fn of(text: &str) -> Self {
        let words: Vec<&str> =
            text.split(is_space).filter(|word| !word.is_empty()).take(MAX_WORDS).map(bare).collect();
        let shouted: Vec<bool> = words.iter().map(|word| is_upper(word)).collect();
        Self {
            lower: words.iter().map(|word| word.to_lowercase()).collect(),
            mixed: shouted.contains(&true) && shouted.contains(&false),
            shouted,
        }
    }

    fn len(&self) -> usize {
        self.lower.len()
    }

    /// The word `back` places before `at`; nothing where the sentence starts later.
    fn before(&self, at: usize, back: usize) -> Option<&str> {
        Some(self.lower[at.checked_sub(back)?].as_str())
    }

    fn next(&self, at: usize) -> Option<&str> {
        self.lower.get(at + 1).map(String::as_str)
    }

    fn emphasized(&self, at: usize) -> bool {
        self.mixed && self.shouted[at]
    }

    fn valence(&self, at: usize) -> f64 {
        let word = self.lower[at].as_str();
        if lexicon::booster(word).is_some() || (word == "kind" && self.next(at) == Some("of")) {
            return 0.0;
        }
        let Some(known) = lexicon::valence(word) else { return 0.0 };
        let mut valence = known;
        if word == "no" && self.next(at).is_some_and(|next| lexicon::valence(next).is_some()) {
            valence = 0.0; // it negates the next word instead of counting itself
        }
        let refused = self.before(at, 1) == Some("no")
            || self.before(at, 2) == Some("no")
            || (self.before(at, 3) == Some("no") && matches!(self.before(at, 1), Some("or" | "nor")));
        if refused {
            valence = known * NEGATION;
        }
        if self.emphasized(at) {
            valence += if valence > 0.0 { CAPITALS } else { -CAPITALS };
        }
        for back in 1..=3 {
            let Some(word) = self.before(at, back) else { break };
            if lexicon::valence(word).is_some() {
                continue;
            }
            valence += self.boost(at, back, valence);
            valence = self.negate(at, back, valence);
            if back == 3 {
                valence = self.idiom(at, valence);
            }
        }
        if self.is_least(at) { valence * NEGATION } else { valence }
    }

    /// What an intensifier or dampener `back` words before adds; less the farther away it is.
    fn boost(&self, at: usize, back: usize, valence: f64) -> f64 {
        let Some(booster) = self.before(at, back).and_then(lexicon::booster) else { return 0.0 };
        let mut boost = if valence < 0.0 { -booster.amount() } else { booster.amount() };
        if self.emphasized(at - back) {
            boost += if valence > 0.0 { CAPITALS } else { -CAPITALS };
        }
        boost * [1.0, 0.95, 0.9][back - 1]
    }

    fn negate(&self, at: usize, back: usize, valence: f64) -> f64 {
        let word = |back| self.before(at, back).unwrap_or_default();
        let so = |back| matches!(word(back), "so" | "this");
        let (praise, no_doubt) = match back {
            2 => (word(2) == "never" && so(1), word(2) == "without" && word(1) == "doubt"),
            // The first two conditions alone are meant to need "never"; VADER's precedence lets the last stand alone.
            3 => (
                (word(3) == "never" && so(2)) || so(1),
                word(3) == "without" && (word(2) == "doubt" || word(1) == "doubt"),
            ),
            _ => (false, false),
        };
        if praise {
            valence * 1.25
        } else if !no_doubt && lexicon::is_negation(word(back)) {
            valence * NEGATION
        } else {
            valence
        }
    }

    /// Phrases that mean something else than their words; they are looked for around `at`, three words back.
    fn idiom(&self, at: usize, mut valence: f64) -> f64 {
        let phrase = |from: usize, to: usize| self.lower[at - from..=at - to].join(" ");
        let around = [phrase(1, 0), phrase(2, 0), phrase(2, 1), phrase(3, 1), phrase(3, 2)];
        if let Some(special) = around.iter().find_map(|phrase| lexicon::special_case(phrase)) {
            valence = special;
        }
        for length in 1..=2 {
            let ahead = self.lower.get(at..=at + length);
            if let Some(special) = ahead.and_then(|words| lexicon::special_case(&words.join(" "))) {
                valence = special;
            }
        }
        for phrase in [phrase(3, 1), phrase(3, 2), phrase(2, 1)] {
            valence += lexicon::booster(&phrase).map_or(0.0, Booster::amount);
        }
        valence
    }

    /// `least good`, but not `at least good`.
    fn is_least(&self, at: usize) -> bool {
        self.before(at, 1) == Some("least") && !matches!(self.before(at, 2), Some("at" | "very"))
    }
}

/// What comes before `but` weighs half, what follows one and a half times.
///
/// VADER does this by looking each value up in the list it is changing, and so finds the first that is equal. Where
/// two words have the same value, one may be changed twice and the other never. The numbers would not be VADER's
/// without it.
fn contrast(valences: &mut [f64], but: usize) {
    for at in 0..valences.len() {
        let valence = valences[at];
        #[expect(clippy::float_cmp, reason = "it is the very same value that is looked for")]
        let first = valences.iter().position(|other| *other == valence).unwrap_or(at);
        if first < but {
            valences[first] = valence * 0.5;
        } else if first > but {
            valences[first] = valence * 1.5;
        }
    }
}

/// How much the marks of the text add to its feeling.
fn emphasis(text: &str) -> f64 {
    let count = |mark| text.matches(mark).count();
    let exclamations = as_f64(count('!').min(4)) * 0.292;
    let questions = match count('?') {
        0 | 1 => 0.0,
        few @ (2 | 3) => as_f64(few) * 0.18,
        _ => 0.96,
    };
    exclamations + questions
}

fn combine(valences: &[f64], emphasis: f64) -> Scores {
    if valences.is_empty() {
        return Scores { compound: 0.0, positive: 0.0, neutral: 0.0, negative: 0.0 };
    }
    let mut sum: f64 = valences.iter().sum();
    if sum > 0.0 {
        sum += emphasis;
    } else if sum < 0.0 {
        sum -= emphasis;
    }
    let compound = (sum / (sum * sum + NORMALIZATION).sqrt()).clamp(-1.0, 1.0);

    // The ones make up for neutral words, which count as 1.
    let mut positive: f64 =
        valences.iter().filter(|valence| **valence > 0.0).map(|valence| valence + 1.0).sum();
    let mut negative: f64 =
        valences.iter().filter(|valence| **valence < 0.0).map(|valence| 1.0 - valence).sum();
    let neutral = as_f64(valences.iter().filter(|valence| **valence == 0.0).count());
    if positive > negative {
        positive += emphasis;
    } else if positive < negative {
        negative += emphasis;
    }
    let total = positive + negative + neutral;
    Scores {
        compound: rounded(compound, 4),
        positive: rounded(positive / total, 3),
        neutral: rounded(neutral / total, 3),
        negative: rounded(negative / total, 3),
    }
}

/// The word without the marks around it, unless so little is left that it may have been an emoticon.
fn bare(word: &str) -> &str {
    let bare = word.trim_matches(|c: char| c.is_ascii_punctuation());
    if bare.chars().nth(2).is_none() { word } else { bare }
}

fn is_upper(word: &str) -> bool {
    word.contains(char::is_uppercase) && !word.contains(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn modifiers_negations_and_marks_count() {
        let scored = [
            ("VADER is smart, handsome, and funny.", 0.8316),
            ("VADER is VERY SMART, uber handsome, and FRIGGIN FUNNY!!!", 0.9469),
            ("VADER is not smart, handsome, nor funny.", -0.7424),
            ("Today only kinda sux! But I'll get by, lol", 0.5249),
            ("Catch utf-8 emoji such as 💘 and 💋 and 😁", 0.875),
            ("The table is in the room.", 0.0),
        ];
        for (text, compound) in scored {
            assert!((score(text).compound - compound).abs() < 1e-9, "{text}");
        }
    }

    #[test]
    fn a_text_is_the_mean_of_its_sentences() {
        let sentiment = of_text("I love it. It is terrible. The box is blue.").unwrap();
        assert_eq!((sentiment.sentences, sentiment.feeling), (3, Feeling::Positive));
        assert_eq!((sentiment.positive, sentiment.neutral, sentiment.negative), (0.3333, 0.3333, 0.3333));
        assert_eq!(sentiment.most_positive.as_deref(), Some("I love it."));
        assert_eq!(sentiment.most_negative.as_deref(), Some("It is terrible."));
    }

    #[test]
    fn nothing_feels_like_nothing() {
        assert_eq!(of_text(" \n "), None);
        assert_eq!(score(""), Scores { compound: 0.0, positive: 0.0, neutral: 0.0, negative: 0.0 });
    }

    proptest! {
        #[test]
        fn any_text_is_taken(
            text in "\\PC{0,200}",
            words in proptest::collection::vec("(no|not|never|so|least|but|good|BAD|without|doubt|kind|of|very)", 0..12),
        ) {
            for text in [text, words.join(" ")] {
                let scores = score(&text);
                prop_assert!((-1.0..=1.0).contains(&scores.compound));
                let total = scores.positive + scores.neutral + scores.negative;
                prop_assert!(total == 0.0 || (total - 1.0).abs() < 0.01);
            }
        }
    }
}
