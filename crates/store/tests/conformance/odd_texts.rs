//! Texts with NUL, which PostgreSQL does not store. Both engines must behave alike, and none may fail with a store error.

use std::sync::Arc;

use serde_json::{Value, json};
use svc_mcp_access::{
    decision::{Caller, Catalog, KeySource},
    key::NewKey,
    rate::Rate,
};
use svc_mcp_store::{ActivityFilter, KeyFilter};
use svc_mcp_tools::{
    Call, Registry, ToolContext,
    execute::{ExecuteError, execute},
    net::{Guard, Outbound},
    page::Cursor,
};

use crate::{
    make::{NOW, acme},
    world::World,
};

on_both_engines! {
    call_with_a_nul_is_answered_or_invalid,
    cursor_with_a_nul_is_invalid_or_finds_nothing,
}

/// The outcome of a call: invalid arguments, or an answer.
async fn call(
    world: &World,
    key: &NewKey,
    tool: &str,
    arguments: Value,
) -> Result<&'static str, ExecuteError> {
    let Ok(prepared) = Registry::default().prepare(tool, arguments).await else {
        return Ok("refused as wrong");
    };
    let key_state = world.store.key_state(&key.digest).await.expect("the store answers").expect("known");
    let context = ToolContext {
        records: Arc::new(world.records()),
        entropy: world.entropy.clone(),
        public_url: "https://svc.example".into(),
        can_mail: false,
        outbound: Outbound::new(Guard::strict()).expect("a client"),
        cpu: svc_mcp_tools::CpuPool::default(),
        keyword_provider: None,
        search_slots: svc_mcp_tools::keywords::SearchSlots::default(),
        shutdown: tokio_util::sync::CancellationToken::new(),
        waits: Arc::default(),
    };
    let caller = Caller { key_state, rate: Rate::UNTOUCHED };
    let call = Call { caller, now: NOW, context: Arc::new(context) };
    execute(&call, prepared, None).await.map(|_| "answered")
}

async fn call_with_a_nul_is_answered_or_invalid(world: &World) {
    let key = world.key("acme").await;
    let cursor = Cursor { at: NOW, id: "post\0".into() }.encode();
    let post = |field: &str, value: Value| {
        let mut post = json!({"text": "t", "channels": ["feed"]});
        post[field] = value;
        ("create_post", post)
    };
    let mut unavailable = Vec::new();
    for (tool, arguments) in [
        ("get_post", json!({"post_id": "post\0"})),
        ("list_posts", json!({"channel": "feed\0"})),
        ("list_posts", json!({"cursor": cursor})),
        ("get_keyword_search", json!({"search_id": "search\0"})),
        ("list_keyword_searches", json!({"cursor": cursor})),
        ("keyword_research_search", json!({"seeds": ["tea\0"]})),
        post("text", json!("one\0two")),
        post("title", json!("one\0two")),
        post("link", json!("https://acme.example/\0")),
        post("channels", json!(["feed\0"])),
        post("media", json!([{"url": "https://acme.example/1.png", "alt": "one\0two"}])),
    ] {
        if let Err(error) = call(world, &key, tool, arguments.clone()).await {
            unavailable.push(format!("{tool} {arguments}: {error:?}"));
        }
    }
    assert!(unavailable.is_empty(), "{unavailable:#?}");
}

/// Cursors come from clients. Every cursor that `decode` accepts is passed to the database.
async fn cursor_with_a_nul_is_invalid_or_finds_nothing(world: &World) {
    world.key("acme").await;
    let after = Cursor::decode(&Cursor { at: NOW, id: "\0".into() }.encode());
    if after.is_some() {
        let filter = KeyFilter { after: after.clone(), limit: 10, ..KeyFilter::default() };
        assert!(world.store.keys(&acme(), &filter).await.is_ok(), "keys after {after:?}");
        let filter = ActivityFilter { after: after.clone(), limit: 10, ..ActivityFilter::default() };
        assert!(world.store.activity(&acme(), &filter).await.is_ok(), "activity after {after:?}");
    }
}
