//! How requests are counted: in this process, or over Redis with this process to fall back on.
//!
//! With Redis they are counted in both. What this instance alone has admitted in the last minute is never forgotten when
//! Redis is emptied, goes away or comes back.

use std::sync::Arc;

use svc_mcp_access::{
    decision::{Meter, Reading, Standing, Unavailable},
    rate::Step,
    time::Ticks,
};

use crate::Store;

impl Meter for Store {
    async fn step(&self, standing: &Arc<Standing>, now: Ticks, step: Step) -> Result<Reading, Unavailable> {
        let local = &self.standings.keys;
        let Some(shared) = self.shared.as_ref().filter(|shared| !shared.is_degraded()) else {
            return Ok(Reading::Rate(local.step(standing, now, step)));
        };
        let about = (&standing.brand_id, &standing.plan_id, standing.stamps);
        let here = local.step(standing, now, Step::Peek);
        // What is refused here is not counted there.
        let step = if here.admitted { step } else { Step::Peek };
        // Where Redis has just gone, what the cache said cannot be trusted any more: read it again, and count here.
        let reading = shared.step(&standing.digest, about, step, None).await.unwrap_or(Reading::Stale);
        let Reading::Rate(together) = reading else { return Ok(reading) };
        let here = if together.admitted { local.step(standing, now, step) } else { here };
        // Where both refuse, waiting for both is enough.
        let refused =
            [here, together].into_iter().filter(|rate| !rate.admitted).max_by_key(|rate| rate.frees_in);
        Ok(Reading::Rate(refused.unwrap_or(together)))
    }
}
