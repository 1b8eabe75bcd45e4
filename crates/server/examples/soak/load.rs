//! The load: agents that write and read, users who create and revoke keys, and an operator.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};
use svc_mcp_access::Timestamp;
use svc_mcp_testkit::{Api, ApiResponse, Key, cluster::Cluster, try_send};
use tokio::task::JoinSet;

use crate::notes::Notes;

const WRITERS: usize = 3;
const KEYS_PER_WRITER: usize = 8;
const REVOKERS: usize = 2;
/// Keys without a response are not revoked, and a brand has at most 50 keys.
const BRANDS_PER_REVOKER: usize = 20;
const GREEDY: usize = 3;
/// How far ahead posts are scheduled: longer than most faults.
const SCHEDULE_DELAY: Duration = Duration::from_secs(12);

/// The acknowledged changes, which must not be lost.
#[derive(Debug, Default)]
pub(crate) struct LoadResult {
    /// Texts of posts that were acknowledged.
    pub(crate) posts: Vec<String>,
    /// Ids of keys whose revoke was acknowledged.
    pub(crate) revoked: Vec<String>,
    /// Ids of keys that were created and not revoked.
    pub(crate) active: Vec<String>,
    /// Texts of posts that were never acknowledged.
    pub(crate) given_up: Vec<String>,
}

pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    workers: JoinSet<LoadResult>,
}

/// One client.
struct Worker {
    name: String,
    balanced: Api,
    instances: Vec<Api>,
    operator: String,
    notes: Arc<Notes>,
    stop: Arc<AtomicBool>,
    random: StdRng,
}

impl Load {
    pub(crate) async fn start(cluster: &Cluster, notes: &Arc<Notes>, random: &mut StdRng) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let mut workers = JoinSet::new();
        let mut worker = |name: String| Worker {
            name,
            balanced: cluster.balanced(),
            instances: (0..cluster.count()).map(|instance| cluster.at(instance)).collect(),
            operator: cluster.operator.clone(),
            notes: Arc::clone(notes),
            stop: Arc::clone(&stop),
            random: StdRng::seed_from_u64(random.random()),
        };
        for number in 0..WRITERS {
            let brand = format!("writer-{number}");
            cluster.add_brand(&brand, "steady").await;
            let mut keys = Vec::new();
            for _ in 0..KEYS_PER_WRITER {
                keys.push(cluster.at(0).key(&brand, "write").await);
            }
            workers.spawn(worker(brand).write(keys));
        }
        for number in 0..REVOKERS {
            let mut brands = Vec::new();
            for part in 0..BRANDS_PER_REVOKER {
                let brand = format!("revoker-{number}-{part}");
                cluster.add_brand(&brand, "steady").await;
                brands.push(brand);
            }
            workers.spawn(worker(format!("revoker-{number}")).revoke(brands));
        }
        cluster.add_brand("greedy", "steady").await;
        for number in 0..GREEDY {
            let key = cluster.at(0).key("greedy", "read").await;
            workers.spawn(worker(format!("greedy-{number}")).exceed(key));
        }
        cluster.add_brand("switched", "switched").await;
        let mut keys = Vec::new();
        for _ in 0..40 {
            keys.push(cluster.at(0).key("switched", "read").await);
        }
        workers.spawn(worker("operator".into()).switch(keys));
        workers.spawn(worker("person".into()).view_settings());
        Self { stop, workers }
    }

    /// Waits until all workers have finished their current request.
    pub(crate) async fn stop(self) -> LoadResult {
        self.stop.store(true, Ordering::SeqCst);
        let mut all = LoadResult::default();
        for result in self.workers.join_all().await {
            all.posts.extend(result.posts);
            all.revoked.extend(result.revoked);
            all.active.extend(result.active);
            all.given_up.extend(result.given_up);
        }
        all
    }
}

impl Worker {
    fn is_running(&self) -> bool {
        !self.stop.load(Ordering::SeqCst)
    }

    async fn pause(&mut self, millis: std::ops::Range<u64>) {
        let millis = self.random.random_range(millis);
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }

    async fn send(&self, what: &str, request: reqwest::RequestBuilder) -> Option<ApiResponse> {
        let started = Instant::now();
        let outcome = try_send(request).await;
        self.notes.add_outcome(&format!("{} {what}", self.name), started, outcome)
    }

    /// Creates posts. Each is sent with the same idempotency key until it is acknowledged.
    async fn write(mut self, keys: Vec<Key>) -> LoadResult {
        let mut result = LoadResult::default();
        let mut number = 0;
        let mut latest: Option<Timestamp> = None;
        while self.is_running() {
            number += 1;
            let text = format!("{} {number}", self.name);
            let key = &keys[number % keys.len()];
            let mut draft = json!({"text": text, "channels": ["feed"]});
            if let Some(latest) = latest.filter(|_| number % 5 == 0) {
                draft["mode"] = "schedule".into();
                draft["scheduled_at"] = latest.plus(SCHEDULE_DELAY).to_string().into();
            }
            match self.write_once(key, &draft, &text).await {
                Some(created) if created["isError"] == false => {
                    let post = &created["structuredContent"]["post"];
                    latest = post["created_at"].as_str().and_then(|at| at.parse().ok());
                    result.posts.push(text);
                }
                // The scheduled time had passed when the service received the post.
                Some(failed) if failed["structuredContent"]["code"] == "post_invalid" => latest = None,
                Some(failed) => self.notes.add_violation(format!("{} could not write: {failed}", self.name)),
                None => result.given_up.push(text),
            }
            self.pause(20..120).await;
        }
        result
    }

