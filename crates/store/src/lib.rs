//! The store: SQL for SQLite and PostgreSQL, the cache of keys in front of it, and the state that instances share over
//! Redis.
//!
//! Every method takes a brand id, so that no query can forget its tenant. The exceptions are the lookup of a key by its
//! digest, the operator's plans and lists (`operator/`), the audit log, a user's own list of brands, sign-in codes and sessions, the next job and the next
//! event delivery (which carry their brand), the hold of all jobs, the keys that expire soon, the erasure of a user, and the rewrap of sealed
//! secrets.

mod access_change;
mod activity;
mod admission_queue;
mod analyses;
mod approval_notices;
mod approvals;
mod audit_log;
mod audits;
mod backup;
mod brand_data;
mod brands;
mod cancelled_work;
mod changed_by;
mod channels;
mod columns;
mod connection_use;
mod daily_usage;
mod database_lock;
mod durable_files;
mod engine;
mod error;
mod fair_queues;
mod id_interner;
mod idempotency_records;
mod inspect;
mod job_hold;
mod job_records;
mod job_resume;
mod jobs;
mod key_bloom;
mod key_cache;
mod key_notices;
mod key_pause;
mod key_revocation;
mod key_rotation;
mod key_table;
mod key_update;
mod keys;
mod keywords;
mod members;
mod operator;
mod outbox;
mod paging;
mod partitions;
mod pending_restore;
mod plans;
mod posts;
mod profile_cache;
mod prune;
mod queued_work;
mod quota_count_cache;
mod quotas;
mod rate_limiter;
mod recent_calls;
mod recorder;
mod redis_batcher;
mod redis_client;
mod redis_cluster;
mod redis_keys;
mod redis_node;
mod redis_state;
mod redis_topology;
mod reports;
mod schedules;
mod sessions;
mod short_digest;
mod sqlite_writers;
mod tool_records;
mod user_data;
mod version_poller;
mod write_generations;

