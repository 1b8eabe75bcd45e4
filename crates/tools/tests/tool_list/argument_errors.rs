//! Sends every argument of every tool with every kind of wrong value. `argument_errors.txt` has all sentences; `make docs`
//! writes it.

use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

use serde_json::{Value, json};
use svc_mcp_access::{Fault, decision::Catalog};
use svc_mcp_tools::Registry;

/// The file names this many arguments for each sentence and kind of fault, and counts the others.
const MAX_PLACES: usize = 3;
/// Words of schemas and parsers, which say nothing to an agent.
const JARGON: [&str; 8] =
    ["oneOf", "anyOf", "schema", "pattern", "invalid type", "invalid value", "floating", "^"];

const HEAD: &str = "\
# What an agent reads when an argument is wrong: every sentence, and where it occurs. The field is named beside it.
# Written by `make docs`.
";

/// An argument, or a part of one: its path, such as `media[0].url`, and its schema.
struct Argument {
    path: Vec<Step>,
    schema: Value,
    is_required: bool,
}

#[derive(Clone)]
enum Step {
    Name(String),
    FirstItem,
}

impl Argument {
    fn path(&self) -> String {
        self.path.iter().fold(String::new(), |path, step| match step {
            Step::Name(name) if path.is_empty() => name.clone(),
            Step::Name(name) => format!("{path}.{name}"),
            Step::FirstItem => format!("{path}[0]"),
        })
    }

    /// The example with this value, or without the argument.
    fn set(&self, root: &Value, example: &Value, value: Option<&Value>) -> Value {
        let mut changed = example.clone();
        let (mut place, mut schema) = (&mut changed, root.clone());
        let (last, outer) = self.path.split_last().expect("an argument has a name");
        for step in outer {
            schema = inner(&schema, step);
            place = match step {
                Step::Name(name) => &mut place[name],
                Step::FirstItem => &mut place[0],
            };
            *place = sample(&schema);
        }
        match (last, value) {
            (Step::Name(name), Some(value)) => place[name] = value.clone(),
            (Step::Name(name), None) => {
                place.as_object_mut().expect("an object").remove(name);
            }
            (Step::FirstItem, value) => place[0] = value.cloned().unwrap_or_default(),
        }
        changed
    }
}

fn inner(schema: &Value, step: &Step) -> Value {
    not_null(match step {
        Step::Name(name) => &schema["properties"][name],
        Step::FirstItem => &schema["items"],
    })
}

/// The form of an optional argument that is not null.
fn not_null(schema: &Value) -> Value {
    let forms = schema["anyOf"].as_array().into_iter().flatten();
    forms.clone().find(|form| form["type"] != "null").unwrap_or(schema).clone()
}

fn arguments(schema: &Value, path: &[Step]) -> Vec<Argument> {
    let mut found = Vec::new();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let names = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name);
    let steps = names.map(|name| Step::Name(name.clone()));
    let items = schema["items"].is_object().then_some(Step::FirstItem);
    for step in steps.chain(items) {
        let is_required = matches!(&step, Step::Name(name) if required.contains(&json!(name)));
        let schema = inner(schema, &step);
        let path = [path, &[step]].concat();
        found.extend(arguments(&schema, &path));
        found.push(Argument { path, schema, is_required });
    }
    found
}

fn is(schema: &Value, kind: &str) -> bool {
    schema["type"] == kind || schema["type"].as_array().is_some_and(|kinds| kinds.contains(&json!(kind)))
}

fn choices(schema: &Value) -> Option<Value> {
    let first = |values: &Value| values.get(0).cloned();
    first(&schema["enum"]).or_else(|| {
        let form = schema["oneOf"].get(0)?;
        form.get("const").cloned().or_else(|| first(&form["enum"]))
    })
}

/// A valid value.
fn sample(schema: &Value) -> Value {
    if let Some(choice) = choices(schema) {
        return choice;
    }
    if is(schema, "object") {
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        return required.map(|name| (name.to_owned(), sample(&schema["properties"][name]))).collect();
    }
    if is(schema, "array") {
        return json!([sample(&not_null(&schema["items"]))]);
    }
    match schema["format"].as_str() {
        Some("uri") => json!("https://example.com/"),
        Some("date-time") => json!("2027-01-31T09:00:00Z"),
        _ if is(schema, "string") => json!("abc"),
        _ => json!(1),
    }
}

