//! Carries the steps of all requests of this instance to Redis: those that come while one trip is under way go together
//! in the next. A trip costs this process and Redis far more than a step does.

use std::{fmt::Write, time::Duration};

use redis::{Cmd, ErrorKind, RedisError, RedisResult, Script, ServerErrorKind, aio::ConnectionManager};
use svc_mcp_access::{
    BrandId, PlanId, Ticks,
    decision::{Reading, Stamps},
    key::KeyDigest,
    rate::{LIMIT, Rate, SPAN, Step},
};
use tokio::sync::{mpsc, oneshot};

use crate::shared::{brand_key, plan_key, window_key};

const STEPS: &str = include_str!("step.lua");
/// So many go together at the most: Redis does nothing else meanwhile, and this many take it less than a millisecond.
const AT_ONCE: usize = 64;

/// A step, and where its answer is waited for.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) digest: KeyDigest,
    pub(crate) brand: BrandId,
    pub(crate) plan: PlanId,
    pub(crate) stamps: Stamps,
    pub(crate) step: Step,
    pub(crate) at: Option<Ticks>,
    pub(crate) answer: oneshot::Sender<Result<Reading, RedisError>>,
}

/// Goes until nobody is left who could ask.
pub(crate) async fn go(mut redis: ConnectionManager, mut asked: mpsc::UnboundedReceiver<Asked>) {
    let script = Script::new(STEPS);
    let mut together = Vec::with_capacity(AT_ONCE);
    while asked.recv_many(&mut together, AT_ONCE).await > 0 {
        let answers = trip(&mut redis, &script, &together).await;
        match answers {
            Ok(readings) => {
                for (asked, reading) in together.drain(..).zip(readings) {
                    // Whoever has left meanwhile was counted all the same.
                    let _ = asked.answer.send(Ok(reading));
                }
            }
            Err(error) => {
                // Those who came meanwhile need not wait for the same again.
                let waiting = std::iter::from_fn(|| asked.try_recv().ok());
                for asked in together.drain(..).chain(waiting) {
                    let _ = asked.answer.send(Err(error.clone()));
                }
            }
        }
    }
}

async fn trip(redis: &mut ConnectionManager, script: &Script, asked: &[Asked]) -> RedisResult<Vec<Reading>> {
    let known = command("EVALSHA", script.get_hash(), asked).query_async(redis).await;
    let text: String = match known {
        Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
            command("EVAL", STEPS, asked).query_async(redis).await?
        }
        answer => answer?,
    };
    read(&text, asked.len()).ok_or_else(|| (ErrorKind::Parse, "not the answer of the script").into())
}

fn command(name: &str, script: &str, asked: &[Asked]) -> Cmd {
    let mut command = redis::cmd(name);
    command.arg(script).arg(3 * asked.len());
    for one in asked {
        command.arg(&window_key(&one.digest)).arg(brand_key(&one.brand)).arg(plan_key(&one.plan));
    }
    command.arg(LIMIT).arg(u64::try_from(SPAN.as_micros()).unwrap_or(u64::MAX));
    let mut at = String::new();
    for one in asked {
        at.clear();
        if let Some(Ticks(micros)) = one.at {
            let _ = write!(at, "{micros}");
        }
        command.arg(u8::from(one.step == Step::Count)).arg(one.stamps.brand).arg(one.stamps.plan).arg(&at);
    }
    command
}

fn read(text: &str, count: usize) -> Option<Vec<Reading>> {
    let mut numbers = text.split(' ');
    let mut readings = Vec::with_capacity(count);
    for _ in 0..count {
        let (admitted, remaining, frees_in) = (numbers.next()?, numbers.next()?, numbers.next()?);
        readings.push(match admitted {
            "-1" => Reading::Stale,
            _ => Reading::Rate(Rate {
                admitted: admitted == "1",
                remaining: remaining.parse().ok()?,
                frees_in: Duration::from_micros(frees_in.parse().ok()?),
            }),
        });
    }
    numbers.next().is_none().then_some(readings)
}
