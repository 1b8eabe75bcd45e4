//! Test data.

use std::{
    net::{IpAddr, Ipv4Addr},
    str::FromStr,
    sync::atomic::{AtomicUsize, Ordering},
};

use svc_mcp_access::{
    ApprovalRule, Brand, BrandId, Entropy, Member, Network, Networks, Plan, PlanId, Quota, Scope, Timestamp,
    UserId,
    key::{KeySpec, NewKey, SealingKeys},
};
use svc_mcp_store::{EventKind, EventOutcome, MemberRemoval, NewEvent};
use svc_mcp_tools::posts::{FEED, Post, Target, TargetStatus};

/// Where requests come from.
pub(crate) const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));
/// 15 November 2026, 00:00 UTC.
pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);

pub(crate) fn after(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW.millis() + millis)
}

pub(crate) fn id<T: FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("an id")
}

pub(crate) fn acme() -> BrandId {
    id("acme")
}

pub(crate) fn umbrella() -> BrandId {
    id("umbrella")
}

pub(crate) fn networks(texts: &[&str]) -> Networks {
    texts.iter().map(|text| id::<Network>(text)).collect()
}

/// A plan with default quotas, except that tests of the job queue add many jobs at once.
pub(crate) fn plan(plan_id: &str, mcp_enabled: bool) -> Plan {
    Plan {
        plan_id: id(plan_id),
        name: format!("The plan {plan_id}"),
        mcp_enabled,
        quotas: [(Quota::OpenLongJobs, 10_000)].into_iter().collect(),
    }
}

pub(crate) fn brand(brand_id: &str, plan: &str) -> Brand {
    Brand {
        brand_id: id(brand_id),
        name: format!("{brand_id} & co"),
        website: format!("https://{brand_id}.example"),
        plan_id: id::<PlanId>(plan),
        competitors: Vec::new(),
        language: None,
        time_zone: "UTC".into(),
    }
}

pub(crate) fn member(brand: &str, user: &str, role: &str) -> Member {
    Member { brand_id: id(brand), user_id: id(user), role: id(role), email: None, name: None }
}

/// The creator of a brand's keys.
pub(crate) fn owner(brand: &str) -> UserId {
    id(if brand == "umbrella" { "uma" } else { "ada" })
}

fn spec(brand: &str) -> KeySpec {
    KeySpec {
        brand_id: id(brand),
        created_by: owner(brand),
        label: "a label".into(),
        scope: Scope::Read,
        expires_at: None,
        tools: None,
        approval: ApprovalRule::None,
        allowed_networks: None,
    }
}

/// A read key that cannot be revealed.
pub(crate) fn key(brand: &str, mut entropy: Entropy) -> NewKey {
    NewKey::generate(spec(brand), None, NOW, &mut entropy).0
}

/// A key that can be revealed, and its secret.
pub(crate) fn sealed_key(brand: &str, sealing: &SealingKeys, mut entropy: Entropy) -> (NewKey, String) {
    let (new, token) = NewKey::generate(spec(brand), Some(sealing), NOW, &mut entropy);
    (new, token.expose().to_owned())
}

/// An event of a key. Its id is made of its kind and key.
pub(crate) fn event(kind: EventKind, new: &NewKey, at: Timestamp) -> NewEvent {
    NewEvent {
        event_id: format!("evt_{}_{}", kind.as_str(), new.key.key_id),
        at,
        kind,
        key_id: new.key.key_id.clone(),
        actor: new.key.created_by.clone(),
        tool: None,
        outcome: EventOutcome::Ok,
        reason: None,
        latency_us: None,
    }
}

pub(crate) fn created(new: &NewKey) -> NewEvent {
    event(EventKind::Created, new, new.key.created_at)
}

pub(crate) fn revoked(new: &NewKey, at: Timestamp) -> NewEvent {
    event(EventKind::Revoked, new, at)
}

pub(crate) fn revealed(new: &NewKey, at: Timestamp) -> NewEvent {
    event(EventKind::Revealed, new, at)
}

/// Events of these kinds may be repeated, so each has an id of its own.
pub(crate) fn paused(new: &NewKey) -> NewEvent {
    repeated(EventKind::Paused, new)
}

pub(crate) fn resumed(new: &NewKey) -> NewEvent {
    repeated(EventKind::Resumed, new)
}

pub(crate) fn updated(new: &NewKey) -> NewEvent {
    repeated(EventKind::Updated, new)
}

/// An event with an id of its own.
pub(crate) fn repeated(kind: EventKind, new: &NewKey) -> NewEvent {
    static EVENTS: AtomicUsize = AtomicUsize::new(0);
    let event_id = format!("evt_{}_{}", kind.as_str(), EVENTS.fetch_add(1, Ordering::Relaxed));
    NewEvent { event_id, ..event(kind, new, after(2)) }
}

/// A removal by the operator, with event ids of its own.
pub(crate) fn removal() -> MemberRemoval {
    static REMOVALS: AtomicUsize = AtomicUsize::new(0);
    let number = REMOVALS.fetch_add(1, Ordering::Relaxed);
    MemberRemoval { actor: id("olga"), at: after(1), event_prefix: format!("evt_removal_{number}") }
}

/// A draft for the feed.
pub(crate) fn post(post_id: &str, created_at: Timestamp) -> Post {
    Post {
        post_id: post_id.to_owned(),
        text: format!("The text of {post_id}"),
        title: None,
        link: None,
        media: Vec::new(),
        created_at,
        created_by_key: id("key_maker"),
        scheduled_at: None,
        version: 1,
        targets: vec![target(FEED, TargetStatus::Draft)],
    }
}

pub(crate) fn target(channel: &str, status: TargetStatus) -> Target {
    Target::new(channel.to_owned(), status)
}

/// A post that was published in the feed at this time.
pub(crate) fn published(post_id: &str, at: Timestamp) -> Post {
    let mut target = target(FEED, TargetStatus::Published);
    target.published_at = Some(at);
    Post { targets: vec![target], ..post(post_id, at) }
}

/// A post that is scheduled for the feed.
pub(crate) fn scheduled(post_id: &str, due: Timestamp) -> Post {
    Post {
        scheduled_at: Some(due),
        targets: vec![target(FEED, TargetStatus::Scheduled)],
        ..post(post_id, NOW)
    }
}
