//! Sealed secrets: revealed with an event, opened only for their owner, moved to a new sealing key.

use svc_mcp_access::{
    Entropy, KeyId,
    key::{NewKey, SealOwner, Sealed, SealingKeys, UnsealError},
};
use svc_mcp_store::{ActivityFilter, EventKind};

use crate::{
    make::{self, acme, after, id, umbrella},
    world::World,
};

on_both_engines! {
    reveal_is_recorded_and_needs_a_seal,
    seal_copied_to_another_key_does_not_open,
    seal_of_a_key_moved_to_another_brand_does_not_open,
    keys_with_an_old_seal_are_paged,
    rewrap_moves_every_key_to_the_newest_sealing_key,
    late_reseal_changes_nothing,
}

/// Sealing keys with these ids. The first one seals.
pub(crate) fn sealing(ids: &[&str], entropy: &Entropy) -> SealingKeys {
    let entry = |id: &&str| SealingKeys::generate(id, &mut entropy.clone()).expose().to_owned();
    SealingKeys::parse(&ids.iter().map(entry).collect::<Vec<_>>().join(",")).expect("sealing keys")
}

/// The sealed secret that the store returns for a reveal.
async fn reveal(world: &World, new: &NewKey, at: i64) -> Option<Sealed> {
    let (brand, key_id) = (&new.key.brand_id, &new.key.key_id);
    let event = make::revealed(new, after(at));
    world.store.sealed_key(brand, key_id, &event).await.expect("the store answers")
}

fn open(sealing: &SealingKeys, sealed: &Sealed, brand: &str, key: &KeyId) -> Result<String, UnsealError> {
    sealing.open(sealed, SealOwner::key(&id(brand), key)).map(|clear| clear.expose().to_owned())
}

async fn reveal_is_recorded_and_needs_a_seal(world: &World) {
    let sealing = sealing(&["a"], &world.entropy);
    let (new, secret) = make::sealed_key("acme", &sealing, world.entropy.clone());
    world.keep(&new).await;
    let unsealed = world.key("acme").await;

    let sealed = reveal(world, &new, 1).await.expect("it was sealed");
    assert_eq!(Some(&sealed), new.sealed.as_ref());
    assert_eq!(open(&sealing, &sealed, "acme", &new.key.key_id), Ok(secret));
    assert_eq!(reveal(world, &unsealed, 2).await, None);
    let found = world.store.key(&acme(), &unsealed.key.key_id).await.expect("the store answers");
    assert!(!found.expect("it is kept").can_reveal);

    let filter = ActivityFilter { kind: Some(EventKind::Revealed), limit: 10, ..ActivityFilter::default() };
    let (events, _) = world.store.activity(&acme(), &filter).await.expect("the store answers");
    let actual: Vec<_> = events.iter().map(|event| (&event.key_id, event.at, event.actor.as_str())).collect();
    assert_eq!(actual, [(&new.key.key_id, after(1), "ada")]);
}

async fn seal_copied_to_another_key_does_not_open(world: &World) {
    let sealing = sealing(&["a"], &world.entropy);
    let (first, secret) = make::sealed_key("acme", &sealing, world.entropy.clone());
    let (neighbour, _) = make::sealed_key("acme", &sealing, world.entropy.clone());
    let (foreign, _) = make::sealed_key("umbrella", &sealing, world.entropy.clone());
    let unsealed = make::key("acme", world.entropy.clone());
    for new in [&first, &neighbour, &foreign, &unsealed] {
        world.keep(new).await;
    }
    for other in [&neighbour, &foreign, &unsealed] {
        let (from, to) = (&first.key.key_id, &other.key.key_id);
        let copied = format!(
            "UPDATE keys SET sealing_key = (SELECT sealing_key FROM keys WHERE key_id = '{from}'), \
             sealed = (SELECT sealed FROM keys WHERE key_id = '{from}') WHERE key_id = '{to}'"
        );
        assert_eq!(world.raw.execute(&copied).await, 1);
        let sealed = reveal(world, other, 1).await.expect("a seal is there now");
        assert_eq!(Some(&sealed), first.sealed.as_ref());
        let opened = open(&sealing, &sealed, other.key.brand_id.as_str(), to);
        assert_eq!(opened, Err(UnsealError::WrongOwnerOrDamaged), "{other:?}");
    }
    let sealed = reveal(world, &first, 2).await.expect("it was sealed");
    assert_eq!(open(&sealing, &sealed, "acme", &first.key.key_id), Ok(secret));
}

