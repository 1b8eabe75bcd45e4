//! What an audit knows of each URL that it visited.

use std::collections::HashMap;

use super::{Issue, Page, Severity, Site, page::Html, snippet::clip};
use crate::{
    analysis::{Document, detect, prose, readability, reading_ease, text::clip_to},
    cpu_pool::checkpoint,
};

const MAX_TITLE_CHARS: usize = 200;
/// A few sentences show the language.
const LANGUAGE_SAMPLE_BYTES: usize = 800;

#[derive(Debug, Clone, PartialEq)]
pub struct AuditedPage {
    pub url: String,
    /// `None`: there was no response.
    pub status: Option<u16>,
    /// Why there was no response.
    pub failure: Option<String>,
    pub redirect_to: Option<String>,
    /// Untrusted data, like the URLs.
    pub title: Option<String>,
    /// Words outside navigation, header and footer. `None`: it is not an HTML page.
    pub words: Option<u32>,
    /// ISO 639-1. `None`: unknown.
    pub language: Option<String>,
    /// The reading ease, with one decimal: low is hard. `None`: it has too little text, or its language has no spaces between
    /// words.
    pub readability: Option<f64>,
    pub issues: u32,
    pub errors: u32,
}

/// Which pages to list, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageQuery {
    pub status: Option<StatusRange>,
    /// A part of the URL or title, in any case.
    pub text: Option<String>,
    pub sort: PageSort,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusRange {
    /// Both included.
    Between(u16, u16),
    NoResponse,
}

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema, strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum PageSort {
    #[default]
    Url,
    MostIssues,
    FewestWords,
    HardestToRead,
}

impl AuditedPage {
    /// `brand_language` is used where a page does not tell its language.
    pub fn all_of(site: &Site, issues: &[Issue], brand_language: Option<&str>) -> Vec<Self> {
        let mut counts: HashMap<&str, (u32, u32)> = HashMap::new();
        for issue in issues {
            let (all, errors) = counts.entry(&issue.url).or_default();
            *all += 1;
            *errors += u32::from(issue.severity == Severity::Error);
        }
        let page = |page: &Page| {
            checkpoint();
            Self::of(page, counts.get(page.url.as_str()).copied().unwrap_or_default(), brand_language)
        };
        site.pages.iter().map(page).collect()
    }

    fn of(page: &Page, (issues, errors): (u32, u32), brand_language: Option<&str>) -> Self {
        let html = page.live();
        // As analyses read the stored text, so that they find the same page hardest to read.
        let text =
            html.map(|html| prose(&Document::from_markdown(&html.document().text()))).unwrap_or_default();
        let language = html
            .filter(|_| !text.is_empty())
            .and_then(|html| language(html, &text).or_else(|| brand_language.map(str::to_owned)));
        let title = page.html.as_ref().and_then(|html| html.titles.first());
        Self {
            url: page.url.clone(),
            status: page.status,
            failure: page.error.as_ref().map(ToString::to_string),
            redirect_to: page.redirect_to.clone(),
            title: title.map(|title| clip(title, MAX_TITLE_CHARS)).filter(|title| !title.is_empty()),
            words: html.map(|html| html.words),
            readability: reading_ease(&readability(&text, language.as_deref()))
                .map(|ease| (ease * 10.0).round() / 10.0),
            language,
            issues,
            errors,
        }
    }
}

/// The detected language, or the declared one if the text is too short or too mixed.
fn language(html: &Html, text: &str) -> Option<String> {
    let detected = detect(clip_to(text, LANGUAGE_SAMPLE_BYTES)).filter(|language| language.reliable);
    let declared = || {
        let subtag = html.lang.as_deref()?.split(['-', '_']).next()?.trim();
        let is_code = subtag.len() == 2 && subtag.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_code.then(|| subtag.to_ascii_lowercase())
    };
    detected.map(|language| language.code.to_owned()).or_else(declared)
}
