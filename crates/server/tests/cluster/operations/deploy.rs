//! `deploy/`, checked as far as that goes without a container engine.

use std::process::Command;

use svc_mcp_testkit::Program;

#[test]
fn what_is_deployed_is_in_order() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/check.sh");
    let ran = Command::new("bash").arg(script).env("SVC_MCP", Program::binary()).output().expect("bash runs");
    let (out, error) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{out}\n{error}");
    println!("{out}");
}
