//! Compares the analyses with reference implementations. `oracle.py` writes their results to `golden/`.

mod bounds;
mod cancellation;
mod language;
mod phrases;
mod readability;
mod sentiment;

fn golden<T: serde::de::DeserializeOwned>(name: &str) -> Vec<T> {
    let path = format!("{}/tests/analysis/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}
