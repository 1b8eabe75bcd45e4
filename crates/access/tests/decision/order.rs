//! Every credential with every set of defects: 5 × 2¹¹ requests.

use std::{sync::atomic::Ordering, time::Duration};

use svc_mcp_access::{
    Network, Networks, Scope,
    decision::{
        Credential, Denial, KeyError, KeyState, RotatedSecret, Rotation, decide_queued_work,
        decide_work_of_people,
    },
    rate::{LIMIT, Step, WINDOW},
};

use crate::doubles::{CLIENT, NOW, TestKeys, TestLimiter, call, faults, good, send_from, token};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sent {
    Nothing,
    Garbage,
    BadChecksum,
    Unknown,
    Good,
}

/// In the order in which they are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    Revoked,
    Expired,
    OldSecretEnded,
    OwnerRemoved,
    Paused,
    OtherNetwork,
    BrandSuspended,
    PlanOff,
    RateExhausted,
    UnknownTool,
    ScopeLacking,
    NotOnTheList,
    BadArguments,
}

const ALL: [Wrong; 13] = [
    Wrong::Revoked,
    Wrong::Expired,
    Wrong::OldSecretEnded,
    Wrong::OwnerRemoved,
    Wrong::Paused,
    Wrong::OtherNetwork,
    Wrong::BrandSuspended,
    Wrong::PlanOff,
    Wrong::RateExhausted,
    Wrong::UnknownTool,
    Wrong::ScopeLacking,
    Wrong::NotOnTheList,
    Wrong::BadArguments,
];

/// The denial that a request with this credential and these defects must get.
fn expected(sent: Sent, wrong: &[Wrong]) -> Option<Denial> {
    match sent {
        Sent::Nothing => return Some(Denial::CredentialMissing),
        Sent::Garbage | Sent::BadChecksum => {
            return Some(Denial::KeyInvalid(KeyError::Malformed));
        }
        Sent::Unknown => return Some(Denial::KeyInvalid(KeyError::Unknown)),
        Sent::Good => {}
    }
    wrong.first().map(|first| match first {
        Wrong::Revoked => Denial::KeyInvalid(KeyError::Revoked),
        Wrong::Expired => Denial::KeyInvalid(KeyError::Expired),
        Wrong::OldSecretEnded => Denial::KeyInvalid(KeyError::OldSecretEnded),
        Wrong::OwnerRemoved => Denial::OwnerRemoved,
        Wrong::Paused => Denial::KeyPaused,
        Wrong::OtherNetwork => Denial::AddressNotAllowed { address: CLIENT },
        Wrong::BrandSuspended => Denial::BrandSuspended,
        Wrong::PlanOff => Denial::McpInactive,
        Wrong::RateExhausted => Denial::RateLimited,
        Wrong::UnknownTool => Denial::UnknownTool { nearest: Some("look".into()) },
        Wrong::ScopeLacking => Denial::InsufficientScope { listed: false },
        Wrong::NotOnTheList => Denial::InsufficientScope { listed: true },
        Wrong::BadArguments => Denial::InvalidArguments(faults()),
    })
}

fn rotation(secret: RotatedSecret) -> Rotation {
    Rotation { window: token(1).digest(), secret }
}

fn networks(texts: &[&str]) -> Networks {
    texts.iter().map(|text| text.parse::<Network>().expect("a network")).collect()
}

fn key_state(wrong: &[Wrong]) -> KeyState {
    let mut key_state = good();
    for wrong in wrong {
        match wrong {
            Wrong::Revoked => key_state.revoked = true,
            Wrong::Expired => key_state.expires_at = Some(NOW),
            Wrong::OldSecretEnded => {
                key_state.rotation = Some(Box::new(rotation(RotatedSecret::Old { until: NOW })));
            }
            Wrong::OwnerRemoved => key_state.owner_is_member = false,
            Wrong::Paused => key_state.paused = true,
            Wrong::OtherNetwork => key_state.allowed_networks = Some(networks(&["198.51.100.0/24"])),
            Wrong::BrandSuspended => key_state.brand_suspended = true,
            Wrong::PlanOff => key_state.mcp_enabled = false,
            Wrong::ScopeLacking => key_state.scope = Scope::Read,
            Wrong::NotOnTheList => key_state.tools = Some(["look"].into_iter().collect()),
            Wrong::RateExhausted | Wrong::UnknownTool | Wrong::BadArguments => {}
        }
    }
    key_state
}

#[test]
fn first_failed_check_decides() {
    let mut decisions = 0;
    for sent in [Sent::Nothing, Sent::Garbage, Sent::BadChecksum, Sent::Unknown, Sent::Good] {
        for set in 0..1u32 << ALL.len() {
            let wrong: Vec<Wrong> = ALL
                .into_iter()
                .enumerate()
                .filter(|(bit, _)| set >> bit & 1 == 1)
                .map(|(_, wrong)| wrong)
                .collect();
            decide_one(sent, &wrong);
            decisions += 1;
        }
    }
    assert_eq!(decisions, 5 * 8192);
}

