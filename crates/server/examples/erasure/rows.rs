//! A brand with many rows.

use serde_json::json;
use svc_mcp_testkit::{
    Api,
    hostile::{Engine, Installation},
};

/// Events, pages of audits and texts of pages.
pub(crate) const ROWS: usize = 100_000;
const EVENTS: usize = 70_000;
const PAGES: usize = 20_000;
const TEXTS: usize = ROWS - EVENTS - PAGES;

/// Creates the brand over the API, and its rows with SQL. Their time is in the future, so that none is deleted because of its age.
pub(crate) async fn fill(installation: &Installation, operator: &Api, brand: &str, engine: Engine) {
    let body = json!({"name": brand, "website": "https://large.example", "plan_id": "hostile"});
    operator.put(&format!("/api/admin/brands/{brand}"), &body).await.expect_status(200);
    let numbers = |count: usize| {
        format!(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})"
        )
    };
    // Two kilobytes, as of a short page.
    let text = match engine {
        Engine::Sqlite => "hex(randomblob(1000))",
        Engine::Postgres => "repeat(md5(n::text), 62)",
    };
    for insert in [
        format!(
            "{} INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, tool, outcome, latency_us) \
             SELECT '{brand}', 4000000000000 + n, 'evt_' || n, 'call', 'key_1', 'ada', 'get_post', 'ok', 900 FROM numbers",
            numbers(EVENTS)
        ),
        format!(
            "{} INSERT INTO audited_pages (brand_id, audit_id, position, url, status, title, issues, errors) \
             SELECT '{brand}', 'audit_1', n, 'https://large.example/page/' || n, 200, 'The title of page ' || n, 1, 0 \
             FROM numbers",
            numbers(PAGES)
        ),
        format!(
            "{} INSERT INTO page_texts (brand_id, site, position, url, title, text, is_own, fetched_at) \
             SELECT '{brand}', 'https://large.example', n, 'https://large.example/page/' || n, 'A title', {text}, 1, 1 \
             FROM numbers",
            numbers(TEXTS)
        ),
    ] {
        installation.execute(&insert).await;
    }
}
