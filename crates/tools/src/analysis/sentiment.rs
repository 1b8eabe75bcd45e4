//! The sentiment of English texts, with the rules and lexicon of VADER (Hutto and Gilbert, 2014).
//!
//! A port of `vaderSentiment` 3.3.2 with the same results, including its bugs: see [`contrast`]. VADER is designed for
//! sentences, so a text is scored sentence by sentence.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    lexicon::{self, Booster},
    sentences::split_sentences,
    text::{as_f64, excerpt, is_space, round_to, share},
};

/// Further words of a sentence are ignored. This limits the time that [`contrast`] takes.
const MAX_WORDS: usize = 2_000;
/// A compound score of at least this is positive, and of at most its negative is negative. VADER's authors recommend it.
const POLARITY_THRESHOLD: f64 = 0.05;
const MAX_SAMPLE_CHARS: usize = 240;

const CAPITALS_BOOST: f64 = 0.733;
const NEGATION_FACTOR: f64 = -0.74;
const NORMALIZATION_ALPHA: f64 = 15.0;

/// VADER's scores for one sentence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Scores {
    /// From -1 (most negative) to 1 (most positive).
    pub compound: f64,
    /// This and the next two fields: the share of the sentence with this polarity. They add up to 1.
    pub positive: f64,
    pub neutral: f64,
    pub negative: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Polarity {
    Positive,
    Neutral,
    Negative,
}

impl Polarity {
    pub fn from_compound(compound: f64) -> Self {
        if compound >= POLARITY_THRESHOLD {
            Self::Positive
        } else if compound <= -POLARITY_THRESHOLD {
            Self::Negative
        } else {
            Self::Neutral
        }
    }
}

/// The sentiment of a text.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Sentiment {
    #[serde(rename = "feeling")]
    pub polarity: Polarity,
    /// The mean over the sentences, from -1 to 1.
    pub compound: f64,
    pub sentences: usize,
    /// This and the next two fields: the share of sentences with this polarity, from 0 to 1.
    pub positive: f64,
    pub neutral: f64,
    pub negative: f64,
    /// The most positive sentence. Left out if no sentence is positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_positive: Option<String>,
    /// The most negative sentence. Left out if no sentence is negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_negative: Option<String>,
}

/// The sentiment of an English text. `None` if it has no sentences.
pub fn sentiment(text: &str) -> Option<Sentiment> {
    let scored: Vec<(f64, &str)> =
        split_sentences(text).into_iter().map(|sentence| (score(sentence).compound, sentence)).collect();
    if scored.is_empty() {
        return None;
    }
    let compound = scored.iter().map(|(compound, _)| compound).sum::<f64>() / as_f64(scored.len());
    let with_polarity =
        |polarity| scored.iter().filter(move |(compound, _)| Polarity::from_compound(*compound) == polarity);
    let share_of = |polarity| share(with_polarity(polarity).count(), scored.len());
    let sample = |polarity| {
        let strongest = with_polarity(polarity).max_by(|left, right| left.0.abs().total_cmp(&right.0.abs()));
        strongest.map(|(_, sentence)| excerpt(sentence, MAX_SAMPLE_CHARS))
    };
    Some(Sentiment {
        polarity: Polarity::from_compound(compound),
        compound: round_to(compound, 4),
        sentences: scored.len(),
        positive: share_of(Polarity::Positive),
        neutral: share_of(Polarity::Neutral),
        negative: share_of(Polarity::Negative),
        most_positive: sample(Polarity::Positive),
        most_negative: sample(Polarity::Negative),
    })
}

/// VADER's `polarity_scores`.
pub fn score(sentence: &str) -> Scores {
    let text = lexicon::describe_emoji(sentence);
    let words = SentenceWords::parse(&text);
    let mut valences: Vec<f64> = (0..words.len()).map(|at| words.valence(at)).collect();
    if let Some(but) = words.lower.iter().position(|word| word == "but") {
        contrast(&mut valences, but);
    }
    combine(&valences, emphasis(&text))
}

struct SentenceWords {
    lower: Vec<String>,
    /// For each word.
    is_upper_case: Vec<bool>,
    /// Some words are in upper case and some are not. Only then does upper case emphasize a word.
    has_mixed_case: bool,
}

impl SentenceWords {
    fn parse(text: &str) -> Self {
        let words: Vec<&str> = text
            .split(is_space)
            .filter(|word| !word.is_empty())
            .take(MAX_WORDS)
            .map(strip_punctuation)
            .collect();
        let is_upper_case: Vec<bool> = words.iter().map(|word| is_all_upper(word)).collect();
        Self {
            lower: words.iter().map(|word| word.to_lowercase()).collect(),
            has_mixed_case: is_upper_case.contains(&true) && is_upper_case.contains(&false),
            is_upper_case,
        }
    }

    fn len(&self) -> usize {
        self.lower.len()
    }

    /// The word `back` places before `at`.
    fn before(&self, at: usize, back: usize) -> Option<&str> {
        Some(self.lower[at.checked_sub(back)?].as_str())
    }

