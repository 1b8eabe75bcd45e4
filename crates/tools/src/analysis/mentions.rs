//! Who is spoken of, how often, and how: the share of mentions of a brand and its competitors over many texts.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    language,
    names::{MAX_NAMES, Name, Pattern, Spotter},
    sentences,
    sentiment::{self, Feeling},
    source::{Source, shown_name},
    text::{as_f64, clip_to, excerpt, rounded, share},
};

const MAX_TEXTS: usize = 1_000;
/// How much of each text is read.
const READ: usize = 100_000;
const MAX_SAMPLES: usize = 3;
const MAX_FORMS: usize = 3;
const NAME_CHARS: usize = 100;
const SAMPLE_CHARS: usize = 200;
/// A language is told from the start of a text.
const LANGUAGE_SAMPLE: usize = 4_000;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Mentions {
    /// How many texts were read.
    pub texts: usize,
    /// Mentions of all names together.
    pub total: usize,
    /// In the order of the names given.
    pub names: Vec<NameMentions>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NameMentions {
    pub name: String,
    pub mentions: usize,
    /// The share of all mentions, from 0 to 1.
    pub share: f64,
    /// How many texts mention it.
    pub texts: usize,
    /// How it was written, most frequent first; at most 3 ways.
    pub written: Vec<Written>,
    /// How the sentences feel that mention it. Null: none of them is in English.
    pub sentiment: Option<MentionSentiment>,
    /// Sentences that mention it: the most positive, the most negative, and another.
    pub samples: Vec<MentionSample>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Written {
    pub form: String,
    pub count: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MentionSentiment {
    /// The mean over the sentences, from -1 to 1.
    pub compound: f64,
    /// This and the two below: how many sentences feel so.
    pub positive: usize,
    pub neutral: usize,
    pub negative: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MentionSample {
    /// The text it stands in.
    pub source: String,
    pub sentence: String,
    /// From -1 to 1. Null: the text is not in English.
    pub compound: Option<f64>,
}

/// The mentions of the first 20 `names` in the first 1,000 `sources`. A sentence that names one of them twice counts twice, and its feeling once.
pub fn mentions(names: &[Name], sources: &[Source<'_>]) -> Mentions {
    let names = &names[..names.len().min(MAX_NAMES)];
    let spotter = Spotter::of(names);
    let sources = &sources[..sources.len().min(MAX_TEXTS)];
    let mut found: Vec<Found<'_>> = names.iter().map(|_| Found::default()).collect();
    for (number, source) in sources.iter().enumerate() {
        read(source, number, &spotter, &mut found);
    }
    let total = found.iter().map(|found| found.mentions).sum();
    let names = names.iter().zip(found).map(|(name, found)| found.summed_up(name, total, sources)).collect();
    Mentions { texts: sources.len(), total, names }
}

fn read<'a>(source: &Source<'a>, number: usize, spotter: &Spotter, found: &mut [Found<'a>]) {
    let mut english = None;
    for sentence in sentences::split(clip_to(source.text, READ)) {
        let spotted = spotter.spot(sentence);
        if spotted.is_empty() {
            continue;
        }
        // Asked only where there is something to score.
        let english = *english.get_or_insert_with(|| {
            let start = clip_to(source.text, LANGUAGE_SAMPLE);
            language::detect(start).is_some_and(|language| language.code == "en")
        });
        let compound = english.then(|| sentiment::score(sentence).compound);
        let mut scored: Vec<usize> = Vec::new();
        for Pattern { name, form } in spotted {
            let Some(found) = found.get_mut(name) else { continue };
            found.mentions += 1;
            *found.written.entry(form).or_default() += 1;
            if found.texts.last() != Some(&number) {
                found.texts.push(number);
            }
            if !scored.contains(&name) {
                scored.push(name);
                found.sentences.push(MentionSentence { source: number, text: sentence, compound });
            }
        }
    }
}

/// What was found of one name.
#[derive(Default)]
struct Found<'a> {
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

impl Found<'_> {
    fn summed_up(self, name: &Name, total: usize, sources: &[Source<'_>]) -> NameMentions {
        let mut written: Vec<Written> = self
            .written
            .iter()
            .map(|(form, count)| Written { form: excerpt(form, NAME_CHARS), count: *count })
            .collect();
        written.sort_by(|left, right| right.count.cmp(&left.count).then_with(|| left.form.cmp(&right.form)));
        written.truncate(MAX_FORMS);
        NameMentions {
            name: excerpt(&name.name, NAME_CHARS),
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
        let count = |feeling| compounds.iter().filter(|compound| Feeling::of(**compound) == feeling).count();
        if compounds.is_empty() {
            return None;
        }
        Some(MentionSentiment {
            compound: rounded(compounds.iter().sum::<f64>() / as_f64(compounds.len()), 4),
            positive: count(Feeling::Positive),
            neutral: count(Feeling::Neutral),
            negative: count(Feeling::Negative),
        })
    }

    fn samples(&self, sources: &[Source<'_>]) -> Vec<MentionSample> {
        let mut order: Vec<&MentionSentence<'_>> = self.sentences.iter().collect();
        // The ends of the scale come first, then the order of the texts.
        order.sort_by(|left, right| left.compound.unwrap_or(0.0).total_cmp(&right.compound.unwrap_or(0.0)));
        if order.len() > 1 {
            order.rotate_right(1);
            order[2..].sort_by_key(|sentence| sentence.source);
        }
        let mut samples: Vec<MentionSample> = Vec::new();
        for sentence in order {
            let text = excerpt(sentence.text, SAMPLE_CHARS);
            if samples.len() < MAX_SAMPLES && !samples.iter().any(|sample| sample.sentence == text) {
                let source = shown_name(sources[sentence.source].name);
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

    fn names() -> Vec<Name> {
        let name = |name: &str, host: &str| Name {
            name: name.to_owned(),
            host: Some(host.to_owned()),
            aliases: Vec::new(),
        };
        vec![name("Acme", "acme.example"), name("Globex", "globex.example")]
    }

    #[test]
    fn mentions_are_counted_and_their_sentences_felt() {
        let sources = [
            Source { name: "a", text: "I love Acme. Acme's tea is the best, better than Globex. It is hot." },
            Source {
                name: "b",
                text: "Globex was a terrible choice for all of us. See acme.example for more.",
            },
            Source { name: "c", text: "Nobody is named here." },
        ];
        let mentions = mentions(&names(), &sources);
        assert_eq!((mentions.texts, mentions.total), (3, 5));
        let [acme, globex] = mentions.names.as_slice() else { panic!("two names") };
        assert_eq!((acme.mentions, acme.share, acme.texts), (3, 0.6, 2));
        assert_eq!(acme.written[0], Written { form: "Acme".to_owned(), count: 2 });
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
    fn only_english_is_felt() {
        let text = "Der Tee von Acme ist wirklich sehr gut, und wir trinken ihn jeden Tag.";
        let mentions = mentions(&names(), &[Source { name: "a", text }]);
        assert_eq!((mentions.names[0].mentions, mentions.names[0].sentiment.as_ref()), (1, None));
        assert_eq!(mentions.names[0].samples[0].compound, None);
    }

    #[test]
    fn nobody_named_is_a_share_of_nothing() {
        let mentions = mentions(&names(), &[Source { name: "a", text: "Tea." }]);
        assert_eq!((mentions.total, mentions.names[0].share, mentions.names[0].samples.len()), (0, 0.0, 0));
    }

    proptest! {
        #[test]
        fn shares_add_up(texts in proptest::collection::vec("((Acme|Globex|tea|love|hate)[ .!]){0,20}", 0..5)) {
            let sources: Vec<Source<'_>> = texts.iter().map(|text| Source { name: "x", text }).collect();
            let mentions = mentions(&names(), &sources);
            let shares: f64 = mentions.names.iter().map(|name| name.share).sum();
            prop_assert!(mentions.total == 0 || (shares - 1.0).abs() < 0.001);
        }
    }
}
