//! Which tool a list came from, and where in it things stand: both by its head.

use super::{
    super::model::{ExportTool, Intent, ListedKeyword, Range, country_code, tidy},
    number::{Count, NoNumber, count, decimal, exact},
};

/// The heads that are known, as they are told to somebody whose file has another.
pub(super) const KNOWN: [(ExportTool, &str); 4] = [
    (
        ExportTool::KeywordPlanner,
        "Keyword, Currency, Avg. monthly searches, …, Competition, Competition (indexed value), Top of page bid (low \
         range), Top of page bid (high range), …",
    ),
    (ExportTool::SearchConsole, "Top queries, Clicks, Impressions, CTR, Position"),
    (ExportTool::Ahrefs, "#, Keyword, Country, Difficulty, Volume, CPC, …, Parent Keyword, …, Intents"),
    (
        ExportTool::Semrush,
        "Keyword, Intent, Volume, Trend, Keyword Difficulty, CPC (USD), Competitive Density, SERP Features, Number of \
         Results",
    ),
];

/// More columns than any export has; what stands further right is not looked at.
const MOST_COLUMNS: usize = 500;

/// Where things stand in a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Columns {
    keyword: usize,
    country: Option<usize>,
    intent: Option<usize>,
    volume: Option<usize>,
    difficulty: Option<usize>,
    cpc: Option<usize>,
    low_bid: Option<usize>,
    high_bid: Option<usize>,
    currency: Option<usize>,
    /// The currency where the head itself tells it: `CPC (USD)`.
    head_currency: Option<String>,
    competition: Option<Share>,
    clicks: Option<usize>,
    impressions: Option<usize>,
    position: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Share {
    column: usize,
    /// The number that means all.
    whole: f64,
}

/// The tool and the columns, where the record is a head that is known.
pub(super) fn recognise(record: &csv::StringRecord) -> Option<(ExportTool, Columns)> {
    let head = Head(record.iter().take(MOST_COLUMNS).map(name).collect());
    head.keyword_planner()
        .map(|columns| (ExportTool::KeywordPlanner, columns))
        .or_else(|| head.search_console().map(|columns| (ExportTool::SearchConsole, columns)))
        .or_else(|| head.semrush().map(|columns| (ExportTool::Semrush, columns)))
        .or_else(|| head.ahrefs().map(|columns| (ExportTool::Ahrefs, columns)))
}

