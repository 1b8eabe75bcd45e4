//! Erasing a user. The tests read the columns from the schema, so that a new column cannot be forgotten.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;
use svc_mcp_access::{
    BrandId, Member, StoreError, Timestamp, UserId,
    decision::KeySource,
    key::{KeySpec, NewKey},
};
use svc_mcp_store::{
    ActivityFilter, EmailFiles, Erasure, ErasureKind, NewErasure, NewUserErasure, Store, personal_columns,
};

use crate::{
    brand_data::{Table, brand_tables, tables_that_mention},
    make::{self, NOW, acme, after, id, umbrella},
    world::{Raw, World},
};

on_both_engines! {
    every_text_column_is_known_to_be_personal_or_not,
    nothing_of_an_erased_user_is_left,
    access_ends_before_the_answer_and_others_keep_theirs,
    search_goes_on_in_another_process_and_changes_nobody_else,
    rows_written_during_an_erasure_are_found_by_the_second_search,
    second_request_returns_the_same_receipt_until_it_is_done,
    user_who_comes_back_is_a_stranger_and_keeps_what_is_new,
    mails_that_wait_for_an_erased_user_are_not_sent,
}

const MINUTE: i64 = 60_000;
const USER: &str = "zz-user|marker";
const NAME: &str = "Zz Marked Name";
const ADDRESS: &str = "Zz.Marker@mail.example";
const PSEUDONYM: &str = "erased_0123456789";

/// Texts that do not name a person: ids that the service makes, fixed words, and what brands publish and research. A new
/// column of a text type belongs here, or in `PERSONAL_COLUMNS` if it can hold a user id, a name or a mail address.
const OTHER_TEXT_COLUMNS: &[(&str, &str)] = &[
    ("activity", "brand_id event_id kind key_id tool outcome reason post_id"),
    ("analyses", "brand_id analysis_id kind request status result failure created_by_key about"),
    ("approvals", "brand_id approval_id key_id tool digest status"),
    ("audit_issues", "brand_id audit_id code severity url identity evidence"),
    ("audit_pages", "brand_id audit_id url page"),
    (
        "audit_log",
        "change_id actor role address request_id action brand target_kind target fields_before fields_after previous_hash hash",
    ),
    ("audit_log_head", "hash"),
    ("audit_log_names", "reference kind owner salt"),
    ("audited_pages", "brand_id audit_id url failure redirect_to title title_lower language"),
    ("audits", "brand_id audit_id start_url plan status progress summary failure created_by_key fixes"),
    ("brands", "brand_id name website plan_id competitors approval_minimum approvers language time_zone"),
    ("channels", "brand_id channel_id settings sealing_key"),
    ("erasures", "receipt_id kind subject"),
    (
        "event_deliveries",
        "delivery_id brand_id endpoint_id queue event_id key_id type state lease last_error",
    ),
    ("event_endpoints", "brand_id endpoint_id url types sealing_key disabled_reason"),
    ("events_left_out", "brand_id"),
    ("job_hold", "cause"),
    ("job_turns", "brand_id kind"),
    ("jobs", "job_id brand_id kind subject lane status lease key_id traceparent"),
    (
        "keys",
        "key_id brand_id scope prefix sealing_key tools pause_reason approval allowed_networks revoked_reason",
    ),
    ("keyword_imports", "brand_id import_id tool"),
    ("keyword_rows", "brand_id import_id folded keyword"),
    ("keyword_searches", "brand_id search_id created_by_key request summary keywords"),
    ("members", "brand_id role"),
    ("operator_event_endpoint", "endpoint_id"),
    ("outbox_events", "event_id brand_id type"),
    ("page_texts", "brand_id site url title text"),
    ("peaks", "brand_id key_id"),
    ("plans", "plan_id name quotas"),
    ("post_targets", "brand_id post_id channel status url error remote_uri"),
    ("posts", "brand_id post_id text title link media created_by_key"),
    ("promises", "brand_id key_id idempotency_key ticket"),
    ("quota_counts", "brand_id quota day"),
    ("recent_calls", "brand_id record_id"),
    ("report_emails", "brand_id email_id report_id purpose status key_id"),
    ("report_recipients", "brand_id status"),
    ("reports", "brand_id report_id created_by_key"),
    ("schedules", "brand_id schedule_id kind every key_id last_id last_failure"),
    ("usage_counts", "brand_id day key_id tool outcome"),
    ("writers", "writer"),
];

