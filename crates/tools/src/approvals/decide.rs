//! A person decides on a call that waits.

use std::{fmt, sync::Arc};

use serde_json::Value;
use svc_mcp_access::{
    BrandId, Faults, KeyId, StoreError, Timestamp, UserId,
    decision::{Caller, Catalog, Denial, KeyError, decide_queued_work},
    rate::Rate,
};

use super::{Approval, ApprovalChange, ApprovalEvent, ApprovalStatus, NewDecision, digest::digest};
use crate::{
    Change, Records, Registry,
    execute::{MAX_RUNS, structured_content},
    records::CommitError,
    registry::PreparedCall,
    tool::{Call, ToolContext, ToolError, ToolFailure},
};

/// Where and when a person decides.
#[derive(Clone, Copy)]
pub struct Decider<'a> {
    pub context: &'a Arc<ToolContext>,
    /// Commit the decision, as a change of this person.
    pub records: &'a dyn Records,
    pub registry: &'a Registry,
    pub brand_id: &'a BrandId,
    pub now: Timestamp,
}

impl fmt::Debug for Decider<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { brand_id, now, .. } = self;
        f.debug_struct("Decider").field("brand_id", brand_id).field("now", now).finish_non_exhaustive()
    }
}

/// What a person decided.
#[derive(Debug, Clone)]
pub struct Judgement {
    pub actor: UserId,
    pub event_id: String,
    /// The note of an approval, or the reason of a rejection.
    pub note: Option<String>,
}

/// What a call would do now.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedApproval {
    pub preview: Option<Value>,
    /// Why the call would fail.
    pub failure: Option<ToolFailure>,
    pub digest: String,
}

/// Why nothing was decided.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ApproveError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no such approval")]
    NotFound,
    #[error("it was decided before")]
    AlreadyDecided(Box<Approval>),
    #[error("the key may not act now: {}", .0.reason())]
    Denied(Denial),
    /// The person has seen something else than what would run now.
    #[error("it is not what the person saw")]
    Changed,
    /// The call would fail now.
    #[error("{}", .0.message)]
    WouldFail(ToolFailure),
    /// The arguments of the approver do not fit the tool.
    #[error("the arguments are not valid")]
    InvalidArguments(Faults),
    /// The tool refuses the arguments of the approver.
    #[error("{}", .0.message)]
    Refused(ToolFailure),
}

/// A call that was planned. Nothing is committed yet.
struct Plan {
    tool: &'static str,
    seen: PlannedApproval,
    step: Step,
}

enum Step {
    /// The tool has planned these changes, with this result.
    Commit {
        changes: Vec<Change>,
        result: Value,
    },
    /// The tool plans nothing: it must run.
    Run(Box<PreparedCall>),
    Fail,
}

/// Shows what a pending call would do now.
pub async fn plan(decider: Decider<'_>, approval: &Approval) -> Result<PlannedApproval, ApproveError> {
    let call = decider.call_of(&approval.key_id).await?;
    Ok(decider.plan(&call, &approval.tool, approval.arguments.clone()).await?.seen)
}

/// Runs a pending call, if it would do what the digest stands for. With `arguments`, these are used instead of the agent's.
pub async fn approve(
    decider: Decider<'_>,
    approval_id: &str,
    seen_digest: &str,
    arguments: Option<Value>,
    judgement: &Judgement,
) -> Result<Approval, ApproveError> {
    for _ in 0..MAX_RUNS {
        let approval = decider.pending(approval_id).await?;
        let arguments = arguments.as_ref().filter(|arguments| **arguments != approval.arguments);
        let call = decider.call_of(&approval.key_id).await?;
        let mut plan = decider.plan(&call, &approval.tool, approval.arguments.clone()).await?;
        if arguments.is_none()
            && let Some(failure) = plan.seen.failure
        {
            return Err(ApproveError::WouldFail(failure));
        }
        if plan.seen.digest != seen_digest {
            return Err(ApproveError::Changed);
        }
        if let Some(arguments) = arguments {
            plan = decider.plan(&call, &approval.tool, arguments.clone()).await?;
            if let Some(failure) = plan.seen.failure {
                return Err(ApproveError::Refused(failure));
            }
        }
        let tool = plan.tool;
        let (mut changes, result) = match plan.step {
            Step::Commit { changes, result } => (changes, Ok(result)),
            Step::Run(prepared) => run(&call, *prepared).await?,
            Step::Fail => unreachable!("a plan that fails was refused above"),
        };
        let decision = |outcome: Result<Value, ToolFailure>| {
            let (status, result, failure) = match outcome {
                Ok(result) => (ApprovalStatus::Done, Some(result), None),
                Err(failure) => (ApprovalStatus::Failed, None, serde_json::to_value(failure).ok()),
            };
            let event = judgement.event(&approval.key_id, tool);
            Change::Approvals(ApprovalChange::Decide(Box::new(NewDecision {
                approval_id: approval_id.to_owned(),
                status,
                note: judgement.note.clone(),
                arguments: arguments.cloned(),
                result,
                failure,
                event,
            })))
        };
        changes.push(decision(result));
        let committed = match decider.commit(&approval.key_id, &changes).await {
            // The decision stands, and the agent learns why the call failed.
            Err(CommitError::Refused(failure)) => {
                decider.commit(&approval.key_id, &[decision(Err(failure))]).await
            }
            other => other,
        };
        match committed {
            Ok(()) => return decider.find(approval_id).await,
            Err(CommitError::Changed) => {}
            Err(CommitError::Store(error)) => return Err(error.into()),
            Err(CommitError::Denied(denial)) => return Err(ApproveError::Denied(denial)),
            // A decision uses no quota, and a person has no claim.
            Err(CommitError::Refused(_) | CommitError::ClaimLost) => return Err(StoreError::Internal.into()),
        }
    }
    Err(ApproveError::Changed)
}

