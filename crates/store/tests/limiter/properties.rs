//! Properties of both limiters.

use std::sync::Arc;

use proptest::{prelude::*, test_runner::TestRunner};
use svc_mcp_access::{
    key::KeyDigest,
    rate::{Rate, Step},
};
use tokio::{runtime::Runtime, task::JoinSet};

use crate::{
    limited::{Limited, fresh_key},
    model::{BEGIN, Burst, LIMIT, Model, Move, WINDOW, any_way, course, forwards},
};

/// Makes the tests `property::in_process` and `property::redis`.
macro_rules! of_both_limiters {
    ($($property:ident),+ $(,)?) => {$(
        mod $property {
            use crate::limited::Limited;

            #[test]
            fn in_process() {
                let runtime = tokio::runtime::Runtime::new().expect("a runtime");
                super::$property(&runtime, &Limited::in_process().into(), 300);
            }

            #[test]
            fn redis() {
                let runtime = tokio::runtime::Runtime::new().expect("a runtime");
                let limited = runtime.block_on(Limited::on_redis());
                super::$property(&runtime, &limited.into(), 40);
            }
        }
    )+};
}

of_both_limiters! {
    every_rate_equals_the_model,
    clock_set_back_admits_no_more_requests,
    clock_set_back_gives_the_wait_by_that_clock,
    every_minute_admits_exactly_sixty_when_asked,
    refused_requests_are_not_counted,
    request_is_admitted_after_the_stated_wait,
    request_is_admitted_after_the_stated_wait_with_a_clock_set_back,
    only_sixty_of_two_hundred_concurrent_requests_are_admitted,
}

pub(crate) fn check<S: Strategy>(
    cases: u32,
    strategy: S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) where
    S::Value: std::fmt::Debug,
{
    // A failure is shown in full and minimised, so no file of seeds is needed.
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    if let Err(error) = TestRunner::new(config).run(&strategy, property) {
        panic!("{error}");
    }
}

/// One request, its rate, and the rate of the model.
#[derive(Debug, Clone, Copy)]
struct Asked {
    key: usize,
    clock: u64,
    step: Step,
    answer: Rate,
    model: Rate,
}

/// Sends a sequence of requests with new keys, and returns the rates. The clock is never more than a minute behind its
/// highest value: a window that was idle for two minutes may be gone, and the model does not forget.
async fn walk(limited: &Limited, keys: usize, course: &[Burst]) -> (Vec<KeyDigest>, Vec<Asked>) {
    let digests: Vec<KeyDigest> = (0..keys).map(|_| fresh_key()).collect();
    let mut models = vec![Model::default(); keys];
    let (mut clock, mut highest, mut asked) = (BEGIN, BEGIN, Vec::new());
    for burst in course {
        clock = burst.moved(clock, &models[burst.key]).max(highest - WINDOW);
        highest = highest.max(clock);
        for _ in 0..burst.times {
            let model = models[burst.key].step(clock, burst.step);
            let answer = limited.step(&digests[burst.key], clock, burst.step).await;
            asked.push(Asked { key: burst.key, clock, step: burst.step, answer, model });
        }
    }
    (digests, asked)
}

fn agree(asked: &[Asked]) -> Result<(), TestCaseError> {
    for (number, asked) in asked.iter().enumerate() {
        prop_assert_eq!(asked.answer, asked.model, "request {}: {:?}", number, asked);
    }
    Ok(())
}

fn every_rate_equals_the_model(runtime: &Runtime, limited: &Arc<Limited>, cases: u32) {
    check(cases, course(3, forwards(), true), |course| agree(&runtime.block_on(walk(limited, 3, &course)).1));
}

fn clock_set_back_admits_no_more_requests(runtime: &Runtime, limited: &Arc<Limited>, cases: u32) {
    check(cases, course(2, any_way(), true), |course| {
        for asked in runtime.block_on(walk(limited, 2, &course)).1 {
            let (answer, model) = (asked.answer, asked.model);
            prop_assert_eq!(
                (answer.admitted, answer.remaining),
                (model.admitted, model.remaining),
                "{:?}",
                asked
            );
        }
        Ok(())
    });
}

fn clock_set_back_gives_the_wait_by_that_clock(runtime: &Runtime, limited: &Arc<Limited>, cases: u32) {
    check(cases, course(2, any_way(), false), |course| agree(&runtime.block_on(walk(limited, 2, &course)).1));
}

/// Checks the rates without the model.
fn every_minute_admits_exactly_sixty_when_asked(runtime: &Runtime, limited: &Arc<Limited>, cases: u32) {
    check(cases, course(2, forwards(), false), |course| {
        let (_, asked) = runtime.block_on(walk(limited, 2, &course));
        for key in 0..2 {
            let mine = asked.iter().filter(|asked| asked.key == key);
            let (admitted, refused): (Vec<&Asked>, Vec<&Asked>) =
                mine.partition(|asked| asked.answer.admitted);
            for pair in admitted.windows(LIMIT + 1) {
                let (first, last) = (pair[0].clock, pair[LIMIT].clock);
                prop_assert!(last - first >= WINDOW, "61 were admitted from {} to {}", first, last);
            }
            for refused in refused {
                let counting =
                    |asked: &&&Asked| asked.clock <= refused.clock && refused.clock - asked.clock < WINDOW;
                let counted = admitted.iter().filter(counting).count();
                prop_assert_eq!(counted, LIMIT, "refused at {} without need", refused.clock);
            }
        }
        Ok(())
    });
}

