//! Checks `deploy/` without a container engine.

use std::process::Command;

use svc_mcp_testkit::Program;

#[test]
fn deployment_files_are_valid() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/check.sh");
    let output =
        Command::new("bash").arg(script).env("SVC_MCP", Program::binary()).output().expect("bash runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    println!("{stdout}");
}
