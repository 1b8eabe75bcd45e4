//! Lists the files of the Settings page, so that adding one to `ui/` is all it takes to serve it, and asks the linker for
//! a smaller binary.

use std::{env, fs, path::Path};

fn main() {
    if env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|libc| libc == "gnu") {
        // The list of addresses to be adjusted at the start, a twentieth of its size: an idle process holds all of it.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    println!("cargo::rerun-if-changed=ui");
    let mut names = Vec::new();
    list_files(Path::new("ui"), &mut names);
    names.sort();
    let code = format!("const ASSETS: &[(&str, &str)] = assets!{names:#?};\n");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("assets.rs"), code).expect("OUT_DIR is writable");
}

const SERVED: [&str; 5] = ["html", "css", "js", "svg", "ftl"];

/// Adds the paths of the files that are served, relative to `ui`.
fn list_files(folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("crates/server/ui holds the settings page") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            list_files(&path, names);
        } else if path.extension().is_some_and(|ending| SERVED.iter().any(|served| ending == *served)) {
            let name = path.strip_prefix("ui").expect("it is below `ui`");
            names.push(name.to_str().expect("plain names").to_owned());
        }
    }
}
