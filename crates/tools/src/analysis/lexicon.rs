//! VADER's lexicon: valences, boosters, negations and idioms. The licence of the data is in `word_lists/NOTICE`.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use super::text::parse_word_values;

static VALENCES: LazyLock<HashMap<&'static str, f64>> =
    LazyLock::new(|| parse_word_values(include_str!("word_lists/sentiment_lexicon.txt")));

static EMOJI: LazyLock<HashMap<char, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("word_lists/sentiment_emoji.txt").lines();
    lines
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(emoji, text)| Some((emoji.parse().ok()?, text)))
        .collect()
});

/// The valence of a lower-case word, from -4 (most negative) to 4 (most positive).
pub(super) fn valence(word: &str) -> Option<f64> {
    VALENCES.get(word).copied()
}

/// Replaces each emoji by its description.
pub(super) fn describe_emoji(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| EMOJI.contains_key(&c)) {
        return Cow::Borrowed(text);
    }
    let mut described = String::with_capacity(text.len() * 2);
    let mut after_space = true;
    for c in text.chars() {
        if let Some(description) = EMOJI.get(&c) {
            if !after_space {
                described.push(' ');
            }
            described.push_str(description);
            after_space = false;
        } else {
            described.push(c);
            after_space = c == ' ';
        }
    }
    Cow::Owned(described)
}

/// A word that makes the valence of the following words stronger or weaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Booster {
    Stronger,
    Weaker,
}

impl Booster {
    pub(super) fn amount(self) -> f64 {
        match self {
            Self::Stronger => 0.293,
            Self::Weaker => -0.293,
        }
    }
}

#[rustfmt::skip]
pub(super) fn booster(phrase: &str) -> Option<Booster> {
    Some(match phrase {
        "absolutely" | "amazingly" | "awfully" | "completely" | "considerable" | "considerably" | "decidedly"
        | "deeply" | "effing" | "enormous" | "enormously" | "entirely" | "especially" | "exceptional"
        | "exceptionally" | "extreme" | "extremely" | "fabulously" | "flipping" | "flippin" | "frackin" | "fracking"
        | "fricking" | "frickin" | "frigging" | "friggin" | "fully" | "fuckin" | "fucking" | "fuggin" | "fugging"
        | "greatly" | "hella" | "highly" | "hugely" | "incredible" | "incredibly" | "intensely" | "major" | "majorly"
        | "more" | "most" | "particularly" | "purely" | "quite" | "really" | "remarkably" | "so" | "substantially"
        | "thoroughly" | "total" | "totally" | "tremendous" | "tremendously" | "uber" | "unbelievably" | "unusually"
        | "utter" | "utterly" | "very" => Booster::Stronger,
        "almost" | "barely" | "hardly" | "just enough" | "kind of" | "kinda" | "kindof" | "kind-of" | "less"
        | "little" | "marginal" | "marginally" | "occasional" | "occasionally" | "partly" | "scarce" | "scarcely"
        | "slight" | "slightly" | "somewhat" | "sort of" | "sorta" | "sortof" | "sort-of" => Booster::Weaker,
        _ => return None,
    })
}

#[rustfmt::skip]
pub(super) fn is_negation(word: &str) -> bool {
    word.contains("n't") || matches!(
        word,
        "aint" | "arent" | "cannot" | "cant" | "couldnt" | "darent" | "didnt" | "doesnt" | "dont" | "hadnt" | "hasnt"
        | "havent" | "isnt" | "mightnt" | "mustnt" | "neither" | "neednt" | "never" | "none" | "nope" | "nor" | "not"
        | "nothing" | "nowhere" | "oughtnt" | "shant" | "shouldnt" | "uhuh" | "wasnt" | "werent" | "uh-uh"
        | "without" | "wont" | "wouldnt" | "rarely" | "seldom" | "despite"
    )
}

/// The valence of an idiom.
pub(super) fn special_case(phrase: &str) -> Option<f64> {
    Some(match phrase {
        "the shit" | "the bomb" | "to die for" => 3.0,
        "bad ass" | "badass" => 1.5,
        "bus stop" => 0.0,
        "yeah right" => -2.0,
        "kiss of death" => -1.5,
        "beating heart" => 3.5,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_lists_are_complete() {
        assert_eq!(VALENCES.len(), 7_488);
        assert_eq!((valence("great"), valence(":)"), valence("sofa")), (Some(3.1), Some(2.0), None));
        assert_eq!(EMOJI.len(), 1_212);
    }

    #[test]
    fn emoji_are_replaced_by_descriptions() {
        assert_eq!(describe_emoji("nice😁day"), "nice beaming face with smiling eyesday");
        assert_eq!(describe_emoji("plain"), "plain");
    }
}
