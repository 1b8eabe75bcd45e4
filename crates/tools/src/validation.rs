//! Checks a JSON value against the schema of a type and reports every fault with its field, in plain sentences.

use jsonschema::{
    Validator,
    error::{TypeKind, ValidationError, ValidationErrorKind as Kind},
};
use schemars::JsonSchema;
use serde_json::Value;
use svc_mcp_access::{
    Fault, Faults, Timestamp,
    time::InvalidTime,
    validate::{repeated, shortened},
};

use crate::{schema::schema_for, text_fields::each_text};

/// Cuts messages of the schema library: they may quote long parts of a schema.
const MAX_MESSAGE_CHARS: usize = 300;

/// How the faults of one kind of input are worded.
#[derive(Debug, Clone, Copy)]
pub struct Wording {
    /// The field of a fault in the value itself, for example when it is not an object.
    pub root: &'static str,
    /// Whether field paths begin with `root`.
    pub prefixed: bool,
    /// The message for a field that the schema does not have.
    pub unknown_field: &'static str,
    /// A pattern, and the message for a text that does not match it.
    pub patterns: &'static [(&'static str, &'static str)],
}

/// A `format` that is checked by our own rule, which replaces the one of JSON Schema.
#[derive(Debug, Clone, Copy)]
pub struct TextFormat {
    pub name: &'static str,
    pub is_valid: fn(&str) -> bool,
    pub message: &'static str,
}

/// A compiled JSON schema.
#[derive(Debug)]
pub struct InputValidator {
    schema: Value,
    validator: Validator,
    wording: Wording,
    formats: &'static [TextFormat],
}

impl InputValidator {
    pub fn new<T: JsonSchema>(wording: Wording) -> Self {
        Self::with_formats::<T>(wording, &[])
    }

    pub fn with_formats<T: JsonSchema>(wording: Wording, formats: &'static [TextFormat]) -> Self {
        let schema = schema_for::<T>();
        let options = jsonschema::options().should_validate_formats(true);
        let is_time = |text: &str| text.parse::<Timestamp>().is_ok();
        let options = formats.iter().fold(options.with_format("date-time", is_time), |options, format| {
            options.with_format(format.name, format.is_valid)
        });
        let validator = options.build(&schema).expect("schemars makes valid schemas");
        Self { schema, validator, wording, formats }
    }

    /// The schema without references.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Reports each field once, in the order of the fields' names.
    pub fn validate(&self, value: &Value) -> Result<(), Faults> {
        // Collecting the faults costs far more than finding out whether there is one.
        if self.validator.is_valid(value) && !contains_nul(value) {
            return Ok(());
        }
        let mut faults = Faults::default();
        for error in self.validator.iter_errors(value) {
            self.add_faults(&error, &mut faults);
        }
        each_text(value, if self.wording.prefixed { self.wording.root } else { "" }, |path, text| {
            if text.contains('\0') {
                faults.push(Fault::new(path.to_string(), "must not contain the character U+0000"));
            }
        });
        Err(faults)
    }

