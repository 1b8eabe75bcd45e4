//! Runs a prepared call and commits its changes exactly once.

use std::fmt;

use serde_json::Value;
use svc_mcp_access::{
    ApprovalRule, StoreError, ToolAccess,
    decision::Denial,
    idempotency::{Fingerprint, IdempotencyKey},
    validate::shortened,
};

pub use crate::result::MAX_TEXT_CHARS;

use crate::{
    Change,
    approvals::{ApprovalChange, needs_approval, request_approval},
    records::{Claim, CommitError, IdempotencyRecord, RecordedResponse},
    registry::{ErasedCall, PreparedCall, RenderedResult},
    result::{add_text, render_result},
    tool::{Call, FollowUp, ToolError, ToolFailure},
};

/// A failure with texts of this length fits into a result, however its characters are escaped.
const MAX_FAILURE_MESSAGE_CHARS: usize = 4_000;
const MAX_FAILURE_HINT_CHARS: usize = 1_000;
/// A second text block of a result, after the tool's output.
const ALL_JOBS_HELD: &str = "Note: the operator of the service holds all background work for now. What this call has queued is stored \
    and waits until the operator resumes it. Do not send it again.";
/// How often a call runs if what it has read keeps changing before its commit.
pub(crate) const MAX_RUNS: u32 = 3;

/// The MCP result object as JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    pub body: String,
    pub is_error: bool,
    pub replayed: bool,
    /// The call was stored and waits for a person's approval.
    pub awaits_approval: bool,
}

/// Why a call that was granted has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExecuteError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a call with the same idempotency key is running")]
    InProgress,
    #[error("the idempotency key was used before with another request")]
    Reused,
    /// The key was revoked or paused while the call was running. Nothing was changed.
    #[error("the key may not act any more: {}", .0.reason())]
    Denied(Denial),
}

/// A call whose changes are committed.
#[derive(Debug)]
pub enum Execution {
    Done(ToolResult),
    /// The call waits for the work that it started.
    Waiting(Box<WaitingCall>),
}

/// The claim of an idempotency key, with its ticket.
type OwnClaim = (IdempotencyRecord, String);

pub struct WaitingCall {
    call: Call,
    claim: Option<OwnClaim>,
    result: ToolResult,
    follow_up: FollowUp<RenderedResult>,
}

impl WaitingCall {
    /// The result after the wait.
    pub async fn finish(self) -> ToolResult {
        let Some(newer) = self.follow_up.await.map(check_size) else { return self.result };
        if let Some((record, ticket)) = &self.claim {
            // If this write fails, a replay returns the first response. That is also correct: it says where to poll.
            let response = RecordedResponse { record, ticket, response: &newer.body };
            let _ = self.call.context.records.replace_response(self.call.brand_id(), response).await;
        }
        newer
    }
}

impl fmt::Debug for WaitingCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaitingCall").field("call", &self.call).finish_non_exhaustive()
    }
}

/// The idempotency key in the arguments is the agent's own choice. It counts before that in the header, which a bridge makes
/// up for each call.
pub async fn execute(
    call: &Call,
    mut prepared: PreparedCall,
    header: Option<IdempotencyKey>,
) -> Result<Execution, ExecuteError> {
    let idempotency_key = prepared.idempotency_key.take().or(header);
    // A read tool changes nothing, so running it again is safe.
    let record = idempotency_key.filter(|_| prepared.access == ToolAccess::Write).map(|idempotency_key| {
        IdempotencyRecord {
            key_id: call.caller.key_state.key_id.clone(),
            idempotency_key,
            fingerprint: Fingerprint::of(prepared.tool, &prepared.arguments),
        }
    });
    match record {
        None => run(call, prepared, None).await,
        // Boxed, like `hold`: both are rare, and the future of a read call stays small.
        Some(record) => Box::pin(run_once(call, prepared, record)).await,
    }
}

