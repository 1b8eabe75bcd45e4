//! Rotation: two secrets of one key for a while, and one again after that.

use std::time::Duration;

use svc_mcp_access::{
    KeyId, Secret, Timestamp,
    decision::{KeySource, RotatedSecret, Rotation},
    key::{Key, KeyDigest, NewKey, NewSecret, SealOwner, SealingKeys},
    rate::{LIMIT, WINDOW},
};
use svc_mcp_store::{ActivityFilter, EventKind, KeyUse, NewEvent, QueuedWork, RotateKeyError, Store};

use crate::{
    activity::{used_with, write},
    instances::{Instance, own_redis, shared_redis, stop},
    key_bloom::{redis, with_filter},
    make::{self, acme, after, id, repeated, umbrella},
    seals::sealing,
    world::{World, at_once, retried},
};

on_both_engines! {
    both_secrets_are_found_until_the_grace_ends,
    old_secret_ends_with_the_key,
    without_grace_the_old_secret_ends_at_once,
    revoked_expired_and_rotating_keys_are_not_rotated,
    one_of_many_concurrent_rotations_succeeds,
    finish_ends_the_old_secret_alone,
    revoke_ends_both_secrets,
    rotation_is_bound_to_its_brand,
    new_secret_replaces_the_sealed_one,
    use_of_the_old_secret_is_recorded,
    both_secrets_pass_every_filter,
    secrets_that_change_during_the_build_are_found,
    next_request_to_another_instance_sees_a_rotation,
    secrets_share_the_limit_over_instances,
    secrets_share_the_limit_without_redis,
}

const GRACE: i64 = 1_000;

/// A secret in clear text, and its digest.
struct TestSecret {
    text: String,
    digest: KeyDigest,
}

/// Generates a secret for a key.
fn fresh(world: &World, new: &NewKey, sealing: Option<&SealingKeys>) -> (NewSecret, TestSecret) {
    let (secret, token) =
        NewSecret::generate(&new.key.brand_id, &new.key.key_id, sealing, &mut world.entropy.clone());
    let text = token.expose().to_owned();
    (secret.clone(), TestSecret { text, digest: secret.digest })
}

/// An event at this time.
fn event(kind: EventKind, new: &NewKey, at: Timestamp) -> NewEvent {
    NewEvent { at, ..repeated(kind, new) }
}

async fn rotate_at(
    world: &World,
    store: &Store,
    new: &NewKey,
    (at, until): (i64, i64),
) -> Result<(Key, TestSecret), RotateKeyError> {
    let (secret, test) = fresh(world, new, None);
    let rotated = event(EventKind::Rotated, new, after(at));
    let key = store.rotate_key(&acme(), &new.key.key_id, &secret, after(until), &rotated).await?;
    Ok((key, test))
}

/// Rotates a key at once.
async fn rotate(world: &World, store: &Store, new: &NewKey) -> TestSecret {
    rotate_at(world, store, new, (0, GRACE)).await.expect("it is rotated").1
}

async fn finish_at(store: &Store, new: &NewKey, at: i64) {
    let finished = event(EventKind::RotationFinished, new, after(at));
    store.finish_rotation(&acme(), &new.key.key_id, &finished).await.expect("the store answers");
}

async fn key(world: &World, key_id: &KeyId) -> Key {
    world.store.key(&acme(), key_id).await.expect("the store answers").expect("it is kept")
}

async fn state_of(world: &World, digest: &KeyDigest) -> RotatedSecret {
    let found = world.store.key_state(digest).await.expect("the store answers").expect("known");
    found.rotation.as_ref().expect("a rotated key").secret
}

/// A key whose secret is known, and the secret.
async fn known_key(world: &World) -> (NewKey, TestSecret) {
    let (new, text) = make::sealed_key("acme", &sealing(&["a"], &world.entropy), world.entropy.clone());
    world.keep(&new).await;
    let digest = new.digest;
    (new, TestSecret { text, digest })
}