    async fn write_once(&mut self, key: &Key, draft: &Value, text: &str) -> Option<Value> {
        let started = Instant::now();
        let idempotency_key = text.replace(' ', "-");
        // The claim of a killed process expires after a minute.
        while started.elapsed() < Duration::from_secs(100) {
            let agent = self.balanced.with_bearer(&key.secret);
            match self
                .send("writes", agent.idempotent_call_request("create_post", draft, &idempotency_key))
                .await
            {
                Some(response) if response.status == 200 => return Some(response.json()),
                Some(response) if matches!(response.status, 409 | 429) => self.pause(300..600).await,
                Some(response) => {
                    self.notes.add_violation(format!("{} was refused: {response:?}", self.name));
                    return None;
                }
                None => self.pause(50..200).await,
            }
        }
        None
    }

    /// Creates and revokes keys. After the response no instance may admit them.
    async fn revoke(mut self, brands: Vec<String>) -> LoadResult {
        let mut result = LoadResult::default();
        let mut round = 0;
        while self.is_running() {
            round += 1;
            let brand = &brands[(round / 20) % brands.len()];
            let path = format!("/api/brands/{brand}/mcp-keys");
            let body = json!({"label": "soak"});
            let created =
                self.send("creates a key", self.balanced.request(Method::POST, &path).json(&body)).await;
            let Some(created) = created.filter(|created| created.status == 201) else {
                self.pause(50..200).await;
                continue;
            };
            let created = created.json();
            let key = Key::from_created(brand, &created);
            for instance in &self.instances {
                // Puts the key into the cache of each instance. Failures do not matter here.
                let _ = try_send(instance.with_bearer(&key.secret).list_tools_request()).await;
            }
            if round % 7 == 0 {
                result.active.push(key.key_id);
                continue;
            }
            let instance = &self.instances[self.random.random_range(0..self.instances.len())];
            let revoked = try_send(instance.request(Method::DELETE, &key.path())).await;
            if !revoked.is_ok_and(|response| response.status == 204) {
                continue;
            }
            let mut calls = JoinSet::new();
            for instance in &self.instances {
                let request = instance.with_bearer(&key.secret).list_tools_request();
                calls.spawn(async move { try_send(request).await });
            }
            for response in calls.join_all().await.into_iter().flatten() {
                if response.status == 200 {
                    self.notes.add_violation(format!(
                        "{} was admitted after its revoke was acknowledged",
                        key.key_id
                    ));
                }
                self.notes.refused_after.fetch_add(u64::from(response.status == 401), Ordering::SeqCst);
            }
            self.notes.revoked.fetch_add(1, Ordering::SeqCst);
            result.revoked.push(key.key_id);
            self.pause(10..100).await;
        }
        result
    }

    /// Uses one key far over its rate limit.
    async fn exceed(mut self, key: Key) -> LoadResult {
        while self.is_running() {
            let started = Instant::now();
            let request = self.balanced.with_bearer(&key.secret).list_tools_request();
            match self.send("lists", request).await {
                Some(response) if response.status == 200 => {
                    self.notes.add_admitted(&key.key_id, started, &response);
                }
                Some(response) if response.status == 429 => {}
                Some(response) => {
                    self.notes.add_violation(format!("{} was refused: {response:?}", self.name));
                }
                None => {}
            }
            self.pause(30..80).await;
        }
        LoadResult::default()
    }

    /// Switches a plan off and on. Each change must be effective for the next request.
    async fn switch(mut self, keys: Vec<Key>) -> LoadResult {
        let mut round = 0;
        while self.is_running() {
            for (on, forbidden) in [(false, 200), (true, 403)] {
                round += 1;
                let key = &keys[round % keys.len()];
                let chosen = self.random.random_range(0..self.instances.len());
                let plan = json!({"name": "Switched", "mcp_enabled": on});
                let request = self.instances[chosen].with_bearer(&self.operator);
                let request = request.request(Method::PUT, "/api/admin/plans/switched").json(&plan);
                if !try_send(request).await.is_ok_and(|response| response.status == 200) {
                    continue;
                }
                for instance in &self.instances {
                    let response = try_send(instance.with_bearer(&key.secret).list_tools_request()).await;
                    if response.is_ok_and(|response| response.status == forbidden) {
                        let state = if on { "on" } else { "off" };
                        self.notes.add_violation(format!("{forbidden} after the plan was switched {state}"));
                    }
                }
            }
            self.pause(200..800).await;
        }
        LoadResult::default()
    }

    /// Loads the data of the Settings page again and again.
    async fn view_settings(mut self) -> LoadResult {
        while self.is_running() {
            for path in ["/api/me", "/api/brands/writer-0/mcp-keys", "/api/brands/writer-0/mcp-activity"] {
                let response = self.send(path, self.balanced.request(Method::GET, path)).await;
                if let Some(response) = response.filter(|response| response.status != 200) {
                    self.notes.add_violation(format!("{path}: {response:?}"));
                }
            }
            self.pause(50..200).await;
        }
        LoadResult::default()
    }
}
