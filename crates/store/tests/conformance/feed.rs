//! The public feed: what is published, newest first, and what is due, put there once.

use svc_mcp_tools::posts::{Post, PostRecords, TargetStatus};

use crate::{
    make::{self, NOW, acme, after},
    posts::keep,
    world::{World, at_once},
};

on_both_engines! {
    the_feed_shows_what_is_published_newest_first,
    what_is_due_is_published_once,
    what_is_not_due_or_not_for_the_feed_stays,
    a_post_of_long_ago_enters_the_feed_at_its_own_time,
}

async fn feed(world: &World, limit: u32) -> Vec<String> {
    let posts = world.store.feed(&acme(), limit).await.expect("the store answers");
    posts.into_iter().map(|post| post.post_id).collect()
}

async fn the_feed_shows_what_is_published_newest_first(world: &World) {
    let mut elsewhere = make::published("elsewhere", after(9));
    elsewhere.targets[0].channel = "mastodon".into();
    let mut withdrawn = make::published("withdrawn", after(9));
    withdrawn.targets[0].status = TargetStatus::Cancelled;
    // Published late, though written first: the feed goes by when it was published.
    let late = Post { created_at: after(-1_000), ..make::published("late", after(8)) };
    let both = Post {
        targets: vec![make::target("bluesky", TargetStatus::Failed), late.targets[0].clone()],
        ..make::published("both", after(3))
    };
    let ones =
        [("b", 3), ("a", 3), ("c", 3), ("d", 1), ("e", 5)].map(|(id, at)| make::published(id, after(at)));
    let others =
        [elsewhere, withdrawn, late, both, make::post("draft", NOW), make::scheduled("later", after(99))];
    keep(world, ones.into_iter().chain(others)).await;
    assert_eq!(feed(world, 10).await, ["late", "both", "e", "c", "b", "a", "d"]);
    assert_eq!(feed(world, 3).await, ["late", "both", "e"]);
    let posts = world.store.feed(&acme(), 2).await.expect("the store answers");
    assert!(posts.iter().all(|post| post.targets.len() == 1 && post.targets[0].channel == "feed"));
}

async fn what_is_due_is_published_once(world: &World) {
    let due = (0..20).map(|number| make::scheduled(&format!("post_{number:02}"), after(number)));
    keep(world, due).await;
    let other = world.another_process().await;
    let publishers = (0..8).map(|number| {
        let store = if number % 2 == 0 { world.store.clone() } else { other.clone() };
        async move { store.publish_due(after(19), "https://svc.example").await.expect("the store answers") }
    });
    assert_eq!(at_once(publishers).await.iter().sum::<u64>(), 20);
    assert_eq!(world.store.publish_due(after(19), "https://svc.example").await, Ok(0));
    let due = "SELECT COUNT(*) FROM post_targets WHERE due_at IS NOT NULL";
    assert_eq!(world.raw.number(due).await, 0, "nothing is left to look for");

    let posts = world.store.feed(&acme(), 100).await.expect("the store answers");
    assert_eq!(posts.len(), 20);
    for (number, post) in (0..20).rev().zip(&posts) {
        let target = &post.targets[0];
        assert_eq!(post.post_id, format!("post_{number:02}"));
        assert_eq!((target.status, target.attempts), (TargetStatus::Published, 1));
        assert_eq!(target.published_at, Some(after(number)));
        let url = format!("https://svc.example/feeds/acme/posts/{}", post.post_id);
        assert_eq!(target.url, Some(url));
    }
}

async fn what_is_not_due_or_not_for_the_feed_stays(world: &World) {
    let mut elsewhere = make::scheduled("elsewhere", after(1));
    elsewhere.targets[0].channel = "mastodon".into();
    let draft = Post { scheduled_at: Some(after(1)), ..make::post("draft", NOW) };
    let (soon, later) = (make::scheduled("soon", after(10)), make::scheduled("later", after(11)));
    keep(world, [elsewhere.clone(), draft.clone(), soon, later.clone()]).await;
    assert_eq!(world.store.publish_due(after(9), "https://svc.example").await, Ok(0));
    assert!(feed(world, 10).await.is_empty());
    assert_eq!(world.store.publish_due(after(10), "https://svc.example").await, Ok(1));
    assert_eq!(feed(world, 10).await, ["soon"]);
    for untouched in [elsewhere, draft, later] {
        let found = world.records().post(&acme(), &untouched.post_id).await;
        assert_eq!(found, Ok(Some(untouched)));
    }
}

async fn a_post_of_long_ago_enters_the_feed_at_its_own_time(world: &World) {
    keep(world, [make::published("newer", after(500)), make::scheduled("older", after(100))]).await;
    // The service was down when it was due.
    assert_eq!(world.store.publish_due(after(900), "https://svc.example").await, Ok(1));
    assert_eq!(feed(world, 10).await, ["newer", "older"]);
}