/// Ends a pending call without running it.
pub async fn reject(
    decider: Decider<'_>,
    approval_id: &str,
    judgement: &Judgement,
) -> Result<Approval, ApproveError> {
    let approval = decider.pending(approval_id).await?;
    let tool = decider.registry.find(&approval.tool).map_or("", |entry| entry.description().name);
    let decision = NewDecision {
        approval_id: approval_id.to_owned(),
        status: ApprovalStatus::Rejected,
        note: judgement.note.clone(),
        arguments: None,
        result: None,
        failure: None,
        event: judgement.event(&approval.key_id, tool),
    };
    let changes = [Change::Approvals(ApprovalChange::Decide(Box::new(decision)))];
    match decider.records.commit(decider.brand_id, &changes, None, decider.now).await {
        Ok(()) => decider.find(approval_id).await,
        // Somebody else was faster.
        Err(CommitError::Changed) => {
            Err(ApproveError::AlreadyDecided(Box::new(decider.find(approval_id).await?)))
        }
        Err(CommitError::Store(error)) => Err(error.into()),
        Err(CommitError::Refused(_) | CommitError::ClaimLost | CommitError::Denied(_)) => {
            Err(StoreError::Internal.into())
        }
    }
}

impl Judgement {
    fn event(&self, key_id: &KeyId, tool: &'static str) -> ApprovalEvent {
        ApprovalEvent {
            event_id: self.event_id.clone(),
            actor: self.actor.clone(),
            key_id: key_id.clone(),
            tool,
        }
    }
}

impl Decider<'_> {
    async fn find(&self, approval_id: &str) -> Result<Approval, ApproveError> {
        let found = self.context.records.approval(self.brand_id, approval_id, self.now).await?;
        found.ok_or(ApproveError::NotFound)
    }

    async fn pending(&self, approval_id: &str) -> Result<Approval, ApproveError> {
        let approval = self.find(approval_id).await?;
        match approval.status {
            ApprovalStatus::Pending => Ok(approval),
            _ => Err(ApproveError::AlreadyDecided(Box::new(approval))),
        }
    }

    /// A call in the name of the key, if it may still act.
    async fn call_of(&self, key: &KeyId) -> Result<Call, ApproveError> {
        let key_state = self.context.records.key_state(self.brand_id, key).await?;
        let key_state = key_state.ok_or(ApproveError::Denied(Denial::KeyInvalid(KeyError::Unknown)))?;
        decide_queued_work(&key_state, self.now).map_err(ApproveError::Denied)?;
        let caller = Caller { key_state, rate: Rate::UNTOUCHED };
        Ok(Call { caller, now: self.now, context: Arc::clone(self.context) })
    }

    async fn plan(&self, call: &Call, tool: &str, arguments: Value) -> Result<Plan, ApproveError> {
        let Some(entry) = self.registry.find(tool) else {
            return Err(ApproveError::Denied(Denial::UnknownTool { nearest: None }));
        };
        let key_state = &call.caller.key_state;
        if !key_state.may_call(tool, entry.access()) {
            let listed = key_state.scope.covers(entry.access());
            return Err(ApproveError::Denied(Denial::InsufficientScope { listed }));
        }
        let prepared =
            self.registry.prepare(tool, arguments).await.map_err(ApproveError::InvalidArguments)?;
        let (tool, arguments) = (prepared.tool, prepared.arguments.clone());
        if !prepared.entry.plans() {
            let digest = digest(tool, &arguments, &Value::Null);
            let seen = PlannedApproval { preview: None, failure: None, digest };
            return Ok(Plan { tool, seen, step: Step::Run(Box::new(prepared)) });
        }
        let (changes, outcome) = run(call, prepared).await?;
        Ok(match outcome {
            Ok(result) => {
                let digest = digest(tool, &arguments, &result);
                let seen = PlannedApproval { preview: Some(result.clone()), failure: None, digest };
                Plan { tool, seen, step: Step::Commit { changes, result } }
            }
            // The message may name the time, so only the code counts.
            Err(failure) => {
                let digest = digest(tool, &arguments, &Value::from(failure.code));
                let seen = PlannedApproval { preview: None, failure: Some(failure), digest };
                Plan { tool, seen, step: Step::Fail }
            }
        })
    }

    async fn commit(&self, key: &KeyId, changes: &[Change]) -> Result<(), CommitError> {
        self.records.commit_for_key(self.brand_id, key, changes, None, self.now).await
    }
}

/// Runs a tool without committing its changes.
async fn run(
    call: &Call,
    prepared: PreparedCall,
) -> Result<(Vec<Change>, Result<Value, ToolFailure>), ApproveError> {
    match prepared.call.run(call).await {
        Ok(outcome) => Ok(match outcome.output {
            Ok(body) => (outcome.changes, Ok(structured_content(&body))),
            Err(_) => (Vec::new(), Err(ToolFailure::result_too_large())),
        }),
        Err(ToolError::Store(error)) => Err(error.into()),
        Err(ToolError::Failed(failure)) => Ok((Vec::new(), Err(failure))),
    }
}
