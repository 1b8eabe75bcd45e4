//! The audit log: what is recorded, listed and forgotten.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use svc_mcp_access::{
    ApprovalSettings, Brand, BrandId, Member, StoreError, Suspension, Timestamp, key::KeyChanges,
};
use svc_mcp_store::{
    ActivitySearch, ActorRole, AuditAction, AuditFault, AuditRecord, AuditSearch, ChangedBy, Cursor,
    EmailFiles, NewErasure, NewUserErasure, QueuedWork, SearchPage, Store, VerifiedAuditLog,
};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    operator_lists::{all_pages, assert_indexed},
    world::{Raw, World, at_once, retried},
};

on_both_engines! {
    changes_of_a_person_are_recorded_and_those_of_the_service_are_not,
    record_commits_only_with_its_change,
    fifty_changes_at_once_give_one_unbroken_chain,
    records_of_an_erased_brand_stay_and_do_not_name_it,
    erased_user_is_forgotten_by_the_log,
    records_are_listed_by_time_brand_actor_and_action,
    searches_use_an_index_of_the_log,
}

/// The store for the changes of this person.
pub(crate) fn store_by(world: &World, actor: &str, role: ActorRole, at: Timestamp) -> Store {
    world.store.by(ChangedBy {
        actor: id(actor),
        role,
        at,
        change_id: format!("chg_{actor}"),
        address: Some(IpAddr::V4(Ipv4Addr::new(203, 0, 113, 9))),
        request_id: Some("req_1".to_owned()),
    })
}

fn by_operator(world: &World) -> Store {
    store_by(world, "olga", ActorRole::Operator, NOW)
}

pub(crate) async fn put_plan(store: &Store, plan: &str) {
    let plan = make::plan(plan, true);
    retried(|| store.put_plan(&plan)).await.expect("a plan");
}

/// A log with this many records.
pub(crate) async fn write_log(world: &World, records: usize) -> Store {
    let store = by_operator(world);
    for number in 1..=records {
        put_plan(&store, &format!("plan-{number}")).await;
    }
    store
}

pub(crate) async fn records(store: &Store) -> Vec<AuditRecord> {
    store.audit_page(0).await.expect("a page")
}

pub(crate) async fn verify(store: &Store) -> Result<VerifiedAuditLog, AuditFault> {
    store.verify_audit_log(None).await
}

async fn changes_of_a_person_are_recorded_and_those_of_the_service_are_not(world: &World) {
    let ada = store_by(world, "ada", ActorRole::Admin, after(5));
    let new = make::key("acme", world.entropy.clone());
    ada.create_key(&acme(), &new, &make::created(&new)).await.expect("a key");
    let changes = KeyChanges { paused: Some(true), ..KeyChanges::default() };
    ada.update_key(&acme(), &new.key.key_id, &changes, &make::updated(&new)).await.expect("it is paused");
    let revoked = make::revoked(&new, after(6));
    for _ in 0..2 {
        ada.revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &revoked).await.expect("it is revoked");
    }
    let settings = world.store.approval_settings(&acme()).await.expect("settings");
    let all = ApprovalSettings { minimum: id("all"), ..settings };
    world.store.set_approval_settings(&acme(), all).await.expect("the service does it");
    ada.set_approval_settings(&acme(), settings).await.expect("ada does it");
    ada.set_approval_settings(&acme(), settings).await.expect("nothing changes");

    let records = records(&world.store).await;
    let actions: Vec<&str> = records.iter().map(|record| record.action.as_str()).collect();
    assert_eq!(actions, ["key.create", "key.update", "key.revoke", "approval_settings.update"]);
    let update = &records[1];
    assert_eq!((update.sequence, update.at), (2, after(5)));
    assert_eq!((update.actor.as_str(), update.role.as_str()), ("ada", "admin"));
    assert_eq!(update.change_id, "chg_ada");
    assert_eq!(update.address.as_deref(), Some("203.0.113.9"));
    assert_eq!(update.request_id.as_deref(), Some("req_1"));
    assert_eq!(update.brand_id.as_deref(), Some("acme"));
    assert_eq!((&*update.target.kind, &*update.target.id), ("key", new.key.key_id.as_str()));
    assert_eq!(update.before, Some(serde_json::json!({"paused": false})));
    assert_eq!(update.after, Some(serde_json::json!({"paused": true})));
    let log = serde_json::to_string(&records).expect("JSON");
    assert!(!log.contains("a label"), "{log}");
    let verified = verify(&world.store).await.expect("a whole log");
    assert_eq!(verified, VerifiedAuditLog { records: 4, hash: records[3].hash.clone() });
}

