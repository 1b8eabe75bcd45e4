//! The operator's lists and searches over all brands.

use svc_mcp_access::{
    BrandId, Suspension, Timestamp,
    key::{Key, KeyDigest, NewKey},
};
use svc_mcp_store::{
    BrandSearch, Cursor, JobSearch, JobStatus, KeySearch, KeySearchStatus, SearchPage, Store,
};
use svc_mcp_tools::{
    Change, Records,
    jobs::{JobKind, NewJob},
};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    world::{Raw, World},
};

on_both_engines! {
    brands_are_found_by_the_beginning_of_their_id_or_name,
    brands_are_listed_by_plan_and_status,
    users_are_found_by_the_beginning_of_their_id_or_address,
    members_and_brands_of_a_user_are_listed_in_pages,
    plans_are_listed_in_pages,
    keys_of_all_brands_are_found_by_prefix_user_brand_and_status,
    key_is_found_by_its_digest,
    jobs_are_listed_by_status_brand_and_kind,
    searches_use_an_index,
}

/// Reads all pages of two rows each.
pub(crate) async fn all_pages<T>(read: impl AsyncFn(Option<Cursor>) -> SearchPage<T>) -> Vec<T> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = read(after).await;
        assert!(page.items.len() <= 2);
        all.extend(page.items);
        after = page.next;
        if after.is_none() {
            return all;
        }
    }
}

async fn brands(world: &World, search: BrandSearch) -> Vec<String> {
    let read = async |after| {
        let search = BrandSearch { after, limit: 2, ..search.clone() };
        world.store.search_brands(&search).await.expect("the store answers")
    };
    all_pages(read).await.into_iter().map(|listed| listed.brand.brand_id.to_string()).collect()
}

fn q(text: &str) -> BrandSearch {
    BrandSearch { q: Some(text.to_owned()), ..BrandSearch::default() }
}

async fn put_brands(world: &World, ids_and_names: &[(&str, &str)]) {
    for (brand, name) in ids_and_names {
        let brand = svc_mcp_access::Brand { name: (*name).to_owned(), ..make::brand(brand, "pro") };
        world.store.put_brand(&brand).await.expect("the store answers");
    }
}

async fn brands_are_found_by_the_beginning_of_their_id_or_name(world: &World) {
    put_brands(
        world,
        &[
            ("Acme-2", "Zeta"),
            ("acme_3", "Zeta"),
            ("b1", "ACME Tea"),
            ("b2", "acme tea"),
            ("b3", "Tea of Acme"),
            ("b4", "100% tea"),
            ("b5", "100_ tea"),
        ],
    )
    .await;
    let everything = brands(world, BrandSearch::default()).await;
    assert_eq!(everything, ["acme", "Acme-2", "acme_3", "b1", "b2", "b3", "b4", "b5", "umbrella"]);
    // First by id, then by name. The name of `acme` also begins with the text, and it is listed once.
    assert_eq!(brands(world, q("AcMe")).await, ["acme", "Acme-2", "acme_3", "b1", "b2"]);
    assert_eq!(brands(world, q("acme tea")).await, ["b1", "b2"]);
    assert_eq!(brands(world, q("acme-")).await, ["Acme-2"]);
    assert_eq!(brands(world, q("tea")).await, ["b3"]);
    assert_eq!(brands(world, q("100%")).await, ["b4"], "no wildcards");
    assert_eq!(brands(world, q("100_")).await, ["b5"], "no wildcards");
    assert_eq!(brands(world, q("nobody")).await, [""; 0]);
}

