//! Channels of a brand and their sealed secrets.

use svc_mcp_access::{
    BrandId, ChannelId, Secret,
    key::{SealOwner, SealingKeys},
};
use svc_mcp_store::{PutChannelError, SealedChannel};
use svc_mcp_tools::{
    Change, Records,
    posts::{
        BrandChannel, ChannelInput, ChannelKind, MAX_CHANNELS, Post, PostRecords, StoredChannel, TargetStatus,
    },
};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    posts::keep,
    seals::sealing,
    world::{World, at_once},
};

on_both_engines! {
    channel_is_read_as_it_was_written_and_only_by_its_brand,
    changed_channel_keeps_its_creation_time,
    deleting_a_channel_cancels_its_unpublished_posts,
    number_of_channels_is_limited,
    secret_does_not_open_for_another_channel,
    channels_with_an_old_seal_are_paged_and_resealed_once,
}

fn webhook(channel_id: &str, url: &str) -> StoredChannel {
    let given = ChannelInput::parse(ChannelKind::Webhook, serde_json::json!({"url": url})).expect("settings");
    StoredChannel {
        channel: BrandChannel { channel_id: id(channel_id), settings: given.settings },
        sealed: None,
        created_at: NOW,
        updated_at: NOW,
    }
}

fn sealed(mut kept: StoredChannel, brand: &BrandId, keys: &SealingKeys, world: &World) -> StoredChannel {
    let owner = SealOwner::channel(brand, &kept.channel.channel_id);
    kept.sealed = Some(keys.seal(&Secret::new("whsec_x".into()), owner, &mut world.entropy.clone()));
    kept
}

async fn put(world: &World, brand: &BrandId, kept: &StoredChannel) {
    world.store.put_channel(brand, kept).await.expect("the channel is stored");
}

async fn channel(world: &World, brand: &BrandId, channel: &str) -> Option<StoredChannel> {
    world.records().channel(brand, &id(channel)).await.expect("the store answers")
}

async fn channel_is_read_as_it_was_written_and_only_by_its_brand(world: &World) {
    let keys = sealing(&["a"], &world.entropy);
    let first = sealed(webhook("b-hook", "https://acme.example/1"), &acme(), &keys, world);
    let second = webhook("a-hook", "https://acme.example/ü?x=1");
    let theirs = webhook("b-hook", "https://umbrella.example");
    put(world, &acme(), &first).await;
    put(world, &acme(), &second).await;
    put(world, &umbrella(), &theirs).await;
    assert_eq!(channel(world, &acme(), "b-hook").await, Some(first.clone()));
    assert_eq!(channel(world, &umbrella(), "b-hook").await, Some(theirs));
    assert_eq!(channel(world, &umbrella(), "a-hook").await, None);
    assert_eq!(world.store.channels(&acme()).await, Ok(vec![second.clone(), first.clone()]));
    let profile = world.records().profile(&acme()).await.expect("the store answers");
    assert_eq!(profile.channels, [second.channel, first.channel]);
}

async fn changed_channel_keeps_its_creation_time(world: &World) {
    put(world, &acme(), &webhook("hook", "https://acme.example/1")).await;
    let changed = StoredChannel {
        created_at: after(9),
        updated_at: after(9),
        ..webhook("hook", "https://acme.example/2")
    };
    put(world, &acme(), &changed).await;
    let expected = StoredChannel { created_at: NOW, ..changed };
    assert_eq!(world.store.channels(&acme()).await, Ok(vec![expected]));
}

async fn deleting_a_channel_cancels_its_unpublished_posts(world: &World) {
    use TargetStatus::{Cancelled, Draft, Failed, Published, Publishing, Scheduled};
    put(world, &acme(), &webhook("hook", "https://acme.example")).await;
    put(world, &umbrella(), &webhook("hook", "https://umbrella.example")).await;
    let states = [Draft, Scheduled, Publishing, Published, Failed, Cancelled];
    let post = |(number, status): (usize, TargetStatus)| Post {
        targets: vec![make::target("feed", status), make::target("hook", status)],
        ..make::post(&format!("post_{number}"), NOW)
    };
    keep(world, states.into_iter().enumerate().map(post)).await;
    let theirs = Change::AddPost(post((1, Scheduled)));
    world.records().commit(&umbrella(), &[theirs], None, NOW).await.expect("committed");

    assert_eq!(world.store.delete_channel(&acme(), &id("hook")).await, Ok(true));
    assert_eq!(world.store.delete_channel(&acme(), &id("hook")).await, Ok(false));
    assert_eq!(channel(world, &acme(), "hook").await, None);
    assert!(channel(world, &umbrella(), "hook").await.is_some());
    for ((number, before), now) in
        states.into_iter().enumerate().zip([Cancelled, Cancelled, Cancelled, Published, Failed, Cancelled])
    {
        let found = world.records().post(&acme(), &format!("post_{number}")).await;
        let targets = found.expect("the store answers").expect("a post").targets;
        assert_eq!((targets[0].status, targets[1].status), (before, now), "{before:?}");
        let actual = targets[1].error.as_deref();
        assert_eq!(actual, (before != now).then_some("The channel was removed."));
    }
    let found = world.records().post(&umbrella(), "post_1").await.expect("the store answers");
    assert_eq!(found.expect("a post").targets[1].status, Scheduled);
}

