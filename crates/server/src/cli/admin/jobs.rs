//! `svc-mcp admin jobs`

use anyhow::anyhow;
use clap::Subcommand;
use serde_json::json;
use svc_mcp_access::{BrandId, Clock, id};
use svc_mcp_store::{JobActor, JobSearch, JobStatus};
use svc_mcp_tools::jobs::JobKind;

use super::{
    Common, actor,
    list::{ListArgs, collect, print_list},
    print_result,
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
    }
}

async fn list_jobs(search: JobSearch, list: &ListArgs) -> anyhow::Result<()> {
    let found = with_store(&list.common, async |store| {
        collect(list.limit, async |after, limit| {
            store.search_jobs(&JobSearch { after, limit, ..search.clone() }).await
        })
        .await
    })
    .await?;
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