async fn every_text_column_is_known_to_be_personal_or_not(world: &World) {
    let sql = match &world.raw {
        Raw::Sqlite(_) => {
            "SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE '!_sqlx%' ESCAPE '!' \
             AND c.type = 'TEXT'"
        }
        Raw::Postgres(_) => {
            "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' \
             AND table_name NOT LIKE '!_sqlx%' ESCAPE '!' AND is_generated = 'NEVER' \
             AND NOT (SELECT relispartition FROM pg_class WHERE oid = to_regclass(table_name)) \
             AND data_type IN ('text', 'character varying', 'json', 'jsonb')"
        }
    };
    let found: BTreeSet<String> = world.raw.texts(sql).await.into_iter().collect();
    let mut known: BTreeSet<String> = personal_columns().into_iter().collect();
    for (table, columns) in OTHER_TEXT_COLUMNS {
        for column in columns.split(' ') {
            assert!(known.insert(format!("{table}.{column}")), "{table}.{column} is listed twice");
        }
    }
    let unknown: Vec<&String> = found.difference(&known).collect();
    assert!(
        unknown.is_empty(),
        "Can these hold a user id, a name or a mail address? Then add them to PERSONAL_COLUMNS in \
         store/src/user_data/mod.rs, else to OTHER_TEXT_COLUMNS in this test: {unknown:?}"
    );
    let missing: Vec<&String> = known.difference(&found).collect();
    assert!(missing.is_empty(), "these columns do not exist: {missing:?}");
}

/// Collects the files that would be deleted.
#[derive(Default)]
struct Files(Mutex<Vec<String>>);

#[async_trait]
impl EmailFiles for Files {
    async fn delete(&self, email_ids: Vec<String>) -> Result<(), StoreError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(email_ids);
        Ok(())
    }
}

fn user() -> UserId {
    id(USER)
}

fn new_erasure(number: usize) -> NewUserErasure {
    NewUserErasure {
        erasure: NewErasure {
            receipt_id: format!("era_{number}"),
            requested_at: NOW,
            requested_by: id("olga"),
        },
        pseudonym: id(PSEUDONYM),
        event_prefix: format!("evt_erasure_{number}"),
    }
}

async fn begin(store: &Store, number: usize) -> Erasure {
    store.begin_user_erasure(&user(), &new_erasure(number)).await.expect("the erasure begins")
}

/// Does all steps that are due now, and returns their number.
async fn search(store: &Store, now: Timestamp) -> usize {
    let (mut steps, files) = (0, Files::default());
    while let Some(receipt) = store.next_user_erasure(now).await.expect("the store answers") {
        let mut more = true;
        while more {
            let prefix = format!("evt_step_{}_{steps}", now.millis());
            more = store.erase_user_rows(&receipt, now, &prefix, &files).await.expect("a step");
            steps += 1;
        }
    }
    steps
}

async fn add_member(world: &World, brand: &str) {
    let member = Member {
        email: Some(ADDRESS.to_owned()),
        name: Some(NAME.to_owned()),
        ..make::member(brand, USER, "member")
    };
    world.store.put_member(&member).await.expect("a member");
}

async fn key_of_user(world: &World, brand: &str) -> NewKey {
    let template = make::key(brand, world.entropy.clone()).key;
    let spec = KeySpec {
        brand_id: template.brand_id,
        created_by: user(),
        label: template.label,
        scope: template.scope,
        expires_at: None,
        tools: None,
        approval: template.approval,
        allowed_networks: None,
    };
    let (new, _) = NewKey::generate(spec, None, NOW, &mut world.entropy.clone());
    world.keep(&new).await;
    new
}