async fn number_of_channels_is_limited(world: &World) {
    let makers = (0..MAX_CHANNELS + 6).map(|number| {
        let store = world.store.clone();
        let kept = webhook(&format!("hook-{number}"), "https://acme.example");
        async move { store.put_channel(&acme(), &kept).await }
    });
    let refused =
        at_once(makers).await.iter().filter(|put| **put == Err(PutChannelError::LimitReached)).count();
    assert_eq!(refused, 6);
    let kept = world.store.channels(&acme()).await.expect("the store answers");
    assert_eq!(kept.len(), MAX_CHANNELS as usize);
    // Existing channels can still be changed, and another brand is not affected.
    put(world, &acme(), &kept[0]).await;
    put(world, &umbrella(), &kept[0]).await;
}

async fn secret_does_not_open_for_another_channel(world: &World) {
    let keys = sealing(&["a"], &world.entropy);
    put(world, &acme(), &sealed(webhook("hook", "https://acme.example"), &acme(), &keys, world)).await;
    put(world, &acme(), &webhook("other", "https://acme.example")).await;
    world
        .raw
        .execute(
            "UPDATE channels SET sealing_key = 'a', sealed = (SELECT sealed FROM channels WHERE channel_id = 'hook') \
             WHERE channel_id = 'other'",
        )
        .await;
    let opens = |kept: Option<StoredChannel>, brand: &BrandId| {
        let kept = kept.expect("a channel");
        let owner = SealOwner::channel(brand, &kept.channel.channel_id);
        keys.open(&kept.sealed.expect("a seal"), owner).is_ok()
    };
    assert!(opens(channel(world, &acme(), "hook").await, &acme()));
    assert!(!opens(channel(world, &acme(), "hook").await, &umbrella()));
    assert!(!opens(channel(world, &acme(), "other").await, &acme()));
}

async fn channels_with_an_old_seal_are_paged_and_resealed_once(world: &World) {
    let (old, new) = (sealing(&["old"], &world.entropy), sealing(&["new"], &world.entropy));
    for brand in [acme(), umbrella()] {
        for number in 0..3 {
            let kept = webhook(&format!("hook-{number}"), "https://acme.example");
            put(world, &brand, &sealed(kept, &brand, &old, world)).await;
        }
        put(world, &brand, &sealed(webhook("newer", "https://acme.example"), &brand, &new, world)).await;
        put(world, &brand, &webhook("bare", "https://acme.example")).await;
    }
    for limit in [1, 2, 6, 100] {
        let mut found: Vec<SealedChannel> = Vec::new();
        loop {
            let batch = world.store.channels_sealed_otherwise("new", found.last(), limit).await;
            let batch = batch.expect("the store answers");
            if batch.is_empty() {
                break;
            }
            found.extend(batch);
        }
        let names: Vec<(&str, &str)> =
            found.iter().map(|one| (one.brand_id.as_str(), one.channel_id.as_str())).collect();
        let of = |brand| [(brand, "hook-0"), (brand, "hook-1"), (brand, "hook-2")];
        assert_eq!(names, [of("acme"), of("umbrella")].concat(), "by {limit}");
    }
    let batch = world.store.channels_sealed_otherwise("new", None, 1).await.expect("the store answers");
    let again = || {
        let owner = SealOwner::channel(&batch[0].brand_id, &batch[0].channel_id);
        new.seal(&Secret::new("whsec_x".into()), owner, &mut world.entropy.clone())
    };
    let (first, late) = (again(), again());
    for seal in [&first, &late] {
        world.store.reseal_channel(&batch[0], seal).await.expect("the store answers");
    }
    let hook: ChannelId = id("hook-0");
    assert_eq!(channel(world, &acme(), hook.as_str()).await.and_then(|kept| kept.sealed), Some(first));
}
