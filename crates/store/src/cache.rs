//! The standings of keys in memory, so that a request with a known key needs no SQL.
//!
//! An entry is dropped when its key, brand or plan changes, before the change is answered. No time limit stands
//! between a revoke and its effect.

use std::{
    collections::HashSet,
    hash::BuildHasherDefault,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::FromRow;
use svc_mcp_access::{
    BrandId, Names, PlanId, Timestamp,
    decision::{self, Stamps, Standing, Unavailable},
    key::KeyDigest,
    limiter::{DigestHasher, Lent, Limiter},
    tally::Tally,
};
use svc_mcp_tools::records::Profile;

use crate::{Store, engine::query, profiles::Profiles, stored, stored_tools};

const SHARDS: usize = 64;
/// Keys of the right shape that do not exist: remembered, so that sending one again costs no SQL, and bounded.
const UNKNOWN_PER_SHARD: usize = 65_536 / SHARDS;

/// How long looking for changes may take.
const LOOK: Duration = Duration::from_secs(1);
/// Where several instances share the store, what is remembered is trusted so long after the last look at what others
/// have changed. Shorter than an instance without Redis holds back the answer to a change, so that also one that stood
/// still, or could not look, has either seen the change or asks.
pub(crate) const TRUSTED_FOR: Duration = Duration::from_millis(1_500);
/// The store counts as answering so long after it did.
const ANSWERS_FOR: Duration = Duration::from_secs(2);

type Unknown = HashSet<KeyDigest, BuildHasherDefault<DigestHasher>>;

#[derive(Debug)]
pub(crate) struct Cache {
    /// What is known of the keys in use, each beside its window.
    pub(crate) keys: Limiter,
    unknown: Box<[Mutex<Unknown>]>,
    profiles: Profiles,
    /// Names that many keys have in common are kept once.
    names: Names,
    /// Moves on with every change. What was read before a change must not be kept after it.
    generation: AtomicU64,
    /// The access version this cache has heard of.
    version: AtomicI64,
    began: Instant,
    /// When the last look at the access version that succeeded was begun, in microseconds since `began`.
    looked: AtomicU64,
    /// Look-ups that found the key, and those of keys that the roll rules out: counted here and told twice a second,
    /// since there is one with every request.
    hits: AtomicU64,
    ruled_out: AtomicU64,
}

/// What a change was about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Changed<'a> {
    Brand(&'a BrandId),
    Plan(&'a PlanId),
}

impl Default for Cache {
    fn default() -> Self {
        Self {
            keys: Limiter::default(),
            unknown: (0..SHARDS).map(|_| Mutex::default()).collect(),
            profiles: Profiles::default(),
            names: Names::default(),
            generation: AtomicU64::new(0),
            version: AtomicI64::new(-1),
            began: Instant::now(),
            looked: AtomicU64::new(0),
            hits: AtomicU64::new(0),
            ruled_out: AtomicU64::new(0),
        }
    }
}

impl Cache {
    fn unknown(&self, digest: &KeyDigest) -> MutexGuard<'_, Unknown> {
        self.unknown[digest.shard_of(SHARDS)].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It was looked for before, and does not exist.
    fn is_unknown(&self, digest: &KeyDigest) -> bool {
        self.unknown(digest).contains(digest)
    }

    /// Keeps what was read while `generation` was current, unless something has changed since.
    fn keep(&self, digest: &KeyDigest, standing: Option<&Arc<Standing>>, generation: u64) {
        let is_current = || self.generation.load(Ordering::SeqCst) == generation;
        if let Some(standing) = standing {
            return self.keys.keep(standing, is_current);
        }
        let mut unknown = self.unknown(digest);
        if !is_current() {
            return;
        }
        if unknown.len() >= UNKNOWN_PER_SHARD {
            unknown.clear();
        }
        unknown.insert(*digest);
    }

    pub(crate) fn forget(&self, digest: &KeyDigest) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.keys.let_go(digest);
        self.unknown(digest).remove(digest);
    }

    fn forget_changed(&self, changed: Changed<'_>) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.keys.let_go_where(|standing| match changed {
            Changed::Brand(brand) => standing.brand_id == *brand,
            Changed::Plan(plan) => standing.plan_id == *plan,
        });
        self.profiles.forget_changed(changed);
    }

    fn forget_everything(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.keys.let_go_where(|_| true);
        for unknown in &self.unknown {
            unknown.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        self.profiles.forget_everything();
        self.names.forget_everything();
    }

    fn looked_within(&self, span: Duration) -> bool {
        let looked = Duration::from_micros(self.looked.load(Ordering::SeqCst));
        self.began.elapsed().saturating_sub(looked) < span
    }

    /// To the metrics.
    fn tell(&self) {
        for (result, count) in [("hit", &self.hits), ("ruled_out", &self.ruled_out)] {
            let told = metrics::counter!("svc_mcp_cache_total", "result" => result);
            told.absolute(count.load(Ordering::Relaxed));
        }
        let told = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        metrics::gauge!("svc_mcp_cache_keys").set(told(self.keys.known_count()));
        metrics::gauge!("svc_mcp_limiter_windows").set(told(self.keys.windows()));
    }
}