async fn seal_of_a_key_moved_to_another_brand_does_not_open(world: &World) {
    let sealing = sealing(&["a", "b"], &world.entropy);
    let (mut new, secret) = make::sealed_key("acme", &sealing, world.entropy.clone());
    world.keep(&new).await;
    let key_id = new.key.key_id.clone();
    world.raw.execute(&format!("UPDATE keys SET brand_id = 'umbrella' WHERE key_id = '{key_id}'")).await;
    assert_eq!(reveal(world, &new, 1).await, None, "acme has it no longer");
    new.key.brand_id = umbrella();
    let sealed = reveal(world, &new, 2).await.expect("umbrella has it now");
    assert_eq!(open(&sealing, &sealed, "umbrella", &key_id), Err(UnsealError::WrongOwnerOrDamaged));
    // It does not open with another sealing key either.
    let renamed = Sealed { sealing_key: "b".into(), ..sealed.clone() };
    assert_eq!(open(&sealing, &renamed, "acme", &key_id), Err(UnsealError::WrongOwnerOrDamaged));
    assert_eq!(open(&sealing, &sealed, "acme", &key_id), Ok(secret));
}

/// Seven keys sealed with `old`, one with `new`, one without a seal. Returns the sorted ids of the seven.
async fn sealed_with_old(world: &World, old: &SealingKeys, new: &SealingKeys) -> Vec<KeyId> {
    let mut ids = Vec::new();
    for number in 0..7 {
        let brand = if number % 2 == 0 { "acme" } else { "umbrella" };
        let (key, _) = make::sealed_key(brand, old, world.entropy.clone());
        world.keep(&key).await;
        ids.push(key.key.key_id);
    }
    let (newest, _) = make::sealed_key("acme", new, world.entropy.clone());
    world.keep(&newest).await;
    world.key("acme").await;
    ids.sort();
    ids
}

async fn keys_with_an_old_seal_are_paged(world: &World) {
    let (old, new) = (sealing(&["old"], &world.entropy), sealing(&["new"], &world.entropy));
    let ids = sealed_with_old(world, &old, &new).await;
    for limit in [1, 2, 3, 7, 100] {
        let mut found: Vec<KeyId> = Vec::new();
        loop {
            let batch = world.store.keys_sealed_otherwise("new", found.last(), limit).await;
            let batch = batch.expect("the store answers");
            assert!(batch.len() <= limit as usize);
            if batch.is_empty() {
                break;
            }
            for (brand, key, sealed) in batch {
                assert_eq!(sealed.sealing_key, "old");
                assert!(open(&old, &sealed, brand.as_str(), &key).is_ok());
                found.push(key);
            }
        }
        assert_eq!(found, ids, "by {limit}");
    }
}

async fn rewrap_moves_every_key_to_the_newest_sealing_key(world: &World) {
    let (old, new) = (sealing(&["old"], &world.entropy), sealing(&["new"], &world.entropy));
    let ids = sealed_with_old(world, &old, &new).await;
    let before = world.store.keys_sealed_otherwise("new", None, 100).await.expect("the store answers");
    let mut secrets = Vec::new();
    for (brand, key, sealed) in &before {
        let owner = SealOwner::key(brand, key);
        let clear = old.open(sealed, owner).expect("it opens");
        let fresh = new.seal(&clear, owner, &mut world.entropy.clone());
        world.store.reseal_key(brand, key, sealed, &fresh).await.expect("the store answers");
        secrets.push(clear.expose().to_owned());
    }
    assert_eq!(world.store.keys_sealed_otherwise("new", None, 100).await, Ok(Vec::new()));
    let after = world.store.keys_sealed_otherwise("old", None, 100).await.expect("the store answers");
    assert_eq!(after.len(), ids.len() + 1, "the one that was new already is still there");
    for ((brand, key, _), secret) in before.iter().zip(secrets) {
        let (_, _, sealed) = after.iter().find(|(_, id, _)| id == key).expect("it is there");
        assert_eq!(open(&new, sealed, brand.as_str(), key), Ok(secret), "the old sealing key is not needed");
    }
}

async fn late_reseal_changes_nothing(world: &World) {
    let (old, new) = (sealing(&["old"], &world.entropy), sealing(&["new"], &world.entropy));
    let (key, secret) = make::sealed_key("acme", &old, world.entropy.clone());
    world.keep(&key).await;
    let key_id = &key.key.key_id;
    let read = key.sealed.clone().expect("it was sealed");
    let clear = svc_mcp_access::Secret::new(secret);
    let again = || new.seal(&clear, SealOwner::key(&key.key.brand_id, key_id), &mut world.entropy.clone());
    let (first, second) = (again(), again());
    assert_ne!(first, second, "no nonce is used twice");

    for other in [umbrella(), id("nobody")] {
        world.store.reseal_key(&other, key_id, &read, &first).await.expect("the store answers");
        assert_eq!(reveal(world, &key, 1).await, Some(read.clone()));
        world.raw.execute("DELETE FROM activity WHERE kind = 'revealed'").await;
    }
    world.store.reseal_key(&acme(), key_id, &read, &first).await.expect("the store answers");
    world.store.reseal_key(&acme(), key_id, &read, &second).await.expect("the store answers");
    assert_eq!(reveal(world, &key, 2).await, Some(first));
}
