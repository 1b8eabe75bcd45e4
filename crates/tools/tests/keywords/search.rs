use proptest::prelude::*;
use svc_mcp_tools::keywords::{
    BrandNames, ExportTool, Figures, Intent, KeywordSource, ListedKeyword, MatchMode, Query, QuestionKind,
    SourcedKeyword,
    corpus::{CorpusText, TextOrigin},
    import, search,
};

fn text(origin: TextOrigin, location: &str, text: &str) -> CorpusText {
    CorpusText { origin, location: location.to_owned(), text: text.to_owned() }
}

/// The pages and a post of a roastery, and the pages of two competitors.
fn corpus() -> Vec<CorpusText> {
    vec![
        text(
            TextOrigin::OwnPages,
            "https://acme.example/",
            "Acme Coffee\n\nWe roast coffee beans in small batches and send them to your door. Our coffee beans come from \
             farms that we know by name. Fresh coffee beans taste best within six weeks.",
        ),
        text(
            TextOrigin::OwnPages,
            "https://acme.example/choosing",
            "How to choose coffee beans\n\nLight roasts are bright, dark roasts are bold. Which coffee beans are best for \
             espresso? A dark roast with little acidity. When you visit us, try them all.",
        ),
        text(
            TextOrigin::OwnPosts,
            "post_1",
            "New single-origin coffee beans from Ethiopia are in the shop today.",
        ),
        text(
            TextOrigin::CompetitorPages,
            "https://globex.example/",
            "Globex roasts coffee beans for cold brew. Our cold brew coffee is smooth. Buy coffee beans for cold brew online \
             with free delivery.",
        ),
        text(
            TextOrigin::CompetitorPages,
            "https://initech.example/cold-brew",
            "How long do coffee beans last?\n\nWhole coffee beans last a month. Cold-brew needs coarse coffee beans. \
             Initech coffee beans for cold brew are ground coarse.",
        ),
    ]
}

fn names() -> BrandNames {
    BrandNames {
        own: vec!["Acme Coffee".to_owned()],
        competitors: vec!["Globex".to_owned(), "Initech".to_owned()],
    }
}

fn query(seed: &str, match_mode: MatchMode) -> Query {
    Query { seeds: vec![seed.to_owned()], match_mode, language: None, country: None, gaps_only: false }
}

fn all_gaps() -> Query {
    Query { seeds: Vec::new(), gaps_only: true, ..english("") }
}

fn english(seed: &str) -> Query {
    Query { language: Some("en".to_owned()), ..query(seed, MatchMode::Broad) }
}

fn lists() -> Vec<SourcedKeyword> {
    let files: [&[u8]; 4] = [
        include_bytes!("fixtures/ahrefs.csv"),
        include_bytes!("fixtures/semrush.csv"),
        include_bytes!("fixtures/keyword_planner.csv"),
        include_bytes!("fixtures/search_console.csv"),
    ];
    files
        .into_iter()
        .flat_map(|file| {
            let import = import::parse(file).expect("a list");
            let source = KeywordSource::from(import.tool);
            import.rows.into_iter().map(move |row| SourcedKeyword { source, row })
        })
        .collect()
}

#[test]
fn search_merges_texts_and_lists() {
    let found = search(&query("coffee beans", MatchMode::Broad), &corpus(), &lists(), &names());
    assert_eq!(found.language, "en");
    insta::assert_json_snapshot!(found.rows);
}

#[test]
fn keywords_from_texts_have_no_volume() {
    let found = search(&query("coffee beans", MatchMode::Broad), &corpus(), &[], &names());
    assert!(!found.rows.is_empty());
    assert!(found.rows.iter().all(|row| row.figures == Figures::default()), "{:?}", found.rows);
}

#[test]
fn gap_is_a_keyword_that_only_competitors_use() {
    let found = search(&query("coffee beans", MatchMode::Broad), &corpus(), &[], &names());
    let gaps: Vec<&str> = found.rows.iter().filter(|row| row.gap).map(|row| row.keyword.as_str()).collect();
    assert!(gaps.contains(&"cold brew"), "{gaps:?}");
    assert!(gaps.contains(&"how long do coffee beans last"), "{gaps:?}");
    assert!(!gaps.iter().any(|gap| gap.contains("globex") || *gap == "coffee beans"), "{gaps:?}");
    let row = found.rows.iter().find(|row| row.keyword == "cold brew").unwrap();
    assert_eq!(row.sources, [KeywordSource::CompetitorPages]);
    assert_eq!(row.found_on, ["https://globex.example/", "https://initech.example/cold-brew"]);
}