/// Queued work gets the same denial as a request, except that expiry, the end of an old secret and networks stop nothing, and
/// a revoke may keep it.
#[test]
fn queued_work_is_decided_like_a_request() {
    let stops_requests = [
        Wrong::Revoked,
        Wrong::Expired,
        Wrong::OldSecretEnded,
        Wrong::OwnerRemoved,
        Wrong::Paused,
        Wrong::OtherNetwork,
        Wrong::BrandSuspended,
        Wrong::PlanOff,
    ];
    for keeps_queued_work in [false, true] {
        for set in 0..1u32 << stops_requests.len() {
            let bits = stops_requests.into_iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
            let wrong: Vec<Wrong> = bits.map(|(_, wrong)| wrong).collect();
            let stops = |wrong: &Wrong| match wrong {
                Wrong::Expired | Wrong::OldSecretEnded | Wrong::OtherNetwork => false,
                Wrong::Revoked => !keeps_queued_work,
                _ => true,
            };
            let stopping: Vec<Wrong> = wrong.iter().copied().filter(stops).collect();
            let decided = decide_queued_work(&KeyState { keeps_queued_work, ..key_state(&wrong) }, NOW);
            assert_eq!(
                decided.err(),
                expected(Sent::Good, &stopping),
                "{wrong:?}, kept: {keeps_queued_work}"
            );
        }
    }
    for (denial, is_temporary) in [
        (Denial::KeyInvalid(KeyError::Revoked), false),
        (Denial::KeyInvalid(KeyError::Unknown), false),
        (Denial::OwnerRemoved, false),
        (Denial::KeyPaused, true),
        (Denial::BrandSuspended, true),
        (Denial::McpInactive, true),
    ] {
        assert_eq!(denial.is_temporary(), is_temporary, "{denial:?}");
    }
}

#[test]
fn work_of_people_is_stopped_only_by_a_suspension() {
    assert_eq!(decide_work_of_people(false), Ok(()));
    assert_eq!(decide_work_of_people(true), Err(Denial::BrandSuspended));
}

fn decide_one(sent: Sent, wrong: &[Wrong]) {
    let case = format!("{sent:?} with {wrong:?}");
    let key = token(1);
    let (keys, limiter) = (TestKeys::of(&key, key_state(wrong)), TestLimiter::default());
    let used = if wrong.contains(&Wrong::RateExhausted) { LIMIT } else { 7 };
    limiter.use_up(&key, used);

    let mistyped = format!("{}{}", &key.expose()[..56], if key.expose().ends_with('0') { '1' } else { '0' });
    let unknown = token(2);
    let credential = match sent {
        Sent::Nothing => Credential::Nothing,
        Sent::Garbage => Credential::Bearer(b"garbage"),
        Sent::BadChecksum => Credential::Bearer(mistyped.as_bytes()),
        Sent::Unknown => Credential::Bearer(unknown.expose().as_bytes()),
        Sent::Good => Credential::Bearer(key.expose().as_bytes()),
    };
    let tool = if wrong.contains(&Wrong::UnknownTool) { "chance" } else { "change" };
    let decided = call(&keys, &limiter, credential, tool, !wrong.contains(&Wrong::BadArguments));

    let expected = expected(sent, wrong);
    assert_eq!(decided.denial(), expected.as_ref(), "{case}");
    assert_eq!(decided.result.is_ok(), expected.is_none(), "{case}");
    if wrong.contains(&Wrong::PlanOff) || wrong.contains(&Wrong::BrandSuspended) {
        assert_ne!(decided.denial(), Some(&Denial::RateLimited), "{case}");
    }

    // The body of an unknown key is never read, and a request that is not admitted is not counted.
    let first = wrong.first().copied();
    let admitted = sent == Sent::Good && first.is_none_or(|first| first > Wrong::RateExhausted);
    assert_eq!(decided.body_reads, usize::from(admitted), "{case}: the body is read");
    assert_eq!(limiter.remaining(&key), LIMIT - used - usize::from(admitted), "{case}: remaining");
    let looks_like_a_key = matches!(sent, Sent::Unknown | Sent::Good);
    assert_eq!(
        keys.lookups.load(Ordering::SeqCst),
        usize::from(looks_like_a_key),
        "{case}: lookups in the store"
    );
    assert_eq!(limiter.windows(), 1, "{case}: unknown keys have no window");
    let counts = limiter.steps.lock().expect("no panic").iter().filter(|step| **step == Step::Count).count();
    assert!(counts <= 1, "{case}: counted {counts} times");

    // The rejection names every key that exists, and states the limit of every valid key.
    let known_key = sent == Sent::Good;
    let valid = known_key && first.is_none_or(|first| first >= Wrong::OwnerRemoved);
    match &decided.result {
        Ok((caller, granted)) => {
            assert_eq!(granted, "change", "{case}");
            assert_eq!(*caller.key_state, key_state(wrong), "{case}");
        }
        Err(rejection) => {
            assert_eq!(
                rejection.key_state.as_deref(),
                known_key.then(|| key_state(wrong)).as_ref(),
                "{case}"
            );
        }
    }
    assert_eq!(decided.rate().is_some(), valid, "{case}: the limit is stated");
    if let Some(rate) = decided.rate() {
        assert_eq!(rate.remaining, LIMIT - used - usize::from(admitted), "{case}");
        assert_eq!(rate.frees_in, WINDOW, "{case}");
    }
}

