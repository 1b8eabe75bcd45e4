//! Sends the rate limit steps of all requests to Redis in batches. Steps that arrive during a round trip go together in
//! the next one, because a round trip costs this process and Redis far more than a step.

use std::{fmt::Write, time::Duration};

use redis::{Cmd, ErrorKind, RedisError, RedisResult, Script, ServerErrorKind, aio::ConnectionManager};
use svc_mcp_access::{
    BrandId, PlanId, Ticks,
    decision::{Stamps, StepOutcome},
    key::KeyDigest,
    rate::{LIMIT, Rate, SPAN, Step},
};
use tokio::sync::{mpsc, oneshot};

const SCRIPT: &str = include_str!("step.lua");
/// Redis is blocked while the script runs. For this many steps that is less than a millisecond.
const MAX_BATCH: usize = 64;

#[derive(Debug)]
pub(crate) struct StepRequest {
    /// The digest by which the window is found.
    pub(crate) window: KeyDigest,
    pub(crate) brand: BrandId,
    pub(crate) plan: PlanId,
    pub(crate) stamps: Stamps,
    pub(crate) step: Step,
    pub(crate) at: Option<Ticks>,
    pub(crate) reply: oneshot::Sender<Result<StepOutcome, RedisError>>,
}

/// Runs until every sender is dropped.
pub(crate) async fn run(mut redis: ConnectionManager, mut requests: mpsc::UnboundedReceiver<StepRequest>) {
    let script = Script::new(SCRIPT);
    let mut batch = Vec::with_capacity(MAX_BATCH);
    while requests.recv_many(&mut batch, MAX_BATCH).await > 0 {
        // Sending a reply fails if its request was cancelled. The step counts all the same.
        match send(&mut redis, &script, &batch).await {
            Ok(outcomes) => {
                for (request, outcome) in batch.drain(..).zip(outcomes) {
                    let _ = request.reply.send(Ok(outcome));
                }
            }
            Err(error) => {
                // Requests that arrived meanwhile need not wait for the same error.
                let waiting = std::iter::from_fn(|| requests.try_recv().ok());
                for request in batch.drain(..).chain(waiting) {
                    let _ = request.reply.send(Err(error.clone()));
                }
            }
        }
    }
}

async fn send(
    redis: &mut ConnectionManager,
    script: &Script,
    batch: &[StepRequest],
) -> RedisResult<Vec<StepOutcome>> {
    let reply = command("EVALSHA", script.get_hash(), batch).query_async(redis).await;
    let text: String = match reply {
        Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
            command("EVAL", SCRIPT, batch).query_async(redis).await?
        }
        reply => reply?,
    };
    parse(&text, batch.len()).ok_or_else(|| (ErrorKind::Parse, "unexpected reply of the script").into())
}

fn command(name: &str, script: &str, batch: &[StepRequest]) -> Cmd {
    let mut command = redis::cmd(name);
    command.arg(script).arg(3 * batch.len());
    for request in batch {
        command.arg(&window_key(&request.window)).arg(brand_key(&request.brand)).arg(plan_key(&request.plan));
    }
    command.arg(LIMIT).arg(u64::try_from(SPAN.as_micros()).unwrap_or(u64::MAX));
    let mut at = String::new();
    for request in batch {
        at.clear();
        if let Some(Ticks(micros)) = request.at {
            let _ = write!(at, "{micros}");
        }
        let counts = u8::from(request.step == Step::Count);
        command.arg(counts).arg(request.stamps.brand).arg(request.stamps.plan).arg(&at);
    }
    command
}

fn parse(text: &str, count: usize) -> Option<Vec<StepOutcome>> {
    let mut numbers = text.split(' ');
    let mut outcomes = Vec::with_capacity(count);
    for _ in 0..count {
        let (admitted, remaining, frees_in) = (numbers.next()?, numbers.next()?, numbers.next()?);
        outcomes.push(match admitted {
            "-1" => StepOutcome::Stale,
            _ => StepOutcome::Rate(Rate {
                admitted: admitted == "1",
                remaining: remaining.parse().ok()?,
                frees_in: Duration::from_micros(frees_in.parse().ok()?),
            }),
        });
    }
    numbers.next().is_none().then_some(outcomes)
}

/// Not `svc:window:`: the first versions kept a list under that name.
fn window_key(digest: &KeyDigest) -> [u8; 44] {
    let mut key = *b"svc:moments:________________________________";
    key[12..].copy_from_slice(digest.as_bytes());
    key
}

pub(crate) fn brand_key(brand: &BrandId) -> String {
    format!("svc:brand:{brand}")
}

pub(crate) fn plan_key(plan: &PlanId) -> String {
    format!("svc:plan:{plan}")
}
