//! What is stored of an ended audit: pages, fixes, and the comparison with another one.

use svc_mcp_tools::audit::{
    AuditChange, AuditRecords, AuditedPage, Code, ComparedScope, Fix, PageOverlap, PageQuery, PageSort,
    Severity, StatusRange, StopReason, Summary,
};

use crate::{
    audits::{audit, commit, compare, finished_with, issue, summary, visited},
    make::{acme, umbrella},
    world::World,
};

on_both_engines! {
    partial_audit_is_compared_on_common_pages,
    newest_full_audit_is_found,
    fixes_are_read_as_they_were_written,
    pages_of_an_audit_are_filtered_sorted_and_paged,
    page_is_known_by_visit_or_issue,
}

async fn partial_audit_is_compared_on_common_pages(world: &World) {
    let error = |code, url: &str| issue(code, Severity::Error, url, "");
    let full = vec![
        error(Code::TitleMissing, "/"),
        error(Code::TitleMissing, "/a"),
        // The partial audit did not visit it.
        error(Code::TitleMissing, "/b"),
        // The partial audit did not visit the target of the link.
        error(Code::BrokenInternalLink, "/"),
    ];
    let partial = vec![error(Code::TitleMissing, "/"), error(Code::HttpScheme, "/a")];
    let limited = Summary { end: StopReason::Limited, left_out: 1, ..summary() };
    let pages = |urls: &[&str]| urls.iter().map(|url| visited(url)).collect::<Vec<_>>();
    commit(
        world,
        [
            AuditChange::Add(audit("full")),
            finished_with("full", summary(), full, pages(&["/", "/a", "/b"])),
            AuditChange::Add(audit("partial")),
            finished_with("partial", limited.clone(), partial.clone(), pages(&["/", "/a"])),
            AuditChange::Add(audit("same_pages")),
            finished_with(
                "same_pages",
                limited,
                vec![error(Code::BrokenInternalLink, "/")],
                pages(&["/a", "/"]),
            ),
        ],
    )
    .await;
    let difference = compare(world, "partial", "full").await;
    assert_eq!(difference.scope, ComparedScope::CommonPages);
    assert_eq!(difference.overlap, PageOverlap { both: 2, only_new: 0, only_earlier: 1 });
    assert_eq!((difference.new.total, difference.new.errors), (1, 1));
    assert_eq!(difference.new.first, vec![error(Code::HttpScheme, "/a")]);
    assert_eq!((difference.fixed.total, difference.fixed.first), (1, vec![error(Code::TitleMissing, "/a")]));
    assert_eq!(difference.still_there, 1);
    let difference = compare(world, "same_pages", "partial").await;
    assert_eq!(difference.scope, ComparedScope::Everything);
    assert_eq!((difference.new.total, difference.fixed.total, difference.still_there), (1, 2, 0));
}

async fn newest_full_audit_is_found(world: &World) {
    let records = world.records();
    let newest = async |is_full| {
        let audit = records.newest_audit(&acme(), is_full).await.expect("the store answers");
        audit.map(|audit| audit.audit_id)
    };
    commit(world, [AuditChange::Add(audit("queued"))]).await;
    assert_eq!(newest(false).await, None);
    for (audit_id, end) in [
        ("audit_1", StopReason::Complete),
        ("audit_2", StopReason::Limited),
        ("audit_3", StopReason::TimedOut),
        ("audit_4", StopReason::Forbidden),
    ] {
        let finish = finished_with(audit_id, Summary { end, ..summary() }, Vec::new(), Vec::new());
        commit(world, [AuditChange::Add(audit(audit_id)), finish]).await;
        assert_eq!(newest(true).await.as_deref(), Some("audit_1"));
        assert_eq!(newest(false).await.as_deref(), Some(audit_id));
    }
    assert_eq!(records.newest_audit(&umbrella(), false).await, Ok(None));
}

async fn fixes_are_read_as_they_were_written(world: &World) {
    let fix = Fix {
        code: Code::Http4xx,
        also: vec![Code::BrokenInternalLink],
        issues: 2,
        pages_total: 2,
        pages: vec!["https://acme.example/é".into()],
        linked_from: vec!["https://acme.example/".into()],
        score_gain: 12.5,
    };
    let finish = AuditChange::Finish {
        audit_id: "audit_1".into(),
        summary: summary(),
        issues: Vec::new(),
        fixes: vec![fix.clone()],
        pages: Vec::new(),
    };
    commit(world, [AuditChange::Add(audit("audit_1")), finish, AuditChange::Add(audit("audit_2"))]).await;
    let records = world.records();
    assert_eq!(records.audit_fixes(&acme(), "audit_1").await, Ok(vec![fix]));
    assert_eq!(records.audit_fixes(&acme(), "audit_2").await, Ok(Vec::new()));
    assert_eq!(records.audit_fixes(&umbrella(), "audit_1").await, Ok(Vec::new()));
}

