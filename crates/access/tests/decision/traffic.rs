//! Many requests of one key, and of many.

use std::thread;

use svc_mcp_access::{
    decision::{Denial, ListTools, Presented, Standing, decide},
    key::KeyToken,
    rate::LIMIT,
};

use crate::doubles::{Counting, Known, NOW, TICKS, at_once, call, good, token};

fn list(known: &Known, meter: &Counting, key: &KeyToken) -> bool {
    let ask = async { Ok::<_, ()>(ListTools) };
    at_once(decide(known, meter, Presented::Bearer(key.expose().as_bytes()), (NOW, TICKS), ask)).is_ok()
}

#[test]
fn lists_and_calls_are_counted_together() {
    let key = token(1);
    let (known, meter) = (Known::of(&key, good()), Counting::default());
    let presented = Presented::Bearer(key.expose().as_bytes());
    for number in 0..LIMIT {
        let admitted = if number % 2 == 0 {
            list(&known, &meter, &key)
        } else {
            call(&known, &meter, presented, "change", true).result.is_ok()
        };
        assert!(admitted, "request {number}");
    }
    assert!(!list(&known, &meter, &key));
    assert_eq!(call(&known, &meter, presented, "change", true).denial(), Some(&Denial::RateLimited));
}

#[test]
fn two_hundred_at_once_are_sixty() {
    let key = token(1);
    let (known, meter) = (Known::of(&key, good()), Counting::default());
    let admitted: usize = thread::scope(|scope| {
        let askers: Vec<_> =
            (0..8).map(|_| scope.spawn(|| (0..25).filter(|_| list(&known, &meter, &key)).count())).collect();
        askers.into_iter().map(|asker| asker.join().expect("no panic")).sum()
    });
    assert_eq!(admitted, LIMIT);
}

/// A key of a brand without MCP asks a hundred times: it is told so each time, and has all sixty when MCP is back.
#[test]
fn nothing_is_used_up_while_the_plan_is_off() {
    let key = token(1);
    let meter = Counting::default();
    let presented = Presented::Bearer(key.expose().as_bytes());
    let off = Known::of(&key, Standing { mcp_enabled: false, ..good() });
    for _ in 0..100 {
        let decided = call(&off, &meter, presented, "change", true);
        assert_eq!(decided.denial(), Some(&Denial::McpInactive));
        assert_eq!(decided.rate().map(|rate| rate.remaining), Some(LIMIT));
    }
    let on = Known::of(&key, good());
    let admitted = (0..100).filter(|_| list(&on, &meter, &key)).count();
    assert_eq!(admitted, LIMIT);
    // And with all sixty used up it is still the plan that is told.
    assert_eq!(call(&off, &meter, presented, "change", true).denial(), Some(&Denial::McpInactive));
}

#[test]
fn keys_do_not_share_their_sixty() {
    let meter = Counting::default();
    for seed in 1..20 {
        let key = token(seed);
        let known = Known::of(&key, good());
        let admitted = (0..LIMIT + 5).filter(|_| list(&known, &meter, &key)).count();
        assert_eq!(admitted, LIMIT, "key {seed}");
    }
}
