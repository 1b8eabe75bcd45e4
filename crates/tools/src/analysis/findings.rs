//! Turns the figures of an analysis into sentences that say what matters and what to improve.

use super::{
    AnalysisResult, Content, Duplicates, Gap, LanguageSource, Mentions, TextRanking,
    text::excerpt,
    verdict::{reading_verdict, tone},
};

/// A keyword density above this looks like keyword stuffing.
const STUFFED_DENSITY: f64 = 0.03;
const MAX_FAULTS: usize = 5;
const MAX_SHOWN_TERMS: usize = 3;
const MAX_QUOTE_CHARS: usize = 120;

/// `is_page`: the analysed text is an HTML page.
pub(super) fn findings_of(result: &AnalysisResult, is_page: bool) -> Vec<String> {
    let mut findings = Vec::new();
    if let Some(content) = &result.content {
        findings.extend(content_findings(content, is_page));
    }
    findings.extend(result.ranking.as_ref().map(ranking_findings).into_iter().flatten());
    findings.extend(result.mentions.as_ref().map(mention_findings).into_iter().flatten());
    findings.extend(result.duplicates.as_ref().map(duplicate_finding));
    findings.extend(result.gap.as_ref().map(gap_finding));
    findings
}

fn content_findings(content: &Content, is_page: bool) -> Vec<String> {
    let mut findings = Vec::new();
    if let Some(language) = content.language.as_ref().filter(|language| !language.reliable) {
        let (name, confidence) = (language.name, language.confidence);
        findings.push(match language.source {
            LanguageSource::Brand => {
                format!("The language could not be detected, so the brand's language was used: {name}.")
            }
            LanguageSource::Detected => {
                format!("The language is uncertain: perhaps {name} (confidence {confidence}). A longer text helps.")
            }
        });
    }
    findings.push(format!("{}.", reading_verdict(&content.readability)));
    if let Some(sentiment) = &content.sentiment {
        let tone = tone(sentiment.compound);
        let sample = if sentiment.compound < 0.0 { sentiment.most_negative.as_ref() } else { None };
        let sample = sample
            .map(|sentence| format!(" The most negative sentence: “{}”", excerpt(sentence, MAX_QUOTE_CHARS)));
        let sample = sample.unwrap_or_default();
        findings.push(format!("The tone is {tone} ({:.2} from -1 to 1).{sample}", sentiment.compound));
    }
    findings.extend(keyword_findings(content, is_page));
    let faults = content.outline.faults.iter().take(MAX_FAULTS);
    findings.extend(faults.map(|fault| fault.message.clone()));
    if content.truncated {
        findings.push("The text is too long: its end was not read.".to_owned());
    }
    findings
}

fn keyword_findings(content: &Content, is_page: bool) -> Vec<String> {
    let mut findings = Vec::new();
    let has_headings = is_page || content.outline.headings_total > 0;
    for keyword in &content.keywords {
        if keyword.count == 0 {
            findings.push(format!("The target keyword \"{}\" is not in the text.", keyword.keyword));
        } else if keyword.density > STUFFED_DENSITY {
            findings.push(format!(
                "\"{}\" makes up {:.1} % of the words: this looks like keyword stuffing. Use it less often.",
                keyword.keyword,
                keyword.density * 100.0
            ));
        } else if has_headings && !(keyword.in_title || keyword.in_h1) {
            findings.push(format!(
                "\"{}\" is in neither the title nor the h1. Add it to one of them.",
                keyword.keyword
            ));
        }
    }
    findings
}

fn ranking_findings(ranking: &TextRanking) -> Vec<String> {
    let Some(hardest) = ranking.items.first() else {
        return vec!["There is no text to analyse: no page was read, or no post is published.".to_owned()];
    };
    let mut findings = vec![format!("{} of {} texts are hard to read.", ranking.hard, ranking.texts)];
    if ranking.hard > 0 {
        findings.push(format!("The hardest is {}: {}", hardest.name, hardest.verdict));
    }
    let scored = ranking.items.iter().filter_map(|item| Some((item.sentiment?, item)));
    let most_negative = scored.min_by(|left, right| left.0.total_cmp(&right.0));
    if let Some((compound, item)) =
        most_negative.filter(|(compound, _)| tone(*compound).ends_with("negative"))
    {
        findings.push(format!("The most negative is {} ({}, {compound:.2}).", item.name, tone(compound)));
    }
    findings
}

