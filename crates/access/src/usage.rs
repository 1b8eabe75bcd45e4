//! Usage of a key: its requests, counted in memory until the store writes them.

use std::{
    mem,
    net::IpAddr,
    str::FromStr,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use parking_lot::Mutex;

use crate::{client::LastClient, local_state::LocalState, time::Timestamp};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Ok,
    /// The request was admitted and then failed.
    Error,
    Denied,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Denied => "denied",
        }
    }
}

impl FromStr for Outcome {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Ok, Self::Error, Self::Denied].into_iter().find(|outcome| outcome.as_str() == text).ok_or(())
    }
}

/// What usage is grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsageGroup {
    /// `None` for a list of tools. Not an empty text: comparing two of them costs 80 ns where memcmp uses AVX-512, because
    /// it reads at the address of the text also if its length is 0.
    pub tool: Option<&'static str>,
    pub minute: u32,
    pub outcome: Outcome,
    pub latency_bucket: u8,
    /// Why the requests were denied. `None` for others.
    pub reason: Option<&'static str>,
}

/// One request to count.
#[derive(Debug, Clone, Copy)]
pub struct CountedRequest {
    pub at: Timestamp,
    pub latency_us: u32,
    /// The number of requests in the key's window, including this one.
    pub in_window: u8,
    /// It was allowed, and there is no room for its event.
    pub is_left_out: bool,
}

/// The requests of one group.
#[derive(Debug, Clone, Copy)]
pub struct UsageCount {
    pub requests: u32,
    /// How many of them have no event, because there were too many at a time.
    pub left_out: u32,
    pub last_used: Timestamp,
    /// The latency of the last one.
    pub latency_us: u32,
    /// The highest number of requests in the key's window.
    pub peak: u8,
}

/// The usage of one key that is not written yet. It is part of [`KeyState`](crate::decision::KeyState), so that
/// counting a request touches no other memory. A key without unwritten usage allocates nothing here.
#[derive(Debug, Clone, Default)]
pub struct UsageCounter {
    uses: LocalState<Uses>,
    brand: Option<Arc<BrandUsage>>,
}

#[derive(Debug, Default)]
struct Uses {
    /// Those that are not written yet.
    groups: Vec<(UsageGroup, UsageCount)>,
    /// Kept after it is written, so that the next request of the same client allocates nothing.
    last_client: Option<Arc<LastClient>>,
}

/// What the keys of one brand share.
#[derive(Debug, Default)]
pub struct BrandUsage {
    /// How many events were admitted in the current second: the second in the upper half, the number in the lower one.
    admitted_events: AtomicU64,
    /// One client often uses many keys of a brand. They share what is remembered of it, as long as one of them has it.
    last_client: Mutex<Weak<LastClient>>,
}

impl BrandUsage {
    /// Counts one more event in this second, if that makes at most `limit`.
    fn admit_event(&self, second: u32, limit: u32) -> bool {
        let admitted = |state: u64| {
            let count = if state >> 32 == u64::from(second) { state & u64::from(u32::MAX) } else { 0 };
            (count < u64::from(limit)).then_some(u64::from(second) << 32 | (count + 1))
        };
        self.admitted_events.fetch_update(Ordering::Relaxed, Ordering::Relaxed, admitted).is_ok()
    }

    fn client(&self, address: IpAddr, sent: &[u8]) -> Arc<LastClient> {
        let mut last = self.last_client.lock();
        let known = last.upgrade().filter(|client| client.is_same(address, sent));
        known.unwrap_or_else(|| {
            let client = Arc::new(LastClient::new(address, sent));
            *last = Arc::downgrade(&client);
            client
        })
    }
}

/// Counters are no part of the key: key states are equal whatever they have counted.
impl PartialEq for UsageCounter {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for UsageCounter {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// The group was there already.
    Updated,
    Inserted,
    /// The first group since the last `take`. The caller must queue the key for writing.
    InsertedFirst,
    /// `has_capacity` refused a new group. The request is not counted.
    Full,
}

impl UsageCounter {
    /// The counter of a key of this brand.
    pub fn of_brand(brand: Arc<BrandUsage>) -> Self {
        Self { brand: Some(brand), ..Self::default() }
    }

    /// Whether the key's brand may have one more event in this second.
    pub fn admit_event(&self, second: u32, limit: u32) -> bool {
        self.brand.as_ref().map_or(limit > 0, |brand| brand.admit_event(second, limit))
    }

    pub fn add(
        &self,
        group: UsageGroup,
        request: CountedRequest,
        has_capacity: impl FnOnce() -> bool,
    ) -> Added {
        let CountedRequest { at, latency_us, in_window, is_left_out } = request;
        let Uses { groups, .. } = &mut *self.uses.lock();
        if let Some((_, count)) = groups.iter_mut().rev().find(|(known, _)| *known == group) {
            count.requests = count.requests.saturating_add(1);
            count.left_out = count.left_out.saturating_add(is_left_out.into());
            count.peak = count.peak.max(in_window);
            count.last_used = count.last_used.max(at);
            count.latency_us = latency_us;
            return Added::Updated;
        }
        if !has_capacity() {
            return Added::Full;
        }
        if groups.capacity() == 0 {
            // Most keys have one group. `push` alone would allocate four.
            groups.reserve_exact(1);
        }
        let left_out = is_left_out.into();
        groups
            .push((group, UsageCount { requests: 1, left_out, last_used: at, latency_us, peak: in_window }));
        if groups.len() == 1 { Added::InsertedFirst } else { Added::Inserted }
    }

