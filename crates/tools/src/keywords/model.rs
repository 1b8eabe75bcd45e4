//! What is known of a keyword, and by whom.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest keyword that is kept, in characters. Keyword Planner takes 80; people type longer questions.
pub const LONGEST_KEYWORD: usize = 200;

/// A tool whose exported lists are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportTool {
    KeywordPlanner,
    SearchConsole,
    Ahrefs,
    Semrush,
}

impl ExportTool {
    pub const ALL: [Self; 4] = [Self::KeywordPlanner, Self::SearchConsole, Self::Ahrefs, Self::Semrush];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::KeywordPlanner => "keyword_planner",
            Self::SearchConsole => "search_console",
            Self::Ahrefs => "ahrefs",
            Self::Semrush => "semrush",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.as_str() == name)
    }

    /// As its makers write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::KeywordPlanner => "Google Keyword Planner",
            Self::SearchConsole => "Google Search Console",
            Self::Ahrefs => "Ahrefs",
            Self::Semrush => "Semrush",
        }
    }
}

/// What a searcher is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Intent {
    /// To learn something.
    Informational,
    /// To reach one certain site or brand.
    Navigational,
    /// To compare before buying.
    Commercial,
    /// To buy, book, download.
    Transactional,
}

/// From `low` to `high`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Range<T> {
    pub low: T,
    /// Null: there is no upper end.
    pub high: Option<T>,
}

/// The figures of a keyword. What no source knows is null, never guessed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Figures {
    /// Searches a month.
    pub volume: Option<u64>,
    /// Searches a month where the source only tells between which numbers.
    pub volume_range: Option<Range<u64>>,
    /// How hard it is to rank for, from 0 to 100, as the source measures it.
    pub difficulty: Option<f64>,
    /// What a click on an advertisement costs, in `currency`.
    pub cpc: Option<f64>,
    /// Bids for the top of the page, from low to high, in `currency`.
    pub cpc_range: Option<Range<f64>>,
    /// ISO 4217, where the source tells it.
    pub currency: Option<String>,
    /// How many advertisers want it, from 0 to 1.
    pub competition: Option<f64>,
    /// Clicks on the brand's own pages, from Search Console.
    pub clicks: Option<u64>,
    /// How often the brand's own pages were shown, from Search Console.
    pub impressions: Option<u64>,
    /// The mean position of the brand's own pages, from Search Console.
    pub position: Option<f64>,
}

impl Figures {
    /// Takes from `other` what is not known here. A range only counts where no exact figure is known.
    pub fn complete_with(&mut self, other: &Self) {
        if self.volume.is_none() && (other.volume.is_some() || self.volume_range.is_none()) {
            self.volume = other.volume;
            self.volume_range = other.volume_range;
        }
        if self.cpc.is_none() && (other.cpc.is_some() || self.cpc_range.is_none()) {
            self.cpc = other.cpc;
            self.cpc_range = other.cpc_range;
            self.currency.clone_from(&other.currency);
        }
        self.difficulty = self.difficulty.or(other.difficulty);
        self.competition = self.competition.or(other.competition);
        // These three are of one period and one measurement: half of them from another list would not fit.
        if self.impressions.is_none() && self.clicks.is_none() && self.position.is_none() {
            (self.clicks, self.impressions, self.position) =
                (other.clicks, other.impressions, other.position);
        }
    }

    /// The volume that is known for sure: the number, or the lower end of the range.
    pub fn least_volume(&self) -> Option<u64> {
        self.volume.or(self.volume_range.map(|range| range.low))
    }
}

/// A keyword as one list has it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ListedKeyword {
    /// As written, without surplus space; never empty.
    pub keyword: String,
    /// ISO 3166-1 alpha-2 in lower case, where the list tells it.
    pub country: Option<String>,
    pub intent: Option<Intent>,
    #[serde(default)]
    pub figures: Figures,
}

/// A country's code in lower case; `None` where it is none. What many tools call `uk` is `gb` by ISO 3166.
pub(super) fn country_code(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_lowercase();
    match code.as_str() {
        "uk" => Some("gb".to_owned()),
        _ => (code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(code),
    }
}

/// A keyword without surplus space and control characters; `None` where nothing is left or it is too long.
pub fn tidy(keyword: &str) -> Option<String> {
    let spaced = keyword.replace(|c: char| c.is_control() || c == '\u{feff}', " ");
    let tidy = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = !tidy.is_empty() && tidy.chars().nth(LONGEST_KEYWORD).is_none();
    fits.then_some(tidy)
}

/// What two spellings of one keyword have in common.
pub fn folded(keyword: &str) -> String {
    keyword.to_lowercase().replace('’', "'")
}
