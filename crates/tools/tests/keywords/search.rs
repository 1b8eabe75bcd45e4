use proptest::prelude::*;
use svc_mcp_tools::keywords::{
    ExportTool, Figures, Intent, KeywordSource, Listed, ListedKeyword, Match, Names, Query, QuestionKind,
    corpus::{CorpusText, Origin},
    import, search,
};

fn text(origin: Origin, place: &str, text: &str) -> CorpusText {
    CorpusText { origin, place: place.to_owned(), text: text.to_owned() }
}

/// A roastery, what it posts, and two competitors.
fn corpus() -> Vec<CorpusText> {
    vec![
        text(
            Origin::OwnPages,
            "https://acme.example/",
            "Acme Coffee\n\nWe roast coffee beans in small batches and send them to your door. Our coffee beans come from \
             farms that we know by name. Fresh coffee beans taste best within six weeks.",
        ),
        text(
            Origin::OwnPages,
            "https://acme.example/choosing",
            "How to choose coffee beans\n\nLight roasts are bright, dark roasts are bold. Which coffee beans are best for \
             espresso? A dark roast with little acidity. When you visit us, try them all.",
        ),
        text(
            Origin::OwnPosts,
            "post_1",
            "New single-origin coffee beans from Ethiopia are in the shop today.",
        ),
        text(
            Origin::CompetitorPages,
            "https://globex.example/",
            "Globex roasts coffee beans for cold brew. Our cold brew coffee is smooth. Buy coffee beans for cold brew online \
             with free delivery.",
        ),
        text(
            Origin::CompetitorPages,
            "https://initech.example/cold-brew",
            "How long do coffee beans last?\n\nWhole coffee beans last a month. Cold-brew needs coarse coffee beans. \
             Initech coffee beans for cold brew are ground coarse.",
        ),
    ]
}

fn names() -> Names {
    Names { own: vec!["Acme Coffee".to_owned()], rivals: vec!["Globex".to_owned(), "Initech".to_owned()] }
}

fn query(seed: &str, matching: Match) -> Query {
    Query { seeds: vec![seed.to_owned()], matching, language: None, country: None }
}

fn lists() -> Vec<Listed> {
    let files: [&[u8]; 4] = [
        include_bytes!("fixtures/ahrefs.csv"),
        include_bytes!("fixtures/semrush.csv"),
        include_bytes!("fixtures/keyword_planner.csv"),
        include_bytes!("fixtures/search_console.csv"),
    ];
    files
        .into_iter()
        .flat_map(|file| {
            let import = import::read(file).unwrap();
            let source = KeywordSource::from(import.tool);
            import.rows.into_iter().map(move |row| Listed { source, row })
        })
        .collect()
}

#[test]
fn a_whole_search_over_texts_and_lists() {
    let found = search(&query("coffee beans", Match::Broad), &corpus(), &lists(), &names());
    assert_eq!(found.language, "en");
    insta::assert_json_snapshot!(found.rows);
}

#[test]
fn volumes_of_texts_are_null() {
    let found = search(&query("coffee beans", Match::Broad), &corpus(), &[], &names());
    assert!(!found.rows.is_empty());
    assert!(found.rows.iter().all(|row| row.figures == Figures::default()), "{:?}", found.rows);
}

#[test]
fn a_gap_is_what_only_competitors_have() {
    let found = search(&query("coffee beans", Match::Broad), &corpus(), &[], &names());
    let gaps: Vec<&str> = found.rows.iter().filter(|row| row.gap).map(|row| row.keyword.as_str()).collect();
    assert!(gaps.contains(&"cold brew"), "{gaps:?}");
    assert!(gaps.contains(&"how long do coffee beans last"), "{gaps:?}");
    assert!(!gaps.iter().any(|gap| gap.contains("globex") || *gap == "coffee beans"), "{gaps:?}");
    let row = found.rows.iter().find(|row| row.keyword == "cold brew").unwrap();
    assert_eq!(row.sources, [KeywordSource::CompetitorPages]);
    assert_eq!(row.found_on, ["https://globex.example/", "https://initech.example/cold-brew"]);
}

