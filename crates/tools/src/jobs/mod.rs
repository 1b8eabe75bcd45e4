//! Background jobs. A job is a row that commits together with the change it belongs to. One worker leases it at a time,
//! and another worker continues when the lease expires.

mod cancel;
mod deadline;
mod handler;
mod job;
mod records;
mod started_job;
mod waits;
mod worker_pool;

pub use cancel::{MAX_HOLD, cancel_reason};
pub use deadline::Deadline;
pub use handler::{JobContext, JobError, JobHandler};
pub use job::{Job, JobKind, NewJob};
pub use records::{JobDecision, JobOutcome, JobRecords};
pub use started_job::{MAX_WAIT_SECONDS, StartedJob, WorkStatus};
pub use waits::{JobWait, JobWaits};
pub use worker_pool::WorkerPool;
