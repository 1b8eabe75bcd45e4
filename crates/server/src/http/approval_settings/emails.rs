use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    app::App,
    http::{
        extract::{Input, Manager, ValidatedJson},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

const PATH: &str = "/api/brands/{brand_id}/approval-settings/emails";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PutApprovalEmails {
    /// Whether you get mails about calls that wait for your approval
    enabled: bool,
}

impl Input for PutApprovalEmails {}

pub(crate) fn operation() -> Operation {
    Operation::put(PATH, put_approval_emails)
        .describe(Tag::Approvals, "put_approval_emails", "Get or stop mails about calls that wait for approval")
        .details(
            "For yourself. The mails go to the address of your membership, at most one in 10 minutes for a brand, and list \
             the calls that you may decide. Their link leads to the settings page.",
        )
        .body::<PutApprovalEmails>()
        .empty(204, "It is set")
}

async fn put_approval_emails(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedJson(body): ValidatedJson<PutApprovalEmails>,
) -> Result<StatusCode, Problem> {
    if manager.store(&app).set_approval_emails(&manager.brand_id, &manager.user_id, body.enabled).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::new(
            Code::NoEmailAddress,
            "Your membership of this brand has no email address. Ask the operator to add it.",
        ))
    }
}
