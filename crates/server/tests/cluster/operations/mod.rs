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
    "log-queries",
    "new-database-password",
    "new-jwt-secret",
    "new-redis-password",
    "new-reveal-key",
    "old-database-password",
    "old-redis-password",
    "render-manifests",
    "restore-postgresql",
    "restore-sqlite",
    "resume-jobs",
    "rewrap",
];

/// Commands that no test runs, by their first line, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo build --release --locked", "it builds for many minutes and writes to /usr/local"),
    ("install -m 0644 deploy/svc-mcp.service /etc/systemd/system/svc-mcp.service", "it changes the machine"),
    (
        "podman pull \"$IMAGE\" && podman image inspect --format '{{index .RepoDigests 0}}' \"$IMAGE\"",
        "it needs a container engine and an image registry",
    ),
    ("systemctl enable --now svc-mcp", "it needs systemd as the first process"),
    ("deploy/new-secrets.sh deploy/secrets", "it needs a container engine; deploy/check.sh runs the script"),
    (
        "kubectl create namespace svc-mcp && kubectl apply -k deploy/kubernetes/overlays/production",
        "it needs a Kubernetes cluster",
    ),
    (
        "OTEL_EXPORTER_OTLP_ENDPOINT=http://collector.internal:4318   # `/v1/traces` is added",
        "it shows settings; the tests of traces use them",
    ),
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

#[test]
fn commands_that_no_test_runs_are_listed_with_the_reason() {
    let page = DocPage::open(PAGE);
    let listed: Vec<&str> = NOT_RUN.iter().map(|(command, _)| *command).collect();
    assert_eq!(page.other_commands(), listed);
}
