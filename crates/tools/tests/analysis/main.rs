//! The analysis against its oracles: what `oracle.py` wrote into `golden/` with the Python packages named there.

mod bounds;
mod language;
mod phrases;
mod readability;
mod sentiment;

/// The entries of a golden file.
fn golden<T: serde::de::DeserializeOwned>(name: &str) -> Vec<T> {
    let path = format!("{}/golden/{name}.json", folder());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// This folder, wherever the tests are run from.
fn folder() -> String {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/analysis");
    file.display().to_string()
}