    fn add_faults(&self, error: &ValidationError<'_>, faults: &mut Faults) {
        let path = self.field_path(error.instance_path().as_str());
        match error.kind() {
            Kind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                faults.push(Fault::new(join(&path, name), "is required"));
            }
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                let known = self.limits(error).and_then(|schema| schema["properties"].as_object());
                let known: Vec<&str> = known.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
                let message = match self.wording.unknown_field {
                    message if known.is_empty() => message.to_owned(),
                    message => format!("{message} (known: {})", known.join(", ")),
                };
                let unknown = |name: &String| Fault::new(join(&path, &repeated(name)), &message);
                faults.extend(unexpected.iter().map(unknown));
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                let chosen = chosen_alternative(error, context);
                if chosen.is_empty() {
                    let tag =
                        context.iter().flatten().find(|inner| matches!(inner.kind(), Kind::Constant { .. }));
                    let path = tag.map_or(path, |tag| self.field_path(tag.instance_path().as_str()));
                    let values = tag_values(context);
                    let message = if values.is_empty() {
                        must_be(&expected_types(error, context), error.instance())
                    } else {
                        one_of(values)
                    };
                    faults.push(Fault::new(self.or_root(path), message));
                }
                for inner in chosen {
                    self.add_faults(inner, faults);
                }
            }
            _ => faults.push(Fault::new(self.or_root(path), self.message(error))),
        }
    }

    fn or_root(&self, path: String) -> String {
        if path.is_empty() { self.wording.root.to_owned() } else { path }
    }

    fn message(&self, error: &ValidationError<'_>) -> String {
        let limits = self.limits(error);
        let limit = |name: &str| limits.and_then(|limits| limits.get(name)).filter(|limit| !limit.is_null());
        let range = |min: &str, max: &str| match (limit(min), limit(max)) {
            (Some(min), Some(max)) if min == max => min.to_string(),
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("at least {min}"),
            (None, Some(max)) => format!("at most {max}"),
            (None, None) => "within its limits".to_owned(),
        };
        match error.kind() {
            Kind::Type { kind } => match limit("enum").and_then(Value::as_array) {
                Some(values) => one_of(values),
                None => must_be(&type_names(kind), error.instance()),
            },
            Kind::MinLength { .. } => format!("must be {} characters", range("minLength", "maxLength")),
            Kind::MaxLength { .. } => {
                let chars = error.instance().as_str().unwrap_or_default().chars().count();
                format!("must be {} characters, and has {chars}", range("minLength", "maxLength"))
            }
            Kind::MinItems { .. } => match range("minItems", "maxItems").as_str() {
                "at least 1" => "must have at least one item".to_owned(),
                count => format!("must have {count} items"),
            },
            Kind::MaxItems { .. } => {
                let items = error.instance().as_array().map_or(0, Vec::len);
                format!("must have {} items, and has {items}", range("minItems", "maxItems"))
            }
            Kind::Minimum { .. } | Kind::Maximum { .. } => format!("must be {}", range("minimum", "maximum")),
            Kind::UniqueItems => "must not hold the same item twice".to_owned(),
            Kind::Enum { options } => one_of(options.as_array().into_iter().flatten()),
            Kind::Constant { expected_value } => one_of(std::iter::once(&**expected_value)),
            Kind::Pattern { pattern } => {
                let known = self.wording.patterns.iter().find(|(known, _)| known == pattern);
                match (known, limit("examples").and_then(Value::as_array)) {
                    (Some((_, message)), _) => (*message).to_owned(),
                    (None, Some(examples)) => format!("must be a value such as {}", listed(examples)),
                    (None, None) => format!("must match the pattern {pattern}"),
                }
            }
            Kind::Format { format } => {
                let known = self.formats.iter().find(|known| known.name == format);
                match known {
                    Some(known) => known.message.to_owned(),
                    None if format == "date-time" => InvalidTime.to_string(),
                    None => format!("must have the format {format}"),
                }
            }
            _ => shortened(error.masked_with("the value").to_string(), MAX_MESSAGE_CHARS),
        }
    }

    /// The part of the schema that the value broke.
    fn limits(&self, error: &ValidationError<'_>) -> Option<&Value> {
        let (parent, _) = error.schema_path().as_str().rsplit_once('/')?;
        self.schema.pointer(parent)
    }

    /// `/media/0/url` as `media[0].url`.
    fn field_path(&self, pointer: &str) -> String {
        let mut path = if self.wording.prefixed { self.wording.root.to_owned() } else { String::new() };
        for part in pointer.split('/').skip(1) {
            if part.bytes().all(|byte| byte.is_ascii_digit()) {
                path.push('[');
                path.push_str(part);
                path.push(']');
            } else {
                path = join(&path, &repeated(&part.replace("~1", "/").replace("~0", "~")));
            }
        }
        path
    }
}

/// The faults of the alternative that the sender meant: the one whose type and tag fit. If several fit, the faults that
/// all of them have.
fn chosen_alternative<'e>(
    error: &ValidationError<'_>,
    alternatives: &'e [Vec<ValidationError<'static>>],
) -> Vec<&'e ValidationError<'static>> {
    let own = error.instance_path().as_str().len();
    let is_other = |inner: &ValidationError<'_>| {
        let depth = inner.instance_path().as_str()[own..].matches('/').count();
        match inner.kind() {
            Kind::Type { .. } | Kind::Enum { .. } => depth == 0,
            Kind::Constant { .. } => depth <= 1,
            _ => false,
        }
    };
    let mut fitting = alternatives.iter().filter(|faults| !faults.iter().any(is_other));
    let Some(first) = fitting.next() else { return Vec::new() };
    let others: Vec<_> = fitting.collect();
    let is_same = |one: &ValidationError<'_>, other: &ValidationError<'_>| {
        one.instance_path() == other.instance_path() && one.to_string() == other.to_string()
    };
    let in_all = |one: &&ValidationError<'_>| {
        others.iter().all(|faults| faults.iter().any(|other| is_same(one, other)))
    };
    first.iter().filter(in_all).collect()
}

/// The types as an error message names them. Null is left out: a caller that sent a wrong value wants to know the right type.
fn type_names(kind: &TypeKind) -> Vec<&'static str> {
    let name = |name: &str| match name {
        "string" => Some("a string"),
        "boolean" => Some("true or false"),
        "integer" => Some("a whole number"),
        "number" => Some("a number"),
        "array" => Some("a list"),
        "object" => Some("a JSON object"),
        _ => None,
    };
    match kind {
        TypeKind::Single(kind) => name(&kind.to_string()).into_iter().collect(),
        TypeKind::Multiple(kinds) => kinds.iter().filter_map(|kind| name(&kind.to_string())).collect(),
    }
}

/// The types that the alternatives of a value have.
fn expected_types(
    error: &ValidationError<'_>,
    alternatives: &[Vec<ValidationError<'static>>],
) -> Vec<&'static str> {
    let mut names = Vec::new();
    for inner in alternatives.iter().flatten() {
        if let Kind::Type { kind } = inner.kind()
            && inner.instance_path() == error.instance_path()
        {
            names.extend(type_names(kind));
        }
    }
    names
}

