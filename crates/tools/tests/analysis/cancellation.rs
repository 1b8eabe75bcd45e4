//! CPU work ends soon after nobody waits for its result.

use std::time::Duration;

use svc_mcp_tools::{
    CpuPool,
    analysis::{
        DEFAULT_SIMILARITY, Document, NamedText, TrackedName, analyse_content, content_gap, count_mentions,
        near_duplicates, rank_texts,
    },
    audit::{CrawlScope, Page, PageUrl, Site, examine, fetch::FetchResponse, sitemap},
    keywords::{
        BrandNames, MatchMode, Query,
        corpus::{CorpusText, TextOrigin},
        import, search,
    },
};
use tokio::sync::mpsc;

const TEXT: &str = "Fresh coffee, roasted every morning.";
/// The machine may be very busy.
const TIMEOUT: Duration = Duration::from_mins(5);

fn search_coffee() {
    let texts = [CorpusText { origin: TextOrigin::OwnPages, location: "a".into(), text: TEXT.into() }];
    let query = Query {
        seeds: vec!["coffee".into()],
        match_mode: MatchMode::Broad,
        language: None,
        country: None,
        gaps_only: false,
    };
    search(&query, &texts, &[], &BrandNames::default());
}

fn parse_page() {
    let headers = vec![("content-type".to_owned(), "text/html".to_owned())];
    let response = FetchResponse { status: 200, headers, body: TEXT.into(), ..FetchResponse::default() };
    Page::from_response(&PageUrl::parse("https://a.test/").expect("a URL"), &response);
}

#[tokio::test]
async fn every_kind_of_long_work_ends_when_nobody_waits_for_it() {
    let page = || [NamedText { name: "a", text: TEXT }];
    let works: [(&str, Box<dyn Fn() + Send>); 10] = [
        ("search", Box::new(search_coffee)),
        ("page", Box::new(parse_page)),
        ("sitemap", Box::new(|| drop(sitemap::read(b"<urlset></urlset>")))),
        ("import", Box::new(|| drop(import::parse(b"Query,Clicks,Impressions\ntea,1,2\n")))),
        (
            "checks",
            Box::new(|| drop(examine(&Site::new("https://a.test/".into(), CrawlScope::new(["a.test"]))))),
        ),
        ("content", Box::new(|| drop(analyse_content(&Document::from_markdown(TEXT), &[], None)))),
        ("ranking", Box::new(move || drop(rank_texts(&page(), None)))),
        ("duplicates", Box::new(move || drop(near_duplicates(&page(), DEFAULT_SIMILARITY)))),
        ("gap", Box::new(move || drop(content_gap(&page(), &page(), &[], "en")))),
        ("mentions", Box::new(move || drop(count_mentions(&[TrackedName::default()], &page(), None)))),
    ];
    let pool = CpuPool::new(1);
    let brand = "acme".parse().expect("an id");
    for (name, work) in works {
        let (sender, mut started) = mpsc::channel(1);
        // Without a checkpoint in the work, this never ends.
        let endless = pool.run(&brand, move || {
            loop {
                let _ = sender.try_send(());
                work();
            }
        });
        tokio::select! {
            result = endless => panic!("{name}: {result:?}"),
            _ = started.recv() => {}
        }
        // The pool has one thread.
        let next = tokio::time::timeout(TIMEOUT, pool.run(&brand, || 7)).await;
        assert_eq!(next, Ok(Ok(7)), "{name}");
    }
}