async fn both_secrets_are_found_until_the_grace_ends(world: &World) {
    let new = world.key("acme").await;
    let before = world.store.key_state(&new.digest).await.expect("the store answers").expect("known");
    assert_eq!((before.window_digest(), before.is_old_secret()), (&new.digest, false));
    let (rotated, secret) =
        rotate_at(world, &world.store, &new, (1, 1 + GRACE)).await.expect("it is rotated");
    assert_eq!(rotated, key(world, &new.key.key_id).await);
    assert_eq!(rotated.rotating_until(after(1)), Some(after(1 + GRACE)));
    let unchanged = Key { prefix: rotated.prefix.clone(), old_secret: rotated.old_secret, ..new.key.clone() };
    assert_eq!(rotated, unchanged, "everything else stays");
    assert!(secret.text.starts_with(&rotated.prefix) && rotated.prefix != new.key.prefix);
    for store in [&world.store, &world.another_process().await] {
        let old = RotatedSecret::Old { until: after(1 + GRACE) };
        for (digest, secret) in [(&new.digest, old), (&secret.digest, RotatedSecret::Current)] {
            let found = store.key_state(digest).await.expect("the store answers").expect("known");
            assert_eq!((&found.key_id, found.digest), (&new.key.key_id, *digest));
            assert_eq!(found.rotation.as_deref(), Some(&Rotation { window: new.digest, secret }));
        }
    }
    // Another rotation after the grace: the first secret is gone, and the window is still found by it.
    let (_, third) =
        rotate_at(world, &world.store, &new, (1 + GRACE, 3 * GRACE)).await.expect("it is rotated");
    assert_eq!(world.store.key_state(&new.digest).await, Ok(None));
    for digest in [&secret.digest, &third.digest] {
        let found = world.store.key_state(digest).await.expect("the store answers").expect("known");
        assert_eq!(found.window_digest(), &new.digest);
        assert_eq!(found.is_old_secret(), *digest == secret.digest);
    }
}

async fn old_secret_ends_with_the_key(world: &World) {
    let mut new = make::key("acme", world.entropy.clone());
    new.key.expires_at = Some(after(GRACE / 2));
    world.keep(&new).await;
    let (rotated, secret) = rotate_at(world, &world.store, &new, (0, GRACE)).await.expect("it is rotated");
    assert_eq!(rotated.rotating_until(after(0)), Some(after(GRACE / 2)));
    for digest in [&new.digest, &secret.digest] {
        let found = world.store.key_state(digest).await.expect("the store answers").expect("known");
        assert_eq!(found.expires_at, Some(after(GRACE / 2)));
    }
}

async fn without_grace_the_old_secret_ends_at_once(world: &World) {
    let new = world.key("acme").await;
    let (rotated, secret) = rotate_at(world, &world.store, &new, (5, 5)).await.expect("it is rotated");
    assert_eq!(rotated.rotating_until(after(0)), None, "also by a clock that is behind");
    assert_eq!(state_of(world, &new.digest).await, RotatedSecret::Ended);
    assert_eq!(state_of(world, &secret.digest).await, RotatedSecret::Current);
    rotate_at(world, &world.store, &new, (6, 6)).await.expect("it can be rotated again at once");
}

async fn revoked_expired_and_rotating_keys_are_not_rotated(world: &World) {
    let refused = async |new: &NewKey, at| {
        let before = key(world, &new.key.key_id).await;
        let result = rotate_at(world, &world.store, new, (at, at + GRACE)).await;
        assert_eq!(key(world, &new.key.key_id).await, before, "nothing has changed");
        result.err().expect("it is refused")
    };
    let new = world.key("acme").await;
    rotate(world, &world.store, &new).await;
    let rotating = RotateKeyError::AlreadyRotating { until: after(GRACE) };
    assert_eq!(refused(&new, GRACE - 1).await, rotating);
    rotate_at(world, &world.store, &new, (GRACE, 2 * GRACE)).await.expect("the grace has ended");
    finish_at(&world.store, &new, GRACE).await;
    rotate_at(world, &world.store, &new, (GRACE, 2 * GRACE)).await.expect("the rotation was finished");
    let event = make::revoked(&new, after(1));
    let revoked = world.store.revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &event).await;
    revoked.expect("the store answers");
    assert_eq!(refused(&new, 9 * GRACE).await, RotateKeyError::Revoked);
    let mut expiring = make::key("acme", world.entropy.clone());
    expiring.key.expires_at = Some(after(3));
    world.keep(&expiring).await;
    assert_eq!(refused(&expiring, 3).await, RotateKeyError::Expired);
    rotate_at(world, &world.store, &expiring, (2, 9)).await.expect("it is not expired yet");
}

