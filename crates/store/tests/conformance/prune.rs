//! Pruning deletes old rows, and no others.

use svc_mcp_access::{Plan, Quota, idempotency::RETENTION};
use svc_mcp_store::{ActivityFilter, KeyUse, QueuedWork};
use svc_mcp_tools::{
    Change, Records,
    analysis::AnalysisChange,
    audit::{Audit, AuditChange, Code, Severity},
    records::Claim,
};

use crate::{
    activity::{used, write},
    audits,
    idempotency_records::record,
    make::{self, NOW, acme, after, umbrella},
    quotas::analysis,
    world::{World, at_once},
};

on_both_engines! {
    only_old_rows_are_deleted,
    more_rows_than_one_statement_are_deleted,
    old_rows_of_every_brand_are_deleted,
    expired_idempotency_record_is_deleted,
    oldest_finished_audits_are_deleted_with_their_issues,
    oldest_finished_analyses_are_deleted,
    oldest_ended_posts_are_deleted_with_their_targets,
    revoked_and_expired_keys_are_deleted_after_400_days,
}

const DAY: i64 = 86_400_000;

async fn only_old_rows_are_deleted(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, NOW).await;
    let ages = [0, 90 * DAY, 90 * DAY + 1, 400 * DAY, 401 * DAY];
    write(world, ages.map(|age| KeyUse { at: after(-age), ..template.clone() })).await;

    let minute = |age: i64| after(-age).millis() / 60_000;
    let (kept, old) = (minute(90 * DAY), minute(90 * DAY + 60_000));
    let left_out = format!("INSERT INTO events_left_out VALUES ('acme', {kept}, 5), ('acme', {old}, 7)");
    world.raw.execute(&left_out).await;

    // Three events older than 90 days, one day older than 400, four minutes older than a day, one left-out row.
    assert_eq!(world.store.prune(NOW).await, Ok(3 + 1 + 4 + 1));
    assert_eq!(world.store.events_left_out(&acme(), None, None).await, Ok(5));
    let (events, _) = world
        .store
        .activity(&acme(), &ActivityFilter { limit: 10, ..Default::default() })
        .await
        .expect("the store answers");
    let mut kept: Vec<_> = events.iter().map(|event| event.at).collect();
    kept.dedup();
    assert_eq!(kept, [NOW, after(-90 * DAY)]);
    let lines = world.store.usage(&acme(), "2000-01-01").await.expect("the store answers");
    assert_eq!(lines.iter().map(|line| line.calls).sum::<u64>(), 4);
    let peaks = world.store.peaks(&acme(), after(-500 * DAY)).await.expect("the store answers");
    assert_eq!(peaks.len(), 1);
    assert_eq!(world.store.prune(NOW).await, Ok(0));
    // Active keys and brands are never pruned.
    assert!(world.store.key(&acme(), &key.key.key_id).await.expect("the store answers").is_some());
}

async fn more_rows_than_one_statement_are_deleted(world: &World) {
    let key = world.key("acme").await;
    let old = used(world, &key, after(-91 * DAY)).await;
    write(world, [old]).await;
    write(world, [used(world, &key, NOW).await]).await;
    // Doubles the rows until there are more than one statement deletes.
    for name in "abcdefghijklm".chars() {
        let doubled = format!(
            "INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, outcome) SELECT brand_id, at, \
             event_id || '{name}', kind, key_id, actor, outcome FROM activity WHERE kind = 'call' AND at < {}",
            after(-DAY).millis()
        );
        world.raw.execute(&doubled).await;
    }
    let gone = world.store.prune(NOW).await.expect("the store answers");
    assert!(gone >= 8_192, "{gone}");
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity WHERE kind = 'call'").await, 1);
}

