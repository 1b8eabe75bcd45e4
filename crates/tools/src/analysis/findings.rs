//! What follows from the figures: sentences that a person can act on.

use super::{Content, Measured};

/// Below this, readers without a degree give up; plain English is above 60.
const HARD_TO_READ: f64 = 50.0;
/// Above this, a text reads as if written for a machine.
const STUFFED: f64 = 0.03;
const MOST_FAULTS: usize = 5;

pub(super) fn of(measured: &Measured) -> Vec<String> {
    let mut findings = measured.content.as_ref().map(of_content).unwrap_or_default();
    if let Some(mentions) = &measured.mentions {
        let own = mentions.names.first();
        match own {
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
    if let Some(duplicates) = &measured.duplicates {
        findings.push(match duplicates.groups_total {
            0 => format!("None of {} texts is nearly the same as another.", duplicates.texts),
            groups => format!(
                "{groups} groups of texts are nearly the same: merge them, or say something else in each."
            ),
        });
    }
    if let Some(gap) = &measured.gap {
        findings.push(match (gap.competitor_pages, gap.terms.first()) {
            (0, _) => {
                "No page of a competitor could be read, so there is nothing to compare with.".to_owned()
            }
            (_, None) => "Competitors' pages have no term of weight that the brand's lack.".to_owned(),
            (_, Some(first)) => format!(
                "{} terms are on competitors' pages and not on the brand's, first of all \"{}\".",
                gap.terms_total, first.term
            ),
        });
    }
    findings
}

fn of_content(content: &Content) -> Vec<String> {
    let mut findings = Vec::new();
    if let Some(ease) = content.readability.flesch_reading_ease.filter(|ease| *ease < HARD_TO_READ) {
        findings.push(format!(
            "Hard to read (Flesch {ease:.0}, plain English is above 60): shorten sentences and words."
        ));
    }
    for keyword in &content.keywords {
        if keyword.count == 0 {
            findings.push(format!("The target keyword \"{}\" is not in the text.", keyword.keyword));
        } else if keyword.density > STUFFED {
            findings.push(format!(
                "\"{}\" makes up {:.1} % of the words: that reads as stuffed.",
                keyword.keyword,
                keyword.density * 100.0
            ));
        } else if !(keyword.in_title || keyword.in_h1) {
            findings.push(format!("\"{}\" is in neither the title nor the main heading.", keyword.keyword));
        }
    }
    let faults = content.outline.faults.iter().take(MOST_FAULTS);
    findings.extend(faults.map(|fault| fault.message.clone()));
    if content.truncated {
        findings.push("The text is longer than is read; its end was left out.".to_owned());
    }
    findings
}