async fn one_of_many_concurrent_rotations_succeeds(world: &World) {
    for _ in 0..5 {
        let new = world.key("acme").await;
        let work = (0..8).map(|_| {
            let (secret, test) = fresh(world, &new, None);
            let rotated = event(EventKind::Rotated, &new, after(0));
            let (store, key_id) = (world.store.clone(), new.key.key_id.clone());
            async move {
                let brand = acme();
                let rotate = || store.rotate_key(&brand, &key_id, &secret, after(GRACE), &rotated);
                (retried(rotate).await, test.digest)
            }
        });
        let (rotated, refused): (Vec<_>, Vec<_>) =
            at_once(work).await.into_iter().partition(|(result, _)| result.is_ok());
        assert_eq!(rotated.len(), 1, "{rotated:?}");
        let rotating = RotateKeyError::AlreadyRotating { until: after(GRACE) };
        assert!(refused.iter().all(|(result, _)| *result == Err(rotating)), "{refused:?}");
        for (digest, is_known) in [(new.digest, true), (rotated[0].1, true), (refused[0].1, false)] {
            let found = world.store.key_state(&digest).await.expect("the store answers");
            assert_eq!(found.is_some(), is_known);
        }
    }
}

async fn finish_ends_the_old_secret_alone(world: &World) {
    let new = world.key("acme").await;
    finish_at(&world.store, &new, 0).await;
    assert_eq!(key(world, &new.key.key_id).await.old_secret, None, "it was never rotated");
    let secret = rotate(world, &world.store, &new).await;
    let ended = async || {
        let (old, current) = (state_of(world, &new.digest).await, state_of(world, &secret.digest).await);
        assert_eq!(current, RotatedSecret::Current);
        old == RotatedSecret::Ended
    };
    assert!(!ended().await);
    for at in 2..5 {
        finish_at(&world.store, &new, at).await;
        assert!(ended().await);
        let found = key(world, &new.key.key_id).await;
        assert_eq!(found.old_secret.and_then(|old| old.ended_at), Some(after(2)), "the first time stays");
        assert_eq!(found.rotating_until(after(0)), None);
    }
    // A rotation that has ended by itself has no event, but it is ended by every clock.
    rotate_at(world, &world.store, &new, (2 * GRACE, 3 * GRACE)).await.expect("it is rotated");
    finish_at(&world.store, &new, 3 * GRACE).await;
    assert_eq!(state_of(world, &secret.digest).await, RotatedSecret::Ended);
    let kinds = async |kind| {
        let filter = ActivityFilter { kind: Some(kind), limit: 10, ..ActivityFilter::default() };
        world.store.activity(&acme(), &filter).await.expect("the store answers").0.len()
    };
    assert_eq!((kinds(EventKind::Rotated).await, kinds(EventKind::RotationFinished).await), (2, 1));
}

async fn revoke_ends_both_secrets(world: &World) {
    let new = world.key("acme").await;
    let secret = rotate(world, &world.store, &new).await;
    let event = make::revoked(&new, after(1));
    let revoked = world.store.revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &event).await;
    revoked.expect("the store answers");
    for digest in [&new.digest, &secret.digest] {
        let found = world.store.key_state(digest).await.expect("the store answers").expect("known");
        assert!(found.revoked);
    }
    let found = key(world, &new.key.key_id).await;
    assert_eq!(found.rotating_until(after(0)), None);
    finish_at(&world.store, &new, 2).await;
    assert_eq!(key(world, &new.key.key_id).await, found);
}

async fn rotation_is_bound_to_its_brand(world: &World) {
    let new = world.key("acme").await;
    let (secret, _) = fresh(world, &new, None);
    let rotated = event(EventKind::Rotated, &new, after(0));
    for (brand, key_id) in [(umbrella(), new.key.key_id.clone()), (acme(), id("key_none"))] {
        let result = world.store.rotate_key(&brand, &key_id, &secret, after(GRACE), &rotated).await;
        assert_eq!(result, Err(RotateKeyError::Unknown));
    }
    rotate(world, &world.store, &new).await;
    let finished = event(EventKind::RotationFinished, &new, after(1));
    world.store.finish_rotation(&umbrella(), &new.key.key_id, &finished).await.expect("the store answers");
    assert_eq!(key(world, &new.key.key_id).await.rotating_until(after(1)), Some(after(GRACE)));
}