/// A single use on one page is enough: the brand lacks the term all the same.
#[test]
fn keyword_that_only_competitors_have_is_always_a_gap() {
    let found = search(&query("coffee beans", MatchMode::Broad), &corpus(), &[], &names());
    let theirs = found.rows.iter().filter(|row| row.sources == [KeywordSource::CompetitorPages]);
    let not_gaps: Vec<&str> = theirs.filter(|row| !row.gap).map(|row| row.keyword.as_str()).collect();
    let is_excluded =
        |keyword: &&str| keyword.contains("globex") || keyword.contains("initech") || !keyword.contains(' ');
    assert!(not_gaps.iter().all(is_excluded), "{not_gaps:?}");
}

#[test]
fn gaps_need_no_seeds_and_single_words_are_not_offered() {
    let mut texts = corpus();
    texts.extend(["https://globex.example/kit", "https://initech.example/kit"].map(|location| {
        let kit = "A cold brew kit has a filter bag. We sell it with a bag of beans. The bag is free. \
                   We sell matcha. Try matcha with milk.";
        text(TextOrigin::CompetitorPages, location, kit)
    }));
    let found = search(&all_gaps(), &texts, &[], &names());
    let gaps: Vec<&str> = found.rows.iter().map(|row| row.keyword.as_str()).collect();
    for gap in ["cold brew kit", "how long do coffee beans last"] {
        assert!(gaps.contains(&gap), "{gap} is not in {gaps:?}");
    }
    assert!(found.rows.iter().all(|row| row.gap && row.keyword.contains(' ')), "{gaps:?}");
    // A list shows that people search for the word. Phrases are still first.
    let matcha = ListedKeyword { keyword: "matcha".to_owned(), ..ListedKeyword::default() };
    let lists = [SourcedKeyword { source: KeywordSource::Semrush, row: matcha }];
    let found = search(&all_gaps(), &texts, &lists, &names());
    assert_eq!(found.rows.last().map(|row| row.keyword.as_str()), Some("matcha"));
}

#[test]
fn seed_that_is_a_single_word_can_be_a_gap() {
    let texts = [
        text(TextOrigin::OwnPages, "https://acme.example/", "We roast coffee beans every Monday."),
        text(TextOrigin::CompetitorPages, "https://globex.example/", "Our matcha is green. We sell matcha."),
    ];
    let found = search(&english("matcha"), &texts, &[], &names());
    let matcha = found.rows.iter().find(|row| row.keyword == "matcha").unwrap();
    assert!(matcha.gap);
}

#[test]
fn competitor_with_a_common_name_hides_no_gap() {
    let texts = [
        text(TextOrigin::OwnPages, "https://acme.example/", "We roast coffee every Monday."),
        text(
            TextOrigin::CompetitorPages,
            "https://beans.example/",
            "Beans sells green beans. Buy green beans.",
        ),
    ];
    let names = BrandNames { own: vec!["Acme".to_owned()], competitors: vec!["beans".to_owned()] };
    let found = search(&all_gaps(), &texts, &[], &names);
    let row = found.rows.iter().find(|row| row.keyword == "green beans").unwrap();
    assert!(row.gap && row.intent != Some(Intent::Navigational), "{row:?}");
}

