//! The content of a write as rows of each table.

use std::collections::BTreeMap;

use svc_mcp_access::{
    BrandId, KeyId, Timestamp, UserId,
    client::LastClient,
    usage::{UsageCount, UsageGroup},
};

use super::{MILLIS_PER_MINUTE, UNKNOWN_TOOL, batch::PendingWrite};
use crate::{EventKind, EventOutcome};

const MINUTES_PER_DAY: u32 = 24 * 60;

/// The rows are sorted by primary key. Instances that write the same rows in the same order wait for each other and never
/// deadlock.
pub(super) struct Rows<'a> {
    pub(super) last_used: Vec<(Key<'a>, LastUse<'a>)>,
    /// The same for requests with an old secret, of which the digest is given. Each of these keys is in `last_used` too.
    pub(super) old_last_used: Vec<OldUseRow<'a>>,
    pub(super) counts: Vec<((Key<'a>, u32, UsageGroup), i64)>,
    pub(super) peaks: Vec<((Key<'a>, u32), u8)>,
    pub(super) left_out: Vec<LeftOutRow<'a>>,
    pub(super) denials: Vec<DenialRow<'a>>,
    pub(super) day_names: BTreeMap<u32, String>,
}

/// When a key was last used, and by whom.
pub(super) type LastUse<'a> = (Timestamp, Option<&'a LastClient>);

pub(super) type Key<'a> = (&'a BrandId, &'a KeyId);

pub(super) type OldUseRow<'a> = ((Key<'a>, &'a [u8; 32]), Timestamp);

/// Brand and minute, and how many of its allowed requests have no event.
pub(super) type LeftOutRow<'a> = ((&'a BrandId, u32), i64);

/// What denied requests are folded by: key, minute, kind of event and reason.
type DenialKey<'a> = (Key<'a>, u32, &'static str, Option<&'static str>);
pub(super) type DenialRow<'a> = (DenialKey<'a>, Denials<'a>);

/// Denied requests in one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Denials<'a> {
    pub(super) requests: i64,
    pub(super) at: Timestamp,
    pub(super) actor: &'a UserId,
    /// `None` if the tools differ or are unknown.
    pub(super) tool: Option<&'static str>,
    pub(super) latency_us: u32,
}

impl<'a> Rows<'a> {
    pub(super) fn from_write(write: &'a PendingWrite) -> Self {
        let (mut last_used, mut counts, mut peaks) = (Vec::new(), Vec::new(), Vec::new());
        let mut old_last_used = Vec::new();
        let mut left_out: Vec<_> = write
            .left_out
            .iter()
            .map(|(brand, minute, events)| ((brand, *minute), i64::from(*events)))
            .collect();
        let mut denials = Vec::new();
        let mut day_names = BTreeMap::new();
        for (key_state, groups, client) in &write.usage {
            let key = (&key_state.brand_id, &key_state.key_id);
            for (group, count) in groups {
                if group.outcome == EventOutcome::Denied {
                    denials.push(denial_row(key, &key_state.owner, group, count));
                } else {
                    last_used.push((key, (count.last_used, client.as_deref())));
                    if key_state.is_old_secret() {
                        old_last_used.push(((key, key_state.digest.as_bytes()), count.last_used));
                    }
                }
                if count.left_out > 0 {
                    left_out.push(((key.0, group.minute), i64::from(count.left_out)));
                }
                let day = group.minute / MINUTES_PER_DAY;
                day_names.entry(day).or_insert_with(|| day_name(day));
                let of_day = UsageGroup { minute: 0, reason: None, ..*group };
                counts.push(((key, day, of_day), i64::from(count.requests)));
                peaks.push(((key, group.minute), count.peak));
            }
        }
        Self {
            last_used: merge_rows(last_used, |last, other| {
                if last.0 < other.0 {
                    *last = other;
                }
            }),
            old_last_used: merge_rows(old_last_used, |time, other| *time = other.max(*time)),
            counts: merge_rows(counts, |requests, more| *requests += more),
            peaks: merge_rows(peaks, |peak, other| *peak = other.max(*peak)),
            left_out: merge_rows(left_out, |events, more| *events += more),
            denials: merge_rows(denials, Denials::merge),
            day_names,
        }
    }
}

fn denial_row<'a>(key: Key<'a>, actor: &'a UserId, group: &UsageGroup, count: &UsageCount) -> DenialRow<'a> {
    let kind = if group.tool.is_none() { EventKind::List } else { EventKind::Call };
    let denials = Denials {
        requests: i64::from(count.requests),
        at: count.last_used,
        actor,
        tool: group.tool.filter(|tool| *tool != UNKNOWN_TOOL),
        latency_us: count.latency_us,
    };
    ((key, group.minute, kind.as_str(), group.reason), denials)
}

impl Denials<'_> {
    fn merge(&mut self, other: Self) {
        self.requests += other.requests;
        self.at = self.at.min(other.at);
        self.tool = self.tool.filter(|_| self.tool == other.tool);
    }
}

fn day_name(day: u32) -> String {
    Timestamp::from_millis(i64::from(day * MINUTES_PER_DAY) * MILLIS_PER_MINUTE).day()
}

/// Sorts rows and merges those with the same primary key.
fn merge_rows<K: Ord, V: Copy>(mut rows: Vec<(K, V)>, merge: impl Fn(&mut V, V)) -> Vec<(K, V)> {
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    rows.dedup_by(|(later, value), (earlier, merged)| {
        let is_same = later == earlier;
        if is_same {
            merge(merged, *value);
        }
        is_same
    });
    rows
}