async fn run_once(
    call: &Call,
    prepared: PreparedCall,
    record: IdempotencyRecord,
) -> Result<Execution, ExecuteError> {
    match call.context.records.claim(call.brand_id(), &record, call.now).await? {
        Claim::Reused => Err(ExecuteError::Reused),
        Claim::InProgress => Err(ExecuteError::InProgress),
        Claim::Replay { response } => {
            let is_error =
                serde_json::from_str::<Value>(&response).is_ok_and(|response| response["isError"] == true);
            let replayed = ToolResult { body: response, is_error, replayed: true, awaits_approval: false };
            Ok(Execution::Done(replayed))
        }
        Claim::Run { ticket } => {
            let claim = (record, ticket);
            let ran = run(call, prepared, Some(&claim)).await;
            if ran.is_err() {
                // Best effort: a claim that is not released expires.
                let _ = call.context.records.release(call.brand_id(), &claim.0, &claim.1).await;
            }
            ran
        }
    }
}

async fn run(
    call: &Call,
    prepared: PreparedCall,
    claim: Option<&OwnClaim>,
) -> Result<Execution, ExecuteError> {
    let PreparedCall { tool, access, entry, arguments, call: mut erased, .. } = prepared;
    // Such a tool does not only plan, so it must not run before the approval.
    let is_held = access == ToolAccess::Write && !entry.plans() && key_rule(call) == ApprovalRule::All;
    if is_held {
        return Box::pin(hold(call, tool, &arguments, None, claim)).await;
    }
    for _ in 0..MAX_RUNS {
        match run_and_commit(call, tool, &arguments, erased, claim).await? {
            Some(execution) => return Ok(execution),
            None => erased = entry.parse(&arguments).expect("the arguments were parsed before"),
        }
    }
    fail(call, &ToolFailure::changed_meanwhile(), claim).await
}

/// `None`: what the call has read was changed before its commit, so it must run again.
async fn run_and_commit(
    call: &Call,
    tool: &'static str,
    arguments: &Value,
    erased: Box<dyn ErasedCall>,
    claim: Option<&OwnClaim>,
) -> Result<Option<Execution>, ExecuteError> {
    let outcome = match erased.run(call).await {
        Ok(outcome) => outcome,
        Err(ToolError::Store(error)) => return Err(ExecuteError::Store(error)),
        Err(ToolError::Failed(failure)) => return fail(call, &failure, claim).await.map(Some),
    };
    let mut result = check_size(outcome.output);
    if !result.is_error && needs_approval(key_rule(call), &outcome.changes) {
        let preview = structured_content(&result.body);
        return Box::pin(hold(call, tool, arguments, Some(preview), claim)).await.map(Some);
    }
    // Nothing that the call queues is done for now, so it does not wait for that.
    let waits_for_operator = !result.is_error && queues_held_work(call, &outcome.changes);
    if waits_for_operator {
        add_text(&mut result.body, ALL_JOBS_HELD);
    }
    // A result that is too large commits no changes: the caller would not learn about them.
    let changes = if result.is_error { &[][..] } else { &outcome.changes };
    match commit(call, changes, claim, &result).await? {
        Committed::Yes => {}
        Committed::Changed => return Ok(None),
        Committed::Refused(refusal) => return fail(call, &refusal, claim).await.map(Some),
    }
    Ok(Some(match outcome.follow_up.filter(|_| !result.is_error && !waits_for_operator) {
        None => Execution::Done(result),
        Some(follow_up) => {
            let (call, claim) = (call.clone(), claim.cloned());
            Execution::Waiting(Box::new(WaitingCall { call, claim, result, follow_up }))
        }
    }))
}

fn queues_held_work(call: &Call, changes: &[Change]) -> bool {
    changes.iter().any(|change| matches!(change, Change::AddJob(_)))
        && call.context.records.all_jobs_are_held()
}

fn key_rule(call: &Call) -> ApprovalRule {
    call.caller.key_state.approval
}

