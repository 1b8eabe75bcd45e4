//! Key states that change during a decision, and stores and rate limiters that do not answer.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use svc_mcp_access::{
    StoreError,
    decision::{Credential, Denial, KeyError, KeyState, RejectionCause},
    rate::{LIMIT, Step},
};

use crate::doubles::{Decided, TestKeys, TestLimiter, call, good, send, token};

/// A call with the key of seed 1. The first `stale` steps report a stale state; `then` is what is read after that.
fn decided(
    stale: usize,
    first: KeyState,
    then: Vec<Result<Option<KeyState>, StoreError>>,
) -> (Decided, TestKeys, TestLimiter) {
    let key = token(1);
    let keys = TestKeys { reloaded: Mutex::new(then), ..TestKeys::of(&key, first) };
    let limiter = TestLimiter { stale: AtomicUsize::new(stale), ..TestLimiter::default() };
    let decided = call(&keys, &limiter, Credential::Bearer(key.expose().as_bytes()), "change", true);
    (decided, keys, limiter)
}

#[test]
fn key_state_that_stays_stale_is_not_admitted() {
    let (decided, keys, limiter) = decided(usize::MAX, good(), vec![]);
    assert_eq!(decided.denial(), Some(&Denial::Store(StoreError::Unavailable)));
    assert_eq!(decided.body_reads, 0);
    let (reloads, steps) =
        (keys.reloads.load(Ordering::SeqCst), limiter.steps.lock().expect("no panic").len());
    assert!((1..=10).contains(&reloads), "reloaded {reloads} times");
    assert_eq!(steps, reloads + 1, "one step for each state");
    assert_eq!(limiter.remaining(&token(1)), LIMIT);
}

#[test]
fn stale_key_state_is_decided_by_its_new_state() {
    for stale in 1..=4 {
        let (now_good, keys, limiter) =
            decided(stale, KeyState { revoked: true, ..good() }, vec![Ok(Some(good()))]);
        assert!(now_good.result.is_ok(), "after {stale}: {now_good:?}");
        assert_eq!(keys.reloads.load(Ordering::SeqCst), stale);
        assert_eq!(limiter.remaining(&token(1)), LIMIT - 1);
        let steps = limiter.steps.lock().expect("no panic").clone();
        assert_eq!(steps.first(), Some(&Step::Peek), "a revoked key counts nothing");
        assert_eq!(steps.last(), Some(&Step::Count));

        for (changed, denial) in [
            (KeyState { revoked: true, ..good() }, Denial::KeyInvalid(KeyError::Revoked)),
            (KeyState { owner_is_member: false, ..good() }, Denial::OwnerRemoved),
            (KeyState { paused: true, ..good() }, Denial::KeyPaused),
            (KeyState { brand_suspended: true, ..good() }, Denial::BrandSuspended),
            (KeyState { mcp_enabled: false, ..good() }, Denial::McpInactive),
        ] {
            let (now_bad, _, limiter) = decided(stale, good(), vec![Ok(Some(changed))]);
            assert_eq!(now_bad.denial(), Some(&denial), "after {stale}");
            assert_eq!((now_bad.body_reads, limiter.remaining(&token(1))), (0, LIMIT), "{denial:?}");
        }
    }
}

#[test]
fn key_that_disappears_during_the_decision_is_unknown() {
    let (decided, _, limiter) = decided(1, good(), vec![Ok(None)]);
    assert_eq!(decided.denial(), Some(&Denial::KeyInvalid(KeyError::Unknown)));
    assert_eq!((decided.body_reads, decided.rate()), (0, None));
    assert_eq!(limiter.windows(), 0);
}

#[test]
fn nothing_is_admitted_if_the_reload_fails() {
    let (decided, _, limiter) = decided(1, good(), vec![Err(StoreError::Unavailable)]);
    assert_eq!((decided.denial(), decided.body_reads), (Some(&Denial::Store(StoreError::Unavailable)), 0));
    assert_eq!(limiter.windows(), 0);
}

#[test]
fn nothing_is_admitted_if_the_store_or_the_limiter_fails() {
    let key = token(1);
    let credential = Credential::Bearer(key.expose().as_bytes());
    let (keys, limiter) =
        (TestKeys { is_unavailable: true, ..TestKeys::of(&key, good()) }, TestLimiter::default());
    let decided = call(&keys, &limiter, credential, "change", true);
    assert_eq!((decided.denial(), decided.body_reads), (Some(&Denial::Store(StoreError::Unavailable)), 0));
    assert!(limiter.steps.lock().expect("no panic").is_empty());

    for key_state in [good(), KeyState { revoked: true, ..good() }, KeyState { mcp_enabled: false, ..good() }]
    {
        let (keys, limiter) =
            (TestKeys::of(&key, key_state), TestLimiter { is_unavailable: true, ..TestLimiter::default() });
        let decided = call(&keys, &limiter, credential, "change", true);
        assert_eq!(
            (decided.denial(), decided.body_reads),
            (Some(&Denial::Store(StoreError::Unavailable)), 0)
        );
    }
}

#[test]
fn unreadable_body_of_an_admitted_request_is_counted() {
    let key = token(1);
    let (keys, limiter) = (TestKeys::of(&key, good()), TestLimiter::default());
    let credential = Credential::Bearer(key.expose().as_bytes());
    let decided = send(&keys, &limiter, credential, Err("not JSON"));
    let rejection = decided.result.as_ref().expect_err("the body is unreadable");
    assert!(matches!(rejection.cause, RejectionCause::Body("not JSON")), "{rejection:?}");
    assert_eq!(rejection.key_state.as_deref(), Some(&good()));
    assert_eq!(decided.rate().map(|rate| rate.remaining), Some(LIMIT - 1));

    // The body of a rejected key is not read.
    let keys = TestKeys::of(&key, KeyState { revoked: true, ..good() });
    let decided = send(&keys, &limiter, credential, Err("not JSON"));
    assert_eq!(decided.denial(), Some(&Denial::KeyInvalid(KeyError::Revoked)));
    assert_eq!((decided.body_reads, limiter.remaining(&key)), (0, LIMIT - 1));
}
