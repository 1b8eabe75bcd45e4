//! The list of tools in a fixed order. A tool is found, its arguments are checked, and it is run from here.

use std::{
    fmt::Write,
    future::Future,
    pin::Pin,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use svc_mcp_access::{
    Fault, Faults, ToolAccess,
    decision::{self, KeyState},
    idempotency::IdempotencyKey,
};

use crate::{
    activity::ListActivity,
    analysis::{AnalysisHandler, GetAnalysis, ListAnalyses, RunAnalysis},
    approvals::{ApprovalNoticeJob, GetApproval, ListApprovals},
    audit::{AuditSite, GetAudit, ListAuditIssues, ListAudits, ListPages, RunAudit},
    brand::GetBrand,
    idempotency_argument::{take_idempotency_key, with_idempotency_key},
    jobs::JobHandler,
    keywords::{GetKeywordSearch, KeywordResearchSearch, ListKeywordSearches},
    large_input,
    net::{HTTP_URL_MESSAGE, UrlError, parse_http_url},
    normalize::normalize,
    page::DEFAULT_LIMIT,
    posts::{
        CancelPost, CreatePost, GetPost, ListPosts, PublishJob, PublishPost, UpdatePost, ValidatePost,
        WithdrawJob, WithdrawPost,
    },
    report::{ListReportEmails, PreviewReport, SendEmailJob, SendReportEmail},
    result::{ResultTooLarge, render_result},
    schedules::{CreateSchedule, DeleteSchedule, ListSchedules, ScheduleJob},
    schema::{held_or, listed_input, listed_output, result_schema_for, schema_for},
    shortened_result::render_shortened,
    tool::{Call, FollowUp, Hints, Outcome, Tool, ToolDescription, ToolError},
    validation::{InputValidator, TextFormat, Wording},
};

const WORDING: Wording = Wording {
    root: "arguments",
    prefixed: false,
    unknown_field: "is not an argument of this tool",
    patterns: &[
        ("^[a-z]{2}$", "must be two lower-case letters, such as en"),
        ("^[A-Za-z]{2}$", "must be two letters, such as us"),
    ],
};

/// The tools themselves report what else is wrong with a URL.
const FORMATS: &[TextFormat] = &[TextFormat {
    name: "uri",
    is_valid: |text| parse_http_url(text) != Err(UrlError::NotHttp),
    message: HTTP_URL_MESSAGE,
}];

/// Every tool, ready to be listed and called.
pub struct Registry {
    tools: Vec<Arc<Entry>>,
}

/// One tool with its types erased.
pub struct Entry {
    description: ToolDescription,
    access: ToolAccess,
    hints: Hints,
    plans: bool,
    input_schema: fn() -> Value,
    output_schema: fn() -> Value,
    /// Compiled at the first call of the tool: most keys call only a few tools.
    validator: OnceLock<InputValidator>,
    compile_validator: fn() -> InputValidator,
    parse: ParseFn,
}

type ParseFn = Box<dyn Fn(&Value) -> Result<Box<dyn ErasedCall>, Faults> + Send + Sync>;
/// The MCP result object as text.
pub(crate) type RenderedResult = Result<String, ResultTooLarge>;
pub(crate) type RunFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Outcome<RenderedResult>, ToolError>> + Send + 'a>>;

/// A call with valid arguments.
pub struct PreparedCall {
    pub tool: &'static str,
    pub access: ToolAccess,
    /// The arguments without null fields and without the idempotency key. The idempotency fingerprint is made from them.
    pub arguments: Value,
    /// The argument `idempotency_key`.
    pub(crate) idempotency_key: Option<IdempotencyKey>,
    pub(crate) entry: Arc<Entry>,
    pub(crate) call: Box<dyn ErasedCall>,
}

/// A tool with its parsed arguments, behind `dyn`.
pub(crate) trait ErasedCall: Send {
    fn run(self: Box<Self>, call: &Call) -> RunFuture<'_>;
}

struct TypedCall<T: Tool> {
    tool: Arc<T>,
    arguments: T::Arguments,
    /// The arguments of a read tool as JSON, to ask for a shorter page.
    json: Option<Value>,
}

impl<T: Tool> ErasedCall for TypedCall<T> {
    fn run(self: Box<Self>, call: &Call) -> RunFuture<'_> {
        Box::pin(async move {
            let Outcome { output, changes, follow_up } = self.tool.run(call, self.arguments).await?;
            let follow_up = follow_up.map(|follow_up| -> FollowUp<RenderedResult> {
                Box::pin(async move { follow_up.await.map(|output| render(output).0) })
            });
            let (mut rendered, was_shortened) = render(output);
            if let Some(json) = self.json.filter(|_| was_shortened)
                && let Some(page) = shorter_page(&*self.tool, call, json).await?
            {
                rendered = Ok(page);
            }
            Ok(Outcome { output: rendered, changes, follow_up })
        })
    }
}

