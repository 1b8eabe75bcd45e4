//! Lists, searches and stops of `svc-mcp admin`.

use serde_json::{Value, json};

use crate::support::{Sandbox, Service, eventually_with_key};

/// The ids in a list that was printed as JSON.
fn ids(list: &Value, name: &str, field: &str) -> Vec<String> {
    let rows = list[name].as_array().unwrap_or_else(|| panic!("{list}"));
    rows.iter().map(|row| row[field].as_str().expect("a string").to_owned()).collect()
}

/// Creates a key, and returns its id and its secret.
async fn create_key(service: &Service, sandbox: &Sandbox, user: &str) -> (String, String) {
    let key =
        service.api(&sandbox.token(user)).create_key("acme", &json!({"label": user, "scope": "write"})).await;
    let text = |field: &str| key[field].as_str().expect("a string").to_owned();
    (text("key_id"), text("api_key"))
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_listed_as_a_table_and_as_json() {
    for sandbox in [Sandbox::sqlite(), Sandbox::postgres()] {
        sandbox.add_brand("acme", "ada");
        let more = ["--name", "Umbrella", "--plan", "business", "--website", "https://umbrella.example"];
        sandbox.run_ok(&[&["admin", "brands", "set", "umbrella"], more.as_slice()].concat());
        let service = sandbox.serve(&[]);
        let (key_id, secret) = create_key(&service, &sandbox, "ada").await;
        service.stop();

        assert_eq!(ids(&sandbox.json(&["admin", "plans", "list"]), "plans", "plan_id"), ["business"]);
        let brands = |more: &[&str]| {
            ids(&sandbox.json(&[&["admin", "brands", "list"], more].concat()), "brands", "brand_id")
        };
        assert_eq!(brands(&[]), ["acme", "umbrella"]);
        assert_eq!(brands(&["--q", "UM"]), ["umbrella"]);
        assert_eq!(brands(&["--plan", "none"]), [""; 0]);
        assert_eq!(brands(&["--status", "active"]).len(), 2);
        let cut = sandbox.json(&["admin", "brands", "list", "--limit", "1"]);
        assert_eq!((cut["brands"].as_array().map(Vec::len), &cut["more"]), (Some(1), &json!(true)));
        let text = sandbox.run_ok(&["admin", "brands", "list", "--limit", "1"]);
        assert!(text.starts_with("BRAND") && text.contains("Only the first 1 are shown"), "{text}");
        assert_eq!(ids(&sandbox.json(&["admin", "members", "list", "acme"]), "members", "user_id"), ["ada"]);
        assert_eq!(ids(&sandbox.json(&["admin", "users", "list", "--q", "a"]), "users", "user_id"), ["ada"]);
        assert_eq!(ids(&sandbox.json(&["admin", "users", "brands", "ada"]), "brands", "brand_id"), ["acme"]);
        for filter in
            [&["--prefix", &secret[..10]][..], &["--user", "ada"], &["--status", "active"], &["acme"], &[]]
        {
            let keys = sandbox.json(&[&["admin", "keys", "list"], filter].concat());
            assert_eq!(ids(&keys, "keys", "key_id"), [&*key_id], "{filter:?}");
        }
        let none = sandbox.run_ok(&["admin", "keys", "list", "--status", "revoked"]);
        assert_eq!(none, "No keys were found.");
        for list in [&["jobs", "list"][..], &["approvals", "list"], &["posts", "list", "--brand", "acme"]] {
            let printed = sandbox.json(&[&["admin"], list].concat());
            assert_eq!(printed[list[0]], json!([]), "{printed}");
        }
        let text = sandbox.run_ok(&["admin", "keys", "list"]);
        let (header, row) = text.split_once('\n').expect("two lines");
        let column = |line: &str, word: &str| line.split(word).next().map(|before| before.chars().count());
        assert_eq!(column(header, "STATUS"), column(row, "active"), "the columns are aligned: {text}");
        assert!(!text.contains(&secret), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn key_is_found_by_a_secret_from_standard_input() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let service = sandbox.serve(&[]);
    let (key_id, secret) = create_key(&service, &sandbox, "ada").await;
    let find = |input: &str| sandbox.run_with_input(&["admin", "keys", "find"], input);
    let found = find(&format!("{secret}\n"));
    assert_eq!(found.code, Some(0), "{found:?}");
    assert!(found.stdout.contains(&key_id) && found.stdout.contains("acme"), "{found:?}");
    let json = sandbox.run_with_input(&["admin", "keys", "find", "--json"], &secret);
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["key_id"], key_id);
    for wrong in ["", "hello", &secret[..50], &format!("{secret}0")] {
        let failed = find(wrong);
        assert_eq!(failed.code, Some(1), "{failed:?}");
        assert!(failed.stderr.contains("checksum"), "{failed:?}");
        assert!(!failed.stderr.contains("svc_mcp_"), "{failed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stops_are_effective_in_a_running_service() {
    for sandbox in [Sandbox::sqlite(), Sandbox::postgres()] {
        sandbox.add_brand("acme", "ada");
        sandbox.run_ok(&["admin", "members", "set", "acme", "ben", "--role", "member"]);
        let service = sandbox.serve(&[]);
        let expect = async |secret: &str, status: u16, code: &str| {
            eventually_with_key(&format!("{status} {code}"), async || {
                let response = service.api(secret).list_tools().await;
                (response.status == status && response.code() == code).then_some(())
            })
            .await;
        };
        let (_, adas) = create_key(&service, &sandbox, "ada").await;
        let (_, bens) = create_key(&service, &sandbox, "ben").await;
        expect(&adas, 200, "").await;
        let suspended = sandbox.json(&["admin", "brands", "suspend", "acme", "--reason", "unpaid"]);
        assert_eq!(
            (&suspended["status"], &suspended["suspension_reason"]),
            (&json!("suspended"), &json!("unpaid"))
        );
        assert_eq!(suspended["suspended_by"], "svc-mcp-admin");
        expect(&adas, 403, "brand_suspended").await;
        let table = sandbox.run_ok(&["admin", "brands", "list", "--status", "suspended"]);
        assert!(table.contains("acme") && table.contains("unpaid"), "{table}");
        assert_eq!(sandbox.run_ok(&["admin", "brands", "resume", "acme"]), "acme is not suspended.");
        expect(&adas, 200, "").await;

        assert_eq!(sandbox.run_ok(&["admin", "users", "revoke-keys", "ben"]), "1 keys of ben are revoked.");
        expect(&bens, 401, "key_invalid").await;
        expect(&adas, 200, "").await;
        let ended = sandbox.run_ok(&["admin", "users", "end-sessions", "ben"]);
        assert_eq!(ended, "0 sessions of ben have ended.");
        assert_eq!(sandbox.json(&["admin", "users", "end-sessions", "ada"]), json!({"sessions": 0}));
        let revoked = sandbox.json(&["admin", "brands", "revoke-keys", "acme"]);
        assert_eq!((&revoked["revoked"], &revoked["cancelled"]["posts"]), (&json!(1), &json!(0)));
        expect(&adas, 401, "key_invalid").await;
        service.stop();
    }
}

#[test]
fn unknown_names_are_reported() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    for (arguments, what) in [
        (&["admin", "brands", "suspend", "nope"][..], "there is no brand nope"),
        (&["admin", "brands", "resume", "nope"], "there is no brand nope"),
        (&["admin", "brands", "revoke-keys", "nope"], "there is no brand nope"),
        (&["admin", "members", "list", "nope"], "there is no brand nope"),
        (&["admin", "posts", "list", "--brand", "nope"], "there is no brand nope"),
        (&["admin", "jobs", "retry", "nope"], "There is no such job"),
        (&["admin", "jobs", "cancel", "nope"], "There is no such job"),
        (&["admin", "brands", "suspend", "acme", "--reason", " "], "--reason"),
    ] {
        let message = sandbox.expect_failure(arguments);
        assert!(message.contains(what), "{arguments:?}: {message}");
    }
}
