//! Keyword research, and the import of keyword lists.

use std::sync::{Arc, Mutex};

use axum::{Json, Router, http::HeaderMap, routing::post};
use serde_json::{Value, json};

use crate::{
    audits::app_for,
    support::{AppOptions, BRAND, OTHER_BRAND, Reply, Site, TestApp},
};

const KEYWORD_PLANNER: &[u8] = include_bytes!("../../../tools/tests/keywords/fixtures/keyword_planner.csv");
const SEARCH_CONSOLE: &[u8] = include_bytes!("../../../tools/tests/keywords/fixtures/search_console.csv");
pub(crate) const AHREFS: &[u8] = include_bytes!("../../../tools/tests/keywords/fixtures/ahrefs.csv");
pub(crate) const SEMRUSH: &[u8] = include_bytes!("../../../tools/tests/keywords/fixtures/semrush.csv");

const HOME: &str = "<html lang=en><title>Acme Coffee</title><h1>Coffee beans, roasted for you</h1><p>We roast coffee beans in \
    small batches. Our coffee beans come from farms that we know by name, and we send fresh coffee beans every Monday.</p>\
    <h2>How to choose coffee beans</h2><p>Light roasts are bright, dark roasts are bold.</p>";
const RIVAL: &str = "<html lang=en><title>Cold brew by Globex</title><h1>Coffee beans for cold brew</h1><p>Our coffee beans for \
    cold brew are ground coarse. Cold brew coffee beans need time.</p><a href=/faq>Questions</a>";
const RIVAL_FAQ: &str = "<html lang=en><title>Questions</title><h1>Questions</h1><h2>How long do coffee beans last?</h2><p>Coffee \
    beans for cold brew last a month.</p>";

impl TestApp {
    pub(crate) async fn import(&self, user: &str, file: &[u8]) -> Reply {
        let path = format!("/api/brands/{BRAND}/keyword-imports");
        let sending = self.post(&path).bearer(&self.token(user)).header("content-type", "text/csv");
        sending.body(file.to_vec()).await
    }

    pub(crate) async fn search(&self, key: &str, arguments: Value) -> Reply {
        self.call(key, "keyword_research_search", arguments).await
    }
}

pub(crate) fn keywords(result: &Value) -> Vec<&str> {
    result["items"].as_array().unwrap().iter().map(|row| row["keyword"].as_str().unwrap()).collect()
}

pub(crate) fn row<'a>(result: &'a Value, keyword: &str) -> &'a Value {
    let rows = result["items"].as_array().unwrap();
    rows.iter().find(|row| row["keyword"] == keyword).unwrap_or_else(|| panic!("no {keyword} in {result}"))
}

#[tokio::test]
async fn exported_lists_of_each_tool_are_imported() {
    let app = TestApp::new().await;
    for (file, tool, rows, skipped) in [
        (KEYWORD_PLANNER, "keyword_planner", 6, 0),
        (SEARCH_CONSOLE, "search_console", 6, 0),
        (AHREFS, "ahrefs", 5, 0),
        (SEMRUSH, "semrush", 4, 1),
    ] {
        let reply = app.import("ada", file).await.expect_status(201);
        let body = &reply.body;
        assert_eq!(
            (&body["tool"], &body["rows"], &body["skipped"]),
            (&json!(tool), &json!(rows), &json!(skipped))
        );
        assert_eq!((&body["replaced"], &body["imported_by"]), (&json!(false), &json!("ada")));
        let id = body["import_id"].as_str().unwrap();
        assert_eq!(reply.header("location"), format!("/api/brands/{BRAND}/keyword-imports/{id}"));
    }
    let path = format!("/api/brands/{BRAND}/keyword-imports");
    let list = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
    let tools: Vec<&str> = list.body["imports"]
        .as_array()
        .unwrap()
        .iter()
        .map(|import| import["tool"].as_str().unwrap())
        .collect();
    assert_eq!(tools.len(), 4);
    assert!(tools.contains(&"semrush"), "{tools:?}");
}

