//! What the routes for one approval have in common.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use svc_mcp_access::{
    Approvers, BrandId,
    decision::{Denial, KeyError},
    id::is_id,
};
use svc_mcp_store::ToolRecords;
use svc_mcp_tools::approvals::{Approval, ApproveError, Decider, Judgement};

use crate::{
    app::App,
    http::{
        extract::{Manager, PathIds},
        problem::{Code, Problem},
    },
};

/// A member who looks at the approval in the path.
pub(super) struct Reader {
    pub(super) app: Arc<App>,
    pub(super) manager: Manager,
    pub(super) approval: Approval,
    records: ToolRecords,
}

impl FromRequestParts<Arc<App>> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let manager = Manager::from_request_parts(parts, app).await?;
        let PathIds((_, approval_id)) = PathIds::<(BrandId, String)>::from_request_parts(parts, app).await?;
        if !is_id(&approval_id) {
            return Err(Problem::not_found("approval"));
        }
        let records = &app.context.records;
        let approval = records.approval(&manager.brand_id, &approval_id, app.clock.now()).await?;
        let approval = approval.ok_or_else(|| Problem::not_found("approval"))?;
        let records = manager.records(app);
        Ok(Self { app: Arc::clone(app), manager, approval, records })
    }
}

impl Reader {
    pub(super) fn decider(&self) -> Decider<'_> {
        Decider {
            context: &self.app.context,
            records: &self.records,
            registry: &self.app.registry,
            brand_id: &self.manager.brand_id,
            now: self.app.clock.now(),
        }
    }
}

/// A person who may decide on the approval in the path.
pub(super) struct Approver(pub(super) Reader);

impl FromRequestParts<Arc<App>> for Approver {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let reader = Reader::from_request_parts(parts, app).await?;
        let Reader { manager, approval, .. } = &reader;
        if manager.is_admin() {
            return Ok(Self(reader));
        }
        let key = app.store.key(&manager.brand_id, &approval.key_id).await?;
        if !key.is_some_and(|key| manager.is_creator(&key)) {
            return Err(Problem::new(
                Code::NotApprover,
                "Only the person who created the key or an administrator of the brand can decide on its calls. Ask one of \
                 them.",
            ));
        }
        if app.store.approval_settings(&manager.brand_id).await?.approvers == Approvers::Admins {
            return Err(Problem::new(
                Code::NotApprover,
                "In this brand only administrators decide on calls that wait for approval. Ask one of them.",
            ));
        }
        Ok(Self(reader))
    }
}

impl Approver {
    pub(super) fn judgement(&self, note: Option<String>) -> Judgement {
        let Reader { app, manager, .. } = &self.0;
        Judgement { actor: manager.user_id.clone(), event_id: app.fresh_event_id(), note }
    }
}

/// Why nothing was decided, as people see it.
pub(super) fn problem(error: ApproveError) -> Problem {
    match error {
        ApproveError::Store(error) => error.into(),
        ApproveError::NotFound => Problem::not_found("approval"),
        ApproveError::AlreadyDecided(approval) => already_decided(&approval),
        ApproveError::Denied(denial) => denied(denial),
        ApproveError::Changed => Problem::new(
            Code::ApprovalChanged,
            "The call would do something else now than when you looked at it. Nothing was run. Read the approval again, and \
             decide again.",
        ),
        ApproveError::WouldFail(failure) => Problem::new(
            Code::ApprovalChanged,
            format!(
                "The call would fail now. Nothing was run, and it still waits. {} Approve it with changed `arguments`, or \
                 reject it.",
                failure.message
            ),
        ),
        ApproveError::InvalidArguments(faults) => Denial::InvalidArguments(faults).into(),
        ApproveError::Refused(failure) => Problem::new(
            Code::ApprovalInvalid,
            format!("The tool refuses the changed arguments. Nothing was run. {}", failure.message),
        ),
    }
}

fn already_decided(approval: &Approval) -> Problem {
    let status = approval.status.as_str();
    let detail = match &approval.decision {
        Some(decision) => {
            format!("The call is {status} since {}, by {}. Nothing was changed.", decision.at, decision.by)
        }
        None => format!("The call is {status} since {}. Nothing was changed.", approval.expires_at),
    };
    Problem::new(Code::AlreadyDecided, detail).with_decision(approval)
}

/// The key may not act now.
fn denied(denial: Denial) -> Problem {
    match denial {
        Denial::KeyInvalid(KeyError::Revoked | KeyError::Unknown) => {
            Problem::new(Code::KeyRevoked, "The key that made the call is revoked, so the call cannot run.")
        }
        Denial::UnknownTool { .. } | Denial::InsufficientScope { .. } => Problem::new(
            Code::InsufficientScope,
            "The key that made the call may not call this tool any more, so the call cannot run.",
        ),
        other => other.into(),
    }
}