async fn brands_are_listed_by_plan_and_status(world: &World) {
    put_brands(world, &[("nova", "Nova")]).await;
    world.store.put_brand(&make::brand("vega", "free")).await.expect("the store answers");
    let suspension = Suspension { at: NOW, by: id("olga"), reason: Some("unpaid".into()) };
    for brand in ["nova", "vega"] {
        world.store.suspend_brand(&id(brand), &suspension).await.expect("the store answers");
    }
    let (pro, free) = (Some(id("pro")), Some(id("free")));
    let none = BrandSearch::default;
    for (search, expected) in [
        (BrandSearch { plan: free.clone(), ..none() }, &["vega"][..]),
        (BrandSearch { plan: pro.clone(), ..none() }, &["acme", "nova", "umbrella"]),
        (BrandSearch { suspended: Some(true), ..none() }, &["nova", "vega"]),
        (BrandSearch { suspended: Some(false), ..none() }, &["acme", "umbrella"]),
        (BrandSearch { suspended: Some(true), plan: pro, ..none() }, &["nova"]),
        (BrandSearch { suspended: Some(false), plan: free, ..none() }, &[]),
        (BrandSearch { suspended: Some(true), ..q("n") }, &["nova"]),
    ] {
        assert_eq!(brands(world, search.clone()).await, expected, "{search:?}");
    }
    let listed = world.store.listed_brand(&id("nova")).await.expect("the store answers").expect("a brand");
    assert_eq!(listed.suspension, Some(suspension));
}

async fn users_are_found_by_the_beginning_of_their_id_or_address(world: &World) {
    for (brand, user, email) in [
        ("acme", "Zoe", Some("Zoe@acme.example")),
        ("umbrella", "Zoe", Some("other@acme.example")),
        ("acme", "kim", Some("zoe.kim@acme.example")),
        ("acme", "zora", None),
    ] {
        let email = email.map(str::to_owned);
        let member = svc_mcp_access::Member { email, ..make::member(brand, user, "member") };
        world.store.put_member(&member).await.expect("the store answers");
    }
    let users = async |q: Option<&str>| {
        let read = async |after: Option<Cursor>| {
            world.store.search_users(q, after.as_ref(), 2).await.expect("the store answers")
        };
        let users = all_pages(read).await.into_iter();
        users.map(|user| (user.user_id.to_string(), user.brands)).collect::<Vec<_>>()
    };
    let found = |users: &[(&str, u64)]| -> Vec<(String, u64)> {
        users.iter().map(|(user, brands)| ((*user).to_owned(), *brands)).collect()
    };
    assert_eq!(users(Some("zo")).await, found(&[("Zoe", 2), ("zora", 1), ("kim", 1)]));
    assert_eq!(users(Some("ZOE.")).await, found(&[("kim", 1)]));
    assert_eq!(users(Some("other@")).await, found(&[("Zoe", 2)]));
    assert_eq!(users(Some("x")).await, found(&[]));
    let everybody = [("ada", 1), ("bob", 1), ("kim", 1), ("uma", 1), ("Zoe", 2), ("zora", 1)];
    assert_eq!(users(None).await, found(&everybody));
}

async fn members_and_brands_of_a_user_are_listed_in_pages(world: &World) {
    for brand in ["b1", "b2", "b3"] {
        put_brands(world, &[(brand, brand)]).await;
        world.store.put_member(&make::member(brand, "ada", "member")).await.expect("the store answers");
    }
    let read = async |after: Option<Cursor>| {
        world.store.list_brands_of(&id("ada"), after.as_ref(), 2).await.expect("the store answers")
    };
    let listed = all_pages(read).await;
    let roles: Vec<(&str, &str)> = listed
        .iter()
        .map(|listed| (listed.brand.brand_id.as_str(), listed.role.expect("a role").as_str()))
        .collect();
    assert_eq!(roles, [("acme", "admin"), ("b1", "member"), ("b2", "member"), ("b3", "member")]);
    for user in ["m1", "m2", "m3"] {
        world.store.put_member(&make::member("acme", user, "member")).await.expect("the store answers");
    }
    let read = async |after: Option<Cursor>| {
        world.store.list_members(&acme(), after.as_ref(), 2).await.expect("the store answers")
    };
    let members: Vec<String> =
        all_pages(read).await.into_iter().map(|member| member.user_id.to_string()).collect();
    assert_eq!(members, ["ada", "bob", "m1", "m2", "m3"]);
}

