//! A bloom filter over the digests of all keys, so that a key that does not exist costs no lookup. Its checksum is
//! public, so anybody can invent well-formed keys; they must not load the database.
//!
//! The filter takes two bytes for each key, and one in two thousand unknown keys is looked up all the same. It is built
//! when a lookup has found no key for the first time. A key that this process creates is inserted before the response.
//! Other instances create keys too: keys are numbered in the order of their commits. Before an instance rules a key out,
//! it reads the keys with a higher number than it has, once for all requests that wait. A rotated key gets a new number, so
//! that its new secret is read in the same way.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::RwLock;
use svc_mcp_access::{StoreError, key::KeyDigest};
use tokio::sync::Mutex;

use crate::{Store, engine::query, unreadable};

/// Keys for each query while the filter is built.
const BUILD_PAGE: i64 = 10_000;
/// New keys for each query.
const NEW_KEYS_PAGE: i64 = 1_000;
/// The filter has room for this many times the number of keys. When it is full, a larger one is built.
const GROWTH: usize = 2;
const MIN_CAPACITY: usize = 4_096;

/// The number of a key, its digest, and that of its old secret.
type NewKeyRow = (i64, Vec<u8>, Option<Vec<u8>>);

#[derive(Debug, Default)]
pub(crate) struct KeyBloom {
    filter: RwLock<Option<Filter>>,
    is_requested: AtomicBool,
    /// The number of updates that were started.
    updates: AtomicU64,
    last_update: Mutex<Update>,
}

/// A read of the keys that other instances have created.
#[derive(Debug, Default)]
struct Update {
    number: u64,
    succeeded: bool,
}

#[derive(Debug)]
struct Filter {
    bits: Box<[u64]>,
    keys: usize,
    /// Every key up to this number is in the filter.
    newest: i64,
    /// An incomplete filter takes in new keys, but rules out none.
    is_complete: bool,
}

impl KeyBloom {
    /// Whether the filter rules out this digest. Another instance may have created the key since.
    fn rules_out(&self, digest: &KeyDigest) -> bool {
        self.filter.read().as_ref().is_some_and(|filter| filter.is_complete && !filter.contains(digest))
    }

    fn newest(&self) -> Option<i64> {
        self.filter.read().as_ref().map(|filter| filter.newest)
    }

    /// `newest`: these are all keys up to this number.
    fn insert(&self, digests: &[KeyDigest], newest: i64) {
        let mut slot = self.filter.write();
        let Some(filter) = slot.as_mut() else { return };
        for digest in digests {
            filter.insert(digest);
        }
        filter.newest = filter.newest.max(newest);
        if filter.is_full() {
            // Until a larger filter is built, every key is looked up.
            *slot = None;
            self.is_requested.store(true, Ordering::Relaxed);
        }
    }
}

impl Filter {
    fn with_capacity_for(keys: usize, newest: i64) -> Self {
        // Sixteen bits for each key. A power of two, so that the words of a digest can be masked to places.
        let bits = (GROWTH * keys).max(MIN_CAPACITY).next_power_of_two().min(1 << 28) * 8;
        Self { bits: vec![0; bits / 64].into(), keys: 0, newest, is_complete: false }
    }

    fn is_full(&self) -> bool {
        self.keys > self.bits.len() * 8
    }

    /// A digest is uniformly distributed: its eight words of 32 bits serve as eight hashes.
    fn places(&self, digest: &KeyDigest) -> impl Iterator<Item = (usize, u64)> + use<> {
        let mask = self.bits.len() * 64 - 1;
        let words = *digest.as_bytes();
        (0..8).map(move |word| {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(&words[4 * word..4 * word + 4]);
            let place = u32::from_le_bytes(bytes) as usize & mask;
            (place / 64, 1 << (place % 64))
        })
    }

    fn contains(&self, digest: &KeyDigest) -> bool {
        self.places(digest).all(|(word, bit)| self.bits[word] & bit != 0)
    }

    fn insert(&mut self, digest: &KeyDigest) {
        for (word, bit) in self.places(digest) {
            self.bits[word] |= bit;
        }
        self.keys += 1;
    }
}

impl Store {
    /// Whether this key was neither created by this process nor there when the filter was built.
    pub(crate) fn is_ruled_out(&self, digest: &KeyDigest) -> bool {
        self.key_bloom.rules_out(digest)
    }

    /// The same, and no other instance has created the key by now.
    pub(crate) async fn is_ruled_out_everywhere(&self, digest: &KeyDigest) -> Result<bool, StoreError> {
        if !self.key_bloom.rules_out(digest) {
            return Ok(false);
        }
        self.update_key_filter().await?;
        Ok(self.key_bloom.rules_out(digest))
    }

    /// Call it after a new key is committed and before the response.
    pub(crate) fn add_to_key_filter(&self, digest: KeyDigest) {
        // Another process may have created keys with lower numbers, so `newest` does not move.
        self.key_bloom.insert(&[digest], 0);
    }

    /// Called when a lookup found no key: the next unknown key should cost no lookup.
    pub(crate) fn request_key_filter(&self) {
        self.key_bloom.is_requested.store(true, Ordering::Relaxed);
    }

    /// Adds every key that was committed before this call. Callers that arrive during an update wait for the next one,
    /// which serves all of them.
    async fn update_key_filter(&self) -> Result<(), StoreError> {
        let seen = self.key_bloom.updates.load(Ordering::SeqCst);
        let mut last = self.key_bloom.last_update.lock().await;
        if last.number <= seen {
            last.number = self.key_bloom.updates.fetch_add(1, Ordering::SeqCst) + 1;
            last.succeeded = false;
            while self.read_new_keys().await? {}
            last.succeeded = true;
        }
        if last.succeeded { Ok(()) } else { Err(StoreError::Unavailable) }
    }

