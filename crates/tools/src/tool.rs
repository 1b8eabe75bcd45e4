//! The [`Tool`] trait, the call a tool runs for, and the outcome it returns.

use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use svc_mcp_access::{BrandId, Entropy, Fault, StoreError, Timestamp, ToolAccess, decision::Caller};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

pub use crate::tool_error::{ToolError, ToolFailure};
use crate::{
    Change, CpuPool, Records,
    keywords::{Provider, SearchSlots},
    net::Outbound,
    records::Profile,
};

/// How often [`Call::wait_for`] polls.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How a tool is described to a model.
#[derive(Debug, Clone, Copy)]
pub struct ToolDescription {
    pub name: &'static str,
    pub title: &'static str,
    /// Written for a model: what it does, when to use it, what it returns.
    pub description: &'static str,
    /// Valid arguments as JSON. A test checks them against the schema.
    pub example: &'static str,
}

/// The MCP hints that do not follow from [`Tool::ACCESS`].
#[derive(Debug, Clone, Copy)]
pub struct Hints {
    pub destructive: bool,
    pub idempotent: bool,
    pub open_world: bool,
}

impl Hints {
    /// For read tools: a repeated call changes nothing, and nothing outside the service is touched.
    pub const READ: Self = Self { destructive: false, idempotent: true, open_world: false };
}

pub trait Tool: Send + Sync + 'static {
    type Arguments: DeserializeOwned + JsonSchema + Send + 'static;
    type Output: Serialize + JsonSchema;

    const DESCRIPTION: ToolDescription;
    const ACCESS: ToolAccess;
    const HINTS: Hints;

    /// Finds faults that the schema cannot express, for example in two fields together.
    fn check(_: &Self::Arguments) -> Vec<Fault> {
        Vec::new()
    }

    fn run(
        &self,
        call: &Call,
        arguments: Self::Arguments,
    ) -> impl Future<Output = Result<Outcome<Self::Output>, ToolError>> + Send;
}

/// The call a tool is running for.
#[derive(Clone)]
pub struct Call {
    pub caller: Caller,
    pub now: Timestamp,
    pub context: Arc<ToolContext>,
}

/// What the service provides to its tools. It is the same for every call.
pub struct ToolContext {
    pub records: Arc<dyn Records>,
    pub entropy: Entropy,
    /// The public address of the service, without a trailing slash.
    pub public_url: Arc<str>,
    pub outbound: Outbound,
    /// Runs work that would block the async threads.
    pub cpu: CpuPool,
    /// `None`: the operator configured none.
    pub keyword_provider: Option<Provider>,
    pub search_slots: SearchSlots,
    /// Whether a mail server is configured.
    pub can_mail: bool,
    /// Cancelled when the service stops. A call that waits then returns what it has.
    pub shutdown: CancellationToken,
}

impl Call {
    pub fn brand_id(&self) -> &BrandId {
        &self.caller.key_state.brand_id
    }

    pub async fn profile(&self) -> Result<Arc<Profile>, StoreError> {
        self.context.records.profile_of(&self.caller.key_state).await
    }

    /// Polls until `poll` returns a value, the timeout passes, or the service stops.
    pub async fn wait_for<T, F: Future<Output = Option<T>>>(
        self,
        max_wait: Duration,
        mut poll: impl FnMut(Arc<dyn Records>, BrandId) -> F,
    ) -> Option<T> {
        let records = &self.context.records;
        let polling = async {
            loop {
                if let Some(found) = poll(Arc::clone(records), self.brand_id().clone()).await {
                    return found;
                }
                sleep(POLL_INTERVAL).await;
            }
        };
        tokio::select! {
            found = timeout(max_wait, polling) => found.ok(),
            () = self.context.shutdown.cancelled() => None,
        }
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext").field("public_url", &self.public_url).finish_non_exhaustive()
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("brand_id", self.brand_id())
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

/// A tool's result and the changes that must be committed with it. A read tool has no changes.
pub struct Outcome<T> {
    pub output: T,
    pub changes: Vec<Change>,
    pub follow_up: Option<FollowUp<T>>,
}

/// Runs after the commit. `Some` replaces the output, for example when the work that the call started has ended.
pub type FollowUp<T> = Pin<Box<dyn Future<Output = Option<T>> + Send>>;

impl<T> Outcome<T> {
    pub fn new(output: T) -> Self {
        Self { output, changes: Vec::new(), follow_up: None }
    }

    #[must_use]
    pub fn with_changes(self, changes: Vec<Change>) -> Self {
        Self { changes, ..self }
    }

    #[must_use]
    pub fn with_follow_up(self, follow_up: impl Future<Output = Option<T>> + Send + 'static) -> Self {
        Self { follow_up: Some(Box::pin(follow_up)), ..self }
    }
}

impl<T: fmt::Debug> fmt::Debug for Outcome<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome")
            .field("output", &self.output)
            .field("changes", &self.changes)
            .finish_non_exhaustive()
    }
}