/// A row with something of the user in every personal column.
fn personal_row(world: &World, table: &Table, brand: &str) -> String {
    let personal = personal_columns();
    let address = ADDRESS.to_lowercase();
    let value = |(column, kind): &(String, String)| {
        let is_personal = personal.contains(&format!("{}.{column}", table.name));
        match (column.as_str(), kind.as_str()) {
            ("brand_id", _) => format!("'{brand}'"),
            ("keeps_queued_work", _) => "0".to_owned(),
            ("address" | "recipient", _) => format!("'{address}'"),
            ("actor", _) => format!("'{USER}'"),
            (column, "text") if is_personal && column.ends_with("_by") => format!("'{USER}'"),
            (_, "text") if is_personal => {
                format!(
                    "'{{\"user_id\":\"{USER}\",\"name\":\"{NAME}\",\"text\":\"to {ADDRESS}, and so on\"}}'"
                )
            }
            (column, "text") => format!("'{column} of {brand}'"),
            (_, "bigint") => "1".to_owned(),
            (column, _) => world.raw.bytes(format!("{column} of {brand}").as_bytes()),
        }
    };
    let columns: Vec<&str> = table.columns.iter().map(|(name, _)| name.as_str()).collect();
    let values: Vec<String> = table.columns.iter().map(value).collect();
    format!("INSERT INTO {} ({}) VALUES ({})", table.name, columns.join(", "), values.join(", "))
}

async fn fill(world: &World) {
    let mut tables = brand_tables(world).await;
    tables.retain(|table| {
        let is_personal = |column: &String| column.starts_with(&format!("{}.", table.name));
        let is_personal = personal_columns().iter().any(is_personal);
        is_personal && !["brands", "members"].contains(&table.name.as_str())
    });
    // Mails refer to reports.
    tables.sort_by_key(|table| table.name == "report_emails");
    for table in &tables {
        world.raw.execute(&personal_row(world, table, "acme")).await;
    }
    let sql = format!(
        "UPDATE brands SET suspended_by = '{USER}', suspension_reason = 'asked by {ADDRESS}.' WHERE brand_id = 'umbrella'"
    );
    world.raw.execute(&sql).await;
    let sql = format!("INSERT INTO audit_log_names VALUES ('ref_1', 'user', '{USER}', '', 'salt')");
    world.raw.execute(&sql).await;
    let digest = world.raw.bytes(b"a digest");
    for values in [
        format!("sign_in_codes VALUES ({digest}, '{USER}', 1, 1, 0)"),
        format!("sessions VALUES ({digest}, '{USER}', 1, 1, 0)"),
    ] {
        world.raw.execute(&format!("INSERT INTO {values}")).await;
    }
}

async fn mentions(world: &World) -> BTreeSet<String> {
    let mut tables = BTreeSet::new();
    for word in [USER, NAME, ADDRESS, &ADDRESS.to_lowercase()] {
        tables.extend(tables_that_mention(world, word).await);
    }
    tables
}

async fn nothing_of_an_erased_user_is_left(world: &World) {
    add_member(world, "acme").await;
    add_member(world, "umbrella").await;
    fill(world).await;
    let personal: BTreeSet<String> = personal_columns()
        .iter()
        .filter_map(|column| Some(column.split_once('.')?.0.to_owned()))
        .filter(|table| table != "erasures")
        .collect();
    assert_eq!(mentions(world).await, personal, "every personal table has the marks");
    let by_user = NewErasure { requested_by: user(), ..new_erasure(1).erasure };
    let new = NewUserErasure { erasure: by_user, ..new_erasure(1) };
    let receipt = world.store.begin_user_erasure(&user(), &new).await.expect("it begins");
    assert_eq!((receipt.kind, receipt.subject.as_str()), (ErasureKind::User, PSEUDONYM));
    search(&world.store, after(1)).await;
    let until_the_end = ["audit_log_names", "erasures"].map(str::to_owned);
    assert_eq!(mentions(world).await, BTreeSet::from(until_the_end));
    search(&world.store, after(MINUTE + 1)).await;
    assert_eq!(mentions(world).await, BTreeSet::new());

    let receipt = world.store.erasure("era_1").await.expect("the store answers").expect("a receipt");
    assert_eq!((receipt.subject.as_str(), receipt.requested_by.as_str()), (PSEUDONYM, PSEUDONYM));
    assert_eq!(receipt.finished_at, Some(after(MINUTE + 1)));
    assert!(receipt.deleted_rows >= personal.len() as u64, "{receipt:?}");
    // History stays readable: the same pseudonym is everywhere.
    let pseudonyms = tables_that_mention(world, PSEUDONYM).await;
    for table in ["activity", "approvals", "jobs", "keys", "keyword_imports", "report_emails", "schedules"] {
        assert!(pseudonyms.iter().any(|found| found == table), "{table}: {pseudonyms:?}");
    }
    let sql = "SELECT COUNT(*) FROM report_recipients";
    assert_eq!(world.raw.number(sql).await, 0, "the recipient is deleted");
}

