//! Runs the commands of `docs/operations.md`, read from the page.

mod backup;
mod deploy;
mod rotation;

use std::{env, fs, path::Path, process::Command};

use svc_mcp_testkit::Program;

/// All steps of the page. Each one must be run by a test.
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

/// The commands of one step: the code block with the language `sh` and the name of the step.
fn step_commands(name: &str) -> String {
    let page = page();
    let begin = format!("```sh {name}\n");
    let from =
        page.find(&begin).unwrap_or_else(|| panic!("docs/operations.md has no step {name}")) + begin.len();
    let to = page[from..].find("```").expect("the end of the block");
    page[from..from + to].to_owned()
}

/// Runs one step of the page in a shell, and returns its output.
fn run_step(name: &str, program: &Program, variables: &[(&str, &str)]) -> String {
    assert!(STEPS.contains(&name), "{name} is not in the list of steps");
    let mut shell = Command::new("bash");
    program.apply_environment(&mut shell);
    let path = env::var("PATH").expect("the variable PATH");
    let binary = Program::binary();
    let binary_dir = binary.parent().unwrap_or(Path::new("/"));
    shell.env("PATH", format!("{}:{path}", binary_dir.display()));
    shell.envs(variables.iter().copied());
    let output = shell.args(["-euo", "pipefail", "-c", &step_commands(name)]).output().expect("bash runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}: {}\n{stdout}\n{stderr}", output.status);
    stdout.trim().to_owned()
}

#[test]
fn every_step_of_the_page_is_in_the_list() {
    let page = page();
    let named = page.lines().filter_map(|line| line.strip_prefix("```sh "));
    let mut named: Vec<&str> = named.collect();
    named.sort_unstable();
    assert_eq!(named, STEPS);
}
