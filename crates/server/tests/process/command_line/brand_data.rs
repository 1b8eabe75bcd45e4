//! `svc-mcp admin brands export`, `import` and `erase`.

use std::fs;

use serde_json::json;

use crate::support::Sandbox;

const PLAN: &[&str] = &["admin", "plans", "set", "business", "--name", "Business", "--mcp", "on", "--init"];

/// A brand moves from one service to another, also to the other engine, and its key works there.
#[tokio::test(flavor = "multi_thread")]
async fn exported_brand_is_restored_in_an_empty_service() {
    let sandboxes = [(Sandbox::sqlite(), Sandbox::postgres()), (Sandbox::postgres(), Sandbox::sqlite())];
    for (source, target) in sandboxes {
        source.add_brand("acme", "ada");
        let service = source.serve(&[]);
        let admin = service.api(&source.token("ada"));
        let key = admin.key("acme", "write").await;
        let agent = admin.with_bearer(&key.secret);
        let post = json!({"text": "Hello", "channels": ["feed"], "mode": "draft"});
        let post = agent.call("create_post", &post).await.tool_result();
        service.stop();
        let export = source.run_ok(&["admin", "brands", "export", "acme"]);
        assert!(!export.contains(&key.secret));
        let file = target.path("acme.ndjson");
        fs::write(&file, &export).expect("the file is written");
        let import = ["admin", "brands", "import", file.to_str().expect("a path")];
        target.run_ok(PLAN);
        assert!(target.run_ok(&import).contains("Brand acme is imported"));
        assert_eq!(rows(&target.run_ok(&["admin", "brands", "export", "acme"])), rows(&export));
        let again = target.run(&import);
        assert_eq!(again.code, Some(1), "{again:?}");
        assert!(again.stderr.contains("exists already"), "{again:?}");

        let service = target.serve(&[]);
        let agent = service.api(&key.secret);
        let found = agent.call("get_post", &json!({"post_id": post["post"]["post_id"]})).await.tool_result();
        assert_eq!(found["text"], "Hello");
        service.stop();
    }
}

/// The lines without the header, and without the numbers of keys, which are new.
fn rows(export: &str) -> Vec<String> {
    let without_number = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        if line["table"] == "keys" {
            line["row"].as_object_mut().expect("an object").remove("number");
        }
        line.to_string()
    };
    let mut rows: Vec<String> = export.lines().skip(1).map(without_number).collect();
    // Engines sort texts in different orders.
    rows.sort_unstable();
    rows
}

#[test]
fn incomplete_or_changed_export_changes_nothing() {
    let source = Sandbox::sqlite();
    source.add_brand("acme", "ada");
    let export = source.run_ok(&["admin", "brands", "export", "acme"]);
    let lines: Vec<&str> = export.lines().collect();
    let without_end = lines[..lines.len() - 1].join("\n");
    let without_row = [lines[0], lines[lines.len() - 1]].join("\n");
    let target = Sandbox::sqlite();
    target.run_ok(PLAN);
    for (file, message) in [
        (without_end, "incomplete"),
        (without_row, "rows"),
        (export.replace("svc-mcp brand", "something else"), "not an export"),
        (export.replace("\"table\":\"members\"", "\"table\":\"plans\""), "not a row of this brand"),
        ("hello".to_owned(), "not an export"),
        (String::new(), "not an export"),
    ] {
        let failed = target.run_with_input(&["admin", "brands", "import", "-"], &file);
        assert_eq!(failed.code, Some(1), "{failed:?}");
        assert!(failed.stderr.contains(message), "{message}: {failed:?}");
    }
}

#[test]
fn erasure_needs_the_id_twice() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let refused = sandbox.run(&["admin", "brands", "erase", "acme", "--confirm", "acne"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("cannot be undone"), "{refused:?}");
    sandbox.run_ok(&["admin", "brands", "export", "acme"]);
    assert!(
        sandbox.run_ok(&["admin", "brands", "erase", "acme", "--confirm", "acme"]).contains("Receipt: era_")
    );
    let gone = sandbox.run(&["admin", "brands", "export", "acme"]);
    assert_eq!(gone.code, Some(1), "{gone:?}");
}

#[test]
fn erasure_of_a_user_needs_the_id_twice() {
    for sandbox in [Sandbox::sqlite(), Sandbox::postgres()] {
        sandbox.add_brand("acme", "ada");
        let refused = sandbox.run(&["admin", "users", "erase", "ada", "--confirm", "adam"]);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("cannot be undone"), "{refused:?}");
        assert!(sandbox.run_ok(&["admin", "members", "list", "acme"]).contains("ada"));
        let receipt = sandbox.json(&["admin", "users", "erase", "ada", "--confirm", "ada"]);
        assert_eq!((&receipt["kind"], &receipt["status"]), (&json!("user"), &json!("erasing")));
        assert!(
            receipt["subject"].as_str().is_some_and(|subject| subject.starts_with("erased_")),
            "{receipt}"
        );
        assert!(!sandbox.run_ok(&["admin", "members", "list", "acme"]).contains("ada"));
    }
}
