//! Checks `deploy/` without a container engine.

use std::{path::Path, process::Command};

use svc_mcp_testkit::Program;

use super::run_step;

#[test]
fn deployment_files_are_valid() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/check.sh");
    let output =
        Command::new("bash").arg(script).env("SVC_MCP", Program::binary()).output().expect("bash runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    println!("{stdout}");
}

#[test]
fn manifests_are_rendered_as_the_page_says() {
    let repository = Program::new(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")));
    let manifests = run_step("render-manifests", &repository, &[]);
    for kind in [
        "Deployment",
        "Ingress",
        "ServiceMonitor",
        "HorizontalPodAutoscaler",
        "NetworkPolicy",
        "ExternalSecret",
    ] {
        assert!(manifests.lines().any(|line| line == format!("kind: {kind}")), "{kind} is missing");
    }
}
