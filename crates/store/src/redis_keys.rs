//! The names of the keys in Redis.
//!
//! A cluster accepts a command only if all of its keys lie in one hash slot. A request needs the window of its key, the stamp
//! of its brand and the stamp of its plan, so these three have the same hash tag. Plans are shared by brands, so there are
//! only 256 tags ([`Bucket`]), and the stamp of a plan is kept once for each of them.

use std::sync::LazyLock;

use svc_mcp_access::{BrandId, PlanId, key::KeyDigest};

const SLOTS: u16 = 16_384;
const BUCKETS: u16 = 256;
const SLOTS_PER_BUCKET: u16 = SLOTS / BUCKETS;

/// A part of a cluster's hash slots. A brand belongs to one bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bucket(u8);

/// The hash tags of the buckets: the smallest numbers whose slots are spread evenly, so that masters with as many slots
/// have as many buckets.
static TAGS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut tags = vec![None; usize::from(BUCKETS)];
    let mut number = 0_u32;
    while tags.contains(&None) {
        let bucket = Bucket::of_text(&number.to_string());
        tags[usize::from(bucket.0)].get_or_insert(number);
        number += 1;
    }
    tags.into_iter().flatten().collect()
});

impl Bucket {
    pub(crate) fn of_brand(brand: &BrandId) -> Self {
        Self::of_text(brand.as_str())
    }

    fn of_text(text: &str) -> Self {
        Self(u8::try_from(slot(text.as_bytes()) / SLOTS_PER_BUCKET).unwrap_or(u8::MAX))
    }

    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).map(Self)
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    fn tag(self) -> u32 {
        TAGS[self.index()]
    }

    /// The hash slot of the bucket's keys.
    pub(crate) fn slot(self) -> u16 {
        slot(self.tag().to_string().as_bytes())
    }
}

/// Not `svc:window:`: the first versions kept a list under that name.
pub(crate) fn window_key(bucket: Option<Bucket>, digest: &KeyDigest) -> Vec<u8> {
    let mut key = Vec::with_capacity(56);
    match bucket {
        None => key.extend_from_slice(b"svc:moments:"),
        Some(bucket) => key.extend_from_slice(format!("svc:{{{}}}:moments:", bucket.tag()).as_bytes()),
    }
    key.extend_from_slice(digest.as_bytes());
    key
}

pub(crate) fn brand_key(bucket: Option<Bucket>, brand: &BrandId) -> String {
    named(bucket, "brand", brand.as_str())
}

pub(crate) fn plan_key(bucket: Option<Bucket>, plan: &PlanId) -> String {
    named(bucket, "plan", plan.as_str())
}

/// The key that a probe writes.
pub(crate) fn probe_key(bucket: Option<Bucket>) -> String {
    match bucket {
        None => "svc:probe".to_owned(),
        Some(bucket) => format!("svc:{{{}}}:probe", bucket.tag()),
    }
}

fn named(bucket: Option<Bucket>, kind: &str, id: &str) -> String {
    match bucket {
        None => format!("svc:{kind}:{id}"),
        Some(bucket) => format!("svc:{{{}}}:{kind}:{id}", bucket.tag()),
    }
}

/// The hash slot of a key without a hash tag, or of the text of a hash tag: CRC-16/XMODEM modulo 16384.
fn slot(text: &[u8]) -> u16 {
    let crc = text.iter().fold(0_u16, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 }
        })
    });
    crc % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slot of a key as Redis computes it: only the text between the first `{` and the next `}` counts.
    fn slot_of_key(key: &[u8]) -> u16 {
        let open = key.iter().position(|byte| *byte == b'{').expect("a hash tag");
        let close = key[open..].iter().position(|byte| *byte == b'}').expect("a hash tag") + open;
        slot(&key[open + 1..close])
    }

    #[test]
    fn slots_are_those_of_redis() {
        // From the specification of Redis Cluster, and from CLUSTER KEYSLOT.
        assert_eq!(slot(b"123456789"), 0x31c3);
        assert_eq!(slot(b"foo"), 12_182);
        assert_eq!(slot(b""), 0);
    }

    #[test]
    fn keys_of_a_request_lie_in_one_slot() {
        for number in 0..2_000 {
            let brand: BrandId = format!("brand-{number}").parse().expect("an id");
            let plan: PlanId = "pro".parse().expect("an id");
            let bucket = Bucket::of_brand(&brand);
            // A digest may contain any bytes, also braces.
            let digest = KeyDigest::from_bytes([[b'{', b'}'][number % 2]; 32]);
            let keys = [
                window_key(Some(bucket), &digest),
                brand_key(Some(bucket), &brand).into_bytes(),
                plan_key(Some(bucket), &plan).into_bytes(),
                probe_key(Some(bucket)).into_bytes(),
            ];
            for key in keys {
                assert_eq!(slot_of_key(&key), bucket.slot(), "{key:?}");
            }
        }
    }

    #[test]
    fn buckets_are_spread_evenly_over_the_slots() {
        for bucket in Bucket::all() {
            assert_eq!(usize::from(bucket.slot() / SLOTS_PER_BUCKET), bucket.index());
        }
    }

    /// A running installation must find its keys again after an update.
    #[test]
    fn names_stay_the_same() {
        let (brand, plan): (BrandId, PlanId) =
            ("acme".parse().expect("an id"), "pro".parse().expect("an id"));
        let bucket = Bucket::of_brand(&brand);
        assert_eq!(
            (brand_key(None, &brand), plan_key(None, &plan)),
            ("svc:brand:acme".into(), "svc:plan:pro".into())
        );
        assert_eq!(bucket.index(), usize::from(slot(b"acme") / 64));
        assert_eq!(brand_key(Some(bucket), &brand), format!("svc:{{{}}}:brand:acme", bucket.tag()));
        assert!(window_key(None, &KeyDigest::from_bytes([7; 32])).starts_with(b"svc:moments:\x07"));
    }
}
