//! Lists the files of the Settings page, so that adding one to `ui/` is all it takes to serve it, and asks the linker for
//! a smaller binary.

use std::{env, fs, path::Path};

fn main() {
    if env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|libc| libc == "gnu") {
        // The list of addresses to be adjusted at the start, a twentieth of its size: an idle process holds all of it.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
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
