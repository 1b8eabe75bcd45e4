//! The API document states the limits that the server enforces: values at each limit are accepted, values just beyond it
//! are refused with the name of the field. The cases are generated from the document.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp::http::router;

use crate::support::{BRAND, OTHER_BRAND, Reply, TestApp};

/// A value for one field, and whether the document allows it.
struct Case {
    field: String,
    value: Value,
    allowed: bool,
}

/// A valid body of each operation that has one. An operation without an entry fails the test.
fn valid_bodies(id: &str) -> Vec<Value> {
    match id {
        "create_key" => vec![json!({"label": "agent"})],
        "update_key" => vec![json!({"paused": true})],
        "put_plan" => vec![json!({"name": "Business", "mcp_enabled": true})],
        "put_brand" => {
            vec![json!({"name": "Acme", "website": "https://acme.example", "plan_id": "business"})]
        }
        "approve" => vec![json!({"digest": "what-was-seen"})],
        "reject" => vec![json!({"reason": "Not now"})],
        "put_approval_emails" => vec![json!({"enabled": false})],
        "put_member" => vec![json!({"role": "member"})],
        "put_recipients" => vec![json!({"recipients": []})],
        "put_channel" => vec![
            json!({"kind": "webhook", "settings": {"url": "https://hooks.example"}}),
            json!({"kind": "mastodon", "settings": {"server": "https://m.example", "access_token": "token"}}),
            json!({"kind": "bluesky", "settings": {"identifier": "acme.example", "app_password": "pw"}}),
        ],
        "put_event_endpoint" => vec![json!({"url": "https://hooks.example"})],
        "patch_post" => vec![json!({"title": "A title"})],
        "publish_post"
        | "cancel_post"
        | "withdraw_post"
        | "retry_post"
        | "rotate_key"
        | "suspend_brand"
        | "resume_jobs"
        | "run_audit"
        | "patch_approval_settings"
        | "patch_managed_brand" => vec![json!({})],
        "create_schedule" => vec![
            json!({"kind": "audit", "every": "week", "weekday": "monday", "at": "09:00"}),
            json!({"kind": "audit", "every": "month", "day": 1, "at": "09:00"}),
        ],
        "call_tool" => vec![json!({"name": "get_brand"})],
        "report_leaked_keys" => vec![json!({"keys": ["no key"]})],
        "find_key" => vec![json!({"secret": "no key"})],
        "create_session" => vec![json!({"code": "no code"})],
        other => panic!("add a valid body of {other}"),
    }
}

