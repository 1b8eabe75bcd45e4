//! The [`Tool`] trait, the call a tool runs for, and the outcome it returns.

use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use svc_mcp_access::{
    BrandId, Entropy, Fault, KeyId, Quota, QuotaUsage, Quotas, StoreError, Timestamp, ToolAccess,
    decision::Caller, idempotency::Fingerprint,
};
use tokio_util::sync::CancellationToken;

pub use crate::tool_error::{QuotaDetails, ToolError, ToolFailure};
use crate::{
    Change, CpuPool, Records,
    jobs::{JobWait, JobWaits, StartedJob},
    keywords::{Provider, SearchSlots},
    net::Outbound,
    recent_call::{REPEAT_WINDOW, RecentCall},
    records::Profile,
};

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
    /// Whether `run` only plans: nothing happens before its changes are committed. Such a call can be previewed before a
    /// person approves it.
    const PLANS: bool = true;

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
    /// The calls that wait for a job.
    pub waits: Arc<JobWaits>,
}

impl Call {
    pub fn brand_id(&self) -> &BrandId {
        &self.caller.key_state.brand_id
    }

    pub async fn profile(&self) -> Result<Arc<Profile>, StoreError> {
        self.context.records.profile_of(&self.caller.key_state).await
    }

    /// The newest call of the brand with this fingerprint in the last ten minutes.
    pub(crate) async fn recent_equal(
        &self,
        fingerprint: &Fingerprint,
    ) -> Result<Option<RecentCall>, StoreError> {
        let since = self.now.minus(REPEAT_WINDOW);
        self.context.records.recent_call(self.brand_id(), fingerprint, since).await
    }

    /// Begins to wait for a job of this record. `None` if too many calls of the brand wait already.
    pub fn begin_wait(&self, record_id: &str, max_waits: u32) -> Option<JobWait> {
        self.context.waits.begin(self.brand_id(), record_id, max_waits)
    }

    /// Fails if the brand has less than `wanted` of a daily quota left. Returns how much is left. Only the commit counts:
    /// this saves the work of a call that cannot be committed.
    pub async fn check_daily_quota(&self, quota: Quota, wanted: u32) -> Result<u32, ToolError> {
        let used = self.context.records.used_today(self.brand_id(), quota, self.now).await?;
        let profile = self.profile().await?;
        let quotas = &profile.plan.quotas;
        let checked = quotas.check(quota, used, wanted, Some(self.now.next_midnight()));
        checked.map_err(|reached| ToolFailure::quota_reached(reached, wanted))?;
        Ok(quotas.limit(quota).saturating_sub(used))
    }

    /// How much of each quota is used. Pending approvals are those of this key.
    pub async fn quota_usage(&self) -> Result<Vec<QuotaUsage>, StoreError> {
        let key = &self.caller.key_state.key_id;
        let profile = self.profile().await?;
        self.context.quota_usage(self.brand_id(), Some(key), &profile.plan.quotas, self.now).await
    }

    /// Waits until `poll` returns a value, the time is over, or the service stops.
    pub async fn wait_for<T, F: Future<Output = Option<T>>>(
        self,
        wait: JobWait,
        max_wait: Duration,
        mut poll: impl FnMut(Arc<dyn Records>, BrandId) -> F,
    ) -> Option<T> {
        let records = &self.context.records;
        let found = wait.poll_until(max_wait, || poll(Arc::clone(records), self.brand_id().clone()));
        tokio::select! {
            found = found => found,
            () = self.context.shutdown.cancelled() => None,
        }
    }
}

impl ToolContext {
    /// How much of each quota a brand uses. The calls that wait are counted in this process only. Pending approvals are those
    /// of `key`, or of the key that has most of them.
    pub async fn quota_usage(
        &self,
        brand: &BrandId,
        key: Option<&KeyId>,
        limits: &Quotas,
        now: Timestamp,
    ) -> Result<Vec<QuotaUsage>, StoreError> {
        let mut counts = self.records.quota_counts(brand, key, now).await?;
        counts.insert(Quota::ConcurrentWaits, (self.waits.count(brand), None));
        Ok(limits.usage(&counts))
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

impl<T: Send + 'static> Outcome<StartedJob<T>> {
    /// Waits for the end of the job. `poll` returns the ended work. If too many calls of the brand wait already, the
    /// output says so.
    #[must_use]
    pub fn waiting<F>(
        self,
        call: &Call,
        quotas: &Quotas,
        max_wait: Duration,
        mut poll: impl FnMut(Arc<dyn Records>, BrandId, String) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = Option<StartedJob<T>>> + Send + 'static,
    {
        if max_wait.is_zero() {
            return self;
        }
        let id = self.output.id.clone();
        let max_waits = quotas.limit(Quota::ConcurrentWaits);
        let Some(wait) = call.begin_wait(&id, max_waits) else {
            return Self { output: self.output.without_waiting(max_waits), ..self };
        };
        let waiting =
            call.clone().wait_for(wait, max_wait, move |records, brand| poll(records, brand, id.clone()));
        self.with_follow_up(waiting)
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
