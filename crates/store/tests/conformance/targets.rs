//! The status of targets: it changes step by step, and a final status does not change.

use svc_mcp_tools::{
    Change, Records,
    posts::{Post, PostRecords, Target, TargetChange, TargetStatus, TargetStep},
};

use crate::{
    make::{self, NOW, acme, after, umbrella},
    posts::keep,
    world::World,
};

on_both_engines! {
    target_changes_its_status_step_by_step,
    final_status_does_not_change,
    published_target_is_published_even_if_cancelled_meanwhile,
    step_changes_only_its_own_target,
    failed_target_is_uncertain_if_an_outcome_is_unknown,
    scheduled_target_begins_at_its_time,
    withdrawal_changes_only_a_withdrawing_target,
}

const BEGUN: TargetStep = TargetStep::Begun { unknown_since: None };

fn reason(reason: &str) -> String {
    reason.to_owned()
}

async fn step(world: &World, post_id: &str, channel: &str, step: TargetStep) {
    let change = Change::Target(TargetChange { post_id: post_id.into(), channel: channel.into(), step });
    world.records().commit(&acme(), &[change], None, NOW).await.expect("committed");
}

async fn target(world: &World, post_id: &str, channel: &str) -> Target {
    let post = world.records().post(&acme(), post_id).await.expect("the store answers").expect("a post");
    post.targets.into_iter().find(|target| target.channel == channel).expect("a target")
}

async fn with_status(world: &World, post_id: &str, status: TargetStatus) {
    keep(world, [Post { targets: vec![make::target("hook", status)], ..make::post(post_id, NOW) }]).await;
}

async fn target_changes_its_status_step_by_step(world: &World) {
    with_status(world, "post_1", TargetStatus::Scheduled).await;
    let bare = make::target("hook", TargetStatus::Publishing);
    step(world, "post_1", "hook", BEGUN).await;
    assert_eq!(target(world, "post_1", "hook").await, Target { attempts: 1, ..bare.clone() });
    let postponed =
        TargetStep::Postponed { reason: reason("It is down."), next: after(60_000), unknown_since: None };
    step(world, "post_1", "hook", postponed).await;
    let waiting = Target {
        attempts: 1,
        error: Some(reason("It is down.")),
        next_attempt_at: Some(after(60_000)),
        ..bare.clone()
    };
    assert_eq!(target(world, "post_1", "hook").await, waiting);
    // During a retry, the error of the last attempt is still shown.
    step(world, "post_1", "hook", BEGUN).await;
    let trying = Target { attempts: 2, next_attempt_at: None, ..waiting };
    assert_eq!(target(world, "post_1", "hook").await, trying);
    let url = Some("https://acme.example/1".to_owned());
    step(
        world,
        "post_1",
        "hook",
        TargetStep::Published { url: url.clone(), remote_uri: None, at: after(61_000) },
    )
    .await;
    let published = Target {
        status: TargetStatus::Published,
        url,
        error: None,
        published_at: Some(after(61_000)),
        ..trying
    };
    assert_eq!(target(world, "post_1", "hook").await, published);
}

async fn final_status_does_not_change(world: &World) {
    use TargetStatus::{Cancelled, Draft, Failed, Published, Uncertain, Withdrawing, Withdrawn};
    let steps = [
        BEGUN,
        TargetStep::Postponed { reason: reason("x"), next: NOW, unknown_since: None },
        TargetStep::NotPublished,
        TargetStep::Failed { reason: reason("x") },
        TargetStep::Cancelled { reason: reason("x") },
    ];
    let all = [Draft, Failed, Published, Cancelled, Uncertain, Withdrawing, Withdrawn];
    for (number, status) in all.into_iter().enumerate() {
        let post_id = format!("post_{number}");
        with_status(world, &post_id, status).await;
        for wanted in &steps {
            step(world, &post_id, "hook", wanted.clone()).await;
            assert_eq!(target(world, &post_id, "hook").await, make::target("hook", status), "{wanted:?}");
        }
    }
    for (number, status) in [Draft, Failed].into_iter().enumerate() {
        let post_id = format!("post_{number}");
        step(world, &post_id, "hook", TargetStep::Published { url: None, remote_uri: None, at: NOW }).await;
        assert_eq!(target(world, &post_id, "hook").await.status, status);
    }
}

async fn published_target_is_published_even_if_cancelled_meanwhile(world: &World) {
    with_status(world, "post_1", TargetStatus::Publishing).await;
    step(world, "post_1", "hook", TargetStep::Cancelled { reason: reason("The channel was removed.") }).await;
    assert_eq!(target(world, "post_1", "hook").await.status, TargetStatus::Cancelled);
    step(world, "post_1", "hook", TargetStep::Published { url: None, remote_uri: None, at: after(5) }).await;
    let target = target(world, "post_1", "hook").await;
    assert_eq!(
        (target.status, target.error, target.published_at),
        (TargetStatus::Published, None, Some(after(5)))
    );
}

