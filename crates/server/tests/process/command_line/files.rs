//! Nobody but the owner can read the files of the service, and it leaves no core dumps.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use serde_json::json;

use crate::support::{Sandbox, Service, eventually};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("the file exists").permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("the mode is set");
}

/// The files below a directory, and the directories.
fn list(dir: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut files, mut dirs) = (Vec::new(), vec![dir.to_owned()]);
    for entry in fs::read_dir(dir).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            let (more_files, more_dirs) = list(&path);
            files.extend(more_files);
            dirs.extend(more_dirs);
        } else {
            files.push(path);
        }
    }
    (files, dirs)
}

fn assert_files_are_private(sandbox: &Sandbox, expected: &[&str]) {
    let (files, _) = list(&sandbox.data_dir());
    for file in &files {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    for name in expected {
        assert!(files.iter().any(|file| file.ends_with(name)), "{name} is not in {files:?}");
    }
}

/// Orders a confirmation mail, which the demo writes into a file, and returns the file.
async fn mail_file(sandbox: &Sandbox, service: &Service, recipient: &str) -> PathBuf {
    let demo = service.printed_json().expect("one line of JSON");
    let api = service.api(demo["token"].as_str().expect("a token"));
    let path = format!("/api/brands/{}/report-recipients", demo["brand_id"].as_str().expect("an id"));
    api.put(&path, &json!({"recipients": [recipient]})).await.expect_status(200);
    let mails = sandbox.data_dir().join("mail");
    eventually("the mail", async || {
        let files = fs::read_dir(&mails).ok()?.flatten().map(|entry| entry.path());
        let mut mails = files.filter(|path| path.extension().is_some_and(|extension| extension == "eml"));
        mails.find(|path| fs::read_to_string(path).is_ok_and(|text| text.contains(recipient)))
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_private_whatever_the_umask_is() {
    for umask in ["000", "022", "077"] {
        let sandbox = Sandbox::sqlite();
        let service = sandbox.demo_with_umask(umask);
        mail_file(&sandbox, &service, "mia@acme.example").await;
        let running = ["jwt.secret", "svc-mcp.db", "svc-mcp.db-wal", "svc-mcp.db-shm", "svc-mcp.db.lock"];
        assert_files_are_private(&sandbox, &running);
        for dir in list(&sandbox.data_dir()).1 {
            assert_eq!(mode(&dir), 0o700, "{}", dir.display());
        }
        service.stop();
        assert_files_are_private(&sandbox, &["jwt.secret", "svc-mcp.db", "svc-mcp.db.lock"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_an_older_version_are_made_private() {
    let sandbox = Sandbox::sqlite();
    let service = sandbox.demo(&[]);
    mail_file(&sandbox, &service, "mia@acme.example").await;
    // The files beside the database stay.
    service.kill();
    let files = list(&sandbox.data_dir()).0;
    for file in &files {
        set_mode(file, 0o644);
    }
    set_mode(&sandbox.data_dir(), 0o755);
    let service = sandbox.demo(&[]);
    assert_files_are_private(&sandbox, &["jwt.secret", "reveal.keys", "svc-mcp.db", "svc-mcp.db-wal"]);
    assert_eq!(mode(&sandbox.data_dir()), 0o755, "the directory belongs to the operator");
    mail_file(&sandbox, &service, "noa@acme.example").await;
    service.stop();
    assert_files_are_private(&sandbox, &[]);
}

#[test]
fn core_dumps_are_off() {
    let service = Sandbox::sqlite().serve(&[]);
    let limits = fs::read_to_string(format!("/proc/{}/limits", service.process())).expect("the limits");
    let line = limits.lines().find(|line| line.starts_with("Max core file size")).expect("the limit");
    let values: Vec<&str> = line.split_whitespace().skip(4).take(2).collect();
    assert_eq!(values, ["0", "0"], "{line}");
}
