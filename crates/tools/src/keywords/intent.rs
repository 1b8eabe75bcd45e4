//! Classifies search queries by their words: their intent, and whether they are questions.

use super::{
    markers,
    model::{Intent, QuestionKind},
};
use crate::analysis::text::{normalize_word, words};

/// Classifies queries in one language.
#[derive(Debug)]
pub(super) struct IntentClassifier {
    questions: Vec<(QuestionKind, WordSequence)>,
    markers: Vec<(Intent, WordSequence)>,
    /// Words for reaching a site, and the names of the brand and its competitors.
    navigational: Vec<WordSequence>,
}

/// Normalized words that follow each other.
type WordSequence = Vec<String>;

impl IntentClassifier {
    /// `names` are the names of the brand and its competitors: a query with one of them is navigational.
    pub(super) fn new(language: &str, names: &[String]) -> Self {
        let markers = markers::for_language(language);
        let mut questions: Vec<(QuestionKind, WordSequence)> = markers
            .questions
            .iter()
            .flat_map(|(kind, list)| phrases(list).map(|phrase| (*kind, phrase)))
            .collect();
        // The longest first: `por que` before `por`.
        questions.sort_by_key(|(_, phrase)| std::cmp::Reverse(phrase.len()));
        let names = names.iter().map(|name| word_sequence(name)).filter(|name| !name.is_empty());
        Self {
            questions,
            markers: markers
                .by_strength()
                .into_iter()
                .flat_map(|(intent, list)| phrases(list).map(move |phrase| (intent, phrase)))
                .collect(),
            navigational: names.chain(phrases(markers::NAVIGATIONAL)).collect(),
        }
    }

    /// The kind of the question, if the keyword is a question.
    pub(super) fn classify_question(&self, keyword: &str) -> Option<QuestionKind> {
        let words = word_sequence(keyword);
        let asks = |kind: QuestionKind, phrase: &WordSequence| {
            words.starts_with(phrase) && words.len() > phrase.len() + min_words_after(kind, phrase)
        };
        let by_word = self.questions.iter().find(|(kind, phrase)| asks(*kind, phrase)).map(|(kind, _)| *kind);
        by_word.or_else(|| keyword.trim_end().ends_with(['?', '？', '؟']).then_some(QuestionKind::Other))
    }

    /// `None` if no word indicates an intent. A question is always informational. Otherwise the order is transactional,
    /// commercial, navigational, informational.
    pub(super) fn classify(&self, keyword: &str) -> Option<Intent> {
        if self.classify_question(keyword).is_some() {
            return Some(Intent::Informational);
        }
        let words = word_sequence(keyword);
        let has = |phrase: &WordSequence| words.windows(phrase.len()).any(|run| run == phrase.as_slice());
        let marked = |wanted: &[Intent]| {
            self.markers
                .iter()
                .find(|(intent, phrase)| wanted.contains(intent) && has(phrase))
                .map(|(intent, _)| *intent)
        };
        marked(&[Intent::Transactional, Intent::Commercial])
            .or_else(|| self.navigational.iter().any(has).then_some(Intent::Navigational))
            .or_else(|| marked(&[Intent::Informational]))
    }
}

/// How many words must follow the first word after the question word. `can opener` and `will writing service` are not
/// questions.
fn min_words_after(kind: QuestionKind, phrase: &WordSequence) -> usize {
    match (kind, phrase.as_slice()) {
        (QuestionKind::YesNo, [word]) if ["can", "do", "will", "has", "have"].contains(&word.as_str()) => 2,
        (QuestionKind::YesNo, [_]) => 1,
        _ => 0,
    }
}

fn phrases(list: &'static str) -> impl Iterator<Item = WordSequence> {
    list.split('|').map(word_sequence).filter(|phrase| !phrase.is_empty())
}

fn word_sequence(text: &str) -> WordSequence {
    words(text).map(|word| normalize_word(word.text)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_indicate_the_intent() {
        let classifier = IntentClassifier::new("en", &["Acme Coffee".to_owned(), "globex".to_owned()]);
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
            assert_eq!(classifier.classify(keyword), intent, "{keyword}");
        }
    }

    #[test]
    fn questions_are_recognized_in_ten_languages() {
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
            assert_eq!(
                IntentClassifier::new(language, &[]).classify_question(keyword),
                Some(kind),
                "{keyword}"
            );
        }
        let english = IntentClassifier::new("en", &[]);
        for other in
            ["coffee how", "what", "however", "showers", "", "can opener", "will writing service", "is not"]
        {
            assert_eq!(english.classify_question(other), None, "{other}");
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
            assert_eq!(IntentClassifier::new(language, &[]).classify(keyword), Some(intent), "{keyword}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_accepted(keyword in "\\PC{0,60}", name in "\\PC{0,20}") {
            let classifier = IntentClassifier::new("en", &[name]);
            classifier.classify(&keyword);
            classifier.classify_question(&keyword);
        }
    }
}