/// Lists and texts use different forms of a word.
#[test]
fn listed_keyword_has_the_gap_of_its_other_forms() {
    let texts = [
        text(TextOrigin::OwnPages, "https://acme.example/", "We roast coffee every Monday."),
        text(
            TextOrigin::CompetitorPages,
            "https://globex.example/",
            "Espresso machines. New espresso machines.",
        ),
    ];
    let row = ListedKeyword {
        keyword: "espresso machine".to_owned(),
        country: Some("de".to_owned()),
        figures: Figures { volume: Some(900), ..Figures::default() },
        ..ListedKeyword::default()
    };
    let lists = [SourcedKeyword { source: KeywordSource::Ahrefs, row }];
    let found = search(&english("espresso"), &texts, &lists, &names());
    let row = found.rows.iter().find(|row| row.keyword == "espresso machine").unwrap();
    assert!(row.gap);
    assert_eq!(row.sources, [KeywordSource::CompetitorPages, KeywordSource::Ahrefs]);
    assert_eq!((row.figures.volume, row.figures.country.as_deref()), (Some(900), Some("de")));
}

#[test]
fn row_leaves_out_what_is_unknown_or_false() {
    let row = ListedKeyword { keyword: "tea".to_owned(), ..ListedKeyword::default() };
    let lists = [SourcedKeyword { source: KeywordSource::Semrush, row }];
    let found = search(&query("tea", MatchMode::Broad), &[], &lists, &BrandNames::default());
    let json = serde_json::to_value(&found.rows[0]).unwrap();
    assert_eq!(json, serde_json::json!({"keyword": "tea", "sources": ["semrush"], "relevance": 0.75}));
}

#[test]
fn questions_mode_returns_only_questions_with_their_kind() {
    let found = search(&query("coffee beans", MatchMode::Questions), &corpus(), &lists(), &names());
    let questions: Vec<(&str, Option<QuestionKind>)> =
        found.rows.iter().map(|row| (row.keyword.as_str(), row.question)).collect();
    for expected in [
        ("which coffee beans are best for espresso", Some(QuestionKind::Which)),
        ("how to choose coffee beans", Some(QuestionKind::How)),
        ("how to store coffee beans", Some(QuestionKind::How)),
        ("what are coffee beans", Some(QuestionKind::What)),
    ] {
        assert!(questions.contains(&expected), "{expected:?} is missing from {questions:?}");
    }
    assert!(found.rows.iter().all(|row| row.is_question && row.intent == Some(Intent::Informational)));
    let last = found.rows.iter().find(|row| row.keyword == "how long do coffee beans last").unwrap();
    assert_eq!(last.sources, [KeywordSource::CompetitorPages, KeywordSource::SearchConsole]);
    assert_eq!(last.figures.impressions, Some(640));
}

#[test]
fn phrase_mode_keeps_the_words_together() {
    let found = search(&query("coffee beans", MatchMode::Phrase), &corpus(), &lists(), &names());
    let plain = |keyword: &str| keyword.replace([',', '"'], "");
    assert!(found.rows.iter().all(|row| plain(&row.keyword).contains("coffee beans")), "{:?}", found.rows);
    let broad = search(&query("coffee beans", MatchMode::Broad), &corpus(), &lists(), &names());
    assert!(broad.rows.len() > found.rows.len());
}

#[test]
fn country_excludes_rows_of_other_countries() {
    let mut query = query("coffee beans", MatchMode::Phrase);
    query.country = Some("gb".to_owned());
    let ahrefs: Vec<SourcedKeyword> = lists()
        .into_iter()
        .filter(|listed| listed.source == KeywordSource::from(ExportTool::Ahrefs))
        .collect();
    let found = search(&query, &[], &ahrefs, &BrandNames::default());
    let volumes: Vec<(&str, Option<u64>, Option<&str>)> = found
        .rows
        .iter()
        .map(|row| (row.keyword.as_str(), row.figures.volume, row.figures.country.as_deref()))
        .collect();
    assert_eq!(volumes, [("coffee beans", Some(14_000), Some("gb"))]);
    // The other lists name no country, and their currency is the dollar.
    let all = search(&query, &[], &lists(), &BrandNames::default());
    assert_eq!(all.rows, found.rows);
}

#[test]
fn figures_of_two_countries_are_not_mixed() {
    let listed = |country: &str, volume, difficulty| SourcedKeyword {
        source: KeywordSource::Ahrefs,
        row: ListedKeyword {
            keyword: "tea".to_owned(),
            country: Some(country.to_owned()),
            figures: Figures { volume, difficulty, ..Figures::default() },
            ..ListedKeyword::default()
        },
    };
    let lists = [listed("us", Some(90), None), listed("gb", Some(50), Some(12.0))];
    let found = search(&query("tea", MatchMode::Broad), &[], &lists, &BrandNames::default());
    let figures = Figures { volume: Some(90), country: Some("us".to_owned()), ..Figures::default() };
    assert_eq!(found.rows[0].figures, figures);
}

