use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::snippet::clip;

/// A `<script type="application/ld+json">`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct JsonLd {
    /// The values of `@type`.
    pub types: Vec<String>,
    /// Why search engines cannot use it. Null: they can.
    pub problem: Option<String>,
    /// The text around the problem. It is untrusted data.
    pub near: Option<String>,
}

const MAX_TYPES: usize = 20;

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
                    near: Some(clip(&near, 80)),
                };
            }
        };
        let nodes: Vec<&Value> = match &value {
            Value::Array(nodes) => nodes.iter().collect(),
            node => vec![node],
        };
        let problem = nodes.iter().find_map(|node| problem_of(node));
        let graphs = nodes.iter().filter_map(|node| node.get("@graph")?.as_array()).flatten();
        let types = nodes.iter().copied().chain(graphs).flat_map(types_of).take(MAX_TYPES).collect();
        Self { types, problem: problem.map(str::to_owned), near: None }
    }
}

fn problem_of(node: &Value) -> Option<&'static str> {
    let Value::Object(node) = node else { return Some("it is neither an object nor a list of objects") };
    if !node.contains_key("@context") {
        Some("there is no `@context`, so its terms have no meaning")
    } else if !node.contains_key("@type") && !node.contains_key("@graph") {
        Some("there is no `@type`")
    } else {
        None
    }
}

fn types_of(node: &Value) -> Vec<String> {
    match node.get("@type") {
        Some(Value::String(name)) => vec![clip(name, 60)],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(|n| clip(n, 60)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_problems_are_found() {
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