#[derive(FromRow)]
struct StandingRow {
    key_id: String,
    brand_id: String,
    plan_id: String,
    created_by: String,
    scope: String,
    tools: Option<String>,
    expires_at: Option<i64>,
    revoked_at: Option<i64>,
    mcp_enabled: i64,
    owner_is_member: i64,
}

impl StandingRow {
    fn read(self, digest: &KeyDigest, stamps: Stamps) -> Result<Standing, sqlx::Error> {
        let tools = stored_tools(self.tools.as_deref())?;
        Ok(Standing {
            digest: *digest,
            window: Lent::default(),
            tally: Tally::default(),
            key_id: stored(&self.key_id, "key id")?,
            brand_id: stored(&self.brand_id, "brand id")?,
            plan_id: stored(&self.plan_id, "plan id")?,
            owner: stored(&self.created_by, "user id")?,
            scope: stored(&self.scope, "scope")?,
            tools: tools.map(|tools| tools.into_iter().collect()),
            expires_at: self.expires_at.map(Timestamp::from_millis),
            revoked: self.revoked_at.is_some(),
            owner_is_member: self.owner_is_member != 0,
            mcp_enabled: self.mcp_enabled != 0,
            stamps,
        })
    }
}

impl decision::Standings for Store {
    async fn standing(&self, digest: &KeyDigest) -> Result<Option<Arc<Standing>>, Unavailable> {
        if let Some(shared) = &self.shared {
            if shared.is_degraded() {
                // Nobody tells us of changes now, so nothing in memory can be trusted.
                return Box::pin(self.read_standing(digest, Stamps::default())).await;
            }
            if !self.standings.looked_within(TRUSTED_FOR) {
                return Box::pin(self.look_up(digest)).await;
            }
        }
        if let Some(standing) = self.standings.keys.known(digest) {
            self.standings.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(Some(standing));
        }
        // Several instances need Redis: without it nobody else creates keys.
        if self.shared.is_none() && self.is_not_on_roll(digest) {
            self.standings.ruled_out.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        if self.standings.is_unknown(digest) {
            metrics::counter!("svc_mcp_cache_total", "result" => "no_such_key").increment(1);
            return Ok(None);
        }
        // Boxed, as the other ways to the database: what is rare must not make the usual way heavy.
        Box::pin(self.look_up(digest)).await
    }

    async fn refreshed(&self, digest: &KeyDigest) -> Result<Option<Arc<Standing>>, Unavailable> {
        metrics::counter!("svc_mcp_cache_total", "result" => "stale").increment(1);
        self.standings.forget(digest);
        Box::pin(self.load_standing(digest)).await
    }
}

impl Store {
    /// What is not in memory: read, unless there is no such key.
    async fn look_up(&self, digest: &KeyDigest) -> Result<Option<Arc<Standing>>, Unavailable> {
        if self.shared.is_some() && self.is_nowhere(digest).await? {
            self.standings.ruled_out.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        metrics::counter!("svc_mcp_cache_total", "result" => "miss").increment(1);
        self.load_standing(digest).await
    }

    async fn load_standing(&self, digest: &KeyDigest) -> Result<Option<Arc<Standing>>, Unavailable> {
        let generation = self.standings.generation.load(Ordering::SeqCst);
        let mut standing = self.read_standing(digest, Stamps::default()).await?;
        let shared = self.shared.as_ref().filter(|shared| !shared.is_degraded());
        if let (Some(shared), Some(found)) = (shared, &standing)
            && let Some(stamps) = shared.stamps(&found.brand_id, &found.plan_id).await
        {
            // Read again behind the stamps: whoever changes it from here on changes the stamps too.
            standing = self.read_standing(digest, stamps).await?;
        }
        self.standings.keep(digest, standing.as_ref(), generation);
        if standing.is_none() {
            self.want_roll();
        }
        Ok(standing)
    }

    async fn read_standing(
        &self,
        digest: &KeyDigest,
        stamps: Stamps,
    ) -> Result<Option<Arc<Standing>>, Unavailable> {
        self.run("standing", async {
            let sql = "SELECT k.key_id, k.brand_id, b.plan_id, k.created_by, k.scope, k.tools, k.expires_at, k.revoked_at, \
                       p.mcp_enabled, CAST(CASE WHEN m.user_id IS NULL THEN 0 ELSE 1 END AS BIGINT) AS owner_is_member \
                       FROM keys k JOIN brands b ON b.brand_id = k.brand_id JOIN plans p ON p.plan_id = b.plan_id \
                       LEFT JOIN members m ON m.brand_id = k.brand_id AND m.user_id = k.created_by WHERE k.digest = $1";
            let row: Option<StandingRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(digest.as_bytes().as_slice())
                .fetch_optional(db)
                .await)?;
            let mut standing = row.map(|row| row.read(digest, stamps)).transpose()?;
            if let Some(standing) = &mut standing {
                self.standings.names.share(standing);
            }
            Ok(standing.map(Arc::new))
        })
        .await
    }

