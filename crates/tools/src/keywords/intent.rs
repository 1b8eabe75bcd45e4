//! What a search is after, by its words; and whether it is a question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    markers::{self, Markers},
    model::Intent,
};
use crate::analysis::text::{folded as folded_word, words};

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    How,
    What,
    Why,
    Who,
    When,
    Where,
    Which,
    YesNo,
    /// It ends with a question mark and starts with no known word.
    Other,
}

/// Reads searches of one language.
#[derive(Debug)]
pub struct IntentReader {
    questions: Vec<(QuestionKind, Phrase)>,
    markers: Vec<(Intent, Phrase)>,
    /// Words for reaching a site, and the names of the brand and its competitors.
    destinations: Vec<Phrase>,
}

/// Words that stand one after the other.
type Phrase = Vec<String>;

impl IntentReader {
    /// `names` are what the brand and its competitors are called: who types one of them wants to get there.
    pub fn new(language: &str, names: &[String]) -> Self {
        let Markers { questions, .. } = markers::of(language);
        let mut questions: Vec<(QuestionKind, Phrase)> =
            questions.iter().flat_map(|(kind, list)| phrases(list).map(|phrase| (*kind, phrase))).collect();
        // `por que` before `por`.
        questions.sort_by_key(|(_, phrase)| std::cmp::Reverse(phrase.len()));
        let markers = markers::by_strength(markers::of(language));
        let names = names.iter().map(|name| split(name)).filter(|name| !name.is_empty());
        Self {
            questions,
            markers: markers
                .into_iter()
                .flat_map(|(intent, list)| phrases(list).map(move |phrase| (intent, phrase)))
                .collect(),
            destinations: names.chain(phrases(markers::NAVIGATIONAL)).collect(),
        }
    }

    /// The kind of question it is, if it is one.
    pub fn question(&self, keyword: &str) -> Option<QuestionKind> {
        let words = split(keyword);
        let asks = |kind: QuestionKind, phrase: &Phrase| {
            words.starts_with(phrase) && words.len() > phrase.len() + fewest_after(kind, phrase)
        };
        let by_word = self.questions.iter().find(|(kind, phrase)| asks(*kind, phrase)).map(|(kind, _)| *kind);
        by_word.or_else(|| keyword.trim_end().ends_with(['?', '？', '؟']).then_some(QuestionKind::Other))
    }

    /// `None`: no word of it tells. A wish to buy is stronger than one to compare; a question asks to learn, whatever
    /// else is in it; a name alone asks for the way there.
    pub fn intent(&self, keyword: &str) -> Option<Intent> {
        if self.question(keyword).is_some() {
            return Some(Intent::Informational);
        }
        let words = split(keyword);
        let has = |phrase: &Phrase| words.windows(phrase.len()).any(|run| run == phrase.as_slice());
        let marked = |wanted: &[Intent]| {
            self.markers
                .iter()
                .find(|(intent, phrase)| wanted.contains(intent) && has(phrase))
                .map(|(intent, _)| *intent)
        };
        marked(&[Intent::Transactional, Intent::Commercial])
            .or_else(|| self.destinations.iter().any(has).then_some(Intent::Navigational))
            .or_else(|| marked(&[Intent::Informational]))
    }
}

/// How many words have to follow the first one after which a question begins: `can opener` and `will writing service`
/// are none.
fn fewest_after(kind: QuestionKind, phrase: &Phrase) -> usize {
    match (kind, phrase.as_slice()) {
        (QuestionKind::YesNo, [word]) if ["can", "do", "will", "has", "have"].contains(&word.as_str()) => 2,
        (QuestionKind::YesNo, [_]) => 1,
        _ => 0,
    }
}

fn phrases(list: &'static str) -> impl Iterator<Item = Phrase> {
    list.split('|').map(split).filter(|phrase| !phrase.is_empty())
}

fn split(text: &str) -> Phrase {
    words(text).map(|word| folded_word(word.text)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_tell_what_a_search_is_after() {
        let reader = IntentReader::new("en", &["Acme Coffee".to_owned(), "globex".to_owned()]);
        for (keyword, intent) in [
            ("buy coffee beans", Some(Intent::Transactional)),
            ("coffee shop near me", Some(Intent::Transactional)),
            ("best coffee beans", Some(Intent::Commercial)),
            ("acme coffee reviews", Some(Intent::Commercial)),
            ("Acme Coffee", Some(Intent::Navigational)),
            ("globex login", Some(Intent::Navigational)),
            ("buy globex beans", Some(Intent::Transactional)),
            ("how to buy coffee", Some(Intent::Informational)),
            ("cold brew recipe", Some(Intent::Informational)),
            ("coffee beans", None),
            ("bestow", None),
            ("", None),
        ] {
            assert_eq!(reader.intent(keyword), intent, "{keyword}");
        }
    }

    #[test]
    fn questions_are_known_in_ten_languages() {
        for (language, keyword, kind) in [
            ("en", "how to brew coffee", QuestionKind::How),
            ("en", "Is decaf healthy?", QuestionKind::YesNo),
            ("en", "Decaf or not?", QuestionKind::Other),
            ("en", "can dogs drink coffee", QuestionKind::YesNo),
            ("de", "warum ist kaffee bitter", QuestionKind::Why),
            ("fr", "qu'est-ce que le café", QuestionKind::What),
            ("fr", "où acheter du café", QuestionKind::Where),
            ("es", "¿Por qué el café es amargo?", QuestionKind::Why),
            ("it", "perché il caffè è amaro", QuestionKind::Why),
            ("pt", "o que é café coado", QuestionKind::What),
            ("nl", "welke koffie is het beste", QuestionKind::Which),
            ("pl", "czy kawa jest zdrowa", QuestionKind::YesNo),
            ("sv", "när ska man dricka kaffe", QuestionKind::When),
            ("ru", "сколько стоит кофе", QuestionKind::How),
            ("tlh", "what is coffee", QuestionKind::What),
        ] {
            assert_eq!(IntentReader::new(language, &[]).question(keyword), Some(kind), "{keyword}");
        }
        let english = IntentReader::new("en", &[]);
        for no_question in
            ["coffee how", "what", "however", "showers", "", "can opener", "will writing service", "is not"]
        {
            assert_eq!(english.question(no_question), None, "{no_question}");
        }
    }

    #[test]
    fn every_language_has_its_own_markers() {
        for (language, keyword, intent) in [
            ("de", "kaffee kaufen", Intent::Transactional),
            ("fr", "café pas cher", Intent::Transactional),
            ("es", "mejor café", Intent::Commercial),
            ("it", "caffè prezzo", Intent::Transactional),
            ("pt", "receita de café", Intent::Informational),
            ("nl", "koffie ervaringen", Intent::Commercial),
            ("pl", "kawa opinie", Intent::Commercial),
            ("sv", "köpa kaffe", Intent::Transactional),
            ("ru", "купить кофе", Intent::Transactional),
        ] {
            assert_eq!(IntentReader::new(language, &[]).intent(keyword), Some(intent), "{keyword}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_taken(keyword in "\\PC{0,60}", name in "\\PC{0,20}") {
            let reader = IntentReader::new("en", &[name]);
            reader.intent(&keyword);
            reader.question(&keyword);
        }
    }
}