#[test]
fn first_list_wins_and_an_exact_volume_replaces_a_range() {
    let listed = |source, volume, low: Option<u64>| SourcedKeyword {
        source,
        row: ListedKeyword {
            keyword: "Tea".to_owned(),
            figures: Figures {
                volume,
                volume_range: low.map(|low| svc_mcp_tools::keywords::Range { low, high: None }),
                ..Figures::default()
            },
            ..ListedKeyword::default()
        },
    };
    let lists = [
        listed(KeywordSource::KeywordPlanner, None, Some(10)),
        listed(KeywordSource::Ahrefs, Some(70), None),
        listed(KeywordSource::Semrush, Some(90), None),
    ];
    let found = search(&query("tea", MatchMode::Broad), &[], &lists, &BrandNames::default());
    assert_eq!(found.rows.len(), 1);
    assert_eq!((found.rows[0].figures.volume, found.rows[0].figures.volume_range), (Some(70), None));
    assert_eq!(found.rows[0].sources.len(), 3);
}

#[test]
fn forms_and_orders_of_the_same_words_are_one_group() {
    let row = |keyword: &str| SourcedKeyword {
        source: KeywordSource::Semrush,
        row: ListedKeyword { keyword: keyword.to_owned(), ..ListedKeyword::default() },
    };
    let lists = ["running shoes", "shoes for running", "the running shoe", "trail running shoes"].map(row);
    let found = search(&query("running shoes", MatchMode::Broad), &[], &lists, &BrandNames::default());
    let mut groups: Vec<(&str, Option<&str>)> =
        found.rows.iter().map(|row| (row.keyword.as_str(), row.group.as_deref())).collect();
    groups.sort_unstable();
    assert_eq!(
        groups,
        [
            ("running shoes", None),
            ("shoes for running", Some("running shoes")),
            ("the running shoe", Some("running shoes")),
            ("trail running shoes", None),
        ]
    );
}

#[test]
fn language_is_detected_from_the_texts() {
    let texts = [text(
        TextOrigin::OwnPages,
        "https://acme.example/de",
        "Wie lagert man Kaffeebohnen richtig?\n\nFrische Kaffeebohnen gehören in eine dichte Dose und nicht in den \
         Kühlschrank. Die Dose schützt die Kaffeebohnen vor Licht und Luft.",
    )];
    let found = search(&query("Kaffeebohne", MatchMode::Broad), &texts, &[], &BrandNames::default());
    assert_eq!(found.language, "de");
    let keywords: Vec<&str> = found.rows.iter().map(|row| row.keyword.as_str()).collect();
    assert!(keywords.contains(&"wie lagert man kaffeebohnen richtig"), "{keywords:?}");
    assert!(keywords.contains(&"kaffeebohnen"), "{keywords:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_and_seed_is_accepted_and_the_result_is_deterministic(
        seed in "(\\PC|[ab -]){1,20}", body in "(\\PC|[ab .?\n-]){0,200}", keyword in "(\\PC|[ab -]){1,20}",
    ) {
        let texts = [text(TextOrigin::OwnPages, "a", &body), text(TextOrigin::CompetitorPages, "b", &body)];
        let lists = [SourcedKeyword {
            source: KeywordSource::Provider,
            row: ListedKeyword { keyword, ..ListedKeyword::default() },
        }];
        for match_mode in [MatchMode::Broad, MatchMode::Phrase, MatchMode::Questions] {
            let query = query(&seed, match_mode);
            let found = search(&query, &texts, &lists, &names());
            prop_assert!(found.rows.iter().all(|row| (0.0..=1.0).contains(&row.relevance)));
            prop_assert!(found.rows.iter().all(|row| !row.gap), "both sides have the same text");
            prop_assert_eq!(&found, &search(&query, &texts, &lists, &names()));
        }
    }
}
