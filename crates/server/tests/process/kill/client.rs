//! One who creates keys, revokes keys and writes posts until the service is gone, and remembers every answer.

use std::sync::{Arc, atomic::Ordering};

use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::Round;
use crate::support::{Answer, Api, try_answered};

#[derive(Debug)]
pub(super) struct Client {
    pub(super) number: u32,
    random: StdRng,
    pub(super) keys: Vec<MadeKey>,
    pub(super) posts: Vec<SentPost>,
    sent: u32,
}

/// A key whose creation was acknowledged.
#[derive(Debug)]
pub(super) struct MadeKey {
    pub(super) brand: String,
    pub(super) key_id: String,
    pub(super) api_key: String,
    pub(super) state: KeyState,
    /// Whether a later process has shown that the state holds.
    pub(super) verified: bool,
    /// Requests made with it, which has 60 a minute.
    uses: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyState {
    Active,
    Revoked,
    /// The answer to its revocation was lost.
    Unknown,
}

#[derive(Debug)]
pub(super) struct SentPost {
    pub(super) brand: String,
    pub(super) api_key: String,
    pub(super) idempotency_key: String,
    pub(super) text: String,
    /// Whether an answer to it has come.
    pub(super) answered: bool,
}

impl SentPost {
    pub(super) fn request(&self, api: &Api) -> RequestBuilder {
        let call = json!({"name": "create_post", "arguments": {"text": self.text, "channels": ["feed"]}});
        let request = api.with(&self.api_key).request(Method::POST, "/mcp/v1/tools/call");
        request.header("Idempotency-Key", &self.idempotency_key).json(&call)
    }
}

impl Client {
    pub(super) fn new(number: u32, random: StdRng) -> Self {
        Self { number, random, keys: Vec::new(), posts: Vec::new(), sent: 0 }
    }

    /// Works until the service is killed.
    pub(super) async fn work(mut self, api: Api, brand: String, life: Arc<Round>) -> Self {
        loop {
            let done = match self.random.random_range(0..10) {
                0..5 => self.create(&api, &brand).await,
                5..8 => self.revoke(&api, &brand).await,
                _ => self.write(&api, &brand).await,
            };
            match done {
                Ok(acknowledged) => life.acknowledged.fetch_add(acknowledged, Ordering::SeqCst),
                Err(error) => {
                    assert!(life.killed.load(Ordering::SeqCst), "before the kill: {error:?}");
                    return self;
                }
            };
        }
    }

    async fn create(&mut self, api: &Api, brand: &str) -> Result<u32, reqwest::Error> {
        self.sent += 1;
        let wish = json!({"label": format!("key {} of {}", self.sent, self.number), "scope": "write"});
        let request = api.request(Method::POST, &format!("/api/brands/{brand}/mcp-keys")).json(&wish);
        let answer = try_answered(request).await?;
        if answer.status == 409 {
            assert_eq!(answer.code(), "key_limit_reached", "{answer:?}");
            return self.revoke(api, brand).await;
        }
        let key: Value = answer.expect(201).json();
        let text = |field: &str| key[field].as_str().expect("a text").to_owned();
        self.keys.push(MadeKey {
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
        let waiting =
            |key: &MadeKey| self.posts.iter().any(|post| !post.answered && post.api_key == key.api_key);
        let candidates: Vec<usize> = (0..self.keys.len())
            .filter(|index| {
                let key = &self.keys[*index];
                key.brand == brand && key.state == KeyState::Active && !waiting(key)
            })
            .collect();
        let Some(index) = candidates.choose(&mut self.random).copied() else { return Ok(0) };
        let key = &mut self.keys[index];
        (key.state, key.verified) = (KeyState::Unknown, false);
        let path = format!("/api/brands/{brand}/mcp-keys/{}", key.key_id);
        let answer = try_answered(api.request(Method::DELETE, &path)).await?;
        answer.expect(204);
        key.state = KeyState::Revoked;
        Ok(1)
    }

    async fn write(&mut self, api: &Api, brand: &str) -> Result<u32, reqwest::Error> {
        let usable =
            |key: &&mut MadeKey| key.brand == brand && key.state == KeyState::Active && key.uses < 30;
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
        let answer = try_answered(request).await?;
        assert_written(&answer);
        self.posts.last_mut().expect("just pushed").answered = true;
        Ok(1)
    }
}

pub(super) fn assert_written(answer: &Answer) {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json()["isError"], false, "{answer:?}");
}