/// Wrong values, each with its kind.
fn wrong_values(argument: &Argument) -> Vec<(&'static str, Value)> {
    let schema = &argument.schema;
    let limit = |name: &str| schema[name].as_i64();
    let count = |limit: i64| usize::try_from(limit).expect("a count");
    let mut wrong = Vec::new();
    if choices(schema).is_some() {
        wrong.extend([("unknown value", json!("no_such_value")), ("wrong type", json!(7))]);
        return wrong;
    }
    wrong.push(("wrong type", if is(schema, "string") { json!(7) } else { json!("text") }));
    if is(schema, "string") {
        wrong.push(("null character", json!("a\0")));
        let is_url = schema["format"] == "uri";
        let start = if is_url { "https://example.com/" } else { "" };
        let too_long = limit("maxLength").map(|max| format!("{start}{}", "x".repeat(count(max) + 1)));
        wrong.extend(too_long.map(|text| ("too long", json!(text))));
        wrong.extend(limit("minLength").filter(|min| *min > 0).map(|_| ("empty", json!(""))));
        if !schema["pattern"].is_null() {
            wrong.push(("wrong form", json!("no such form!")));
        }
        if is_url {
            wrong.push(("wrong form", json!("ftp://example.com")));
        }
        if schema["format"] == "date-time" {
            wrong.extend([("wrong form", json!("tomorrow")), ("wrong form", json!("2027-02-31T09:00:00Z"))]);
        }
        if matches!(&argument.path[..], [Step::Name(name)] if name == "cursor") {
            wrong.push(("wrong form", json!("%%%")));
        }
    }
    if is(schema, "integer") {
        wrong.extend([("decimals", json!(1.5)), ("too large", json!(1e300))]);
        wrong.extend(limit("minimum").map(|min| ("too small", json!(min - 1))));
        wrong.extend(limit("maximum").map(|max| ("too large", json!(max + 1))));
    }
    if is(schema, "array") {
        let item = sample(&not_null(&schema["items"]));
        let numbered = |number: usize| match &item {
            Value::String(text) if choices(&schema["items"]).is_none() => json!(format!("{text}{number}")),
            item => item.clone(),
        };
        let too_many = |max| ("too many", (0..=count(max)).map(numbered).collect());
        wrong.extend(limit("maxItems").map(too_many));
        wrong.extend(limit("minItems").filter(|min| *min > 0).map(|_| ("empty", json!([]))));
        if schema["uniqueItems"] == true {
            wrong.push(("twice", json!([item, item])));
        }
    }
    wrong
}

async fn faults(registry: &Registry, tool: &str, arguments: &Value) -> Vec<Fault> {
    let refused = registry.prepare(tool, arguments.clone()).await.err();
    refused.into_iter().flatten().collect()
}

#[tokio::test]
async fn every_wrong_argument_is_answered_with_one_plain_sentence() {
    let registry = Registry::default();
    // Sentence, kind of fault, arguments.
    let mut sentences: BTreeMap<String, BTreeMap<&str, Vec<String>>> = BTreeMap::new();
    for entry in registry.entries() {
        let (tool, schema) = (entry.description().name, entry.input_schema());
        let example: Value = serde_json::from_str(entry.description().example).expect("an example is JSON");
        let mut note = |kind: &'static str, path: &str, faults: &[Fault]| {
            let [fault] = faults else { panic!("{tool}, {path}, {kind}: {faults:?}") };
            assert_eq!(fault.field, path, "{tool}, {kind}: {}", fault.message);
            let jargon = JARGON.iter().find(|word| fault.message.contains(**word));
            assert_eq!(jargon, None, "{tool}, {path}, {kind}: {}", fault.message);
            let places = sentences.entry(fault.message.clone()).or_default().entry(kind).or_default();
            let place = format!("{tool}.{path}");
            if !places.contains(&place) {
                places.push(place);
            }
        };
        let mut unknown = example.clone();
        unknown["no_such_argument"] = json!(1);
        note("unknown argument", "no_such_argument", &faults(&registry, tool, &unknown).await);
        for argument in arguments(&schema, &[]) {
            let path = argument.path();
            for (kind, value) in wrong_values(&argument) {
                let sent = argument.set(&schema, &example, Some(&value));
                note(kind, &path, &faults(&registry, tool, &sent).await);
            }
            if matches!(argument.path.last(), Some(Step::FirstItem)) {
                continue;
            }
            let null = faults(&registry, tool, &argument.set(&schema, &example, Some(&Value::Null))).await;
            let absent = faults(&registry, tool, &argument.set(&schema, &example, None)).await;
            assert_eq!(null, absent, "{tool}, {path}: null is the same as leaving it out");
            if argument.is_required {
                note("missing", &path, &absent);
            }
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tool_list/argument_errors.txt");
    let expected = page(&sentences);
    if std::env::var_os("SVC_WRITE_DOCS").is_some() {
        fs::write(&file, &expected).expect("the file can be written");
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(written == expected, "argument_errors.txt is not up to date: run `make docs`\n{expected}");
}

fn page(sentences: &BTreeMap<String, BTreeMap<&str, Vec<String>>>) -> String {
    let mut page = HEAD.to_owned();
    for (sentence, kinds) in sentences {
        let _ = write!(page, "\n{sentence}\n");
        for (kind, places) in kinds {
            let shown = &places[..places.len().min(MAX_PLACES)];
            let _ = write!(page, "    {kind}: {}", shown.join(", "));
            if places.len() > shown.len() {
                let _ = write!(page, ", {} more", places.len() - shown.len());
            }
            page.push('\n');
        }
    }
    page
}

#[tokio::test]
async fn a_whole_number_with_decimals_is_accepted() {
    let registry = Registry::default();
    for (tool, arguments) in [
        ("list_posts", json!({"limit": 10.0})),
        ("list_posts", json!({"limit": 1e1})),
        ("get_keyword_search", json!({"search_id": "search_1", "min_volume": 100.0})),
    ] {
        assert_eq!(faults(&registry, tool, &arguments).await, [], "{tool}: {arguments}");
    }
}

#[tokio::test]
async fn a_wrong_period_names_its_field() {
    let registry = Registry::default();
    for (period, message) in [
        (
            "yesterday",
            "must be a value such as last_7_days, last_30_days, this_month, last_month, 2026-10-01/2026-10-31",
        ),
        ("2026-10-31/2026-10-01", "must not end before it begins"),
        (
            "2026-02-31/2026-03-01",
            "must be last_7_days, last_30_days, this_month, last_month, or two days such as 2026-10-01/2026-10-31",
        ),
    ] {
        let faults = faults(&registry, "preview_report", &json!({"period": period})).await;
        assert_eq!(faults, [Fault::new("period", message)]);
    }
}
