//! Who uses the service meanwhile: agents that write and read, people who make and revoke keys, an operator.

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
use svc_mcp_testkit::{Answer, Api, Key, cluster::Cluster, try_answered};
use tokio::task::JoinSet;

use crate::notes::Notes;

const WRITERS: usize = 3;
const KEYS_OF_A_WRITER: usize = 8;
const REVOKERS: usize = 2;
/// Unacknowledged keys stay behind, and a brand has 50 at most.
const BRANDS_OF_A_REVOKER: usize = 20;
const GREEDY: usize = 3;
/// How far ahead posts are scheduled: longer than most faults last.
const SCHEDULED_IN: Duration = Duration::from_secs(12);

/// What the load has done that must have lasted.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// Texts of posts that were acknowledged.
    pub(crate) posts: Vec<String>,
    /// Ids of keys whose revoke was acknowledged.
    pub(crate) revoked: Vec<String>,
    /// Ids of keys that were made, and not revoked.
    pub(crate) active: Vec<String>,
    /// Texts of posts that were sent again and again and never acknowledged.
    pub(crate) given_up: Vec<String>,
}

pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    workers: JoinSet<Loaded>,
}

/// What every worker has.
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
            for _ in 0..KEYS_OF_A_WRITER {
                keys.push(cluster.at(0).key(&brand, "write").await);
            }
            workers.spawn(worker(brand).write(keys));
        }
        for number in 0..REVOKERS {
            let mut brands = Vec::new();
            for part in 0..BRANDS_OF_A_REVOKER {
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
        workers.spawn(worker("person".into()).look());
        Self { stop, workers }
    }

    /// Lets everybody finish what they have begun.
    pub(crate) async fn stop(self) -> Loaded {
        self.stop.store(true, Ordering::SeqCst);
        let mut all = Loaded::default();
        for loaded in self.workers.join_all().await {
            all.posts.extend(loaded.posts);
            all.revoked.extend(loaded.revoked);
            all.active.extend(loaded.active);
            all.given_up.extend(loaded.given_up);
        }
        all
    }
}

