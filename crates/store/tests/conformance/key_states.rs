//! Key states: cached while nothing changes, and never older than the last change.

use std::sync::Arc;

use svc_mcp_access::{
    Plan, Scope, StoreError,
    decision::{KeySource, KeyState},
    key::{KeyDigest, NewKey},
};
use svc_mcp_store::{QueuedWork, Store};
use svc_mcp_tools::Records;

use crate::{
    make::{self, acme, after, id},
    world::World,
};

on_both_engines! {
    key_state_has_every_field,
    unknown_key_is_found_after_its_creation,
    cached_key_needs_no_database,
    cache_is_not_trusted_while_the_database_is_away,
    raw_change_is_seen_after_the_version_moves,
    next_lookup_sees_a_revoke,
    next_lookup_sees_a_change_of_the_plan,
    next_lookup_sees_the_brand_change_its_plan,
    next_lookup_sees_the_owner_removed_and_added,
    another_process_notices_every_change,
    own_change_evicts_nothing_else,
    change_of_another_process_between_own_changes_is_noticed,
    profile_is_cached_until_its_brand_or_plan_changes,
}

async fn look_up(store: &Store, digest: &KeyDigest) -> Arc<KeyState> {
    store.key_state(digest).await.expect("the store answers").expect("a known key")
}

async fn revoke(store: &Store, new: &NewKey) {
    let event = make::revoked(new, after(1));
    store
        .revoke_key(&new.key.brand_id, &new.key.key_id, QueuedWork::Cancel, &event)
        .await
        .expect("the store answers");
}

async fn key_state_has_every_field(world: &World) {
    let mut new = make::key("acme", world.entropy.clone());
    new.key.scope = Scope::Write;
    new.key.expires_at = Some(after(5));
    new.key.tools = Some(vec!["create_post".into(), "get_post".into()]);
    new.key.allowed_networks = Some(make::networks(&["203.0.113.0/24", "2001:db8::/32"]));
    world.keep(&new).await;
    let expected = KeyState {
        digest: new.digest,
        window: svc_mcp_access::rate::WindowSlot::default(),
        usage: svc_mcp_access::usage::UsageCounter::default(),
        key_id: new.key.key_id.clone(),
        brand_id: acme(),
        plan_id: id("pro"),
        owner: id("ada"),
        scope: Scope::Write,
        tools: Some(["create_post", "get_post"].into_iter().collect()),
        expires_at: Some(after(5)),
        revoked: false,
        keeps_queued_work: false,
        paused: false,
        owner_is_member: true,
        mcp_enabled: true,
        brand_suspended: false,
        approval: svc_mcp_access::ApprovalRule::None,
        rotation: None,
        allowed_networks: new.key.allowed_networks.clone(),
        stamps: svc_mcp_access::decision::Stamps::default(),
    };
    for _ in ["from the database", "from memory"] {
        assert_eq!(*look_up(&world.store, &new.digest).await, expected);
    }
    let plain = world.key("acme").await;
    let key_state = look_up(&world.store, &plain.digest).await;
    assert_eq!((&key_state.tools, key_state.expires_at, key_state.scope), (&None, None, Scope::Read));
    assert_eq!(key_state.allowed_networks, None);
}

async fn unknown_key_is_found_after_its_creation(world: &World) {
    let new = make::key("acme", world.entropy.clone());
    for _ in ["from the database", "from memory"] {
        assert_eq!(world.store.key_state(&new.digest).await, Ok(None));
    }
    world.keep(&new).await;
    assert_eq!(look_up(&world.store, &new.digest).await.key_id, new.key.key_id);
}

async fn cached_key_needs_no_database(world: &World) {
    let (looked_at, never) = (world.key("acme").await, world.key("acme").await);
    let unknown = make::key("acme", world.entropy.clone());
    let before = look_up(&world.store, &looked_at.digest).await;
    assert_eq!(world.store.key_state(&unknown.digest).await, Ok(None));
    world.store.close().await;
    assert_eq!(look_up(&world.store, &looked_at.digest).await, before);
    assert_eq!(world.store.key_state(&unknown.digest).await, Ok(None));
    assert_eq!(world.store.key_state(&never.digest).await, Err(StoreError::Unavailable), "and this one does");
    assert_eq!(world.store.reload(&looked_at.digest).await, Err(StoreError::Unavailable));
}