    /// Returns whether there may be more.
    async fn read_new_keys(&self) -> Result<bool, StoreError> {
        let Some(newest) = self.key_bloom.newest() else { return Ok(false) };
        let rows = self
            .run("new_keys", async {
                let sql = "SELECT number, digest, old_digest FROM keys WHERE number > $1 AND number > 0 \
                           ORDER BY number LIMIT $2 + 0";
                let rows: Vec<NewKeyRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                    .bind(newest)
                    .bind(NEW_KEYS_PAGE)
                    .fetch_all(db)
                    .await)?;
                let newest = rows.last().map(|(number, ..)| *number);
                let digests = rows.iter().flat_map(|(_, digest, old)| [Some(digest), old.as_ref()]).flatten();
                let digests: Vec<KeyDigest> =
                    digests.map(|digest| parse_digest(digest)).collect::<Result<_, _>>()?;
                Ok((rows.len(), newest, digests))
            })
            .await?;
        let (rows, newest, digests) = rows;
        let Some(newest) = newest else { return Ok(false) };
        self.key_bloom.insert(&digests, newest);
        Ok(rows >= usize::try_from(NEW_KEYS_PAGE).unwrap_or(usize::MAX))
    }

    /// Builds the filter if it is needed, and adds the keys that other processes have created. Call it twice a second.
    pub async fn maintain_key_filter(&self) -> Result<(), StoreError> {
        if self.key_bloom.newest().is_none() {
            if !self.key_bloom.is_requested.swap(false, Ordering::Relaxed) {
                return Ok(());
            }
            let filter = self.build_key_filter().await.inspect_err(|_| self.request_key_filter())?;
            *self.key_bloom.filter.write() = Some(filter);
        }
        // Keys that were created during the build are added now. From here on, every new key is inserted.
        self.update_key_filter().await?;
        if let Some(filter) = self.key_bloom.filter.write().as_mut() {
            filter.is_complete = true;
        }
        Ok(())
    }

    async fn build_key_filter(&self) -> Result<Filter, StoreError> {
        // The number is read first: keys that are created during the build have a higher one and are read later.
        let (newest, keys): (i64, i64) = self
            .run_patiently("roll", async {
                let sql = "SELECT newest_key, (SELECT COUNT(*) + COUNT(old_digest) FROM keys) FROM access_version \
                           WHERE only_row = 1";
                query!(&self.engine, |db| sqlx::query_as(sql).fetch_one(db).await)
            })
            .await?;
        let mut filter = Filter::with_capacity_for(usize::try_from(keys).unwrap_or(0), newest);
        // The old secrets of rotated keys come second: a digest that becomes old during the build is in one of the two.
        for sql in [
            "SELECT digest FROM keys WHERE digest > $1 ORDER BY digest LIMIT $2 + 0",
            "SELECT old_digest FROM keys WHERE old_digest > $1 ORDER BY old_digest LIMIT $2 + 0",
        ] {
            self.add_digests(&mut filter, sql).await?;
        }
        Ok(filter)
    }

    /// Adds all digests of one column, in pages.
    async fn add_digests(&self, filter: &mut Filter, sql: &'static str) -> Result<(), StoreError> {
        let mut last = Vec::new();
        loop {
            let page: Vec<KeyDigest> = self
                .run_patiently("roll", async {
                    let rows: Vec<(Vec<u8>,)> = query!(&self.engine, |db| sqlx::query_as(sql)
                        .bind(&last)
                        .bind(BUILD_PAGE)
                        .fetch_all(db)
                        .await)?;
                    rows.iter().map(|(digest,)| parse_digest(digest)).collect()
                })
                .await?;
            for digest in &page {
                filter.insert(digest);
            }
            match page.last() {
                Some(digest) => last = digest.as_bytes().to_vec(),
                None => return Ok(()),
            }
        }
    }
}

pub(crate) fn parse_digest(bytes: &[u8]) -> Result<KeyDigest, sqlx::Error> {
    bytes.try_into().map(KeyDigest::from_bytes).map_err(|_| unreadable("digest"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: u32) -> KeyDigest {
        KeyDigest::of(&number.to_le_bytes())
    }

    #[test]
    fn filter_contains_every_key_and_few_others() {
        let mut filter = Filter::with_capacity_for(20_000, 0);
        (0..20_000).for_each(|number| filter.insert(&digest(number)));
        assert!((0..20_000).all(|number| filter.contains(&digest(number))));
        let unknown = (20_000..120_000).filter(|number| filter.contains(&digest(*number))).count();
        assert!(unknown < 200, "{unknown} of 100,000 unknown keys would be looked up");
    }

    #[test]
    fn full_filter_is_dropped_and_requested_again() {
        let filter = Filter { is_complete: true, ..Filter::with_capacity_for(0, 7) };
        let key_bloom = KeyBloom { filter: RwLock::new(Some(filter)), ..KeyBloom::default() };
        assert!(key_bloom.rules_out(&digest(1)));
        for number in 0..u32::try_from(MIN_CAPACITY).expect("small") {
            key_bloom.insert(&[digest(number)], 8);
        }
        assert!(!key_bloom.rules_out(&digest(1)) && key_bloom.newest() == Some(8));
        key_bloom.insert(&[digest(u32::MAX)], 9);
        assert!(key_bloom.newest().is_none() && key_bloom.is_requested.load(Ordering::Relaxed));
        assert!(!key_bloom.rules_out(&digest(70_000)), "without a filter no key is ruled out");
    }
}
