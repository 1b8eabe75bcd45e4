//! Changes of posts: they are made only if the post is as it was read.

use svc_mcp_access::Timestamp;
use svc_mcp_store::{ActivityFilter, EventKind};
use svc_mcp_tools::{
    Change, Records,
    jobs::{JobKind, JobRecords, NewJob},
    posts::{Media, Post, PostEdit, PostEvent, PostRecords, Target, TargetChange, TargetStatus, TargetStep},
    records::CommitError,
};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    posts::keep,
    world::{World, at_once},
};

on_both_engines! {
    edit_replaces_the_post_and_its_targets,
    edit_of_a_changed_post_is_refused_as_a_whole,
    deleted_post_is_gone,
    waiting_jobs_of_removed_targets_end,
    only_one_of_many_edits_succeeds,
    cancellation_and_start_of_an_attempt_exclude_each_other,
    event_of_a_person_is_committed_with_the_change,
}

fn edit(before: &Post, after: Option<&Post>) -> Change {
    let edit = PostEdit { before: before.clone(), after: after.cloned(), unqueued: Vec::new() };
    Change::EditPost(Box::new(edit))
}

async fn read(world: &World, post_id: &str) -> Option<Post> {
    world.records().post(&acme(), post_id).await.expect("the store answers")
}

async fn commit(world: &World, changes: &[Change]) -> Result<(), CommitError> {
    world.records().commit(&acme(), changes, None, NOW).await
}

async fn edit_replaces_the_post_and_its_targets(world: &World) {
    use TargetStatus::{Draft, Scheduled, Withdrawing};
    let targets = ["a", "b", "c"].map(|channel| make::target(channel, Draft)).to_vec();
    let before = Post { targets, ..make::post("post_1", NOW) };
    keep(world, [before.clone(), make::post("post_2", NOW)]).await;
    let changed = Target {
        url: Some("https://acme.example/1".into()),
        error: Some("It is down.".into()),
        attempts: 3,
        next_attempt_at: Some(after(1)),
        published_at: Some(after(2)),
        unknown_since: Some(after(3)),
        remote_uri: Some("at://did:plc:x/app.bsky.feed.post/y".into()),
        withdraw_requested_at: Some(after(4)),
        ..make::target("b", Withdrawing)
    };
    let edited = Post {
        text: "Another text".into(),
        title: Some("A title".into()),
        link: Some("https://acme.example/".into()),
        media: vec![Media { url: "https://acme.example/1.png".into(), alt: "One".into() }],
        scheduled_at: Some(after(5)),
        version: 2,
        targets: vec![make::target("a", Draft), changed, make::target("d", Scheduled)],
        ..before.clone()
    };
    assert_eq!(commit(world, &[edit(&before, Some(&edited))]).await, Ok(()));
    assert_eq!(read(world, "post_1").await, Some(edited));
    assert_eq!(read(world, "post_2").await, Some(make::post("post_2", NOW)));
}

async fn edit_of_a_changed_post_is_refused_as_a_whole(world: &World) {
    let mut before = make::post("post_1", NOW);
    before.targets = vec![make::target("hook", TargetStatus::Publishing)];
    keep(world, [before.clone()]).await;
    let edited = Post { text: "Mine".into(), version: 2, ..before.clone() };
    let changes = [Change::AddPost(make::post("post_2", NOW)), edit(&before, Some(&edited))];
    // Another brand has no such post.
    let theirs = world.records().commit(&umbrella(), &changes[1..], None, NOW).await;
    assert_eq!(theirs, Err(CommitError::Changed));
    let other = Post { text: "Theirs".into(), version: 2, ..before.clone() };
    assert_eq!(commit(world, &[edit(&before, Some(&other))]).await, Ok(()));
    assert_eq!(commit(world, &changes).await, Err(CommitError::Changed));
    // A worker makes no new version.
    let step = TargetStep::Begun { unknown_since: None };
    let begun = TargetChange { post_id: "post_1".into(), channel: "hook".into(), step };
    assert_eq!(commit(world, &[Change::Target(begun)]).await, Ok(()));
    let mine = Post { text: "Mine".into(), version: 3, ..other.clone() };
    assert_eq!(commit(world, &[edit(&other, Some(&mine))]).await, Err(CommitError::Changed));
    let found = read(world, "post_1").await.expect("a post");
    assert_eq!((found.text.as_str(), found.version, found.targets[0].attempts), ("Theirs", 2, 1));
    assert_eq!(read(world, "post_2").await, None);
}

async fn deleted_post_is_gone(world: &World) {
    let post = make::post("post_1", NOW);
    keep(world, [post.clone(), make::post("post_2", NOW)]).await;
    assert_eq!(commit(world, &[edit(&post, None)]).await, Ok(()));
    assert_eq!(read(world, "post_1").await, None);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM post_targets").await, 1);
    assert_eq!(commit(world, &[edit(&post, None)]).await, Err(CommitError::Changed));
}

