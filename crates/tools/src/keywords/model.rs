//! Keywords and their figures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Longer keywords are rejected. Keyword Planner allows 80 characters, but people type longer questions.
pub const MAX_KEYWORD_CHARS: usize = 200;

/// A keyword tool whose exported lists can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ExportTool {
    KeywordPlanner,
    SearchConsole,
    Ahrefs,
    Semrush,
}

impl ExportTool {
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::KeywordPlanner => "Google Keyword Planner",
            Self::SearchConsole => "Google Search Console",
            Self::Ahrefs => "Ahrefs",
            Self::Semrush => "Semrush",
        }
    }
}

/// What the person who searches wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Intent {
    /// To learn something.
    Informational,
    /// To reach a certain site or brand.
    Navigational,
    /// To compare before buying.
    Commercial,
    /// To buy, book, download.
    Transactional,
}

/// The kind of a question, by its question word.
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
    /// It ends with a question mark but starts with no known question word.
    Other,
}

/// From `low` to `high`, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Range<T> {
    pub low: T,
    /// Left out: no upper limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<T>,
}

/// The figures of a keyword. A figure that no source has is left out. It is never guessed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Figures {
    /// Searches per month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<u64>,
    /// Searches per month, if the source has only a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume_range: Option<Range<u64>>,
    /// The country of the volume, ISO 3166-1 alpha-2 in lower case, if the source has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// How hard it is to rank for the keyword, from 0 to 100. Each source measures it differently.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<f64>,
    /// The cost of a click on an advertisement, in `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpc: Option<f64>,
    /// The range of bids for the top of the page, in `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpc_range: Option<Range<f64>>,
    /// ISO 4217, if the source has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The competition among advertisers, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub competition: Option<f64>,
    /// Clicks on the brand's own pages, from Search Console.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clicks: Option<u64>,
    /// How often the brand's own pages were shown, from Search Console.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impressions: Option<u64>,
    /// The mean position of the brand's own pages, from Search Console.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<f64>,
}

impl Figures {
    /// Fills missing figures from `other`. An exact figure replaces a range. Figures of two countries are not mixed.
    pub fn complete_with(&mut self, other: &Self) {
        if self.country.is_some() && other.country.is_some() && self.country != other.country {
            return;
        }
        if self.volume.is_none() && (other.volume.is_some() || self.volume_range.is_none()) {
            self.volume = other.volume;
            self.volume_range = other.volume_range;
            self.country = other.country.clone().or(self.country.take());
        }
        if self.cpc.is_none() && (other.cpc.is_some() || self.cpc_range.is_none()) {
            self.cpc = other.cpc;
            self.cpc_range = other.cpc_range;
            self.currency.clone_from(&other.currency);
        }
        self.difficulty = self.difficulty.or(other.difficulty);
        self.competition = self.competition.or(other.competition);
        // These three belong to the same period, so they are taken together from one list.
        if self.impressions.is_none() && self.clicks.is_none() && self.position.is_none() {
            (self.clicks, self.impressions, self.position) =
                (other.clicks, other.impressions, other.position);
        }
    }

    /// The volume, or the lower end of its range.
    pub fn min_volume(&self) -> Option<u64> {
        self.volume.or(self.volume_range.map(|range| range.low))
    }

    /// How much the keyword is searched for: its volume, or else its impressions.
    pub fn demand(&self) -> Option<u64> {
        self.min_volume().or(self.impressions)
    }
}

/// A keyword from one list.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ListedKeyword {
    /// As written, with single spaces; never empty.
    pub keyword: String,
    /// ISO 3166-1 alpha-2 in lower case, if the list has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    #[serde(default)]
    pub figures: Figures,
}

/// Parses an ISO 3166-1 alpha-2 code into lower case. `uk`, which many tools use, becomes `gb`.
pub(super) fn parse_country_code(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_lowercase();
    match code.as_str() {
        "uk" => Some("gb".to_owned()),
        _ => (code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(code),
    }
}

/// Removes control characters and surplus whitespace. `None` if the keyword is then empty or too long.
pub(super) fn clean_keyword(keyword: &str) -> Option<String> {
    let spaced = keyword.replace(|c: char| c.is_control() || c == '\u{feff}', " ");
    let cleaned = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = !cleaned.is_empty() && cleaned.chars().nth(MAX_KEYWORD_CHARS).is_none();
    fits.then_some(cleaned)
}

/// Normalizes a keyword for comparison.
pub(super) fn normalize_keyword(keyword: &str) -> String {
    keyword.to_lowercase().replace('’', "'")
}
