//! The list of tools in a fixed order. A tool is found, its arguments are checked, and it is run from here.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, OnceLock},
};

use serde::Deserialize;
use serde_json::{Value, json};
use svc_mcp_access::{Fault, Faults, ToolAccess, decision};

use crate::{
    analysis::{AnalysisHandler, GetAnalysis, ListAnalyses, RunAnalysis},
    approvals::{ApprovalNoticeJob, GetApproval, ListApprovals},
    audit::{AuditSite, GetAudit, ListAuditIssues, ListAudits, RunAudit},
    brand::GetBrand,
    jobs::JobHandler,
    keywords::{GetKeywordSearch, KeywordResearchSearch, ListKeywordSearches},
    large_input,
    posts::{
        CancelPost, CreatePost, GetPost, ListPosts, PublishJob, PublishPost, UpdatePost, ValidatePost,
        WithdrawJob, WithdrawPost,
    },
    report::{ListReportEmails, PreviewReport, SendEmailJob, SendReportEmail},
    result::{ResultTooLarge, render_result},
    schema::{held_or, result_schema_for, schema_for, without_descriptions},
    tool::{Call, FollowUp, Hints, Outcome, Tool, ToolDescription, ToolError},
    validation::{InputValidator, Wording},
};

const WORDING: Wording = Wording {
    root: "arguments",
    prefixed: false,
    unknown_field: "is not an argument of this tool",
    patterns: &[],
};

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
    /// The arguments as they were sent. The idempotency fingerprint is made from them.
    pub arguments: Value,
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
}

impl<T: Tool> ErasedCall for TypedCall<T> {
    fn run(self: Box<Self>, call: &Call) -> RunFuture<'_> {
        Box::pin(async move {
            let outcome = self.tool.run(call, self.arguments).await?;
            let render = |output| render_result(&output, false);
            let follow_up = outcome.follow_up.map(|follow_up| -> FollowUp<RenderedResult> {
                Box::pin(async move { follow_up.await.map(render) })
            });
            Ok(Outcome { output: render(outcome.output), changes: outcome.changes, follow_up })
        })
    }
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
                Entry::new(ListAnalyses),
                Entry::new(GetAnalysis),
                Entry::new(ListKeywordSearches),
                Entry::new(GetKeywordSearch),
                Entry::new(PreviewReport),
                Entry::new(ListReportEmails),
                Entry::new(GetApproval),
                Entry::new(ListApprovals),
                Entry::new(CreatePost),
                Entry::new(UpdatePost),
                Entry::new(PublishPost),
                Entry::new(CancelPost),
                Entry::new(WithdrawPost),
                Entry::new(RunAudit),
                Entry::new(RunAnalysis),
                Entry::new(KeywordResearchSearch),
                Entry::new(SendReportEmail),
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

    fn nearest(&self, tool: &str) -> Option<String> {
        // The comparison costs the product of both lengths, so a long name is cut.
        let name: String = tool.chars().take(64).collect();
        let similarity = |entry: &Arc<Entry>| strsim::jaro_winkler(&name, entry.description.name);
        self.tools
            .iter()
            .max_by(|one, other| similarity(one).total_cmp(&similarity(other)))
            .map(|entry| entry.description.name.to_owned())
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
            input_schema: schema_for::<T::Arguments>,
            output_schema: match T::ACCESS {
                ToolAccess::Read => result_schema_for::<T::Output>,
                ToolAccess::Write => || held_or(result_schema_for::<T::Output>()),
            },
            validator: OnceLock::new(),
            compile_validator: || InputValidator::new::<T::Arguments>(WORDING),
            parse: Box::new(move |value| {
                let arguments =
                    T::Arguments::deserialize(value).map_err(|error| Fault::new("arguments", error))?;
                let faults = T::check(&arguments);
                if !faults.is_empty() {
                    return Err(faults.into());
                }
                Ok(Box::new(TypedCall { tool: Arc::clone(&tool), arguments }) as Box<dyn ErasedCall>)
            }),
        })
    }

    fn prepare(self: &Arc<Self>, arguments: Value) -> Result<PreparedCall, Faults> {
        self.validator.get_or_init(self.compile_validator).validate(&arguments)?;
        let call = self.parse(&arguments)?;
        let (tool, access, entry) = (self.description.name, self.access, Arc::clone(self));
        Ok(PreparedCall { tool, access, arguments, entry, call })
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

    /// With descriptions; [`Self::definition`] has none.
    pub fn output_schema(&self) -> Value {
        (self.output_schema)()
    }

    /// The MCP Tool object. Its output schema has no descriptions: clients use it only to check results, and every
    /// client pays for its size.
    pub fn definition(&self) -> Value {
        let description = &self.description;
        json!({
            "name": description.name,
            "title": description.title,
            "description": format!("{}\n\nExample arguments: {}", description.description, description.example),
            "inputSchema": self.input_schema(),
            "outputSchema": without_descriptions(self.output_schema()),
            "annotations": {
                "title": description.title,
                "readOnlyHint": self.access == ToolAccess::Read,
                "destructiveHint": self.hints.destructive,
                "idempotentHint": self.hints.idempotent,
                "openWorldHint": self.hints.open_world,
            },
        })
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

    #[test]
    fn a_mistyped_tool_name_gets_a_suggestion() {
        let registry = Registry::default();
        assert_eq!(registry.nearest("list_post"), Some("list_posts".into()));
        assert_eq!(registry.nearest("getbrand"), Some("get_brand".into()));
    }
}
