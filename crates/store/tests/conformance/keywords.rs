//! Imported keyword lists and saved searches.

use svc_mcp_store::{ImportKeywordsError, Imported};
use svc_mcp_tools::{
    Change, Records,
    keywords::{
        ExportTool, Figures, Intent, KeywordChange, KeywordImport, KeywordImportOrigin, KeywordRecords,
        KeywordRow, KeywordSearch, KeywordSource, ListedKeyword, MAX_IMPORTS, MAX_SEARCHES, MatchMode,
        NewKeywordImport, Range, SearchRequest, SearchSummary, SourceChoice, SourcesRead,
    },
    page::Cursor,
};

use crate::{
    make::{NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    list_is_read_as_it_was_imported,
    keywords_are_found_by_every_part_of_the_seed,
    same_file_replaces_its_earlier_import,
    number_of_lists_is_limited,
    deleted_list_is_deleted_with_its_rows,
    long_list_is_imported_completely,
    search_is_read_with_its_rows,
    searches_are_listed_newest_first_and_the_oldest_are_deleted,
    keywords_of_another_brand_are_not_listed,
}

fn keyword(text: &str, volume: Option<u64>) -> ListedKeyword {
    let figures = Figures { volume, ..Figures::default() };
    ListedKeyword { keyword: text.into(), figures, ..ListedKeyword::default() }
}

fn list(number: u8, rows: Vec<ListedKeyword>) -> NewKeywordImport {
    let import = KeywordImport {
        import_id: format!("import_{number}"),
        tool: ExportTool::Semrush,
        rows: rows.len() as u64,
        skipped: 2,
        imported_at: after(number.into()),
        imported_by: "ada".into(),
    };
    NewKeywordImport { import, digest: [number; 32], rows }
}

async fn import(world: &World, new: &NewKeywordImport) -> Result<Imported, ImportKeywordsError> {
    world.store.import_keywords(&acme(), new).await
}

async fn found(world: &World, pieces: &[&str]) -> Vec<String> {
    let pieces: Vec<String> = pieces.iter().map(|piece| (*piece).to_owned()).collect();
    let rows = world.records().listed_keywords(&acme(), &pieces, 100).await.expect("the store answers");
    rows.into_iter().map(|(_, row)| row.keyword).collect()
}

async fn list_is_read_as_it_was_imported(world: &World) {
    let rich = ListedKeyword {
        keyword: "Cold-Brew ‘Kaffee’ 日本 \\ % _ \"x\"".into(),
        country: Some("de".into()),
        intent: Some(Intent::Commercial),
        figures: Figures {
            volume: None,
            volume_range: Some(Range { low: 1_000, high: None }),
            country: None,
            difficulty: Some(12.5),
            cpc: Some(0.1),
            cpc_range: Some(Range { low: 0.25, high: Some(1.5) }),
            currency: Some("EUR".into()),
            competition: Some(1.0),
            clicks: Some(0),
            impressions: Some(u64::from(u32::MAX)),
            position: Some(1.02),
        },
    };
    let new = list(1, vec![rich.clone(), keyword("tea", None)]);
    let kept = import(world, &new).await;
    assert_eq!(kept, Ok(Imported { import_id: "import_1".into(), replaced: false }));
    let records = world.records();
    assert_eq!(records.keyword_imports(&acme()).await, Ok(vec![new.import.clone()]));
    let rows = records.listed_keywords(&acme(), &["cold brew".into()], 10).await.expect("the store answers");
    let order = KeywordImportOrigin { tool: ExportTool::Semrush, imported_at: after(1) };
    assert_eq!(rows, [(order, rich)]);
}

async fn keywords_are_found_by_every_part_of_the_seed(world: &World) {
    let rows = [
        ("Green Tea", Some(10)),
        ("tea, green", Some(500)),
        ("green-tea pot", None),
        ("black tea", Some(9_000)),
        ("100% tea", None),
        ("100 tea", None),
        ("a_b tea", None),
        ("axb tea", None),
        ("c\\d tea", None),
        ("ЗЕЛЁНЫЙ ЧАЙ", None),
    ];
    import(world, &list(1, rows.map(|(text, volume)| keyword(text, volume)).to_vec())).await.expect("kept");
    assert_eq!(found(world, &["tea", "green"]).await, ["tea, green", "Green Tea", "green-tea pot"]);
    assert_eq!(found(world, &["green tea"]).await, ["Green Tea", "green-tea pot"]);
    // Wildcards of LIKE are matched literally.
    assert_eq!(found(world, &["100%"]).await, ["100% tea"]);
    assert_eq!(found(world, &["a_b"]).await, ["a_b tea"]);
    assert_eq!(found(world, &["c\\d"]).await, ["c\\d tea"]);
    assert_eq!(found(world, &["зелёный"]).await, ["ЗЕЛЁНЫЙ ЧАЙ"]);
    assert_eq!(found(world, &["coffee"]).await, Vec::<String>::new());
    assert_eq!(found(world, &[]).await.len(), rows.len());
    let most = world.records().listed_keywords(&acme(), &["tea".into()], 2).await.expect("the store answers");
    let most: Vec<&str> = most.iter().map(|(_, row)| row.keyword.as_str()).collect();
    assert_eq!(most, ["black tea", "tea, green"], "those most asked for come first");
}

async fn same_file_replaces_its_earlier_import(world: &World) {
    import(world, &list(1, vec![keyword("tea", None)])).await.expect("kept");
    let again = NewKeywordImport { digest: [1; 32], ..list(2, vec![keyword("tea pot", None)]) };
    let kept = import(world, &again).await;
    assert_eq!(kept, Ok(Imported { import_id: "import_1".into(), replaced: true }));
    assert_eq!(found(world, &["tea"]).await, ["tea pot"]);
    let imports = world.store.keyword_imports(&acme()).await.expect("the store answers");
    assert_eq!((imports.len(), imports[0].imported_at), (1, after(2)));
}

async fn number_of_lists_is_limited(world: &World) {
    let uploads = (0..u8::try_from(MAX_IMPORTS).expect("few") + 4).map(|number| {
        let (store, new) = (world.store.clone(), list(number, vec![keyword("tea", None)]));
        async move { store.import_keywords(&acme(), &new).await }
    });
    let kept = at_once(uploads).await;
    assert_eq!(kept.iter().filter(|kept| kept.is_err()).count(), 4);
    let imports = world.store.keyword_imports(&acme()).await.expect("the store answers");
    assert_eq!(imports.len(), MAX_IMPORTS as usize);
    assert!(imports.windows(2).all(|pair| pair[0].imported_at >= pair[1].imported_at), "newest first");
    // Importing an existing file again does not count against the limit.
    let (number, _) = kept.iter().enumerate().find(|(_, kept)| kept.is_ok()).expect("one was kept");
    let again = list(u8::try_from(number).expect("few"), vec![keyword("tea", None)]);
    assert!(import(world, &again).await.is_ok_and(|kept| kept.replaced));
}

async fn deleted_list_is_deleted_with_its_rows(world: &World) {
    import(world, &list(1, vec![keyword("tea", None)])).await.expect("kept");
    import(world, &list(2, vec![keyword("tea pot", None)])).await.expect("kept");
    let delete = |brand, import_id: &'static str| async move {
        world.store.delete_keyword_import(&brand, import_id).await.expect("the store answers")
    };
    assert!(!delete(umbrella(), "import_1").await);
    assert!(delete(acme(), "import_1").await);
    assert!(!delete(acme(), "import_1").await);
    assert_eq!(found(world, &["tea"]).await, ["tea pot"]);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM keyword_rows").await, 1);
}