async fn plans_are_listed_in_pages(world: &World) {
    for plan in ["p1", "p2", "p3"] {
        world.store.put_plan(&make::plan(plan, true)).await.expect("the store answers");
    }
    let read = async |after: Option<Cursor>| {
        world.store.list_plans(after.as_ref(), 2).await.expect("the store answers")
    };
    let plans: Vec<String> = all_pages(read).await.into_iter().map(|plan| plan.plan_id.to_string()).collect();
    assert_eq!(plans, ["free", "p1", "p2", "p3", "pro"]);
}

/// A key with this prefix, made at this time.
async fn key(world: &World, brand: &str, prefix: &str, created_at: Timestamp) -> NewKey {
    let mut new = make::key(brand, world.entropy.clone());
    (new.key.prefix, new.key.created_at) = (prefix.to_owned(), created_at);
    world.keep(&new).await;
    new
}

async fn keys(world: &World, search: KeySearch) -> Vec<Key> {
    let read = async |after| {
        let search = KeySearch { after, limit: 2, ..search.clone() };
        world.store.search_keys(&search, after_a_day()).await.expect("the store answers")
    };
    all_pages(read).await
}

fn after_a_day() -> Timestamp {
    after(86_400_000)
}

async fn keys_of_all_brands_are_found_by_prefix_user_brand_and_status(world: &World) {
    let first = key(world, "acme", "svc_mcp_aaaa00", NOW).await;
    let second = key(world, "umbrella", "svc_mcp_aaaaB1", after(1)).await;
    let third = key(world, "acme", "svc_mcp_aaab00", after(2)).await;
    let mut expiring = make::key("acme", world.entropy.clone());
    expiring.key.prefix = "svc_mcp_zzzz00".into();
    (expiring.key.created_at, expiring.key.expires_at) = (after(3), Some(after(10)));
    world.keep(&expiring).await;
    let paused = key(world, "acme", "svc_mcp_zzzz01", after(4)).await;
    world.store.pause_key(&acme(), &paused.key.key_id, &make::paused(&paused)).await.expect("paused");
    let revoked = key(world, "umbrella", "svc_mcp_zzzz02", after(5)).await;
    let event = make::revoked(&revoked, after(6));
    let queued = svc_mcp_store::QueuedWork::Cancel;
    world.store.revoke_key(&umbrella(), &revoked.key.key_id, queued, &event).await.expect("revoked");

    let search = KeySearch::default;
    let prefix = |text: &str| KeySearch { prefix: Some(text.to_owned()), ..search() };
    let status = |status| KeySearch { status: Some(status), ..search() };
    let all = [&revoked, &paused, &expiring, &third, &second, &first];
    for (search, expected) in [
        (prefix("svc_mcp_aaa"), &[&first, &second, &third][..]),
        (prefix("svc_mcp_aaaa"), &[&first, &second]),
        (prefix("aaaaB"), &[&second]),
        (prefix("aaaab"), &[]),
        (prefix("svc_mcp_aaaa00"), &[&first]),
        (prefix("svc_mcp_%"), &[]),
        (prefix("svc_mcp_"), &all),
        (prefix("svc"), &all),
        (search(), &all),
        (KeySearch { without_revoked: true, ..search() }, &all[1..]),
        (KeySearch { user: Some(id("uma")), ..search() }, &[&revoked, &second]),
        (KeySearch { brand: Some(acme()), ..search() }, &[&paused, &expiring, &third, &first]),
        (KeySearch { brand: Some(acme()), ..prefix("aaaa") }, &[&first]),
        (KeySearch { brand: Some(acme()), user: Some(id("uma")), ..search() }, &[]),
        (status(KeySearchStatus::Active), &[&third, &second, &first]),
        (status(KeySearchStatus::Paused), &[&paused]),
        (status(KeySearchStatus::Expired), &[&expiring]),
        (status(KeySearchStatus::Revoked), &[&revoked]),
    ] {
        let found: Vec<String> =
            keys(world, search.clone()).await.into_iter().map(|key| key.key_id.to_string()).collect();
        let expected: Vec<String> = expected.iter().map(|new| new.key.key_id.to_string()).collect();
        assert_eq!(found, expected, "{search:?}");
    }
}