async fn record_commits_only_with_its_change(world: &World) {
    let olga = by_operator(world);
    olga.delete_plan(&id("pro")).await.expect_err("brands are on it");
    let nobody = make::key("acme", world.entropy.clone());
    let changes = KeyChanges { paused: Some(true), ..KeyChanges::default() };
    let unknown = olga.update_key(&acme(), &nobody.key.key_id, &changes, &make::updated(&nobody)).await;
    unknown.expect_err("there is no such key");
    assert_eq!(records(&world.store).await, []);
    assert_eq!(verify(&world.store).await.expect("an empty log").records, 0);
    // If the record cannot be written, the change is not made.
    world.raw.execute("ALTER TABLE audit_log_head RENAME TO audit_log_head_away").await;
    olga.put_plan(&make::plan("gold", true)).await.expect_err("no record can be written");
    assert_eq!(world.store.plan(&id("gold")).await.expect("the store answers"), None);
    world.store.put_plan(&make::plan("gold", true)).await.expect("the service itself needs no record");
}

async fn fifty_changes_at_once_give_one_unbroken_chain(world: &World) {
    // Two processes, and changes that hold different locks before the one of the log.
    let other = world.another_process().await;
    let work = (0..50).map(|number| {
        let changed_by = |user: &str| ChangedBy {
            actor: id(user),
            role: ActorRole::Operator,
            at: after(number),
            change_id: format!("chg_{number}"),
            address: None,
            request_id: None,
        };
        let store = if number % 2 == 0 { &world.store } else { &other };
        let store = store.by(changed_by(&format!("user-{number}")));
        async move {
            match number % 3 {
                0 => put_plan(&store, &format!("plan-{number}")).await,
                1 => {
                    let member = make::member("acme", &format!("member-{number}"), "member");
                    retried(|| store.put_member(&member)).await.expect("a member");
                }
                _ => {
                    let brand = Brand { language: Some("de".into()), ..make::brand("acme", "pro") };
                    let brand = Brand { name: format!("Acme {number}"), ..brand };
                    retried(|| store.put_brand(&brand)).await.expect("a brand");
                }
            }
        }
    });
    at_once(work).await;
    let verified = verify(&world.store).await.expect("a whole log");
    assert_eq!(verified.records, 50);
    let mut actors: Vec<String> =
        records(&world.store).await.into_iter().map(|record| record.actor).collect();
    actors.sort_unstable();
    actors.dedup();
    assert_eq!(actors.len(), 50, "one record of each");
}

async fn records_of_an_erased_brand_stay_and_do_not_name_it(world: &World) {
    let olga = by_operator(world);
    let nina = Member {
        email: Some("nina@private.example".into()),
        name: Some("Nina Private".into()),
        ..make::member("acme", "nina", "member")
    };
    olga.put_member(&nina).await.expect("a member");
    let acme = Brand {
        name: "Private Limited".into(),
        website: "https://private.example".into(),
        competitors: vec!["https://private-rival.example".into()],
        ..make::brand("acme", "free")
    };
    olga.put_brand(&acme).await.expect("a brand");
    let suspension = Suspension { at: NOW, by: id("olga"), reason: Some("a private reason".into()) };
    olga.suspend_brand(&acme.brand_id, &suspension).await.expect("it is suspended");
    olga.record_export(&acme.brand_id).await.expect("it is recorded");
    let new = NewErasure { receipt_id: "era_1".to_owned(), requested_at: NOW, requested_by: id("olga") };
    olga.begin_brand_erasure(&acme.brand_id, &new).await.expect("it is erased");
    while olga.erase_rows(&acme.brand_id, NOW).await.expect("a step") {}
    let of_brand = AuditSearch { brand: Some(acme.brand_id.clone()), limit: 50, ..AuditSearch::default() };
    let found = world.store.search_audit_log(&of_brand).await.expect("the store answers").items;
    let actions: Vec<&str> = found.iter().map(|record| record.action.as_str()).collect();
    assert_eq!(actions, ["member.put", "brand.put", "brand.suspend", "brand.export", "brand.erase"]);
    let log = serde_json::to_string(&found).expect("JSON");
    assert!(!log.to_lowercase().contains("private"), "{log}");

    // When the erasure is done, the log names the receipt instead of the brand. No record has changed.
    while olga.erase_rows(&acme.brand_id, later()).await.expect("a step") {}
    let records = records(&world.store).await;
    assert_eq!(records.len(), 5);
    for (record, before) in records.iter().zip(&found) {
        assert_eq!(record.brand_id.as_deref(), Some("era_1"));
        assert_eq!((&record.hash, &record.references), (&before.hash, &before.references));
    }
    assert_eq!((&*records[1].target.id, &*records[1].actor), ("era_1", "olga"));
    assert_eq!(records[0].target.id, "era_1", "nina was a member of this brand only");
    assert_eq!(world.store.search_audit_log(&of_brand).await.expect("the store answers").items, []);
    assert_eq!(verify(&world.store).await.expect("a whole log").records, 5);
    let names = world.raw.texts("SELECT name FROM audit_log_names ORDER BY name").await;
    assert_eq!(names, ["203.0.113.9", "era_1", "era_1", "olga"]);
}