async fn long_list_is_imported_completely(world: &World) {
    let rows = (0..2_500).map(|number| keyword(&format!("tea {number}"), Some(number))).collect();
    import(world, &list(1, rows)).await.expect("kept");
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM keyword_rows").await, 2_500);
    assert_eq!(found(world, &["tea 2499"]).await, ["tea 2499"]);
}

pub(crate) fn search(number: i64) -> KeywordSearch {
    KeywordSearch {
        search_id: format!("search_{number}"),
        created_at: after(number),
        created_by_key: id("key_1"),
        request: SearchRequest {
            seeds: vec!["tea".into(), "日本 \"x\"".into()],
            source: SourceChoice::Imported,
            match_mode: MatchMode::Questions,
            language: "en".into(),
            country: Some("gb".into()),
            gaps_only: true,
        },
        summary: SearchSummary {
            keywords: 1,
            read: SourcesRead { own_pages: 3, ..SourcesRead::default() },
            notes: vec!["A note.".into()],
            ..SearchSummary::default()
        },
    }
}

pub(crate) fn row() -> KeywordRow {
    KeywordRow {
        keyword: "why tea".into(),
        sources: vec![KeywordSource::OwnPages, KeywordSource::Ahrefs],
        figures: Figures { volume: Some(3), ..Figures::default() },
        intent: None,
        is_question: true,
        question: Some(svc_mcp_tools::keywords::QuestionKind::Why),
        group: None,
        relevance: 0.1234,
        gap: true,
        found_on: vec!["https://acme.example/".into()],
    }
}

async fn keep(world: &World, number: i64) {
    let change = KeywordChange::AddSearch { search: Box::new(search(number)), rows: vec![row()] };
    world.records().commit(&acme(), &[Change::Keywords(change)], None, NOW).await.expect("committed");
}

async fn search_is_read_with_its_rows(world: &World) {
    keep(world, 1).await;
    let records = world.records();
    assert_eq!(records.keyword_search(&acme(), "search_1").await, Ok(Some((search(1), vec![row()]))));
    assert_eq!(records.keyword_search(&acme(), "search_2").await, Ok(None));
}

async fn searches_are_listed_newest_first_and_the_oldest_are_deleted(world: &World) {
    let most = i64::from(MAX_SEARCHES);
    for number in 1..=most + 3 {
        keep(world, number).await;
    }
    let (mut met, mut cursor) = (Vec::new(), None::<Cursor>);
    loop {
        let page =
            world.records().keyword_searches(&acme(), cursor.as_ref(), 60).await.expect("the store answers");
        assert_eq!(page.total, u64::from(MAX_SEARCHES));
        met.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    let expected: Vec<_> = (4..=most + 3).rev().map(search).collect();
    assert_eq!(met, expected);
}

async fn keywords_of_another_brand_are_not_listed(world: &World) {
    import(world, &list(1, vec![keyword("tea", None)])).await.expect("kept");
    keep(world, 1).await;
    let records = world.records();
    assert_eq!(records.keyword_imports(&umbrella()).await, Ok(vec![]));
    assert_eq!(records.listed_keywords(&umbrella(), &["tea".into()], 10).await, Ok(vec![]));
    assert_eq!(records.keyword_search(&umbrella(), "search_1").await, Ok(None));
    let page = records.keyword_searches(&umbrella(), None, 10).await.expect("the store answers");
    assert_eq!((page.items, page.total, page.next), (vec![], 0, None));
    // The same file of another brand is a separate list.
    let theirs = world.store.import_keywords(&umbrella(), &list(1, vec![keyword("tea pot", None)])).await;
    assert!(theirs.is_ok_and(|imported| !imported.replaced));
    assert_eq!(found(world, &["tea"]).await, ["tea"]);
}
