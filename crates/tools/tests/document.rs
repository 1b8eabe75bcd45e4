//! docs/tools.md says what the registry has.

use std::{fs, path::Path};

use svc_mcp_tools::{Registry, document};

#[test]
fn the_page_about_the_tools_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tools.md");
    let wanted = document::tools(&Registry::default());
    if std::env::var_os("SVC_WRITE_DOCS").is_some() {
        fs::write(&file, &wanted).expect("docs/tools.md can be written");
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(written == wanted, "docs/tools.md is not what the registry says: run `make docs`");
}
