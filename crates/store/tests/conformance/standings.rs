//! What is known of a key when it is used: from memory while nothing changed, and never older than the last change.

use std::sync::Arc;

use svc_mcp_access::{
    Plan, Scope,
    decision::{Standing, Standings, Unavailable},
    key::{KeyDigest, NewKey},
};
use svc_mcp_store::Store;
use svc_mcp_tools::Records;

use crate::{
    make::{self, acme, after, id},
    world::World,
};

on_both_engines! {
    a_standing_tells_everything,
    an_unknown_key_is_unknown_until_it_is_made,
    a_known_key_needs_no_database,
    while_the_database_is_silent_nothing_remembered_is_trusted,
    what_changes_behind_the_store_is_seen_with_the_next_version,
    the_next_look_sees_a_revoke,
    the_next_look_sees_a_change_of_the_plan,
    the_next_look_sees_the_brand_change_its_plan,
    the_next_look_sees_the_owner_go_and_come_back,
    another_process_notices_every_change,
    a_change_of_ones_own_empties_nothing_else,
    a_foreign_change_between_ones_own_is_noticed,
    a_profile_comes_from_memory_until_its_brand_or_plan_changes,
}

async fn look(store: &Store, digest: &KeyDigest) -> Arc<Standing> {
    store.standing(digest).await.expect("the store answers").expect("a known key")
}

async fn revoke(store: &Store, new: &NewKey) {
    let event = make::revoked(new, after(1));
    store.revoke_key(&new.key.brand_id, &new.key.key_id, &event).await.expect("the store answers");
}

async fn a_standing_tells_everything(world: &World) {
    let mut new = make::key("acme", world.entropy.clone());
    new.key.scope = Scope::Write;
    new.key.expires_at = Some(after(5));
    new.key.tools = Some(vec!["create_post".into(), "get_post".into()]);
    world.keep(&new).await;
    let expected = Standing {
        digest: new.digest,
        window: svc_mcp_access::limiter::Lent::default(),
        tally: svc_mcp_access::tally::Tally::default(),
        key_id: new.key.key_id.clone(),
        brand_id: acme(),
        plan_id: id("pro"),
        owner: id("ada"),
        scope: Scope::Write,
        tools: Some(["create_post", "get_post"].into_iter().collect()),
        expires_at: Some(after(5)),
        revoked: false,
        owner_is_member: true,
        mcp_enabled: true,
        stamps: svc_mcp_access::decision::Stamps::default(),
    };
    for _ in ["from the database", "from memory"] {
        assert_eq!(*look(&world.store, &new.digest).await, expected);
    }
    let plain = world.key("acme").await;
    let standing = look(&world.store, &plain.digest).await;
    assert_eq!((&standing.tools, standing.expires_at, standing.scope), (&None, None, Scope::Read));
}

async fn an_unknown_key_is_unknown_until_it_is_made(world: &World) {
    let new = make::key("acme", world.entropy.clone());
    for _ in ["from the database", "from memory"] {
        assert_eq!(world.store.standing(&new.digest).await, Ok(None));
    }
    world.keep(&new).await;
    assert_eq!(look(&world.store, &new.digest).await.key_id, new.key.key_id);
}

async fn a_known_key_needs_no_database(world: &World) {
    let (looked_at, never) = (world.key("acme").await, world.key("acme").await);
    let unknown = make::key("acme", world.entropy.clone());
    let before = look(&world.store, &looked_at.digest).await;
    assert_eq!(world.store.standing(&unknown.digest).await, Ok(None));
    world.store.close().await;
    assert_eq!(look(&world.store, &looked_at.digest).await, before);
    assert_eq!(world.store.standing(&unknown.digest).await, Ok(None));
    assert_eq!(world.store.standing(&never.digest).await, Err(Unavailable), "and this one does");
    assert_eq!(world.store.refreshed(&looked_at.digest).await, Err(Unavailable));
}