async fn pages_of_an_audit_are_filtered_sorted_and_paged(world: &World) {
    let page = |path: &str, status, title: &str, words, readability, issues| AuditedPage {
        url: format!("https://acme.example/{path}"),
        status,
        title: (!title.is_empty()).then(|| title.to_owned()),
        words,
        readability,
        language: Some("de".into()),
        issues,
        ..visited("")
    };
    let mut pages = vec![
        page("b_1", Some(200), "Über UNS", Some(300), Some(-4.5), 1),
        page("a", Some(200), "100 % coffee", Some(20), Some(60.0), 4),
        page("c", Some(404), "", None, None, 2),
        page("d", None, "", None, None, 0),
        page("B1", Some(301), "", None, None, 0),
    ];
    pages[3].failure = Some("it did not respond in time".into());
    pages[4].redirect_to = Some("https://acme.example/a".into());
    pages[2].errors = 1;
    let finish = finished_with("audit_1", summary(), Vec::new(), pages.clone());
    commit(world, [AuditChange::Add(audit("audit_1")), finish]).await;
    let records = world.records();
    let list = async |query: PageQuery| {
        let page =
            records.audited_pages(&acme(), "audit_1", &query, None, 10).await.expect("the store answers");
        assert_eq!((page.total, page.next), (page.items.len() as u64, None));
        let paths = page.items.iter().map(|page| page.url.trim_start_matches("https://acme.example/"));
        paths.collect::<Vec<_>>().join(" ")
    };
    let of = |status| PageQuery { status: Some(status), ..PageQuery::default() };
    assert_eq!(list(of(StatusRange::Between(200, 299))).await, "a b_1");
    assert_eq!(list(of(StatusRange::Between(404, 404))).await, "c");
    assert_eq!(list(of(StatusRange::NoResponse)).await, "d");
    let with = |text: &str| PageQuery { text: Some(text.into()), ..PageQuery::default() };
    assert_eq!(list(with("über uns")).await, "b_1");
    assert_eq!(list(with("0 %")).await, "a");
    // Not a wildcard.
    assert_eq!(list(with("B_1")).await, "b_1");
    assert_eq!(list(with("nowhere")).await, "");
    let by = |sort| PageQuery { sort, status: Some(StatusRange::Between(200, 499)), ..PageQuery::default() };
    assert!(list(by(PageSort::MostIssues)).await.starts_with("c a b_1"));
    assert!(list(by(PageSort::FewestWords)).await.starts_with("a b_1"));
    assert!(list(by(PageSort::HardestToRead)).await.starts_with("b_1 a"));
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let all = PageQuery::default();
        let page = records.audited_pages(&acme(), "audit_1", &all, cursor.as_ref(), 2).await;
        let page = page.expect("the store answers");
        assert_eq!(page.total, 5);
        seen.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    seen.sort_by(|a, b| a.url.cmp(&b.url));
    pages.sort_by(|a, b| a.url.cmp(&b.url));
    assert_eq!(seen, pages);
    let other = records.audited_pages(&umbrella(), "audit_1", &PageQuery::default(), None, 2).await;
    assert_eq!(other.map(|page| page.total), Ok(0));
}

async fn page_is_known_by_visit_or_issue(world: &World) {
    let robots = issue(Code::SitemapUrlBlocked, Severity::Warning, "/blocked", "");
    let finish = finished_with("audit_1", summary(), vec![robots], vec![visited("/a/"), visited("/b")]);
    commit(world, [AuditChange::Add(audit("audit_1")), finish]).await;
    let records = world.records();
    let known = async |spellings: &[&str]| {
        let spellings: Vec<String> = spellings.iter().map(|url| (*url).to_owned()).collect();
        records.known_url(&acme(), "audit_1", &spellings).await.expect("the store answers")
    };
    assert_eq!(known(&["/a", "/a/"]).await.as_deref(), Some("/a/"));
    assert_eq!(known(&["/b", "/a/"]).await.as_deref(), Some("/b"));
    assert_eq!(known(&["/blocked"]).await.as_deref(), Some("/blocked"));
    assert_eq!(known(&["/c", "/c/"]).await, None);
    assert_eq!(known(&[]).await, None);
    assert_eq!(records.known_url(&umbrella(), "audit_1", &["/b".to_owned()]).await, Ok(None));
}
