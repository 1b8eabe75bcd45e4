//! `svc-mcp admin`, and `migrate`.

use serde_json::json;

use crate::support::Sandbox;

#[test]
fn plans_brands_and_members_are_set() {
    for sandbox in [Sandbox::sqlite(), Sandbox::postgres()] {
        let plan = ["admin", "plan", "set", "business", "--name", "Business", "--mcp"];
        let with = |more: &[&'static str]| [plan.as_slice(), more].concat();
        assert_eq!(sandbox.run_ok(&with(&["on", "--init"])), "Plan business is set, with MCP on.");
        let answer = sandbox.json(&with(&["off"]));
        assert_eq!(answer["mcp_enabled"], false);
        assert_eq!(
            (answer.get("quotas"), &answer["effective_quotas"]["keys"]["default"]),
            (None, &json!(true))
        );
        let answer = sandbox.json(&with(&["on", "--quota", "posts_per_day=7", "--quota", "keys=3"]));
        assert_eq!(answer["quotas"], json!({"posts_per_day": 7, "keys": 3}));
        let text = sandbox.run_ok(&with(&["on", "--quota", "keys=default"]));
        assert_eq!(text, "Plan business is set, with MCP on.\nposts_per_day: 7", "other quotas are kept");
        let show = ["admin", "plan", "show", "business"];
        let text = sandbox.run_ok(&show);
        assert!(text.starts_with("Plan business (Business), with MCP on.\n"), "{text}");
        assert!(text.contains("\nposts_per_day: 7\n") && text.contains("\nkeys: 50 (default)\n"), "{text}");
        let shown = sandbox.json(&show);
        assert_eq!(shown["quotas"], json!({"posts_per_day": 7}));
        assert_eq!(shown["effective_quotas"]["posts_per_day"], json!({"limit": 7, "default": false}));

        let brand = ["admin", "brand", "set", "acme", "--name", "Acme", "--plan", "business"];
        let brand = [brand.as_slice(), &["--website", "https://acme.example"]].concat();
        assert_eq!(sandbox.run_ok(&brand), "Brand acme is set, on plan business.");
        let answer = sandbox.json(&brand);
        assert_eq!(answer["brand_id"], "acme", "{answer}");
        assert_eq!(answer["website"], "https://acme.example", "{answer}");
        assert_eq!(answer["time_zone"], "UTC", "{answer}");
        let locale = ["--language", "de", "--time-zone", "europe/berlin"];
        let answer = sandbox.json(&[brand.as_slice(), &locale].concat());
        assert_eq!((&answer["language"], &answer["time_zone"]), (&json!("de"), &json!("Europe/Berlin")));
        assert_eq!(sandbox.json(&brand), answer, "what is not named is kept");

        let member = ["admin", "member", "set", "acme", "ada", "--role"];
        let with = |more: &[&'static str]| [member.as_slice(), more].concat();
        assert_eq!(sandbox.run_ok(&with(&["member"])), "ada is member of acme.");
        let answer = sandbox.json(&with(&["admin", "--email", "ada@acme.example", "--name", "Ada"]));
        assert_eq!(answer["role"], "admin", "{answer}");
        assert_eq!(answer["email"], "ada@acme.example", "{answer}");
        let member = ["admin", "member", "set", "acme", "ada"];
        assert_eq!(sandbox.json(&member), answer, "what is not named is kept");
        let answer = sandbox.json(&[member.as_slice(), &["--email", "", "--role", "member"]].concat());
        assert_eq!(
            (&answer["email"], &answer["name"], &answer["role"]),
            (&json!(null), &json!("Ada"), &json!("member"))
        );
        let message = sandbox.expect_failure(&["admin", "member", "set", "acme", "auth0|4f2a"]);
        assert!(message.contains("--role"), "{message}");
        let user = ["admin", "member", "set", "acme", "auth0|Jürgen", "--role", "member"];
        assert_eq!(sandbox.run_ok(&user), "auth0|Jürgen is member of acme.");
        assert_eq!(
            sandbox.json(&["admin", "member", "remove", "acme", "auth0|Jürgen"]),
            json!({"removed": true})
        );

        let remove = ["admin", "member", "remove", "acme", "ada"];
        assert_eq!(sandbox.json(&remove), json!({"removed": true}));
        assert_eq!(sandbox.json(&remove), json!({"removed": false}));
        assert_eq!(sandbox.run_ok(&remove), "ada was not a member of acme.");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_listed_and_revoked() {
    for sandbox in [Sandbox::sqlite(), Sandbox::postgres()] {
        sandbox.add_brand("acme", "ada");
        assert_eq!(sandbox.run_ok(&["admin", "keys", "list", "acme"]), "acme has no keys.");
        assert_eq!(sandbox.json(&["admin", "keys", "list", "acme"]), json!({"keys": []}));
        let service = sandbox.serve(&[]);
        let api = service.api(&sandbox.token("ada"));
        let mut ids = Vec::new();
        for label in ["first", "second"] {
            let key = api.create_key("acme", &json!({"label": label})).await;
            ids.push(key["key_id"].as_str().expect("an id").to_owned());
        }
        service.stop();
        let text = sandbox.run_ok(&["admin", "keys", "list", "acme"]);
        assert_eq!(text.lines().count(), 3, "a header and two keys: {text}");
        assert!(text.contains("second") && text.contains(&ids[1]) && text.contains("never used"), "{text}");

        let revoked = sandbox.json(&["admin", "keys", "revoke", "acme", &ids[0]]);
        assert_eq!((&revoked["revoked"], &revoked["cancelled"]["posts"]), (&json!(ids[0]), &json!(0)));
        let again = sandbox.run_ok(&["admin", "keys", "revoke", "acme", &ids[0]]);
        assert_eq!(again, format!("{} is revoked.", ids[0]), "revoking again changes nothing");
        let left = sandbox.json(&["admin", "keys", "list", "acme"]);
        assert_eq!(left["keys"].as_array().map(Vec::len), Some(1), "{left}");
        assert_eq!(left["keys"][0]["key_id"], ids[1], "{left}");
        assert!(left["keys"][0].get("api_key").is_none(), "{left}");
        let all = sandbox.json(&["admin", "keys", "list", "acme", "--include-revoked"]);
        assert_eq!(all["keys"][1]["status"], "revoked", "{all}");

        let service = sandbox.serve(&[]);
        let activity = "/api/brands/acme/mcp-activity?kind=revoked";
        let activity = service.api(&sandbox.token("ada")).get(activity).await.expect_status(200).json();
        assert_eq!(activity["events"].as_array().map(Vec::len), Some(1), "one event: {activity}");
    }
}

#[test]
fn unknown_plan_brand_or_key_is_reported() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let website = ["--website", "https://acme.example"];
    let brand = ["admin", "brand", "set", "acme", "--name", "Acme", "--plan", "nope"];
    for (arguments, what) in [
        ([brand.as_slice(), &website].concat(), "there is no plan nope"),
        (vec!["admin", "member", "set", "nope", "ada", "--role", "admin"], "there is no brand nope"),
        (vec!["admin", "plan", "show", "nope"], "there is no plan nope"),
        (vec!["admin", "keys", "list", "nope"], "there is no brand nope"),
        (vec!["admin", "keys", "revoke", "acme", "nope"], "acme has no key nope"),
        (vec!["admin", "keys", "revoke", "nope", "nope"], "nope"),
    ] {
        let message = sandbox.expect_failure(&arguments);
        assert!(message.contains(what), "{arguments:?}: {message}");
        assert!(message.contains("`svc-mcp admin "), "the message has no advice: {message}");
    }
}

/// A mistyped brand must not look like a removed member.
#[test]
fn removing_a_member_of_an_unknown_brand_fails() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let message = sandbox.expect_failure(&["admin", "member", "remove", "nope", "ada"]);
    assert!(message.contains("there is no brand nope"), "{message}");
}

#[test]
fn invalid_value_is_reported_with_its_flag() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let brand = ["admin", "brand", "set", "acme", "--plan", "business"];
    for (more, flag) in [
        (["--name", " ", "--website", "https://acme.example"], "--name"),
        (["--name", "Acme", "--website", "acme.example"], "--website"),
        (["--name", "Acme", "--website", "ftp://acme.example"], "--website"),
    ] {
        let message = sandbox.expect_failure(&[brand.as_slice(), &more].concat());
        assert!(message.contains(flag), "{more:?}: {message}");
    }
    let named = ["--name", "Acme", "--website", "https://acme.example"];
    for wrong in [["--language", "German"], ["--time-zone", "Berlin"]] {
        let message = sandbox.expect_failure(&[brand.as_slice(), &named, &wrong].concat());
        assert!(message.contains(wrong[0]), "{wrong:?}: {message}");
    }
    let member = ["admin", "member", "set", "acme", "ada", "--role", "admin", "--email", "nobody"];
    assert!(sandbox.expect_failure(&member).contains("--email"));
    let name = "n".repeat(101);
    assert!(
        sandbox
            .expect_failure(&["admin", "plan", "set", "p", "--name", &name, "--mcp", "on"])
            .contains("--name")
    );

    for (arguments, what) in [
        (["admin", "plan", "set", "a b", "--name", "B", "--mcp", "on"].as_slice(), "<PLAN>"),
        (&["admin", "plan", "set", "p", "--name", "B", "--mcp", "maybe"], "--mcp"),
        (&["admin", "plan", "set", "p", "--mcp", "on"], "--name"),
        (&["admin", "plan", "set", "p", "--name", "B", "--mcp", "on", "--quota", "keys"], "NAME=NUMBER"),
        (&["admin", "plan", "set", "p", "--name", "B", "--mcp", "on", "--quota", "keys=-1"], "0 to 1000000"),
        (&["admin", "plan", "set", "p", "--name", "B", "--mcp", "on", "--quota", "x=1"], "open_long_jobs"),
        (&["admin", "member", "set", "acme", "a b", "--role", "admin"], "<USER>"),
        (&["admin", "member", "set", "acme", "ada", "--role", "boss"], "--role"),
        (&["admin", "keys", "list", "a b"], "[BRAND]"),
        (&["admin", "keys", "list", "--status", "gone"], "active, paused"),
        (&["admin", "jobs", "list", "--kind", "mail"], "report_email"),
        (&["admin", "brands", "list", "--limit", "0"], "--limit"),
        (&["admin", "keys", "revoke", "acme", "a b"], "<KEY>"),
    ] {
        let message = sandbox.expect_usage_error(arguments);
        assert!(message.contains(what), "{arguments:?}: {message}");
    }
}

/// A wrong data directory must not look like an empty installation.
#[test]
fn missing_database_is_reported_and_not_created() {
    let sandbox = Sandbox::sqlite();
    let plan = ["admin", "plan", "set", "business", "--name", "Business", "--mcp", "on"];
    for arguments in [
        plan.as_slice(),
        &["admin", "member", "remove", "acme", "ada"],
        &["admin", "keys", "list", "acme"],
        &["admin", "keys", "revoke", "acme", "key"],
        &["admin", "reveal-keys", "rewrap"],
    ] {
        let message = sandbox.expect_failure(arguments);
        for part in ["there is no database", "svc-mcp.db", "SVC_DATA_DIR", "--init"] {
            assert!(message.contains(part), "{arguments:?}: no {part} in {message}");
        }
        assert!(!sandbox.data_dir().exists(), "{arguments:?} created the data directory");
    }
    sandbox.run_ok(&[plan.as_slice(), &["--init"]].concat());
    sandbox.run_ok(&plan);
}

#[test]
fn migrate_can_be_repeated() {
    for sandbox in [Sandbox::sqlite(), Sandbox::postgres()] {
        assert_eq!(sandbox.run_ok(&["migrate"]), "The database's tables are up to date.");
        sandbox.add_brand("acme", "ada");
        assert_eq!(sandbox.json(&["migrate"]), json!({"migrated": true}));
        assert_eq!(
            sandbox.run_ok(&["admin", "keys", "list", "acme"]),
            "acme has no keys.",
            "the data is kept"
        );
    }
}

/// Several instances may start at the same time on an empty database.
#[test]
fn concurrent_migrations_succeed() {
    for sandbox in [Sandbox::sqlite(), Sandbox::sqlite(), Sandbox::sqlite(), Sandbox::postgres()] {
        let started: Vec<_> = (0..8)
            .map(|_| {
                let mut command = sandbox.command(&["migrate"]);
                command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
                command.spawn().expect("the binary starts")
            })
            .collect();
        for child in started {
            let output = child.wait_with_output().expect("the command ends");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