/// The name of a column as it is compared.
fn name(cell: &str) -> String {
    let cell = cell.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    cell.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

struct Head(Vec<String>);

impl Head {
    fn at(&self, names: &[&str]) -> Option<usize> {
        self.0.iter().position(|column| names.contains(&column.as_str()))
    }

    /// Of a comparison of two periods (`Last 28 days Clicks, Previous 28 days Clicks`) the first, which is the newer.
    fn ending_in(&self, ending: &str) -> Option<usize> {
        self.0.iter().position(|column| column.rsplit(' ').next() == Some(ending))
    }

    fn keyword_planner(&self) -> Option<Columns> {
        let index = self.at(&["competition (indexed value)"]);
        Some(Columns {
            keyword: self.at(&["keyword"])?,
            volume: Some(self.at(&["avg. monthly searches"])?),
            low_bid: self.at(&["top of page bid (low range)"]),
            high_bid: self.at(&["top of page bid (high range)"]),
            currency: self.at(&["currency"]),
            competition: index.map(|column| Share { column, whole: 100.0 }),
            ..Columns::default()
        })
    }

    fn search_console(&self) -> Option<Columns> {
        Some(Columns {
            keyword: self.at(&["top queries", "query", "queries"])?,
            clicks: Some(self.ending_in("clicks")?),
            impressions: Some(self.ending_in("impressions")?),
            position: self.ending_in("position"),
            ..Columns::default()
        })
    }

    fn semrush(&self) -> Option<Columns> {
        let (cpc, head_currency) = self.cpc();
        let density = self.at(&["competitive density"]);
        Some(Columns {
            keyword: self.at(&["keyword"])?,
            difficulty: Some(self.at(&["keyword difficulty", "keyword difficulty index"])?),
            volume: Some(self.at(&["volume", "search volume"])?),
            country: self.at(&["database"]),
            intent: self.at(&["intent", "keyword intents"]),
            cpc,
            head_currency,
            competition: density.map(|column| Share { column, whole: 1.0 }),
            ..Columns::default()
        })
    }

    fn ahrefs(&self) -> Option<Columns> {
        let (cpc, head_currency) = self.cpc();
        Some(Columns {
            keyword: self.at(&["keyword"])?,
            difficulty: Some(self.at(&["difficulty"])?),
            volume: Some(self.at(&["volume"])?),
            country: self.at(&["country"]),
            intent: self.at(&["intents"]),
            cpc,
            head_currency,
            ..Columns::default()
        })
    }

    /// `CPC` or `CPC (USD)`, and its currency.
    fn cpc(&self) -> (Option<usize>, Option<String>) {
        let column = self
            .0
            .iter()
            .position(|column| column == "cpc" || (column.starts_with("cpc (") && column.len() == 9));
        let code =
            column.and_then(|at| self.0[at].strip_prefix("cpc (")).and_then(|code| code.strip_suffix(')'));
        (column, code.and_then(currency))
    }
}

impl Columns {
    /// Reads a row; the words say what is wrong with it.
    pub(super) fn read(&self, record: &csv::StringRecord) -> Result<ListedKeyword, String> {
        let cell = |column: Option<usize>| column.and_then(|at| record.get(at)).unwrap_or_default();
        let written = record.get(self.keyword).unwrap_or_default();
        if written.trim().is_empty() {
            return Err("has no keyword".to_owned());
        }
        let mut row = ListedKeyword {
            keyword: tidy(written).ok_or("has a keyword that is too long")?,
            country: country_code(cell(self.country)),
            intent: intent(cell(self.intent)),
            ..ListedKeyword::default()
        };
        let figures = &mut row.figures;
        match count(cell(self.volume)).map_err(|_| unread("volume", cell(self.volume)))? {
            Some(Count::Exact(volume)) => figures.volume = Some(volume),
            Some(Count::Between(range)) => figures.volume_range = Some(range),
            None => {}
        }
        let number = |what: &str, column: Option<usize>, most: f64| {
            let text = cell(column);
            match decimal(text) {
                Ok(number) if number.is_none_or(|number| number <= most) => Ok(number),
                Ok(_) | Err(NoNumber) => Err(unread(what, text)),
            }
        };
        figures.difficulty = number("difficulty", self.difficulty, 100.0)?;
        figures.cpc = number("CPC", self.cpc, f64::MAX)?;
        let low_bid = number("lower bid", self.low_bid, f64::MAX)?;
        let high_bid = number("higher bid", self.high_bid, f64::MAX)?;
        figures.cpc_range = low_bid.or(high_bid).map(|low| Range { low, high: high_bid });
        if figures.cpc.is_some() || figures.cpc_range.is_some() {
            figures.currency = self.head_currency.clone().or_else(|| currency(cell(self.currency)));
        }
        if let Some(share) = self.competition {
            figures.competition =
                number("competition", Some(share.column), share.whole)?.map(|number| number / share.whole);
        }
        figures.clicks = exact(cell(self.clicks)).map_err(|_| unread("clicks", cell(self.clicks)))?;
        figures.impressions =
            exact(cell(self.impressions)).map_err(|_| unread("impressions", cell(self.impressions)))?;
        figures.position = number("position", self.position, f64::MAX)?;
        Ok(row)
    }
}

fn unread(what: &str, text: &str) -> String {
    let start: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
    format!("has a {what} that is no number: `{start}`")
}

fn currency(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    (code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase())).then_some(code)
}

/// The first intent of a list of them: in words, or as Semrush numbers them.
fn intent(text: &str) -> Option<Intent> {
    text.split([',', '|']).find_map(|part| match part.trim().to_lowercase().as_str() {
        "informational" | "1" => Some(Intent::Informational),
        "navigational" | "2" => Some(Intent::Navigational),
        "commercial" | "0" => Some(Intent::Commercial),
        "transactional" | "3" => Some(Intent::Transactional),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool_of(head: &[&str]) -> Option<ExportTool> {
        recognise(&csv::StringRecord::from(head.to_vec())).map(|(tool, _)| tool)
    }

    #[test]
    fn each_known_head_is_known() {
        for (tool, head) in KNOWN {
            assert_eq!(tool_of(&head.split(", ").collect::<Vec<_>>()), Some(tool), "{head}");
        }
        assert_eq!(tool_of(&["Query", "Clicks", "Impressions"]), Some(ExportTool::SearchConsole));
        assert_eq!(
            tool_of(&[
                "Top queries",
                "Last 28 days Clicks",
                "Previous 28 days Clicks",
                "Last 28 days Impressions"
            ]),
            Some(ExportTool::SearchConsole)
        );
        assert_eq!(
            tool_of(&["database", "Keyword", "Search Volume", "Keyword Difficulty Index", "Intent"]),
            Some(ExportTool::Semrush)
        );
        assert_eq!(tool_of(&["Keyword", "Price"]), None);
        assert_eq!(tool_of(&[]), None);
    }

    #[test]
    fn intents_come_in_words_and_in_numbers() {
        assert_eq!(intent("Informational,Commercial,Non-branded,Non-local"), Some(Intent::Informational));
        assert_eq!(intent("Non-branded, Commercial"), Some(Intent::Commercial));
        assert_eq!(intent("1,0"), Some(Intent::Informational));
        assert_eq!(intent(""), None);
    }
}