/// After this time, the second search of an erasure is due.
fn later() -> Timestamp {
    NOW.plus(Duration::from_mins(5))
}

async fn erased_user_is_forgotten_by_the_log(world: &World) {
    let olga = by_operator(world);
    for user in ["nina", "nora"] {
        olga.put_member(&make::member("acme", user, "admin")).await.expect("a member");
    }
    let nina = store_by(world, "nina", ActorRole::Admin, NOW);
    put_plan(&nina, "by-nina").await;
    let before = records(&world.store).await;
    let new = NewUserErasure {
        erasure: NewErasure { receipt_id: "era_2".to_owned(), requested_at: NOW, requested_by: id("olga") },
        pseudonym: id("erased_7"),
        event_prefix: "evt_erasure".to_owned(),
    };
    olga.begin_user_erasure(&id("nina"), &new).await.expect("a receipt");
    for now in [NOW, later()] {
        while world.store.erase_user_rows("era_2", now, "evt_step", &NoFiles).await.expect("a step") {}
    }
    let records = records(&world.store).await;
    assert_eq!((&*records[0].action, &*records[0].target.id), ("member.put", "erased_7"));
    assert_eq!((&*records[2].actor, records[2].address.as_deref()), ("erased_7", Some("erased")));
    assert_eq!((&*records[1].target.id, records[1].address.as_deref()), ("nora", Some("203.0.113.9")));
    for (record, before) in records.iter().zip(&before) {
        assert_eq!((&record.hash, &record.references), (&before.hash, &before.references));
    }
    let erase = records.iter().find(|record| record.action == "user.erase").expect("a record");
    assert_eq!((&*erase.actor, &*erase.target.id), ("olga", "era_2"));
    verify(&world.store).await.expect("a whole log");
    let names = world.raw.texts("SELECT name FROM audit_log_names ORDER BY name").await;
    assert_eq!(names, ["203.0.113.9", "acme", "erased", "erased_7", "nora", "olga"]);

    // Somebody who comes back is a stranger.
    put_plan(&nina, "again").await;
    let again = self::records(&world.store).await.pop().expect("a record");
    assert_eq!(again.actor, "nina");
    assert_ne!(again.references.actor, records[2].references.actor);
}

/// Mails are not written into files here.
struct NoFiles;

#[async_trait::async_trait]
impl EmailFiles for NoFiles {
    async fn delete(&self, _: Vec<String>) -> Result<(), StoreError> {
        Ok(())
    }
}

