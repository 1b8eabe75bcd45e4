//! Analyses.

use serde_json::json;
use svc_mcp_tools::{
    Change, Records,
    analysis::{Analysis, AnalysisChange, AnalysisKind, AnalysisRecords, AnalysisRequest, AnalysisScope},
    jobs::WorkStatus,
};

use crate::{
    make::{NOW, acme, id, umbrella},
    world::World,
};

on_both_engines! {
    open_analysis_is_found_by_its_arguments,
    list_shows_what_an_analysis_is_about,
}

fn request(text: &str) -> AnalysisRequest {
    AnalysisRequest {
        kind: AnalysisKind::Content,
        url: None,
        text: Some(text.to_owned()),
        target_keywords: vec!["tea".into()],
        competitor_urls: Vec::new(),
        scope: None,
    }
}

fn analysis(analysis_id: &str, request: AnalysisRequest) -> Analysis {
    Analysis {
        analysis_id: analysis_id.into(),
        request,
        status: WorkStatus::Queued,
        result: None,
        failure: None,
        created_at: NOW,
        created_by_key: id("key_1"),
        finished_at: None,
    }
}

async fn commit(world: &World, change: AnalysisChange) {
    world.records().commit(&acme(), &[Change::Analyses(change)], None, NOW).await.expect("it commits");
}

async fn open_analysis_is_found_by_its_arguments(world: &World) {
    let records = world.records();
    let analysis = analysis("analysis_1", request("Green tea, \0 and é."));
    commit(world, AnalysisChange::Add(analysis.clone())).await;
    let same = &analysis.request;
    assert_eq!(records.open_analysis(&acme(), same).await, Ok(Some(analysis.clone())));
    assert_eq!(records.open_analysis(&umbrella(), same).await, Ok(None));
    for other in [
        request("Black tea."),
        AnalysisRequest { kind: AnalysisKind::BrandMentions, ..same.clone() },
        AnalysisRequest { target_keywords: Vec::new(), ..same.clone() },
        AnalysisRequest { text: None, scope: Some(AnalysisScope::Posts), ..same.clone() },
    ] {
        assert_eq!(records.open_analysis(&acme(), &other).await, Ok(None), "{other:?}");
    }
    let analysis_id = analysis.analysis_id;
    commit(world, AnalysisChange::Begin { analysis_id: analysis_id.clone() }).await;
    let running = records.open_analysis(&acme(), same).await.expect("the store answers");
    assert_eq!(running.map(|analysis| analysis.status), Some(WorkStatus::Running));
    commit(world, AnalysisChange::Finish { analysis_id, result: json!({}) }).await;
    assert_eq!(records.open_analysis(&acme(), same).await, Ok(None));
}

async fn list_shows_what_an_analysis_is_about(world: &World) {
    let site = AnalysisRequest { kind: AnalysisKind::Duplicates, text: None, ..request("") };
    let page = AnalysisRequest { url: Some("https://acme.example/tea".into()), text: None, ..request("") };
    let posts = AnalysisRequest { scope: Some(AnalysisScope::Posts), text: None, ..request("") };
    for (analysis_id, request) in [
        ("analysis_1", site),
        ("analysis_2", page),
        ("analysis_3", request("Tea \0 time")),
        ("analysis_4", posts),
    ] {
        commit(world, AnalysisChange::Add(analysis(analysis_id, request))).await;
    }
    let expected =
        [Some("the brand's published posts"), Some("Tea time"), Some("https://acme.example/tea"), None];
    let about = async || {
        let page = world.records().analyses(&acme(), None, None, 9).await.expect("the store answers");
        page.items.into_iter().map(|analysis| analysis.about).collect::<Vec<_>>()
    };
    assert_eq!(about().await, expected.map(|about| about.map(str::to_owned)));
    // Rows of an older version have no such column.
    world.raw.execute("UPDATE analyses SET about = NULL").await;
    assert_eq!(about().await, expected.map(|about| about.map(str::to_owned)));
}