/// The result, and whether it was too long and was shortened.
fn render(output: impl Serialize) -> (RenderedResult, bool) {
    match render_result(&output, false) {
        Ok(rendered) => (Ok(rendered), false),
        Err(ResultTooLarge) => (render_shortened(&output), true),
    }
}

/// Calls a list with a smaller `limit`, until its page is short enough. `None`: the tool is no list, or one item is too long.
async fn shorter_page<T: Tool>(
    tool: &T,
    call: &Call,
    mut arguments: Value,
) -> Result<Option<String>, ToolError> {
    if !schema_for::<T::Arguments>()["properties"]["limit"].is_object() {
        return Ok(None);
    }
    let mut limit = arguments["limit"].as_u64().unwrap_or(DEFAULT_LIMIT.into());
    while limit > 1 {
        limit /= 2;
        arguments["limit"] = limit.into();
        let Ok(fewer) = T::Arguments::deserialize(&arguments) else { return Ok(None) };
        let page = tool.run(call, fewer).await.map(|outcome| render_result(&outcome.output, false))?;
        if page.is_ok() {
            return Ok(page.ok());
        }
    }
    Ok(None)
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            tools: vec![
                Entry::new(GetBrand),
                Entry::new(ListPosts),
                Entry::new(GetPost),
                Entry::new(ValidatePost),
                Entry::new(ListAudits),
                Entry::new(GetAudit),
                Entry::new(ListAuditIssues),
                Entry::new(ListPages),
                Entry::new(ListAnalyses),
                Entry::new(GetAnalysis),
                Entry::new(ListKeywordSearches),
                Entry::new(GetKeywordSearch),
                Entry::new(PreviewReport),
                Entry::new(ListReportEmails),
                Entry::new(GetApproval),
                Entry::new(ListApprovals),
                Entry::new(ListSchedules),
                Entry::new(ListActivity),
                Entry::new(CreatePost),
                Entry::new(UpdatePost),
                Entry::new(PublishPost),
                Entry::new(CancelPost),
                Entry::new(WithdrawPost),
                Entry::new(RunAudit),
                Entry::new(RunAnalysis),
                Entry::new(KeywordResearchSearch),
                Entry::new(SendReportEmail),
                Entry::new(CreateSchedule),
                Entry::new(DeleteSchedule),
            ],
        }
    }
}

/// The handlers of background jobs, one for each kind.
pub fn job_handlers() -> Vec<Box<dyn JobHandler>> {
    vec![
        Box::new(AuditSite),
        Box::new(AnalysisHandler),
        Box::new(PublishJob),
        Box::new(WithdrawJob),
        Box::new(SendEmailJob),
        Box::new(ApprovalNoticeJob),
        Box::new(ScheduleJob),
    ]
}

impl Registry {
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.tools.iter().map(Arc::as_ref)
    }

    pub fn find(&self, name: &str) -> Option<&Arc<Entry>> {
        self.tools.iter().find(|entry| entry.description.name == name)
    }
}

impl decision::Catalog for Registry {
    type Prepared = PreparedCall;

    fn access_of(&self, tool: &str) -> Option<ToolAccess> {
        self.find(tool).map(|entry| entry.access)
    }

    fn nearest(&self, tool: &str, key_state: &KeyState) -> Option<String> {
        // The comparison costs the product of both lengths, so a long name is cut.
        let name: String = tool.chars().take(64).collect();
        let name = name.to_lowercase().replace(['-', '.', ' '], "_");
        let max_edits = 1 + name.chars().count() / 5;
        self.entries()
            .filter(|entry| key_state.may_call(entry.description.name, entry.access))
            .map(|entry| (strsim::osa_distance(&name, entry.description.name), entry.description.name))
            .filter(|(edits, _)| *edits <= max_edits)
            .min_by_key(|(edits, _)| *edits)
            .map(|(_, name)| name.to_owned())
    }

    async fn prepare(&self, tool: &str, arguments: Value) -> Result<PreparedCall, Faults> {
        let entry = self.find(tool).ok_or_else(|| Fault::new("name", "there is no such tool"))?;
        if large_input::is_large(&arguments) {
            let entry = Arc::clone(entry);
            return large_input::run(move || entry.prepare(arguments)).await;
        }
        entry.prepare(arguments)
    }
}