async fn waiting_jobs_of_removed_targets_end(world: &World) {
    let job = |subject: &str, due: Timestamp| {
        let (job_id, subject) = (format!("job_{}", subject.replace('/', "_")), subject.to_owned());
        Change::AddJob(NewJob { job_id, kind: JobKind::Publish, subject, concurrency_key: None, due })
    };
    let post = make::scheduled("post_1", after(9));
    let jobs = ["post_1/a", "post_1/b", "post_2/a"].map(|subject| job(subject, after(9)));
    keep(world, [post.clone()]).await;
    assert_eq!(commit(world, &jobs).await, Ok(()));
    assert_eq!(commit(world, &[job("post_1/running", NOW)]).await, Ok(()));
    let lease = std::time::Duration::from_secs(30);
    let taken = world.records().lease_job(&JobKind::SHORT, &[], NOW, lease).await.expect("the store answers");
    assert_eq!(taken.expect("a job").subject, "post_1/running");
    let unqueued = vec!["a".to_owned(), "running".to_owned()];
    let edited = Some(Post { version: 2, ..post.clone() });
    let change = Change::EditPost(Box::new(PostEdit { before: post, after: edited, unqueued }));
    assert_eq!(commit(world, &[change]).await, Ok(()));
    let ended =
        "SELECT COUNT(*) FROM jobs WHERE status = 'done' AND ended_at IS NOT NULL AND subject = 'post_1/a'";
    assert_eq!(world.raw.number(ended).await, 1);
    let open = "SELECT COUNT(*) FROM jobs WHERE status IN ('waiting', 'running')";
    assert_eq!(world.raw.number(open).await, 3);
}

async fn only_one_of_many_edits_succeeds(world: &World) {
    let before = make::post("post_1", NOW);
    keep(world, [before.clone()]).await;
    let edits = (0..10).map(|number| {
        let edited = Post { text: number.to_string(), version: 2, ..before.clone() };
        let (records, change) = (world.records(), edit(&before, Some(&edited)));
        async move { records.commit(&acme(), &[change], None, NOW).await }
    });
    let committed = at_once(edits).await;
    let done: Vec<_> = (0..10).filter(|number| committed[*number] == Ok(())).collect();
    let [done] = done[..] else { panic!("one, not {committed:?}") };
    assert!(committed.iter().all(|result| *result == Ok(()) || *result == Err(CommitError::Changed)));
    assert_eq!(read(world, "post_1").await.expect("a post").text, done.to_string());
}

async fn cancellation_and_start_of_an_attempt_exclude_each_other(world: &World) {
    for number in 0..20 {
        let post_id = format!("post_{number}");
        let before = make::scheduled(&post_id, NOW);
        keep(world, [before.clone()]).await;
        let cancelled = Post {
            version: 2,
            targets: vec![make::target("feed", TargetStatus::Cancelled)],
            ..before.clone()
        };
        let step = TargetStep::Begun { unknown_since: None };
        let begun = Change::Target(TargetChange { post_id: post_id.clone(), channel: "feed".into(), step });
        let changes = [edit(&before, Some(&cancelled)), begun];
        let results = at_once(changes.into_iter().map(|change| {
            let records = world.records();
            async move { records.commit(&acme(), &[change], None, NOW).await }
        }))
        .await;
        assert_eq!(results[1], Ok(()));
        let status = read(world, &post_id).await.expect("a post").targets[0].status;
        match results[0] {
            Ok(()) => assert_eq!(status, TargetStatus::Cancelled),
            _ => assert_eq!((&results[0], status), (&Err(CommitError::Changed), TargetStatus::Publishing)),
        }
    }
}

async fn event_of_a_person_is_committed_with_the_change(world: &World) {
    let post = make::post("post_1", NOW);
    keep(world, [post.clone()]).await;
    let event = |event_id: &str| {
        Change::PostEvent(PostEvent {
            event_id: event_id.to_owned(),
            actor: id("ada"),
            key_id: post.created_by_key.clone(),
            post_id: post.post_id.clone(),
            action: "delete_post",
        })
    };
    assert_eq!(commit(world, &[edit(&post, None), event("evt_1")]).await, Ok(()));
    assert_eq!(commit(world, &[edit(&post, None), event("evt_2")]).await, Err(CommitError::Changed));
    let filter = ActivityFilter { kind: Some(EventKind::Post), limit: 10, ..ActivityFilter::default() };
    let (events, _) = world.store.activity(&acme(), &filter).await.expect("the store answers");
    let [event] = &events[..] else { panic!("one event, not {events:?}") };
    assert_eq!((event.event_id.as_str(), event.actor.as_str(), event.at), ("evt_1", "ada", NOW));
    assert_eq!((event.tool.as_deref(), event.post_id.as_deref()), (Some("delete_post"), Some("post_1")));
    let (theirs, _) = world.store.activity(&umbrella(), &filter).await.expect("the store answers");
    assert!(theirs.is_empty());
}
