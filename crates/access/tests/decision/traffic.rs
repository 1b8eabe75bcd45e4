//! Many requests of one key, and of several keys.

use std::thread;

use svc_mcp_access::{
    decision::{Credential, Denial, KeyState, ListTools, decide},
    key::KeyToken,
    rate::LIMIT,
};

use crate::doubles::{CLIENT, NOW, TICKS, TestKeys, TestLimiter, call, good, poll_once, token};

fn list(keys: &TestKeys, limiter: &TestLimiter, key: &KeyToken) -> bool {
    let request = async { Ok::<_, ()>(ListTools) };
    poll_once(decide(
        keys,
        limiter,
        Credential::Bearer(key.expose().as_bytes()),
        CLIENT,
        (NOW, TICKS),
        |_| request,
    ))
    .is_ok()
}

#[test]
fn lists_and_calls_are_counted_together() {
    let key = token(1);
    let (keys, limiter) = (TestKeys::of(&key, good()), TestLimiter::default());
    let credential = Credential::Bearer(key.expose().as_bytes());
    for number in 0..LIMIT {
        let admitted = if number % 2 == 0 {
            list(&keys, &limiter, &key)
        } else {
            call(&keys, &limiter, credential, "change", true).result.is_ok()
        };
        assert!(admitted, "request {number}");
    }
    assert!(!list(&keys, &limiter, &key));
    assert_eq!(call(&keys, &limiter, credential, "change", true).denial(), Some(&Denial::RateLimited));
}

#[test]
fn only_sixty_of_two_hundred_concurrent_requests_are_admitted() {
    let key = token(1);
    let (keys, limiter) = (TestKeys::of(&key, good()), TestLimiter::default());
    let admitted: usize = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| (0..25).filter(|_| list(&keys, &limiter, &key)).count())).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    assert_eq!(admitted, LIMIT);
}

#[test]
fn requests_are_not_counted_while_the_plan_has_no_mcp() {
    let key = token(1);
    let limiter = TestLimiter::default();
    let credential = Credential::Bearer(key.expose().as_bytes());
    let off = TestKeys::of(&key, KeyState { mcp_enabled: false, ..good() });
    for _ in 0..100 {
        let decided = call(&off, &limiter, credential, "change", true);
        assert_eq!(decided.denial(), Some(&Denial::McpInactive));
        assert_eq!(decided.rate().map(|rate| rate.remaining), Some(LIMIT));
    }
    let on = TestKeys::of(&key, good());
    let admitted = (0..100).filter(|_| list(&on, &limiter, &key)).count();
    assert_eq!(admitted, LIMIT);
    // The plan is checked before the limit, also when the limit is reached.
    assert_eq!(call(&off, &limiter, credential, "change", true).denial(), Some(&Denial::McpInactive));
}

#[test]
fn every_key_has_its_own_limit() {
    let limiter = TestLimiter::default();
    for seed in 1..20 {
        let key = token(seed);
        let keys = TestKeys::of(&key, good());
        let admitted = (0..LIMIT + 5).filter(|_| list(&keys, &limiter, &key)).count();
        assert_eq!(admitted, LIMIT, "key {seed}");
    }
}
