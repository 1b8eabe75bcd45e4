//! Fills a brand over the API, erases it or its administrator, and searches every place for what is left.

use serde_json::json;

use super::{
    marked_brand::{Marks, fill, mail_directory, with_mails},
    places::{Database, in_mails, in_redis},
    receipt_id, wait_until_done,
};
use crate::support::{Sandbox, eventually};

/// The other brand, which must not lose anything.
const OTHER: Marks<'_> = Marks {
    brand: "kept-brand",
    user: "kept-user",
    word: "keptword",
    name: "Kept Name",
    address: "kept@mail.example",
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_brand_is_left_on_sqlite() {
    erase_brand(with_mails(Sandbox::sqlite())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_brand_is_left_on_postgresql_and_redis() {
    erase_brand(with_mails(Sandbox::postgres())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_user_is_left_on_sqlite() {
    erase_user(with_mails(Sandbox::sqlite())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_user_is_left_on_postgresql_and_redis() {
    erase_user(with_mails(Sandbox::postgres())).await;
}

/// Waits until recorded uses are written: both agents have made requests.
async fn wait_for_usage(database: &mut Database, brand: &str) {
    let sql = format!("SELECT COUNT(*) FROM usage_counts WHERE brand_id = '{brand}'");
    eventually("the recorded uses", async || (database.number(&sql).await > 0).then_some(())).await;
}

async fn erase_brand(sandbox: Sandbox) {
    const WORD: &str = "zzmark";
    let marks = Marks {
        brand: "zzmark-brand",
        user: "zzmark-user",
        word: WORD,
        name: "Zzmark Name",
        address: "zzmark@mail.example",
    };
    let service = sandbox.serve(&[]);
    let key = fill(&service, &sandbox, &marks).await;
    let other = fill(&service, &sandbox, &OTHER).await;
    let mut database = Database::open(&sandbox).await;
    wait_for_usage(&mut database, marks.brand).await;
    let filled = database.tables_that_mention(WORD).await;
    for table in [
        "activity",
        "analyses",
        "approvals",
        "audits",
        "brands",
        "channels",
        "jobs",
        "keys",
        "keyword_imports",
        "keyword_rows",
        "keyword_searches",
        "members",
        "post_targets",
        "posts",
        "promises",
        "quota_counts",
        "report_emails",
        "report_recipients",
        "reports",
        "schedules",
        "usage_counts",
    ] {
        assert!(filled.iter().any(|found| found == table), "{table} has no mark: {filled:?}");
    }
    let directory = mail_directory(&sandbox);
    assert!(in_mails(&directory, WORD).len() >= 2);
    let uses_redis = sandbox.variable("SVC_REDIS_URL").is_some();
    assert_eq!(!in_redis(&sandbox, WORD).is_empty(), uses_redis);
    let others_mails = in_mails(&directory, OTHER.word);

    let operator = service.api(&sandbox.operator_token());
    let path = format!("/api/admin/brands/{}", marks.brand);
    let receipt = operator.delete(&path).await.expect_status(202).json();
    service.api(&key).list_tools().await.expect_status(401);
    wait_until_done(&operator, &mut database, &receipt_id(&receipt)).await;

    assert_eq!(database.tables_that_mention(WORD).await, ["erasures"]);
    let tombstones = format!("SELECT subject FROM erasures WHERE subject = '{}'", marks.brand);
    assert_eq!(database.texts(&tombstones).await, [marks.brand]);
    assert_eq!(in_redis(&sandbox, WORD), [""; 0]);
    assert_eq!(in_mails(&directory, WORD), [""; 0]);
    let body = json!({"name": "New", "website": "https://new.example", "plan_id": "business"});
    assert_eq!(operator.put(&path, &body).await.code(), "brand_erased");

    service.api(&other).list_tools().await.expect_status(200);
    assert_eq!(in_mails(&directory, OTHER.word), others_mails, "the other brand has its mails");
    service.stop();
}

async fn erase_user(sandbox: Sandbox) {
    // The texts of the brand do not name the user.
    const WORD: &str = "uumark";
    let marks = Marks {
        brand: "acme",
        user: "uumark-user",
        word: "acmeword",
        name: "Uumark Name",
        address: "Uumark@Mail.example",
    };
    let service = sandbox.serve(&[]);
    let operator = service.api(&sandbox.operator_token());
    let key = fill(&service, &sandbox, &marks).await;
    let other = fill(&service, &sandbox, &OTHER).await;
    let member = json!({"role": "member", "name": marks.name, "email": marks.address});
    let path = format!("/api/admin/brands/{}/members/{}", OTHER.brand, marks.user);
    operator.put(&path, &member).await.expect_status(200);
    let user = service.api(&sandbox.token(marks.user));
    let second = user.key(OTHER.brand, "write").await;
    let mut database = Database::open(&sandbox).await;
    wait_for_usage(&mut database, marks.brand).await;
    let filled = database.tables_that_mention(WORD).await;
    for table in [
        "activity",
        "approvals",
        "keys",
        "keyword_imports",
        "members",
        "report_emails",
        "report_recipients",
        "schedules",
    ] {
        assert!(filled.iter().any(|found| found == table), "{table} has no mark: {filled:?}");
    }
    let directory = mail_directory(&sandbox);
    assert!(in_mails(&directory, WORD).len() >= 2);
    let others_mails = in_mails(&directory, OTHER.word);

    let path = format!("/api/admin/users/{}/erase", marks.user);
    let receipt = operator.post(&path, &json!({})).await.expect_status(202).json();
    for key in [&key, &second.secret] {
        service.api(key).list_tools().await.expect_status(401);
    }
    let brands = user.get("/api/me").await.expect_status(200).json();
    assert_eq!(brands["brands"], json!([]), "they sign in as a stranger: {brands}");
    let receipt = wait_until_done(&operator, &mut database, &receipt_id(&receipt)).await;

    assert_eq!(database.tables_that_mention(WORD).await, [""; 0]);
    assert_eq!(in_redis(&sandbox, WORD), [""; 0]);
    assert_eq!(in_mails(&directory, WORD), [""; 0]);
    let pseudonym = receipt["subject"].as_str().expect("a pseudonym");
    let history = database.tables_that_mention(&pseudonym.to_lowercase()).await;
    assert!(
        history.contains(&"activity".to_owned()) && history.contains(&"approvals".to_owned()),
        "{history:?}"
    );

    // The brands and the other person have lost nothing.
    service.api(&other).list_tools().await.expect_status(200);
    assert_eq!(in_mails(&directory, OTHER.word), others_mails);
    let feed = operator.get(&format!("/feeds/{}/feed.json", marks.brand)).await.expect_status(200).json();
    assert!(feed.to_string().contains(marks.word), "{feed}");
    service.stop();
}
