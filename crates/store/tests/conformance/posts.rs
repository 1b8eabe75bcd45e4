//! Posts: stored, listed newest first, filtered and counted.

use svc_mcp_access::Timestamp;
use svc_mcp_tools::{
    Change, Records,
    page::Cursor,
    posts::{Media, Post, PostFilter, PostRecords, TargetStatus},
};

use crate::{
    make::{self, NOW, acme, after, umbrella},
    world::World,
};

on_both_engines! {
    post_is_read_as_it_was_added,
    posts_are_paged_newest_first,
    posts_are_filtered_by_state_channel_and_time,
    posts_are_filtered_by_the_time_they_go_out,
    empty_page_has_the_total,
    posts_of_another_brand_are_not_listed,
}

/// Stores posts, like a tool that is called without an idempotency key.
pub(crate) async fn keep(world: &World, posts: impl IntoIterator<Item = Post>) {
    let changes: Vec<_> = posts.into_iter().map(Change::AddPost).collect();
    world.records().commit(&acme(), &changes, None, NOW).await.expect("committed");
}

/// All posts of acme in pages of this size. Every page has the same total.
async fn paged(world: &World, filter: &PostFilter, limit: u32) -> (Vec<Post>, u64) {
    let (mut all, mut total, mut after) = (Vec::new(), None, None::<Cursor>);
    loop {
        let page = world.records().posts(&acme(), filter, after.as_ref(), limit).await;
        let page = page.expect("the store answers");
        assert!(page.items.len() == limit as usize || page.next.is_none());
        assert_eq!(*total.get_or_insert(page.total), page.total, "by {limit}, {filter:?}");
        all.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return (all, total.expect("a page")),
        }
    }
}

async fn post_is_read_as_it_was_added(world: &World) {
    let plain = make::post("post_plain", NOW);
    let mut published = make::target("feed", TargetStatus::Published);
    published.url = Some("https://svc.example/feeds/acme/posts/post_rich".into());
    published.attempts = 3;
    published.published_at = Some(after(4));
    let mut failed = make::target("mastodon", TargetStatus::Failed);
    failed.error = Some("410: gone “away”".into());
    let rich = Post {
        text: "Zeile 1\nZeile 2\t— 日本語 👩‍👩‍👧 'quoted' \"twice\" \\ %s $1".into(),
        title: Some("Ö".into()),
        link: Some("https://acme.example/a?b=c&d=ü".into()),
        media: vec![
            Media { url: "https://acme.example/1.png".into(), alt: "eins, “zwei”".into() },
            Media { url: "https://acme.example/2.png".into(), alt: String::new() },
        ],
        scheduled_at: Some(after(86_400_000)),
        // Sorted by channel, as they are read.
        targets: vec![make::target("bluesky", TargetStatus::Cancelled), published, failed],
        ..make::post("post_rich", after(1))
    };
    keep(world, [plain.clone(), rich.clone()]).await;
    for post in [&plain, &rich] {
        assert_eq!(world.records().post(&acme(), &post.post_id).await, Ok(Some(post.clone())));
    }
    assert_eq!(world.records().post(&acme(), "post_none").await, Ok(None));
    assert_eq!(paged(world, &PostFilter::default(), 10).await, (vec![rich, plain], 2));
}

async fn posts_are_paged_newest_first(world: &World) {
    let both = |post| Post {
        targets: vec![
            make::target("bluesky", TargetStatus::Draft),
            make::target("feed", TargetStatus::Draft),
        ],
        ..post
    };
    // Several posts at one time. Those with two targets must be counted once.
    let mut posts: Vec<_> = [("a", 1), ("b", 5), ("c", 5), ("d", 0), ("e", 5), ("f", 9), ("g", 1)]
        .map(|(name, at)| make::post(&format!("post_{name}"), after(at)))
        .into_iter()
        .enumerate()
        .map(|(number, post)| if number % 2 == 0 { both(post) } else { post })
        .collect();
    keep(world, posts.clone()).await;
    posts.sort_by(|one, other| (other.created_at, &other.post_id).cmp(&(one.created_at, &one.post_id)));
    for limit in [1, 2, 3, 4, 7, 100] {
        assert_eq!(paged(world, &PostFilter::default(), limit).await, (posts.clone(), 7), "by {limit}");
        let drafts = PostFilter { status: Some(TargetStatus::Draft), ..PostFilter::default() };
        assert_eq!(paged(world, &drafts, limit).await, (posts.clone(), 7), "drafts by {limit}");
        let elsewhere = PostFilter { channel: Some("bluesky".into()), ..PostFilter::default() };
        let expected: Vec<_> = posts.iter().filter(|post| post.targets.len() == 2).cloned().collect();
        assert_eq!(paged(world, &elsewhere, limit).await, (expected, 4), "bluesky by {limit}");
    }
}

