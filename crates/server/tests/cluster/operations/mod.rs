//! Runs the commands of `docs/operations.md`, read from the page.

mod backup;
mod deploy;
mod first_start;
mod rotation;

use svc_mcp_testkit::{DocPage, Program};

/// All steps of the page. Each one must be run by a test.
const STEPS: &[&str] = &[
    "backup-postgresql",
    "backup-sqlite",
    "check-settings",
    "database-roles",
    "first-brand",
    "first-key",
    "first-request",
    "first-token",
    "held-jobs",
    "is-ready",
    "new-database-password",
    "new-jwt-secret",
    "new-redis-password",
    "new-reveal-key",
    "old-database-password",
    "old-redis-password",
    "restore-postgresql",
    "restore-sqlite",
    "resume-jobs",
    "rewrap",
];

const PAGE: &str = "operations.md";

/// Runs one step of the page in a shell, and returns its output.
fn run_step(name: &str, program: &Program, variables: &[(&str, &str)]) -> String {
    assert!(STEPS.contains(&name), "{name} is not in the list of steps");
    DocPage::open(PAGE).run(name, program, variables)
}

#[test]
fn every_step_of_the_page_is_in_the_list() {
    let page = DocPage::open(PAGE);
    let mut named = page.steps();
    named.sort_unstable();
    assert_eq!(named, STEPS);
}