async fn records_are_listed_by_time_brand_actor_and_action(world: &World) {
    for (number, (actor, brand)) in
        [("ada", "acme"), ("uma", "umbrella"), ("ada", "acme"), ("olga", "umbrella")].into_iter().enumerate()
    {
        let store = store_by(world, actor, ActorRole::Admin, after(i64::try_from(number).expect("small")));
        let member = make::member(brand, &format!("new-{number}"), "member");
        store.put_member(&member).await.expect("a member");
    }
    put_plan(&store_by(world, "olga", ActorRole::Operator, after(2)), "late").await;
    let none = AuditSearch::default;
    for (search, expected) in [
        (none(), &["new-0", "new-1", "new-2", "late", "new-3"][..]),
        (AuditSearch { since: Some(after(2)), ..none() }, &["new-2", "late", "new-3"]),
        (AuditSearch { until: Some(after(2)), ..none() }, &["new-0", "new-1"]),
        (AuditSearch { brand: Some(acme()), ..none() }, &["new-0", "new-2"]),
        (AuditSearch { brand: Some(umbrella()), since: Some(after(2)), ..none() }, &["new-3"]),
        (AuditSearch { actor: Some(id("olga")), ..none() }, &["late", "new-3"]),
        (AuditSearch { action: Some(AuditAction::PlanPut), ..none() }, &["late"]),
        (AuditSearch { action: Some(AuditAction::KeyRevoke), ..none() }, &[]),
    ] {
        let read = async |after: Option<Cursor>| -> SearchPage<AuditRecord> {
            let search = AuditSearch { after, limit: 2, ..search.clone() };
            world.store.search_audit_log(&search).await.expect("the store answers")
        };
        let found = all_pages(read).await;
        let found: Vec<&str> = found.iter().map(|record| record.target.id.as_str()).collect();
        assert_eq!(found, expected, "{search:?}");
    }
    // An export from a time on begins with the first record of it, also if that was numbered late.
    let first = world.store.first_audit_record(after(2)).await.expect("the store answers");
    assert_eq!(first, Some(3));
    assert_eq!(world.store.first_audit_record(after(9)).await.expect("the store answers"), None);
}

async fn searches_use_an_index_of_the_log(world: &World) {
    let numbers =
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)";
    let text = "CAST(n AS TEXT)";
    world
        .raw
        .execute(&format!(
            "{numbers} INSERT INTO audit_log (sequence, at, change_id, actor, role, action, brand, target_kind, \
             target, previous_hash, hash) SELECT n, n, 'c', 'user' || {text}, 'admin', 'action' || {text}, \
             'brand' || {text}, 'key', 'k', 'x', 'y' FROM numbers"
        ))
        .await;
    world
        .raw
        .execute(&format!(
            "{numbers} INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, outcome) \
             SELECT 'brand' || {text}, n, 'evt' || {text}, 'call', 'k', 'ada', 'ok' FROM numbers"
        ))
        .await;
    for kind in ["user", "brand"] {
        let names = format!(
            "{numbers} INSERT INTO audit_log_names (reference, kind, name, owner, salt) \
             SELECT '{kind}' || {text}, '{kind}', '{kind}' || {text}, '', 's' FROM numbers"
        );
        world.raw.execute(&names).await;
    }
    if let Raw::Postgres(_) = &world.raw {
        world.raw.execute("VACUUM ANALYZE").await;
    }
    let store = &world.store;
    let cursor = Cursor { at: Timestamp::from_millis(500), id: "500".to_owned() };
    let all = AuditSearch { limit: 50, ..AuditSearch::default() };
    for after in [None, Some(cursor.clone())] {
        let all = AuditSearch { after: after.clone(), ..all.clone() };
        let since = Some(Timestamp::from_millis(100));
        for (search, index) in [
            (all.clone(), "audit_log_by_time"),
            (AuditSearch { since, ..all.clone() }, "audit_log_by_time"),
            (
                AuditSearch { brand: Some(id::<BrandId>("brand7")), since, ..all.clone() },
                "audit_log_by_brand",
            ),
            (AuditSearch { actor: Some(id("user7")), since, ..all.clone() }, "audit_log_by_actor"),
            (AuditSearch { action: Some(AuditAction::KeyRevoke), since, ..all }, "audit_log_by_action"),
        ] {
            let plan = store.explain_search_audit_log(&search).await.expect("the store answers");
            assert_indexed(&plan, index);
        }
        let search = ActivitySearch { since, until: None, after, limit: 50 };
        let plan = store.explain_search_activity(&search).await.expect("the store answers");
        // A partition has an index of its own.
        let by_age = match &world.raw {
            Raw::Sqlite(_) => "activity_by_age",
            Raw::Postgres(_) => "activity_default_at_idx",
        };
        assert_indexed(&plan, by_age);
    }
}
