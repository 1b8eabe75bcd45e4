//! `svc-mcp admin jobs`

use anyhow::anyhow;
use clap::Subcommand;
use serde_json::json;
use svc_mcp_access::{BrandId, Clock, id};
use svc_mcp_store::{HoldCause, JobActor, JobHold, JobSearch, JobStatus, ResumeJobs, ResumedJobs};
use svc_mcp_tools::jobs::JobKind;

use super::{
    Common, actor,
    list::{ListArgs, collect, print_list},
    print, print_result,
    table::{Table, optional, time},
    with_store,
};
use crate::clock::{MachineClock, machine_entropy};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List background work, newest first
    List {
        /// `waiting`, `running`, `done`, `failed` or `cancelled`
        #[arg(long, value_parser = parse_status)]
        status: Option<JobStatus>,
        #[arg(long)]
        brand: Option<BrandId>,
        /// `audit`, `analysis`, `publish`, `withdraw`, `report_email`, `approval_notice` or `schedule`
        #[arg(long, value_parser = parse_kind)]
        kind: Option<JobKind>,
        #[command(flatten)]
        list: ListArgs,
    },
    /// Try a failed job again, if nothing of it can have gone out
    Retry {
        job: String,
        #[command(flatten)]
        common: Common,
    },
    /// Cancel a job, and the post, mail, audit or analysis that it works on
    Cancel {
        job: String,
        #[command(flatten)]
        common: Common,
    },
    /// Hold all jobs, on all instances, until they are resumed
    Hold {
        #[command(flatten)]
        common: Common,
    },
    /// Let held jobs run; those that were due more than 24 hours ago are cancelled
    Resume {
        /// Cancel all that was due before the hold began: after a restore, it may have gone out already
        #[arg(long)]
        cancel_due_before_hold: bool,
        #[command(flatten)]
        common: Common,
    },
}

fn parse_status(text: &str) -> anyhow::Result<JobStatus> {
    text.parse().map_err(|()| anyhow!("must be {}", JobStatus::NAMES.join(", ")))
}

fn parse_kind(text: &str) -> anyhow::Result<JobKind> {
    text.parse().map_err(|_| anyhow!("must be {}", JobKind::ALL.map(JobKind::as_str).join(", ")))
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    let by_operator = || JobActor {
        user_id: actor(),
        at: MachineClock::default().now(),
        event_id: id::fresh("evt", &mut machine_entropy()),
    };
    match command {
        Command::List { status, brand, kind, list } => {
            list_jobs(JobSearch { status, brand, kind, ..JobSearch::default() }, &list).await
        }
        Command::Retry { job, common } => {
            let changed =
                with_store(&common, async |store| Ok(store.retry_job(&job, &by_operator()).await?)).await?;
            print_result(
                common.json,
                &json!(crate::http::job_view(changed)),
                &format!("{job} is tried again now."),
            )
        }
        Command::Cancel { job, common } => {
            let changed =
                with_store(&common, async |store| Ok(store.cancel_job(&job, &by_operator()).await?)).await?;
            print_result(common.json, &json!(crate::http::job_view(changed)), &format!("{job} is cancelled."))
        }
        Command::Hold { common } => hold_jobs(&common).await,
        Command::Resume { cancel_due_before_hold, common } => {
            resume_jobs(&common, cancel_due_before_hold).await
        }
    }
}

async fn hold_jobs(common: &Common) -> anyhow::Result<()> {
    let hold = JobHold { since: MachineClock::default().now(), cause: HoldCause::Operator };
    let held = with_store(common, async |store| Ok(store.hold_jobs(&hold).await?)).await?;
    let sentence = match held.begun {
        0 => describe(held.hold),
        begun => {
            format!("{} Workers had begun {begun} jobs before; they end by themselves.", describe(held.hold))
        }
    };
    print_result(common.json, &json!(crate::http::held_jobs_view(held)), &sentence)
}

async fn resume_jobs(common: &Common, cancel_due_before_hold: bool) -> anyhow::Result<()> {
    let resume = ResumeJobs {
        actor: actor(),
        at: MachineClock::default().now(),
        event_prefix: id::fresh("evt", &mut machine_entropy()),
        cancel_due_before_hold,
    };
    let resumed = with_store(common, async |store| Ok(store.resume_jobs(&resume).await?)).await?;
    let sentence = match resumed {
        ResumedJobs { hold: None, .. } => "Jobs were not held.".to_owned(),
        ResumedJobs { cancelled: 0, .. } => "Jobs run again.".to_owned(),
        ResumedJobs { cancelled, .. } => {
            format!("Jobs run again. {cancelled} were too late and are cancelled.")
        }
    };
    print_result(common.json, &json!(crate::http::resumed_jobs_view(resumed)), &sentence)
}

fn describe(hold: JobHold) -> String {
    let since = hold.since;
    let cause = match hold.cause {
        HoldCause::Operator => String::new(),
        HoldCause::Restore { backup_at } => format!(", because the backup of {backup_at} was restored"),
    };
    format!("All jobs are held since {since}{cause}. `svc-mcp admin jobs resume` lets them run.")
}

async fn list_jobs(search: JobSearch, list: &ListArgs) -> anyhow::Result<()> {
    let (hold, mut found) = with_store(&list.common, async |store| {
        let found = collect(list.limit, async |after, limit| {
            store.search_jobs(&JobSearch { after, limit, ..search.clone() }).await
        });
        Ok((store.job_hold().await?, found.await?))
    })
    .await?;
    found.fields.insert("hold".to_owned(), json!(hold.map(crate::http::job_hold_view)));
    if let Some(hold) = hold.filter(|_| !list.common.json) {
        print(&describe(hold))?;
    }
    print_list(
        list,
        "jobs",
        &found,
        |job| json!(crate::http::job_view(job.clone())),
        |jobs| {
            let mut table =
                Table::new(&["JOB", "BRAND", "KIND", "STATUS", "CREATED", "ATTEMPTS", "SUBJECT", "REASON"]);
            for job in jobs {
                table.add([
                    job.job_id.clone(),
                    job.brand_id.to_string(),
                    job.kind.as_str().to_owned(),
                    if job.is_held { "held" } else { job.status.as_str() }.to_owned(),
                    time(job.created_at),
                    job.attempts.to_string(),
                    job.subject.clone(),
                    optional(job.reason.clone()),
                ]);
            }
            table
        },
    )
}