async fn while_the_database_is_silent_nothing_remembered_is_trusted(world: &World) {
    let new = world.key("acme").await;
    look(&world.store, &new.digest).await;
    world.store.close().await;
    look(&world.store, &new.digest).await;
    assert_eq!(world.store.notice_changes().await, Err(Unavailable));
    assert_eq!(world.store.standing(&new.digest).await, Err(Unavailable));
}

async fn what_changes_behind_the_store_is_seen_with_the_next_version(world: &World) {
    let new = world.key("acme").await;
    let unknown = make::key("acme", world.entropy.clone());
    world.store.notice_changes().await.expect("the store answers");
    assert!(!look(&world.store, &new.digest).await.revoked);
    assert_eq!(world.store.standing(&unknown.digest).await, Ok(None));

    world.raw.execute("UPDATE keys SET revoked_at = 1").await;
    world.store.notice_changes().await.expect("the store answers");
    assert!(
        !look(&world.store, &new.digest).await.revoked,
        "the version has not moved: it comes from memory"
    );

    world.raw.bump_access_version().await;
    world.store.notice_changes().await.expect("the store answers");
    assert!(look(&world.store, &new.digest).await.revoked);
    assert_eq!(world.store.standing(&unknown.digest).await, Ok(None));
}

async fn the_next_look_sees_a_revoke(world: &World) {
    let (gone, kept) = (world.key("acme").await, world.key("acme").await);
    assert!(!look(&world.store, &gone.digest).await.revoked);
    assert!(!look(&world.store, &kept.digest).await.revoked);
    revoke(&world.store, &gone).await;
    assert!(look(&world.store, &gone.digest).await.revoked);
    assert!(!look(&world.store, &kept.digest).await.revoked);
}

async fn the_next_look_sees_a_change_of_the_plan(world: &World) {
    let keys = [world.key("acme").await, world.key("umbrella").await];
    for mcp_enabled in [true, false, true, false] {
        world.store.put_plan(&make::plan("pro", mcp_enabled)).await.expect("the store answers");
        for key in &keys {
            assert_eq!(look(&world.store, &key.digest).await.mcp_enabled, mcp_enabled);
        }
    }
}

async fn the_next_look_sees_the_brand_change_its_plan(world: &World) {
    let (moved, stays) = (world.key("acme").await, world.key("umbrella").await);
    for (plan, mcp_enabled) in [("pro", true), ("free", false), ("pro", true)] {
        world.store.put_brand(&make::brand("acme", plan)).await.expect("the store answers");
        let standing = look(&world.store, &moved.digest).await;
        assert_eq!((standing.plan_id.as_str(), standing.mcp_enabled), (plan, mcp_enabled));
        assert!(look(&world.store, &stays.digest).await.mcp_enabled);
    }
    // A plan the brand has come to is the one whose changes count from then on.
    world.store.put_brand(&make::brand("acme", "free")).await.expect("the store answers");
    assert!(!look(&world.store, &moved.digest).await.mcp_enabled);
    world.store.put_plan(&make::plan("free", true)).await.expect("the store answers");
    assert!(look(&world.store, &moved.digest).await.mcp_enabled);
}

async fn the_next_look_sees_the_owner_go_and_come_back(world: &World) {
    let (adas, umas) = (world.key("acme").await, world.key("umbrella").await);
    for _ in 0..2 {
        assert!(look(&world.store, &adas.digest).await.owner_is_member);
        world.store.remove_member(&acme(), &id("ada")).await.expect("the store answers");
        assert!(!look(&world.store, &adas.digest).await.owner_is_member);
        // Being a member of another brand is no help.
        world.store.put_member(&make::member("umbrella", "ada", "admin")).await.expect("the store answers");
        assert!(!look(&world.store, &adas.digest).await.owner_is_member);
        assert!(look(&world.store, &umas.digest).await.owner_is_member);
        world.store.put_member(&make::member("acme", "ada", "member")).await.expect("the store answers");
    }
    assert!(look(&world.store, &adas.digest).await.owner_is_member);
}

