//! The texts of a JSON value with the paths of their fields, such as `media[0].url`.

use std::fmt;

use serde_json::Value;
use svc_mcp_access::validate::repeated;

/// Where a text is. It is written out only for a fault.
#[derive(Debug)]
pub struct FieldPath<'v> {
    /// The path begins with this, unless it is empty.
    root: &'static str,
    steps: Vec<Step<'v>>,
}

#[derive(Debug)]
enum Step<'v> {
    Name(&'v str),
    Index(usize),
}

impl fmt::Display for FieldPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.root)?;
        let mut is_first = self.root.is_empty();
        for step in &self.steps {
            match step {
                Step::Name(name) if is_first => f.write_str(&repeated(name))?,
                Step::Name(name) => write!(f, ".{}", repeated(name))?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
            is_first = false;
        }
        Ok(())
    }
}

/// Calls `visit` with every text and its path.
pub fn each_text<'v>(value: &'v Value, root: &'static str, mut visit: impl FnMut(&FieldPath<'v>, &'v str)) {
    walk(value, &mut FieldPath { root, steps: Vec::new() }, &mut visit);
}

fn walk<'v>(value: &'v Value, path: &mut FieldPath<'v>, visit: &mut impl FnMut(&FieldPath<'v>, &'v str)) {
    let mut descend = |step: Step<'v>, value: &'v Value| {
        path.steps.push(step);
        walk(value, path, visit);
        path.steps.pop();
    };
    match value {
        Value::String(text) => visit(path, text),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| descend(Step::Index(index), item));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, value)| descend(Step::Name(name), value)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_text_has_the_path_of_its_field() {
        let value = json!({"a": "1", "b": [{"c": "2"}, ["3"]], "d": 4, "e": {"f": {"g": "5"}}});
        let texts = |value: &Value, root| {
            let mut texts = Vec::new();
            each_text(value, root, |path, text| texts.push(format!("{path}={text}")));
            texts
        };
        assert_eq!(texts(&value, ""), ["a=1", "b[0].c=2", "b[1][0]=3", "e.f.g=5"]);
        assert_eq!(texts(&json!([{"a": "1"}]), "settings"), ["settings[0].a=1"]);
        assert_eq!(texts(&json!({"a": "1"}), "settings"), ["settings.a=1"]);
    }
}