    /// Remembers the client of an allowed request. `sent` is the name that it has sent.
    pub fn set_client(&self, address: IpAddr, sent: &[u8]) {
        let last = &mut self.uses.lock().last_client;
        if !last.as_ref().is_some_and(|client| client.is_same(address, sent)) {
            let new = || Arc::new(LastClient::new(address, sent));
            *last = Some(self.brand.as_ref().map_or_else(new, |brand| brand.client(address, sent)));
        }
    }

    /// The client of the last allowed request that this process has seen.
    pub fn last_client(&self) -> Option<Arc<LastClient>> {
        self.uses.lock().last_client.clone()
    }

    pub fn take(&self) -> Vec<(UsageGroup, UsageCount)> {
        mem::take(&mut self.uses.lock().groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_requests_are_counted_in_one_group() {
        let usage = UsageCounter::default();
        let group = UsageGroup {
            tool: Some("get_post"),
            minute: 7,
            outcome: Outcome::Ok,
            latency_bucket: 3,
            reason: None,
        };
        let add = |group, in_window, at, has_capacity| {
            let at = Timestamp::from_millis(at);
            let request = CountedRequest { at, latency_us: 9, in_window, is_left_out: in_window == 9 };
            usage.add(group, request, || has_capacity)
        };
        assert_eq!(add(group, 2, 50, true), Added::InsertedFirst);
        assert_eq!(add(group, 9, 40, false), Added::Updated);
        for other in [
            UsageGroup { tool: None, ..group },
            UsageGroup { minute: 8, ..group },
            UsageGroup { outcome: Outcome::Denied, ..group },
            UsageGroup { latency_bucket: 4, ..group },
            UsageGroup { reason: Some("rate_limited"), ..group },
        ] {
            assert_eq!(add(other, 1, 60, false), Added::Full);
            assert_eq!(add(other, 1, 60, true), Added::Inserted);
        }
        let taken = usage.take();
        assert_eq!(taken.len(), 6);
        let (first, UsageCount { requests, left_out, peak, last_used, .. }) = taken[0];
        assert_eq!((first, requests, left_out), (group, 2, 1));
        assert_eq!((peak, last_used), (9, Timestamp::from_millis(50)));
        assert!(usage.take().is_empty());
        assert_eq!(add(group, 1, 70, true), Added::InsertedFirst, "after `take` it starts again");
    }

    #[test]
    fn last_client_is_remembered_and_replaced_only_by_another_one() {
        let usage = UsageCounter::default();
        assert_eq!(usage.last_client(), None);
        let [home, office] = ["203.0.113.7", "198.51.100.1"].map(|text| text.parse().expect("an address"));
        usage.set_client(home, b"claude/1");
        let first = usage.last_client().expect("a client");
        assert_eq!((first.address, first.name.as_deref()), (home, Some("claude/1")));
        usage.set_client(home, b"claude/1");
        assert!(Arc::ptr_eq(&first, &usage.last_client().expect("a client")), "nothing is allocated");
        for (address, sent) in [(home, &b"claude/2"[..]), (office, b"claude/2"), (office, b"")] {
            usage.set_client(address, sent);
            assert_eq!(usage.last_client().as_deref(), Some(&LastClient::new(address, sent)));
        }
        assert_eq!(usage.clone().last_client(), None, "another copy of the key state starts without one");
    }

    #[test]
    fn keys_of_a_brand_share_the_client_that_uses_them() {
        let brand = Arc::new(BrandUsage::default());
        let key = || UsageCounter::of_brand(Arc::clone(&brand));
        let (one, other) = (key(), key());
        let [home, office] = ["203.0.113.7", "198.51.100.1"].map(|text| text.parse().expect("an address"));
        for usage in [&one, &other] {
            usage.set_client(home, b"claude/1");
        }
        let of = |usage: &UsageCounter| usage.last_client().expect("a client");
        assert!(Arc::ptr_eq(&of(&one), &of(&other)));
        other.set_client(office, b"claude/1");
        assert_eq!(
            (of(&one).address, of(&other).address),
            (home, office),
            "only the other one has a new client"
        );
        drop((one, other));
        assert!(brand.last_client.lock().upgrade().is_none(), "without a key nothing is remembered");
    }

    #[test]
    fn brand_has_a_limit_of_events_in_each_second() {
        let brand = Arc::new(BrandUsage::default());
        let keys = [UsageCounter::of_brand(Arc::clone(&brand)), UsageCounter::of_brand(brand)];
        let admitted = |second, limit| {
            (0..10).filter(|number: &usize| keys[number % 2].admit_event(second, limit)).count()
        };
        assert_eq!((admitted(7, 4), admitted(7, 6), admitted(7, 6)), (4, 2, 0));
        assert_eq!((admitted(8, 6), admitted(9, 0)), (6, 0));
        assert_eq!(admitted(3, 1), 1, "the clock was set back");
        assert!(keys[0].clone() == UsageCounter::default());
    }

    #[test]
    fn outcome_is_parsed_from_its_own_text() {
        for outcome in [Outcome::Ok, Outcome::Error, Outcome::Denied] {
            assert_eq!(outcome.as_str().parse(), Ok(outcome));
        }
        assert_eq!("OK".parse::<Outcome>(), Err(()));
    }
}
