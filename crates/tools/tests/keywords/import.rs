use proptest::prelude::*;
use svc_mcp_tools::keywords::{
    ExportTool, Figures, Intent, LONGEST_KEYWORD, ListedKeyword, Range,
    import::{Import, ImportFault, LARGEST_FILE, MOST_ROWS, SHOWN_PROBLEMS, read},
};

const KEYWORD_PLANNER: &[u8] = include_bytes!("fixtures/keyword_planner.csv");
const SEARCH_CONSOLE: &[u8] = include_bytes!("fixtures/search_console.csv");
const AHREFS: &[u8] = include_bytes!("fixtures/ahrefs.csv");
const AHREFS_UTF8: &[u8] = include_bytes!("fixtures/ahrefs_utf8.csv");
const SEMRUSH: &[u8] = include_bytes!("fixtures/semrush.csv");
const SEMRUSH_SEMICOLONS: &[u8] = include_bytes!("fixtures/semrush_semicolons.csv");

fn row<'a>(import: &'a Import, keyword: &str) -> &'a ListedKeyword {
    import
        .rows
        .iter()
        .find(|row| row.keyword == keyword)
        .unwrap_or_else(|| panic!("no {keyword} in {import:?}"))
}

fn problems(import: &Import) -> Vec<(u64, &str)> {
    import.problems.iter().map(|problem| (problem.line, problem.message.as_str())).collect()
}

#[test]
fn keyword_planner_is_utf_16_with_two_lines_before_its_head() {
    let import = read(KEYWORD_PLANNER).unwrap();
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
    assert_eq!(row(&import, "rare gesha beans").figures, Figures::default(), "what is not known is null");
}

#[test]
fn search_console_knows_clicks_and_no_volume() {
    let import = read(SEARCH_CONSOLE).unwrap();
    assert_eq!((import.tool, import.rows.len(), import.skipped), (ExportTool::SearchConsole, 6, 0));
    assert_eq!(
        row(&import, "coffee beans").figures,
        Figures { clicks: Some(38), impressions: Some(5210), position: Some(14.6), ..Figures::default() }
    );
    row(&import, "coffee, beans and more");
    row(&import, "=cmd|' /C calc'!A0");
}

#[test]
fn search_console_may_compare_two_periods() {
    let file = "Top queries,Last 28 days Clicks,Previous 28 days Clicks,Last 28 days Impressions,Previous 28 days \
                Impressions,Last 28 days CTR,Previous 28 days CTR,Last 28 days Position,Previous 28 days Position\n\
                coffee,5,7,\"1,100\",900,0.45%,0.7%,3.2,4.1\n";
    let figures = read(file.as_bytes()).unwrap().rows[0].figures.clone();
    assert_eq!((figures.clicks, figures.impressions, figures.position), (Some(5), Some(1100), Some(3.2)));
}