#[tokio::test]
async fn invalid_rows_are_reported_with_their_lines() {
    let app = TestApp::new().await;
    let reply = app.import("ada", SEMRUSH).await.expect_status(201);
    assert_eq!(
        reply.body["first_problems"],
        json!([{"line": 6, "message": "has a volume that is not a valid number: `lots`"}])
    );
}

#[tokio::test]
async fn same_file_replaces_its_import_and_a_deleted_one_is_not_used() {
    let app = TestApp::new().await;
    let first = app.import("ada", SEMRUSH).await.expect_status(201);
    let again = app.import("ada", SEMRUSH).await.expect_status(201);
    assert_eq!((&again.body["replaced"], &again.body["import_id"]), (&json!(true), &first.body["import_id"]));
    let key = app.key("write").await;
    let arguments = json!({"seeds": ["coffee beans"], "source": "imported"});
    assert_eq!(app.search(&key, arguments.clone()).await.result()["total"], 3, "the rows are not doubled");
    let path = format!("/api/brands/{BRAND}/keyword-imports/{}", first.body["import_id"].as_str().unwrap());
    app.delete(&path).bearer(&app.token("ada")).send().await.expect_status(204);
    app.delete(&path).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");
    let reply = app.search(&key, arguments).await;
    assert_eq!(reply.body["structuredContent"]["code"], "no_keyword_imports");
}

