//! Turns the figures of an analysis into sentences that say what to improve.

use super::{AnalysisResult, Content};

/// A Flesch Reading Ease below this is hard to read. Plain English is above 60.
const HARD_TO_READ_FLESCH: f64 = 50.0;
/// A keyword density above this looks like keyword stuffing.
const STUFFED_DENSITY: f64 = 0.03;
const MAX_FAULTS: usize = 5;

pub(super) fn findings_of(result: &AnalysisResult) -> Vec<String> {
    let mut findings = result.content.as_ref().map(content_findings).unwrap_or_default();
    if let Some(mentions) = &result.mentions {
        match mentions.names.first() {
            Some(own) if mentions.total > 0 => findings.push(format!(
                "{} has {} of {} mentions ({:.0} %).",
                own.name,
                own.mentions,
                mentions.total,
                own.share * 100.0
            )),
            _ => findings.push("Neither the brand nor a competitor is mentioned by name.".to_owned()),
        }
    }
    if let Some(duplicates) = &result.duplicates {
        findings.push(match duplicates.groups_total {
            0 => format!("No near-duplicates among {} texts.", duplicates.texts),
            groups => format!(
                "{groups} groups of texts are near-duplicates: merge the texts of a group or make them differ."
            ),
        });
    }
    if let Some(gap) = &result.gap {
        findings.push(match (gap.competitor_pages, gap.terms.first()) {
            (0, _) => "No competitor page could be read, so there is nothing to compare with.".to_owned(),
            (_, None) => "Competitors' pages have no important terms that the brand's pages lack.".to_owned(),
            (_, Some(first)) => format!(
                "{} terms are on competitors' pages but not on the brand's, starting with \"{}\".",
                gap.terms_total, first.term
            ),
        });
    }
    findings
}

fn content_findings(content: &Content) -> Vec<String> {
    let mut findings = Vec::new();
    if let Some(ease) = content.readability.flesch_reading_ease.filter(|ease| *ease < HARD_TO_READ_FLESCH) {
        findings.push(format!(
            "Hard to read (Flesch {ease:.0}, plain English is above 60): shorten sentences and words."
        ));
    }
    for keyword in &content.keywords {
        if keyword.count == 0 {
            findings.push(format!("The target keyword \"{}\" is not in the text.", keyword.keyword));
        } else if keyword.density > STUFFED_DENSITY {
            findings.push(format!(
                "\"{}\" makes up {:.1} % of the words: this looks like keyword stuffing. Use it less often.",
                keyword.keyword,
                keyword.density * 100.0
            ));
        } else if !(keyword.in_title || keyword.in_h1) {
            findings.push(format!(
                "\"{}\" is in neither the title nor the h1. Add it to one of them.",
                keyword.keyword
            ));
        }
    }
    let faults = content.outline.faults.iter().take(MAX_FAULTS);
    findings.extend(faults.map(|fault| fault.message.clone()));
    if content.truncated {
        findings.push("The text is too long: its end was not read.".to_owned());
    }
    findings
}