async fn cache_is_not_trusted_while_the_database_is_away(world: &World) {
    let new = world.key("acme").await;
    look_up(&world.store, &new.digest).await;
    world.store.close().await;
    look_up(&world.store, &new.digest).await;
    assert_eq!(world.store.notice_changes().await, Err(StoreError::Unavailable));
    assert_eq!(world.store.key_state(&new.digest).await, Err(StoreError::Unavailable));
}

async fn raw_change_is_seen_after_the_version_moves(world: &World) {
    let new = world.key("acme").await;
    let unknown = make::key("acme", world.entropy.clone());
    world.store.notice_changes().await.expect("the store answers");
    assert!(!look_up(&world.store, &new.digest).await.revoked);
    assert_eq!(world.store.key_state(&unknown.digest).await, Ok(None));

    world.raw.execute("UPDATE keys SET revoked_at = 1").await;
    world.store.notice_changes().await.expect("the store answers");
    assert!(
        !look_up(&world.store, &new.digest).await.revoked,
        "the version has not moved: it comes from memory"
    );

    world.raw.bump_access_version().await;
    world.store.notice_changes().await.expect("the store answers");
    assert!(look_up(&world.store, &new.digest).await.revoked);
    assert_eq!(world.store.key_state(&unknown.digest).await, Ok(None));
}

async fn next_lookup_sees_a_revoke(world: &World) {
    let (gone, kept) = (world.key("acme").await, world.key("acme").await);
    assert!(!look_up(&world.store, &gone.digest).await.revoked);
    assert!(!look_up(&world.store, &kept.digest).await.revoked);
    revoke(&world.store, &gone).await;
    assert!(look_up(&world.store, &gone.digest).await.revoked);
    assert!(!look_up(&world.store, &kept.digest).await.revoked);
}

async fn next_lookup_sees_a_change_of_the_plan(world: &World) {
    let keys = [world.key("acme").await, world.key("umbrella").await];
    for mcp_enabled in [true, false, true, false] {
        world.store.put_plan(&make::plan("pro", mcp_enabled)).await.expect("the store answers");
        for key in &keys {
            assert_eq!(look_up(&world.store, &key.digest).await.mcp_enabled, mcp_enabled);
        }
    }
}

async fn next_lookup_sees_the_brand_change_its_plan(world: &World) {
    let (moved, stays) = (world.key("acme").await, world.key("umbrella").await);
    for (plan, mcp_enabled) in [("pro", true), ("free", false), ("pro", true)] {
        world.store.put_brand(&make::brand("acme", plan)).await.expect("the store answers");
        let key_state = look_up(&world.store, &moved.digest).await;
        assert_eq!((key_state.plan_id.as_str(), key_state.mcp_enabled), (plan, mcp_enabled));
        assert!(look_up(&world.store, &stays.digest).await.mcp_enabled);
    }
    // From now on, changes of the new plan count.
    world.store.put_brand(&make::brand("acme", "free")).await.expect("the store answers");
    assert!(!look_up(&world.store, &moved.digest).await.mcp_enabled);
    world.store.put_plan(&make::plan("free", true)).await.expect("the store answers");
    assert!(look_up(&world.store, &moved.digest).await.mcp_enabled);
}

async fn next_lookup_sees_the_owner_removed_and_added(world: &World) {
    let (adas, umas) = (world.key("acme").await, world.key("umbrella").await);
    for _ in 0..2 {
        assert!(look_up(&world.store, &adas.digest).await.owner_is_member);
        world.store.remove_member(&acme(), &id("ada"), &make::removal()).await.expect("the store answers");
        assert!(!look_up(&world.store, &adas.digest).await.owner_is_member);
        // A membership in another brand does not count.
        world.store.put_member(&make::member("umbrella", "ada", "admin")).await.expect("the store answers");
        assert!(!look_up(&world.store, &adas.digest).await.owner_is_member);
        assert!(look_up(&world.store, &umas.digest).await.owner_is_member);
        world.store.put_member(&make::member("acme", "ada", "member")).await.expect("the store answers");
    }
    assert!(look_up(&world.store, &adas.digest).await.owner_is_member);
}

