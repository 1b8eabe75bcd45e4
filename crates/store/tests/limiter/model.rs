//! A simple model of the limit, which keeps the time of every admitted request for ever and counts them for each request.
//! And strategies for sequences of requests.

use std::time::Duration;

use proptest::prelude::*;
use svc_mcp_access::rate::{Rate, Step};

pub(crate) const SECOND: u64 = 1_000_000;
pub(crate) const WINDOW: u64 = 60 * SECOND;
pub(crate) const LIMIT: usize = 60;

/// About the number of microseconds since 1970.
pub(crate) const BEGIN: u64 = 1_794_700_800_123_457;

/// The times of all admitted requests of one key.
#[derive(Debug, Default, Clone)]
pub(crate) struct Model(Vec<u64>);

impl Model {
    pub(crate) fn step(&mut self, clock: u64, step: Step) -> Rate {
        // If the clock was set back, the time of the last request is used.
        let now = self.0.last().map_or(clock, |latest| clock.max(*latest));
        let admitted = self.counting(now).len() < LIMIT;
        if admitted && step == Step::Count {
            self.0.push(now);
        }
        let counting = self.counting(now);
        Rate {
            admitted,
            remaining: LIMIT - counting.len(),
            // Relative to the clock as it was read, because the client waits by that clock.
            frees_in: counting
                .first()
                .map_or(Duration::ZERO, |oldest| Duration::from_micros(oldest + WINDOW - clock)),
        }
    }

    /// The times within the last minute.
    fn counting(&self, now: u64) -> &[u64] {
        &self.0[self.0.partition_point(|moment| now - moment >= WINDOW)..]
    }

    /// When the oldest counted request leaves the window.
    pub(crate) fn frees_at(&self, clock: u64) -> Option<u64> {
        let now = self.0.last().map_or(clock, |latest| clock.max(*latest));
        self.counting(now).first().map(|oldest| oldest + WINDOW)
    }
}

/// How the clock moves before a request.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Move {
    Forward(u64),
    Back(u64),
    /// To the time at which a request becomes free, plus or minus some microseconds.
    ToTheEdge(i64),
}

/// Several requests of one key at one time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Burst {
    pub(crate) key: usize,
    pub(crate) before: Move,
    pub(crate) step: Step,
    pub(crate) times: usize,
}

impl Burst {
    /// The clock after this move.
    pub(crate) fn moved(&self, clock: u64, model: &Model) -> u64 {
        match self.before {
            Move::Forward(by) => clock + by,
            Move::Back(by) => clock - by,
            Move::ToTheEdge(off) => {
                let edge = model.frees_at(clock).unwrap_or(clock).saturating_add_signed(off);
                edge.max(clock)
            }
        }
    }
}

/// A clock that never moves back.
pub(crate) fn forwards() -> impl Strategy<Value = Move> {
    prop_oneof![
        3 => Just(Move::Forward(0)),
        3 => (0..2 * SECOND).prop_map(Move::Forward),
        2 => (0..70 * SECOND).prop_map(Move::Forward),
        2 => (-2..3i64).prop_map(Move::ToTheEdge),
    ]
}

/// A clock that is sometimes set back.
pub(crate) fn any_way() -> impl Strategy<Value = Move> {
    prop_oneof![
        8 => forwards(),
        1 => (1..2_000u64).prop_map(Move::Back),
        1 => (1..120 * SECOND).prop_map(Move::Back),
    ]
}

pub(crate) fn course(
    keys: usize,
    moves: impl Strategy<Value = Move>,
    peeks: bool,
) -> impl Strategy<Value = Vec<Burst>> {
    let step = if peeks {
        prop_oneof![3 => Just(Step::Count), 1 => Just(Step::Peek)].boxed()
    } else {
        Just(Step::Count).boxed()
    };
    let times = prop_oneof![3 => 1..4usize, 2 => 1..80usize];
    let burst = (0..keys, moves, step, times).prop_map(|(key, before, step, times)| Burst {
        key,
        before,
        step,
        times,
    });
    prop::collection::vec(burst, 1..24)
}