async fn new_secret_replaces_the_sealed_one(world: &World) {
    let (old, newer) = (sealing(&["old"], &world.entropy), sealing(&["newer"], &world.entropy));
    let (new, _) = make::sealed_key("acme", &old, world.entropy.clone());
    world.keep(&new).await;
    let first_seal = new.sealed.clone().expect("it was sealed");
    let (secret, test) = fresh(world, &new, Some(&old));
    let rotated = event(EventKind::Rotated, &new, after(0));
    let key_id = &new.key.key_id;
    let key = world.store.rotate_key(&acme(), key_id, &secret, after(GRACE), &rotated).await;
    assert!(key.expect("it is rotated").can_reveal);
    // A rewrap that has read the seal before the rotation changes nothing.
    let owner = SealOwner::key(&new.key.brand_id, key_id);
    let again = newer.seal(&Secret::new("stale".into()), owner, &mut world.entropy.clone());
    world.store.reseal_key(&acme(), key_id, &first_seal, &again).await.expect("the store answers");
    let sealed = world.store.keys_sealed_otherwise("newer", None, 10).await.expect("the store answers");
    let [(_, _, sealed)] = sealed.as_slice() else { panic!("one seal: {sealed:?}") };
    let clear = old.open(sealed, owner).expect("it opens");
    assert_eq!(clear.expose(), test.text);
    let again = newer.seal(&clear, owner, &mut world.entropy.clone());
    world.store.reseal_key(&acme(), key_id, sealed, &again).await.expect("the store answers");
    let revealed = make::revealed(&new, after(1));
    let sealed = world.store.sealed_key(&acme(), key_id, &revealed).await.expect("the store answers");
    assert_eq!(newer.open(&sealed.expect("sealed"), owner).expect("it opens").expose(), test.text);
    // While revealing is off, the new secret is not sealed, and the old seal is gone.
    finish_at(&world.store, &new, 2).await;
    let (key, _) = rotate_at(world, &world.store, &new, (3, 3)).await.expect("it is rotated");
    assert!(!key.can_reveal);
    let revealed = world.store.sealed_key(&acme(), key_id, &make::revealed(&new, after(4))).await;
    assert_eq!(revealed, Ok(None));
}

async fn use_of_the_old_secret_is_recorded(world: &World) {
    let new = world.key("acme").await;
    let before = used_with(world, &new.digest, after(1)).await;
    let secret = rotate_at(world, &world.store, &new, (2, GRACE)).await.expect("it is rotated").1;
    write(world, [before]).await;
    let times = async || {
        let key = key(world, &new.key.key_id).await;
        (key.last_used_at, key.old_secret.and_then(|old| old.last_used_at))
    };
    assert_eq!(times().await, (Some(after(1)), None), "the use before the rotation");
    let old = used_with(world, &new.digest, after(3)).await;
    let current = used_with(world, &secret.digest, after(5)).await;
    let earlier = KeyUse { at: after(2), ..old.clone() };
    write(world, [old.clone(), current.clone(), earlier]).await;
    assert_eq!(times().await, (Some(after(5)), Some(after(3))));
    let denied = KeyUse { outcome: svc_mcp_store::EventOutcome::Denied, at: after(7), ..old.clone() };
    write(world, [denied, KeyUse { at: after(8), ..current }]).await;
    assert_eq!(times().await, (Some(after(8)), Some(after(3))), "a refused request is no use");
    // A late record of the first secret does not count for the second one.
    let again = rotate_at(world, &world.store, &new, (GRACE, 2 * GRACE)).await;
    again.expect("it is rotated");
    write(world, [KeyUse { at: after(9), ..old }]).await;
    assert_eq!(times().await, (Some(after(9)), None));
    write(world, [used_with(world, &secret.digest, after(11)).await]).await;
    assert_eq!(times().await, (Some(after(11)), Some(after(11))));
}

async fn both_secrets_pass_every_filter(world: &World) {
    let redis = redis(world).await;
    let new = world.key("acme").await;
    let alone = with_filter(world, world.another_process().await).await;
    let here = with_filter(world, world.another_instance(Some(redis.clone())).await).await;
    let there = with_filter(world, world.another_instance(Some(redis.clone())).await).await;
    let secret = rotate(world, &here, &new).await;
    let later = with_filter(world, world.another_instance(Some(redis)).await).await;
    alone.maintain_key_filter().await.expect("the store answers");
    alone.notice_changes().await.expect("the store answers");
    for store in [&here, &there, &later, &alone] {
        for digest in [&new.digest, &secret.digest] {
            let found = store.key_state(digest).await.expect("the store answers");
            assert_eq!(found.expect("a secret of the key").key_id, new.key.key_id);
        }
    }
}