#[test]
fn missing_and_unusable_credentials_are_told_apart() {
    let key = token(1);
    let (keys, limiter) = (TestKeys::of(&key, good()), TestLimiter::default());
    for (credential, denial) in [
        (Credential::Nothing, Denial::CredentialMissing),
        (Credential::Unusable, Denial::KeyInvalid(KeyError::Malformed)),
        (Credential::Bearer(b""), Denial::KeyInvalid(KeyError::Malformed)),
        (Credential::InUrl { header_too: false }, Denial::KeyInUrl { header_too: false }),
        (Credential::InUrl { header_too: true }, Denial::KeyInUrl { header_too: true }),
    ] {
        let decided = call(&keys, &limiter, credential, "change", true);
        assert_eq!(decided.denial(), Some(&denial));
        assert_eq!((decided.body_reads, decided.rate()), (0, None), "{denial:?}");
    }
    assert_eq!(keys.lookups.load(Ordering::SeqCst), 0);
    assert!(limiter.steps.lock().expect("no panic").is_empty());
}

#[test]
fn key_expires_exactly_at_its_expiry_time() {
    let key = token(1);
    for (expires_at, is_accepted) in [
        (NOW.minus(Duration::from_millis(1)), false),
        (NOW, false),
        (NOW.plus(Duration::from_millis(1)), true),
    ] {
        let keys = TestKeys::of(&key, KeyState { expires_at: Some(expires_at), ..good() });
        let credential = Credential::Bearer(key.expose().as_bytes());
        let decided = call(&keys, &TestLimiter::default(), credential, "change", true);
        assert_eq!(decided.result.is_ok(), is_accepted, "{expires_at}");
    }
}

#[test]
fn old_secret_ends_exactly_at_its_time() {
    let key = token(1);
    for (secret, is_accepted) in [
        (RotatedSecret::Current, true),
        (RotatedSecret::Old { until: NOW.plus(Duration::from_millis(1)) }, true),
        (RotatedSecret::Old { until: NOW }, false),
        (RotatedSecret::Ended, false),
    ] {
        let keys = TestKeys::of(&key, KeyState { rotation: Some(Box::new(rotation(secret))), ..good() });
        let credential = Credential::Bearer(key.expose().as_bytes());
        let decided = call(&keys, &TestLimiter::default(), credential, "change", true);
        assert_eq!(decided.result.is_ok(), is_accepted, "{secret:?}");
    }
}

#[test]
fn request_must_come_from_a_network_of_the_key() {
    let key = token(1);
    for (allowed, address, is_accepted) in [
        (&["203.0.113.0/24"][..], "203.0.113.7", true),
        (&["203.0.113.0/24"], "::ffff:203.0.113.7", true),
        (&["203.0.113.0/24"], "203.0.114.7", false),
        (&["203.0.113.0/24"], "2001:db8::1", false),
        (&["203.0.113.7"], "203.0.113.7", true),
        (&["203.0.113.7"], "203.0.113.8", false),
        (&["198.51.100.0/24", "2001:db8::/32"], "2001:db8::1", true),
        (&["0.0.0.0/0"], "203.0.113.7", true),
        (&["::/0"], "203.0.113.7", false),
    ] {
        let address = address.parse().expect("an address");
        let keys = TestKeys::of(&key, KeyState { allowed_networks: Some(networks(allowed)), ..good() });
        let (limiter, credential) = (TestLimiter::default(), Credential::Bearer(key.expose().as_bytes()));
        let decided = send_from(address, &keys, &limiter, credential, Ok(("change".to_owned(), true)));
        let expected = (!is_accepted).then_some(Denial::AddressNotAllowed { address });
        assert_eq!(decided.denial(), expected.as_ref(), "{allowed:?} {address}");
    }
    let reason = Denial::AddressNotAllowed { address: CLIENT }.reason();
    assert_eq!(reason, "address_not_allowed");
}

#[test]
fn tool_needs_both_the_scope_and_the_list() {
    let key = token(1);
    for scope in [Scope::Read, Scope::Write, Scope::Full] {
        for tools in
            [None, Some(vec![]), Some(vec!["look"]), Some(vec!["change"]), Some(vec!["look", "change"])]
        {
            for tool in ["look", "change"] {
                let in_scope = tool == "look" || scope != Scope::Read;
                let listed = tools.as_ref().is_none_or(|tools| tools.contains(&tool));
                let list = tools.as_ref().map(|tools| tools.iter().copied().collect());
                let keys = TestKeys::of(&key, KeyState { scope, tools: list, ..good() });
                let credential = Credential::Bearer(key.expose().as_bytes());
                let decided = call(&keys, &TestLimiter::default(), credential, tool, true);
                let expected =
                    (!in_scope || !listed).then_some(Denial::InsufficientScope { listed: in_scope });
                assert_eq!(decided.denial(), expected.as_ref(), "{scope} {tools:?} {tool}");
            }
        }
    }
}
