//! docs/scale.md has what bench/scale.py computes, and the rules hold in its model.

use std::{path::Path, process::Command};

fn run(arguments: &[&str]) -> String {
    let script = root().join("bench/scale.py");
    let output = Command::new("python3").arg(script).args(arguments).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn page_about_scale_has_the_computed_table() {
    let page = std::fs::read_to_string(root().join("docs/scale.md")).expect("docs/scale.md");
    let table = run(&[]);
    assert!(table.lines().count() > 10, "{table}");
    assert!(page.contains(table.trim()), "run bench/scale.py --write-docs: {table}");
    for figure in ["Windows: ", "Masters: ", "Jobs: "] {
        assert!(page.contains(figure), "run bench/scale.py --write-docs: {figure}");
    }
}

/// The script checks every window of its model, and fails if one is wrong.
#[test]
fn windows_of_the_model_are_exact() {
    let lines = run(&["--simulate", "--fraction", "0.005"]);
    assert!(lines.contains("none had more than 60 requests"), "{lines}");
}