async fn access_ends_before_the_answer_and_others_keep_theirs(world: &World) {
    for brand in ["acme", "umbrella"] {
        add_member(world, brand).await;
    }
    let keys = [key_of_user(world, "acme").await, key_of_user(world, "umbrella").await];
    let other = world.key("acme").await;
    begin(&world.store, 1).await;
    for key in &keys {
        let state = world.store.key_state(&key.digest).await.expect("the store answers").expect("a key");
        assert!(state.revoked);
    }
    for brand in [acme(), umbrella()] {
        assert_eq!(world.store.membership(&brand, &user()).await, Ok(None));
    }
    assert!(world.store.brands_of(&user()).await.expect("the store answers").is_empty());
    let state = world.store.key_state(&other.digest).await.expect("the store answers").expect("a key");
    assert!(!state.revoked);
    assert!(world.store.membership(&acme(), &id("ada")).await.expect("the store answers").is_some());
    search(&world.store, after(1)).await;
    let state = world.store.key_state(&keys[0].digest).await.expect("the store answers").expect("a key");
    assert_eq!(state.owner.as_str(), PSEUDONYM, "no cache has the old owner");
}

/// Adds events of one actor.
async fn add_events(world: &World, brand: &str, actor: &str, count: usize) {
    let sql = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}) \
         INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, outcome) \
         SELECT '{brand}', n, '{actor} ' || n, 'list', 'key_1', '{actor}', 'ok' FROM numbers"
    );
    world.raw.execute(&sql).await;
}

async fn events_of(world: &World, actor: &str) -> i64 {
    world.raw.number(&format!("SELECT COUNT(*) FROM activity WHERE actor = '{actor}'")).await
}

async fn search_goes_on_in_another_process_and_changes_nobody_else(world: &World) {
    add_member(world, "acme").await;
    for brand in ["acme", "umbrella"] {
        add_events(world, brand, "marked", 2_500).await;
        add_events(world, brand, "other", 2_500).await;
    }
    world.raw.execute(&format!("UPDATE activity SET actor = '{USER}' WHERE actor = 'marked'")).await;
    begin(&world.store, 1).await;
    let mut steps = 0;
    loop {
        let other = world.another_process().await;
        let Some(receipt) = other.next_user_erasure(after(1)).await.expect("the store answers") else {
            break;
        };
        let prefix = format!("evt_{steps}");
        other.erase_user_rows(&receipt, after(1), &prefix, &Files::default()).await.expect("a step");
        other.close().await;
        steps += 1;
        assert!(steps < 100, "every process goes on where the last one was");
    }
    assert_eq!(events_of(world, USER).await, 0);
    assert_eq!(events_of(world, PSEUDONYM).await, 5_000);
    assert_eq!(events_of(world, "other").await, 5_000);
}

async fn rows_written_during_an_erasure_are_found_by_the_second_search(world: &World) {
    add_member(world, "acme").await;
    begin(&world.store, 1).await;
    search(&world.store, after(1)).await;
    add_events(world, "acme", "late", 10).await;
    world.raw.execute(&format!("UPDATE activity SET actor = '{USER}' WHERE actor = 'late'")).await;
    // A request that was under way when the membership ended created this key.
    let late = key_of_user(world, "acme").await;
    assert_eq!(world.store.next_user_erasure(after(MINUTE)).await, Ok(None));
    search(&world.store, after(MINUTE + 1)).await;
    assert_eq!(mentions(world).await, BTreeSet::new());
    let state = world.store.key_state(&late.digest).await.expect("the store answers").expect("a key");
    assert!(state.revoked);
}

async fn second_request_returns_the_same_receipt_until_it_is_done(world: &World) {
    add_member(world, "acme").await;
    let first = begin(&world.store, 1).await;
    assert_eq!(begin(&world.store, 2).await, first);
    search(&world.store, after(1)).await;
    assert_eq!(begin(&world.store, 2).await.receipt_id, first.receipt_id);
    search(&world.store, after(MINUTE + 1)).await;
    let again = begin(&world.store, 2).await;
    assert_eq!(again.receipt_id, "era_2", "the first receipt has forgotten the user");
    // A user without anything is erased too: the history may still name them.
    search(&world.store, after(2)).await;
    search(&world.store, after(2 * MINUTE + 2)).await;
    let done = world.store.erasure("era_2").await.expect("the store answers").expect("a receipt");
    assert_eq!((done.finished_at, done.deleted_rows), (Some(after(2 * MINUTE + 2)), 0));
}

