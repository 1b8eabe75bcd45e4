use proptest::prelude::*;
use svc_mcp_tools::keywords::{
    ExportTool, Figures, Intent, ListedKeyword, MAX_KEYWORD_CHARS, Range,
    import::{ImportError, MAX_FILE_BYTES, MAX_REPORTED_ROWS, MAX_ROWS, ParsedExport, parse},
};

const KEYWORD_PLANNER: &[u8] = include_bytes!("fixtures/keyword_planner.csv");
const SEARCH_CONSOLE: &[u8] = include_bytes!("fixtures/search_console.csv");
const AHREFS: &[u8] = include_bytes!("fixtures/ahrefs.csv");
const AHREFS_UTF8: &[u8] = include_bytes!("fixtures/ahrefs_utf8.csv");
const SEMRUSH: &[u8] = include_bytes!("fixtures/semrush.csv");
const SEMRUSH_SEMICOLONS: &[u8] = include_bytes!("fixtures/semrush_semicolons.csv");

fn row<'a>(import: &'a ParsedExport, keyword: &str) -> &'a ListedKeyword {
    import
        .rows
        .iter()
        .find(|row| row.keyword == keyword)
        .unwrap_or_else(|| panic!("no {keyword} in {import:?}"))
}

fn problems(import: &ParsedExport) -> Vec<(u64, String)> {
    import.problems.iter().map(|row| (row.line, row.error.to_string())).collect()
}

#[test]
fn keyword_planner_export_is_utf_16_with_two_lines_before_the_header() {
    let import = parse(KEYWORD_PLANNER).unwrap();
    assert_eq!((import.tool, import.rows.len(), import.skipped), (ExportTool::KeywordPlanner, 6, 0));
    assert_eq!(
        row(&import, "coffee beans").figures,
        Figures {
            volume: Some(74_000),
            cpc_range: Some(Range { low: 0.86, high: Some(3.12) }),
            currency: Some("USD".to_owned()),
            competition: Some(1.0),
            ..Figures::default()
        }
    );
    assert_eq!(row(&import, "café en grains").figures.volume, Some(170));
    let range = &row(&import, "single origin beans").figures;
    assert_eq!((range.volume, range.volume_range), (None, Some(Range { low: 1_000, high: Some(10_000) })));
    assert_eq!(row(&import, "rare gesha beans").figures, Figures::default(), "unknown figures are null");
}

#[test]
fn search_console_export_has_clicks_and_no_volume() {
    let import = parse(SEARCH_CONSOLE).unwrap();
    assert_eq!((import.tool, import.rows.len(), import.skipped), (ExportTool::SearchConsole, 6, 0));
    assert_eq!(
        row(&import, "coffee beans").figures,
        Figures { clicks: Some(38), impressions: Some(5210), position: Some(14.6), ..Figures::default() }
    );
    row(&import, "coffee, beans and more");
    row(&import, "=cmd|' /C calc'!A0");
}

#[test]
fn search_console_comparison_uses_the_newer_period() {
    let file = "Top queries,Last 28 days Clicks,Previous 28 days Clicks,Last 28 days Impressions,Previous 28 days \
                Impressions,Last 28 days CTR,Previous 28 days CTR,Last 28 days Position,Previous 28 days Position\n\
                coffee,5,7,\"1,100\",900,0.45%,0.7%,3.2,4.1\n";
    let figures = parse(file.as_bytes()).unwrap().rows[0].figures.clone();
    assert_eq!((figures.clicks, figures.impressions, figures.position), (Some(5), Some(1100), Some(3.2)));
}

#[test]
fn ahrefs_export_is_parsed_in_utf_16_and_utf_8() {
    let import = parse(AHREFS).unwrap();
    assert_eq!(import, parse(AHREFS_UTF8).unwrap());
    assert_eq!((import.tool, import.rows.len(), import.skipped), (ExportTool::Ahrefs, 5, 0));
    let american = row(&import, "coffee beans");
    assert_eq!((american.country.as_deref(), american.intent), (Some("us"), Some(Intent::Informational)));
    assert_eq!(american.figures.volume, Some(86_000));
    assert_eq!((american.figures.difficulty, american.figures.cpc), (Some(71.0), Some(1.2)));
    let british = &import.rows[2];
    assert_eq!((british.keyword.as_str(), british.country.as_deref()), ("coffee beans", Some("gb")));
    let rare = row(&import, "coffee \"beans\" 1kg");
    assert_eq!(
        (rare.figures.volume, rare.figures.volume_range),
        (None, Some(Range { low: 0, high: Some(10) }))
    );
    let green = row(&import, "green coffee beans");
    assert_eq!((green.figures.difficulty, green.figures.cpc), (None, None));
}

#[test]
fn semrush_export_is_parsed_with_commas_and_semicolons() {
    let import = parse(SEMRUSH).unwrap();
    assert_eq!(import.rows, parse(SEMRUSH_SEMICOLONS).unwrap().rows);
    assert_eq!((import.tool, import.rows.len(), import.skipped), (ExportTool::Semrush, 4, 1));
    let best = row(&import, "best coffee beans");
    assert_eq!(best.intent, Some(Intent::Commercial));
    assert_eq!(
        best.figures,
        Figures {
            volume: Some(12_100),
            difficulty: Some(61.0),
            cpc: Some(1.78),
            currency: Some("USD".to_owned()),
            competition: Some(0.97),
            ..Figures::default()
        }
    );
    assert_eq!(row(&import, "coffee beans nearest").figures.volume, Some(0), "0 is a known volume");
    assert_eq!(problems(&import), [(6, "has a volume that is not a valid number: `lots`".to_owned())]);
}

