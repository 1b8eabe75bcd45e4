//! Backup and restore of a SQLite database.

use std::{
    fs::{self, File},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection};
use svc_mcp_access::{
    Secret, Timestamp,
    session::{SessionToken, SignInGrant},
};
use svc_mcp_store::{
    ActorRole, AuditSearch, BackupError, ChangedBy, DatabaseLock, HoldCause, JobHold, Location, Manifest,
    NamedSecret, NewBackup, NewRestore, NewSession, Restored, Store, create_backup, restore_backup,
};
use svc_mcp_testkit::seeded;
use tempfile::TempDir;

use crate::make::{self, NOW, acme, after, id};

/// A data directory with a database that is open, and generated secrets.
struct Installation {
    dir: TempDir,
    store: Store,
}

impl Installation {
    async fn new() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        fs::create_dir(dir.path().join("data")).expect("a directory");
        let store = open(&dir.path().join("data")).await;
        store.put_plan(&make::plan("pro", true)).await.expect("a plan");
        store.put_brand(&make::brand("acme", "pro")).await.expect("a brand");
        for (name, text) in [("jwt.secret", "the jwt secret"), ("reveal.keys", "the reveal keys")] {
            fs::write(dir.path().join("data").join(name), text).expect("a file");
        }
        Self { dir, store }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn new_backup(&self, target: &str) -> NewBackup {
        let secrets = [("jwt.secret", "the jwt secret"), ("reveal.keys", "the reveal keys")];
        let secrets = secrets
            .map(|(name, value)| NamedSecret { name: name.to_owned(), value: Secret::new(value.to_owned()) });
        NewBackup {
            database: self.path("data/svc-mcp.db"),
            target: self.path(target),
            secrets: secrets.to_vec(),
            at: after(1),
            version: "1.2.3".into(),
        }
    }

    async fn back_up(&self, target: &str) -> Manifest {
        create_backup(self.new_backup(target)).await.expect("it is backed up")
    }

    /// Restores into another data directory.
    async fn restore(&self, backup: &str, data: &str, replace: bool) -> Result<Restored, BackupError> {
        let new = NewRestore {
            backup: self.path(backup),
            database: self.path(data).join("svc-mcp.db"),
            data_dir: self.path(data),
            replace,
            by: ChangedBy {
                actor: id("svc-mcp-admin"),
                role: ActorRole::CommandLine,
                at: after(2),
                change_id: "chg_restore".into(),
                address: None,
                request_id: None,
            },
            at: after(2),
        };
        restore_backup(new).await
    }

    /// Restores a backup that must be refused, and returns the message.
    async fn refusal(&self, backup: &str, data: &str) -> String {
        self.restore(backup, data, false).await.expect_err("it is refused").to_string()
    }
}