impl Entry {
    fn new<T: Tool>(tool: T) -> Arc<Self> {
        let tool = Arc::new(tool);
        Arc::new(Self {
            description: T::DESCRIPTION,
            access: T::ACCESS,
            hints: T::HINTS,
            plans: T::PLANS,
            input_schema: match T::ACCESS {
                ToolAccess::Read => schema_for::<T::Arguments>,
                ToolAccess::Write => || with_idempotency_key(schema_for::<T::Arguments>()),
            },
            output_schema: match T::ACCESS {
                ToolAccess::Read => result_schema_for::<T::Output>,
                ToolAccess::Write => || held_or(result_schema_for::<T::Output>()),
            },
            validator: OnceLock::new(),
            compile_validator: || InputValidator::with_formats::<T::Arguments>(WORDING, FORMATS),
            parse: Box::new(move |value| {
                let arguments =
                    T::Arguments::deserialize(value).map_err(|_| parse_fault::<T::Arguments>(value))?;
                let faults = T::check(&arguments);
                if !faults.is_empty() {
                    return Err(faults.into());
                }
                let json = (T::ACCESS == ToolAccess::Read).then(|| value.clone());
                Ok(Box::new(TypedCall { tool: Arc::clone(&tool), arguments, json }) as Box<dyn ErasedCall>)
            }),
        })
    }

    fn prepare(self: &Arc<Self>, mut arguments: Value) -> Result<PreparedCall, Faults> {
        let idempotency_key = match self.access {
            ToolAccess::Read => Ok(None),
            ToolAccess::Write => take_idempotency_key(&mut arguments),
        };
        let validator = self.validator.get_or_init(self.compile_validator);
        normalize(&mut arguments, validator.schema());
        let validated = validator.validate(&arguments);
        let (idempotency_key, call) = match (idempotency_key, validated) {
            (Ok(key), Ok(())) => (key, self.parse(&arguments)?),
            (Ok(_), Err(faults)) => return Err(faults),
            (Err(fault), validated) => {
                let mut faults = validated.err().unwrap_or_default();
                faults.push(fault);
                return Err(faults);
            }
        };
        let (tool, access, entry) = (self.description.name, self.access, Arc::clone(self));
        Ok(PreparedCall { tool, access, arguments, idempotency_key, entry, call })
    }

    /// Parses arguments that fit the schema.
    pub(crate) fn parse(&self, arguments: &Value) -> Result<Box<dyn ErasedCall>, Faults> {
        (self.parse)(arguments)
    }

    pub fn description(&self) -> &ToolDescription {
        &self.description
    }

    pub fn access(&self) -> ToolAccess {
        self.access
    }

    pub(crate) fn plans(&self) -> bool {
        self.plans
    }

    pub fn input_schema(&self) -> Value {
        (self.input_schema)()
    }

    /// The whole schema; [`Self::definition`] has a short one.
    pub fn output_schema(&self) -> Value {
        (self.output_schema)()
    }

    /// The MCP Tool object. It is short: each agent reads the definitions of all its tools in each session.
    pub fn definition(&self) -> Value {
        let ToolDescription { name, title, description, example } = self.description;
        let mut annotations = json!({
            "readOnlyHint": self.access == ToolAccess::Read,
            "openWorldHint": self.hints.open_world,
        });
        let mut text = description.to_owned();
        // The protocol ignores the other hints of a tool that only reads, and a wrong call of it does no harm.
        if self.access == ToolAccess::Write {
            annotations["destructiveHint"] = self.hints.destructive.into();
            annotations["idempotentHint"] = self.hints.idempotent.into();
            let _ = write!(text, "\nExample: {example}");
        }
        json!({
            "name": name,
            "title": title,
            "description": text,
            "inputSchema": listed_input(self.input_schema()),
            "outputSchema": listed_output(&self.output_schema()),
            "annotations": annotations,
        })
    }
}

/// Parses again, to learn the field. The schema has accepted the value, so this is rare.
fn parse_fault<T: DeserializeOwned>(value: &Value) -> Fault {
    match serde_path_to_error::deserialize::<_, T>(value) {
        Err(error) if error.path().iter().len() > 0 => Fault::new(error.path().to_string(), error.inner()),
        Err(error) => Fault::new(WORDING.root, error.inner()),
        Ok(_) => Fault::new(WORDING.root, "is not valid"),
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.tools.iter().map(|entry| entry.description.name)).finish()
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Entry").field(&self.description.name).finish()
    }
}

