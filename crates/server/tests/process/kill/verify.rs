//! Compares the state after a restart with the acknowledged changes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::client::{Client, CreatedKey, KeyState, assert_written};
use crate::support::{Api, send};

/// Verifies the changes since the last restart, and repeats unanswered posts.
pub(super) async fn changes(api: &Api, clients: &mut [Client]) {
    for client in clients {
        for key in client.keys.iter_mut().filter(|key| !key.verified) {
            verify_key(api, key).await;
        }
        for post in client.posts.iter_mut().filter(|post| !post.answered) {
            let response = send(post.request(api)).await;
            if response.status == 409 {
                assert_eq!(response.code(), "in_progress", "{response:?}");
                continue;
            }
            assert_written(&response);
            post.answered = true;
        }
    }
}

async fn verify_key(api: &Api, key: &mut CreatedKey) {
    let response = api.with_bearer(&key.api_key).list_tools().await;
    match (key.state, response.status) {
        (KeyState::Active, 200) => {}
        (KeyState::Revoked, 401) => assert_eq!(response.code(), "key_invalid", "{response:?}"),
        // From now on the state is known, and must not change.
        (KeyState::Unknown, 200) => key.state = KeyState::Active,
        (KeyState::Unknown, 401) => key.state = KeyState::Revoked,
        _ => panic!("an acknowledged change was lost: {key:?} gets {response:?}"),
    }
    key.verified = true;
}

/// Verifies all keys, posts and activity.
pub(super) async fn all(api: &Api, clients: &[Client]) {
    let (mut active, mut revoked) = (0, 0);
    for key in clients.iter().flat_map(|client| &client.keys) {
        let response = api.with_bearer(&key.api_key).list_tools().await;
        match key.state {
            KeyState::Active => active += 1,
            KeyState::Revoked => revoked += 1,
            KeyState::Unknown => panic!("the state of this key was never verified: {key:?}"),
        }
        let wanted = if key.state == KeyState::Active { 200 } else { 401 };
        assert_eq!(response.status, wanted, "{key:?} gets {response:?}");
    }
    let posts = verify_posts(api, clients).await;
    verify_activity(api, clients).await;
    eprintln!("{active} active keys, {revoked} revoked keys, {posts} posts");
    assert!(
        active + revoked > 80 && revoked > 20 && posts > 15,
        "there was too little traffic for a meaningful test"
    );
}

/// Each post exists exactly once, whether it was repeated or not.
async fn verify_posts(api: &Api, clients: &[Client]) -> usize {
    let mut wanted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for post in clients.iter().flat_map(|client| &client.posts) {
        assert!(post.answered, "this post never got a response: {post:?}");
        wanted.entry(&post.brand).or_default().push(&post.text);
    }
    let mut total = 0;
    for (brand, mut texts) in wanted {
        let reader = json!({"label": "reader"});
        let reader = api.create_key(brand, &reader).await["api_key"].as_str().expect("a key").to_owned();
        let response = api
            .with_bearer(&reader)
            .call("list_posts", &json!({"limit": 100}))
            .await
            .expect_status(200)
            .json();
        let listing = &response["structuredContent"];
        let items = listing["items"].as_array().expect("a list");
        let mut found: Vec<&str> = items.iter().filter_map(|post| post["text"].as_str()).collect();
        texts.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, texts, "the posts of {brand}");
        assert_eq!(listing["total"], texts.len(), "{listing}");
        total += texts.len();
    }
    total
}

/// A change of a key and its activity record are committed together.
async fn verify_activity(api: &Api, clients: &[Client]) {
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

pub(super) async fn all_pages(api: &Api, path: &str, field: &str) -> Vec<Value> {
    let mut all = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = api.get(&format!("{path}{cursor}")).await.expect_status(200).json();
        all.extend(page[field].as_array().expect("a list").iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
}