#[test]
fn questions_are_questions_alone_with_their_kind() {
    let found = search(&query("coffee beans", Match::Questions), &corpus(), &lists(), &names());
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
fn phrase_keeps_the_order_of_the_words() {
    let found = search(&query("coffee beans", Match::Phrase), &corpus(), &lists(), &names());
    let words = |keyword: &str| keyword.replace([',', '"'], "");
    assert!(found.rows.iter().all(|row| words(&row.keyword).contains("coffee beans")), "{:?}", found.rows);
    let broad = search(&query("coffee beans", Match::Broad), &corpus(), &lists(), &names());
    assert!(broad.rows.len() > found.rows.len());
}

#[test]
fn a_country_leaves_other_countries_out() {
    let mut asked = query("coffee beans", Match::Phrase);
    asked.country = Some("gb".to_owned());
    let ahrefs: Vec<Listed> = lists()
        .into_iter()
        .filter(|listed| listed.source == KeywordSource::from(ExportTool::Ahrefs))
        .collect();
    let found = search(&asked, &[], &ahrefs, &Names::default());
    let volumes: Vec<(&str, Option<u64>)> =
        found.rows.iter().map(|row| (row.keyword.as_str(), row.figures.volume)).collect();
    assert_eq!(volumes, [("coffee beans", Some(14_000))]);
}

#[test]
fn the_first_list_that_knows_counts_and_an_exact_volume_beats_a_range() {
    let listed = |source, volume, low: Option<u64>| Listed {
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
    let found = search(&query("tea", Match::Broad), &[], &lists, &Names::default());
    assert_eq!(found.rows.len(), 1);
    assert_eq!((found.rows[0].figures.volume, found.rows[0].figures.volume_range), (Some(70), None));
    assert_eq!(found.rows[0].sources.len(), 3);
}

#[test]
fn forms_and_orders_of_the_same_words_are_one_group() {
    let row = |keyword: &str| Listed {
        source: KeywordSource::Semrush,
        row: ListedKeyword { keyword: keyword.to_owned(), ..ListedKeyword::default() },
    };
    let lists = ["running shoes", "shoes for running", "the running shoe", "trail running shoes"].map(row);
    let found = search(&query("running shoes", Match::Broad), &[], &lists, &Names::default());
    let mut groups: Vec<(&str, &str)> =
        found.rows.iter().map(|row| (row.keyword.as_str(), row.group.as_str())).collect();
    groups.sort_unstable();
    assert_eq!(
        groups,
        [
            ("running shoes", "running shoes"),
            ("shoes for running", "running shoes"),
            ("the running shoe", "running shoes"),
            ("trail running shoes", "trail running shoes"),
        ]
    );
}

#[test]
fn other_languages_have_their_own_words() {
    let texts = [text(
        Origin::OwnPages,
        "https://acme.example/de",
        "Wie lagert man Kaffeebohnen richtig?\n\nFrische Kaffeebohnen gehören in eine dichte Dose und nicht in den \
         Kühlschrank. Die Dose schützt die Kaffeebohnen vor Licht und Luft.",
    )];
    let found = search(&query("Kaffeebohne", Match::Broad), &texts, &[], &Names::default());
    assert_eq!(found.language, "de");
    let keywords: Vec<&str> = found.rows.iter().map(|row| row.keyword.as_str()).collect();
    assert!(keywords.contains(&"wie lagert man kaffeebohnen richtig"), "{keywords:?}");
    assert!(keywords.contains(&"kaffeebohnen"), "{keywords:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_and_seed_is_taken_and_the_answer_is_always_the_same(
        seed in "(\\PC|[ab -]){1,20}", body in "(\\PC|[ab .?\n-]){0,200}", keyword in "(\\PC|[ab -]){1,20}",
    ) {
        let texts = [text(Origin::OwnPages, "a", &body), text(Origin::CompetitorPages, "b", &body)];
        let lists = [Listed {
            source: KeywordSource::Provider,
            row: ListedKeyword { keyword, ..ListedKeyword::default() },
        }];
        for matching in [Match::Broad, Match::Phrase, Match::Questions] {
            let query = query(&seed, matching);
            let found = search(&query, &texts, &lists, &names());
            prop_assert!(found.rows.iter().all(|row| (0.0..=1.0).contains(&row.relevance)));
            prop_assert!(found.rows.iter().all(|row| !row.gap), "both sides have the same text");
            prop_assert_eq!(&found, &search(&query, &texts, &lists, &names()));
        }
    }
}
