//! Mentions of a brand and its competitors in many texts: how often, with what share, and with what sentiment.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    language::detect_or_brand,
    name_matcher::{MAX_NAMES, NameMatch, NameMatcher, TrackedName},
    named_text::{NamedText, display_name},
    sentences::split_sentences,
    sentiment::{Polarity, score},
    text::{as_f64, clip_to, excerpt, round_to, share},
};
use crate::cpu_pool::checkpoint;

const MAX_TEXTS: usize = 1_000;
const MAX_READ_BYTES: usize = 100_000;
const MAX_SAMPLES: usize = 3;
const MAX_FORMS: usize = 3;
const MAX_NAME_CHARS: usize = 100;
const MAX_SAMPLE_CHARS: usize = 200;
/// The language is detected from the start of a text.
const LANGUAGE_SAMPLE_BYTES: usize = 4_000;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Mentions {
    /// The number of texts read.
    pub texts: usize,
    /// The number of mentions of all names.
    pub total: usize,
    /// In the given order.
    pub names: Vec<NameMentions>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NameMentions {
    pub name: String,
    pub mentions: usize,
    /// The share of all mentions, from 0 to 1.
    pub share: f64,
    /// The number of texts that mention it.
    pub texts: usize,
    /// The written forms, most frequent first; at most 3.
    pub written: Vec<NameForm>,
    /// The sentiment of the sentences that mention it. Left out if none is in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentiment: Option<MentionSentiment>,
    /// Sentences that mention it: the most positive, the most negative, and one more.
    pub samples: Vec<MentionSample>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NameForm {
    pub form: String,
    pub count: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MentionSentiment {
    /// The mean over the sentences, from -1 to 1.
    pub compound: f64,
    /// This and the next two fields: the number of sentences with this polarity.
    pub positive: usize,
    pub neutral: usize,
    pub negative: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MentionSample {
    /// The name of the text.
    pub source: String,
    pub sentence: String,
    /// From -1 to 1. Left out if the text is not in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compound: Option<f64>,
}

/// Counts the first 20 `names` in the first 1,000 `sources`. A name that occurs twice in a sentence counts twice, but the
/// sentiment of the sentence counts once. `brand_language` is used where the language of a text cannot be detected.
pub fn count_mentions(
    names: &[TrackedName],
    sources: &[NamedText<'_>],
    brand_language: Option<&str>,
) -> Mentions {
    let names = &names[..names.len().min(MAX_NAMES)];
    let matcher = NameMatcher::new(names);
    let sources = &sources[..sources.len().min(MAX_TEXTS)];
    let mut stats: Vec<NameStats<'_>> = names.iter().map(|_| NameStats::default()).collect();
    for (index, source) in sources.iter().enumerate() {
        checkpoint();
        let is_english = || {
            let start = clip_to(source.text, LANGUAGE_SAMPLE_BYTES);
            detect_or_brand(start, brand_language).is_some_and(|language| language.code == "en")
        };
        add_source(source, index, &matcher, is_english, &mut stats);
    }
    let total = stats.iter().map(|stats| stats.mentions).sum();
    let names =
        names.iter().zip(stats).map(|(name, stats)| stats.into_mentions(name, total, sources)).collect();
    Mentions { texts: sources.len(), total, names }
}

fn add_source<'a>(
    source: &NamedText<'a>,
    index: usize,
    matcher: &NameMatcher,
    is_english: impl Fn() -> bool,
    stats: &mut [NameStats<'a>],
) {
    let mut english = None;
    for sentence in split_sentences(clip_to(source.text, MAX_READ_BYTES)) {
        let matches = matcher.find_all(sentence);
        if matches.is_empty() {
            continue;
        }
        // Detected only if there is a sentence to score.
        let english = *english.get_or_insert_with(&is_english);
        let compound = english.then(|| score(sentence).compound);
        let mut scored: Vec<usize> = Vec::new();
        for NameMatch { name, form } in matches {
            let Some(stats) = stats.get_mut(name) else { continue };
            stats.mentions += 1;
            *stats.written.entry(form).or_default() += 1;
            if stats.texts.last() != Some(&index) {
                stats.texts.push(index);
            }
            if !scored.contains(&name) {
                scored.push(name);
                stats.sentences.push(MentionSentence { source: index, text: sentence, compound });
            }
        }
    }
}

/// The counts of one name.
#[derive(Default)]
struct NameStats<'a> {
    mentions: usize,
    texts: Vec<usize>,
    written: HashMap<String, usize>,
    sentences: Vec<MentionSentence<'a>>,
}

#[derive(Clone, Copy)]
struct MentionSentence<'a> {
    source: usize,
    text: &'a str,
    compound: Option<f64>,
}

impl NameStats<'_> {
    fn into_mentions(self, name: &TrackedName, total: usize, sources: &[NamedText<'_>]) -> NameMentions {
        let mut written: Vec<NameForm> = self
            .written
            .iter()
            .map(|(form, count)| NameForm { form: excerpt(form, MAX_NAME_CHARS), count: *count })
            .collect();
        written.sort_by(|left, right| right.count.cmp(&left.count).then_with(|| left.form.cmp(&right.form)));
        written.truncate(MAX_FORMS);
        NameMentions {
            name: excerpt(&name.name, MAX_NAME_CHARS),
            mentions: self.mentions,
            share: share(self.mentions, total),
            texts: self.texts.len(),
            written,
            sentiment: self.sentiment(),
            samples: self.samples(sources),
        }
    }

    fn sentiment(&self) -> Option<MentionSentiment> {
        let compounds: Vec<f64> = self.sentences.iter().filter_map(|sentence| sentence.compound).collect();
        let count = |polarity| {
            compounds.iter().filter(|compound| Polarity::from_compound(**compound) == polarity).count()
        };
        if compounds.is_empty() {
            return None;
        }
        Some(MentionSentiment {
            compound: round_to(compounds.iter().sum::<f64>() / as_f64(compounds.len()), 4),
            positive: count(Polarity::Positive),
            neutral: count(Polarity::Neutral),
            negative: count(Polarity::Negative),
        })
    }

    fn samples(&self, sources: &[NamedText<'_>]) -> Vec<MentionSample> {
        let mut order: Vec<&MentionSentence<'_>> = self.sentences.iter().collect();
        // The most positive and the most negative first, then in the order of the texts.
        order.sort_by(|left, right| left.compound.unwrap_or(0.0).total_cmp(&right.compound.unwrap_or(0.0)));
        if order.len() > 1 {
            order.rotate_right(1);
            order[2..].sort_by_key(|sentence| sentence.source);
        }
        let mut samples: Vec<MentionSample> = Vec::new();
        for sentence in order {
            let text = excerpt(sentence.text, MAX_SAMPLE_CHARS);
            if samples.len() < MAX_SAMPLES && !samples.iter().any(|sample| sample.sentence == text) {
                let source = display_name(sources[sentence.source].name);
                samples.push(MentionSample { source, sentence: text, compound: sentence.compound });
            }
        }
        samples
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names() -> Vec<TrackedName> {
        let name = |name: &str, host: &str| TrackedName {
            name: name.to_owned(),
            host: Some(host.to_owned()),
            aliases: Vec::new(),
        };
        vec![name("Acme", "acme.example"), name("Globex", "globex.example")]
    }

    #[test]
    fn mentions_are_counted_and_their_sentences_scored() {
        let sources = [
            NamedText {
                name: "a",
                text: "I love Acme. Acme's tea is the best, better than Globex. It is hot.",
            },
            NamedText {
                name: "b",
                text: "Globex was a terrible choice for all of us. See acme.example for more.",
            },
            NamedText { name: "c", text: "Nobody is named here." },
        ];
        let mentions = count_mentions(&names(), &sources, None);
        assert_eq!((mentions.texts, mentions.total), (3, 5));
        let [acme, globex] = mentions.names.as_slice() else { panic!("two names") };
        assert_eq!((acme.mentions, acme.share, acme.texts), (3, 0.6, 2));
        assert_eq!(acme.written[0], NameForm { form: "Acme".to_owned(), count: 2 });
        assert_eq!(
            acme.sentiment.as_ref().map(|sentiment| (sentiment.positive, sentiment.neutral)),
            Some((2, 1))
        );
        assert_eq!((globex.mentions, globex.texts), (2, 2));
        let samples: Vec<(&str, &str)> =
            globex.samples.iter().map(|sample| (sample.source.as_str(), sample.sentence.as_str())).collect();
        assert_eq!(
            samples,
            [
                ("a", "Acme's tea is the best, better than Globex."),
                ("b", "Globex was a terrible choice for all of us."),
            ]
        );
    }

    #[test]
    fn only_english_sentences_are_scored() {
        let text = "Der Tee von Acme ist wirklich sehr gut, und wir trinken ihn jeden Tag.";
        let mentions = count_mentions(&names(), &[NamedText { name: "a", text }], None);
        assert_eq!((mentions.names[0].mentions, mentions.names[0].sentiment.as_ref()), (1, None));
        assert_eq!(mentions.names[0].samples[0].compound, None);
    }

    #[test]
    fn share_is_zero_without_mentions() {
        let mentions = count_mentions(&names(), &[NamedText { name: "a", text: "Tea." }], None);
        assert_eq!((mentions.total, mentions.names[0].share, mentions.names[0].samples.len()), (0, 0.0, 0));
    }

    proptest! {
        #[test]
        fn shares_add_up_to_one(texts in proptest::collection::vec("((Acme|Globex|tea|love|hate)[ .!]){0,20}", 0..5)) {
            let sources: Vec<NamedText<'_>> = texts.iter().map(|text| NamedText { name: "x", text }).collect();
            let mentions = count_mentions(&names(), &sources, None);
            let shares: f64 = mentions.names.iter().map(|name| name.share).sum();
            prop_assert!(mentions.total == 0 || (shares - 1.0).abs() < 0.001);
        }
    }
}
