//! Lists the files of the Settings page, so that adding one to `ui/` is all it takes to serve it.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=ui");
    let mut names: Vec<String> = fs::read_dir("ui")
        .expect("crates/server/ui holds the Settings page")
        .map(|entry| entry.expect("readable").file_name().into_string().expect("plain names"))
        .filter(|name| [".html", ".css", ".js", ".svg"].iter().any(|ending| name.ends_with(ending)))
        .collect();
    names.sort();
    let code = format!("const ASSETS: &[(&str, &str)] = assets!{names:#?};\n");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("assets.rs"), code).expect("OUT_DIR is writable");
}
