//! The cache of key states, so that a request with a cached key needs no SQL.
//!
//! An entry is dropped when its key, brand or plan changes, before the response to the change. A revoke is therefore
//! effective at once, not after a time limit.

use std::{
    collections::HashSet,
    hash::BuildHasherDefault,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::{Mutex, MutexGuard};
use sqlx_macros::FromRow;
use svc_mcp_access::{
    ApprovalRule, BrandId, StoreError, Timestamp,
    decision::{self, KeyState, RotatedSecret, Rotation, Stamps},
    key::KeyDigest,
    rate::WindowSlot,
    usage::UsageCounter,
};
use svc_mcp_tools::records::Profile;

use crate::{
    Store,
    access_change::{CACHE_TRUSTED_FOR, ChangeTarget},
    engine::query,
    id_interner::IdInterner,
    key_bloom::parse_digest,
    key_table::{DigestHasher, KeyTable},
    parse_column, parse_networks_column, parse_tools_column,
    profile_cache::ProfileCache,
    rejected,
};

const SHARDS: usize = 64;
/// Well-formed keys that do not exist are cached too, so that sending one again costs no SQL.
const MAX_UNKNOWN_PER_SHARD: usize = 65_536 / SHARDS;

const VERSION_TIMEOUT: Duration = Duration::from_secs(1);
/// How long after a successful read of the access version the store counts as answering.
const ANSWERS_FOR: Duration = Duration::from_secs(2);

type UnknownKeys = HashSet<KeyDigest, BuildHasherDefault<DigestHasher>>;

#[derive(Debug)]
pub(crate) struct KeyCache {
    pub(crate) keys: KeyTable,
    unknown: Box<[Mutex<UnknownKeys>]>,
    profiles: ProfileCache,
    ids: IdInterner,
    /// Increases with every change. What was read before a change must not be cached after it.
    generation: AtomicU64,
    /// The last access version that this process has seen.
    version: AtomicI64,
    started: Instant,
    /// When the last successful read of the access version started, in microseconds since `started`.
    version_read_at: AtomicU64,
    /// Counted here and exported twice a second, because a metrics counter would cost every request more.
    hits: AtomicU64,
    ruled_out: AtomicU64,
}

impl Default for KeyCache {
    fn default() -> Self {
        Self {
            keys: KeyTable::default(),
            unknown: (0..SHARDS).map(|_| Mutex::default()).collect(),
            profiles: ProfileCache::default(),
            ids: IdInterner::default(),
            generation: AtomicU64::new(0),
            version: AtomicI64::new(-1),
            started: Instant::now(),
            version_read_at: AtomicU64::new(0),
            hits: AtomicU64::new(0),
            ruled_out: AtomicU64::new(0),
        }
    }
}

impl KeyCache {
    fn unknown(&self, digest: &KeyDigest) -> MutexGuard<'_, UnknownKeys> {
        self.unknown[digest.shard_of(SHARDS)].lock()
    }

    /// A lookup has shown that this key does not exist.
    fn is_unknown(&self, digest: &KeyDigest) -> bool {
        self.unknown(digest).contains(digest)
    }

    /// Caches the result of a lookup that started at `generation`, unless something has changed since.
    fn insert(&self, digest: &KeyDigest, key_state: Option<&Arc<KeyState>>, generation: u64) {
        let is_current = || self.generation.load(Ordering::SeqCst) == generation;
        if let Some(key_state) = key_state {
            return self.keys.insert_if(key_state, is_current);
        }
        let mut unknown = self.unknown(digest);
        if !is_current() {
            return;
        }
        if unknown.len() >= MAX_UNKNOWN_PER_SHARD {
            unknown.clear();
        }
        unknown.insert(*digest);
    }

    pub(crate) fn evict(&self, digest: &KeyDigest) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.keys.evict(digest);
        self.unknown(digest).remove(digest);
    }

    /// Drops everything that a change of this process affects.
    pub(crate) fn apply(&self, target: &ChangeTarget, version: i64) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.keys.evict_if(|key_state| match target {
            ChangeTarget::Brand(brand) => key_state.brand_id == *brand,
            ChangeTarget::Plan(plan) => key_state.plan_id == *plan,
        });
        self.profiles.evict(target);
        // Our own change is not news, unless another process has made one in between.
        let _ = self.version.compare_exchange(version - 1, version, Ordering::SeqCst, Ordering::SeqCst);
    }

    fn clear(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.keys.evict_if(|_| true);
        for unknown in &self.unknown {
            unknown.lock().clear();
        }
        self.profiles.clear();
        self.ids.clear();
    }

    fn version_was_read_within(&self, span: Duration) -> bool {
        let read_at = Duration::from_micros(self.version_read_at.load(Ordering::SeqCst));
        self.started.elapsed().saturating_sub(read_at) < span
    }

    fn export_metrics(&self) {
        for (result, count) in [("hit", &self.hits), ("ruled_out", &self.ruled_out)] {
            let counter = metrics::counter!("svc_mcp_cache_total", "result" => result);
            counter.absolute(count.load(Ordering::Relaxed));
        }
        let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        metrics::gauge!("svc_mcp_cache_keys").set(number(self.keys.cached_keys()));
        metrics::gauge!("svc_mcp_limiter_windows").set(number(self.keys.windows()));
    }
}

