//! `scripts/audit`: it fails if a dependency is bad, and not because a server cannot be reached.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/audit");

/// Replaces cargo: it records its arguments, and a command that contains `$FAILS` fails.
const FAKE_CARGO: &str = r#"#!/bin/sh
echo "cargo $*" >>"$RECORD"
case "$*" in *"$FAILS"*) echo "error: no route to host" >&2; exit 1 ;; esac
"#;

struct Audit {
    succeeded: bool,
    output: String,
    commands: Vec<String>,
}

/// Runs the script with a cargo of which the commands that contain `fails` fail.
fn audit(has_cargo_deny: bool, fails: &str) -> Audit {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("record");
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).expect("a folder");
    write_program(&bin.join("cargo"), FAKE_CARGO);
    if has_cargo_deny {
        write_program(&bin.join("cargo-deny"), "#!/bin/sh\n");
    }
    let run = Command::new("bash")
        .arg(SCRIPT)
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
        .env("HOME", folder.path())
        .env("RECORD", &record)
        .env("FAILS", fails)
        .output()
        .expect("bash");
    let commands = fs::read_to_string(&record).unwrap_or_default();
    Audit {
        succeeded: run.status.success(),
        output: String::from_utf8_lossy(&run.stdout).into_owned(),
        commands: commands.lines().map(str::to_owned).collect(),
    }
}

fn write_program(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("an executable file");
}

#[test]
fn advisories_are_checked_where_their_database_can_be_fetched() {
    let audit = audit(true, "nothing");
    assert!(audit.succeeded, "{}", audit.output);
    let checks = audit.commands.iter().filter(|command| command.contains(" check ")).collect::<Vec<_>>();
    assert_eq!(
        checks,
        ["cargo deny --frozen check licenses bans sources", "cargo deny --frozen check advisories"]
    );
    assert_eq!(audit.output, "");
}

#[test]
fn unreachable_advisory_database_is_said_and_the_rest_is_checked() {
    let audit = audit(true, "fetch db");
    assert!(audit.succeeded);
    assert!(audit.commands.contains(&"cargo deny --frozen check licenses bans sources".into()));
    assert!(!audit.commands.iter().any(|command| command.contains("advisories")));
    assert_eq!(audit.output.lines().count(), 1, "{}", audit.output);
    assert!(audit.output.contains("known vulnerabilities were not checked"), "{}", audit.output);
}

#[test]
fn unreachable_registry_does_not_fail_the_audit() {
    let audit = audit(true, "fetch --locked");
    assert!(audit.succeeded);
    assert!(audit.output.contains("no route to host"), "{}", audit.output);
}

#[test]
fn faulty_dependency_fails_the_audit() {
    assert!(!audit(true, "check licenses").succeeded);
    assert!(!audit(true, "check advisories").succeeded);
}

#[test]
fn without_cargo_deny_the_sources_are_checked_and_nothing_is_installed() {
    let audit = audit(false, "nothing");
    assert!(audit.succeeded);
    assert!(audit.output.contains("comes from crates.io"), "{}", audit.output);
    assert_eq!(audit.commands, Vec::<String>::new());
}