/// Whether the filter matches this post.
fn meant(filter: &PostFilter, post: &Post) -> bool {
    let target = post.targets.iter().any(|target| {
        filter.status.is_none_or(|status| target.status == status)
            && filter.channel.as_ref().is_none_or(|channel| target.channel == *channel)
    });
    target
        && filter.from.is_none_or(|from| post.created_at >= from)
        && filter.to.is_none_or(|to| post.created_at < to)
        && filter.scheduled_from.is_none_or(|from| post.scheduled_at.is_some_and(|at| at >= from))
        && filter.scheduled_to.is_none_or(|to| post.scheduled_at.is_some_and(|at| at < to))
}

async fn posts_are_filtered_by_state_channel_and_time(world: &World) {
    use TargetStatus::{Draft, Failed, Published};
    let targets = [
        vec![make::target("feed", Published)],
        vec![make::target("feed", Draft)],
        vec![make::target("feed", Published), make::target("mastodon", Failed)],
        vec![make::target("feed", Failed), make::target("mastodon", Published)],
        vec![make::target("mastodon", Draft)],
    ];
    let mut posts = Vec::new();
    for (number, targets) in (0..).zip(targets) {
        posts.push(Post { targets, ..make::post(&format!("post_{number}"), after(number)) });
    }
    keep(world, posts.clone()).await;
    posts.reverse();
    let moments: [Option<Timestamp>; 4] = [None, Some(after(0)), Some(after(2)), Some(after(5))];
    for status in [None, Some(Draft), Some(Published), Some(Failed), Some(TargetStatus::Cancelled)] {
        for channel in [None, Some("feed"), Some("mastodon"), Some("bluesky")] {
            for from in moments {
                for to in moments {
                    let channel = channel.map(str::to_owned);
                    let filter = PostFilter { status, channel, from, to, ..PostFilter::default() };
                    let expected: Vec<_> =
                        posts.iter().filter(|post| meant(&filter, post)).cloned().collect();
                    let total = expected.len() as u64;
                    assert_eq!(paged(world, &filter, 2).await, (expected, total), "{filter:?}");
                }
            }
        }
    }
}

async fn posts_are_filtered_by_the_time_they_go_out(world: &World) {
    let scheduled_at = [None, Some(after(100)), Some(after(200)), Some(after(300))];
    let mut posts = Vec::new();
    for (number, scheduled_at) in (0..).zip(scheduled_at) {
        posts.push(Post { scheduled_at, ..make::post(&format!("post_{number}"), after(number)) });
    }
    keep(world, posts.clone()).await;
    posts.reverse();
    let moments = [None, Some(after(100)), Some(after(200)), Some(after(301))];
    for status in [None, Some(TargetStatus::Draft)] {
        for scheduled_from in moments {
            for scheduled_to in moments {
                let filter = PostFilter { status, scheduled_from, scheduled_to, ..PostFilter::default() };
                let expected: Vec<_> = posts.iter().filter(|post| meant(&filter, post)).cloned().collect();
                let total = expected.len() as u64;
                assert_eq!(paged(world, &filter, 2).await, (expected, total), "{filter:?}");
            }
        }
    }
}

async fn empty_page_has_the_total(world: &World) {
    keep(world, (0..3).map(|number| make::post(&format!("post_{number}"), after(number)))).await;
    let behind = Cursor { at: after(0), id: "post_0".into() };
    let drafts = PostFilter { status: Some(TargetStatus::Draft), ..PostFilter::default() };
    for filter in [PostFilter::default(), drafts] {
        let page = world.records().posts(&acme(), &filter, Some(&behind), 2).await;
        let page = page.expect("the store answers");
        assert_eq!((page.items.len(), page.total, page.next), (0, 3, None), "{filter:?}");
    }
}

async fn posts_of_another_brand_are_not_listed(world: &World) {
    let ours = make::published("post_1", after(1));
    let theirs = Post { text: "Theirs".into(), ..make::published("post_1", after(1)) };
    keep(world, [ours.clone(), make::post("post_2", NOW)]).await;
    let records = world.records();
    assert_eq!(records.post(&umbrella(), "post_1").await, Ok(None));
    assert!(world.store.feed(&umbrella(), 10).await.expect("the store answers").is_empty());
    let filter = PostFilter { channel: Some("feed".into()), ..PostFilter::default() };
    for filter in [PostFilter::default(), filter] {
        let page = records.posts(&umbrella(), &filter, None, 10).await.expect("the store answers");
        assert_eq!((page.items, page.total, page.next), (vec![], 0, None));
    }
    // The same id in another brand is another post.
    let change = [Change::AddPost(theirs.clone())];
    records.commit(&umbrella(), &change, None, NOW).await.expect("committed");
    assert_eq!(records.post(&umbrella(), "post_1").await, Ok(Some(theirs.clone())));
    assert_eq!(records.post(&acme(), "post_1").await, Ok(Some(ours.clone())));
    assert_eq!(world.store.feed(&umbrella(), 10).await, Ok(vec![theirs]));
    assert_eq!(world.store.feed(&acme(), 10).await, Ok(vec![ours]));
}
