//! Standings that change while a decision is made, and stores and meters that do not answer.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use svc_mcp_access::{
    decision::{Denial, KeyFault, Presented, Refused, Standing, Unavailable},
    rate::{LIMIT, Step},
};

use crate::doubles::{Counting, Decided, Known, ask, call, good, token};

/// A call with the key of seed 1, where so many readings are stale and these standings are read then.
fn decided(
    stale: usize,
    first: Standing,
    then: Vec<Result<Option<Standing>, Unavailable>>,
) -> (Decided, Known, Counting) {
    let key = token(1);
    let known = Known { then: Mutex::new(then), ..Known::of(&key, first) };
    let meter = Counting { stale: AtomicUsize::new(stale), ..Counting::default() };
    let decided = call(&known, &meter, Presented::Bearer(key.expose().as_bytes()), "change", true);
    (decided, known, meter)
}

#[test]
fn a_standing_that_never_settles_is_given_up_and_never_admitted() {
    let (decided, known, meter) = decided(usize::MAX, good(), vec![]);
    assert_eq!(decided.denial(), Some(&Denial::Unavailable));
    assert_eq!(decided.polls, 0);
    let (refreshes, steps) =
        (known.refreshes.load(Ordering::SeqCst), meter.steps.lock().expect("no panic").len());
    assert!((1..=10).contains(&refreshes), "read again {refreshes} times");
    assert_eq!(steps, refreshes + 1, "each is measured once");
    assert_eq!(meter.remaining(&token(1)), LIMIT);
}

#[test]
fn a_standing_that_settles_is_decided_by_what_it_has_become() {
    for stale in 1..=4 {
        let (now_good, known, meter) =
            decided(stale, Standing { revoked: true, ..good() }, vec![Ok(Some(good()))]);
        assert!(now_good.result.is_ok(), "after {stale}: {now_good:?}");
        assert_eq!(known.refreshes.load(Ordering::SeqCst), stale);
        assert_eq!(meter.remaining(&token(1)), LIMIT - 1);
        let steps = meter.steps.lock().expect("no panic").clone();
        assert_eq!(steps.first(), Some(&Step::Peek), "a revoked key counts nothing");
        assert_eq!(steps.last(), Some(&Step::Count));

        for (changed, denial) in [
            (Standing { revoked: true, ..good() }, Denial::KeyInvalid(KeyFault::Revoked)),
            (Standing { owner_is_member: false, ..good() }, Denial::OwnerRemoved),
            (Standing { mcp_enabled: false, ..good() }, Denial::McpInactive),
        ] {
            let (now_bad, _, meter) = decided(stale, good(), vec![Ok(Some(changed))]);
            assert_eq!(now_bad.denial(), Some(&denial), "after {stale}");
            assert_eq!((now_bad.polls, meter.remaining(&token(1))), (0, LIMIT), "{denial:?}");
        }
    }
}

#[test]
fn a_key_that_goes_while_it_is_decided_on_is_unknown() {
    let (decided, _, meter) = decided(1, good(), vec![Ok(None)]);
    assert_eq!(decided.denial(), Some(&Denial::KeyInvalid(KeyFault::Unknown)));
    assert_eq!((decided.polls, decided.rate()), (0, None));
    assert_eq!(meter.limiter.windows(), 0);
}

#[test]
fn a_store_that_goes_while_it_is_asked_admits_nobody() {
    let (decided, _, meter) = decided(1, good(), vec![Err(Unavailable)]);
    assert_eq!((decided.denial(), decided.polls), (Some(&Denial::Unavailable), 0));
    assert_eq!(meter.limiter.windows(), 0);
}

#[test]
fn a_store_or_a_meter_that_does_not_answer_admits_nobody() {
    let key = token(1);
    let presented = Presented::Bearer(key.expose().as_bytes());
    let (known, meter) = (Known { away: true, ..Known::of(&key, good()) }, Counting::default());
    let decided = call(&known, &meter, presented, "change", true);
    assert_eq!((decided.denial(), decided.polls), (Some(&Denial::Unavailable), 0));
    assert!(meter.steps.lock().expect("no panic").is_empty());

    for standing in [good(), Standing { revoked: true, ..good() }, Standing { mcp_enabled: false, ..good() }]
    {
        let (known, meter) = (Known::of(&key, standing), Counting { away: true, ..Counting::default() });
        let decided = call(&known, &meter, presented, "change", true);
        assert_eq!((decided.denial(), decided.polls), (Some(&Denial::Unavailable), 0));
    }
}

#[test]
fn a_body_that_cannot_be_read_is_an_admitted_request() {
    let key = token(1);
    let (known, meter) = (Known::of(&key, good()), Counting::default());
    let presented = Presented::Bearer(key.expose().as_bytes());
    let decided = ask(&known, &meter, presented, Err("not JSON"));
    let refusal = decided.result.as_ref().expect_err("it cannot be read");
    assert!(matches!(refusal.why, Refused::Unreadable("not JSON")), "{refusal:?}");
    assert_eq!(refusal.standing.as_deref(), Some(&good()));
    assert_eq!(decided.rate().map(|rate| rate.remaining), Some(LIMIT - 1));

    // Where the key is no good, nobody tries to read it.
    let known = Known::of(&key, Standing { revoked: true, ..good() });
    let decided = ask(&known, &meter, presented, Err("not JSON"));
    assert_eq!(decided.denial(), Some(&Denial::KeyInvalid(KeyFault::Revoked)));
    assert_eq!((decided.polls, meter.remaining(&key)), (0, LIMIT - 1));
}