/// Reads a [`KeyStateRow`]. A condition on `keys k` follows.
const KEY_STATE_QUERY: &str = "SELECT k.key_id, k.brand_id, b.plan_id, k.created_by, k.scope, k.tools, \
    k.expires_at, k.revoked_at, k.keeps_queued_work, k.paused_at, p.mcp_enabled, k.approval, b.approval_minimum, \
    CAST(CASE WHEN m.user_id IS NULL THEN 0 ELSE 1 END AS BIGINT) AS owner_is_member, \
    b.suspended_at, k.allowed_networks, \
    k.old_digest, k.old_until, k.old_ended_at, k.window_digest \
    FROM keys k JOIN brands b ON b.brand_id = k.brand_id JOIN plans p ON p.plan_id = b.plan_id \
    LEFT JOIN members m ON m.brand_id = k.brand_id AND m.user_id = k.created_by";

/// Reads the [`KeyStateRow`] of the key with the digest `$1`, which may be that of its old secret.
fn key_state_by_digest() -> String {
    format!("{KEY_STATE_QUERY} WHERE k.digest = $1 OR k.old_digest = $1")
}

/// Reads the [`KeyStateRow`] of the brand `$1` and the key `$2`.
pub(crate) fn key_state_by_id() -> String {
    format!("{KEY_STATE_QUERY} WHERE k.brand_id = $1 AND k.key_id = $2")
}

#[derive(FromRow)]
pub(crate) struct KeyStateRow {
    key_id: String,
    brand_id: String,
    plan_id: String,
    created_by: String,
    scope: String,
    tools: Option<String>,
    expires_at: Option<i64>,
    revoked_at: Option<i64>,
    keeps_queued_work: i64,
    paused_at: Option<i64>,
    mcp_enabled: i64,
    owner_is_member: i64,
    approval: String,
    approval_minimum: String,
    suspended_at: Option<i64>,
    old_digest: Option<Vec<u8>>,
    old_until: Option<i64>,
    old_ended_at: Option<i64>,
    window_digest: Option<Vec<u8>>,
    allowed_networks: Option<String>,
}

impl KeyStateRow {
    /// For a decision about a key that was found by its id. The decision does not look at the digest.
    pub(crate) fn decode_by_id(self) -> Result<KeyState, sqlx::Error> {
        self.decode(&KeyDigest::from_bytes([0; 32]), Stamps::default())
    }

    fn decode(self, digest: &KeyDigest, stamps: Stamps) -> Result<KeyState, sqlx::Error> {
        let tools = parse_tools_column(self.tools.as_deref())?;
        let own: ApprovalRule = parse_column(&self.approval, "approval rule")?;
        let of_brand = parse_column(&self.approval_minimum, "approval rule")?;
        let secret = match (self.old_digest.as_deref(), self.old_until, self.old_ended_at) {
            (Some(old), Some(until), None) if old == digest.as_bytes() => {
                RotatedSecret::Old { until: Timestamp::from_millis(until) }
            }
            (Some(old), ..) if old == digest.as_bytes() => RotatedSecret::Ended,
            _ => RotatedSecret::Current,
        };
        let window = self.window_digest.as_deref().map(parse_digest).transpose()?;
        Ok(KeyState {
            digest: *digest,
            window: WindowSlot::default(),
            usage: UsageCounter::default(),
            key_id: parse_column(&self.key_id, "key id")?,
            brand_id: parse_column(&self.brand_id, "brand id")?,
            plan_id: parse_column(&self.plan_id, "plan id")?,
            owner: parse_column(&self.created_by, "user id")?,
            scope: parse_column(&self.scope, "scope")?,
            tools: tools.map(|tools| tools.into_iter().collect()),
            expires_at: self.expires_at.map(Timestamp::from_millis),
            revoked: self.revoked_at.is_some(),
            keeps_queued_work: self.keeps_queued_work != 0,
            paused: self.paused_at.is_some(),
            owner_is_member: self.owner_is_member != 0,
            mcp_enabled: self.mcp_enabled != 0,
            brand_suspended: self.suspended_at.is_some(),
            approval: own.max(of_brand),
            allowed_networks: parse_networks_column(self.allowed_networks.as_deref())?,
            stamps,
            rotation: window.map(|window| Box::new(Rotation { window, secret })),
        })
    }
}

