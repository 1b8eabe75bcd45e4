//! `svc-mcp admin audit` and `svc-mcp admin activity`.

use std::fs;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

use crate::support::Sandbox;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn column(records: &[Value], name: &str) -> Vec<String> {
    records.iter().map(|record| record[name].as_str().unwrap_or_default().to_owned()).collect()
}

/// Runs statements like somebody who owns the database.
async fn execute(sandbox: &Sandbox, url: &str, statements: &str) {
    let statements = AssertSqlSafe(statements.to_owned());
    if url.is_empty() {
        let file = sandbox.data_dir().join("svc-mcp.db");
        let url = format!("sqlite://{}", file.display());
        let mut connection = SqliteConnection::connect(&url).await.expect("the database opens");
        sqlx::raw_sql(statements).execute(&mut connection).await.expect("the statements run");
    } else {
        let mut connection = PgConnection::connect(url).await.expect("PostgreSQL answers");
        sqlx::raw_sql(statements).execute(&mut connection).await.expect("the statements run");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_are_recorded_listed_exported_and_verified() {
    for sandbox in [Sandbox::sqlite(), Sandbox::postgres()] {
        sandbox.add_brand("acme", "ada");
        let service = sandbox.serve(&[]);
        let key = service.api(&sandbox.token("ada")).key("acme", "write").await;
        service.stop();
        sandbox.run_ok(&["admin", "keys", "revoke", "acme", &key.key_id]);
        sandbox.run_ok(&["admin", "brands", "suspend", "acme", "--reason", "a private reason"]);
        sandbox.run_ok(&["admin", "brands", "export", "acme"]);
        sandbox.run_ok(&["admin", "members", "remove", "acme", "ada"]);
        sandbox.run_ok(&["admin", "users", "list"]);

        let list = sandbox.json(&["admin", "audit", "list"]);
        let listed = list["records"].as_array().expect("records").clone();
        let expected = [
            "plan.put",
            "brand.put",
            "member.put",
            "key.create",
            "key.revoke",
            "brand.suspend",
            "brand.export",
            "member.remove",
        ];
        assert_eq!(column(&listed, "action"), expected);
        let actors = column(&listed, "actor");
        assert_eq!((&*actors[0], &*actors[3]), ("svc-mcp-admin", "ada"));
        assert_eq!(listed[0]["role"], "command_line");
        assert_eq!((&listed[0]["address"], &listed[0]["request_id"]), (&Value::Null, &Value::Null));
        assert_eq!(listed[3]["address"], "127.0.0.1");
        let filtered = sandbox.json(&["admin", "audit", "list", "--action", "key.revoke", "--brand", "acme"]);
        assert_eq!(filtered["records"], json!([listed[4]]));
        let table = sandbox.run_ok(&["admin", "audit", "list", "--actor", "ada"]);
        assert!(table.starts_with("NUMBER") && table.contains("key.create"), "{table}");

        let export = sandbox.run_ok(&["admin", "audit", "export"]);
        assert_eq!(lines(&export), listed);
        assert!(!export.contains("a private reason") && !export.contains(&key.secret), "{export}");
        let since = listed[4]["at"].as_str().expect("a time");
        let rest = sandbox.run_ok(&["admin", "audit", "export", "--since", since]);
        assert_eq!(lines(&rest), listed[4..]);
        assert_eq!(sandbox.run_ok(&["admin", "audit", "export", "--since", "2100-01-01T00:00:00Z"]), "");

        let verified = sandbox.json(&["admin", "audit", "verify"]);
        assert_eq!(verified, json!({"valid": true, "records": 8, "hash": listed[7]["hash"]}));
        let text = sandbox.run_ok(&["admin", "audit", "verify"]);
        assert!(
            text.contains("8 records") && text.contains(listed[7]["hash"].as_str().expect("a hash")),
            "{text}"
        );

        let activity = lines(&sandbox.run_ok(&["admin", "activity", "export"]));
        assert_eq!(column(&activity, "kind"), ["created", "revoked"]);
        assert_eq!(column(&activity, "brand_id"), ["acme", "acme"]);
        let since = activity[1]["at"].as_str().expect("a time");
        let rest = lines(&sandbox.run_ok(&["admin", "activity", "export", "--since", since]));
        assert_eq!(rest, activity[1..]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_and_shortened_log_is_found() {
    for (mut sandbox, is_sqlite) in [(Sandbox::sqlite(), true), (Sandbox::postgres(), false)] {
        let url =
            if is_sqlite { String::new() } else { svc_mcp_testkit::Postgres::shared().fresh_database() };
        if !is_sqlite {
            sandbox.set("SVC_DATABASE_URL", &url);
        }
        sandbox.add_brand("acme", "ada");
        let export = sandbox.run_ok(&["admin", "audit", "export"]);
        let file = sandbox.path("audit.ndjson");
        fs::write(&file, &export).expect("the file is written");
        let file = file.to_str().expect("a path").to_owned();
        let records = lines(&export);
        let hash = |number: usize| records[number - 1]["hash"].as_str().expect("a hash").to_owned();
        let by_file = ["admin", "audit", "verify", "--export", &file];
        let last = hash(3);
        let by_hash = ["admin", "audit", "verify", "--head", &last];
        // The log may grow.
        sandbox.run_ok(&["admin", "plans", "set", "pro", "--name", "Pro", "--mcp", "on"]);
        for command in [&by_file, &by_hash] {
            assert!(sandbox.run_ok(command).contains("4 records"), "{command:?}");
        }

        let triggers = if is_sqlite {
            "DROP TRIGGER audit_log_no_update; DROP TRIGGER audit_log_no_delete;"
        } else {
            "ALTER TABLE audit_log DISABLE TRIGGER ALL;"
        };
        let head = format!("UPDATE audit_log_head SET sequence = 2, hash = '{}'", hash(2));
        execute(&sandbox, &url, &format!("{triggers} DELETE FROM audit_log WHERE sequence > 2; {head}"))
            .await;
        assert!(sandbox.run_ok(&["admin", "audit", "verify"]).contains("2 records"), "it looks whole");
        assert!(sandbox.expect_failure(&by_file).contains("record 3 is missing"));
        assert!(sandbox.expect_failure(&by_hash).contains("no record up to 2"));

        execute(&sandbox, &url, "UPDATE audit_log SET actor = 'eve' WHERE sequence = 1").await;
        let broken = sandbox.expect_failure(&["admin", "audit", "verify"]);
        assert!(broken.contains("the audit log is broken: record 1 was changed"), "{broken}");
        let printed = sandbox.run(&["admin", "audit", "verify", "--json"]);
        let printed_json: Value = serde_json::from_str(&printed.stdout).expect("JSON");
        assert_eq!((printed.code, &printed_json["record"]), (Some(1), &json!(1)), "{printed:?}");
    }
}

#[test]
fn wrong_hashes_and_files_are_refused() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let wrong = sandbox.expect_usage_error(&["admin", "audit", "verify", "--head", "abc"]);
    assert!(wrong.contains("64 hexadecimal digits"), "{wrong}");
    sandbox.expect_usage_error(&["admin", "audit", "list", "--action", "key.steal"]);
    sandbox.expect_usage_error(&["admin", "audit", "export", "--since", "yesterday"]);
    let file = sandbox.path("audit.ndjson");
    let path = file.to_str().expect("a path").to_owned();
    let verify = ["admin", "audit", "verify", "--export", &path];
    assert!(sandbox.expect_failure(&verify).contains("cannot open"));
    fs::write(&file, "").expect("the file is written");
    assert!(sandbox.expect_failure(&verify).contains("has no records"));
    let export = sandbox.run_ok(&["admin", "audit", "export"]);
    fs::write(&file, export.replace("member.put", "member.remove")).expect("the file is written");
    assert!(sandbox.expect_failure(&verify).contains("was changed"));
}