async fn another_process_notices_every_change(world: &World) {
    let other = world.another_process().await;
    let key = world.key("acme").await;
    let seen = async |what: &str| {
        other.notice_changes().await.expect("the store answers");
        let standing = look(&other, &key.digest).await;
        let seen = (standing.mcp_enabled, standing.owner_is_member, standing.revoked);
        assert_eq!(*look(&world.store, &key.digest).await, *standing, "{what}: both see the same");
        seen
    };
    assert_eq!(seen("at first").await, (true, true, false));
    world.store.put_plan(&make::plan("pro", false)).await.expect("the store answers");
    assert_eq!(seen("plan off").await, (false, true, false));
    world.store.put_plan(&make::plan("pro", true)).await.expect("the store answers");
    assert_eq!(seen("plan on").await, (true, true, false));
    world.store.put_brand(&make::brand("acme", "free")).await.expect("the store answers");
    assert_eq!(seen("brand on another plan").await, (false, true, false));
    world.store.remove_member(&acme(), &id("ada")).await.expect("the store answers");
    assert_eq!(seen("owner gone").await, (false, false, false));
    world.store.put_member(&make::member("acme", "ada", "member")).await.expect("the store answers");
    assert_eq!(seen("owner back").await, (false, true, false));
    revoke(&world.store, &key).await;
    assert_eq!(seen("revoked").await, (false, true, true));
}

async fn a_change_of_ones_own_empties_nothing_else(world: &World) {
    let key = world.key("umbrella").await;
    world.store.notice_changes().await.expect("the store answers");
    look(&world.store, &key.digest).await;
    // Only memory still knows the key as it was.
    world.raw.execute("UPDATE keys SET revoked_at = 1").await;
    world.store.put_member(&make::member("acme", "eve", "member")).await.expect("the store answers");
    world.store.put_plan(&make::plan("free", true)).await.expect("the store answers");
    world.store.notice_changes().await.expect("the store answers");
    assert!(!look(&world.store, &key.digest).await.revoked);
}

async fn a_foreign_change_between_ones_own_is_noticed(world: &World) {
    let other = world.another_process().await;
    let key = world.key("umbrella").await;
    world.store.notice_changes().await.expect("the store answers");
    assert!(!look(&world.store, &key.digest).await.revoked);
    world.store.put_member(&make::member("acme", "eve", "member")).await.expect("the store answers");
    revoke(&other, &key).await;
    world.store.put_member(&make::member("acme", "eve", "admin")).await.expect("the store answers");
    world.store.notice_changes().await.expect("the store answers");
    assert!(look(&world.store, &key.digest).await.revoked);
}

async fn a_profile_comes_from_memory_until_its_brand_or_plan_changes(world: &World) {
    let (acmes, umbrellas) = (world.key("acme").await, world.key("umbrella").await);
    let records = world.records();
    let told = async |key: &NewKey| {
        let standing = look(&world.store, &key.digest).await;
        let profile = records.profile_of(&standing).await.expect("the store answers");
        (profile.brand.website.clone(), profile.plan.name.clone(), profile.plan.plan_id.to_string())
    };
    let before = told(&acmes).await;
    assert_eq!(before.2, "pro");
    let others = told(&umbrellas).await;
    world.raw.execute("UPDATE brands SET website = 'https://moved.example'").await;
    assert_eq!(told(&acmes).await, before, "nobody told of a change: it comes from memory");

    world.store.put_brand(&make::brand("acme", "free")).await.expect("the store answers");
    assert_eq!(told(&acmes).await.2, "free");
    assert_eq!(told(&umbrellas).await, others);
    let renamed = Plan { name: "Professional".into(), ..make::plan("pro", true) };
    world.store.put_plan(&renamed).await.expect("the store answers");
    assert_eq!(told(&umbrellas).await.1, "Professional");
    world.raw.bump_access_version().await;
    world.store.notice_changes().await.expect("the store answers");
    world.raw.execute("UPDATE brands SET website = 'https://again.example'").await;
    assert_eq!(told(&umbrellas).await.0, "https://again.example", "another process changed something");
}
