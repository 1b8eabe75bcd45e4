//! Sends the rate limit steps of all requests to one Redis server in batches. Steps that arrive during a round trip go
//! together in the next one, because a round trip costs this process and Redis far more than a step.
//!
//! A cluster accepts a script only if all of its keys lie in one hash slot, so there the steps of each bucket are a script
//! call of their own. All calls of a batch still go in one round trip.

use std::{
    fmt::Write,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use redis::{
    Cmd, ErrorKind, Pipeline, RedisError, RedisResult, Script, ServerErrorKind, Value, aio::ConnectionManager,
};
use svc_mcp_access::{
    BrandId, PlanId, Ticks,
    decision::{Stamps, StepOutcome},
    key::KeyDigest,
    rate::{LIMIT, Rate, Step, WINDOW},
};
use tokio::sync::{mpsc, oneshot};

use crate::redis_keys::{Bucket, brand_key, plan_key, window_key};

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
    /// Where its keys lie in a cluster.
    pub(crate) bucket: Option<Bucket>,
    /// The bucket is being moved to this server, which serves it only to those who say `ASKING`.
    pub(crate) asking: bool,
    pub(crate) reply: oneshot::Sender<Result<StepOutcome, RedisError>>,
}

/// How a server keeps what it was sent when it fails.
#[derive(Debug, Clone)]
pub(crate) struct Replication {
    /// The server has a replica. A step counts once the replica has it, so that a failover forgets no admitted request.
    pub(crate) has_replica: Arc<AtomicBool>,
    pub(crate) timeout: Duration,
}

/// Runs until every sender is dropped.
pub(crate) async fn run(
    mut redis: ConnectionManager,
    replication: Replication,
    mut requests: mpsc::UnboundedReceiver<StepRequest>,
) {
    let script = Script::new(SCRIPT);
    let mut batch = Vec::with_capacity(MAX_BATCH);
    while requests.recv_many(&mut batch, MAX_BATCH).await > 0 {
        // The order of the steps of one key is kept.
        batch.sort_by_key(|request: &StepRequest| (request.bucket, request.asking));
        match send(&mut redis, &replication, &script, &batch).await {
            Ok(outcomes) => {
                for (request, outcome) in batch.drain(..).zip(outcomes) {
                    // Sending a reply fails if its request was cancelled. The step counts all the same.
                    let _ = request.reply.send(outcome);
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

/// The outcomes of the steps, in their order. A server may refuse the steps of one bucket and run the others.
async fn send(
    redis: &mut ConnectionManager,
    replication: &Replication,
    script: &Script,
    batch: &[StepRequest],
) -> RedisResult<Vec<RedisResult<StepOutcome>>> {
    let groups: Vec<&[StepRequest]> =
        batch.chunk_by(|one, next| (one.bucket, one.asking) == (next.bucket, next.asking)).collect();
    let mut replies = call(redis, replication, ("EVALSHA", script.get_hash()), &groups).await?;
    let is_unknown = |reply: &RedisResult<String>| matches!(reply, Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript));
    let unknown: Vec<usize> = (0..groups.len()).filter(|index| is_unknown(&replies[*index])).collect();
    if !unknown.is_empty() {
        let again: Vec<&[StepRequest]> = unknown.iter().map(|index| groups[*index]).collect();
        let second = call(redis, replication, ("EVAL", SCRIPT), &again).await?;
        for (index, reply) in unknown.into_iter().zip(second) {
            replies[index] = reply;
        }
    }
    let mut outcomes = Vec::with_capacity(batch.len());
    for (group, reply) in groups.into_iter().zip(replies) {
        let unreadable = || RedisError::from((ErrorKind::Parse, "unexpected reply of the script"));
        match reply.and_then(|text| parse(&text, group.len()).ok_or_else(unreadable)) {
            Ok(of_group) => outcomes.extend(of_group.into_iter().map(Ok)),
            Err(error) => outcomes.extend(group.iter().map(|_| Err(error.clone()))),
        }
    }
    Ok(outcomes)
}

/// Calls the script for each group in one round trip.
async fn call(
    redis: &mut ConnectionManager,
    replication: &Replication,
    (name, script): (&str, &str),
    groups: &[&[StepRequest]],
) -> RedisResult<Vec<RedisResult<String>>> {
    let mut pipeline = Pipeline::with_capacity(groups.len() + 1);
    // Where the replies of the groups are among all replies.
    let mut places = Vec::with_capacity(groups.len());
    for group in groups {
        if group.iter().any(|request| request.asking) {
            pipeline.cmd("ASKING");
        }
        places.push(pipeline.len());
        pipeline.add_command(command(name, script, group));
    }
    let counts = groups.iter().any(|group| group.iter().any(|request| request.step == Step::Count));
    let waits = counts && replication.has_replica.load(Ordering::Relaxed);
    if waits {
        let millis = u64::try_from(replication.timeout.as_millis()).unwrap_or(u64::MAX);
        pipeline.cmd("WAIT").arg(1).arg(millis);
    }
    let mut replies = redis.send_packed_commands(&pipeline, 0, pipeline.len()).await?;
    if waits && matches!(replies.last(), Some(Value::Int(0))) {
        // The replica is gone, or very slow. Steps do not wait for it until the cluster is read again.
        replication.has_replica.store(false, Ordering::Relaxed);
    }
    let mut take = |place: usize| {
        let reply = replies.get_mut(place).map(std::mem::take).unwrap_or_default();
        Ok(redis::from_redis_value(reply.extract_error()?)?)
    };
    Ok(places.into_iter().map(&mut take).collect())
}

fn command(name: &str, script: &str, batch: &[StepRequest]) -> Cmd {
    let mut command = redis::cmd(name);
    command.arg(script).arg(3 * batch.len());
    for request in batch {
        let bucket = request.bucket;
        command
            .arg(window_key(bucket, &request.window))
            .arg(brand_key(bucket, &request.brand))
            .arg(plan_key(bucket, &request.plan));
    }
    command.arg(LIMIT).arg(u64::try_from(WINDOW.as_micros()).unwrap_or(u64::MAX));
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
