use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::BrandId;
use svc_mcp_store::{Cursor, JobSearch, JobStatus};
use svc_mcp_tools::jobs::JobKind;

use super::{hold_jobs::JobHoldView, job_view::JobView};
use crate::{
    app::App,
    http::{
        extract::{
            Input, Operator, PageLimit, ValidatedQuery,
            schemas::{self, Id, LongCursorText},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListJobs {
    /// `waiting`, `running`, `done`, `failed` or `cancelled`
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = JobStatus::NAMES))]
    status: Option<JobStatus>,
    /// Only jobs of this brand
    #[schemars(with = "Option<Id>")]
    brand: Option<BrandId>,
    /// Only jobs of this kind
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = JobKind::ALL.map(JobKind::as_str)))]
    kind: Option<JobKind>,
    #[serde(default)]
    limit: PageLimit<50, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<LongCursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListJobs {}

/// A page of jobs, newest first. Jobs that have ended are kept for a while
#[derive(Debug, Serialize, JsonSchema)]
struct JobList {
    /// Null: jobs run
    hold: Option<JobHoldView>,
    jobs: Vec<JobView>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/jobs", list_jobs)
        .describe(Tag::Operator, "list_jobs", "List the background work of all brands")
        .query::<ListJobs>()
        .json::<JobList>(200, "The jobs")
}

async fn list_jobs(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<ListJobs>,
) -> Result<Json<JobList>, Problem> {
    let ListJobs { status, brand, kind, limit, cursor } = query;
    let page =
        app.store.search_jobs(&JobSearch { status, brand, kind, after: cursor, limit: limit.get() }).await?;
    let jobs = page.items.into_iter().map(JobView::from).collect();
    let hold = app.store.job_hold().await?.map(JobHoldView::from);
    Ok(Json(JobList { hold, jobs, next_cursor: page.next.map(|cursor| cursor.encode()) }))
}
