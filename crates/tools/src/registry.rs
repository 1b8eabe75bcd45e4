//! The tools there are, in a fixed order, and how one is found, checked and run.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, OnceLock},
};

use jsonschema::{Validator, error::ValidationErrorKind as Kind};
use serde::Deserialize;
use serde_json::{Value, json};
use svc_mcp_access::{Fault, ToolAccess, decision, validate::repeated};

use crate::{
    analysis::{Analyse, GetAnalysis, ListAnalyses, RunAnalysis},
    audit::{AuditSite, GetAudit, ListAuditIssues, ListAudits, RunAudit},
    brand::GetBrand,
    jobs::Work,
    keywords::{GetKeywordSearch, KeywordResearchSearch, ListKeywordSearches},
    posts::{CreatePost, GetPost, ListPosts, Publish, ValidatePost},
    report::{ListReportEmails, PreviewReport, SendMail, SendReportEmail},
    result::result_of,
    schema,
    tool::{Call, Hints, Outcome, Sequel, Stopped, Tool, Words},
};

/// Every tool, ready to be listed and called.
pub struct Registry {
    tools: Vec<Entry>,
}

/// One tool, its types erased.
pub struct Entry {
    words: Words,
    access: ToolAccess,
    hints: Hints,
    input_schema: fn() -> Value,
    output_schema: fn() -> Value,
    /// Made when the tool is first called: most keys call few of the tools.
    arguments: OnceLock<Validator>,
    parse: Parse,
}

type Parse = Box<dyn Fn(&Value) -> Result<Box<dyn Ready>, Vec<Fault>> + Send + Sync>;
/// What a tool gave, written as the MCP result object.
pub(crate) type Ran<'a> = Pin<Box<dyn Future<Output = Result<Outcome<String>, Stopped>> + Send + 'a>>;

/// A call whose arguments have passed their checks.
pub struct Prepared {
    pub tool: &'static str,
    pub access: ToolAccess,
    /// The arguments as they came, for telling two calls apart.
    pub arguments: Value,
    pub(crate) ready: Box<dyn Ready>,
}

pub(crate) trait Ready: Send {
    fn run(self: Box<Self>, call: &Call) -> Ran<'_>;
}

struct ReadyCall<T: Tool> {
    tool: Arc<T>,
    arguments: T::Arguments,
}

impl<T: Tool> Ready for ReadyCall<T> {
    fn run(self: Box<Self>, call: &Call) -> Ran<'_> {
        Box::pin(async move {
            let outcome = self.tool.run(call, self.arguments).await?;
            let written = |output| result_of(&output, false);
            let sequel = outcome
                .sequel
                .map(|sequel| -> Sequel<String> { Box::pin(async move { sequel.await.map(written) }) });
            Ok(Outcome { output: written(outcome.output), changes: outcome.changes, sequel })
        })
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            tools: vec![
                Entry::of(GetBrand),
                Entry::of(ListPosts),
                Entry::of(GetPost),
                Entry::of(ValidatePost),
                Entry::of(ListAudits),
                Entry::of(GetAudit),
                Entry::of(ListAuditIssues),
                Entry::of(ListAnalyses),
                Entry::of(GetAnalysis),
                Entry::of(ListKeywordSearches),
                Entry::of(GetKeywordSearch),
                Entry::of(PreviewReport),
                Entry::of(ListReportEmails),
                Entry::of(CreatePost),
                Entry::of(RunAudit),
                Entry::of(RunAnalysis),
                Entry::of(KeywordResearchSearch),
                Entry::of(SendReportEmail),
            ],
        }
    }
}

/// The work that jobs are done by, one for each kind.
pub fn works() -> Vec<Box<dyn Work>> {
    vec![Box::new(AuditSite), Box::new(Analyse), Box::new(Publish), Box::new(SendMail)]
}

impl Registry {
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.tools.iter()
    }

    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.tools.iter().find(|entry| entry.words.name == name)
    }
}

impl decision::Catalog for Registry {
    type Prepared = Prepared;

    fn access_of(&self, tool: &str) -> Option<ToolAccess> {
        self.find(tool).map(|entry| entry.access)
    }

    fn nearest(&self, tool: &str) -> Option<String> {
        // Only a bounded head is compared: the distance costs the product of both lengths.
        let asked: String = tool.chars().take(64).collect();
        let likeness = |entry: &Entry| strsim::jaro_winkler(&asked, entry.words.name);
        self.tools
            .iter()
            .max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
            .map(|entry| entry.words.name.to_owned())
    }

    fn prepare(&self, tool: &str, arguments: Value) -> Result<Prepared, Vec<Fault>> {
        let entry = self.find(tool).ok_or_else(|| vec![Fault::new("name", "there is no such tool")])?;
        // Looking whether there is a fault is far cheaper than looking for all of them.
        let schema = entry.arguments();
        if !schema.is_valid(&arguments) || has_nul(&arguments) {
            let mut faults: Vec<Fault> =
                schema.iter_errors(&arguments).flat_map(|error| faults_of(&error)).collect();
            nul_faults(&arguments, String::new(), &mut faults);
            return Err(faults);
        }
        let ready = (entry.parse)(&arguments)?;
        Ok(Prepared { tool: entry.words.name, access: entry.access, arguments, ready })
    }
}