/// Texts that match a pattern, and texts that do not. A pattern without an entry fails the test.
fn samples(pattern: &str) -> (Vec<String>, Vec<&'static str>) {
    let (good, bad): (&[&str], &[&'static str]) = match pattern {
        r"^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$" => (&["x", "é", "a b"], &[" ", "a\u{1}b", "a\nb"]),
        "^[A-Za-z0-9_-]{1,64}$" => (&["a", "A-b_9"], &["", "a b", "é", "a.b"]),
        "^[a-z]{2,3}$" => (&["de", "fil"], &["", "DE", "d", "de-AT", "four"]),
        r"^[^\s\p{Cc}]+$" => (&["ada", "auth0|é"], &["", "a b", "a\u{1}b"]),
        "^[A-Za-z0-9_-]+$" => (&["MC54"], &["", "%"]),
        "^[!-~]{1,500}$" => (&["t", "~!a"], &["", "a b", "é"]),
        "^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$" => (&["en", "pt-BR"], &["", "e n", "en-"]),
        other if other.starts_with("^whsec_") => {
            (&["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], &["", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
        }
        other if other.contains("localhost") => (
            &["https://m.example", "http://127.0.0.1:3000"],
            &["", "http://m.example", "https://m.example/path"],
        ),
        other if other.contains("[Hh][Tt][Tt][Pp]") => (
            &["https://a.example", "HTTP://a.example/b?c#d"],
            &["", "a.example", "ftp://a.example", "https://"],
        ),
        other if other.contains("[.:]") => (&["acme.bsky.social", "did:plc:abc"], &["", "acme", "a b.c"]),
        other if other.contains('@') => {
            (&["ada@acme.example"], &["", "ada", "@acme.example", "ada@acme", "a b@acme.example"])
        }
        other => panic!("add samples of the pattern {other}"),
    };
    (good.iter().map(|text| (*text).to_owned()).collect(), bad.to_vec())
}

/// A text of this length that the schema allows, if one is easy to make.
fn text_of_length(schema: &Value, length: usize) -> Option<String> {
    let pattern = schema["pattern"].as_str().unwrap_or_default();
    match schema["format"].as_str() {
        Some("uri") => Some(format!("{:x<length$}", "https://a.example/")),
        Some("email") | None if pattern.contains('@') && !pattern.starts_with(r"^\s*") => {
            let labels = ".example".repeat(30);
            (length > 200).then(|| format!("{}@a{}", "x".repeat(length - 2 - labels.len()), labels))
        }
        None if pattern == "^[A-Za-z0-9_-]+$" => {
            length.is_multiple_of(4).then(|| format!("MC54{}", "eHh4".repeat(length / 4 - 1)))
        }
        None if pattern.is_empty() || pattern.starts_with(r"^[^\p{Cc}]*[") => Some("x".repeat(length)),
        _ => None,
    }
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The values of a field at its limits and just beyond them.
fn values(schema: &Value) -> Vec<(Value, bool)> {
    let mut values = Vec::new();
    let types = types(schema);
    let limit = |name: &str| schema[name].as_u64();
    if let Some(choices) = schema["enum"].as_array() {
        values.extend(choices.iter().map(|choice| (choice.clone(), true)));
        values.push((json!("no-such-choice"), false));
        return values;
    }
    for (kind, wrong) in
        [("string", json!("text")), ("integer", json!(7)), ("boolean", json!(true)), ("array", json!([]))]
    {
        if !types.contains(&kind) {
            values.push((wrong, false));
        }
    }
    values.push((Value::Null, types.contains(&"null")));
    if types.contains(&"string") {
        if let Some(pattern) = schema["pattern"].as_str() {
            let (good, bad) = samples(pattern);
            values.extend(good.into_iter().map(|text| (json!(text), true)));
            values.extend(bad.into_iter().map(|text| (json!(text), false)));
        }
        for (length, allowed) in [
            (limit("minLength"), true),
            (limit("maxLength"), true),
            (limit("maxLength").map(|max| max + 1), false),
        ] {
            let text = length.and_then(|length| text_of_length(schema, usize::try_from(length).unwrap()));
            values.extend(text.map(|text| (json!(text), allowed)));
        }
        if schema["format"] == "time-zone" {
            values.extend([(json!("Europe/Berlin"), true), (json!("UTC"), true), (json!("Berlin"), false)]);
        }
        if schema["format"] == "ip-network" {
            values.extend([(json!("203.0.113.0/24"), true), (json!("2001:db8::1"), true)]);
            values.extend([(json!("203.0.113.7/24"), false), (json!("acme.example"), false)]);
        }
        if schema["format"] == "time-of-day" {
            values.extend([(json!("23:59"), true), (json!("24:00"), false), (json!("9am"), false)]);
        }
        if schema["format"] == "date-time" {
            values.push((json!("2036-01-01T00:00:00Z"), true));
            values.push((json!("2036-01-01"), false));
        }
    }
    if types.contains(&"integer") {
        let (min, max) = (schema["minimum"].as_i64(), schema["maximum"].as_i64());
        values.extend(min.into_iter().flat_map(|min| [(json!(min), true), (json!(min - 1), false)]));
        values.extend(max.into_iter().flat_map(|max| [(json!(max), true), (json!(max + 1), false)]));
        values.push((json!(1.5), false));
    }
    if types.contains(&"boolean") {
        values.extend([(json!(true), true), (json!(false), true)]);
    }
    if types.contains(&"array") {
        let items = self::values(&schema["items"]);
        // Objects, and texts that depend on what is stored, have no sample.
        let Some((good, _)) = items.iter().find(|(_, allowed)| *allowed).cloned() else { return values };
        let list = |length: u64| Value::from(vec![good.clone(); usize::try_from(length).unwrap()]);
        values.extend(items.into_iter().map(|(item, allowed)| (json!([item]), allowed)));
        values.extend(
            limit("minItems").into_iter().flat_map(|min| [(list(min), true), (list(min - 1), false)]),
        );
        values.extend(
            limit("maxItems").into_iter().flat_map(|max| [(list(max), true), (list(max + 1), false)]),
        );
    }
    values
}

/// The cases of an object's fields, and of the objects in it.
fn cases(document: &Value, schema: &Value, place: &str) -> Vec<Case> {
    let schema = resolve(document, schema);
    assert_eq!(schema["additionalProperties"], false, "{place} must refuse unknown fields");
    let mut cases = vec![Case { field: format!("{place}no_such_field"), value: json!(1), allowed: false }];
    for (name, property) in schema["properties"].as_object().unwrap() {
        let property = resolve(document, property);
        let field = format!("{place}{name}");
        if property["properties"].is_object() {
            cases.extend(self::cases(document, &property, &format!("{field}.")));
        } else {
            let case = |(value, allowed)| Case { field: field.clone(), value, allowed };
            cases.extend(values(&property).into_iter().map(case));
        }
    }
    cases
}

/// Follows a reference, and joins the two forms of a field that may be null.
fn resolve(document: &Value, schema: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return document.pointer(reference.trim_start_matches('#')).unwrap().clone();
    }
    let Some([inner, null]) = schema["anyOf"].as_array().map(Vec::as_slice) else { return schema.clone() };
    assert_eq!(null, &json!({"type": "null"}));
    let mut inner = resolve(document, inner);
    if let Some(choices) = inner.get_mut("enum").and_then(Value::as_array_mut) {
        choices.push(Value::Null);
    }
    inner["type"] = json!([inner["type"], "null"]);
    inner
}

/// The alternative of a tagged union that a body belongs to, or the schema itself.
fn alternative(document: &Value, schema: &Value, body: &Value) -> Value {
    let schema = resolve(document, schema);
    let Some(alternatives) = schema["oneOf"].as_array() else { return schema };
    let fits = |one: &&Value| one["properties"]["kind"]["const"] == body["kind"];
    alternatives.iter().find(fits).unwrap_or_else(|| panic!("no alternative for {body}")).clone()
}

fn set(body: &mut Value, field: &str, value: Value) {
    match field.split_once('.') {
        Some((outer, inner)) => set(&mut body[outer], inner, value),
        None => body[field] = value,
    }
}

fn verdict(reply: &Reply, case: &Case) -> Option<String> {
    assert_ne!(reply.status, 429, "the test needs another key");
    let named = reply.faulty_fields().into_iter().any(|field| {
        field.strip_prefix(&case.field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
    });
    let refused = reply.status == 422 && named;
    let wrong = if case.allowed { refused } else { !refused };
    wrong.then(|| {
        let text: String = case.value.to_string().chars().take(60).collect();
        format!("{} = {text}: allowed is {}, but {}", case.field, case.allowed, reply.text)
    })
}

#[tokio::test]
async fn bodies_are_accepted_up_to_the_documented_limits_and_not_beyond() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "in the path"})).await;
    let asks = app.create_key(json!({"label": "asks", "scope": "write", "approval": "all"})).await;
    let post = json!({"text": "Hello", "channels": ["feed"]});
    let held = app.call(&asks.api_key, "create_post", post).await.expect_status(200);
    let approval_id = held.body["structuredContent"]["approval_id"].as_str().unwrap();
    // Made first: the cases of `create_key` use up the quota of keys.
    let reader = app.key("read").await;
    let document = router::document();
    let mut wrong = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            if schema.is_null() {
                continue;
            }
            let id = operation["operationId"].as_str().unwrap();
            // An operator can do the same to posts as a member.
            let id = id.strip_prefix("operator_").unwrap_or(id);
            // A suspended brand is of no use to the other operations.
            let brand = if id == "suspend_brand" { OTHER_BRAND } else { BRAND };
            let path = path
                .replace("{brand_id}", brand)
                .replace("{key_id}", &key.key_id)
                .replace("{approval_id}", approval_id)
                .replace("{plan_id}", "business")
                .replace("{user_id}", "zoe")
                .replace("{channel_id}", "limits")
                .replace("{endpoint_id}", "limits");
            let token = match operation["tags"][0].as_str().unwrap() {
                "tools" => reader.clone(),
                "operator" => app.operator(),
                _ => app.token("ada"),
            };
            for valid in valid_bodies(id) {
                let fields = cases(&document, &alternative(&document, schema, &valid), "");
                for case in fields.into_iter().filter(|case| !is_stored(id, case)) {
                    let mut body = valid.clone();
                    set(&mut body, &case.field, case.value.clone());
                    if id == "report_leaked_keys" {
                        // An address has 20 reports a minute.
                        app.clock.advance(Duration::from_secs(4));
                    }
                    let mut request = app.request(&method.to_uppercase(), &path);
                    // A sign-in has a code instead of a token, and comes from the page of the service.
                    request = match id {
                        "create_session" => request.header("sec-fetch-site", "same-origin"),
                        _ => request.bearer(&token),
                    };
                    let reply = request.json(&body).await;
                    wrong.extend(verdict(&reply, &case).map(|text| format!("{id}: {text}")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether it depends on what is stored, and not only on the schema, if a value is accepted.
fn is_stored(id: &str, case: &Case) -> bool {
    case.allowed && matches!((id, case.field.as_str()), ("put_brand", "plan_id"))
        // It depends on `every` which of the two is needed.
        || case.allowed && id == "create_schedule" && matches!(case.field.as_str(), "weekday" | "day")
        // An empty text removes them, so the schema states no format.
        || case.allowed && id == "patch_post" && matches!(case.field.as_str(), "link" | "scheduled_at")
        // A time may have no zone, which is no format of JSON Schema.
        || case.allowed && (id, case.field.as_str()) == ("publish_post", "scheduled_at")
        // Only a page of the brand's own site can be audited.
        || case.allowed && (id, case.field.as_str()) == ("run_audit", "url")
        // Sessions for frames need `SVC_FRAME_ANCESTORS`.
        || case.allowed && (id, case.field.as_str()) == ("create_session", "embedded")
        // The schema cannot state what a key is.
        || case.allowed && (id, case.field.as_str()) == ("find_key", "secret")
        // Null stands for a stored secret, and there is none.
        || matches!(case.field.as_str(), "settings.access_token" | "settings.app_password") && case.value.is_null()
}

#[tokio::test]
async fn queries_are_accepted_up_to_the_documented_limits_and_not_beyond() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "queried"})).await;
    let document = router::document();
    let mut wrong = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
            let address = path.replace("{brand_id}", BRAND).replace("{key_id}", &key.key_id);
            let is_operator = operation["tags"][0] == "operator";
            let token = if is_operator { app.operator() } else { app.token("ada") };
            let query = parameters.iter().filter(|parameter| parameter["in"] == "query");
            for parameter in query {
                let field = parameter["name"].as_str().unwrap().to_owned();
                for (value, allowed) in values(&parameter["schema"]) {
                    // A query has no types: a number is a good text.
                    let is_text = types(&parameter["schema"]) == ["string"];
                    if value.is_null() || value.is_array() || is_text && !value.is_string() {
                        continue;
                    }
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    let pair = url::form_urlencoded::Serializer::new(String::new())
                        .append_pair(&field, &text)
                        .finish();
                    let request = app.request(&method.to_uppercase(), &format!("{address}?{pair}"));
                    let reply = request.bearer(&token).send().await;
                    let case = Case { field: field.clone(), value, allowed };
                    wrong.extend(verdict(&reply, &case).map(|text| format!("{path}: {text}")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