async fn user_who_comes_back_is_a_stranger_and_keeps_what_is_new(world: &World) {
    add_member(world, "acme").await;
    let old = key_of_user(world, "acme").await;
    begin(&world.store, 1).await;
    search(&world.store, after(1)).await;
    // While the second search is due, the operator adds the person again.
    world.store.put_member(&make::member("acme", USER, "member")).await.expect("a member");
    let new = key_of_user(world, "acme").await;
    search(&world.store, after(MINUTE + 1)).await;
    let member =
        world.store.membership(&acme(), &user()).await.expect("the store answers").expect("a member");
    assert_eq!((member.email, member.name), (None, None));
    let state = world.store.key_state(&new.digest).await.expect("the store answers").expect("a key");
    assert_eq!((state.revoked, state.owner.as_str()), (false, USER));
    let state = world.store.key_state(&old.digest).await.expect("the store answers").expect("a key");
    assert_eq!((state.revoked, state.owner.as_str()), (true, PSEUDONYM));
    let filter =
        ActivityFilter { key_id: Some(old.key.key_id.clone()), limit: 10, ..ActivityFilter::default() };
    let (events, _) = world.store.activity(&acme(), &filter).await.expect("the store answers");
    let actors: BTreeSet<&str> = events.iter().map(|event| event.actor.as_str()).collect();
    assert_eq!(actors, BTreeSet::from([PSEUDONYM, "olga"]));
}

async fn add_mail(world: &World, brand: &BrandId, email_id: &str, recipient: &str, status: &str) {
    let recipient = recipient.to_lowercase();
    for sql in [
        format!(
            "INSERT INTO report_emails (brand_id, email_id, purpose, recipient, status, attempts, created_at) \
             VALUES ('{brand}', '{email_id}', 'approvals', '{recipient}', '{status}', 0, 1)"
        ),
        format!(
            "INSERT INTO jobs (job_id, brand_id, kind, subject, status, due_at, attempts, created_at, key_id) \
             VALUES ('job_{email_id}', '{brand}', 'report_email', '{email_id}', 'waiting', 1, 0, 1, '')"
        ),
    ] {
        world.raw.execute(&sql).await;
    }
}

async fn mails_that_wait_for_an_erased_user_are_not_sent(world: &World) {
    add_member(world, "acme").await;
    for (email_id, recipient, status) in [
        ("mail_1", ADDRESS, "queued"),
        ("mail_2", ADDRESS, "sent"),
        ("mail_3", ADDRESS, "sending"),
        ("mail_4", "other@mail.example", "queued"),
    ] {
        add_mail(world, &acme(), email_id, recipient, status).await;
    }
    begin(&world.store, 1).await;
    let files = Files::default();
    let mut more = true;
    while more {
        more = world.store.erase_user_rows("era_1", after(1), "evt_1", &files).await.expect("a step");
    }
    let deleted = || files.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert_eq!(deleted(), ["mail_1", "mail_2"]);
    let statuses = || async {
        world
            .raw
            .texts("SELECT email_id || ' ' || status || ' ' || recipient FROM report_emails ORDER BY 1")
            .await
    };
    let erased = format!("{PSEUDONYM}@erased.invalid");
    assert_eq!(
        statuses().await,
        [
            format!("mail_1 cancelled {erased}"),
            format!("mail_2 sent {erased}"),
            format!("mail_3 sending {}", ADDRESS.to_lowercase()),
            "mail_4 queued other@mail.example".to_owned(),
        ],
        "the one that is being sent is left to the second search"
    );
    let jobs = world.raw.texts("SELECT job_id || ' ' || status FROM jobs ORDER BY job_id").await;
    assert_eq!(jobs[0], "job_mail_1 cancelled");
    assert_eq!(jobs[3], "job_mail_4 waiting");
    more = true;
    while more {
        let step = world.store.erase_user_rows("era_1", after(MINUTE + 1), "evt_2", &files);
        more = step.await.expect("a step");
    }
    assert_eq!(deleted(), ["mail_1", "mail_2", "mail_3"]);
    assert_eq!(statuses().await[2], format!("mail_3 sending {erased}"));
}
