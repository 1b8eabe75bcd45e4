//! What is made from the command line: completions, manual pages, and the table of settings in the documentation.

use std::{fs, path::Path, process::Command};

use crate::support::Sandbox;

#[test]
fn completions_know_commands_and_flags() {
    let sandbox = Sandbox::sqlite();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = sandbox.run_ok(&["completions", shell]);
        assert!(script.contains("redis-url") && script.contains("rewrap"), "{shell}: {script}");
    }
    let script = sandbox.path("svc-mcp.bash");
    fs::write(&script, sandbox.run_ok(&["completions", "bash"])).expect("the script is written");
    let complete = "source \"$0\"; COMP_WORDS=(svc-mcp serve --che); COMP_CWORD=2; _svc__mcp svc-mcp --che serve; \
        printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", complete]).arg(&script).output().expect("bash runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "--check\n", "{output:?}");
    assert!(sandbox.expect_usage_error(&["completions", "cmd"]).contains("bash"));
}

#[test]
fn manual_pages_are_written() {
    let secret = "canary-canary-canary-canary-canary";
    let sandbox = Sandbox::sqlite().with("SVC_JWT_SECRET", secret).with("SVC_LISTEN", "canary");
    let dir = sandbox.path("man");
    let printed = sandbox.json(&["man", &dir.to_string_lossy()]);
    assert_eq!(printed["dir"].as_str(), dir.to_str());
    let page = |name: &str| fs::read_to_string(dir.join(name)).expect(name);
    assert!(page("svc-mcp.1").contains("serve"));
    let serve = page("svc-mcp-serve.1");
    assert!(serve.contains("SVC_JWT_SECRET") && !serve.contains("canary"), "{serve}");
    assert!(page("svc-mcp-admin-plans-set.1").contains("quota"));
    let file = sandbox.path("file");
    fs::write(&file, "").expect("the file is written");
    assert!(sandbox.expect_failure(&["man", &file.join("man").to_string_lossy()]).contains("manual pages"));
}

/// `make docs` writes the table.
#[test]
fn documentation_lists_every_setting() {
    const BEGIN: &str = "<!-- settings: `make docs` writes this table -->\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEGIN).expect("the beginning of the table");
    let (_, after) = rest.split_once("<!-- end -->").expect("the end of the table");
    let expected = format!("{before}{BEGIN}\n{}\n<!-- end -->{after}", table());
    if std::env::var_os("SVC_WRITE_DOCS").is_some() {
        fs::write(&path, &expected).expect("the page is written");
    } else {
        assert_eq!(page, expected, "run `make docs`");
    }
}

/// The rows of the table from the help page: `variable | default | what it is`.
fn table() -> String {
    let page =
        Sandbox::sqlite().without("SVC_DATA_DIR").without("SVC_LOG_FORMAT").without("SVC_MANAGEMENT_LIMIT");
    let page = page.run_ok(&["demo", "--help"]);
    let options = page.split_once("Options:\n").expect("the options").1;
    let mut entries: Vec<String> = Vec::new();
    for line in options.lines() {
        match line.trim_start() {
            text if text.starts_with("--") || text.starts_with("-h") => entries.push(text.to_owned()),
            text => {
                let entry = entries.last_mut().expect("an option");
                entry.push(' ');
                entry.push_str(text);
            }
        }
    }
    let mut rows: Vec<String> = entries.iter().filter_map(|entry| row(entry)).collect();
    rows.sort();
    format!("| variable | default | |\n|---|---|---|\n{}\n", rows.join("\n"))
}

fn row(entry: &str) -> Option<String> {
    let (text, variable) = entry.split_once("[env: ")?;
    let (variable, rest) = variable.split_once(['=', ']'])?;
    let default = rest.split_once("[default: ").and_then(|(_, default)| default.split_once(']'));
    let default = default.map_or(String::new(), |(value, _)| format!("`{value}`"));
    // The flag, and the name of its value.
    let text = text.split_once(' ')?.1.trim_start();
    let text = if text.starts_with('<') { text.split_once('>')?.1 } else { text };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    Some(format!("| `{variable}` | {default} | {text} |"))
}