/// Stores the call until a person decides. Nothing else is committed.
async fn hold(
    call: &Call,
    tool: &'static str,
    arguments: &Value,
    preview: Option<Value>,
    claim: Option<&OwnClaim>,
) -> Result<Execution, ExecuteError> {
    let (new, mut awaiting) = match request_approval(call, tool, arguments, preview) {
        Ok(requested) => requested,
        Err(failure) => return fail(call, &failure, claim).await,
    };
    let rendered = render_result(&awaiting, false).or_else(|_| {
        // The person still sees it.
        awaiting.preview = None;
        render_result(&awaiting, false)
    });
    let result = ToolResult { awaits_approval: true, ..check_size(rendered) };
    let changes = [Change::Approvals(ApprovalChange::Request(Box::new(new)))];
    match commit(call, &changes, claim, &result).await? {
        Committed::Yes => Ok(Execution::Done(result)),
        Committed::Refused(failure) => fail(call, &failure, claim).await,
        // It reads nothing that could change.
        Committed::Changed => fail(call, &ToolFailure::changed_meanwhile(), claim).await,
    }
}

/// Ends the call with a failure.
async fn fail(
    call: &Call,
    failure: &ToolFailure,
    claim: Option<&OwnClaim>,
) -> Result<Execution, ExecuteError> {
    let result = failed(failure);
    commit(call, &[], claim, &result).await?;
    Ok(Execution::Done(result))
}

/// The tool's output in a rendered result.
pub(crate) fn structured_content(body: &str) -> Value {
    let mut result: Value = serde_json::from_str(body).unwrap_or_default();
    result["structuredContent"].take()
}

/// What the store did with the changes of a call.
enum Committed {
    Yes,
    /// What they are based on has changed.
    Changed,
    /// The caller must learn why.
    Refused(ToolFailure),
}

/// Commits the changes and the response.
async fn commit(
    call: &Call,
    changes: &[Change],
    claim: Option<&OwnClaim>,
    result: &ToolResult,
) -> Result<Committed, ExecuteError> {
    let response = claim.map(|(record, ticket)| RecordedResponse { record, ticket, response: &result.body });
    if response.is_none() && changes.is_empty() {
        return Ok(Committed::Yes);
    }
    let key = &call.caller.key_state.key_id;
    match call.context.records.commit_for_key(call.brand_id(), key, changes, response, call.now).await {
        Ok(()) => Ok(Committed::Yes),
        Err(CommitError::Changed) => Ok(Committed::Changed),
        Err(CommitError::Refused(failure)) => Ok(Committed::Refused(failure)),
        Err(CommitError::Store(error)) => Err(ExecuteError::Store(error)),
        Err(CommitError::ClaimLost) => Err(ExecuteError::InProgress),
        Err(CommitError::Denied(denial)) => Err(ExecuteError::Denied(denial)),
    }
}

fn check_size(rendered: RenderedResult) -> ToolResult {
    match rendered {
        Ok(body) => ToolResult { body, is_error: false, replayed: false, awaits_approval: false },
        Err(_) => failed(&ToolFailure::result_too_large()),
    }
}

fn failed(failure: &ToolFailure) -> ToolResult {
    let mut failure = failure.clone();
    failure.message = shortened(failure.message, MAX_FAILURE_MESSAGE_CHARS);
    failure.hint = shortened(failure.hint, MAX_FAILURE_HINT_CHARS);
    let body = render_result(&failure, true).expect("its texts are short");
    ToolResult { body, is_error: true, replayed: false, awaits_approval: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_with_long_texts_is_a_small_result() {
        for character in ["x", "\"", "\u{1}", "🦀"] {
            let failure = ToolFailure::new("failed", character.repeat(50_000), character.repeat(50_000));
            // The text is in the body twice, and its quotes are escaped.
            assert!(failed(&failure).body.len() <= 3 * MAX_TEXT_CHARS);
        }
    }
}