#[tokio::test]
async fn file_that_is_not_a_list_is_refused() {
    let app = TestApp::new().await;
    let reply = app.import("ada", b"Name;Price\nmug;3\n").await.expect_problem(422, "invalid_request");
    assert_eq!(reply.faulty_fields(), ["body"]);
    for part in [
        "Name, Price",
        "Top queries, Clicks",
        "Avg. monthly searches",
        "Parent Keyword",
        "Competitive Density",
    ] {
        assert!(reply.text.contains(part), "{part}: {}", reply.text);
    }
    app.import("ada", b"PK\x03\x04").await.expect_problem(422, "invalid_request");
    app.import("ada", &vec![b'x'; 5 * 1024 * 1024 + 1]).await.expect_problem(413, "too_large");
    app.import("ben", SEMRUSH).await.expect_problem(403, "not_admin");
    let path = format!("/api/brands/{BRAND}/keyword-imports");
    let ada = app.token("ada");
    app.post(&path).bearer(&ada).json(&json!({})).await.expect_problem(415, "unsupported_media_type");
    let others = format!("/api/brands/{OTHER_BRAND}/keyword-imports");
    app.get(&others).bearer(&ada).send().await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn brand_has_at_most_twenty_lists() {
    let app = TestApp::new().await;
    let list = |number: u32| format!("Query,Clicks,Impressions\ntea {number},1,2\n");
    for number in 0..20 {
        app.import("ada", list(number).as_bytes()).await.expect_status(201);
    }
    app.import("ada", list(20).as_bytes()).await.expect_problem(409, "import_limit_reached");
    app.import("ada", list(7).as_bytes()).await.expect_status(201);
}

#[tokio::test]
async fn search_uses_pages_posts_competitors_and_lists() {
    let (site, rival) =
        (Site::with(&[("/", HOME)]).await, Site::with(&[("/", RIVAL), ("/faq", RIVAL_FAQ)]).await);
    let app = app_for(&[&site, &rival]).await;
    let key = app.key("write").await;
    app.import("ada", AHREFS).await.expect_status(201);
    let text = json!({"text": "Single origin coffee beans are back.", "channels": ["feed"], "mode": "now"});
    app.call(&key, "create_post", text).await.result();
    let reply = app.search(&key, json!({"seeds": ["coffee beans"], "limit": 100})).await;
    let result = reply.result();
    let search = &result["search"];
    assert_eq!(
        (&search["language"], &search["match"], &search["source"]),
        (&json!("en"), &json!("broad"), &json!("auto"))
    );
    assert_eq!(
        search["read"],
        json!({"own_pages": 1, "own_posts": 1, "competitor_pages": 2, "imported_rows": 5, "provider_rows": 0})
    );
    let seed = row(result, "coffee beans");
    assert_eq!(seed["sources"], json!(["own_pages", "own_posts", "competitor_pages", "ahrefs"]));
    assert_eq!((&seed["volume"], &seed["intent"]), (&json!(86_000), &json!("informational")));
    let gap = row(result, "coffee beans for cold brew");
    assert_eq!(
        (&gap["gap"], &gap["volume"], &gap["sources"]),
        (&json!(true), &Value::Null, &json!(["competitor_pages"]))
    );
    assert!(gap["found_on"].to_string().contains(&rival.url));
    let question = row(result, "how long do coffee beans last");
    assert_eq!((&question["is_question"], &question["question"]), (&json!(true), &json!("how")));
    assert_eq!(row(result, "buy coffee beans")["intent"], "transactional");
    assert!(search["gaps"].to_string().contains("cold brew"));
    assert!(search["notes"].to_string().contains("run_audit"), "{}", search["notes"]);
    // Pages are cached: the next search sends no request.
    let requests = rival.request_count("/");
    app.search(&key, json!({"seeds": ["cold brew"]})).await.result();
    assert_eq!(rival.request_count("/"), requests);
}

#[tokio::test]
async fn search_respects_robots_txt() {
    let rival = Site::with(&[("/", RIVAL), ("/faq", RIVAL_FAQ)]).await;
    rival.put("/robots.txt", 200, "User-agent: *\nDisallow: /faq\n");
    let site = Site::with(&[("/", HOME)]).await;
    let app = app_for(&[&site, &rival]).await;
    let reply =
        app.search(&app.key("write").await, json!({"seeds": ["coffee beans"], "source": "corpus"})).await;
    assert_eq!(reply.result()["search"]["read"]["competitor_pages"], 1);
    assert_eq!(rival.request_count("/faq"), 0);
}

#[tokio::test]
async fn unreachable_competitor_is_a_note() {
    let site = Site::with(&[("/", HOME)]).await;
    let app = app_for(&[&site]).await;
    // Nothing listens there, and the address is not allowed.
    app.put_sites(&site.url, &["http://127.0.0.1:9"]).await;
    let reply = app.search(&app.key("write").await, json!({"seeds": ["coffee beans"]})).await;
    assert!(
        reply.result()["search"]["notes"].to_string().contains("127.0.0.1:9 could not be read"),
        "{}",
        reply.text
    );
    assert!(!keywords(reply.result()).is_empty());
}

#[tokio::test]
async fn search_can_be_paged_sorted_and_filtered() {
    let app = TestApp::new().await;
    for file in [AHREFS, SEMRUSH, KEYWORD_PLANNER] {
        app.import("ada", file).await.expect_status(201);
    }
    let key = app.key("write").await;
    let arguments = json!({"seeds": ["beans"], "source": "imported", "limit": 2});
    let reply = app.search(&key, arguments).await;
    let made = reply.result().clone();
    let total = made["total"].as_u64().unwrap();
    assert_eq!((keywords(&made).len(), made["search"]["keywords"].as_u64()), (2, Some(total)));
    let read = app.key("read").await;
    let id = made["search"]["search_id"].clone();
    let get = async |more: Value| {
        let mut arguments = json!({"search_id": id, "limit": 3});
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        app.call(&read, "get_keyword_search", arguments).await.result().clone()
    };
    let mut all = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let page = get(if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) }).await;
        all.extend(keywords(&page).into_iter().map(str::to_owned));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(all.len() as u64, total);
    assert_eq!(all[..2], keywords(&made));
    let volumes = get(json!({"sort": "volume", "limit": 100})).await;
    let volumes: Vec<Option<u64>> = volumes["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["volume_range"].is_null())
        .map(|row| row["volume"].as_u64())
        .collect();
    assert!(volumes.windows(2).all(|pair| pair[0] >= pair[1]), "{volumes:?}");
    assert!(volumes.contains(&None), "unknown volumes are included");
    let many = get(json!({"min_volume": 10_000})).await;
    assert!(many["items"].as_array().unwrap().iter().all(|row| row["volume"].as_u64() >= Some(10_000)));
    assert!(many["total"].as_u64().unwrap() < total);
    let easiest = get(json!({"sort": "difficulty", "limit": 1})).await;
    assert_eq!(easiest["items"][0]["difficulty"], 38.0);
    let alphabet = get(json!({"sort": "keyword", "limit": 100})).await;
    assert!(keywords(&alphabet).is_sorted());
    let listed = app.call(&read, "list_keyword_searches", json!({})).await;
    let listed = listed.result();
    assert_eq!((&listed["total"], &listed["items"][0]["search_id"]), (&json!(1), &id));
    assert_eq!(listed["items"][0]["seeds"], json!(["beans"]));
}

