//! Background jobs.

use std::time::Duration;

use clap::Args;

use super::values::seconds;

/// Background jobs.
#[derive(Debug, Clone, Args)]
pub struct JobArgs {
    /// Workers for audits, as many for analyses, and as many for posts and mails, 0 to 256; 0: other instances run the jobs
    #[arg(long, env = "SVC_JOB_WORKERS", default_value_t = 2, value_name = "N",
        value_parser = clap::value_parser!(u32).range(0..=256))]
    pub job_workers: u32,

    /// Seconds after which another instance takes over the job of an instance that stopped responding, 1 to 86400
    #[arg(long, env = "SVC_JOB_LEASE", default_value = "30", value_name = "SECONDS", value_parser = seconds(1.0..=86_400.0))]
    pub job_lease: Duration,
}
