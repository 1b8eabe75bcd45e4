//! `svc-mcp admin`, and `migrate`.

use serde_json::json;

use crate::support::Place;

#[test]
fn plans_brands_and_members_are_set_and_answered() {
    for place in [Place::sqlite(), Place::postgres()] {
        let plan = ["admin", "plan", "set", "business", "--name", "Business", "--mcp"];
        let with = |more: &[&'static str]| [plan.as_slice(), more].concat();
        assert_eq!(place.ok(&with(&["on"])), "Plan business is set, with MCP on.");
        let answer = place.json(&with(&["off"]));
        assert_eq!(answer, json!({"plan_id": "business", "name": "Business", "mcp_enabled": false}));

        let brand = ["admin", "brand", "set", "acme", "--name", "Acme", "--plan", "business"];
        let brand = [brand.as_slice(), &["--website", "https://acme.example"]].concat();
        assert_eq!(place.ok(&brand), "Brand acme is set, on plan business.");
        let answer = place.json(&brand);
        assert_eq!(answer["brand_id"], "acme", "{answer}");
        assert_eq!(answer["website"], "https://acme.example", "{answer}");

        let member = ["admin", "member", "set", "acme", "ada", "--role"];
        let with = |more: &[&'static str]| [member.as_slice(), more].concat();
        assert_eq!(place.ok(&with(&["member"])), "ada is member of acme.");
        let answer = place.json(&with(&["admin", "--email", "ada@acme.example", "--name", "Ada"]));
        assert_eq!(answer["role"], "admin", "{answer}");
        assert_eq!(answer["email"], "ada@acme.example", "{answer}");

        let remove = ["admin", "member", "remove", "acme", "ada"];
        assert_eq!(place.json(&remove), json!({"removed": true}));
        assert_eq!(place.json(&remove), json!({"removed": false}));
        assert_eq!(place.ok(&remove), "ada was not a member of acme.");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_listed_and_revoked() {
    for place in [Place::sqlite(), Place::postgres()] {
        place.add_brand("acme", "ada");
        assert_eq!(place.ok(&["admin", "keys", "list", "acme"]), "acme has no keys.");
        assert_eq!(place.json(&["admin", "keys", "list", "acme"]), json!({"keys": []}));
        let running = place.serve(&[]);
        let api = running.api(&place.token("ada"));
        let mut ids = Vec::new();
        for label in ["first", "second"] {
            let key = api.create_key("acme", &json!({"label": label})).await;
            ids.push(key["key_id"].as_str().expect("an id").to_owned());
        }
        running.stop();
        let words = place.ok(&["admin", "keys", "list", "acme"]);
        assert_eq!(words.lines().count(), 2, "{words}");
        assert!(
            words.contains("second") && words.contains(&ids[1]) && words.contains("never used"),
            "{words}"
        );

        assert_eq!(place.json(&["admin", "keys", "revoke", "acme", &ids[0]]), json!({"revoked": ids[0]}));
        let again = place.ok(&["admin", "keys", "revoke", "acme", &ids[0]]);
        assert_eq!(again, format!("{} is revoked.", ids[0]), "revoking again changes nothing");
        let left = place.json(&["admin", "keys", "list", "acme"]);
        assert_eq!(left["keys"].as_array().map(Vec::len), Some(1), "{left}");
        assert_eq!(left["keys"][0]["key_id"], ids[1], "{left}");
        assert!(left["keys"][0].get("api_key").is_none(), "{left}");
        let all = place.json(&["admin", "keys", "list", "acme", "--include-revoked"]);
        assert_eq!(all["keys"][1]["status"], "revoked", "{all}");

        let running = place.serve(&[]);
        let activity = "/api/brands/acme/mcp-activity?kind=revoked";
        let activity = running.api(&place.token("ada")).get(activity).await.expect(200).json();
        assert_eq!(activity["events"].as_array().map(Vec::len), Some(1), "once: {activity}");
    }
}

#[test]
fn what_is_not_there_is_said() {
    let place = Place::sqlite();
    place.add_brand("acme", "ada");
    let website = ["--website", "https://acme.example"];
    let brand = ["admin", "brand", "set", "acme", "--name", "Acme", "--plan", "nope"];
    for (arguments, what) in [
        ([brand.as_slice(), &website].concat(), "there is no plan nope"),
        (vec!["admin", "member", "set", "nope", "ada", "--role", "admin"], "there is no brand nope"),
        (vec!["admin", "keys", "list", "nope"], "there is no brand nope"),
        (vec!["admin", "keys", "revoke", "acme", "nope"], "acme has no key nope"),
        (vec!["admin", "keys", "revoke", "nope", "nope"], "nope"),
    ] {
        let said = place.fails(&arguments);
        assert!(said.contains(what), "{arguments:?}: {said}");
        assert!(said.contains("`svc-mcp admin "), "it does not say what to do: {said}");
    }
}

/// A mistyped brand must not look like a member who is gone.
#[test]
fn nobody_is_removed_from_a_brand_that_is_not_there() {
    let place = Place::sqlite();
    place.add_brand("acme", "ada");
    let said = place.fails(&["admin", "member", "remove", "nope", "ada"]);
    assert!(said.contains("there is no brand nope"), "{said}");
}

#[test]
fn what_is_wrong_is_said_with_its_flag() {
    let place = Place::sqlite();
    place.add_brand("acme", "ada");
    let brand = ["admin", "brand", "set", "acme", "--plan", "business"];
    for (more, flag) in [
        (["--name", " ", "--website", "https://acme.example"], "--name"),
        (["--name", "Acme", "--website", "acme.example"], "--website"),
        (["--name", "Acme", "--website", "ftp://acme.example"], "--website"),
    ] {
        let said = place.fails(&[brand.as_slice(), &more].concat());
        assert!(said.contains(flag), "{more:?}: {said}");
    }
    let member = ["admin", "member", "set", "acme", "ada", "--role", "admin", "--email", "nobody"];
    assert!(place.fails(&member).contains("--email"));
    let name = "n".repeat(101);
    assert!(place.fails(&["admin", "plan", "set", "p", "--name", &name, "--mcp", "on"]).contains("--name"));

    for (arguments, what) in [
        (["admin", "plan", "set", "a b", "--name", "B", "--mcp", "on"].as_slice(), "<PLAN>"),
        (&["admin", "plan", "set", "p", "--name", "B", "--mcp", "maybe"], "--mcp"),
        (&["admin", "plan", "set", "p", "--mcp", "on"], "--name"),
        (&["admin", "member", "set", "acme", "a/b", "--role", "admin"], "<USER>"),
        (&["admin", "member", "set", "acme", "ada", "--role", "boss"], "--role"),
        (&["admin", "keys", "list"], "<BRAND>"),
        (&["admin", "keys", "revoke", "acme", "a b"], "<KEY>"),
    ] {
        let said = place.misused(arguments);
        assert!(said.contains(what), "{arguments:?}: {said}");
    }
}

#[test]
fn migrating_twice_is_the_same_as_once() {
    for place in [Place::sqlite(), Place::postgres()] {
        assert_eq!(place.ok(&["migrate"]), "The database's tables are up to date.");
        place.add_brand("acme", "ada");
        assert_eq!(place.json(&["migrate"]), json!({"migrated": true}));
        assert_eq!(place.ok(&["admin", "keys", "list", "acme"]), "acme has no keys.", "the data is kept");
    }
}

/// Several instances may be started at once on an empty database.
#[test]
fn migrating_at_the_same_time_works() {
    for place in [Place::sqlite(), Place::sqlite(), Place::sqlite(), Place::postgres()] {
        let started: Vec<_> = (0..8)
            .map(|_| {
                let mut command = place.command(&["migrate"]);
                command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
                command.spawn().expect("the binary starts")
            })
            .collect();
        for child in started {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