async fn step_changes_only_its_own_target(world: &World) {
    let both =
        || vec![make::target("a", TargetStatus::Publishing), make::target("b", TargetStatus::Publishing)];
    let post = |post_id| Post { targets: both(), ..make::post(post_id, NOW) };
    keep(world, [post("post_1"), post("post_2")]).await;
    let theirs = Change::AddPost(post("post_1"));
    world.records().commit(&umbrella(), &[theirs], None, NOW).await.expect("committed");
    step(world, "post_1", "a", TargetStep::Failed { reason: reason("x") }).await;
    assert_eq!(target(world, "post_1", "a").await.status, TargetStatus::Failed);
    assert_eq!(target(world, "post_1", "b").await, both()[1]);
    assert_eq!(target(world, "post_2", "a").await, both()[0]);
    let other = world.records().post(&umbrella(), "post_1").await.expect("the store answers");
    assert_eq!(other.expect("a post").targets, both());
}

async fn failed_target_is_uncertain_if_an_outcome_is_unknown(world: &World) {
    let begun = |at| TargetStep::Begun { unknown_since: Some(at) };
    let postponed = |unknown_since| TargetStep::Postponed { reason: reason("x"), next: NOW, unknown_since };
    for (number, (steps, status)) in [
        (vec![begun(after(1))], TargetStatus::Uncertain),
        // The first attempt counts.
        (vec![begun(after(1)), begun(after(2))], TargetStatus::Uncertain),
        (vec![begun(after(1)), postponed(Some(after(1))), begun(after(2))], TargetStatus::Uncertain),
        (vec![begun(after(1)), TargetStep::NotPublished], TargetStatus::Failed),
        (vec![begun(after(1)), postponed(None)], TargetStatus::Failed),
        (vec![BEGUN], TargetStatus::Failed),
    ]
    .into_iter()
    .enumerate()
    {
        let post_id = format!("post_{number}");
        with_status(world, &post_id, TargetStatus::Scheduled).await;
        for taken in steps {
            step(world, &post_id, "hook", taken).await;
        }
        let is_uncertain = status == TargetStatus::Uncertain;
        let before = target(world, &post_id, "hook").await;
        assert_eq!(before.unknown_since, is_uncertain.then_some(after(1)), "{post_id}");
        step(world, &post_id, "hook", TargetStep::Failed { reason: reason("It is over.") }).await;
        let ended = target(world, &post_id, "hook").await;
        assert_eq!((ended.status, ended.next_attempt_at), (status, None), "{post_id}");
        let error = ended.error.expect("a reason");
        assert!(error.starts_with("It is over."), "{error}");
        assert_eq!(error.contains("look at the account"), is_uncertain, "{error}");
    }
}

async fn scheduled_target_begins_at_its_time(world: &World) {
    keep(world, [make::scheduled("post_1", after(10))]).await;
    let begin = async |at| {
        let (post_id, channel) = ("post_1".to_owned(), "feed".to_owned());
        let change = Change::Target(TargetChange { post_id, channel, step: BEGUN });
        world.records().commit(&acme(), &[change], None, at).await.expect("committed");
        target(world, "post_1", "feed").await.status
    };
    assert_eq!(begin(after(9)).await, TargetStatus::Scheduled);
    assert_eq!(begin(after(10)).await, TargetStatus::Publishing);
    assert_eq!(target(world, "post_1", "feed").await.attempts, 1);
}

async fn withdrawal_changes_only_a_withdrawing_target(world: &World) {
    use TargetStatus::{Published, Withdrawing, Withdrawn};
    let postponed = || TargetStep::WithdrawPostponed { reason: reason("It is down."), next: after(60) };
    let refused = || TargetStep::NotWithdrawn { reason: reason("It refuses.") };
    for (number, (end, status, error)) in
        [(TargetStep::Withdrawn, Withdrawn, None), (refused(), Published, Some(reason("It refuses.")))]
            .into_iter()
            .enumerate()
    {
        let post_id = format!("post_{number}");
        with_status(world, &post_id, Withdrawing).await;
        let bare = make::target("hook", Withdrawing);
        step(world, &post_id, "hook", TargetStep::WithdrawBegun).await;
        assert_eq!(target(world, &post_id, "hook").await, Target { attempts: 1, ..bare.clone() });
        step(world, &post_id, "hook", postponed()).await;
        let waiting = Target {
            attempts: 1,
            error: Some(reason("It is down.")),
            next_attempt_at: Some(after(60)),
            ..bare.clone()
        };
        assert_eq!(target(world, &post_id, "hook").await, waiting);
        step(world, &post_id, "hook", TargetStep::WithdrawBegun).await;
        step(world, &post_id, "hook", end).await;
        let ended = Target { status, attempts: 2, error, ..bare };
        assert_eq!(target(world, &post_id, "hook").await, ended);
        // It has ended.
        for late in [TargetStep::WithdrawBegun, postponed(), TargetStep::Withdrawn, refused()] {
            step(world, &post_id, "hook", late).await;
            assert_eq!(target(world, &post_id, "hook").await, ended);
        }
    }
}