use std::{
    future::Future,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

pub use activity::{ActivityFilter, Event, EventKind, EventOutcome, NewEvent, system_actor};
use admission_queue::{AdmissionQueue, QueueFull};
pub use audit_log::{
    AuditAction, AuditFault, AuditHead, AuditRecord, AuditReferences, AuditTarget, VerifiedAuditLog,
};
pub use backup::{
    BackupError, Manifest, NamedSecret, NewBackup, NewRestore, Restored, SECRET_FILES, create_backup,
    restore_backup,
};
pub use brand_data::{
    BrandErasureError, Erasure, ErasureKind, ExportPosition, ExportedRow, ImportBrandError, NewErasure,
};
pub use brands::PutBrandError;
pub use cancelled_work::{StoppedWork, WorkCounts};
pub use changed_by::{ActorRole, ChangedBy};
pub use channels::{PutChannelError, SealedChannel};
pub(crate) use columns::{
    parse_column, parse_json_column, parse_networks_column, parse_quotas_column, parse_tools_column,
    unreadable,
};
pub use connection_use::ConnectionUse;
pub use daily_usage::{DailyUsage, Peak};
pub use database_lock::{DatabaseLock, LockError};
use engine::Engine;
use error::{Abort, is_internal};
use fair_queues::FairQueues;
pub use inspect::{DatabaseState, inspect_database};
pub use job_hold::{HeldJobs, HoldCause, JobHold};
pub use job_resume::{ResumeJobs, ResumedJobs};
pub use key_notices::Leak;
pub use key_pause::MemberRemoval;
pub use key_revocation::QueuedWork;
pub use key_rotation::RotateKeyError;
pub use key_table::KeyTable;
pub use key_update::UpdateKeyError;
pub use keys::{CreateKeyError, KeyFilter};
pub use keywords::{ImportKeywordsError, Imported};
pub use members::{MemberChange, MemberOf, TextChange};
pub use operator::{
    ActivitySearch, ApprovalSearch, AuditSearch, BrandEvent, BrandSearch, JobActor, JobQueue, JobRefusal,
    JobSearch, JobStatus, KeySearch, KeySearchStatus, KeysOf, ListedApproval, ListedBrand, ListedJob,
    ListedUser, QueueSizes, RevokedKeys, SearchPage,
};
pub use outbox::{Delivery, DeliverySearch, PutEndpointError, ResendError, SealedEndpoint};
pub(crate) use paging::{cut_page, next_cursor, start_after};
pub use pending_restore::has_pending_restore;
pub use plans::DeletePlanError;
pub use recorder::{KeyUse, UsageBatch, UsageRecorder};
pub use redis_client::{RedisSettings, RedisSettingsError};
pub use redis_state::RedisState;
pub use reports::SetRecipientsError;
pub use sessions::{NewSession, SignInError};
use svc_mcp_access::{BrandId, StoreError};
pub use svc_mcp_tools::page::{Cursor, Page};
use svc_mcp_tools::{
    outage::Outage,
    trace::{self, NewSpan},
};
pub use tool_records::ToolRecords;
pub use user_data::{EmailFiles, NewUserErasure, personal_columns};
use version_poller::VersionPoller;

/// Which engine, and where.
#[derive(Debug, Clone)]
pub enum Location {
    Sqlite { file: PathBuf },
    Postgres { url: svc_mcp_access::Secret, connections: u32 },
}

#[derive(Debug, Clone)]
pub struct Store {
    engine: Engine,
    version_poller: Arc<VersionPoller>,
    admission: Arc<AdmissionQueue>,
    fair_queues: Arc<FairQueues>,
    key_cache: Arc<key_cache::KeyCache>,
    key_bloom: Arc<key_bloom::KeyBloom>,
    quota_counts: Arc<quota_count_cache::QuotaCountCache>,
    redis: Option<RedisState>,
    job_added: Arc<tokio::sync::Notify>,
    outage: Arc<Outage>,
    job_hold: Arc<job_hold::KnownHold>,
    /// `None`: the service itself.
    changed_by: Option<Arc<ChangedBy>>,
}

/// The store could not be opened. The message is for the operator.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("SVC_DATABASE_URL: cannot open the database: {0}")]
    Connect(#[from] sqlx::Error),
    #[error("cannot bring the database's tables up to date: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

/// How long one use of the database may take. One use may be several statements.
const QUERY_TIMEOUT: Duration = Duration::from_secs(5);

impl Store {
    /// Opens the store and brings its tables up to date. Several processes may do so at the same time.
    pub async fn open(location: &Location, redis: Option<RedisState>) -> Result<Self, OpenError> {
        let engine = match location {
            Location::Sqlite { file } => Engine::sqlite(file).await?,
            Location::Postgres { url, connections } => Engine::postgres(url.expose(), *connections).await?,
        };
        Ok(Self {
            version_poller: Arc::new(engine.version_poller()),
            admission: Arc::new(AdmissionQueue::new(engine.max_concurrency())),
            fair_queues: Arc::new(FairQueues::new(engine.max_concurrency())),
            engine,
            key_cache: Arc::default(),
            key_bloom: Arc::default(),
            quota_counts: Arc::default(),
            redis,
            job_added: Arc::default(),
            outage: Arc::new(Outage::new(
                "database",
                "the store does not answer; requests that need it get 503",
            )),
            job_hold: Arc::default(),
            changed_by: None,
        })
    }

    pub async fn close(&self) {
        self.engine.close().await;
        self.version_poller.close().await;
    }

    /// Runs the work of a request. It is rejected at once if the database is overloaded.
    async fn run<T>(
        &self,
        name: &'static str,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        let _permit = self.admission.acquire().await.map_err(rejected)?;
        self.bounded(name, QUERY_TIMEOUT, work).await
    }

    /// [`Self::run`] for a request of this brand, which waits for the brand's other requests first.
    async fn run_for<T>(
        &self,
        brand: &BrandId,
        name: &'static str,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        let queue = self.fair_queues.of_brands.get(brand);
        let _share = queue.acquire().await.map_err(rejected)?;
        // Boxed, because each wrapper would otherwise add the size of a whole transaction to the future.
        self.run(name, Box::pin(work)).await
    }

    /// [`Self::run`] for work that may also be refused, such as by a limit.
    async fn run_or_refuse<T, E: From<StoreError>>(
        &self,
        name: &'static str,
        work: impl Future<Output = Result<T, Abort<E>>>,
    ) -> Result<T, E> {
        let work = Box::pin(work);
        self.run(name, async { Abort::split(work.await) }).await?
    }

    /// [`Self::run_for`] for work that may also be refused.
    async fn run_for_or_refuse<T, E: From<StoreError>>(
        &self,
        brand: &BrandId,
        name: &'static str,
        work: impl Future<Output = Result<T, Abort<E>>>,
    ) -> Result<T, E> {
        let work = Box::pin(work);
        self.run_for(brand, name, async { Abort::split(work.await) }).await?
    }

    /// Runs background work. It waits for its turn and is never rejected.
    async fn run_patiently<T>(
        &self,
        name: &'static str,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        let _permit = self.admission.acquire_patiently().await;
        self.bounded(name, QUERY_TIMEOUT, work).await
    }

    /// Runs the work in a span, measures it, limits its time, and logs its error.
    async fn bounded<T>(
        &self,
        name: &'static str,
        max_time: Duration,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        let describe = || {
            NewSpan::client(format!("store {name}"))
                .with("db.system.name", self.engine_name())
                .with("db.operation.name", name)
        };
        let span = trace::child(describe);
        let started = Instant::now();
        let result = tokio::time::timeout(max_time, trace::run_in(span.clone(), work)).await;
        metrics::histogram!("svc_mcp_store_seconds", "query" => name).record(started.elapsed().as_secs_f64());
        let outcome = match result {
            Ok(Ok(value)) => {
                self.outage.succeeded(Instant::now());
                return Ok(value);
            }
            Ok(Err(error)) if is_internal(&error) => {
                tracing::error!(query = name, %error, "a stored value is unreadable or a statement is wrong");
                StoreError::Internal
            }
            Ok(Err(error)) => {
                self.outage.failed(Instant::now(), &format_args!("{name}: {error}"));
                StoreError::Unavailable
            }
            Err(_) => {
                self.outage.failed(Instant::now(), &format_args!("{name}: no answer within {max_time:?}"));
                StoreError::Unavailable
            }
        };
        metrics::counter!("svc_mcp_store_errors_total", "query" => name).increment(1);
        if let Some(span) = span {
            span.fail(match outcome {
                StoreError::Internal => "internal",
                StoreError::Unavailable => "unavailable",
            });
        }
        Err(outcome)
    }
}

/// The queue in front of the database is full.
fn rejected(QueueFull: QueueFull) -> StoreError {
    metrics::counter!("svc_mcp_shed_total", "by" => "store").increment(1);
    StoreError::Unavailable
}
