//! What a tool is, and what it gets and gives.

use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use svc_mcp_access::{
    BrandId, Entropy, Fault, Timestamp, ToolAccess,
    decision::{Caller, Unavailable},
};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use crate::{Change, Records, keywords::Provider, net::Outbound, records::Profile};

/// What a model is told of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    pub name: &'static str,
    pub title: &'static str,
    /// Written for a model: what it does, when to use it, what it returns.
    pub description: &'static str,
    /// Arguments that work, as JSON. A test runs them against the schema.
    pub example: &'static str,
}

/// The MCP hints that do not follow from the access a tool asks for.
#[derive(Debug, Clone, Copy)]
pub struct Hints {
    pub destructive: bool,
    pub idempotent: bool,
    pub open_world: bool,
}

impl Hints {
    /// Every read tool: the same question has the same answer, and nothing outside the service is touched.
    pub const READ: Self = Self { destructive: false, idempotent: true, open_world: false };
}

pub trait Tool: Send + Sync + 'static {
    type Arguments: DeserializeOwned + JsonSchema + Send + 'static;
    type Output: Serialize + JsonSchema;

    const WORDS: Words;
    const ACCESS: ToolAccess;
    const HINTS: Hints;

    /// What the schema cannot say: faults that need several fields together.
    fn check(_: &Self::Arguments) -> Vec<Fault> {
        Vec::new()
    }

    fn run(
        &self,
        call: &Call,
        arguments: Self::Arguments,
    ) -> impl Future<Output = Result<Outcome<Self::Output>, Stopped>> + Send;
}

/// The call a tool is running for.
#[derive(Clone)]
pub struct Call {
    pub caller: Caller,
    pub now: Timestamp,
    pub means: Arc<Means>,
}

/// What the service has for its tools, the same for every call.
pub struct Means {
    pub records: Arc<dyn Records>,
    pub entropy: Entropy,
    /// Where the service is reached from outside, without a trailing slash.
    pub public_url: Arc<str>,
    pub outbound: Outbound,
    /// `None`: the operator configured none.
    pub keyword_provider: Option<Provider>,
    /// Whether there is a way for mails to go.
    pub can_mail: bool,
    /// Turns true when the service stops: whoever waits then answers with what there is.
    pub closing: watch::Receiver<bool>,
}

impl Call {
    pub fn brand_id(&self) -> &BrandId {
        &self.caller.standing.brand_id
    }

    pub async fn profile(&self) -> Result<Arc<Profile>, Unavailable> {
        self.means.records.profile_of(&self.caller.standing).await
    }

    /// Asks again and again until there is something, the time is over, or the service stops.
    pub async fn wait_for<T, F: Future<Output = Option<T>>>(
        self,
        longest: Duration,
        mut look: impl FnMut(Arc<dyn Records>, BrandId) -> F,
    ) -> Option<T> {
        let records = Arc::clone(&self.means.records);
        let mut closing = self.means.closing.clone();
        let brand = self.brand_id().clone();
        let looking = async {
            loop {
                if let Some(found) = look(Arc::clone(&records), brand.clone()).await {
                    return found;
                }
                sleep(LOOK_EVERY).await;
            }
        };
        tokio::select! {
            found = timeout(longest, looking) => found.ok(),
            _ = closing.wait_for(|closing| *closing) => None,
        }
    }
}

const LOOK_EVERY: Duration = Duration::from_millis(100);

impl fmt::Debug for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Means").field("public_url", &self.public_url).finish_non_exhaustive()
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

/// A result, and what is to be changed for it to be true. A read tool changes nothing.
pub struct Outcome<T> {
    pub output: T,
    pub changes: Vec<Change>,
    pub sequel: Option<Sequel<T>>,
}

/// Runs once the changes are committed, and may have a better result than the one that committed with them.
pub type Sequel<T> = Pin<Box<dyn Future<Output = Option<T>> + Send>>;

impl<T> Outcome<T> {
    pub fn of(output: T) -> Self {
        Self { output, changes: Vec::new(), sequel: None }
    }

    #[must_use]
    pub fn changing(self, changes: Vec<Change>) -> Self {
        Self { changes, ..self }
    }

    #[must_use]
    pub fn then(self, sequel: impl Future<Output = Option<T>> + Send + 'static) -> Self {
        Self { sequel: Some(Box::pin(sequel)), ..self }
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

/// A tool ran and could not do it, for a reason of its own. The model reads this and decides what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Failure {
    /// Names the reason, always in the same way.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What to do next.
    pub hint: String,
    /// Whether the same call may work later.
    pub retryable: bool,
}

impl Failure {
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into(), retryable: false }
    }
}

/// Why a tool gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    Failed(Failure),
    /// Not the tool's own doing: the store did not answer.
    Unavailable,
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Unavailable> for Stopped {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}