#[test]
fn invalid_rows_are_counted_and_reported_with_their_lines() {
    let file = "Query,Clicks,Impressions,CTR,Position\r\n\
                one,1,2,50%,3\r\n\
                ,1,2,50%,3\r\n\
                \"two\r\nlines\",1,2,50%,3\r\n\
                \r\n\
                One,1,2,50%,3\r\n\
                three,many,2,50%,3\r\n\
                four\r\n";
    let import = parse(file.as_bytes()).unwrap();
    let keywords: Vec<&str> = import.rows.iter().map(|row| row.keyword.as_str()).collect();
    assert_eq!(keywords, ["one", "two lines", "four"]);
    assert_eq!(
        problems(&import),
        [
            (3, "has no keyword".to_owned()),
            (7, "has the same keyword as line 2".to_owned()),
            (8, "has a click count that is not a valid number: `many`".to_owned())
        ]
    );
}

#[test]
fn unknown_header_error_shows_the_found_and_known_headers() {
    let error = parse(b"Name;Price;Colour\nmug;3;red\n").unwrap_err();
    assert_eq!(error, ImportError::UnknownHeader { found: "Name, Price, Colour".to_owned() });
    let message = error.to_string();
    for expected in [
        "`Name, Price, Colour`",
        "Google Keyword Planner",
        "Top queries, Clicks",
        "Ahrefs: `#, Keyword",
        "Semrush",
    ] {
        assert!(message.contains(expected), "{expected} is missing from {message}");
    }
}

#[test]
fn file_that_is_not_a_list_is_rejected_with_a_message() {
    assert!(matches!(parse(b"PK\x03\x04rest"), Err(ImportError::NotText(_))));
    assert!(matches!(parse(b""), Err(ImportError::UnknownHeader { .. })));
    assert_eq!(parse(&vec![b'a'; MAX_FILE_BYTES + 1]), Err(ImportError::TooLarge));
    let nothing = parse(b"Query,Clicks,Impressions\n").unwrap_err().to_string();
    assert_eq!(nothing, "No row of this Google Search Console list could be imported: it is empty.");
    let bad = parse(b"Query,Clicks,Impressions\nx,y,z\n").unwrap_err().to_string();
    assert!(bad.contains("line 2 has a click count that is not a valid number"), "{bad}");
}

#[test]
fn list_with_too_many_rows_is_rejected() {
    let rows: Vec<String> = (0..=MAX_ROWS).map(|number| format!("k{number},1,1")).collect();
    let file = format!("Query,Clicks,Impressions\n{}\n", rows.join("\n"));
    assert_eq!(parse(file.as_bytes()), Err(ImportError::TooManyRows));
}

#[test]
fn missing_closing_quote_is_reported() {
    let file = format!("Query,Clicks,Impressions\none,1,1\n\"two,1,1\n{}", "three,1,1\n".repeat(3_000));
    let import = parse(file.as_bytes()).unwrap();
    assert_eq!((import.rows.len(), import.skipped), (1, 1));
    assert_eq!(
        problems(&import),
        [(3, "has a cell that is too long: a closing quote may be missing".to_owned())]
    );
}

#[test]
fn control_characters_and_unusual_spaces_are_removed_from_a_keyword() {
    let import = parse(b"Query,Clicks,Impressions\n\" a\x00b\t\xc2\xa0 c \",1,1\n").unwrap();
    assert_eq!(import.rows[0].keyword, "a b c");
}

/// Random bytes, some of them nearly a list.
fn files() -> impl Strategy<Value = Vec<u8>> {
    let cells = "([a-z0-9<>.,%K–\"\n=-]{0,12}[,;\t]){0,80}";
    let header = prop_oneof![
        Just("Top queries,Clicks,Impressions,CTR,Position\n"),
        Just("x\ny\nKeyword\tCurrency\tAvg. monthly searches\tCompetition (indexed value)\n"),
        Just("#,Keyword,Country,Difficulty,Volume,CPC\n"),
        Just("Keyword;Intent;Volume;Trend;Keyword Difficulty;CPC (USD)\n"),
    ];
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..400),
        (header.clone(), cells).prop_map(|(header, rows)| format!("{header}{rows}").into_bytes()),
        (header, proptest::collection::vec(any::<u8>(), 0..200)).prop_map(|(header, rows)| [
            header.as_bytes(),
            &rows
        ]
        .concat()),
        (Just(AHREFS), 0..AHREFS.len()).prop_map(|(file, end)| file[..end].to_vec()),
    ]
}

proptest! {
    #[test]
    fn any_file_is_parsed_or_rejected_within_limits(file in files()) {
        match parse(&file) {
            Ok(import) => {
                prop_assert!(import.rows.len() <= file.len());
                prop_assert!(import.problems.len() <= import.skipped.min(MAX_REPORTED_ROWS));
                for row in &import.rows {
                    prop_assert!((1..=MAX_KEYWORD_CHARS).contains(&row.keyword.chars().count()));
                    prop_assert!(!row.keyword.contains(char::is_control));
                    let figures = &row.figures;
                    prop_assert!(figures.difficulty.is_none_or(|number| (0.0..=100.0).contains(&number)));
                    prop_assert!(figures.competition.is_none_or(|number| (0.0..=1.0).contains(&number)));
                    prop_assert!(figures.volume.is_none() || figures.volume_range.is_none());
                }
            }
            Err(error) => prop_assert!(error.to_string().len() < 2_000),
        }
    }
}