impl Entry {
    fn of<T: Tool>(tool: T) -> Self {
        let tool = Arc::new(tool);
        Self {
            words: T::WORDS,
            access: T::ACCESS,
            hints: T::HINTS,
            input_schema: schema::of::<T::Arguments>,
            output_schema: schema::of_result::<T::Output>,
            arguments: OnceLock::new(),
            parse: Box::new(move |value| {
                let arguments =
                    T::Arguments::deserialize(value).map_err(|error| vec![Fault::new("arguments", error)])?;
                let faults = T::check(&arguments);
                if !faults.is_empty() {
                    return Err(faults);
                }
                Ok(Box::new(ReadyCall { tool: Arc::clone(&tool), arguments }) as Box<dyn Ready>)
            }),
        }
    }

    pub fn words(&self) -> &Words {
        &self.words
    }

    pub fn access(&self) -> ToolAccess {
        self.access
    }

    pub fn input_schema(&self) -> Value {
        (self.input_schema)()
    }

    /// With words for people; see [`Self::definition`].
    pub fn output_schema(&self) -> Value {
        (self.output_schema)()
    }

    /// The MCP Tool object. What a result consists of is told without words: clients check results against it, and few
    /// show it to a model, but all carry it.
    pub fn definition(&self) -> Value {
        let words = &self.words;
        json!({
            "name": words.name,
            "title": words.title,
            "description": format!("{}\n\nExample arguments: {}", words.description, words.example),
            "inputSchema": self.input_schema(),
            "outputSchema": schema::without_words(self.output_schema()),
            "annotations": {
                "title": words.title,
                "readOnlyHint": self.access == ToolAccess::Read,
                "destructiveHint": self.hints.destructive,
                "idempotentHint": self.hints.idempotent,
                "openWorldHint": self.hints.open_world,
            },
        })
    }

    fn arguments(&self) -> &Validator {
        self.arguments.get_or_init(|| {
            let options = jsonschema::options().should_validate_formats(true);
            options.build(&self.input_schema()).expect("schemars makes valid schemas")
        })
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.tools.iter().map(|entry| entry.words.name)).finish()
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Entry").field(&self.words.name).finish()
    }
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").field("tool", &self.tool).finish_non_exhaustive()
    }
}

/// PostgreSQL keeps no NUL and does not look for one, so no text of any tool may hold it.
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(fields) => fields.values().any(has_nul),
        _ => false,
    }
}

fn nul_faults(value: &Value, field: String, faults: &mut Vec<Fault>) {
    match value {
        Value::String(text) if text.contains('\0') => {
            faults.push(Fault::new(field, "must not contain the character U+0000"));
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                nul_faults(item, format!("{field}[{index}]"), faults);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = repeated(name);
                let inner = if field.is_empty() { name } else { format!("{field}.{name}") };
                nul_faults(value, inner, faults);
            }
        }
        _ => {}
    }
}

/// A schema error as faults with the field they are about.
fn faults_of(error: &jsonschema::ValidationError<'_>) -> Vec<Fault> {
    let place = field_path(error.instance_path().as_str());
    let inside = |name: &str| {
        if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
    };
    match error.kind() {
        Kind::Required { property } => {
            vec![Fault::new(inside(property.as_str().unwrap_or_default()), "is required")]
        }
        Kind::AdditionalProperties { unexpected } => unexpected
            .iter()
            .map(|name| Fault::new(inside(&repeated(name)), "is not an argument of this tool"))
            .collect(),
        _ => {
            let field = if place.is_empty() { "arguments".to_owned() } else { place };
            vec![Fault::new(field, bounded(error.masked_with("the value").to_string()))]
        }
    }
}

fn bounded(mut message: String) -> String {
    if let Some((end, _)) = message.char_indices().nth(300) {
        message.truncate(end);
        message.push('…');
    }
    message
}

/// `/media/0/url` as `media[0].url`.
fn field_path(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push('[');
            path.push_str(part);
            path.push(']');
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&repeated(&part.replace("~1", "/").replace("~0", "~")));
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use svc_mcp_access::decision::Catalog;

    use super::*;

    fn faults(tool: &str, arguments: Value) -> Vec<(String, String)> {
        let faults = Registry::default().prepare(tool, arguments).expect_err("must be refused");
        faults.into_iter().map(|fault| (fault.field, fault.message)).collect()
    }

    #[test]
    fn every_example_passes_its_own_schema() {
        let registry = Registry::default();
        for entry in registry.entries() {
            let example = serde_json::from_str(entry.words.example).expect("an example is JSON");
            let prepared = registry.prepare(entry.words.name, example);
            assert!(prepared.is_ok(), "{}: {prepared:?}", entry.words.name);
        }
    }

    #[test]
    fn every_fault_is_told_at_once_with_its_field() {
        let faults = faults(
            "create_post",
            json!({"channels": [], "mode": "shout", "colour": "red", "media": [{"alt": 3}], "link": 7}),
        );
        let fields: Vec<&str> = faults.iter().map(|(field, _)| field.as_str()).collect();
        for field in ["text", "channels", "mode", "colour", "media[0].url", "media[0].alt", "link"] {
            assert!(fields.contains(&field), "{field} is missing from {faults:?}");
        }
    }

    #[test]
    fn arguments_that_are_no_object_are_refused() {
        assert_eq!(faults("get_brand", json!([]))[0].0, "arguments");
    }

    #[test]
    fn a_mistyped_name_has_a_nearest_one() {
        let registry = Registry::default();
        assert_eq!(registry.nearest("list_post"), Some("list_posts".into()));
        assert_eq!(registry.nearest("getbrand"), Some("get_brand".into()));
    }
}
