//! The window belongs to the key: all its secrets share it, also while the key is rotated and its states are evicted.

use std::sync::Arc;

use proptest::prelude::*;
use svc_mcp_access::{
    Ticks,
    decision::{KeyState, RotatedSecret, Rotation, StepOutcome},
    key::KeyDigest,
    rate::{Rate, Step},
};
use tokio::runtime::Runtime;

use crate::{
    limited::{Limited, fresh_key, key_state_of},
    model::{BEGIN, Burst, LIMIT, Model, WINDOW, forwards},
    properties::check,
};

/// Which secret sends requests, and from which state.
#[derive(Debug, Clone, Copy)]
enum Sender {
    /// The first secret, with a state from before the rotation.
    BeforeRotation,
    Old,
    New,
    /// The secret after a second rotation.
    Newest,
}

const SENDERS: [Sender; 4] = [Sender::BeforeRotation, Sender::Old, Sender::New, Sender::Newest];

#[derive(Debug, Clone, Copy)]
struct Requests {
    sender: Sender,
    burst: Burst,
    /// Which secret's state is evicted before each request.
    evicted: Option<usize>,
    is_cached: bool,
}

fn requests() -> impl Strategy<Value = Vec<Requests>> {
    let sender = prop::sample::select(SENDERS.to_vec());
    let times = prop_oneof![3 => 1..4usize, 2 => 1..80usize];
    let evicted = prop::option::of(0..3usize);
    let one = (sender, forwards(), times, evicted, any::<bool>());
    let one = one.prop_map(|(sender, before, times, evicted, is_cached)| {
        let burst = Burst { key: 0, before, step: Step::Count, times };
        Requests { sender, burst, evicted, is_cached }
    });
    prop::collection::vec(one, 1..40)
}

/// A key that has had three secrets.
struct RotatedKey {
    digests: [KeyDigest; 3],
}

impl RotatedKey {
    fn new() -> Self {
        Self { digests: [fresh_key(), fresh_key(), fresh_key()] }
    }

    fn state(&self, sender: Sender) -> KeyState {
        let [first, second, third] = self.digests;
        let rotated = |digest| {
            let rotation = Some(Box::new(Rotation { window: first, secret: RotatedSecret::Current }));
            KeyState { rotation, ..key_state_of(digest) }
        };
        match sender {
            Sender::BeforeRotation => key_state_of(first),
            Sender::Old => rotated(first),
            Sender::New => rotated(second),
            Sender::Newest => rotated(third),
        }
    }
}

async fn step(limited: &Limited, key: &RotatedKey, requests: &Requests, at: u64) -> Rate {
    let key_state = Arc::new(key.state(requests.sender));
    match limited {
        Limited::InProcess(table) => {
            if let Some(evicted) = requests.evicted {
                table.evict(&key.digests[evicted]);
            }
            if requests.is_cached {
                table.insert_if(&key_state, || true);
            }
            table.step(&key_state, Ticks(at), Step::Count)
        }
        Limited::Redis(redis) => match redis.step(key_state.window_digest(), Some(at), Step::Count).await {
            Some(StepOutcome::Rate(rate)) => rate,
            other => panic!("Redis does not count: {other:?}"),
        },
    }
}

fn never_more_than_sixty_in_a_minute(runtime: &Runtime, limited: &Limited, cases: u32) {
    check(cases, requests(), |course| {
        let (key, mut model, mut clock) = (RotatedKey::new(), Model::default(), BEGIN);
        let mut admitted = Vec::new();
        for requests in course {
            clock = requests.burst.moved(clock, &model);
            for _ in 0..requests.burst.times {
                let rate = runtime.block_on(step(limited, &key, &requests, clock));
                prop_assert_eq!(rate, model.step(clock, Step::Count), "{:?} at {}", requests, clock);
                if rate.admitted {
                    admitted.push(clock);
                }
            }
        }
        for times in admitted.windows(LIMIT + 1) {
            prop_assert!(times[LIMIT] - times[0] >= WINDOW, "61 were admitted from {} on", times[0]);
        }
        Ok(())
    });
}

#[test]
fn all_secrets_share_one_window_in_process() {
    let runtime = Runtime::new().expect("a runtime");
    never_more_than_sixty_in_a_minute(&runtime, &Limited::in_process(), 300);
}

#[test]
fn all_secrets_share_one_window_over_redis() {
    let runtime = Runtime::new().expect("a runtime");
    let limited = runtime.block_on(Limited::on_redis());
    never_more_than_sixty_in_a_minute(&runtime, &limited, 40);
}
