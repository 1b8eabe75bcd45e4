//! Bodies and queries. One type for each parses it, states its limits and documents it.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use axum::extract::{FromRequest, FromRequestParts, Request};
use http::request::Parts;
use hyper::body::Body;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_mcp_access::{
    Fault, Faults,
    validate::{repeated, without_key},
};
use svc_mcp_tools::{
    large_input,
    text_fields::each_text,
    validation::{InputValidator, Wording},
};

use super::{
    body::{MAX_MANAGEMENT_BODY, read_json},
    schemas,
};
use crate::{app::App, http::problem::Problem};

/// A body or a query.
pub(crate) trait Input: DeserializeOwned + JsonSchema + Send + 'static {
    /// Patterns of its own, each with the message for a text that does not match.
    const PATTERNS: &'static [(&'static str, &'static str)] = schemas::PATTERNS;
    /// A larger body is refused.
    const MAX_BYTES: usize = MAX_MANAGEMENT_BODY;
    /// Whether its texts may hold MCP keys. Such a body is not stored as it is.
    const MAY_HOLD_KEYS: bool = false;

    /// Runs before the schema is checked, for example to trim texts.
    fn normalize(_: &mut Value) {}

    /// Faults that the schema cannot express, such as a date in the past. It gets the JSON because it also runs when the
    /// schema has found faults: all of them are reported at once.
    fn check(_: &Value, _: &App) -> Vec<Fault> {
        Vec::new()
    }
}

/// A valid JSON body. Extract it after the privilege: without that, the body is not read.
#[derive(Debug)]
pub(crate) struct ValidatedJson<T>(pub(crate) T);

impl<T: Input> FromRequest<Arc<App>> for ValidatedJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let mut value = read_json(&parts.headers, body, T::MAX_BYTES, app.body_timeout).await?;
        T::normalize(&mut value);
        if large_input::is_large(&value) {
            let app = Arc::clone(app);
            return large_input::run(move || parse(value, Faults::default(), &app)).await.map(Self);
        }
        parse(value, Faults::default(), app).map(Self)
    }
}

/// A valid JSON body, or an empty object if there is none. Extract it after the privilege.
#[derive(Debug)]
pub(crate) struct OptionalJson<T>(pub(crate) T);

impl<T: Input> FromRequest<Arc<App>> for OptionalJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        if request.body().is_end_stream() {
            return parse(Value::Object(Map::new()), Faults::default(), app).map(Self);
        }
        ValidatedJson::from_request(request, app).await.map(|ValidatedJson(body)| Self(body))
    }
}

/// A valid query.
#[derive(Debug)]
pub(crate) struct ValidatedQuery<T>(pub(crate) T);

impl<T: Input> FromRequestParts<Arc<App>> for ValidatedQuery<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let validator = validator_for::<T>();
        let (mut values, mut faults) = (Map::new(), Faults::default());
        for (name, text) in url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
            let value = typed(&validator.schema()["properties"][&*name]["type"], &text);
            if values.insert(name.to_string(), value).is_some() {
                faults.push(Fault::new(repeated(&name), "is given more than once"));
            }
        }
        parse(values.into(), faults, app).map(Self)
    }
}

/// The value that the schema expects. A text that is none stays a text, and the schema refuses it.
fn typed(kind: &Value, text: &str) -> Value {
    let is = |name: &str| kind == name || kind.as_array().is_some_and(|kinds| kinds.contains(&name.into()));
    let parsed = if is("integer") {
        text.parse::<i64>().ok().map(Value::from)
    } else if is("boolean") {
        text.parse::<bool>().ok().map(Value::from)
    } else {
        None
    };
    parsed.unwrap_or_else(|| text.into())
}

fn parse<T: Input>(value: Value, mut faults: Faults, app: &App) -> Result<T, Problem> {
    if let Err(found) = validator_for::<T>().validate(&value) {
        faults.append(found);
    }
    faults.extend(T::check(&value, app));
    // Bodies are stored in clear, so no text in them may hold an MCP key.
    if !T::MAY_HOLD_KEYS {
        each_text(&value, "", |path, text| {
            faults.extend(without_key(text).err().map(|message| Fault::new(path.to_string(), message)));
        });
    }
    if faults.is_empty() {
        return serde_path_to_error::deserialize(value)
            .map_err(|error| Problem::invalid_request(Fault::new(error.path().to_string(), error.inner())));
    }
    Err(Problem::invalid_request(faults))
}

/// Validators are compiled once: that costs more than a request.
fn validator_for<T: Input>() -> Arc<InputValidator> {
    static VALIDATORS: LazyLock<Mutex<HashMap<TypeId, Arc<InputValidator>>>> = LazyLock::new(Mutex::default);
    let mut validators = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    let compile = || {
        let wording = Wording {
            root: "body",
            prefixed: false,
            unknown_field: "is not known here",
            patterns: T::PATTERNS,
        };
        Arc::new(InputValidator::with_formats::<T>(wording, schemas::FORMATS))
    };
    Arc::clone(validators.entry(TypeId::of::<T>()).or_insert_with(compile))
}

/// Trims the named fields, and the items of those that are lists.
pub(crate) fn trim_fields(value: &mut Value, names: &[&str]) {
    fn trim(value: &mut Value) {
        match value {
            Value::String(text) => *text = text.trim().to_owned(),
            Value::Array(items) => items.iter_mut().for_each(trim),
            _ => {}
        }
    }
    for name in names {
        if let Some(field) = value.get_mut(*name) {
            trim(field);
        }
    }
}
