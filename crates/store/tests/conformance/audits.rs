//! Audits, their issues and the texts of pages.

use svc_mcp_tools::{
    Change, Records,
    audit::{
        Audit, AuditChange, AuditDifference, AuditLimit, AuditRecords, AuditedPage, Code, ComparedScope,
        Counts, CrawlPlan, Evidence, Issue, IssueFilter, Page, PageText, PageTextQuery, PageTexts, Progress,
        Score, Severity, Stage, StopReason, Summary,
    },
    jobs::WorkStatus,
};

use crate::{
    make::{NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    audit_is_read_as_it_was_written,
    pages_are_kept_until_the_audit_ends,
    issues_are_grouped_and_paged,
    issues_of_two_audits_are_compared_by_identity,
    few_texts_of_a_partial_audit_replace_nothing,
    texts_of_a_site_replace_the_previous_ones,
    number_and_size_of_texts_are_limited,
    concurrent_writes_of_a_sites_texts_do_not_mix,
    audits_of_another_brand_are_not_listed,
}

pub(crate) fn audit(audit_id: &str) -> Audit {
    Audit {
        audit_id: audit_id.to_owned(),
        plan: CrawlPlan::new("https://acme.example/"),
        status: WorkStatus::Queued,
        progress: None,
        summary: None,
        failure: None,
        created_at: NOW,
        created_by_key: id("key_1"),
        requested_by: None,
        finished_at: None,
    }
}

pub(crate) fn issue(code: Code, severity: Severity, url: &str, key: &str) -> Issue {
    let evidence =
        Evidence { found: "é\0".into(), wanted: "b".into(), key: key.into(), ..Evidence::default() };
    Issue { code, severity, url: url.to_owned(), evidence }
}

pub(crate) fn summary() -> Summary {
    let score = Score { score: Some(50.0), html_pages: 2, pages_with_errors: 1, counts: Counts::default() };
    Summary {
        score,
        visited: 3,
        end: StopReason::Complete,
        left_out: 0,
        forbidden: 0,
        codes: [(Code::Http4xx, 1)].into(),
        pages: [(Code::Http4xx, 1)].into(),
        limits: [AuditLimit::SitemapUrls].into(),
    }
}

pub(crate) async fn commit(world: &World, changes: impl IntoIterator<Item = AuditChange>) {
    let changes: Vec<Change> = changes.into_iter().map(Change::Audits).collect();
    world.records().commit(&acme(), &changes, None, after(5)).await.expect("it commits");
}

fn finished(audit_id: &str, issues: Vec<Issue>) -> AuditChange {
    finished_with(audit_id, summary(), issues, Vec::new())
}

pub(crate) fn finished_with(
    audit_id: &str,
    summary: Summary,
    issues: Vec<Issue>,
    pages: Vec<AuditedPage>,
) -> AuditChange {
    AuditChange::Finish { audit_id: audit_id.to_owned(), summary, issues, fixes: Vec::new(), pages }
}

pub(crate) fn visited(url: &str) -> AuditedPage {
    AuditedPage {
        url: url.into(),
        status: Some(200),
        failure: None,
        redirect_to: None,
        title: None,
        words: None,
        language: None,
        readability: None,
        issues: 0,
        errors: 0,
    }
}

async fn audit_is_read_as_it_was_written(world: &World) {
    let records = world.records();
    commit(world, [AuditChange::Add(audit("audit_1"))]).await;
    assert_eq!(records.audit(&acme(), "audit_1").await, Ok(Some(audit("audit_1"))));
    assert_eq!(records.open_audits(&acme()).await, Ok(vec![audit("audit_1")]));
    assert_eq!(records.open_audits(&umbrella()).await, Ok(Vec::new()));
    let progress =
        Progress { stage: Stage::Pages, visited: 3, waiting: 9, url: "https://acme.example/é".into() };
    let advance =
        AuditChange::Advance { audit_id: "audit_1".into(), progress: progress.clone(), pages: Vec::new() };
    commit(world, [advance]).await;
    let running = Audit { status: WorkStatus::Running, progress: Some(progress.clone()), ..audit("audit_1") };
    assert_eq!(records.audit(&acme(), "audit_1").await, Ok(Some(running.clone())));
    assert_eq!(records.open_audits(&acme()).await, Ok(vec![running]));
    commit(world, [finished("audit_1", Vec::new())]).await;
    let done = records.audit(&acme(), "audit_1").await.expect("the store answers").expect("it is there");
    assert_eq!(
        (done.status, done.summary, done.finished_at),
        (WorkStatus::Done, Some(summary()), Some(after(5)))
    );
    assert_eq!(records.open_audits(&acme()).await, Ok(Vec::new()));
    let later = Audit { created_at: after(1), ..audit("audit_2") };
    commit(world, [AuditChange::Add(later)]).await;
    commit(world, [AuditChange::Fail { audit_id: "audit_2".into(), reason: "no answer".into() }]).await;
    let list = records.audits(&acme(), None, 1).await.expect("the store answers");
    assert_eq!((list.total, list.items[0].failure.as_deref()), (2, Some("no answer")));
    let rest = records.audits(&acme(), list.next.as_ref(), 1).await.expect("the store answers");
    assert_eq!((rest.items[0].audit_id.as_str(), rest.next), ("audit_1", None));
}

async fn pages_are_kept_until_the_audit_ends(world: &World) {
    let records = world.records();
    let page = |url: String| Page { url, status: Some(200), ..Page::default() };
    let pages: Vec<Page> =
        (0..450).map(|number| page(format!("https://acme.example/{number}/{}", "x".repeat(1900)))).collect();
    let progress = Progress { stage: Stage::Pages, visited: 450, waiting: 0, url: String::new() };
    let advance = AuditChange::Advance { audit_id: "audit_1".into(), progress, pages: pages.clone() };
    commit(world, [AuditChange::Add(audit("audit_1")), advance.clone(), advance]).await;
    for page in [&pages[0], &pages[449]] {
        assert_eq!(records.crawled_page(&acme(), "audit_1", &page.url).await, Ok(Some(page.clone())));
        assert_eq!(records.crawled_page(&umbrella(), "audit_1", &page.url).await, Ok(None));
        assert_eq!(records.crawled_page(&acme(), "audit_2", &page.url).await, Ok(None));
    }
    commit(world, [finished("audit_1", Vec::new())]).await;
    assert_eq!(records.crawled_page(&acme(), "audit_1", &pages[0].url).await, Ok(None));
}

async fn issues_are_grouped_and_paged(world: &World) {
    let records = world.records();
    let broken =
        (0..450).map(|n| issue(Code::Http4xx, Severity::Error, &format!("https://acme.example/{n}"), ""));
    // The second issue of a page does not make it two pages.
    let again = issue(Code::Http4xx, Severity::Error, "https://acme.example/3", "again");
    let long = issue(Code::TitleLong, Severity::Warning, "https://acme.example/3", "");
    let issues: Vec<Issue> = broken.chain([again, long.clone()]).collect();
    commit(world, [AuditChange::Add(audit("audit_1")), finished("audit_1", issues.clone())]).await;
    let all = IssueFilter::default();
    let groups = records.issue_groups(&acme(), "audit_1", &all, 3).await.expect("the store answers");
    let shape: Vec<_> =
        groups.iter().map(|group| (group.code, group.issues, group.pages, group.first.len())).collect();
    assert_eq!(shape, [(Code::Http4xx, 451, 450, 3), (Code::TitleLong, 1, 1, 1)]);
    assert_eq!(groups[0].first, issues[..3]);
    for (filter, codes) in [
        (IssueFilter { severity: Some(Severity::Warning), ..all.clone() }, vec![Code::TitleLong]),
        (IssueFilter { code: Some(Code::Http4xx), ..all.clone() }, vec![Code::Http4xx]),
        (
            IssueFilter { url: Some("https://acme.example/3".into()), ..all.clone() },
            vec![Code::Http4xx, Code::TitleLong],
        ),
        (IssueFilter { severity: Some(Severity::Notice), ..all.clone() }, vec![]),
    ] {
        let groups = records.issue_groups(&acme(), "audit_1", &filter, 1).await.expect("the store answers");
        assert_eq!(groups.iter().map(|group| group.code).collect::<Vec<_>>(), codes, "{filter:?}");
    }
    let mut seen = Vec::new();
    let mut cursor = None;
    loop {
        let page =
            records.issues(&acme(), "audit_1", &all, cursor.as_ref(), 100).await.expect("the store answers");
        assert_eq!(page.total, 452);
        seen.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, issues);
}

async fn issues_of_two_audits_are_compared_by_identity(world: &World) {
    let link = |key: &str| issue(Code::BrokenInternalLink, Severity::Error, "https://acme.example/", key);
    commit(world, [AuditChange::Add(audit("before")), finished("before", vec![link("/1"), link("/2")])])
        .await;
    let mut reworded = link("/2");
    reworded.evidence.found = "another status".into();
    commit(world, [AuditChange::Add(audit("now")), finished("now", vec![reworded, link("/3")])]).await;
    let difference = compare(world, "now", "before").await;
    assert_eq!(difference.scope, ComparedScope::Everything);
    assert_eq!((difference.new.total, difference.new.first), (1, vec![link("/3")]));
    assert_eq!((difference.fixed.total, difference.fixed.first), (1, vec![link("/1")]));
    assert_eq!(difference.still_there, 1);
    let same = compare(world, "now", "now").await;
    assert_eq!((same.new.total, same.fixed.total, same.still_there), (0, 0, 2));
}

pub(crate) async fn compare(world: &World, audit_id: &str, earlier: &str) -> AuditDifference {
    let records = world.records();
    let audit = async |audit_id: &str| {
        records.audit(&acme(), audit_id).await.expect("the store answers").expect("it is there")
    };
    let (audit, earlier) = (audit(audit_id).await, audit(earlier).await);
    records.compare_audits(&acme(), &audit, &earlier, 5).await.expect("the store answers")
}

async fn few_texts_of_a_partial_audit_replace_nothing(world: &World) {
    let texts = |count: usize, name: &str| -> Vec<PageText> {
        (0..count).map(|number| text(&format!("https://a/{name}/{number}"), true)).collect()
    };
    let partial = |count, name: &str| AuditChange::KeepPartialTexts {
        site: "https://a".into(),
        texts: texts(count, name),
    };
    let stored = async || own_texts(world, ALL).await.texts;
    // Without stored texts, a partial audit is better than nothing.
    commit(world, [partial(2, "first")]).await;
    assert_eq!(stored().await, texts(2, "first"));
    commit(world, [keep("https://a", texts(9, "full"))]).await;
    commit(world, [partial(4, "few")]).await;
    assert_eq!(stored().await, texts(9, "full"));
    commit(world, [partial(5, "many")]).await;
    assert_eq!(stored().await, texts(5, "many"));
}

fn text(url: &str, is_own: bool) -> PageText {
    PageText { url: url.into(), title: Some("T".into()), text: "words".into(), is_own }
}

fn keep(site: &str, texts: Vec<PageText>) -> AuditChange {
    AuditChange::KeepTexts { site: site.into(), texts }
}

/// An audit and an analysis end at the same time.
async fn concurrent_writes_of_a_sites_texts_do_not_mix(world: &World) {
    for round in 0..10 {
        let urls_of = |who: u32| [1, 2].map(|number| format!("https://a/{round}/{who}/{number}"));
        let kept = (0..4).map(|who| {
            let texts = urls_of(who).iter().map(|url| text(url, true)).collect();
            let (records, change) = (world.records(), Change::Audits(keep("https://a", texts)));
            async move { records.commit(&acme(), &[change], None, NOW).await.expect("it commits") }
        });
        at_once(kept).await;
        let texts = own_texts(world, ALL).await.texts;
        let urls: Vec<&str> = texts.iter().map(|text| text.url.as_str()).collect();
        assert!((0..4).any(|who| urls_of(who) == *urls), "round {round}: {urls:?}");
    }
}

async fn texts_of_a_site_replace_the_previous_ones(world: &World) {
    commit(world, [keep("https://a", vec![text("https://a/1", true), text("https://a/2", true)])]).await;
    commit(world, [keep("https://0", vec![text("https://0/1", false)])]).await;
    commit(world, [keep("https://a", vec![PageText { text: "a\0b".into(), ..text("https://a/3", true) }])])
        .await;
    let own = own_texts(world, ALL).await;
    assert_eq!(own.texts, [PageText { text: "ab".into(), ..text("https://a/3", true) }]);
    let others = PageTextQuery { is_own: false, ..ALL };
    let others = world.records().page_texts(&acme(), others).await.expect("the store answers");
    assert_eq!(others.texts, [text("https://0/1", false)]);
    assert!(!own.is_limited && !others.is_limited);
}

const ALL: PageTextQuery = PageTextQuery { is_own: true, max_texts: 100, max_bytes: 1_000 };

async fn own_texts(world: &World, query: PageTextQuery) -> PageTexts {
    world.records().page_texts(&acme(), query).await.expect("the store answers")
}

async fn number_and_size_of_texts_are_limited(world: &World) {
    let page = |url: &str, words: &str| PageText { text: words.into(), ..text(url, true) };
    let texts = |site: &str| {
        let long = ["äöü", "x", "xxxxxxxxxx"];
        (1..).zip(long).map(|(number, words)| page(&format!("{site}/{number}"), words)).collect::<Vec<_>>()
    };
    commit(world, [keep("https://a", texts("https://a")), keep("https://b", texts("https://b"))]).await;
    let limited = async |max_texts, max_bytes| {
        let found = own_texts(world, PageTextQuery { is_own: true, max_texts, max_bytes }).await;
        let urls: Vec<String> = found.texts.into_iter().map(|text| text.url).collect();
        (urls.join(" "), found.is_limited)
    };
    let all = "https://a/1 https://b/1 https://a/2 https://b/2 https://a/3 https://b/3";
    assert_eq!(limited(6, 34).await, (all.to_owned(), false));
    // The first pages of all sites come first.
    assert_eq!(limited(3, 34).await, ("https://a/1 https://b/1 https://a/2".to_owned(), true));
    // The first two texts have six bytes each.
    assert_eq!(limited(6, 12).await, ("https://a/1 https://b/1".to_owned(), true));
    assert_eq!(limited(6, 5).await, (String::new(), true));
    assert!(limited(6, 33).await.1);
}

async fn audits_of_another_brand_are_not_listed(world: &World) {
    let records = world.records();
    let error = issue(Code::Http4xx, Severity::Error, "https://acme.example/", "");
    let texts = vec![PageText { url: "u".into(), title: None, text: "t".into(), is_own: true }];
    let keep = AuditChange::KeepTexts { site: "https://a".into(), texts };
    commit(world, [AuditChange::Add(audit("audit_1")), finished("audit_1", vec![error]), keep]).await;
    assert_eq!(records.audit(&umbrella(), "audit_1").await, Ok(None));
    assert_eq!(records.audits(&umbrella(), None, 10).await.map(|page| page.total), Ok(0));
    let filter = IssueFilter::default();
    assert_eq!(records.issue_groups(&umbrella(), "audit_1", &filter, 3).await, Ok(Vec::new()));
    assert_eq!(records.issues(&umbrella(), "audit_1", &filter, None, 3).await.map(|page| page.total), Ok(0));
    assert_eq!(records.page_texts(&umbrella(), ALL).await, Ok(PageTexts::default()));
}
