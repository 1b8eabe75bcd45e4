//! docs/tools.md matches the registry.

use std::{fs, path::Path};

use svc_mcp_tools::{Registry, document};

#[test]
fn the_tools_page_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tools.md");
    let expected = document::tools(&Registry::default());
    if std::env::var_os("SVC_WRITE_DOCS").is_some() {
        fs::write(&file, &expected).expect("docs/tools.md can be written");
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(written == expected, "docs/tools.md does not match the registry: run `make docs`");
}