impl Worker {
    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::SeqCst)
    }

    async fn pause(&mut self, millis: std::ops::Range<u64>) {
        let millis = self.random.random_range(millis);
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }

    async fn send(&self, what: &str, request: reqwest::RequestBuilder) -> Option<Answer> {
        let begun = Instant::now();
        let outcome = try_answered(request).await;
        self.notes.outcome(&format!("{} {what}", self.name), begun, outcome)
    }

    /// Posts, each sent with the same idempotency key until it is acknowledged.
    async fn write(mut self, keys: Vec<Key>) -> Loaded {
        let mut loaded = Loaded::default();
        let mut number = 0;
        let mut latest: Option<Timestamp> = None;
        while self.goes_on() {
            number += 1;
            let text = format!("{} {number}", self.name);
            let key = &keys[number % keys.len()];
            let mut draft = json!({"text": text, "channels": ["feed"]});
            if let Some(latest) = latest.filter(|_| number % 5 == 0) {
                draft["mode"] = "schedule".into();
                draft["scheduled_at"] = latest.plus(SCHEDULED_IN).to_string().into();
            }
            match self.write_once(key, &draft, &text).await {
                Some(result) if result["isError"] == false => {
                    let post = &result["structuredContent"]["post"];
                    latest = post["created_at"].as_str().and_then(|at| at.parse().ok());
                    loaded.posts.push(text);
                }
                // By the time it got through, its hour had passed.
                Some(result) if result["structuredContent"]["code"] == "post_invalid" => latest = None,
                Some(result) => self.notes.violation(format!("{} could not write: {result}", self.name)),
                None => loaded.given_up.push(text),
            }
            self.pause(20..120).await;
        }
        loaded
    }

    async fn write_once(&mut self, key: &Key, draft: &Value, text: &str) -> Option<Value> {
        let begun = Instant::now();
        let idempotency_key = text.replace(' ', "-");
        // A claim whose process died is free after a minute.
        while begun.elapsed() < Duration::from_secs(100) {
            let agent = self.balanced.with(&key.secret);
            match self.send("writes", agent.call_once("create_post", draft, &idempotency_key)).await {
                Some(answer) if answer.status == 200 => return Some(answer.json()),
                Some(answer) if matches!(answer.status, 409 | 429) => self.pause(300..600).await,
                Some(answer) => {
                    self.notes.violation(format!("{} was refused: {answer:?}", self.name));
                    return None;
                }
                None => self.pause(50..200).await,
            }
        }
        None
    }

    /// Keys, made and revoked. After the answer no instance may admit them.
    async fn revoke(mut self, brands: Vec<String>) -> Loaded {
        let mut loaded = Loaded::default();
        let mut round = 0;
        while self.goes_on() {
            round += 1;
            let brand = &brands[(round / 20) % brands.len()];
            let path = format!("/api/brands/{brand}/mcp-keys");
            let wish = json!({"label": "soak"});
            let made = self.send("makes a key", self.balanced.request(Method::POST, &path).json(&wish)).await;
            let Some(made) = made.filter(|made| made.status == 201) else {
                self.pause(50..200).await;
                continue;
            };
            let made = made.json();
            let text = |field: &str| made[field].as_str().unwrap_or_default().to_owned();
            let key = Key { brand: brand.clone(), key_id: text("key_id"), secret: text("api_key") };
            for instance in &self.instances {
                // Only so that it is remembered there. Who is broken does not matter here.
                let _ = try_answered(instance.with(&key.secret).tools_request()).await;
            }
            if round % 7 == 0 {
                loaded.active.push(key.key_id);
                continue;
            }
            let over = &self.instances[self.random.random_range(0..self.instances.len())];
            let revoked = try_answered(over.request(Method::DELETE, &key.path())).await;
            if !revoked.is_ok_and(|answer| answer.status == 204) {
                continue;
            }
            let mut calls = JoinSet::new();
            for instance in &self.instances {
                let request = instance.with(&key.secret).tools_request();
                calls.spawn(async move { try_answered(request).await });
            }
            for answer in calls.join_all().await.into_iter().flatten() {
                if answer.status == 200 {
                    self.notes
                        .violation(format!("{} was admitted after its revoke was answered", key.key_id));
                }
                self.notes.refused_after.fetch_add(u64::from(answer.status == 401), Ordering::SeqCst);
            }
            self.notes.revoked.fetch_add(1, Ordering::SeqCst);
            loaded.revoked.push(key.key_id);
            self.pause(10..100).await;
        }
        loaded
    }

    /// One key that is used far beyond its limit.
    async fn exceed(mut self, key: Key) -> Loaded {
        while self.goes_on() {
            let begun = Instant::now();
            let request = self.balanced.with(&key.secret).tools_request();
            match self.send("lists", request).await {
                Some(answer) if answer.status == 200 => self.notes.admitted(&key.key_id, begun, &answer),
                Some(answer) if answer.status == 429 => {}
                Some(answer) => self.notes.violation(format!("{} was refused: {answer:?}", self.name)),
                None => {}
            }
            self.pause(30..80).await;
        }
        Loaded::default()
    }

    /// A plan that is switched off and on: each time the very next request knows.
    async fn switch(mut self, keys: Vec<Key>) -> Loaded {
        let mut round = 0;
        while self.goes_on() {
            for (on, never) in [(false, 200), (true, 403)] {
                round += 1;
                let key = &keys[round % keys.len()];
                let over = self.random.random_range(0..self.instances.len());
                let plan = json!({"name": "Switched", "mcp_enabled": on});
                let request = self.instances[over].with(&self.operator);
                let request = request.request(Method::PUT, "/api/admin/plans/switched").json(&plan);
                if !try_answered(request).await.is_ok_and(|answer| answer.status == 200) {
                    continue;
                }
                for instance in &self.instances {
                    let answer = try_answered(instance.with(&key.secret).tools_request()).await;
                    if answer.is_ok_and(|answer| answer.status == never) {
                        let state = if on { "on" } else { "off" };
                        self.notes.violation(format!("{never} after the plan was switched {state}"));
                    }
                }
            }
            self.pause(200..800).await;
        }
        Loaded::default()
    }

    /// Somebody who looks at the Settings page all the time.
    async fn look(mut self) -> Loaded {
        while self.goes_on() {
            for path in ["/api/me", "/api/brands/writer-0/mcp-keys", "/api/brands/writer-0/mcp-activity"] {
                let answer = self.send(path, self.balanced.request(Method::GET, path)).await;
                if let Some(answer) = answer.filter(|answer| answer.status != 200) {
                    self.notes.violation(format!("{path}: {answer:?}"));
                }
            }
            self.pause(50..200).await;
        }
        Loaded::default()
    }
}
