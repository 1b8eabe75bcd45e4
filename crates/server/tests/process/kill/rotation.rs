//! The service is killed while keys are rotated. After each restart a key has one or two secrets that work, never none, and
//! its creator can find the new one even if the response was lost.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::json;

use super::{Round, verify::all_pages};
use crate::support::{Api, Sandbox, try_send};

const KILLS: u32 = 52;
const PEOPLE: u32 = 4;
/// A key may send 60 requests a minute, so each person changes to a new key after this many rounds.
const ROUNDS_PER_KEY: u32 = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rotated_keys_survive_kills_on_sqlite() {
    rotated_keys_survive_kills(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rotated_keys_survive_kills_on_postgresql() {
    rotated_keys_survive_kills(Sandbox::postgres()).await;
}

/// A key, as far as its creator knows.
#[derive(Debug)]
struct RotatedKey {
    path: String,
    /// All secrets that were seen, oldest first.
    secrets: Vec<String>,
    /// Whether the secret before the last one works. `None`: a response was lost.
    old_works: Option<bool>,
    /// Whether the response to a rotation was lost.
    may_have_rotated: bool,
}

impl RotatedKey {
    async fn create(api: &Api) -> Self {
        let key = api.key("acme", "read").await;
        Self { path: key.path(), secrets: vec![key.secret], old_works: Some(false), may_have_rotated: false }
    }

    /// Returns whether the service has acknowledged a change.
    async fn rotate(&mut self, api: &Api, grace: u32) -> Result<bool, reqwest::Error> {
        let before = self.old_works.take();
        self.may_have_rotated = true;
        let request = api.request(Method::POST, &format!("{}/rotate", self.path));
        let response = try_send(request.json(&json!({"grace_seconds": grace}))).await?;
        // On a slow disk a write may be answered 503. Then its outcome is unknown, as after a kill.
        if response.status == 503 {
            return Ok(false);
        }
        self.may_have_rotated = false;
        if response.status == 409 {
            assert_eq!(response.code(), "already_rotating", "{response:?}");
            assert_ne!(before, Some(false), "{self:?}");
            self.old_works = Some(true);
            return Ok(false);
        }
        let rotated = response.expect_status(200).json();
        self.secrets.push(rotated["api_key"].as_str().expect("a secret").to_owned());
        self.old_works = Some(grace > 0);
        Ok(true)
    }

    async fn finish(&mut self, api: &Api) -> Result<bool, reqwest::Error> {
        self.old_works = None;
        let response = try_send(api.request(Method::POST, &format!("{}/rotate/finish", self.path))).await?;
        if response.status == 503 {
            return Ok(false);
        }
        response.expect_status(200);
        self.old_works = Some(false);
        Ok(true)
    }

    /// Changes the key until the service is killed.
    async fn work(mut self, api: Api, mut random: StdRng, round: Arc<Round>) -> Self {
        loop {
            let outcome = match random.random_range(0..5) {
                0 => self.rotate(&api, 0).await,
                1..3 => self.rotate(&api, 3_600).await,
                _ => self.finish(&api).await,
            };
            match outcome {
                Ok(acknowledged) => {
                    round.acknowledged.fetch_add(acknowledged.into(), Ordering::SeqCst);
                    // A rotation whose outcome is unknown is looked up after the restart.
                    if self.may_have_rotated {
                        self.look_up(&api).await;
                    }
                }
                Err(error) => {
                    let was_killed = round.killed.load(Ordering::SeqCst);
                    assert!(was_killed, "a request failed before the kill: {error:?}");
                    return self;
                }
            }
        }
    }

    /// Finds a secret whose response was lost.
    async fn look_up(&mut self, api: &Api) {
        let Ok(revealed) = try_send(api.request(Method::POST, &format!("{}/reveal", self.path))).await else {
            return;
        };
        if revealed.status == 503 {
            return;
        }
        let revealed = revealed.expect_status(200).json();
        let current = revealed["api_key"].as_str().expect("a secret");
        if self.secrets.last().is_some_and(|last| last != current) {
            assert!(self.may_have_rotated, "an acknowledged secret was replaced: {}", self.path);
            self.secrets.push(current.to_owned());
        }
        self.may_have_rotated = false;
    }

    /// Compares what works after a restart with what was acknowledged.
    async fn verify(&mut self, api: &Api) {
        self.look_up(api).await;
        assert!(!self.may_have_rotated, "the key cannot be revealed: {}", self.path);
        let key = api.get(&self.path).await.expect_status(200).json();
        let is_rotating = key["rotating_until"].is_string();
        if let Some(old_works) = self.old_works {
            assert_eq!(is_rotating, old_works, "an acknowledged change was lost: {key}");
        }
        self.old_works = Some(is_rotating);
        let mut newest_first = self.secrets.iter().rev();
        let current = newest_first.next().expect("at least one");
        assert!(current.starts_with(key["prefix"].as_str().expect("a prefix")), "{key}");
        api.with_bearer(current).list_tools().await.expect_status(200);
        for (age, old) in newest_first.enumerate().take(3) {
            let wanted = if age == 0 && is_rotating { 200 } else { 401 };
            let response = api.with_bearer(old).list_tools().await;
            assert_eq!(response.status, wanted, "secret {age} before the last one of {key}: {response:?}");
        }
    }

    /// Each new secret has one event, which was committed together with it.
    async fn verify_activity(&self, api: &Api) {
        let path = format!("{}/activity?kind=rotated&limit=200", self.path);
        let events = all_pages(api, &path, "events").await;
        assert_eq!(events.len(), self.secrets.len() - 1, "{}", self.path);
    }
}

async fn rotated_keys_survive_kills(sandbox: Sandbox) {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let sandbox = sandbox.with("SVC_MANAGEMENT_LIMIT", "0");
    sandbox.add_brand("acme", "ada");
    let token = sandbox.run_ok(&["token", "--user", "ada", "--ttl", "1d"]);
    let (mut keys, mut rotations): (Vec<RotatedKey>, usize) = (Vec::new(), 0);
    for round in 0..KILLS {
        let service = sandbox.serve(&[]);
        let api = service.api(&token).keep_alive();
        for key in &mut keys {
            key.verify(&api).await;
        }
        if round % ROUNDS_PER_KEY == 0 {
            rotations += end(&api, keys.drain(..)).await;
            for _ in 0..PEOPLE {
                keys.push(RotatedKey::create(&api).await);
            }
        }
        let current = Arc::new(Round::default());
        let people: Vec<_> = keys
            .drain(..)
            .map(|key| {
                let random = StdRng::seed_from_u64(random.random());
                tokio::spawn(key.work(api.clone(), random, Arc::clone(&current)))
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(random.random_range(1..=60))).await;
        // On a busy machine no request may be acknowledged yet.
        current.wait_for_acknowledged(random.random_range(1..=6)).await;
        current.killed.store(true, Ordering::SeqCst);
        service.kill();
        for person in people {
            keys.push(person.await.expect("a person fails only by the kill"));
        }
    }
    let service = sandbox.serve(&[]);
    let api = service.api(&token).keep_alive();
    for key in &mut keys {
        key.verify(&api).await;
    }
    rotations += end(&api, keys.drain(..)).await;
    eprintln!("{rotations} rotations and {KILLS} kills");
    assert!(rotations > 50, "there was too little traffic for a meaningful test");
    service.stop();
}

/// Verifies the activity of these keys, revokes them, and returns the number of their rotations.
async fn end(api: &Api, keys: impl Iterator<Item = RotatedKey>) -> usize {
    let mut rotations = 0;
    for key in keys {
        key.verify_activity(api).await;
        rotations += key.secrets.len() - 1;
        api.delete(&key.path).await.expect_status(204);
        for secret in key.secrets.iter().rev().take(2) {
            api.with_bearer(secret).list_tools().await.expect_status(401);
        }
    }
    rotations
}
