//! A client that creates keys, revokes keys and writes posts until the service is killed. It records every response.

use std::sync::{Arc, atomic::Ordering};

use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::Round;
use crate::support::{Api, ApiResponse, try_send};

#[derive(Debug)]
pub(super) struct Client {
    pub(super) number: u32,
    random: StdRng,
    pub(super) keys: Vec<CreatedKey>,
    pub(super) posts: Vec<SentPost>,
    sent: u32,
}

/// A key whose creation was acknowledged.
#[derive(Debug)]
pub(super) struct CreatedKey {
    pub(super) brand: String,
    pub(super) key_id: String,
    pub(super) api_key: String,
    pub(super) state: KeyState,
    /// Whether the state was verified after a restart.
    pub(super) verified: bool,
    /// Requests with this key. The limit is 60 a minute.
    uses: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyState {
    Active,
    Revoked,
    /// The response to its revocation was lost.
    Unknown,
}

#[derive(Debug)]
pub(super) struct SentPost {
    pub(super) brand: String,
    pub(super) api_key: String,
    pub(super) idempotency_key: String,
    pub(super) text: String,
    /// Whether a response has arrived.
    pub(super) answered: bool,
}

impl SentPost {
    pub(super) fn request(&self, api: &Api) -> RequestBuilder {
        let call = json!({"name": "create_post", "arguments": {"text": self.text, "channels": ["feed"]}});
        let request = api.with_bearer(&self.api_key).request(Method::POST, "/mcp/v1/tools/call");
        request.header("Idempotency-Key", &self.idempotency_key).json(&call)
    }
}

impl Client {
    pub(super) fn new(number: u32, random: StdRng) -> Self {
        Self { number, random, keys: Vec::new(), posts: Vec::new(), sent: 0 }
    }

    /// Works until the service is killed.
    pub(super) async fn work(mut self, api: Api, brand: String, round: Arc<Round>) -> Self {
        loop {
            let outcome = match self.random.random_range(0..10) {
                0..5 => self.create(&api, &brand).await,
                5..8 => self.revoke(&api, &brand).await,
                _ => self.write(&api, &brand).await,
            };
            match outcome {
                Ok(acknowledged) => round.acknowledged.fetch_add(acknowledged, Ordering::SeqCst),
                Err(error) => {
                    assert!(
                        round.killed.load(Ordering::SeqCst),
                        "a request failed before the kill: {error:?}"
                    );
                    return self;
                }
            };
        }
    }

    async fn create(&mut self, api: &Api, brand: &str) -> Result<u32, reqwest::Error> {
        self.sent += 1;
        let body = json!({"label": format!("key {} of {}", self.sent, self.number), "scope": "write"});
        let request = api.request(Method::POST, &format!("/api/brands/{brand}/mcp-keys")).json(&body);
        let Some(response) = try_acknowledge(request).await? else { return Ok(0) };
        if response.status == 409 {
            assert_eq!(response.code(), "key_limit_reached", "{response:?}");
            return self.revoke(api, brand).await;
        }
        let key: Value = response.expect_status(201).json();
        let text = |field: &str| key[field].as_str().expect("a string").to_owned();
        self.keys.push(CreatedKey {
            brand: brand.to_owned(),
            key_id: text("key_id"),
            api_key: text("api_key"),
            state: KeyState::Active,
            verified: false,
            uses: 0,
        });
        Ok(1)
    }

    /// Revokes a key that no unanswered post depends on.
    async fn revoke(&mut self, api: &Api, brand: &str) -> Result<u32, reqwest::Error> {
        let has_unanswered_post =
            |key: &CreatedKey| self.posts.iter().any(|post| !post.answered && post.api_key == key.api_key);
        let candidates: Vec<usize> = (0..self.keys.len())
            .filter(|index| {
                let key = &self.keys[*index];
                key.brand == brand && key.state == KeyState::Active && !has_unanswered_post(key)
            })
            .collect();
        let Some(index) = candidates.choose(&mut self.random).copied() else { return Ok(0) };
        let key = &mut self.keys[index];
        (key.state, key.verified) = (KeyState::Unknown, false);
        let path = format!("/api/brands/{brand}/mcp-keys/{}", key.key_id);
        let request = api.request(Method::DELETE, &path);
        let Some(response) = try_acknowledge(request).await? else { return Ok(0) };
        response.expect_status(204);
        key.state = KeyState::Revoked;
        Ok(1)
    }

    async fn write(&mut self, api: &Api, brand: &str) -> Result<u32, reqwest::Error> {
        let usable =
            |key: &&mut CreatedKey| key.brand == brand && key.state == KeyState::Active && key.uses < 30;
        let Some(key) = self.keys.iter_mut().rev().find(usable) else { return Ok(0) };
        key.uses += 1;
        self.sent += 1;
        let post = SentPost {
            brand: brand.to_owned(),
            api_key: key.api_key.clone(),
            idempotency_key: format!("{}-{}", self.number, self.sent),
            text: format!("post {} of {}", self.sent, self.number),
            answered: false,
        };
        let request = post.request(api);
        self.posts.push(post);
        let Some(response) = try_acknowledge(request).await? else { return Ok(0) };
        assert_written(&response);
        self.posts.last_mut().expect("just pushed").answered = true;
        Ok(1)
    }
}

/// On a slow disk a write may be answered 503. Such a change is not acknowledged, like one whose response was lost.
async fn try_acknowledge(request: RequestBuilder) -> Result<Option<ApiResponse>, reqwest::Error> {
    let response = try_send(request).await?;
    Ok((response.status != 503).then_some(response))
}

pub(super) fn assert_written(response: &ApiResponse) {
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.json()["isError"], false, "{response:?}");
}
