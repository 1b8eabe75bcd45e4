//! `docs/operations.md`, followed step by step: the commands that are run here are read from its pages.

mod backup;
mod deploy;
mod rotation;

use std::{env, fs, path::Path, process::Command};

use svc_mcp_testkit::Program;

/// Every step that the page names. What is not followed here must not look as if it were.
const STEPS: &[&str] = &[
    "backup-postgresql",
    "backup-sqlite",
    "database-roles",
    "new-database-password",
    "new-jwt-secret",
    "new-redis-password",
    "new-reveal-key",
    "old-database-password",
    "old-redis-password",
    "restore-postgresql",
    "restore-sqlite",
    "rewrap",
];

fn page() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operations.md");
    fs::read_to_string(page).expect("docs/operations.md")
}

/// The commands of one step: the block that is marked as `sh` with its name.
fn step(name: &str) -> String {
    let page = page();
    let begin = format!("```sh {name}\n");
    let from =
        page.find(&begin).unwrap_or_else(|| panic!("docs/operations.md has no step {name}")) + begin.len();
    let to = page[from..].find("```").expect("a block ends");
    page[from..from + to].to_owned()
}

/// Runs one step of the page as somebody would who types it, and gives what it prints.
fn follow(name: &str, program: &Program, variables: &[(&str, &str)]) -> String {
    assert!(STEPS.contains(&name), "{name} is not in the list of steps");
    let mut shell = Command::new("bash");
    program.surround(&mut shell);
    let path = env::var("PATH").expect("a path");
    let here = Program::binary();
    let here = here.parent().unwrap_or(Path::new("/"));
    shell.env("PATH", format!("{}:{path}", here.display()));
    shell.envs(variables.iter().copied());
    let ran = shell.args(["-euo", "pipefail", "-c", &step(name)]).output().expect("bash runs");
    let (out, error) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{name}: {}\n{out}\n{error}", ran.status);
    out.trim().to_owned()
}

#[test]
fn every_step_of_the_page_is_followed() {
    let page = page();
    let named = page.lines().filter_map(|line| line.strip_prefix("```sh "));
    let mut named: Vec<&str> = named.collect();
    named.sort_unstable();
    assert_eq!(named, STEPS);
}