async fn old_rows_of_every_brand_are_deleted(world: &World) {
    // More brands than one statement covers. Tables without an index by age are searched by brand.
    let brands: Vec<_> = (0..1_200).map(|number| format!("brand-{number}")).collect();
    let rows = |of: &dyn Fn(&str) -> String| brands.iter().map(|id| of(id)).collect::<Vec<_>>().join(", ");
    let new = rows(&|id| format!("('{id}', 'A brand', '', 'pro', '[]')"));
    world
        .raw
        .execute(&format!("INSERT INTO brands (brand_id, name, website, plan_id, competitors) VALUES {new}"))
        .await;
    let minute = |ago: i64| after(-ago).millis() / 60_000;
    let (old, young) = (minute(2 * DAY), minute(DAY / 2));
    let peaks = rows(&|id| format!("('{id}', 'key_1', {old}, 1), ('{id}', 'key_1', {young}, 1)"));
    world.raw.execute(&format!("INSERT INTO peaks (brand_id, key_id, minute, most) VALUES {peaks}")).await;
    let counts = rows(&|id| {
        format!(
            "('{id}', '2020-01-01', 'key_1', '', 'ok', 0, 1), ('{id}', '2026-11-01', 'key_1', '', 'ok', 0, 1)"
        )
    });
    let columns = "brand_id, day, key_id, tool, outcome, bucket, requests";
    world.raw.execute(&format!("INSERT INTO usage_counts ({columns}) VALUES {counts}")).await;

    assert_eq!(world.store.prune(NOW).await, Ok(1_200 + 1_200));
    let left = "SELECT (SELECT COUNT(*) FROM peaks) + (SELECT COUNT(*) FROM usage_counts)";
    assert_eq!(world.raw.number(left).await, 1_200 + 1_200);
}

async fn expired_idempotency_record_is_deleted(world: &World) {
    let records = world.records();
    let record = record("once", "text");
    let claim = records.claim(&acme(), &record, NOW).await;
    assert!(matches!(claim, Ok(Claim::Run { .. })), "{claim:?}");
    let expires = NOW.plus(RETENTION);
    assert_eq!(world.store.prune(expires).await, Ok(0));
    assert_eq!(world.store.prune(expires.plus(std::time::Duration::from_millis(1))).await, Ok(1));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM promises").await, 0);
}

async fn limit(world: &World, quota: Quota, limit: u32) {
    let plan = Plan { quotas: [(quota, limit)].into_iter().collect(), ..make::plan("pro", true) };
    world.store.put_plan(&plan).await.expect("the store answers");
}

/// Two instances prune at the same time. Returns the number of rows that both deleted.
async fn prune_on_two_instances(world: &World) -> u64 {
    let stores = [world.store.clone(), world.another_process().await];
    let prunes =
        stores.map(|store| Box::pin(async move { store.prune(NOW).await.expect("the store answers") }));
    at_once(prunes).await.into_iter().sum()
}

async fn oldest_finished_audits_are_deleted_with_their_issues(world: &World) {
    limit(world, Quota::StoredAudits, 3).await;
    for (brand, count) in [(acme(), 9), (umbrella(), 3)] {
        for number in 0..count {
            let audit = Audit { created_at: after(number), ..audits::audit(&format!("audit_{number}")) };
            let issue = audits::issue(Code::Http4xx, Severity::Error, "/", "");
            let audit_id = audit.audit_id.clone();
            let pages = vec![audits::visited("/"); 3];
            let finish = audits::finished_with(&audit_id, audits::summary(), vec![issue; 2], pages);
            // The oldest audit still runs.
            let mut changes = vec![AuditChange::Add(audit)];
            changes.extend((number > 0).then_some(finish));
            let changes: Vec<Change> = changes.into_iter().map(Change::Audits).collect();
            world.records().commit(&brand, &changes, None, NOW).await.expect("it commits");
        }
    }
    assert_eq!(prune_on_two_instances(world).await, 6);
    let left = "SELECT COUNT(*) FROM audits WHERE brand_id = 'acme' AND audit_id IN ('audit_0', 'audit_7', 'audit_8')";
    assert_eq!(world.raw.number(left).await, 3);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM audits WHERE brand_id = 'acme'").await, 3);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM audit_issues WHERE brand_id = 'acme'").await, 4);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM audited_pages WHERE brand_id = 'acme'").await, 6);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM audits WHERE brand_id = 'umbrella'").await, 3);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM audit_issues WHERE brand_id = 'umbrella'").await, 4);
    assert_eq!(world.store.prune(NOW).await, Ok(0));
}