async fn open(data: &Path) -> Store {
    let location = Location::Sqlite { file: data.join("svc-mcp.db") };
    Store::open(&location, None).await.expect("the store opens")
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

fn change_manifest(backup: &Path, change: impl FnOnce(&mut Value)) {
    let path = backup.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    change(&mut manifest);
    fs::write(path, manifest.to_string()).expect("it is written");
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_of_a_database_in_use_is_restored_with_held_jobs() {
    let test = Installation::new().await;
    // A person may sign out after the backup, so no session of it works after the restore.
    let digest = SessionToken::generate(&mut seeded(1)).digest();
    let grant = SignInGrant { user_id: id("ada"), operator: false, ends_at: after(3_600_000) };
    let session = NewSession { digest, at: after(0), replaces: None, replaces_other_user: false };
    test.store.create_session(&grant, &session).await.expect("a session");
    let writer = tokio::spawn({
        let store = test.store.clone();
        async move {
            for number in 0..200 {
                store.put_plan(&make::plan(&format!("plan-{number}"), true)).await.expect("a plan");
            }
        }
    });
    let manifest = test.back_up("backup").await;
    writer.await.expect("it ends");
    assert_eq!((manifest.created_at, manifest.version.as_str()), (after(1), "1.2.3"));
    assert_eq!(names(&test.path("backup")), ["manifest.json", "secrets.json", "svc-mcp.db"]);
    assert_eq!(names(test.dir.path()), ["backup", "data"]);
    assert_eq!(mode(&test.path("backup")), 0o700);
    for name in names(&test.path("backup")) {
        assert_eq!(mode(&test.path("backup").join(&name)), 0o600, "{name}");
    }

    let restored = test.restore("backup", "restored", false).await.expect("it is restored");
    assert_eq!(restored.manifest, manifest);
    assert_eq!(restored.secrets, ["jwt.secret", "reveal.keys"]);
    assert_eq!(names(&test.path("restored")), ["jwt.secret", "reveal.keys", "svc-mcp.db", "svc-mcp.db.lock"]);
    assert_eq!(fs::read_to_string(test.path("restored/jwt.secret")).expect("a file"), "the jwt secret");
    for name in names(&test.path("restored")) {
        assert_eq!(mode(&test.path("restored").join(&name)), 0o600, "{name}");
    }
    let store = open(&test.path("restored")).await;
    let hold = JobHold { since: after(2), cause: HoldCause::Restore { backup_at: after(1) } };
    assert_eq!(store.job_hold().await, Ok(Some(hold)));
    assert!(store.brand(&acme()).await.expect("the store answers").is_some());
    assert_eq!(store.session(&digest, after(2)).await, Ok(None));
    let search = AuditSearch { limit: 10, ..AuditSearch::default() };
    let records = store.search_audit_log(&search).await.expect("the store answers").items;
    assert_eq!(records.last().map(|record| record.action.as_str()), Some("jobs.hold"));
    let mut raw =
        SqliteConnection::connect(&format!("sqlite:{}", test.path("restored/svc-mcp.db").display()))
            .await
            .expect("it opens");
    let plans: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM plans").fetch_one(&mut raw).await.expect("a number");
    assert_eq!(plans, manifest.tables["plans"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_in_a_backup_only_if_they_are_asked_for() {
    let test = Installation::new().await;
    let new = NewBackup { secrets: Vec::new(), ..test.new_backup("backup") };
    create_backup(new).await.expect("it is backed up");
    assert_eq!(names(&test.path("backup")), ["manifest.json", "svc-mcp.db"]);
    // Secrets that the operator has put there stay.
    fs::create_dir(test.path("restored")).expect("a directory");
    fs::write(test.path("restored/reveal.keys"), "of the operator").expect("a file");
    let restored = test.restore("backup", "restored", false).await.expect("it is restored");
    assert_eq!(restored.secrets, [""; 0]);
    assert_eq!(fs::read_to_string(test.path("restored/reveal.keys")).expect("a file"), "of the operator");
    assert!(!test.path("restored/jwt.secret").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_needs_an_empty_place_and_a_database() {
    let test = Installation::new().await;
    fs::create_dir(test.path("used")).expect("a directory");
    fs::write(test.path("used/photo.jpg"), "mine").expect("a file");
    fs::write(test.path("file"), "mine").expect("a file");
    fs::create_dir(test.path("empty")).expect("a directory");
    for (target, part) in [
        ("used", "not an empty directory"),
        ("file", "not an empty directory"),
        ("none/backup", "does not exist"),
        ("data", "not an empty directory"),
    ] {
        let error = create_backup(test.new_backup(target)).await.expect_err("it is refused").to_string();
        assert!(error.contains(part), "{target}: {error}");
    }
    let none = NewBackup { database: test.path("none.db"), ..test.new_backup("backup") };
    let error = create_backup(none).await.expect_err("it is refused").to_string();
    assert!(error.contains("there is no database"), "{error}");
    fs::write(test.path("other.db"), "").expect("a file");
    let other = NewBackup { database: test.path("other.db"), ..test.new_backup("backup") };
    let error = create_backup(other).await.expect_err("it is refused").to_string();
    assert!(error.contains("not a database of svc-mcp"), "{error}");
    assert_eq!(names(test.dir.path()), ["data", "empty", "file", "other.db", "used"], "nothing is left");
    test.back_up("empty").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_backup_left_is_replaced_and_a_running_one_is_not() {
    let test = Installation::new().await;
    let partial = test.path("backup.partial");
    fs::create_dir(&partial).expect("a directory");
    fs::write(partial.join("svc-mcp.db"), "half").expect("a file");
    let running = File::open(&partial).expect("a directory");
    running.lock().expect("a lock");
    let error = create_backup(test.new_backup("backup")).await.expect_err("it is refused").to_string();
    assert!(error.contains("is being written"), "{error}");
    assert_eq!(names(&partial), ["svc-mcp.db"]);
    drop(running);
    test.back_up("backup").await;
    assert!(!partial.exists());
    // A file that is no part of a backup is never deleted.
    fs::create_dir(test.path("other.partial")).expect("a directory");
    fs::write(test.path("other.partial/photo.jpg"), "mine").expect("a file");
    create_backup(test.new_backup("other")).await.expect_err("it is refused");
    assert_eq!(names(&test.path("other.partial")), ["photo.jpg"]);
}

type Damage = fn(&Path);

#[tokio::test(flavor = "multi_thread")]
async fn damaged_backup_is_refused_before_anything_is_touched() {
    let test = Installation::new().await;
    let damages: [(&str, Damage); 9] = [
        ("no manifest.json", |dir| fs::remove_file(dir.join("manifest.json")).expect("a file")),
        ("manifest.json: ", |dir| fs::write(dir.join("manifest.json"), "{\"format\": 1").expect("a file")),
        ("has the format 2", |dir| change_manifest(dir, |manifest| manifest["format"] = json!(2))),
        ("names other files", |dir| {
            change_manifest(dir, |manifest| {
                let entry = manifest["files"]["svc-mcp.db"].clone();
                manifest["files"]["../svc-mcp.db"] = entry;
            });
        }),
        ("other tables or rows", |dir| {
            change_manifest(dir, |manifest| manifest["tables"]["plans"] = json!(7));
        }),
        ("other secrets", |dir| change_manifest(dir, |manifest| manifest["secrets"] = json!(["jwt.secret"]))),
        ("svc-mcp.db has another size or checksum", |dir| {
            let path = dir.join("svc-mcp.db");
            let mut bytes = fs::read(&path).expect("a file");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(path, bytes).expect("a file");
        }),
        ("secrets.json has another size or checksum", |dir| {
            fs::write(dir.join("secrets.json"), "{}").expect("a file");
        }),
        ("svc-mcp.db is missing", |dir| fs::remove_file(dir.join("svc-mcp.db")).expect("a file")),
    ];
    for (number, (part, damage)) in damages.into_iter().enumerate() {
        let backup = format!("backup-{number}");
        test.back_up(&backup).await;
        damage(&test.path(&backup));
        let error = test.refusal(&backup, "restored").await;
        assert!(error.contains(part), "{part}: {error}");
        assert!(!test.path("restored").exists(), "{part}");
    }
    let error = test.refusal("no-backup", "restored").await;
    assert!(error.contains("not a complete backup"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_database_gives_no_backup() {
    let test = Installation::new().await;
    test.store.close().await;
    let database = test.path("data/svc-mcp.db");
    let mut bytes = fs::read(&database).expect("a file");
    let (from, to) = (bytes.len() / 4, bytes.len() * 3 / 4);
    bytes[from..to].fill(0xa5);
    fs::write(&database, bytes).expect("a file");
    create_backup(test.new_backup("backup")).await.expect_err("it is refused");
    assert_eq!(names(test.dir.path()), ["data"], "nothing is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_is_there_is_replaced_without_consent() {
    let test = Installation::new().await;
    test.back_up("backup").await;
    test.store.put_brand(&make::brand("since-then", "pro")).await.expect("a brand");
    test.store.close().await;
    let error = test.refusal("backup", "data").await;
    assert!(error.contains("already a database") && error.contains("--replace"), "{error}");

    fs::create_dir(test.path("other")).expect("a directory");
    fs::write(test.path("other/reveal.keys"), "other keys").expect("a file");
    let error = test.refusal("backup", "other").await;
    assert!(error.contains("reveal.keys exists and differs") && !error.contains("other keys"), "{error}");
    assert_eq!(names(&test.path("other")), ["reveal.keys", "svc-mcp.db.lock"]);

    let lock = DatabaseLock::acquire(&test.path("data/svc-mcp.db")).expect("the lock is free");
    let error = test.restore("backup", "data", true).await.expect_err("it is in use").to_string();
    assert!(error.contains("already serves the database"), "{error}");
    drop(lock);
    test.restore("backup", "data", true).await.expect("it is restored");
    let store = open(&test.path("data")).await;
    assert_eq!(store.brand(&id("since-then")).await, Ok(None));
    assert!(store.brand(&acme()).await.expect("the store answers").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_of_an_older_version_is_migrated_and_of_a_newer_one_refused() {
    let test = Installation::new().await;
    let url = format!("sqlite:{}", test.path("data/svc-mcp.db").display());
    let mut raw = SqliteConnection::connect(&url).await.expect("it opens");
    for sql in ["DROP TABLE job_hold", "DELETE FROM _sqlx_migrations WHERE version = 31"] {
        sqlx::query(sql).execute(&mut raw).await.expect("it is changed");
    }
    let manifest = test.back_up("old").await;
    assert!(!manifest.tables.contains_key("job_hold"), "a backup does not migrate");
    test.restore("old", "restored", false).await.expect("it is restored");
    let hold = open(&test.path("restored")).await.job_hold().await.expect("the store answers");
    assert_eq!(hold.map(|hold| hold.since), Some(after(2)));

    let sql = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
               VALUES (9999, 'newer', TRUE, X'00', 0)";
    sqlx::query(sql).execute(&mut raw).await.expect("it is changed");
    test.back_up("new").await;
    let error = test.refusal("new", "never").await;
    assert!(error.contains("schema 9999") && error.contains("svc-mcp 1.2.3 or newer"), "{error}");
    assert!(!test.path("never").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn link_to_the_database_stays_and_an_earlier_hold_is_replaced() {
    let test = Installation::new().await;
    let held = JobHold { since: NOW, cause: HoldCause::Operator };
    test.store.hold_jobs(&held).await.expect("the store answers");
    test.back_up("backup").await;
    test.store.close().await;
    fs::create_dir(test.path("linked")).expect("a directory");
    let link = test.path("linked/svc-mcp.db");
    std::os::unix::fs::symlink(test.path("data/svc-mcp.db"), &link).expect("a link");
    test.restore("backup", "linked", true).await.expect("it is restored");
    assert!(link.is_symlink());
    let hold = open(&test.path("linked")).await.job_hold().await.expect("the store answers");
    let backup_at: Timestamp = after(1);
    assert_eq!(hold.map(|hold| hold.cause), Some(HoldCause::Restore { backup_at }));
}