fn mention_findings(mentions: &Mentions) -> Vec<String> {
    let Some(own) = mentions.names.first().filter(|_| mentions.total > 0) else {
        return vec!["Neither the brand nor a competitor is mentioned by name.".to_owned()];
    };
    let share = own.share * 100.0;
    let mut findings =
        vec![format!("{} has {} of {} mentions ({share:.0} %).", own.name, own.mentions, mentions.total)];
    for name in mentions.names.iter().filter(|name| name.mentions > 0) {
        if let Some(sentiment) = &name.sentiment {
            let tone = tone(sentiment.compound);
            findings.push(format!("What is said about {} is {tone} ({:.2}).", name.name, sentiment.compound));
        }
    }
    let leader = mentions.names.iter().max_by_key(|name| name.mentions);
    if let Some(leader) = leader.filter(|leader| leader.mentions > own.mentions) {
        findings.push(format!("{} is mentioned most: {} times.", leader.name, leader.mentions));
    }
    findings
}

fn duplicate_finding(duplicates: &Duplicates) -> String {
    let Duplicates { texts, threshold, groups_total, .. } = duplicates;
    let closest = duplicates.closest.as_ref().map(|pair| {
        format!(
            " The closest pair has a similarity of {:.2}: {} and {}.",
            pair.similarity, pair.first, pair.second
        )
    });
    let closest = closest.unwrap_or_default();
    match groups_total {
        0 => format!("No near-duplicates (similarity of at least {threshold}) among {texts} texts.{closest}"),
        _ => format!(
            "Groups of near-duplicates (similarity of at least {threshold}) among {texts} texts: {groups_total}. Merge the \
             texts of a group or make them differ.{closest}"
        ),
    }
}

fn gap_finding(gap: &Gap) -> String {
    let shown: Vec<String> =
        gap.terms.iter().take(MAX_SHOWN_TERMS).map(|term| format!("\"{}\"", term.term)).collect();
    match (gap.competitor_pages, gap.terms_total) {
        (0, _) => "No competitor page could be read, so there is nothing to compare with.".to_owned(),
        (_, 0) => "Competitors' pages have no important terms that the brand's pages lack.".to_owned(),
        (_, total) => format!(
            "Terms on competitors' pages that the brand's pages lack: {total}. The most important: {}.",
            shown.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Document, NamedText, analyse_content, near_duplicates};

    fn findings(text: &str, is_page: bool) -> Vec<String> {
        let document = Document { is_page, ..Document::from_markdown(text) };
        let content = Some(analyse_content(&document, &["tea".to_owned()], Some("en")));
        findings_of(&AnalysisResult { content, ..AnalysisResult::default() }, is_page)
    }

    #[test]
    fn negative_text_is_said_to_be_negative() {
        let text = "Our tea was a terrible, disgusting disaster. Everybody hated this awful tea, and we are very sad \
                    about the horrible smell.";
        let found = findings(text, false);
        assert!(found.iter().any(|finding| finding.contains("to read (Flesch")), "{found:?}");
        assert!(
            found.iter().any(|finding| finding.starts_with("The tone is very negative (-0.")),
            "{found:?}"
        );
        assert!(!found.iter().any(|finding| finding.contains("h1")), "a text needs no h1: {found:?}");
        assert!(findings(text, true).iter().any(|finding| finding.contains("no h1")));
    }

    #[test]
    fn uncertain_language_is_named() {
        let found = findings("Espresso, Cappuccino", false);
        assert!(found[0].contains("the brand's language was used: English"), "{found:?}");
        assert!(found[1].starts_with("Too short"), "{found:?}");
    }

    #[test]
    fn closest_pair_and_threshold_are_named_without_duplicates() {
        let texts = [NamedText { name: "a", text: "One text." }, NamedText { name: "b", text: "Another." }];
        let duplicates = Some(near_duplicates(&texts, 0.8));
        let found = findings_of(&AnalysisResult { duplicates, ..AnalysisResult::default() }, false);
        assert_eq!(
            found,
            [
                "No near-duplicates (similarity of at least 0.8) among 2 texts. The closest pair has a similarity of 0.00: a \
              and b."
            ]
        );
    }
}