async fn another_process_notices_every_change(world: &World) {
    let other = world.another_process().await;
    let key = world.key("acme").await;
    let seen = async |what: &str| {
        other.notice_changes().await.expect("the store answers");
        let key_state = look_up(&other, &key.digest).await;
        let seen = (key_state.mcp_enabled, key_state.owner_is_member, key_state.revoked);
        assert_eq!(*look_up(&world.store, &key.digest).await, *key_state, "{what}: both see the same");
        seen
    };
    assert_eq!(seen("at first").await, (true, true, false));
    world.store.put_plan(&make::plan("pro", false)).await.expect("the store answers");
    assert_eq!(seen("plan off").await, (false, true, false));
    world.store.put_plan(&make::plan("pro", true)).await.expect("the store answers");
    assert_eq!(seen("plan on").await, (true, true, false));
    world.store.put_brand(&make::brand("acme", "free")).await.expect("the store answers");
    assert_eq!(seen("brand on another plan").await, (false, true, false));
    world.store.remove_member(&acme(), &id("ada"), &make::removal()).await.expect("the store answers");
    assert_eq!(seen("owner gone").await, (false, false, false));
    world.store.put_member(&make::member("acme", "ada", "member")).await.expect("the store answers");
    assert_eq!(seen("owner back").await, (false, true, false));
    revoke(&world.store, &key).await;
    assert_eq!(seen("revoked").await, (false, true, true));
}

async fn own_change_evicts_nothing_else(world: &World) {
    let key = world.key("umbrella").await;
    world.store.notice_changes().await.expect("the store answers");
    look_up(&world.store, &key.digest).await;
    // Only the cache has the old state.
    world.raw.execute("UPDATE keys SET revoked_at = 1").await;
    world.store.put_member(&make::member("acme", "eve", "member")).await.expect("the store answers");
    world.store.put_plan(&make::plan("free", true)).await.expect("the store answers");
    world.store.notice_changes().await.expect("the store answers");
    assert!(!look_up(&world.store, &key.digest).await.revoked);
}

async fn change_of_another_process_between_own_changes_is_noticed(world: &World) {
    let other = world.another_process().await;
    let key = world.key("umbrella").await;
    world.store.notice_changes().await.expect("the store answers");
    assert!(!look_up(&world.store, &key.digest).await.revoked);
    world.store.put_member(&make::member("acme", "eve", "member")).await.expect("the store answers");
    revoke(&other, &key).await;
    world.store.put_member(&make::member("acme", "eve", "admin")).await.expect("the store answers");
    world.store.notice_changes().await.expect("the store answers");
    assert!(look_up(&world.store, &key.digest).await.revoked);
}

async fn profile_is_cached_until_its_brand_or_plan_changes(world: &World) {
    let (acmes, umbrellas) = (world.key("acme").await, world.key("umbrella").await);
    let records = world.records();
    let actual = async |key: &NewKey| {
        let key_state = look_up(&world.store, &key.digest).await;
        let profile = records.profile_of(&key_state).await.expect("the store answers");
        (profile.brand.website.clone(), profile.plan.name.clone(), profile.plan.plan_id.to_string())
    };
    let before = actual(&acmes).await;
    assert_eq!(before.2, "pro");
    let others = actual(&umbrellas).await;
    world.raw.execute("UPDATE brands SET website = 'https://moved.example'").await;
    assert_eq!(actual(&acmes).await, before, "no change was announced, so the cache answers");

    world.store.put_brand(&make::brand("acme", "free")).await.expect("the store answers");
    assert_eq!(actual(&acmes).await.2, "free");
    assert_eq!(actual(&umbrellas).await, others);
    let renamed = Plan { name: "Professional".into(), ..make::plan("pro", true) };
    world.store.put_plan(&renamed).await.expect("the store answers");
    assert_eq!(actual(&umbrellas).await.1, "Professional");
    world.raw.bump_access_version().await;
    world.store.notice_changes().await.expect("the store answers");
    world.raw.execute("UPDATE brands SET website = 'https://again.example'").await;
    assert_eq!(actual(&umbrellas).await.0, "https://again.example", "another process changed something");
}