#[tokio::test]
async fn search_without_data_fails_with_a_code() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for (arguments, code) in [
        (json!({"seeds": ["tea"], "source": "imported"}), "no_keyword_imports"),
        (json!({"seeds": ["tea"], "source": "provider"}), "no_keyword_provider"),
    ] {
        let reply = app.search(&key, arguments).await;
        assert_eq!(reply.body["structuredContent"]["code"], code, "{}", reply.text);
    }
    let reply = app.call(&key, "get_keyword_search", json!({"search_id": "search_none"})).await;
    assert_eq!(reply.body["structuredContent"]["code"], "keyword_search_not_found");
    for (arguments, field) in [
        (json!({"seeds": []}), "seeds"),
        (json!({"seeds": ["?!"]}), "seeds[0]"),
        (json!({"seeds": ["x".repeat(81)]}), "seeds[0]"),
        (json!({"seeds": vec!["x"; 21]}), "seeds"),
        (json!({"seeds": ["x"], "language": "english"}), "language"),
        (json!({"seeds": ["x"], "country": "usa"}), "country"),
        (json!({"seeds": ["x"], "match": "exact"}), "match"),
    ] {
        let reply = app.search(&key, arguments).await.expect_problem(422, "invalid_arguments");
        assert_eq!(reply.faulty_fields(), [field], "{}", reply.text);
    }
    let wrong = json!({"search_id": "search_1", "cursor": "x"});
    let reply = app.call(&key, "get_keyword_search", wrong).await.expect_problem(422, "invalid_arguments");
    assert_eq!(reply.faulty_fields(), ["cursor"]);
}

/// Results with the longest possible values stay within the size limit.
#[tokio::test]
async fn no_result_is_too_large() {
    let app = TestApp::new().await;
    let row = |number| format!("tea {number} {},Commercial,{number},50", "\\茶 ".repeat(60));
    let rows: Vec<String> = (0..600).map(row).collect();
    let file = format!("Keyword,Intent,Volume,Keyword Difficulty\n{}\n", rows.join("\n"));
    app.import("ada", file.as_bytes()).await.expect_status(201);
    let key = app.key("write").await;
    let seeds: Vec<String> = (0..20)
        .map(|number| format!("tea {}", "茶".repeat(60 + number % 16)))
        .chain(["tea".into()])
        .skip(1)
        .collect();
    let arguments = json!({"seeds": seeds, "source": "imported", "language": "en", "limit": 100});
    let reply = app.search(&key, arguments).await;
    let result = reply.result();
    assert_eq!(result["total"], 500);
    assert!(keywords(result).len() > 10 && !result["next_cursor"].is_null());
    for _ in 0..34 {
        app.search(&key, json!({"seeds": seeds, "source": "imported", "language": "en", "limit": 1}))
            .await
            .result();
    }
    let (mut shown, mut pages, mut arguments) = (0, 0, json!({"limit": 100}));
    while pages == 0 || !arguments["cursor"].is_null() {
        let listed = app.call(&key, "list_keyword_searches", arguments.clone()).await;
        shown += listed.result()["items"].as_array().unwrap().len();
        arguments["cursor"] = listed.result()["next_cursor"].clone();
        pages += 1;
    }
    assert_eq!(shown, 35);
    assert!(pages > 1, "long pages are split");
}