async fn oldest_finished_analyses_are_deleted(world: &World) {
    limit(world, Quota::StoredAnalyses, 2).await;
    for number in 0..6 {
        let analysis_id = format!("analysis_{number}");
        let add = AnalysisChange::Add(analysis(&analysis_id, after(number)));
        let end = match number {
            0 => AnalysisChange::Begin { analysis_id },
            1 => AnalysisChange::Fail { analysis_id, reason: "no".into() },
            _ => AnalysisChange::Finish { analysis_id, result: serde_json::json!({}) },
        };
        let changes = [add, end].map(Change::Analyses);
        world.records().commit(&acme(), &changes, None, NOW).await.expect("it commits");
    }
    assert_eq!(world.store.prune(NOW).await, Ok(4));
    let left = "SELECT COUNT(*) FROM analyses WHERE analysis_id IN ('analysis_0', 'analysis_5')";
    assert_eq!(world.raw.number(left).await, 2);
    // A smaller number of the plan deletes more, and a larger one nothing.
    limit(world, Quota::StoredAnalyses, 1).await;
    assert_eq!(world.store.prune(NOW).await, Ok(1));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM analyses").await, 1);
}

async fn oldest_ended_posts_are_deleted_with_their_targets(world: &World) {
    let numbers =
        "WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 20300)";
    let posts = format!(
        "{numbers} INSERT INTO posts (brand_id, post_id, text, media, created_at, created_by_key) \
         SELECT 'acme', 'post_' || i, 'x', '[]', i, 'key_1' FROM numbers"
    );
    // The oldest is a draft, the second failed.
    let targets = format!(
        "{numbers} INSERT INTO post_targets (brand_id, post_id, channel, status, attempts) SELECT 'acme', \
         'post_' || i, 'feed', CASE i WHEN 1 THEN 'draft' WHEN 2 THEN 'failed' ELSE 'published' END, 1 FROM numbers"
    );
    world.raw.execute(&posts).await;
    world.raw.execute(&targets).await;
    assert_eq!(world.store.prune(NOW).await, Ok(300));
    for table in ["posts", "post_targets"] {
        assert_eq!(world.raw.number(&format!("SELECT COUNT(*) FROM {table}")).await, 20_000);
        let kept = format!("SELECT COUNT(*) FROM {table} WHERE post_id IN ('post_1', 'post_302')");
        assert_eq!(world.raw.number(&kept).await, 2);
        let gone = format!("SELECT COUNT(*) FROM {table} WHERE post_id IN ('post_2', 'post_301')");
        assert_eq!(world.raw.number(&gone).await, 0);
    }
}

async fn revoked_and_expired_keys_are_deleted_after_400_days(world: &World) {
    let (active, revoked) = (world.key("acme").await, world.key("acme").await);
    let mut expired = make::key("acme", world.entropy.clone());
    expired.key.expires_at = Some(after(DAY));
    world.keep(&expired).await;
    let (brand, event) = (acme(), make::revoked(&revoked, NOW));
    world
        .store
        .revoke_key(&brand, &revoked.key.key_id, QueuedWork::Cancel, &event)
        .await
        .expect("the store answers");
    let left = async || world.raw.number("SELECT COUNT(*) FROM keys").await;
    world.store.prune(after(400 * DAY)).await.expect("the store answers");
    assert_eq!(left().await, 3);
    world.store.prune(after(400 * DAY + 1)).await.expect("the store answers");
    assert_eq!(left().await, 2);
    world.store.prune(after(402 * DAY)).await.expect("the store answers");
    assert_eq!(left().await, 1);
    assert!(world.store.key(&brand, &active.key.key_id).await.expect("the store answers").is_some());
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity").await, 0, "their events are older");
}