    fn next(&self, at: usize) -> Option<&str> {
        self.lower.get(at + 1).map(String::as_str)
    }

    fn is_emphasized(&self, at: usize) -> bool {
        self.has_mixed_case && self.is_upper_case[at]
    }

    fn valence(&self, at: usize) -> f64 {
        let word = self.lower[at].as_str();
        if lexicon::booster(word).is_some() || (word == "kind" && self.next(at) == Some("of")) {
            return 0.0;
        }
        let Some(known) = lexicon::valence(word) else { return 0.0 };
        let mut valence = known;
        if word == "no" && self.next(at).is_some_and(|next| lexicon::valence(next).is_some()) {
            valence = 0.0; // it negates the next word and has no valence itself
        }
        let negated_by_no = self.before(at, 1) == Some("no")
            || self.before(at, 2) == Some("no")
            || (self.before(at, 3) == Some("no") && matches!(self.before(at, 1), Some("or" | "nor")));
        if negated_by_no {
            valence = known * NEGATION_FACTOR;
        }
        if self.is_emphasized(at) {
            valence += if valence > 0.0 { CAPITALS_BOOST } else { -CAPITALS_BOOST };
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
        if self.is_least(at) { valence * NEGATION_FACTOR } else { valence }
    }

    /// The effect of a booster `back` words before. It decreases with the distance.
    fn boost(&self, at: usize, back: usize, valence: f64) -> f64 {
        let Some(booster) = self.before(at, back).and_then(lexicon::booster) else { return 0.0 };
        let mut boost = if valence < 0.0 { -booster.amount() } else { booster.amount() };
        if self.is_emphasized(at - back) {
            boost += if valence > 0.0 { CAPITALS_BOOST } else { -CAPITALS_BOOST };
        }
        boost * [1.0, 0.95, 0.9][back - 1]
    }

    fn negate(&self, at: usize, back: usize, valence: f64) -> f64 {
        let word = |back| self.before(at, back).unwrap_or_default();
        let so = |back| matches!(word(back), "so" | "this");
        let (praise, no_doubt) = match back {
            2 => (word(2) == "never" && so(1), word(2) == "without" && word(1) == "doubt"),
            // VADER probably meant all conditions to need "never", but its operator precedence makes the last one independent.
            3 => (
                (word(3) == "never" && so(2)) || so(1),
                word(3) == "without" && (word(2) == "doubt" || word(1) == "doubt"),
            ),
            _ => (false, false),
        };
        if praise {
            valence * 1.25
        } else if !no_doubt && lexicon::is_negation(word(back)) {
            valence * NEGATION_FACTOR
        } else {
            valence
        }
    }

    /// Applies idioms and boosters of several words around `at`, up to three words back.
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

/// Words before `but` count half, words after it one and a half times.
///
/// VADER looks up each value in the list that it is changing, and finds the first equal one. If two words have the same
/// value, one may be changed twice and the other never. This bug is kept to get VADER's results.
fn contrast(valences: &mut [f64], but: usize) {
    for at in 0..valences.len() {
        let valence = valences[at];
        #[expect(clippy::float_cmp, reason = "the lookup is for the identical value")]
        let first = valences.iter().position(|other| *other == valence).unwrap_or(at);
        if first < but {
            valences[first] = valence * 0.5;
        } else if first > but {
            valences[first] = valence * 1.5;
        }
    }
}

/// The effect of exclamation and question marks.
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
    let compound = (sum / (sum * sum + NORMALIZATION_ALPHA).sqrt()).clamp(-1.0, 1.0);

    // The 1 compensates for neutral words, which count as 1.
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
        compound: round_to(compound, 4),
        positive: round_to(positive / total, 3),
        neutral: round_to(neutral / total, 3),
        negative: round_to(negative / total, 3),
    }
}

/// Removes punctuation around a word, unless at most two characters remain: then it may be an emoticon.
fn strip_punctuation(word: &str) -> &str {
    let stripped = word.trim_matches(|c: char| c.is_ascii_punctuation());
    if stripped.chars().nth(2).is_none() { word } else { stripped }
}

fn is_all_upper(word: &str) -> bool {
    word.contains(char::is_uppercase) && !word.contains(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn boosters_negations_and_punctuation_change_the_score() {
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
    fn text_has_the_mean_of_its_sentences() {
        let sentiment = sentiment("I love it. It is terrible. The box is blue.").unwrap();
        assert_eq!((sentiment.sentences, sentiment.polarity), (3, Polarity::Positive));
        assert_eq!((sentiment.positive, sentiment.neutral, sentiment.negative), (0.3333, 0.3333, 0.3333));
        assert_eq!(sentiment.most_positive.as_deref(), Some("I love it."));
        assert_eq!(sentiment.most_negative.as_deref(), Some("It is terrible."));
    }

    #[test]
    fn empty_text_has_no_sentiment() {
        assert_eq!(sentiment(" \n "), None);
        assert_eq!(score(""), Scores { compound: 0.0, positive: 0.0, neutral: 0.0, negative: 0.0 });
    }

    proptest! {
        #[test]
        fn any_text_is_accepted(
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
