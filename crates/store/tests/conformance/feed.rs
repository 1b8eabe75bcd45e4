//! The public feed: published posts, newest first.

use svc_mcp_tools::{
    Change, Records,
    posts::{Post, TargetChange, TargetStatus, TargetStep},
};

use crate::{
    make::{self, NOW, acme, after},
    posts::keep,
    world::World,
};

on_both_engines! {
    feed_lists_published_posts_newest_first,
    late_post_appears_at_its_publication_time,
}

async fn feed(world: &World, limit: u32) -> Vec<String> {
    let posts = world.store.feed(&acme(), limit).await.expect("the store answers");
    posts.into_iter().map(|post| post.post_id).collect()
}

async fn feed_lists_published_posts_newest_first(world: &World) {
    let mut elsewhere = make::published("elsewhere", after(9));
    elsewhere.targets[0].channel = "mastodon".into();
    let mut withdrawn = make::published("withdrawn", after(9));
    withdrawn.targets[0].status = TargetStatus::Cancelled;
    // Written first and published last: the feed is sorted by publication time.
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

async fn late_post_appears_at_its_publication_time(world: &World) {
    keep(world, [make::published("newer", after(500)), make::scheduled("older", after(100))]).await;
    // The service was down when it was due.
    let url = Some("https://svc.example/feeds/acme/posts/older".to_owned());
    let step = TargetStep::Published { url: url.clone(), remote_uri: None, at: after(100) };
    let change = Change::Target(TargetChange { post_id: "older".into(), channel: "feed".into(), step });
    world.records().commit(&acme(), &[change], None, after(900)).await.expect("committed");
    assert_eq!(feed(world, 10).await, ["newer", "older"]);
    let posts = world.store.feed(&acme(), 2).await.expect("the store answers");
    let target = &posts[1].targets[0];
    assert_eq!((target.published_at, &target.url), (Some(after(100)), &url));
}
