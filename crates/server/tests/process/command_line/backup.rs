//! Backup and restore of the embedded database. What becomes of posts is in `publish/restore.rs`.

use std::{
    fs,
    path::Path,
    process::{Child, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::support::{Api, Sandbox, TestService, wait_until};

const KILLS: u32 = 8;

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

/// Creates drafts until it is stopped, and counts them.
fn write_drafts(agent: Api) -> (Arc<AtomicBool>, Arc<AtomicU32>, tokio::task::JoinHandle<()>) {
    let (stop, written) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let (stopped, count) = (Arc::clone(&stop), Arc::clone(&written));
    let writing = tokio::spawn(async move {
        while !stopped.load(Ordering::SeqCst) {
            let draft = json!({"text": "during the backup", "channels": ["feed"]});
            let response = agent.call("create_post", &draft).await;
            // A key has 60 requests a minute.
            match response.status {
                200 => count.fetch_add(1, Ordering::SeqCst),
                429 => return,
                other => panic!("{other}: {}", response.text),
            };
        }
    });
    (stop, written, writing)
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_under_load_is_a_whole_service() {
    let test = TestService::start(Sandbox::sqlite(), &[]).await;
    let revoked = test.admin().key("acme", "read").await;
    test.admin().revoke(&revoked).await.expect_status(204);
    let (stop, written, writing) = write_drafts(test.agent());
    wait_until("the first drafts", || written.load(Ordering::SeqCst) >= 3);
    let (before, backup) =
        (written.load(Ordering::SeqCst), test.sandbox.json(&["backup", "backup", "--with-secrets"]));
    let after = written.load(Ordering::SeqCst) + 1;
    stop.store(true, Ordering::SeqCst);
    writing.await.expect("the writer ends");
    assert_eq!(backup["secrets"], json!(["jwt.secret", "reveal.keys"]), "{backup}");
    let manifest = read(&test.sandbox.path("backup/manifest.json"));
    let drafts = manifest["tables"]["posts"].as_u64().expect("a number");
    assert!((u64::from(before)..=u64::from(after)).contains(&drafts), "{drafts} of {before} to {after}");

    // The running service goes on, and cannot be replaced.
    let refused = test.sandbox.expect_failure(&["restore", "backup", "--replace"]);
    assert!(refused.contains("already serves the database") && refused.contains("(pid "), "{refused}");
    test.agent().list_tools().await.expect_status(200);
    test.service.stop();

    fs::remove_dir_all(test.sandbox.data_dir()).expect("the data is lost");
    let restored = test.sandbox.json(&["restore", "backup"]);
    assert_eq!(
        (&restored["rows"], &restored["secrets"]),
        (&backup["rows"], &backup["secrets"]),
        "{restored}"
    );
    let service = test.sandbox.serve(&[]);
    // The token and the key are those from before.
    let admin = service.api(&test.admin_token);
    let agent = service.api(&test.key);
    agent.list_tools().await.expect_status(200);
    service.api(&revoked.secret).list_tools().await.expect_status(401);
    let posts = agent.call("list_posts", &json!({})).await.tool_result();
    assert_eq!(posts["total"], drafts, "{posts}");
    let keys = admin.get("/api/brands/acme/mcp-keys").await.expect_status(200).json();
    let listed = keys["keys"].as_array().expect("a list");
    let key = listed.iter().find(|key| key["scope"] == "write").unwrap_or_else(|| panic!("{keys}"));
    let key_id = key["key_id"].as_str().expect("an id");
    let revealed = admin.reveal("acme", key_id).await.expect_status(200).json();
    assert_eq!(revealed["api_key"], test.key.as_str());
    service.stop();
    let again = test.sandbox.json(&["backup", "again"]);
    assert_eq!(again["secrets"], json!([]));
    assert_eq!(again["secrets_left_out"], json!(["jwt.secret", "reveal.keys"]));
    let text = test.sandbox.run_ok(&["backup", "once-more"]);
    for part in ["complete and checked", "cannot reveal keys", "--with-secrets"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    assert!(!test.sandbox.path("once-more/secrets.json").exists());
}

#[test]
fn backup_and_restore_say_why_they_refuse() {
    let sandbox = Sandbox::sqlite();
    for arguments in [&["backup", "backup"], &["restore", "backup"]] {
        sandbox.expect_failure(arguments);
        assert!(!sandbox.data_dir().exists() && !sandbox.path("backup").exists(), "nothing is created");
    }
    sandbox.add_brand("acme", "ada");
    fs::create_dir(sandbox.path("used")).expect("a directory");
    fs::write(sandbox.path("used/file"), "mine").expect("a file");
    sandbox.run_ok(&["backup", "backup"]);
    for (arguments, part) in [
        (["backup", "used"], "is not an empty directory"),
        (["backup", "backup"], "is not an empty directory"),
        (["backup", "none/backup"], "does not exist"),
        (["restore", "used"], "is not a complete backup"),
        (["restore", "backup"], "already a database"),
    ] {
        let message = sandbox.expect_failure(&arguments);
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
    let sandbox = sandbox.with("SVC_DATABASE_URL", "postgres://user:hunter2@127.0.0.1:1/none");
    for (command, tool) in [("backup", "pg_dump"), ("restore", "pg_restore")] {
        let message = sandbox.expect_failure(&[command, "other"]);
        assert!(message.contains(tool) && message.contains("docs/operations.md"), "{message}");
        assert!(!message.contains("hunter2"), "{message}");
    }
}

/// Starts a command without waiting for it.
fn spawn(sandbox: &Sandbox, arguments: &[&str]) -> Child {
    let mut command = sandbox.command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary starts")
}

/// `kill -9` when the file appears, or a random time later.
fn kill_when_there(mut child: Child, file: &Path, delay: Duration) {
    wait_until("the file or the end", || {
        file.exists() || child.try_wait().expect("the state of the command").is_some()
    });
    thread::sleep(delay);
    let _ = child.kill();
    child.wait().expect("the command has ended");
}

fn brands(sandbox: &Sandbox) -> Vec<String> {
    let list = sandbox.json(&["admin", "brands", "list"]);
    let brands = list["brands"].as_array().expect("a list");
    brands.iter().map(|brand| brand["brand_id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn killed_backup_is_none_and_killed_restore_leaves_the_old_or_the_new_state() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let mut delay = || Duration::from_millis(random.random_range(0..60));
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    sandbox.token("ada");
    let old_secret = fs::read_to_string(sandbox.data_dir().join("jwt.secret")).expect("a file");
    for _ in 0..KILLS {
        let child = spawn(&sandbox, &["backup", "backup", "--with-secrets"]);
        kill_when_there(child, &sandbox.path("backup.partial"), delay());
        if sandbox.path("backup").exists() {
            // It was complete before the kill.
            assert!(sandbox.path("backup/manifest.json").exists());
            fs::remove_dir_all(sandbox.path("backup")).expect("a directory");
        }
    }
    sandbox.run_ok(&["backup", "backup", "--with-secrets"]);
    assert!(!sandbox.path("backup.partial").exists());

    let new_secret = "another secret that is long enough for HS256 tokens";
    let mut restored = 0;
    for _ in 0..KILLS {
        // The state before: a brand and a secret that are not in the backup.
        sandbox.run_ok(&[
            "admin",
            "brands",
            "set",
            "since-then",
            "--name",
            "New",
            "--plan",
            "business",
            "--website",
            "https://new.example",
        ]);
        fs::write(sandbox.data_dir().join("jwt.secret"), new_secret).expect("a file");
        let child = spawn(&sandbox, &["restore", "backup", "--replace"]);
        kill_when_there(child, &sandbox.data_dir().join("svc-mcp.db.restore.partial"), delay());
        // The next process that opens the database completes a restore that was committed.
        let brands = brands(&sandbox);
        let secret = fs::read_to_string(sandbox.data_dir().join("jwt.secret")).expect("a file");
        if brands == ["acme"] {
            assert_eq!(secret, old_secret);
            restored += 1;
        } else {
            assert_eq!(
                (brands.as_slice(), secret.as_str()),
                (&["acme".to_owned(), "since-then".to_owned()][..], new_secret)
            );
        }
        let hold = sandbox.json(&["admin", "jobs", "list"])["hold"].clone();
        assert_eq!(hold.is_null(), restored == 0, "{hold}");
    }
    sandbox.run_ok(&["restore", "backup", "--replace"]);
    assert_eq!(brands(&sandbox), ["acme"]);
    sandbox.serve(&[]).stop();
    let left: Vec<_> = fs::read_dir(sandbox.data_dir()).expect("a directory").flatten().collect();
    let left: Vec<String> =
        left.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert!(!left.iter().any(|name| name.contains("restore") || name.contains(".new")), "{left:?}");
}
