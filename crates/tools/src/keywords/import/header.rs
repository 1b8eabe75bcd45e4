//! Detects the tool and the columns of a list from its header, and parses rows.

use super::{
    super::model::{ExportTool, Intent, ListedKeyword, Range, clean_keyword, parse_country_code},
    RowError,
    number::{Count, parse_count, parse_decimal, parse_exact_count},
};

/// The known headers, for the message about an unknown header.
pub(super) const KNOWN_HEADERS: [(ExportTool, &str); 4] = [
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

/// More than any export has. Further columns are ignored.
const MAX_COLUMNS: usize = 500;

/// The indexes of the columns.
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
    /// The currency from the header: `CPC (USD)`.
    header_currency: Option<String>,
    competition: Option<ShareColumn>,
    clicks: Option<usize>,
    impressions: Option<usize>,
    position: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct ShareColumn {
    column: usize,
    /// The number that means 100 %.
    whole: f64,
}

/// Returns the tool and the columns, if the record is a known header.
pub(super) fn detect(record: &csv::StringRecord) -> Option<(ExportTool, Columns)> {
    let header = Header(record.iter().take(MAX_COLUMNS).map(normalize_column_name).collect());
    header
        .keyword_planner()
        .map(|columns| (ExportTool::KeywordPlanner, columns))
        .or_else(|| header.search_console().map(|columns| (ExportTool::SearchConsole, columns)))
        .or_else(|| header.semrush().map(|columns| (ExportTool::Semrush, columns)))
        .or_else(|| header.ahrefs().map(|columns| (ExportTool::Ahrefs, columns)))
}

fn normalize_column_name(cell: &str) -> String {
    let cell = cell.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    cell.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

struct Header(Vec<String>);

impl Header {
    fn column(&self, names: &[&str]) -> Option<usize> {
        self.0.iter().position(|column| names.contains(&column.as_str()))
    }

    /// The first column with this last word. In a comparison of two periods (`Last 28 days Clicks, Previous 28 days Clicks`)
    /// that is the newer period.
    fn ending_in(&self, word: &str) -> Option<usize> {
        self.0.iter().position(|column| column.rsplit(' ').next() == Some(word))
    }

    fn keyword_planner(&self) -> Option<Columns> {
        let index = self.column(&["competition (indexed value)"]);
        Some(Columns {
            keyword: self.column(&["keyword"])?,
            volume: Some(self.column(&["avg. monthly searches"])?),
            low_bid: self.column(&["top of page bid (low range)"]),
            high_bid: self.column(&["top of page bid (high range)"]),
            currency: self.column(&["currency"]),
            competition: index.map(|column| ShareColumn { column, whole: 100.0 }),
            ..Columns::default()
        })
    }

    fn search_console(&self) -> Option<Columns> {
        Some(Columns {
            keyword: self.column(&["top queries", "query", "queries"])?,
            clicks: Some(self.ending_in("clicks")?),
            impressions: Some(self.ending_in("impressions")?),
            position: self.ending_in("position"),
            ..Columns::default()
        })
    }

    fn semrush(&self) -> Option<Columns> {
        let (cpc, header_currency) = self.cpc();
        let density = self.column(&["competitive density"]);
        Some(Columns {
            keyword: self.column(&["keyword"])?,
            difficulty: Some(self.column(&["keyword difficulty", "keyword difficulty index"])?),
            volume: Some(self.column(&["volume", "search volume"])?),
            country: self.column(&["database"]),
            intent: self.column(&["intent", "keyword intents"]),
            cpc,
            header_currency,
            competition: density.map(|column| ShareColumn { column, whole: 1.0 }),
            ..Columns::default()
        })
    }

    fn ahrefs(&self) -> Option<Columns> {
        let (cpc, header_currency) = self.cpc();
        Some(Columns {
            keyword: self.column(&["keyword"])?,
            difficulty: Some(self.column(&["difficulty"])?),
            volume: Some(self.column(&["volume"])?),
            country: self.column(&["country"]),
            intent: self.column(&["intents"]),
            cpc,
            header_currency,
            ..Columns::default()
        })
    }

    /// The column `CPC` or `CPC (USD)`, and its currency.
    fn cpc(&self) -> (Option<usize>, Option<String>) {
        let column = self
            .0
            .iter()
            .position(|column| column == "cpc" || (column.starts_with("cpc (") && column.len() == 9));
        let code = column
            .and_then(|column| self.0[column].strip_prefix("cpc ("))
            .and_then(|code| code.strip_suffix(')'));
        (column, code.and_then(parse_currency))
    }
}

impl Columns {
    pub(super) fn parse_row(&self, record: &csv::StringRecord) -> Result<ListedKeyword, RowError> {
        let cell = |column: Option<usize>| column.and_then(|column| record.get(column)).unwrap_or_default();
        let keyword = record.get(self.keyword).unwrap_or_default();
        if keyword.trim().is_empty() {
            return Err(RowError::NoKeyword);
        }
        let mut row = ListedKeyword {
            keyword: clean_keyword(keyword).ok_or(RowError::KeywordTooLong)?,
            country: parse_country_code(cell(self.country)),
            intent: parse_intent(cell(self.intent)),
            ..ListedKeyword::default()
        };
        let figures = &mut row.figures;
        match parse_count(cell(self.volume)).map_err(|_| invalid_number("volume", cell(self.volume)))? {
            Some(Count::Exact(volume)) => figures.volume = Some(volume),
            Some(Count::Range(range)) => figures.volume_range = Some(range),
            None => {}
        }
        let number = |name: &'static str, column: Option<usize>, max: f64| {
            let text = cell(column);
            let number = parse_decimal(text).ok().filter(|number| number.is_none_or(|number| number <= max));
            number.ok_or_else(|| invalid_number(name, text))
        };
        let count = |name: &'static str, column: Option<usize>| {
            parse_exact_count(cell(column)).map_err(|_| invalid_number(name, cell(column)))
        };
        figures.difficulty = number("difficulty", self.difficulty, 100.0)?;
        figures.cpc = number("CPC", self.cpc, f64::MAX)?;
        let low_bid = number("lower bid", self.low_bid, f64::MAX)?;
        let high_bid = number("higher bid", self.high_bid, f64::MAX)?;
        figures.cpc_range = low_bid.or(high_bid).map(|low| Range { low, high: high_bid });
        if figures.cpc.is_some() || figures.cpc_range.is_some() {
            figures.currency = self.header_currency.clone().or_else(|| parse_currency(cell(self.currency)));
        }
        if let Some(share) = self.competition {
            figures.competition =
                number("competition", Some(share.column), share.whole)?.map(|number| number / share.whole);
        }
        figures.clicks = count("click count", self.clicks)?;
        figures.impressions = count("impression count", self.impressions)?;
        figures.position = number("position", self.position, f64::MAX)?;
        Ok(row)
    }
}

fn invalid_number(name: &'static str, text: &str) -> RowError {
    RowError::InvalidNumber { name, text: text.chars().filter(|c| !c.is_control()).take(40).collect() }
}

fn parse_currency(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    (code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase())).then_some(code)
}

/// The first known intent of a list, by name or by Semrush's number.
fn parse_intent(text: &str) -> Option<Intent> {
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

    fn tool_of(header: &[&str]) -> Option<ExportTool> {
        detect(&csv::StringRecord::from(header.to_vec())).map(|(tool, _)| tool)
    }

    #[test]
    fn each_known_header_is_detected() {
        for (tool, header) in KNOWN_HEADERS {
            assert_eq!(tool_of(&header.split(", ").collect::<Vec<_>>()), Some(tool), "{header}");
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
    fn intents_are_names_or_numbers() {
        assert_eq!(
            parse_intent("Informational,Commercial,Non-branded,Non-local"),
            Some(Intent::Informational)
        );
        assert_eq!(parse_intent("Non-branded, Commercial"), Some(Intent::Commercial));
        assert_eq!(parse_intent("1,0"), Some(Intent::Informational));
        assert_eq!(parse_intent(""), None);
    }
}