impl std::fmt::Debug for PreparedCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreparedCall").field("tool", &self.tool).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use svc_mcp_access::decision::Catalog;

    use super::*;

    async fn faults(tool: &str, arguments: Value) -> Vec<(String, String)> {
        let faults = Registry::default().prepare(tool, arguments).await.expect_err("must be refused");
        faults.into_iter().map(|fault| (fault.field, fault.message)).collect()
    }

    #[tokio::test]
    async fn every_example_passes_its_own_schema() {
        let registry = Registry::default();
        for entry in registry.entries() {
            let example = serde_json::from_str(entry.description.example).expect("an example is JSON");
            let prepared = registry.prepare(entry.description.name, example).await;
            assert!(prepared.is_ok(), "{}: {prepared:?}", entry.description.name);
        }
    }

    #[tokio::test]
    async fn all_faults_are_reported_at_once_with_their_fields() {
        let faults = faults(
            "create_post",
            json!({"channels": [], "mode": "shout", "colour": "red", "media": [{"alt": 3}], "link": 7}),
        )
        .await;
        let fields: Vec<&str> = faults.iter().map(|(field, _)| field.as_str()).collect();
        for field in ["text", "channels", "mode", "colour", "media[0].url", "media[0].alt", "link"] {
            assert!(fields.contains(&field), "{field} is missing from {faults:?}");
        }
    }

    #[tokio::test]
    async fn every_write_tool_takes_an_idempotency_key_and_no_read_tool_does() {
        let registry = Registry::default();
        for entry in registry.entries() {
            let is_write = entry.access == ToolAccess::Write;
            assert_eq!(entry.input_schema()["properties"]["idempotency_key"].is_object(), is_write);
            let mut arguments: Value = serde_json::from_str(entry.description.example).expect("JSON");
            let example = arguments.clone();
            arguments["idempotency_key"] = json!("monday-1");
            match registry.prepare(entry.description.name, arguments).await {
                Ok(prepared) => {
                    assert!(is_write, "{}", entry.description.name);
                    assert_eq!(prepared.idempotency_key, "monday-1".parse().ok());
                    assert_eq!(prepared.arguments, example);
                }
                Err(_) => assert!(!is_write, "{}", entry.description.name),
            }
        }
        let no_key = json!({"text": "x", "channels": ["feed"], "idempotency_key": null});
        assert_eq!(
            registry.prepare("create_post", no_key).await.expect("null is no key").idempotency_key,
            None
        );
    }

    #[tokio::test]
    async fn fault_of_the_idempotency_key_is_reported_with_the_others() {
        for key in [json!(""), json!("two words"), json!(7), json!("x".repeat(256))] {
            let faults = faults("create_post", json!({"channels": ["feed"], "idempotency_key": key})).await;
            let fields: Vec<&str> = faults.iter().map(|(field, _)| field.as_str()).collect();
            assert_eq!(fields, ["idempotency_key", "text"]);
        }
    }

    #[tokio::test]
    async fn arguments_that_are_not_an_object_are_refused() {
        assert_eq!(faults("get_brand", json!([])).await[0].0, "arguments");
    }

    /// Reports the thread that checks its arguments.
    struct ThreadProbe;

    #[derive(Deserialize, schemars::JsonSchema)]
    struct ProbeArguments {
        #[serde(rename = "text")]
        _text: String,
    }

    impl Tool for ThreadProbe {
        type Arguments = ProbeArguments;
        type Output = ();

        const ACCESS: ToolAccess = ToolAccess::Read;
        const HINTS: Hints = Hints::READ;
        const DESCRIPTION: ToolDescription =
            ToolDescription { name: "probe", title: "", description: "", example: "{}" };

        fn check(_: &ProbeArguments) -> Vec<Fault> {
            vec![Fault::new("thread", format!("{:?}", std::thread::current().id()))]
        }

        async fn run(&self, _: &Call, _: ProbeArguments) -> Result<Outcome<()>, ToolError> {
            Ok(Outcome::new(()))
        }
    }

    #[tokio::test]
    async fn large_arguments_are_checked_on_another_thread() {
        let registry = Registry { tools: vec![Entry::new(ThreadProbe)] };
        let here = format!("{:?}", std::thread::current().id());
        for (length, is_here) in [(1_000, true), (100_000, false)] {
            let refused = registry.prepare("probe", json!({"text": "x".repeat(length)})).await;
            let faults: Vec<Fault> = refused.expect_err("it always refuses").into_iter().collect();
            assert_eq!(faults[0].message == here, is_here, "{length}");
        }
    }
}
