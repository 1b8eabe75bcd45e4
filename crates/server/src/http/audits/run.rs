use std::sync::Arc;

use axum::{Json, extract::State, response::IntoResponse};
use http::{HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{Fault, decision::Denial};
use svc_mcp_tools::{
    Change, Records,
    audit::{AuditRequester, SiteAuditStarted, start_site_audit},
    records::CommitError,
    tool::{ToolError, ToolFailure},
};

use super::{AUDITS, view::AuditRow};
use crate::{
    app::App,
    http::{
        extract::{Input, Manager, OptionalJson, schemas::HttpUrl},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RunAudit")]
struct NewAudit {
    /// A page of the brand's website where the audit starts. The website itself by default
    #[schemars(with = "Option<HttpUrl>")]
    url: Option<String>,
}

impl Input for NewAudit {}

pub(crate) fn operation() -> Operation {
    Operation::post(AUDITS, run_audit)
        .describe(Tag::Audits, "run_audit", "Audit the brand's site now")
        .details(
            "Like the tool `run_audit`, for the whole site (at most 1,000 pages). If the same audit is queued or running, the \
             answer is that one. It counts for the same quotas as the audits of agents, and the activity names the person.",
        )
        .optional_body::<NewAudit>()
        .json::<AuditRow>(202, "The audit is queued, or it was before")
        .with_headers(&["Location"])
}

async fn run_audit(
    State(app): State<Arc<App>>,
    manager: Manager,
    OptionalJson(body): OptionalJson<NewAudit>,
) -> Result<impl IntoResponse, Problem> {
    let (brand, records, now) = (&manager.brand_id, manager.records(&app), app.clock.now());
    let profile = app.context.records.profile(brand).await?;
    // As for schedules: if the plan does not allow agents to do it, people cannot do it either.
    if !profile.plan.mcp_enabled {
        return Err(Problem::from(Denial::McpInactive));
    }
    let requester = AuditRequester::Person(manager.user_id.clone());
    let (start, random) = (body.url.as_deref(), &mut app.entropy.clone());
    let started = start_site_audit(&records, &profile.brand, start, requester, now, random).await;
    let (audit, mut changes) = started.map_err(|error| match error {
        ToolError::Failed(failure) => problem(failure),
        ToolError::Store(error) => error.into(),
    })?;
    if !changes.is_empty() {
        changes.push(Change::SiteAuditStarted(SiteAuditStarted {
            event_id: app.fresh_event_id(),
            actor: manager.user_id.clone(),
            audit_id: audit.audit_id.parse().expect("a generated id is plain"),
        }));
        records.commit(brand, &changes, None, now).await.map_err(|error| match error {
            CommitError::Refused(failure) => problem(failure),
            CommitError::Store(error) => error.into(),
            // A person has no claim and no key, and no post is changed.
            CommitError::ClaimLost | CommitError::Denied(_) | CommitError::Changed => Problem::internal(),
        })?;
    }
    let location = format!("/api/brands/{brand}/audits/{}", audit.audit_id);
    let headers = [(header::LOCATION, HeaderValue::try_from(location).expect("ids are plain ASCII"))];
    Ok((StatusCode::ACCEPTED, headers, Json(AuditRow::from(audit))))
}

/// The failures of the tool as people see them.
fn problem(failure: ToolFailure) -> Problem {
    match failure.code {
        "quota_reached" => Problem::of_failure(Code::QuotaReached, failure),
        "not_the_brands_site" => Problem::invalid_request(Fault::new("url", failure.message)),
        _ => Problem::internal(),
    }
}
