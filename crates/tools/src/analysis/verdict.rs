//! Says in words what the figures of a text mean.

use super::{readability::Readability, text::as_f64};

/// The measures of fewer words are chance.
const MIN_WORDS: usize = 10;
/// A reading ease below this is hard to read.
pub(super) const HARD_EASE: f64 = 50.0;
const VERY_HARD_EASE: f64 = 30.0;
const EASY_EASE: f64 = 70.0;
const LONG_SENTENCE_WORDS: f64 = 20.0;
/// A compound score of at least this, or of at most its negative, is a strong feeling.
const STRONG_COMPOUND: f64 = 0.5;
const WEAK_COMPOUND: f64 = 0.05;

/// How easy a text is to read, from about 0 (very hard) to 100 (easy): Flesch Reading Ease, or a LIX on the same scale,
/// where the limits of easy (30) and hard (50) of LIX are 80 and 40. `None` if it cannot be measured.
pub(crate) fn reading_ease(readability: &Readability) -> Option<f64> {
    let from_lix = || readability.lix.map(|lix| 140.0 - 2.0 * lix);
    let ease = readability.flesch_reading_ease.or_else(from_lix);
    ease.filter(|_| readability.words >= MIN_WORDS)
}

/// How hard a text is to read and what to do about it, without the full stop.
pub(super) fn reading_verdict(readability: &Readability) -> String {
    let Some(ease) = reading_ease(readability) else {
        return match readability.words {
            words @ ..MIN_WORDS => format!("Too short to say how hard it is to read ({words} words)"),
            _ => "How hard it is to read cannot be measured in its language".to_owned(),
        };
    };
    let level = match ease {
        ..VERY_HARD_EASE => "Very hard to read",
        ..HARD_EASE => "Hard to read",
        ..EASY_EASE => "Not hard to read",
        _ => "Easy to read",
    };
    let measure = match (readability.flesch_reading_ease, readability.lix) {
        (Some(flesch), _) => format!("Flesch {flesch:.0}, plain English is above 60"),
        (None, lix) => format!("LIX {:.0}, above 50 is hard", lix.unwrap_or_default()),
    };
    let sentence_words = as_f64(readability.words) / as_f64(readability.sentences.max(1));
    let advice = if ease >= HARD_EASE {
        String::new()
    } else if sentence_words > LONG_SENTENCE_WORDS {
        format!(": its sentences have {sentence_words:.0} words on average, so split them")
    } else {
        ": its words are long, so use shorter ones".to_owned()
    };
    format!("{level} ({measure}){advice}")
}

/// A sentiment score in words.
pub(super) fn tone(compound: f64) -> &'static str {
    match compound {
        STRONG_COMPOUND.. => "very positive",
        WEAK_COMPOUND.. => "positive",
        c if c <= -STRONG_COMPOUND => "very negative",
        c if c <= -WEAK_COMPOUND => "negative",
        _ => "neutral",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::readability;

    #[test]
    fn verdict_says_how_hard_and_why() {
        let easy =
            readability("The cat sat on the mat. It was a sunny day, and we all went home.", Some("en"));
        assert!(reading_verdict(&easy).starts_with("Easy to read (Flesch "), "{}", reading_verdict(&easy));
        let hard = "Organisational responsibilities necessitate comprehensive administrative documentation, \
                    notwithstanding considerable operational complexity, while interdepartmental communication \
                    continuously deteriorates throughout the organisation and its subsidiaries everywhere.";
        let verdict = reading_verdict(&readability(hard, Some("en")));
        assert!(verdict.starts_with("Very hard to read") && verdict.ends_with("so split them"), "{verdict}");
        let german = "Die Verwaltungsvorschriftenänderung erfordert umfangreiche Berücksichtigung. \
                      Verantwortungsträger dokumentieren Entscheidungsgrundlagen gewissenhaft. Niemand versteht diese \
                      außergewöhnlichen Formulierungen.";
        let verdict = reading_verdict(&readability(german, Some("de")));
        assert!(verdict.contains("hard to read (LIX ") && verdict.ends_with("use shorter ones"), "{verdict}");
    }

    #[test]
    fn text_that_cannot_be_measured_has_no_ease() {
        for (text, language, verdict) in [
            ("Buy now.", "en", "Too short"),
            ("今日 は 天気 が いい です ね と 彼 は 言い ました", "ja", "How hard it is"),
        ] {
            let measured = readability(text, Some(language));
            assert_eq!(reading_ease(&measured), None);
            assert!(reading_verdict(&measured).starts_with(verdict), "{}", reading_verdict(&measured));
        }
    }

    #[test]
    fn tone_names_the_strength_of_a_feeling() {
        let tones = [-0.71, -0.5, -0.2, 0.0, 0.04, 0.3, 0.9].map(tone);
        let names =
            ["very negative", "very negative", "negative", "neutral", "neutral", "positive", "very positive"];
        assert_eq!(tones, names);
    }
}