#[test]
fn ahrefs_comes_in_utf_16_and_in_utf_8() {
    let import = read(AHREFS).unwrap();
    assert_eq!(import, read(AHREFS_UTF8).unwrap());
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
fn semrush_comes_with_commas_and_with_semicolons() {
    let import = read(SEMRUSH).unwrap();
    assert_eq!(import.rows, read(SEMRUSH_SEMICOLONS).unwrap().rows);
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
    assert_eq!(row(&import, "coffee beans nearest").figures.volume, Some(0), "0 is known, and not null");
    assert_eq!(problems(&import), [(6, "has a volume that is no number: `lots`")]);
}

#[test]
fn rows_that_do_not_read_are_counted_and_told_with_their_lines() {
    let file = "Query,Clicks,Impressions,CTR,Position\r\n\
                one,1,2,50%,3\r\n\
                ,1,2,50%,3\r\n\
                \"two\r\nlines\",1,2,50%,3\r\n\
                \r\n\
                One,1,2,50%,3\r\n\
                three,many,2,50%,3\r\n\
                four\r\n";
    let import = read(file.as_bytes()).unwrap();
    let keywords: Vec<&str> = import.rows.iter().map(|row| row.keyword.as_str()).collect();
    assert_eq!(keywords, ["one", "two lines", "four"]);
    assert_eq!(
        problems(&import),
        [
            (3, "has no keyword"),
            (7, "has the same keyword as line 2"),
            (8, "has a clicks that is no number: `many`")
        ]
    );
}

#[test]
fn an_unknown_head_says_what_was_found_and_what_is_known() {
    let fault = read(b"Name;Price;Colour\nmug;3;red\n").unwrap_err();
    assert_eq!(fault, ImportFault::UnknownHead { found: "Name, Price, Colour".to_owned() });
    let words = fault.to_string();
    for expected in [
        "`Name, Price, Colour`",
        "Google Keyword Planner",
        "Top queries, Clicks",
        "Ahrefs: `#, Keyword",
        "Semrush",
    ] {
        assert!(words.contains(expected), "{expected} is missing from {words}");
    }
}

#[test]
fn what_is_no_list_is_refused_in_words() {
    assert!(matches!(read(b"PK\x03\x04rest"), Err(ImportFault::NotText(_))));
    assert!(matches!(read(b""), Err(ImportFault::UnknownHead { .. })));
    assert_eq!(read(&vec![b'a'; LARGEST_FILE + 1]), Err(ImportFault::TooLarge));
    let nothing = read(b"Query,Clicks,Impressions\n").unwrap_err().to_string();
    assert_eq!(nothing, "No row of this Google Search Console list could be taken: it is empty.");
    let bad = read(b"Query,Clicks,Impressions\nx,y,z\n").unwrap_err().to_string();
    assert!(bad.contains("line 2 has a clicks that is no number"), "{bad}");
}

#[test]
fn more_rows_than_the_bound_are_refused() {
    let mut file = String::from("Query,Clicks,Impressions\n");
    for number in 0..=MOST_ROWS {
        file.push_str(&format!("k{number},1,1\n"));
    }
    assert_eq!(read(file.as_bytes()), Err(ImportFault::TooManyRows));
}

#[test]
fn a_quote_left_open_is_told_as_such() {
    let file = format!("Query,Clicks,Impressions\none,1,1\n\"two,1,1\n{}", "three,1,1\n".repeat(3_000));
    let import = read(file.as_bytes()).unwrap();
    assert_eq!((import.rows.len(), import.skipped), (1, 1));
    assert_eq!(problems(&import), [(3, "has a cell that is too long: is a quote left open?")]);
}

#[test]
fn control_characters_and_odd_spaces_leave_a_keyword() {
    let import = read(b"Query,Clicks,Impressions\n\" a\x00b\t\xc2\xa0 c \",1,1\n").unwrap();
    assert_eq!(import.rows[0].keyword, "a b c");
}

/// Bytes that are sometimes nearly a list.
fn files() -> impl Strategy<Value = Vec<u8>> {
    let cells = "([a-z0-9<>.,%K–\"\n=-]{0,12}[,;\t]){0,80}";
    let heads = prop_oneof![
        Just("Top queries,Clicks,Impressions,CTR,Position\n"),
        Just("x\ny\nKeyword\tCurrency\tAvg. monthly searches\tCompetition (indexed value)\n"),
        Just("#,Keyword,Country,Difficulty,Volume,CPC\n"),
        Just("Keyword;Intent;Volume;Trend;Keyword Difficulty;CPC (USD)\n"),
    ];
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..400),
        (heads.clone(), cells).prop_map(|(head, rows)| format!("{head}{rows}").into_bytes()),
        (heads, proptest::collection::vec(any::<u8>(), 0..200)).prop_map(|(head, rows)| [
            head.as_bytes(),
            &rows
        ]
        .concat()),
        (Just(AHREFS), 0..AHREFS.len()).prop_map(|(file, end)| file[..end].to_vec()),
    ]
}

proptest! {
    #[test]
    fn any_file_is_taken_or_refused_within_bounds(file in files()) {
        match read(&file) {
            Ok(import) => {
                prop_assert!(import.rows.len() <= file.len());
                prop_assert!(import.problems.len() <= import.skipped.min(SHOWN_PROBLEMS));
                for row in &import.rows {
                    prop_assert!((1..=LONGEST_KEYWORD).contains(&row.keyword.chars().count()));
                    prop_assert!(!row.keyword.contains(char::is_control));
                    let figures = &row.figures;
                    prop_assert!(figures.difficulty.is_none_or(|number| (0.0..=100.0).contains(&number)));
                    prop_assert!(figures.competition.is_none_or(|number| (0.0..=1.0).contains(&number)));
                    prop_assert!(figures.volume.is_none() || figures.volume_range.is_none());
                }
            }
            Err(fault) => prop_assert!(fault.to_string().len() < 2_000),
        }
    }
}