fn must_be(types: &[&str], value: &Value) -> String {
    let sent = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    match types {
        [] => "is not valid".to_owned(),
        // "A whole number, not a number" would say too little.
        ["a whole number"] if value.is_number() => "must be a whole number, without decimals".to_owned(),
        types => format!("must be {}, not {sent}", types.join(" or ")),
    }
}

fn one_of<'v>(values: impl IntoIterator<Item = &'v Value>) -> String {
    let values: Vec<&Value> = values.into_iter().filter(|value| !value.is_null()).collect();
    let listed = listed(values.iter().copied());
    if values.len() == 1 { format!("must be {listed}") } else { format!("must be one of {listed}") }
}

fn listed<'v>(values: impl IntoIterator<Item = &'v Value>) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    values.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

/// The values of the field that distinguishes the alternatives.
fn tag_values<'e>(alternatives: &'e [Vec<ValidationError<'static>>]) -> Vec<&'e Value> {
    let errors = alternatives.iter().flatten();
    let values = errors.flat_map(|error| match error.kind() {
        Kind::Constant { expected_value } => vec![&**expected_value],
        Kind::Enum { options } => options.as_array().into_iter().flatten().collect(),
        _ => Vec::new(),
    });
    values.collect()
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// PostgreSQL cannot store U+0000 or search for it, so no input may contain it.
fn contains_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(contains_nul),
        Value::Object(fields) => fields.values().any(contains_nul),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Sample {
        #[schemars(length(min = 1, max = 3))]
        name: String,
        #[schemars(range(min = 1, max = 9))]
        count: Option<u32>,
        #[schemars(length(max = 2), inner(regex(pattern = "^[a-z]+$")))]
        words: Option<Vec<String>>,
        colour: Option<Colour>,
        #[schemars(extend("format" = "date-time"))]
        at: Option<String>,
        shape: Option<Shape>,
        place: Option<Place>,
        #[schemars(regex(pattern = "^[a-z]{3}$"), extend("examples" = ["mon", "tue"]))]
        at_day: Option<String>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Place {
        name: String,
    }

    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Colour {
        Red,
        Blue,
    }

    #[derive(JsonSchema)]
    #[serde(tag = "kind", content = "size", rename_all = "lowercase")]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Shape {
        Circle { radius: u32 },
        Square { side: u32 },
    }

    fn faults(value: &Value) -> Vec<String> {
        let wording = Wording {
            root: "body",
            prefixed: false,
            unknown_field: "is not known here",
            patterns: &[("^[a-z]+$", "must be a word")],
        };
        let faults = InputValidator::new::<Sample>(wording).validate(value).expect_err("must be refused");
        faults.into_iter().map(|fault| format!("{} {}", fault.field, fault.message)).collect()
    }

    #[test]
    fn every_fault_is_one_plain_sentence_about_its_field() {
        let value =
            json!({"name": "", "count": 10, "words": ["a", "B"], "colour": "green", "at": "soon", "size": 1});
        let expected = [
            "at must be a time in RFC 3339 with its zone, such as 2027-01-31T09:00:00Z",
            "colour must be one of red, blue",
            "count must be 1 to 9",
            "name must be 1 to 3 characters",
            "size is not known here (known: at, at_day, colour, count, name, place, shape, words)",
            "words[1] must be a word",
        ];
        assert_eq!(faults(&value), expected);
        let value = json!({"name": 1, "count": "x", "words": ["a", "b", "c"], "colour": 7});
        let expected = [
            "colour must be one of red, blue",
            "count must be a whole number, not a string",
            "name must be a string, not a number",
            "words must have at most 2 items, and has 3",
        ];
        assert_eq!(faults(&value), expected);
        let value = json!({"name": "long", "count": 1.5, "words": "a", "place": "here"});
        let expected = [
            "count must be a whole number, without decimals",
            "name must be 1 to 3 characters, and has 4",
            "place must be a JSON object, not a string",
            "words must be a list, not a string",
        ];
        assert_eq!(faults(&value), expected);
        assert_eq!(faults(&json!({"name": "a", "at_day": "x"})), ["at_day must be a value such as mon, tue"]);
        assert_eq!(faults(&json!({})), ["name is required"]);
        assert_eq!(faults(&json!([])), ["body must be a JSON object, not a list"]);
        assert_eq!(faults(&json!({"name": "a\0"})), ["name must not contain the character U+0000"]);
    }

    #[test]
    fn the_faults_of_a_choice_are_those_of_the_alternative_that_was_meant() {
        let shape = |shape: Value| faults(&json!({"name": "x", "shape": shape}));
        assert_eq!(
            shape(json!({"kind": "square", "size": {"side": "x"}})),
            ["shape.size.side must be a whole number, not a string"]
        );
        assert_eq!(shape(json!({"kind": "square", "size": {}})), ["shape.size.side is required"]);
        assert_eq!(shape(json!({"size": {}})), ["shape.kind is required"]);
        assert_eq!(shape(json!({"kind": "star", "size": {}})), ["shape.kind must be one of circle, square"]);
    }
}
