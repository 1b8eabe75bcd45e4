//! Runs a prepared call and commits what it changes, once.

use serde_json::Value;
use svc_mcp_access::{
    ToolAccess,
    idempotency::{Fingerprint, IdempotencyKey},
};

use crate::{
    Change,
    records::{Answer, Claim, NotCommitted, Promise},
    registry::Prepared,
    result::result_of,
    tool::{Call, Failure, Stopped},
};

/// No answer is longer than this, so that no model drowns in one.
pub const LARGEST_RESULT: usize = 100 * 1024;

/// The MCP result object, as the JSON text that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executed {
    pub body: String,
    pub is_error: bool,
    pub replayed: bool,
}

/// Why a call that was granted has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotExecuted {
    Unavailable,
    InProgress,
    Reused,
}

pub async fn execute(
    call: &Call,
    prepared: Prepared,
    idempotency_key: Option<IdempotencyKey>,
) -> Result<Executed, NotExecuted> {
    // A read tool may be run again as often as one likes: there is nothing to keep.
    let promise =
        idempotency_key.filter(|_| prepared.access == ToolAccess::Write).map(|idempotency_key| Promise {
            key_id: call.caller.standing.key_id.clone(),
            idempotency_key,
            fingerprint: Fingerprint::of(prepared.tool, &prepared.arguments),
        });
    match promise {
        None => run(call, prepared, None).await,
        Some(promise) => run_once(call, prepared, &promise).await,
    }
}

async fn run_once(call: &Call, prepared: Prepared, promise: &Promise) -> Result<Executed, NotExecuted> {
    let claim = call.means.records.claim(call.brand_id(), promise, call.now).await;
    match claim.map_err(|_| NotExecuted::Unavailable)? {
        Claim::Reused => Err(NotExecuted::Reused),
        Claim::InProgress => Err(NotExecuted::InProgress),
        Claim::Replay { answer } => {
            let is_error =
                serde_json::from_str::<Value>(&answer).is_ok_and(|answer| answer["isError"] == true);
            Ok(Executed { body: answer, is_error, replayed: true })
        }
        Claim::Run { ticket } => {
            let ran = run(call, prepared, Some((promise, &ticket))).await;
            if ran.is_err() {
                // Best effort: a claim that stays behind runs out by itself.
                let _ = call.means.records.release(call.brand_id(), promise, &ticket).await;
            }
            ran
        }
    }
}

async fn run(
    call: &Call,
    prepared: Prepared,
    claim: Option<(&Promise, &str)>,
) -> Result<Executed, NotExecuted> {
    let outcome = match prepared.ready.run(call).await {
        Ok(outcome) => outcome,
        Err(Stopped::Unavailable) => return Err(NotExecuted::Unavailable),
        Err(Stopped::Failed(failure)) => {
            let executed = Executed { body: failed(&failure), is_error: true, replayed: false };
            commit(call, &[], claim, &executed).await?;
            return Ok(executed);
        }
    };
    let executed = result(outcome.output);
    // What is too large to be told is not done either.
    let changes = if executed.is_error { &[][..] } else { &outcome.changes };
    if let Some(refusal) = commit(call, changes, claim, &executed).await? {
        let executed = Executed { body: failed(&refusal), is_error: true, replayed: false };
        commit(call, &[], claim, &executed).await?;
        return Ok(executed);
    }
    let Some(sequel) = outcome.sequel.filter(|_| !executed.is_error) else { return Ok(executed) };
    let Some(better) = sequel.await.map(result) else { return Ok(executed) };
    if let Some((promise, ticket)) = claim {
        // Where this is not written, a replay gives the first answer: it is true as well, and says where to look.
        let answer = Answer { promise, ticket, answer: &better.body };
        let _ = call.means.records.answer_again(call.brand_id(), answer).await;
    }
    Ok(better)
}

/// Commits changes and answer. `Some`: one of the changes was refused for a reason that the caller is to know.
async fn commit(
    call: &Call,
    changes: &[Change],
    claim: Option<(&Promise, &str)>,
    executed: &Executed,
) -> Result<Option<Failure>, NotExecuted> {
    let answer = claim.map(|(promise, ticket)| Answer { promise, ticket, answer: &executed.body });
    if answer.is_none() && changes.is_empty() {
        return Ok(None);
    }
    match call.means.records.commit(call.brand_id(), changes, answer, call.now).await {
        Ok(()) => Ok(None),
        Err(NotCommitted::Refused(failure)) => Ok(Some(failure)),
        Err(NotCommitted::Unavailable) => Err(NotExecuted::Unavailable),
        Err(NotCommitted::ClaimLost) => Err(NotExecuted::InProgress),
    }
}

/// Answers with the result object, unless it is too large.
fn result(body: String) -> Executed {
    if body.len() > LARGEST_RESULT {
        return Executed { body: too_large(body.len()), is_error: true, replayed: false };
    }
    Executed { body, is_error: false, replayed: false }
}

fn failed(failure: &Failure) -> String {
    result_of(failure, true)
}

fn too_large(length: usize) -> String {
    failed(&Failure::new(
        "result_too_large",
        format!("The result has {length} bytes; the most that is returned is {LARGEST_RESULT}."),
        "Ask for less at once: a smaller `limit`, or a narrower filter.",
    ))
}