impl decision::KeySource for Store {
    async fn key_state(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyState>>, StoreError> {
        if let Some(redis) = &self.redis {
            if redis.is_degraded() {
                // Without Redis nobody reports changes, so the cache cannot be trusted.
                return Box::pin(self.read_key_state(digest, Stamps::default())).await;
            }
            if !self.key_cache.version_was_read_within(CACHE_TRUSTED_FOR) {
                return Box::pin(self.look_up(digest)).await;
            }
        }
        if let Some(key_state) = self.key_cache.keys.get(digest) {
            self.key_cache.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(Some(key_state));
        }
        // Several instances need Redis. Without it no other instance creates keys.
        if self.redis.is_none() && self.is_ruled_out(digest) {
            self.key_cache.ruled_out.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        if self.key_cache.is_unknown(digest) {
            metrics::counter!("svc_mcp_cache_total", "result" => "no_such_key").increment(1);
            return Ok(None);
        }
        // The rare paths are boxed, so that they do not enlarge the future of a cache hit.
        Box::pin(self.look_up(digest)).await
    }

    async fn reload(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyState>>, StoreError> {
        metrics::counter!("svc_mcp_cache_total", "result" => "stale").increment(1);
        self.key_cache.evict(digest);
        Box::pin(self.load_key_state(digest)).await
    }
}

impl Store {
    /// Reads the state of a key that is not cached, unless the bloom filter rules the key out.
    async fn look_up(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyState>>, StoreError> {
        if self.redis.is_some() && self.is_ruled_out_everywhere(digest).await? {
            self.key_cache.ruled_out.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        metrics::counter!("svc_mcp_cache_total", "result" => "miss").increment(1);
        self.load_key_state(digest).await
    }

    async fn load_key_state(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyState>>, StoreError> {
        let generation = self.key_cache.generation.load(Ordering::SeqCst);
        let mut key_state = self.read_key_state(digest, Stamps::default()).await?;
        let redis = self.redis.as_ref().filter(|redis| !redis.is_degraded());
        if let (Some(redis), Some(found)) = (redis, &key_state)
            && let Some(stamps) = redis.stamps(&found.brand_id, &found.plan_id).await
        {
            // Read again after the stamps: every later change also changes the stamps.
            key_state = self.read_key_state(digest, stamps).await?;
        }
        self.key_cache.insert(digest, key_state.as_ref(), generation);
        if key_state.is_none() {
            self.request_key_filter();
        }
        Ok(key_state)
    }

    async fn read_key_state(
        &self,
        digest: &KeyDigest,
        stamps: Stamps,
    ) -> Result<Option<Arc<KeyState>>, StoreError> {
        let queue = self.fair_queues.of_keys.get(digest);
        let _turn = queue.acquire().await.map_err(rejected)?;
        self.run("key_state", async {
            let sql = key_state_by_digest();
            let row: Option<KeyStateRow> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(digest.as_bytes().as_slice())
                    .fetch_optional(db)
                    .await)?;
            let mut key_state = row.map(|row| row.decode(digest, stamps)).transpose()?;
            if let Some(key_state) = &mut key_state {
                self.key_cache.ids.intern(key_state);
            }
            Ok(key_state.map(Arc::new))
        })
        .await
    }

    /// The profile of the brand of an admitted key.
    pub(crate) async fn profile_of(&self, key_state: &KeyState) -> Result<Arc<Profile>, StoreError> {
        let redis = self.redis.as_ref();
        let is_trusted = redis.is_none_or(|redis| {
            !redis.is_degraded() && self.key_cache.version_was_read_within(CACHE_TRUSTED_FOR)
        });
        if is_trusted && let Some(profile) = self.key_cache.profiles.get(key_state) {
            return Ok(profile);
        }
        let generation = self.key_cache.generation.load(Ordering::SeqCst);
        let profile = Arc::new(Box::pin(self.profile(&key_state.brand_id)).await?);
        // A key state without stamps was read while Redis was away, so a change would go unnoticed.
        if is_trusted && (redis.is_none() || key_state.stamps != Stamps::default()) {
            let is_current = || self.key_cache.generation.load(Ordering::SeqCst) == generation;
            self.key_cache.profiles.insert_if(key_state, &profile, is_current);
        }
        Ok(profile)
    }

    pub(crate) async fn profile(&self, brand: &BrandId) -> Result<Profile, StoreError> {
        // Brands are never deleted, so a key without its brand means damaged data.
        let (brand, plan) = self.brand(brand).await?.ok_or(StoreError::Internal)?;
        let channels = self.channels(&brand.brand_id).await?;
        let channels = channels.into_iter().map(|kept| kept.channel).collect();
        let recipients = self.report_recipients(&brand.brand_id).await?;
        Ok(Profile { brand, plan, channels, recipients })
    }

    /// Checks whether another process has changed access. Call it twice a second.
    pub async fn notice_changes(&self) -> Result<(), StoreError> {
        self.key_cache.export_metrics();
        let started = self.key_cache.started.elapsed();
        let version =
            self.bounded("access_version", VERSION_TIMEOUT, self.version_poller.access_version()).await;
        // If the version cannot be read, changes of others go unnoticed, so the cache cannot be trusted.
        let version = version.inspect_err(|_| self.key_cache.clear())?;
        if self.key_cache.version.swap(version, Ordering::SeqCst) != version {
            self.key_cache.clear();
        }
        let started = u64::try_from(started.as_micros()).unwrap_or(u64::MAX);
        self.key_cache.version_read_at.store(started, Ordering::SeqCst);
        Ok(())
    }

    /// Whether the store answers. It costs no query: `notice_changes` has asked recently.
    pub fn answers(&self) -> bool {
        self.key_cache.version_was_read_within(ANSWERS_FOR)
    }
}

#[cfg(test)]
mod tests {
    use svc_mcp_testkit::Postgres;

    use super::*;
    use crate::engine::Engine;

    const TEST_DATA: [&str; 3] = [
        "INSERT INTO plans (plan_id, name, mcp_enabled) VALUES ('pro', 'Pro', 1)",
        "INSERT INTO brands (brand_id, name, website, plan_id, competitors) VALUES ('acme', 'Acme', '', 'pro', '[]')",
        // Many keys, so that reading all of them would cost more than the indexes.
        "INSERT INTO keys (key_id, brand_id, created_by, label, scope, prefix, digest, created_at, old_digest) \
         SELECT 'key_' || n, 'acme', 'ada', '', 'read', '', decode(md5('a' || n), 'hex'), 0, decode(md5('b' || n), 'hex') \
         FROM generate_series(1, 20000) n",
    ];

    #[tokio::test]
    async fn lookup_uses_the_indexes_of_both_digests_on_sqlite() {
        let directory = tempfile::tempdir().expect("a directory");
        let engine = Engine::sqlite(&directory.path().join("store.db")).await.expect("the database opens");
        let Engine::Sqlite { readers, .. } = &engine else { panic!("SQLite") };
        let sql = format!("EXPLAIN QUERY PLAN {}", key_state_by_digest());
        let plan: Vec<(i64, i64, i64, String)> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind([0u8; 32].as_slice())
            .fetch_all(readers)
            .await
            .expect("a plan");
        let plan: Vec<String> = plan.into_iter().map(|(.., line)| line).collect();
        for index in ["sqlite_autoindex_keys_2 (digest=?)", "keys_by_old_digest (old_digest=?)"] {
            assert!(plan.iter().any(|line| line.contains(index)), "{index}: {plan:?}");
        }
        assert!(!plan.iter().any(|line| line.contains("SCAN")), "{plan:?}");
    }

    #[tokio::test]
    async fn lookup_uses_the_indexes_of_both_digests_on_postgresql() {
        let url = tokio::task::spawn_blocking(|| Postgres::shared().fresh_database()).await;
        let engine = Engine::postgres(&url.expect("a database"), 1).await.expect("the database opens");
        let Engine::Postgres { pool, .. } = &engine else { panic!("PostgreSQL") };
        for sql in TEST_DATA.into_iter().chain(["ANALYZE keys"]) {
            sqlx::query(sql).execute(pool).await.expect("the SQL runs");
        }
        let sql = format!("EXPLAIN {}", key_state_by_digest()).replace("$1", "decode(md5('a1'), 'hex')");
        let plan: Vec<String> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(pool).await.expect("a plan");
        for index in ["keys_digest_key", "keys_by_old_digest"] {
            assert!(plan.iter().any(|line| line.contains(index)), "{index}: {plan:#?}");
        }
        assert!(!plan.iter().any(|line| line.contains("Seq Scan on keys")), "{plan:#?}");
    }
}
