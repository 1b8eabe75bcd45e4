use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::snippet::clipped;

/// A `<script type="application/ld+json">`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JsonLd {
    /// The `@type`s of its things.
    pub types: Vec<String>,
    /// Why search engines cannot use it. Null: they can.
    pub problem: Option<String>,
    /// The text where the problem is: data from the page.
    pub near: Option<String>,
}

const MOST_TYPES: usize = 20;

impl JsonLd {
    pub(super) fn read(text: &str) -> Self {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => {
                let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
                let start = error.column().saturating_sub(40);
                let near: String = line.chars().skip(start).take(80).collect();
                return Self {
                    types: Vec::new(),
                    problem: Some(format!("not JSON: {error}")),
                    near: Some(clipped(&near, 80)),
                };
            }
        };
        let things: Vec<&Value> = match &value {
            Value::Array(things) => things.iter().collect(),
            thing => vec![thing],
        };
        let problem = things.iter().find_map(|thing| problem_of(thing));
        let graphs = things.iter().filter_map(|thing| thing.get("@graph")?.as_array()).flatten();
        let types = things.iter().copied().chain(graphs).flat_map(types_of).take(MOST_TYPES).collect();
        Self { types, problem: problem.map(str::to_owned), near: None }
    }
}

fn problem_of(thing: &Value) -> Option<&'static str> {
    let Value::Object(thing) = thing else { return Some("it is neither an object nor a list of objects") };
    if !thing.contains_key("@context") {
        Some("there is no `@context`, so its words mean nothing")
    } else if !thing.contains_key("@type") && !thing.contains_key("@graph") {
        Some("there is no `@type` that says what it describes")
    } else {
        None
    }
}

fn types_of(thing: &Value) -> Vec<String> {
    match thing.get("@type") {
        Some(Value::String(name)) => vec![clipped(name, 60)],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(|n| clipped(n, 60)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_found_and_problems_told() {
        let read = |text| JsonLd::read(text);
        assert_eq!(
            read(r#"{"@context":"https://schema.org","@type":["Shop","Place"]}"#).types,
            ["Shop", "Place"]
        );
        let graph =
            read(r#"{"@context":"https://schema.org","@graph":[{"@type":"Person"},{"@type":"Event"}]}"#);
        assert_eq!((graph.types.len(), graph.problem), (2, None));
        assert!(read(r#"{"@type":"Shop"}"#).problem.unwrap().contains("@context"));
        assert!(read(r#"{"@context":"https://schema.org"}"#).problem.unwrap().contains("@type"));
        assert!(read("[1]").problem.is_some());
        let broken = read("{\"@type\": \"Shop\",}");
        assert!(broken.problem.unwrap().starts_with("not JSON"));
        assert!(broken.near.unwrap().contains("Shop"));
        assert!(read(&"[".repeat(10_000)).problem.is_some());
    }
}