/// Sends the same requests with and without the refused ones. The others get the same rates.
fn refused_requests_are_not_counted(runtime: &Runtime, limited: &Arc<Limited>, cases: u32) {
    check(cases, course(1, forwards(), true), |course| {
        let (_, asked) = runtime.block_on(walk(limited, 1, &course));
        let key = fresh_key();
        for asked in asked.iter().filter(|asked| asked.answer.admitted) {
            let answer = runtime.block_on(limited.step(&key, asked.clock, asked.step));
            prop_assert_eq!(answer, asked.answer, "{:?}", asked);
        }
        Ok(())
    });
}

/// A refused client that waits `frees_in_seconds` by its clock is admitted.
fn enough(runtime: &Runtime, limited: &Limited, course: &[Burst]) -> Result<(), TestCaseError> {
    let (digests, asked) = runtime.block_on(walk(limited, 1, course));
    // The sequence ends with the refusal, so that no other request takes the free place.
    let Some(last) = asked.last().filter(|asked| !asked.answer.admitted) else { return Ok(()) };
    let waited = last.clock + u64::from(last.answer.frees_in_seconds()) * 1_000_000;
    if last.answer.frees_in.as_micros() > 1 {
        let early = last.clock + u64::try_from(last.answer.frees_in.as_micros()).expect("small") - 1;
        let answer = runtime.block_on(limited.step(&digests[0], early, Step::Peek));
        prop_assert!(!answer.admitted, "a microsecond before {:?}, one is free already", last);
    }
    let answer = runtime.block_on(limited.step(&digests[0], waited, Step::Count));
    prop_assert!(answer.admitted, "{:?} waited until {} in vain", last, waited);
    Ok(())
}

/// A sequence that usually ends with a refusal.
fn to_a_refusal(moves: impl Strategy<Value = Move>) -> impl Strategy<Value = Vec<Burst>> {
    let full = Burst { key: 0, before: Move::Forward(0), step: Step::Count, times: LIMIT + 1 };
    course(1, moves, false).prop_map(move |mut course| {
        course.push(full);
        course
    })
}

fn request_is_admitted_after_the_stated_wait(runtime: &Runtime, limited: &Arc<Limited>, cases: u32) {
    check(cases, to_a_refusal(forwards()), |course| enough(runtime, limited, &course));
}

fn request_is_admitted_after_the_stated_wait_with_a_clock_set_back(
    runtime: &Runtime,
    limited: &Arc<Limited>,
    cases: u32,
) {
    check(cases, to_a_refusal(any_way()), |course| enough(runtime, limited, &course));
}

fn only_sixty_of_two_hundred_concurrent_requests_are_admitted(
    runtime: &Runtime,
    limited: &Arc<Limited>,
    _: u32,
) {
    for round in 0..10 {
        let key = fresh_key();
        let admitted = runtime.block_on(async {
            let mut tasks = JoinSet::new();
            // Clocks are not always read in the order of arrival.
            for number in 0..200u64 {
                let limited = Arc::clone(limited);
                tasks.spawn(
                    async move { limited.step(&key, BEGIN + (number * 7919) % 200, Step::Count).await },
                );
            }
            let answers = tasks.join_all().await;
            answers.iter().filter(|answer| answer.admitted).count()
        });
        assert_eq!(admitted, LIMIT, "round {round}");
    }
}

#[tokio::test]
async fn clock_set_back_by_an_hour_admits_no_more_requests() {
    let (limited, key) = (Limited::in_process(), fresh_key());
    for _ in 0..LIMIT {
        assert!(limited.step(&key, BEGIN, Step::Count).await.admitted);
    }
    let rate = limited.step(&key, BEGIN - 60 * WINDOW, Step::Count).await;
    assert!(!rate.admitted, "the 61st by a clock that was set back: {rate:?}");
}

/// Keys of one shard, so that its sweep covers all of them.
fn neighbours(number: u8) -> Vec<KeyDigest> {
    let neighbour = |number| {
        let mut bytes = [0; 32];
        bytes[0] = number;
        KeyDigest::from_bytes(bytes)
    };
    (0..number).map(neighbour).collect()
}

#[test]
fn sweeping_idle_windows_changes_no_rate() {
    let runtime = Runtime::new().expect("a runtime");
    let keys = neighbours(150);
    let moves = prop_oneof![
        4 => (0..WINDOW / 20).prop_map(Move::Forward),
        1 => (WINDOW - 2..WINDOW + 2).prop_map(Move::Forward),
        1 => (-2..3i64).prop_map(Move::ToTheEdge),
    ];
    let burst = (0..150usize, moves, prop_oneof![1..3usize, 55..65usize]);
    check(40, prop::collection::vec(burst, 1..500), |course| {
        let (limited, mut models, mut clock) = (Limited::in_process(), vec![Model::default(); 150], BEGIN);
        for (key, before, times) in course {
            let burst = Burst { key, before, step: Step::Count, times };
            clock = burst.moved(clock, &models[key]);
            for _ in 0..times {
                let model = models[key].step(clock, Step::Count);
                let answer = runtime.block_on(limited.step(&keys[key], clock, Step::Count));
                prop_assert_eq!(answer, model, "key {} at {}", key, clock);
            }
        }
        Ok(())
    });
}

/// Two threads read the clock in one order and arrive in the other. The first one sweeps the window of the second one.
#[tokio::test]
async fn window_of_a_late_thread_is_not_swept() {
    let (limited, keys) = (Limited::in_process(), neighbours(65));
    for _ in 0..LIMIT {
        assert!(limited.step(&keys[0], BEGIN, Step::Count).await.admitted);
    }
    for other in &keys[1..64] {
        limited.step(other, BEGIN + 1, Step::Count).await;
    }
    limited.step(&keys[64], BEGIN + WINDOW, Step::Count).await;
    let late = limited.step(&keys[0], BEGIN + WINDOW - 1, Step::Count).await;
    assert!(!late.admitted, "the 61st within a minute: {late:?}");
}
