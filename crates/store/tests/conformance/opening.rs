//! Opening a database: concurrently, again, and with an error.

use svc_mcp_access::Secret;
use svc_mcp_store::{Location, Store};

use crate::{
    make::{self, acme},
    world::{World, at_once},
};

on_both_engines! {
    several_processes_open_an_empty_database_concurrently,
    data_is_there_after_reopening,
    open_error_does_not_show_the_password,
    older_version_opens_a_newer_database,
}

async fn several_processes_open_an_empty_database_concurrently(world: &World) {
    let location = world.empty_database().await;
    let opening = (0..6).map(|_| {
        let location = location.clone();
        async move { Store::open(&location, None).await.expect("it opens") }
    });
    let stores = at_once(opening).await;
    stores[0].put_plan(&make::plan("pro", true)).await.expect("the store answers");
    for store in &stores {
        assert_eq!(store.notice_changes().await, Ok(()));
        assert_eq!(store.plan(&"pro".parse().expect("an id")).await, Ok(Some(make::plan("pro", true))));
    }
}

async fn data_is_there_after_reopening(world: &World) {
    let new = world.key("acme").await;
    world.store.close().await;
    assert!(world.store.key(&acme(), &new.key.key_id).await.is_err());
    let again = world.another_process().await;
    assert_eq!(again.key(&acme(), &new.key.key_id).await, Ok(Some(new.key)));
}

/// During a rolling upgrade an old instance may restart after the new version has migrated.
async fn older_version_opens_a_newer_database(world: &World) {
    let checksum = world.raw.bytes(b"of a newer version");
    for sql in [
        format!(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (9999, 'of a newer version', TRUE, {checksum}, 0)"
        ),
        "CREATE TABLE of_a_newer_version (id TEXT PRIMARY KEY)".to_owned(),
        "ALTER TABLE keys ADD COLUMN of_a_newer_version TEXT".to_owned(),
        "ALTER TABLE members ADD COLUMN of_a_newer_version BIGINT NOT NULL DEFAULT 1".to_owned(),
    ] {
        world.raw.execute(&sql).await;
    }
    let older = world.another_process().await;
    let new = world.key("acme").await;
    assert_eq!(older.key(&acme(), &new.key.key_id).await, Ok(Some(new.key)));
    older.put_member(&make::member("acme", "eve", "member")).await.expect("the store answers");
}

async fn open_error_does_not_show_the_password(world: &World) {
    let location = match world.empty_database().await {
        Location::Sqlite { file } => {
            Location::Sqlite { file: file.join("below-a-file-that-is-not-there.db") }
        }
        Location::Postgres { url, connections } => {
            // The password must not appear in the error.
            let url = url.expose().replace("postgres@", "postgres:hunter2@").replace("/test_", "/none_");
            Location::Postgres { url: Secret::new(url), connections }
        }
    };
    let error = Store::open(&location, None).await.expect_err("there is none");
    assert!(!format!("{error} {error:?} {location:?}").contains("hunter2"), "{error:?}");
}

/// The statements of a migration in upper case. The bodies of triggers and functions belong to their statement.
fn statements(sql: &str) -> Vec<String> {
    let lines = sql.lines().filter(|line| !line.trim_start().starts_with("--"));
    let text = lines.collect::<Vec<_>>().join(" ").to_uppercase();
    let (mut statements, mut open) = (Vec::new(), String::new());
    for piece in text.split(';') {
        open.push_str(piece);
        let (is_trigger, quotes) = (open.contains(" BEGIN "), open.matches("$$").count());
        let is_whole = if quotes > 0 { quotes % 2 == 0 } else { !is_trigger || open.ends_with("END") };
        if is_whole {
            statements.push(std::mem::take(&mut open).trim().to_owned());
        }
    }
    assert_eq!(open, "", "a statement has no end");
    statements.retain(|statement| !statement.is_empty());
    statements
}

/// During an upgrade, old and new versions use the same tables, so a migration only adds. A migration that removes
/// something that the previous release does not use starts with `-- contract`.
#[test]
fn migrations_only_add() {
    let mut read = 0;
    for engine in ["sqlite", "postgres"] {
        let folder = format!("{}/migrations/{engine}", env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(folder).expect("the folder is there") {
            let path = file.expect("a file").path();
            let sql = std::fs::read_to_string(&path).expect("a text");
            read += 1;
            if sql.starts_with("-- contract") {
                continue;
            }
            let statements = statements(&sql);
            for statement in &statements {
                let adds = [
                    "CREATE TABLE",
                    "CREATE INDEX",
                    "CREATE UNIQUE INDEX",
                    "CREATE SEQUENCE",
                    "INSERT INTO",
                    "CREATE FUNCTION",
                ];
                let column = statement.starts_with("ALTER TABLE")
                    && statement.contains(" ADD COLUMN ")
                    && (!statement.contains("NOT NULL") || statement.contains("DEFAULT"));
                // An older version does not use a table that this migration adds.
                let trigger = statement.starts_with("CREATE TRIGGER")
                    && statements.iter().any(|other| {
                        let table =
                            other.strip_prefix("CREATE TABLE ").and_then(|rest| rest.split(' ').next());
                        table.is_some_and(|table| statement.contains(&format!(" ON {table} ")))
                    });
                let adds = adds.iter().any(|begin| statement.starts_with(begin)) || column || trigger;
                assert!(
                    adds,
                    "{} takes something away from a running older version: {statement}",
                    path.display()
                );
            }
        }
    }
    assert!(read >= 4, "the migrations were not found");
}
