//! What competitors write about and the brand does not.

use serde_json::{Value, json};

use crate::{
    audits::app_for,
    keywords::{AHREFS, SEMRUSH, keywords, row},
    support::{Site, TestApp},
};

const OWN: &str = "<html lang=en><title>Acme Coffee</title><h1>Coffee beans, roasted for you</h1><p>We roast coffee beans in \
    small batches, and we send fresh coffee beans to your door every Monday.</p>";
const RIVAL: &str = "<html lang=en><title>Cold brew kits</title><h1>Cold brew kits</h1><p>We sell cold brew kits with a bag of \
    coffee beans. The bag is ground coarse.</p><a href=/kit>The kit</a>";
const RIVAL_KIT: &str = "<html lang=en><title>The kit</title><h1>How long does cold brew last?</h1><p>Our cold brew kits have a \
    filter bag and a bottle. We sell each bag alone, too.</p>";

async fn app() -> (TestApp, String, [Site; 2]) {
    let sites = [Site::with(&[("/", OWN)]).await, Site::with(&[("/", RIVAL), ("/kit", RIVAL_KIT)]).await];
    let app = app_for(&[&sites[0], &sites[1]]).await;
    let key = app.key("write").await;
    (app, key, sites)
}

async fn gaps(app: &TestApp, key: &str) -> Value {
    let reply = app.search(key, json!({"gaps_only": true, "language": "en", "limit": 100})).await;
    reply.result().clone()
}

#[tokio::test]
async fn gaps_are_phrases_and_need_no_seeds() {
    let (app, key, _sites) = app().await;
    let found = gaps(&app, &key).await;
    let gaps = keywords(&found);
    assert!(gaps.contains(&"cold brew kits") && gaps.contains(&"how long does cold brew last"), "{gaps:?}");
    assert!(
        gaps.iter().all(|gap| gap.contains(' ')),
        "single words such as `bag` and `sell` are no topics: {gaps:?}"
    );
    assert!(found["items"].as_array().unwrap().iter().all(|row| row["gap"] == true), "{found}");
    assert_eq!((&found["search"]["gaps_only"], &found["search"]["seeds"]), (&json!(true), &json!([])));
    let notes = found["search"]["notes"].to_string();
    assert!(notes.contains("No source knows search volumes. Import a CSV"), "{notes}");
    // The stored search has the same order.
    let stored = json!({"search_id": found["search"]["search_id"], "limit": 100});
    let stored = app.call(&key, "get_keyword_search", stored).await;
    assert_eq!(keywords(stored.result()), gaps);
}

#[tokio::test]
async fn published_post_closes_a_gap_and_a_draft_does_not() {
    let (app, key, _sites) = app().await;
    let text = "New in our shop: cold brew kits.";
    let gap = async || keywords(&gaps(&app, &key).await).contains(&"cold brew kits");
    app.call(&key, "create_post", json!({"text": text, "channels": ["feed"]})).await.result();
    assert!(gap().await, "nobody can read a draft");
    let found = app.search(&key, json!({"seeds": ["cold brew"]})).await;
    assert_eq!(found.result()["search"]["read"]["own_posts"], 0);
    app.call(&key, "create_post", json!({"text": text, "channels": ["feed"], "mode": "now"})).await.result();
    assert!(!gap().await, "the post is published");
}

#[tokio::test]
async fn gap_has_the_figures_of_a_list() {
    let (app, key, _sites) = app().await;
    let list = b"Keyword,Intent,Volume,Keyword Difficulty,CPC (EUR)\ncold brew kit,Commercial,900,20,1.10\n";
    app.import("ada", list).await.expect_status(201);
    let found = gaps(&app, &key).await;
    let kit = row(&found, "cold brew kit");
    assert_eq!((&kit["volume"], &kit["currency"], &kit["gap"]), (&json!(900), &json!("EUR"), &json!(true)));
    assert_eq!(kit["sources"], json!(["competitor_pages", "semrush"]));
    assert!(!found["search"]["notes"].to_string().contains("No source knows"), "{found}");
}

#[tokio::test]
async fn rows_name_their_country_and_only_the_wanted_one_is_used() {
    let app = TestApp::new().await;
    for list in [AHREFS, SEMRUSH] {
        app.import("ada", list).await.expect_status(201);
    }
    let key = app.key("write").await;
    let search = async |country: &str| {
        let arguments = json!({"seeds": ["beans"], "source": "imported", "country": country});
        app.search(&key, arguments).await.result().clone()
    };
    let british = search("GB").await;
    assert_eq!(keywords(&british), ["coffee beans"]);
    let beans = row(&british, "coffee beans");
    assert_eq!((&beans["volume"], &beans["country"]), (&json!(14_000), &json!("gb")));
    // The list of Semrush has dollars and names no country.
    let german = search("de").await;
    assert_eq!(german["total"], 0, "{german}");
    let notes = german["search"]["notes"].to_string();
    assert!(
        notes.contains("4 imported rows whose list names no country, and 5 of other countries"),
        "{notes}"
    );
}

#[tokio::test]
async fn gaps_need_texts_to_compare() {
    let (app, key, sites) = app().await;
    for source in ["imported", "provider"] {
        let arguments = json!({"gaps_only": true, "source": source});
        let reply = app.search(&key, arguments).await.expect_problem(422, "invalid_arguments");
        assert_eq!(reply.faulty_fields(), ["source"]);
    }
    app.search(&key, json!({"gaps_only": false})).await.expect_problem(422, "invalid_arguments");
    app.put_sites(&sites[0].url, &[]).await;
    let found = gaps(&app, &key).await;
    assert!(found["search"]["notes"].to_string().contains("No competitor's page was read"), "{found}");
}
