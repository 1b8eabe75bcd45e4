//! User ids of the host application: any visible characters, in every table that has them.

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use svc_mcp_access::{UserId, decision::KeySource, key::NewKey};
use svc_mcp_store::ActivityFilter;

use crate::{
    make::{self, acme, id},
    world::World,
};

on_both_engines! {
    every_user_id_is_stored_as_it_is,
    user_ids_are_compared_exactly,
}

/// The longest ones, those that look like SQL or patterns, and random ones.
fn user_ids() -> Vec<UserId> {
    let mut runner = TestRunner::deterministic();
    let random = std::iter::from_fn(|| Some("\\PC{1,80}".new_tree(&mut runner).expect("a text").current()));
    let random = random.filter_map(|text| text.parse().ok()).take(40);
    let hard = ["auth0|1", "ada@acme.example", "'; DROP TABLE members;--", "%_\\", "$1", "é", "李雷", "🦊"];
    let hard = hard.iter().map(|text| id(&text.replace(' ', "+")));
    let long = ["x", "é", "🦊"].map(|character| id(&character.repeat(255)));
    hard.chain(long).chain(random).collect()
}

async fn every_user_id_is_stored_as_it_is(world: &World) {
    for user in user_ids() {
        let member = svc_mcp_access::Member { user_id: user.clone(), ..make::member("acme", "ada", "admin") };
        world.store.put_member(&member).await.expect("the store answers");
        assert_eq!(world.store.membership(&acme(), &user).await, Ok(Some(member.clone())));
        assert!(world.store.members(&acme()).await.expect("the store answers").contains(&member));
        let brands = world.store.brands_of(&user).await.expect("the store answers");
        assert_eq!(brands.len(), 1, "{user:?}");

        let mut new: NewKey = make::key("acme", world.entropy.clone());
        new.key.created_by = user.clone();
        world.keep(&new).await;
        let key_state = world.store.key_state(&new.digest).await.expect("the store answers").expect("known");
        assert_eq!(key_state.owner, user);
        world
            .store
            .pause_key(&acme(), &new.key.key_id, &make::paused(&new))
            .await
            .expect("the store answers");
        let key = world.store.key(&acme(), &new.key.key_id).await.expect("the store answers").expect("a key");
        assert_eq!((&key.created_by, &key.pause.expect("paused").by), (&user, &user));
        let filter = ActivityFilter { key_id: Some(new.key.key_id.clone()), limit: 10, ..Default::default() };
        let (events, _) = world.store.activity(&acme(), &filter).await.expect("the store answers");
        assert_eq!(events.len(), 2);
        assert!(events.iter().all(|event| event.actor == user), "{events:?}");

        assert_eq!(world.store.remove_member(&acme(), &user, &make::removal()).await, Ok(true));
        assert_eq!(world.store.membership(&acme(), &user).await, Ok(None));
        world.raw.execute("DELETE FROM keys WHERE brand_id = 'acme'").await;
    }
}

async fn user_ids_are_compared_exactly(world: &World) {
    for (stored, asked) in
        [("Zoe", "zoe"), ("zo\u{e9}", "zoe\u{301}"), ("a%", "ab"), ("a_", "ab"), ("ß", "ss")]
    {
        world.store.put_member(&make::member("acme", stored, "member")).await.expect("the store answers");
        assert_eq!(world.store.membership(&acme(), &id(asked)).await, Ok(None), "{stored} {asked}");
        assert_eq!(world.store.remove_member(&acme(), &id(asked), &make::removal()).await, Ok(false));
        assert!(world.store.membership(&acme(), &id(stored)).await.expect("the store answers").is_some());
    }
}