async fn key_is_found_by_its_digest(world: &World) {
    let new = world.key("acme").await;
    let found = async |digest: &KeyDigest| {
        world.store.find_key_by_digest(digest).await.expect("the store answers").map(|key| key.key_id)
    };
    assert_eq!(found(&new.digest).await, Some(new.key.key_id.clone()));
    assert_eq!(found(&KeyDigest::of(b"another")).await, None);
    let by_id = world.store.find_key(&new.key.key_id).await.expect("the store answers");
    assert_eq!(by_id.expect("a key").brand_id, acme());
    assert_eq!(world.store.find_key(&id("key_x")).await.expect("the store answers"), None);
}

async fn jobs_are_listed_by_status_brand_and_kind(world: &World) {
    for (number, (brand, kind)) in [
        (acme(), JobKind::Audit),
        (umbrella(), JobKind::Audit),
        (acme(), JobKind::Publish),
        (acme(), JobKind::Analysis),
    ]
    .into_iter()
    .enumerate()
    {
        let job_id = format!("job_{number}");
        let subject = format!("subject_{number}");
        let job = Change::AddJob(NewJob { job_id, kind, subject, concurrency_key: None, due: NOW });
        let at = after(i64::try_from(number).expect("small"));
        world.records().commit(&brand, &[job], None, at).await.expect("it commits");
    }
    world.raw.execute("UPDATE jobs SET status = 'failed', reason = 'why' WHERE job_id = 'job_1'").await;
    let search = JobSearch::default;
    for (search, expected) in [
        (search(), &["job_3", "job_2", "job_1", "job_0"][..]),
        (JobSearch { status: Some(JobStatus::Failed), ..search() }, &["job_1"]),
        (JobSearch { brand: Some(acme()), ..search() }, &["job_3", "job_2", "job_0"]),
        (JobSearch { kind: Some(JobKind::Audit), ..search() }, &["job_1", "job_0"]),
        (JobSearch { kind: Some(JobKind::Audit), brand: Some(acme()), ..search() }, &["job_0"]),
        (JobSearch { status: Some(JobStatus::Failed), brand: Some(acme()), ..search() }, &[]),
    ] {
        let read = async |after| {
            let search = JobSearch { after, limit: 2, ..search.clone() };
            world.store.search_jobs(&search).await.expect("the store answers")
        };
        let jobs = all_pages(read).await;
        assert_eq!(jobs.iter().map(|job| &*job.job_id).collect::<Vec<_>>(), expected, "{search:?}");
        if let Some(failed) = jobs.iter().find(|job| job.status == JobStatus::Failed) {
            assert_eq!(failed.reason.as_deref(), Some("why"));
        }
    }
}

/// Fills the tables, so that PostgreSQL does not prefer to read all of a small table.
async fn fill(world: &World) {
    const ROWS: u32 = 20_000;
    let numbers = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {ROWS})"
    );
    let (digest, analyze) = match &world.raw {
        // The service does not analyze SQLite. The test does so later.
        Raw::Sqlite(_) => ("randomblob(32)", "SELECT 1"),
        Raw::Postgres(_) => ("decode(md5(n::text) || md5(n::text), 'hex')", "VACUUM ANALYZE"),
    };
    let (text, padded) =
        ("CAST(n AS TEXT)", "substr('000000' || CAST(n AS TEXT), length(CAST(n AS TEXT)) + 1)");
    for sql in [
        format!(
            "{numbers} INSERT INTO brands (brand_id, name, website, plan_id, competitors) \
             SELECT 'brand' || {text}, 'Name ' || {text}, 'https://a.example', 'pro', '[]' FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO members (brand_id, user_id, role, email) \
             SELECT 'brand' || {text}, 'user' || {text}, 'admin', 'mail' || {text} || '@a.example' FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO keys (key_id, brand_id, created_by, label, scope, prefix, digest, created_at) \
             SELECT 'key' || {text}, 'brand' || {text}, 'user' || {text}, 'a', 'read', 'svc_mcp_' || {padded}, \
             {digest}, n FROM numbers"
        ),
        format!(
            "{numbers} INSERT INTO jobs (job_id, brand_id, kind, subject, status, due_at, attempts, created_at) \
             SELECT 'job' || {text}, 'brand' || {text}, 'audit', 'x', 'done', n, 0, n FROM numbers"
        ),
        analyze.to_owned(),
    ] {
        world.raw.execute(&sql).await;
    }
}

