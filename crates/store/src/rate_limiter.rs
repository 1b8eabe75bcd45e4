//! The rate limit: counted in this process, and over Redis where several instances share it.
//!
//! With Redis, requests are counted in both places. If Redis is emptied, goes away or comes back, this instance still
//! knows what it has admitted in the last minute.

use std::sync::Arc;

use svc_mcp_access::{
    StoreError,
    decision::{KeyState, RateLimiter, StepOutcome},
    rate::Step,
    time::Ticks,
};

use svc_mcp_tools::trace::{self, NewSpan};

use crate::Store;

impl RateLimiter for Store {
    async fn step(
        &self,
        key_state: &Arc<KeyState>,
        now: Ticks,
        step: Step,
    ) -> Result<StepOutcome, StoreError> {
        let local = &self.key_cache.keys;
        let Some(redis) = self.redis.as_ref().filter(|redis| !redis.is_degraded()) else {
            return Ok(StepOutcome::Rate(local.step(key_state, now, step)));
        };
        let versions = (&key_state.brand_id, &key_state.plan_id, key_state.stamps);
        let local_rate = local.step(key_state, now, Step::Peek);
        // A request that this process refuses is not counted in Redis.
        let step = if local_rate.admitted { step } else { Step::Peek };
        let describe = || NewSpan::client("redis step").with("db.system.name", "redis");
        let stepping = redis.step(key_state.window_digest(), versions, step, None);
        // Boxed, so that it does not enlarge the future of a request without Redis.
        let outcome = match Box::pin(trace::in_span(describe, stepping)).await {
            Some(outcome) => outcome,
            // If Redis has just failed, the cached state cannot be trusted: it is read again, and counted here.
            None if redis.is_degraded() => StepOutcome::Stale,
            // A part of the cluster fails over. Counted here, the key would get more than its limit.
            None => return Err(StoreError::Unavailable),
        };
        let StepOutcome::Rate(shared_rate) = outcome else { return Ok(outcome) };
        let local_rate = if shared_rate.admitted { local.step(key_state, now, step) } else { local_rate };
        // If both refuse, the client must wait for the longer of the two.
        let refused = [local_rate, shared_rate]
            .into_iter()
            .filter(|rate| !rate.admitted)
            .max_by_key(|rate| rate.frees_in);
        Ok(StepOutcome::Rate(refused.unwrap_or(shared_rate)))
    }
}
