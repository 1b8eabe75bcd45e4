//! Runs a prepared call and commits its changes exactly once.

use std::fmt;

use serde_json::Value;
use svc_mcp_access::{
    StoreError, ToolAccess,
    decision::Denial,
    idempotency::{Fingerprint, IdempotencyKey},
    validate::shortened,
};

pub use crate::result::MAX_RESULT_BYTES;

use crate::{
    Change,
    records::{Claim, CommitError, IdempotencyRecord, RecordedResponse},
    registry::{ErasedCall, PreparedCall, RenderedResult},
    result::render_result,
    tool::{Call, FollowUp, ToolError, ToolFailure},
};

/// A failure with texts of this length fits into a result, however its characters are escaped.
const MAX_FAILURE_MESSAGE_CHARS: usize = 4_000;
const MAX_FAILURE_HINT_CHARS: usize = 1_000;
/// How often a call runs if what it has read keeps changing before its commit.
const MAX_RUNS: u32 = 3;

/// The MCP result object as JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    pub body: String,
    pub is_error: bool,
    pub replayed: bool,
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

pub async fn execute(
    call: &Call,
    prepared: PreparedCall,
    idempotency_key: Option<IdempotencyKey>,
) -> Result<Execution, ExecuteError> {
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
        Some(record) => run_once(call, prepared, record).await,
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
            Ok(Execution::Done(ToolResult { body: response, is_error, replayed: true }))
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
    let PreparedCall { entry, arguments, call: mut erased, .. } = prepared;
    for _ in 0..MAX_RUNS {
        match run_and_commit(call, erased, claim).await? {
            Some(execution) => return Ok(execution),
            None => erased = entry.parse(&arguments).expect("the arguments were parsed before"),
        }
    }
    let result = failed(&ToolFailure::changed_meanwhile());
    commit(call, &[], claim, &result).await?;
    Ok(Execution::Done(result))
}

/// `None`: what the call has read was changed before its commit, so it must run again.
async fn run_and_commit(
    call: &Call,
    erased: Box<dyn ErasedCall>,
    claim: Option<&OwnClaim>,
) -> Result<Option<Execution>, ExecuteError> {
    let outcome = match erased.run(call).await {
        Ok(outcome) => outcome,
        Err(ToolError::Store(error)) => return Err(ExecuteError::Store(error)),
        Err(ToolError::Failed(failure)) => {
            let result = failed(&failure);
            commit(call, &[], claim, &result).await?;
            return Ok(Some(Execution::Done(result)));
        }
    };
    let result = check_size(outcome.output);
    // A result that is too large commits no changes: the caller would not learn about them.
    let changes = if result.is_error { &[][..] } else { &outcome.changes };
    match commit(call, changes, claim, &result).await? {
        Committed::Yes => {}
        Committed::Changed => return Ok(None),
        Committed::Refused(refusal) => {
            let result = failed(&refusal);
            commit(call, &[], claim, &result).await?;
            return Ok(Some(Execution::Done(result)));
        }
    }
    Ok(Some(match outcome.follow_up.filter(|_| !result.is_error) {
        None => Execution::Done(result),
        Some(follow_up) => {
            let (call, claim) = (call.clone(), claim.cloned());
            Execution::Waiting(Box::new(WaitingCall { call, claim, result, follow_up }))
        }
    }))
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
        Ok(body) => ToolResult { body, is_error: false, replayed: false },
        Err(_) => failed(&ToolFailure::new(
            "result_too_large",
            format!("The result has more than {MAX_RESULT_BYTES} bytes, which is the limit."),
            "Request less at once: use a smaller `limit` or a narrower filter.",
        )),
    }
}

fn failed(failure: &ToolFailure) -> ToolResult {
    let mut failure = failure.clone();
    failure.message = shortened(failure.message, MAX_FAILURE_MESSAGE_CHARS);
    failure.hint = shortened(failure.hint, MAX_FAILURE_HINT_CHARS);
    let body = render_result(&failure, true).expect("its texts are short");
    ToolResult { body, is_error: true, replayed: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_with_long_texts_is_a_small_result() {
        for character in ["x", "\"", "\u{1}", "🦀"] {
            let failure = ToolFailure::new("failed", character.repeat(50_000), character.repeat(50_000));
            assert!(failed(&failure).body.len() <= MAX_RESULT_BYTES);
        }
    }
}