/// A provider that records its requests and sends this response.
async fn provider(response: Value) -> (String, Arc<Mutex<Vec<(HeaderMap, Value)>>>) {
    let asked: Arc<Mutex<Vec<(HeaderMap, Value)>>> = Arc::default();
    let seen = Arc::clone(&asked);
    let router = Router::new().route(
        "/keywords",
        post(move |headers: HeaderMap, Json(body): Json<Value>| {
            seen.lock().unwrap().push((headers, body));
            async move { Json(response) }
        }),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/keywords", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, asked)
}

async fn app_with_provider(url: &str) -> TestApp {
    let arguments =
        vec![format!("--keyword-provider-url={url}"), "--keyword-provider-token=a-hidden-token".to_owned()];
    TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await
}

#[tokio::test]
async fn rows_of_a_provider_are_validated() {
    let rows = json!({"rows": [
        {"keyword": "green tea", "volume": 90, "difficulty": 12, "cpc": 0.4, "currency": "USD", "competition": 0.2},
        {"keyword": "matcha", "volume": null, "intent": "commercial", "more": "is ignored"},
        {"keyword": "tea", "volume": -3},
        {"volume": 3},
    ]});
    let (url, asked) = provider(rows).await;
    let app = app_with_provider(&url).await;
    let arguments = json!({"seeds": ["green tea"], "source": "provider", "language": "en", "country": "US"});
    let reply = app.search(&app.key("write").await, arguments).await;
    let result = reply.result();
    assert_eq!(keywords(result), ["green tea", "matcha"]);
    let tea = row(result, "green tea");
    assert_eq!(
        (&tea["volume"], &tea["currency"], &tea["country"], &tea["sources"]),
        (&json!(90), &json!("USD"), &json!("us"), &json!(["provider"]))
    );
    assert_eq!(
        (&row(result, "matcha")["volume"], &row(result, "matcha")["intent"]),
        (&Value::Null, &json!("commercial"))
    );
    assert!(result["search"]["notes"].to_string().contains("2 rows"), "{}", reply.text);
    let (headers, body) = asked.lock().unwrap()[0].clone();
    assert_eq!(headers["authorization"], "Bearer a-hidden-token");
    assert_eq!(
        body,
        json!({"seeds": ["green tea"], "language": "en", "country": "us", "match": "broad", "limit": 500})
    );
}

#[tokio::test]
async fn failed_provider_is_a_note_unless_it_is_the_only_source() {
    let (url, _) = provider(json!({"oops": "a-hidden-answer"})).await;
    let app = app_with_provider(&url).await;
    app.import("ada", SEMRUSH).await.expect_status(201);
    let site = Site::with(&[("/", HOME)]).await;
    app.put_sites(&site.url, &[]).await;
    let key = app.key("write").await;
    let reply = app.search(&key, json!({"seeds": ["coffee beans"]})).await;
    let notes = reply.result()["search"]["notes"].to_string();
    assert!(
        notes.contains("The keyword provider returned no keywords: its response is not the expected JSON"),
        "{notes}"
    );
    assert!(keywords(reply.result()).contains(&"best coffee beans"));
    let alone = app.search(&key, json!({"seeds": ["coffee beans"], "source": "provider"})).await;
    let failure = &alone.body["structuredContent"];
    assert_eq!((&failure["code"], &failure["retryable"]), (&json!("keyword_provider_failed"), &json!(true)));
    assert!(!reply.text.contains("a-hidden") && !alone.text.contains("a-hidden"));
}
