//! The roll of all keys there are, so that one that does not exist costs no look-up: its checksum is no secret, and
//! whoever invents keys by the thousand must not load the database with them.
//!
//! A Bloom filter over the digests: two bytes a key, and one in two thousand strangers is looked up all the same. It
//! is made when the first key was looked for in vain. A key that is created here is put on it before its creation is
//! answered. Another instance may have created one too: keys are numbered in the order of their commits, and where
//! there are several instances, those behind the last number on the roll are asked for before a key is ruled out, once
//! for all who wait.

use std::sync::{
    PoisonError, RwLock, RwLockWriteGuard,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use svc_mcp_access::{decision::Unavailable, key::KeyDigest};
use tokio::sync::Mutex;

use crate::{Store, engine::query, unreadable};

/// Keys read in one go while the roll is made.
const PAGE: i64 = 10_000;
/// New keys read in one go. Where there are more, the rest is read at once.
const NEW_AT_ONCE: i64 = 1_000;
/// The roll is made for so many times the keys there are, and made anew when there are more.
const ROOM: usize = 2;
const FEWEST: usize = 4_096;

#[derive(Debug, Default)]
pub(crate) struct Roll {
    filter: RwLock<Option<Filter>>,
    is_wanted: AtomicBool,
    /// How many times it was asked for new keys.
    begun: AtomicU64,
    asking: Mutex<Asked>,
}

/// The last time it was asked for new keys.
#[derive(Debug, Default)]
struct Asked {
    time: u64,
    is_answered: bool,
}

#[derive(Debug)]
struct Filter {
    bits: Box<[u64]>,
    keys: usize,
    /// Every key up to this number is on the roll.
    newest: i64,
    /// Until it is complete it only takes in new keys, and rules nobody out.
    is_complete: bool,
}

impl Roll {
    fn write(&self) -> RwLockWriteGuard<'_, Option<Filter>> {
        self.filter.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no key with this digest is on the roll. There may be newer ones.
    fn lacks(&self, digest: &KeyDigest) -> bool {
        let filter = self.filter.read().unwrap_or_else(PoisonError::into_inner);
        filter.as_ref().is_some_and(|filter| filter.is_complete && !filter.has(digest))
    }

    fn newest(&self) -> Option<i64> {
        self.filter.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(|filter| filter.newest)
    }

    /// `newest`: up to which number these are all there are.
    fn add(&self, digests: &[KeyDigest], newest: i64) {
        let mut filter = self.write();
        let Some(roll) = filter.as_mut() else { return };
        for digest in digests {
            roll.add(digest);
        }
        roll.newest = roll.newest.max(newest);
        if roll.is_full() {
            // Until there is a larger one, keys are looked up.
            *filter = None;
            self.is_wanted.store(true, Ordering::Relaxed);
        }
    }
}

impl Filter {
    fn for_keys(keys: usize, newest: i64) -> Self {
        // Sixteen bits for each key there is room for now; a power of two, so that a digest's words are its places.
        let bits = (ROOM * keys).max(FEWEST).next_power_of_two().min(1 << 28) * 8;
        Self { bits: vec![0; bits / 64].into(), keys: 0, newest, is_complete: false }
    }

    fn is_full(&self) -> bool {
        self.keys > self.bits.len() * 8
    }

    /// A digest is uniform already: its eight words of 32 bits are as good as eight hashes.
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

    fn has(&self, digest: &KeyDigest) -> bool {
        self.places(digest).all(|(word, bit)| self.bits[word] & bit != 0)
    }

    fn add(&mut self, digest: &KeyDigest) {
        for (word, bit) in self.places(digest) {
            self.bits[word] |= bit;
        }
        self.keys += 1;
    }
}

impl Store {
    /// Whether no key with this digest was created here or was there before.
    pub(crate) fn is_not_on_roll(&self, digest: &KeyDigest) -> bool {
        self.roll.lacks(digest)
    }

    /// The same, and no other instance has created one by now. Costs the database next to nothing.
    pub(crate) async fn is_nowhere(&self, digest: &KeyDigest) -> Result<bool, Unavailable> {
        if !self.roll.lacks(digest) {
            return Ok(false);
        }
        self.add_new_keys().await?;
        Ok(self.roll.lacks(digest))
    }

    /// To be called after a key's creation is committed and before it is answered.
    pub(crate) fn enrol(&self, digest: KeyDigest) {
        // Its number may have a gap before it, made by another process: only asking tells up to where all are here.
        self.roll.add(&[digest], 0);
    }

    /// Somebody asked for a key that is not there: it may happen again.
    pub(crate) fn want_roll(&self) {
        self.roll.is_wanted.store(true, Ordering::Relaxed);
    }

    /// Brings the roll up to now: up to a moment after the caller came. All who come while one asks wait for the next
    /// one, which asks for all of them.
    async fn add_new_keys(&self) -> Result<(), Unavailable> {
        let seen = self.roll.begun.load(Ordering::SeqCst);
        let mut asked = self.roll.asking.lock().await;
        if asked.time <= seen {
            asked.time = self.roll.begun.fetch_add(1, Ordering::SeqCst) + 1;
            asked.is_answered = false;
            while !self.ask_for_new_keys().await? {}
            asked.is_answered = true;
        }
        if asked.is_answered { Ok(()) } else { Err(Unavailable) }
    }

    /// Says whether these were all.
    async fn ask_for_new_keys(&self) -> Result<bool, Unavailable> {
        let Some(newest) = self.roll.newest() else { return Ok(true) };
        let rows: Vec<(i64, Vec<u8>)> = self
            .run("new_keys", async {
                let sql = "SELECT number, digest FROM keys WHERE number > $1 AND number > 0 ORDER BY number LIMIT $2 + 0";
                query!(&self.engine, |db| sqlx::query_as(sql).bind(newest).bind(NEW_AT_ONCE).fetch_all(db).await)
            })
            .await?;
        let Some((newest, _)) = rows.last() else { return Ok(true) };
        let digests: Result<Vec<_>, _> = rows.iter().map(|(_, digest)| read(digest)).collect();
        self.roll.add(&digests.map_err(|_| Unavailable)?, *newest);
        Ok(rows.len() < usize::try_from(NEW_AT_ONCE).unwrap_or(usize::MAX))
    }

    /// Makes the roll if it is wanted, and adds what other processes have created. To be called twice a second.
    pub async fn keep_roll(&self) -> Result<(), Unavailable> {
        if self.roll.newest().is_none() {
            if !self.roll.is_wanted.swap(false, Ordering::Relaxed) {
                return Ok(());
            }
            let made = self.make_roll().await.inspect_err(|_| self.want_roll())?;
            *self.roll.write() = Some(made);
        }
        // What was created while the roll was made was not put on it. From here on it is.
        self.add_new_keys().await?;
        if let Some(filter) = self.roll.write().as_mut() {
            filter.is_complete = true;
        }
        Ok(())
    }

    async fn make_roll(&self) -> Result<Filter, Unavailable> {
        // The number is read first: what is created while the rest is read has a higher one, and is asked for later.
        let (newest, keys): (i64, i64) = self
            .run_patiently("roll", async {
                let sql =
                    "SELECT newest_key, (SELECT COUNT(*) FROM keys) FROM access_version WHERE only_row = 1";
                query!(&self.engine, |db| sqlx::query_as(sql).fetch_one(db).await)
            })
            .await?;
        let mut filter = Filter::for_keys(usize::try_from(keys).unwrap_or(0), newest);
        let mut last = Vec::new();
        loop {
            let page: Vec<(Vec<u8>,)> = self
                .run_patiently("roll", async {
                    let sql = "SELECT digest FROM keys WHERE digest > $1 ORDER BY digest LIMIT $2 + 0";
                    query!(&self.engine, |db| sqlx::query_as(sql).bind(&last).bind(PAGE).fetch_all(db).await)
                })
                .await?;
            for (digest,) in &page {
                filter.add(&read(digest).map_err(|_| Unavailable)?);
            }
            match page.into_iter().last() {
                Some((digest,)) => last = digest,
                None => return Ok(filter),
            }
        }
    }
}

fn read(digest: &[u8]) -> Result<KeyDigest, sqlx::Error> {
    digest.try_into().map(KeyDigest::from_bytes).map_err(|_| unreadable("digest"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: u32) -> KeyDigest {
        KeyDigest::of(&number.to_le_bytes())
    }

    #[test]
    fn every_key_is_on_the_roll_and_hardly_a_stranger() {
        let mut filter = Filter::for_keys(20_000, 0);
        (0..20_000).for_each(|number| filter.add(&digest(number)));
        assert!((0..20_000).all(|number| filter.has(&digest(number))));
        let strangers = (20_000..120_000).filter(|number| filter.has(&digest(*number))).count();
        assert!(strangers < 200, "{strangers} of 100,000 strangers would be looked up");
    }

    #[test]
    fn a_roll_that_is_full_is_given_up_and_wanted_anew() {
        let filter = Filter { is_complete: true, ..Filter::for_keys(0, 7) };
        let roll = Roll { filter: RwLock::new(Some(filter)), ..Roll::default() };
        assert!(roll.lacks(&digest(1)));
        for number in 0..u32::try_from(FEWEST).expect("small") {
            roll.add(&[digest(number)], 8);
        }
        assert!(!roll.lacks(&digest(1)) && roll.newest() == Some(8));
        roll.add(&[digest(u32::MAX)], 9);
        assert!(roll.newest().is_none() && roll.is_wanted.load(Ordering::Relaxed));
        assert!(!roll.lacks(&digest(70_000)), "without a roll nobody is ruled out");
    }
}