async fn secrets_that_change_during_the_build_are_found(world: &World) {
    let mut keys = Vec::new();
    for _ in 0..10 {
        keys.push(world.key("acme").await);
    }
    let unknown = make::key("acme", world.entropy.clone()).digest;
    assert_eq!(world.store.key_state(&unknown).await, Ok(None));
    let rotating = async {
        let mut secrets = Vec::new();
        for new in &keys {
            secrets.push(rotate(world, &world.store, new).await.digest);
        }
        secrets
    };
    let (built, secrets) = tokio::join!(world.store.maintain_key_filter(), rotating);
    built.expect("the store answers");
    for digest in keys.iter().map(|new| new.digest).chain(secrets) {
        world.store.reload(&digest).await.expect("the store answers");
        assert!(world.store.key_state(&digest).await.expect("the store answers").is_some());
    }
}

async fn next_request_to_another_instance_sees_a_rotation(world: &World) {
    let redis = shared_redis().await;
    let (here, there) = (Instance::new(world, &redis).await, Instance::new(world, &redis).await);
    let instances = [&there, &here];
    let (new, first) = known_key(world).await;
    let mut old = first;
    let expect = async |secret: &TestSecret, wanted: &str, what: &str| {
        for instance in instances {
            assert_eq!(instance.ask(&secret.text).await, wanted, "{what}");
        }
    };
    expect(&old, "ok", "before").await;
    for round in 0..3 {
        let start = round * GRACE;
        let until = if round == 2 { start } else { start + GRACE };
        let rotated = rotate_at(world, &here.store, &new, (start, until)).await;
        let (_, secret) = rotated.expect("it is rotated");
        expect(&secret, "ok", "the new secret").await;
        match round {
            0 => {
                expect(&old, "ok", "the old secret in its grace").await;
                finish_at(&here.store, &new, start + 1).await;
                expect(&old, "old_secret_ended", "finished").await;
            }
            1 => {
                expect(&old, "ok", "the old secret in its grace").await;
                for instance in instances {
                    instance.clock.advance(Duration::from_millis(2 * GRACE.unsigned_abs() - 1));
                }
                expect(&old, "ok", "a millisecond before the end").await;
                for instance in instances {
                    instance.clock.advance(Duration::from_millis(1));
                }
                expect(&old, "old_secret_ended", "after the grace").await;
            }
            _ => expect(&old, "old_secret_ended", "without grace").await,
        }
        expect(&secret, "ok", "the new secret after that").await;
        old = secret;
    }
    let event = make::revoked(&new, after(1));
    let revoked = here.store.revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &event).await;
    revoked.expect("the store answers");
    expect(&old, "key_revoked", "revoked").await;
}

/// Sends requests with all secrets in turn, and returns how many are admitted.
async fn count_admitted(instances: &[&Instance], secrets: &[&TestSecret], requests: usize) -> usize {
    let mut admitted = 0;
    for number in 0..requests {
        let instance = instances[number % instances.len()];
        let secret = secrets[(number / instances.len()) % secrets.len()];
        match instance.ask(&secret.text).await {
            "ok" => admitted += 1,
            other => assert_eq!(other, "rate_limited"),
        }
    }
    admitted
}

async fn secrets_share_the_limit_over_instances(world: &World) {
    let redis = shared_redis().await;
    let (here, there) = (Instance::new(world, &redis).await, Instance::new(world, &redis).await);
    let (new, old) = known_key(world).await;
    assert_eq!(count_admitted(&[&here, &there], &[&old], 21).await, 21);
    let secret = rotate(world, &here.store, &new).await;
    assert_eq!(count_admitted(&[&there, &here], &[&old, &secret], 80).await, LIMIT - 21);
    finish_at(&there.store, &new, 1).await;
    assert_eq!(count_admitted(&[&there, &here], &[&secret], 10).await, 0, "also after the rotation");
}

async fn secrets_share_the_limit_without_redis(world: &World) {
    let redis = own_redis(None).await;
    let instance = Instance::new(world, &redis.fresh_database()).await;
    let (new, old) = known_key(world).await;
    assert_eq!(count_admitted(&[&instance], &[&old], 20).await, 20);
    stop(redis).await;
    let secret = rotate(world, &instance.store, &new).await;
    assert_eq!(count_admitted(&[&instance], &[&old, &secret], 80).await, LIMIT - 20);
    instance.clock.advance(WINDOW);
    assert_eq!(instance.ask(&secret.text).await, "ok");
}
