//! What a new process must know of what was acknowledged by those before it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::client::{Client, KeyState, MadeKey, assert_written};
use crate::support::{Api, answered};

/// Looks at everything that has changed since the last time, and settles what was left open.
pub(super) async fn everything_new(api: &Api, clients: &mut [Client]) {
    for client in clients {
        for key in client.keys.iter_mut().filter(|key| !key.verified) {
            verify_key(api, key).await;
        }
        for post in client.posts.iter_mut().filter(|post| !post.answered) {
            let answer = answered(post.request(api)).await;
            if answer.status == 409 {
                assert_eq!(answer.code(), "in_progress", "{answer:?}");
                continue;
            }
            assert_written(&answer);
            post.answered = true;
        }
    }
}

async fn verify_key(api: &Api, key: &mut MadeKey) {
    let answer = api.with(&key.api_key).tools().await;
    match (key.state, answer.status) {
        (KeyState::Active, 200) => {}
        (KeyState::Revoked, 401) => assert_eq!(answer.code(), "key_invalid", "{answer:?}"),
        // Whether it happened is known from now on, and must stay so.
        (KeyState::Unknown, 200) => key.state = KeyState::Active,
        (KeyState::Unknown, 401) => key.state = KeyState::Revoked,
        _ => panic!("an acknowledged change was lost: {key:?} answers {answer:?}"),
    }
    key.verified = true;
}

/// Looks at everything there ever was, once more.
pub(super) async fn everything_at_last(api: &Api, clients: &[Client]) {
    let (mut active, mut revoked) = (0, 0);
    for key in clients.iter().flat_map(|client| &client.keys) {
        let answer = api.with(&key.api_key).tools().await;
        match key.state {
            KeyState::Active => active += 1,
            KeyState::Revoked => revoked += 1,
            KeyState::Unknown => panic!("every key was settled: {key:?}"),
        }
        let wanted = if key.state == KeyState::Active { 200 } else { 401 };
        assert_eq!(answer.status, wanted, "{key:?} answers {answer:?}");
    }
    let posts = every_post_is_there_once(api, clients).await;
    every_key_has_its_record(api, clients).await;
    eprintln!("{active} keys are active, {revoked} are revoked, {posts} posts are there");
    assert!(active + revoked > 80 && revoked > 20 && posts > 15, "too little happened to show anything");
}

/// Sent once or sent again, acknowledged or not: each post is there, and none is there twice.
async fn every_post_is_there_once(api: &Api, clients: &[Client]) -> usize {
    let mut wanted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for post in clients.iter().flat_map(|client| &client.posts) {
        assert!(post.answered, "it never got an answer: {post:?}");
        wanted.entry(&post.brand).or_default().push(&post.text);
    }
    let mut all = 0;
    for (brand, mut texts) in wanted {
        let reader = json!({"label": "reader"});
        let reader = api.create_key(brand, &reader).await["api_key"].as_str().expect("a key").to_owned();
        let answer = api.with(&reader).call("list_posts", &json!({"limit": 100})).await.expect(200).json();
        let listing = &answer["structuredContent"];
        let items = listing["items"].as_array().expect("a list");
        let mut found: Vec<&str> = items.iter().filter_map(|post| post["text"].as_str()).collect();
        texts.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, texts, "the posts of {brand}");
        assert_eq!(listing["total"], texts.len(), "{listing}");
        all += texts.len();
    }
    all
}

/// A key and the record that it was made, or revoked, are committed together.
async fn every_key_has_its_record(api: &Api, clients: &[Client]) {
    let brands = clients.iter().flat_map(|client| &client.keys).map(|key| key.brand.as_str());
    let mut brands: Vec<&str> = brands.collect();
    brands.sort_unstable();
    brands.dedup();
    for brand in brands {
        let keys =
            all_pages(api, &format!("/api/brands/{brand}/mcp-keys?include_revoked=true&limit=100"), "keys")
                .await;
        let ids = |values: &[Value]| {
            let mut ids: Vec<String> =
                values.iter().filter_map(|value| value["key_id"].as_str().map(str::to_owned)).collect();
            ids.sort_unstable();
            ids
        };
        let revoked: Vec<Value> = keys.iter().filter(|key| key["status"] == "revoked").cloned().collect();
        for (kind, keys) in [("created", keys), ("revoked", revoked)] {
            let path = format!("/api/brands/{brand}/mcp-activity?kind={kind}&limit=200");
            let events = all_pages(api, &path, "events").await;
            assert_eq!(ids(&events), ids(&keys), "the events `{kind}` of {brand}");
        }
    }
}

async fn all_pages(api: &Api, path: &str, field: &str) -> Vec<Value> {
    let mut all = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = api.get(&format!("{path}{cursor}")).await.expect(200).json();
        all.extend(page[field].as_array().expect("a list").iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
}