    /// The profile of the brand behind a standing that this request has just been admitted with.
    pub(crate) async fn profile_of(&self, standing: &Standing) -> Result<Arc<Profile>, Unavailable> {
        let shared = self.shared.as_ref();
        let is_trusted =
            shared.is_none_or(|shared| !shared.is_degraded() && self.standings.looked_within(TRUSTED_FOR));
        if is_trusted && let Some(profile) = self.standings.profiles.get(standing) {
            return Ok(profile);
        }
        let generation = self.standings.generation.load(Ordering::SeqCst);
        let profile = Arc::new(Box::pin(self.profile(&standing.brand_id)).await?);
        // A standing without stamps was read while Redis was away: nobody would tell that it has changed.
        if is_trusted && (shared.is_none() || standing.stamps != Stamps::default()) {
            let is_current = || self.standings.generation.load(Ordering::SeqCst) == generation;
            self.standings.profiles.keep(standing, &profile, is_current);
        }
        Ok(profile)
    }

    pub(crate) async fn profile(&self, brand: &BrandId) -> Result<Profile, Unavailable> {
        // A key's brand is never deleted, so its absence means that the store is not what it was.
        let (brand, plan) = self.brand(brand).await?.ok_or(Unavailable)?;
        let kept = self.channels(&brand.brand_id).await?;
        let channels = kept.into_iter().map(|kept| kept.channel).collect();
        let recipients = self.report_recipients(&brand.brand_id).await?;
        Ok(Profile { brand, plan, channels, recipients })
    }

    /// To be called after a change is committed and before it is answered.
    pub(crate) async fn changed(&self, what: Changed<'_>, version: i64) {
        self.standings.forget_changed(what);
        // Our own change is no news to us, unless someone else's came between.
        let _ =
            self.standings.version.compare_exchange(version - 1, version, Ordering::SeqCst, Ordering::SeqCst);
        if let Some(shared) = &self.shared {
            shared.announce(what).await;
        }
    }

    /// The same for a change whose transaction moved the version on by [`move_access_version`]: where it came to was not
    /// asked, so this process will look again, as if somebody else had made the change.
    pub(crate) async fn profile_changed(&self, brand: &BrandId) {
        let what = Changed::Brand(brand);
        self.standings.forget_changed(what);
        if let Some(shared) = &self.shared {
            shared.announce(what).await;
        }
    }

    /// Asks the store whether another process has changed access. To be called twice a second.
    pub async fn notice_changes(&self) -> Result<(), Unavailable> {
        self.standings.tell();
        let begun = self.standings.began.elapsed();
        let looking = Self::bounded("access_version", LOOK, self.watch.access_version());
        let version = looking.await.inspect_err(|_| {
            // Blind to what others change: nothing in memory can be trusted until the store answers again.
            self.standings.forget_everything();
        })?;
        if self.standings.version.swap(version, Ordering::SeqCst) != version {
            self.standings.forget_everything();
        }
        let begun = u64::try_from(begun.as_micros()).unwrap_or(u64::MAX);
        self.standings.looked.store(begun, Ordering::SeqCst);
        Ok(())
    }

    /// Whether the store answers. Costs it nothing: it is known from the looks at what has changed.
    pub fn answers(&self) -> bool {
        self.standings.looked_within(ANSWERS_FOR)
    }
}