/// No line reads a whole table, and at least one uses this index.
pub(crate) fn assert_indexed(lines: &[String], index: &str) {
    let plan = lines.join("\n");
    for table in ["brands", "members", "keys", "jobs", "audit_log", "activity"] {
        assert!(!plan.contains(&format!("Seq Scan on {table}")), "{plan}");
    }
    // SQLite says `SEARCH … USING INDEX … (prefix>? AND prefix<?)`, or `SCAN` if it reads everything.
    let scans = lines.iter().any(|line| line.starts_with("SCAN ") && !line.contains("USING INDEX"));
    assert!(!scans, "{plan}");
    assert!(!plan.contains("TEMP B-TREE FOR ORDER BY"), "sorts all rows: {plan}");
    assert!(plan.contains(index), "{index}: {plan}");
}

/// A first page has one lower bound. With a second one, PostgreSQL may read the index from its first row on.
fn assert_one_lower_bound(lines: &[String]) {
    let plan = lines.join("\n");
    assert!(!plan.contains("ROW("), "{plan}");
}

async fn searches_use_an_index(world: &World) {
    fill(world).await;
    assert_searches_use_an_index(world, &world.store).await;
    if let Raw::Sqlite(_) = &world.raw {
        // An operator may have analyzed the tables. A new process reads the statistics.
        world.raw.execute("ANALYZE").await;
        let store = world.another_process().await;
        assert_searches_use_an_index(world, &store).await;
        store.close().await;
    }
}

async fn assert_searches_use_an_index(world: &World, store: &Store) {
    let keys = KeySearch { limit: 50, ..KeySearch::default() };
    let prefix = KeySearch { prefix: Some("svc_mcp_0012".into()), ..keys.clone() };
    let plan = store.explain_search_keys(&prefix, NOW).await.expect("the store answers");
    assert_indexed(&plan, "keys_by_prefix");
    assert_one_lower_bound(&plan);
    let text = plan.join("\n");
    match &world.raw {
        Raw::Sqlite(_) => {
            assert!(
                text.contains("SEARCH keys USING INDEX keys_by_prefix (prefix>? AND prefix<?)"),
                "{text}"
            );
        }
        Raw::Postgres(_) => assert!(text.contains("Index Cond: (((prefix)::text >="), "{text}"),
    }
    for (search, index) in [
        (KeySearch { user: Some(id("user7")), ..keys.clone() }, "keys_by_user"),
        (KeySearch { brand: Some(id::<BrandId>("brand7")), ..keys.clone() }, "keys_by_brand"),
        (KeySearch { status: Some(KeySearchStatus::Paused), ..keys.clone() }, "keys_paused"),
        (KeySearch { status: Some(KeySearchStatus::Revoked), ..keys.clone() }, "keys_revoked"),
        (KeySearch { status: Some(KeySearchStatus::Expired), ..keys.clone() }, "keys_with_expiry"),
        (keys, "keys_newest"),
    ] {
        assert_indexed(&store.explain_search_keys(&search, NOW).await.expect("the store answers"), index);
    }
    let brands = BrandSearch { q: Some("brand77".into()), limit: 50, ..BrandSearch::default() };
    let plan = store.explain_search_brands(&brands).await.expect("the store answers");
    assert_indexed(&plan, "brands_by_search_id");
    assert_indexed(&plan, "brands_by_search_name");
    assert_one_lower_bound(&plan);
    let plan = store.explain_search_users("user77").await.expect("the store answers");
    assert_indexed(&plan, "members_by_search_id");
    assert_indexed(&plan, "members_by_search_email");
    assert_one_lower_bound(&plan);
    let failed = JobSearch { status: Some(JobStatus::Failed), limit: 50, ..JobSearch::default() };
    assert_indexed(&store.explain_search_jobs(&failed).await.expect("the store answers"), "jobs_by_status");
}
