//! A real Bluesky server: what is published is read back from it.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Other, World};
use crate::support::{Place, answered};

async fn server_of(world: &World) -> (Other, Value) {
    let server = Other::bluesky().await;
    let about = server.get("/about").await;
    let settings = json!({
        "server": server.url,
        "identifier": about["handle"],
        "app_password": about["app_password"],
        "langs": ["de"],
    });
    world.put_channel("sky", "bluesky", settings).await;
    (server, about)
}

/// The records of the account, newest first.
async fn records(server: &Other, about: &Value) -> Vec<Value> {
    let did = about["acme"].as_str().expect("a DID");
    let path = format!("/xrpc/com.atproto.repo.listRecords?repo={did}&collection=app.bsky.feed.post");
    server.get(&path).await["records"].as_array().expect("a list").clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_is_published_with_its_facets_and_read_back() {
    let world = World::new(Place::sqlite()).await;
    let (server, about) = server_of(&world).await;
    let text = "Grüße 👩‍👩‍👧‍👦 @adalovelace.test und @nobody.test: https://acme.example/é?a=1, #Kaffee!";
    let link = json!({"text": text, "title": "Menü", "link": "https://acme.example/menu", "channels": ["sky"], "mode": "now"});
    let target = world.publish(link).await;
    assert_eq!(target["status"], "published", "{target}");
    let found = records(&server, &about).await;
    assert_eq!(found.len(), 1);
    let (uri, record) = (found[0]["uri"].as_str().expect("an address"), &found[0]["value"]);
    let key = uri.rsplit('/').next().expect("a key");
    assert_eq!(
        target["url"],
        format!("https://bsky.app/profile/{}/post/{key}", about["acme"].as_str().expect("a DID"))
    );
    assert_eq!((&record["text"], &record["langs"]), (&json!(text), &json!(["de"])));
    let mut covered = Vec::new();
    for facet in record["facets"].as_array().expect("facets") {
        let index =
            |name: &str| usize::try_from(facet["index"][name].as_u64().expect("a number")).expect("small");
        let feature = &facet["features"][0];
        let value = ["uri", "did", "tag"].iter().find_map(|name| feature[*name].as_str()).expect("a value");
        covered.push((&text[index("byteStart")..index("byteEnd")], value));
    }
    let ada = about["ada"].as_str().expect("a DID");
    assert_eq!(
        covered,
        [
            ("@adalovelace.test", ada),
            ("https://acme.example/é?a=1", "https://acme.example/%C3%A9?a=1"),
            ("#Kaffee", "Kaffee")
        ]
    );
    let card = json!({"uri": "https://acme.example/menu", "title": "Menü", "description": ""});
    assert_eq!(record["embed"]["external"], card);

    // With a picture, the link comes below the text; 300 of what people call characters are taken.
    let pictures = Other::python("mastodon.py").await;
    let long = format!("{} ", "👩‍👩‍👧‍👦".repeat(100));
    let with_picture = json!({
        "text": long, "link": "https://acme.example/", "channels": ["sky"], "mode": "now",
        "media": [{"url": format!("{}/picture.png", pictures.url), "alt": "A pixel"}],
    });
    let target = world.publish(with_picture).await;
    assert_eq!(target["status"], "published", "{target}");
    let found = records(&server, &about).await;
    let record = &found[0]["value"];
    assert_eq!(record["text"], format!("{long}\n\nhttps://acme.example/"));
    let image = &record["embed"]["images"][0];
    assert_eq!((&image["alt"], &image["image"]["mimeType"]), (&json!("A pixel"), &json!("image/png")));
    assert_eq!(image["image"]["size"], 69);
    assert!(!world.running.stop().contains(about["app_password"].as_str().expect("a password")));
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_the_servers_own() {
    let world = World::new(Place::sqlite()).await;
    let (server, about) = server_of(&world).await;
    // What `validate_post` says of a text, and what the server says when it is given the text past our checks.
    let cases = [
        ("e\u{301}".repeat(300), true),
        ("e\u{301}".repeat(301), false),
        ("🇩🇪".repeat(300), true),
        ("👍🏽".repeat(301), false),
        ("क्षि".repeat(150), true),
        ("ä".repeat(300), true),
        // 110 families are 2,750 bytes and 121 are 3,025.
        ("👩‍👩‍👧‍👦".repeat(110), true),
        ("👩‍👩‍👧‍👦".repeat(121), false),
    ];
    let session = json!({"identifier": about["handle"], "password": about["app_password"]});
    let session = server.post("/xrpc/com.atproto.server.createSession", &session).await.expect(200).json();
    let theirs = server.api.with(session["accessJwt"].as_str().expect("a token"));
    for (text, fits) in cases {
        let verdict = world.call("validate_post", json!({"text": text, "channels": ["sky"]})).await;
        assert_eq!(verdict["valid"], fits, "{} …: {verdict}", text.chars().take(4).collect::<String>());
        let record =
            json!({"$type": "app.bsky.feed.post", "text": text, "createdAt": "2026-11-15T00:00:00.000Z"});
        let body = json!({"repo": about["acme"], "collection": "app.bsky.feed.post", "record": record});
        let request = theirs.request(Method::POST, "/xrpc/com.atproto.repo.createRecord").json(&body);
        let answer = answered(request).await;
        assert_eq!(answer.status == 200, fits, "{} …: {answer:?}", text.chars().take(4).collect::<String>());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_fails_with_what_to_do() {
    let world = World::new(Place::sqlite()).await;
    let (server, about) = server_of(&world).await;
    let settings =
        json!({"server": server.url, "identifier": about["handle"], "app_password": "wrong-wrong-wrong"});
    world.put_channel("sky", "bluesky", settings).await;
    let target = world.publish(json!({"text": "Hello", "channels": ["sky"], "mode": "now"})).await;
    let told = target["error"].as_str().expect("a reason");
    assert_eq!((&target["status"], &target["attempts"]), (&json!("failed"), &json!(1)), "{told}");
    assert!(told.contains("Invalid identifier or password") && told.contains("app password"), "{told}");
    assert!(!told.contains("wrong-wrong"), "{told}");
}

/// The record is in, its answer is lost, and the service is killed: the next process puts the same record again.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_service_leaves_one_record() {
    let world = World::new(Place::sqlite()).await;
    let (server, about) = server_of(&world).await;
    server.instruct(json!({})).await;
    world.begin("Once, #really", "sky");
    let put = |entry: &Value| entry["method"] == "com.atproto.repo.putRecord";
    server.seen(1, |entry| put(entry) && entry["held"] == 200).await;
    let world = world.killed_and_started();
    let target = world.ended(&world.post_id().await).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("published"), &json!(2)), "{target}");
    let puts: Vec<Value> = server.log().await.into_iter().filter(put).collect();
    assert_eq!((puts.len(), &puts[1]["answered"]), (2, &json!(200)));
    assert_eq!(records(&server, &about).await.len(), 1);
}
