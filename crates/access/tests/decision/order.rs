//! Every credential with every set of faults: 5 × 2⁹ requests.

use std::{sync::atomic::Ordering, time::Duration};

use svc_mcp_access::{
    Scope,
    decision::{Denial, KeyFault, Presented, Standing},
    rate::{LIMIT, SPAN, Step},
};

use crate::doubles::{Counting, Known, NOW, call, faults, good, token};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Credential {
    Nothing,
    Garbage,
    BadChecksum,
    Unknown,
    Good,
}

/// In the order in which they are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    Revoked,
    Expired,
    OwnerRemoved,
    PlanOff,
    RateExhausted,
    UnknownTool,
    ScopeLacking,
    NotOnTheList,
    BadArguments,
}

const ALL: [Wrong; 9] = [
    Wrong::Revoked,
    Wrong::Expired,
    Wrong::OwnerRemoved,
    Wrong::PlanOff,
    Wrong::RateExhausted,
    Wrong::UnknownTool,
    Wrong::ScopeLacking,
    Wrong::NotOnTheList,
    Wrong::BadArguments,
];

/// What a request with this credential and these faults, in their order, must be told.
fn expected(credential: Credential, wrong: &[Wrong]) -> Option<Denial> {
    match credential {
        Credential::Nothing => return Some(Denial::CredentialMissing),
        Credential::Garbage | Credential::BadChecksum => {
            return Some(Denial::KeyInvalid(KeyFault::Malformed));
        }
        Credential::Unknown => return Some(Denial::KeyInvalid(KeyFault::Unknown)),
        Credential::Good => {}
    }
    wrong.first().map(|first| match first {
        Wrong::Revoked => Denial::KeyInvalid(KeyFault::Revoked),
        Wrong::Expired => Denial::KeyInvalid(KeyFault::Expired),
        Wrong::OwnerRemoved => Denial::OwnerRemoved,
        Wrong::PlanOff => Denial::McpInactive,
        Wrong::RateExhausted => Denial::RateLimited,
        Wrong::UnknownTool => Denial::UnknownTool { nearest: Some("look".into()) },
        Wrong::ScopeLacking => Denial::InsufficientScope { listed: false },
        Wrong::NotOnTheList => Denial::InsufficientScope { listed: true },
        Wrong::BadArguments => Denial::InvalidArguments(faults()),
    })
}

fn standing(wrong: &[Wrong]) -> Standing {
    let mut standing = good();
    for wrong in wrong {
        match wrong {
            Wrong::Revoked => standing.revoked = true,
            Wrong::Expired => standing.expires_at = Some(NOW),
            Wrong::OwnerRemoved => standing.owner_is_member = false,
            Wrong::PlanOff => standing.mcp_enabled = false,
            Wrong::ScopeLacking => standing.scope = Scope::Read,
            Wrong::NotOnTheList => standing.tools = Some(["look"].into_iter().collect()),
            Wrong::RateExhausted | Wrong::UnknownTool | Wrong::BadArguments => {}
        }
    }
    standing
}

#[test]
fn the_earliest_fault_is_told() {
    let mut decisions = 0;
    for credential in [
        Credential::Nothing,
        Credential::Garbage,
        Credential::BadChecksum,
        Credential::Unknown,
        Credential::Good,
    ] {
        for set in 0..1u32 << ALL.len() {
            let wrong: Vec<Wrong> = ALL
                .into_iter()
                .enumerate()
                .filter(|(bit, _)| set >> bit & 1 == 1)
                .map(|(_, wrong)| wrong)
                .collect();
            decide_one(credential, &wrong);
            decisions += 1;
        }
    }
    assert_eq!(decisions, 5 * 512);
}

fn decide_one(credential: Credential, wrong: &[Wrong]) {
    let case = format!("{credential:?} with {wrong:?}");
    let key = token(1);
    let (known, meter) = (Known::of(&key, standing(wrong)), Counting::default());
    let used = if wrong.contains(&Wrong::RateExhausted) { LIMIT } else { 7 };
    meter.use_up(&key, used);

    let mistyped = format!("{}{}", &key.expose()[..56], if key.expose().ends_with('0') { '1' } else { '0' });
    let stranger = token(2);
    let presented = match credential {
        Credential::Nothing => Presented::Nothing,
        Credential::Garbage => Presented::Bearer(b"garbage"),
        Credential::BadChecksum => Presented::Bearer(mistyped.as_bytes()),
        Credential::Unknown => Presented::Bearer(stranger.expose().as_bytes()),
        Credential::Good => Presented::Bearer(key.expose().as_bytes()),
    };
    let tool = if wrong.contains(&Wrong::UnknownTool) { "chance" } else { "change" };
    let decided = call(&known, &meter, presented, tool, !wrong.contains(&Wrong::BadArguments));

    let expected = expected(credential, wrong);
    assert_eq!(decided.denial(), expected.as_ref(), "{case}");
    assert_eq!(decided.result.is_ok(), expected.is_none(), "{case}");
    if wrong.contains(&Wrong::PlanOff) {
        assert_ne!(decided.denial(), Some(&Denial::RateLimited), "{case}");
    }

    // A stranger's body is never read, and a request that is refused before it is admitted takes nothing.
    let first = wrong.first().copied();
    let admitted = credential == Credential::Good && first.is_none_or(|first| first > Wrong::RateExhausted);
    assert_eq!(decided.polls, usize::from(admitted), "{case}: what is asked for is looked at");
    assert_eq!(meter.remaining(&key), LIMIT - used - usize::from(admitted), "{case}: what is left");
    let looks_like_a_key = matches!(credential, Credential::Unknown | Credential::Good);
    assert_eq!(
        known.looks.load(Ordering::SeqCst),
        usize::from(looks_like_a_key),
        "{case}: looks into the store"
    );
    assert_eq!(meter.limiter.windows(), 1, "{case}: strangers have no window");
    let counts = meter.steps.lock().expect("no panic").iter().filter(|step| **step == Step::Count).count();
    assert!(counts <= 1, "{case}: counted {counts} times");

    // Whose request it was is known for every key there is; the limit is told for every valid one.
    let known_key = credential == Credential::Good;
    let valid = known_key && first.is_none_or(|first| first >= Wrong::OwnerRemoved);
    match &decided.result {
        Ok((caller, granted)) => {
            assert_eq!(granted, "change", "{case}");
            assert_eq!(*caller.standing, standing(wrong), "{case}");
        }
        Err(refusal) => {
            assert_eq!(refusal.standing.as_deref(), known_key.then(|| standing(wrong)).as_ref(), "{case}");
        }
    }
    assert_eq!(decided.rate().is_some(), valid, "{case}: the limit is told");
    if let Some(rate) = decided.rate() {
        assert_eq!(rate.remaining, LIMIT - used - usize::from(admitted), "{case}");
        assert_eq!(rate.frees_in, SPAN, "{case}");
    }
}

#[test]
fn a_credential_that_is_none_is_told_apart() {
    let key = token(1);
    let (known, meter) = (Known::of(&key, good()), Counting::default());
    for (presented, denial) in [
        (Presented::Nothing, Denial::CredentialMissing),
        (Presented::Unusable, Denial::KeyInvalid(KeyFault::Malformed)),
        (Presented::Bearer(b""), Denial::KeyInvalid(KeyFault::Malformed)),
        (Presented::InUrl { header_too: false }, Denial::KeyInUrl { header_too: false }),
        (Presented::InUrl { header_too: true }, Denial::KeyInUrl { header_too: true }),
    ] {
        let decided = call(&known, &meter, presented, "change", true);
        assert_eq!(decided.denial(), Some(&denial));
        assert_eq!((decided.polls, decided.rate()), (0, None), "{denial:?}");
    }
    assert_eq!(known.looks.load(Ordering::SeqCst), 0);
    assert!(meter.steps.lock().expect("no panic").is_empty());
}

#[test]
fn a_key_ends_at_its_moment_and_not_before() {
    let key = token(1);
    for (expires_at, good_still) in [
        (NOW.minus(Duration::from_millis(1)), false),
        (NOW, false),
        (NOW.plus(Duration::from_millis(1)), true),
    ] {
        let known = Known::of(&key, Standing { expires_at: Some(expires_at), ..good() });
        let presented = Presented::Bearer(key.expose().as_bytes());
        let decided = call(&known, &Counting::default(), presented, "change", true);
        assert_eq!(decided.result.is_ok(), good_still, "{expires_at}");
    }
}

/// Scope and list together: the list narrows the scope, and never widens it.
#[test]
fn a_tool_needs_both_the_scope_and_the_list() {
    let key = token(1);
    for scope in [Scope::Read, Scope::Write, Scope::Full] {
        for tools in
            [None, Some(vec![]), Some(vec!["look"]), Some(vec!["change"]), Some(vec!["look", "change"])]
        {
            for tool in ["look", "change"] {
                let in_scope = tool == "look" || scope != Scope::Read;
                let listed = tools.as_ref().is_none_or(|tools| tools.contains(&tool));
                let list = tools.as_ref().map(|tools| tools.iter().copied().collect());
                let known = Known::of(&key, Standing { scope, tools: list, ..good() });
                let presented = Presented::Bearer(key.expose().as_bytes());
                let decided = call(&known, &Counting::default(), presented, tool, true);
                let expected =
                    (!in_scope || !listed).then_some(Denial::InsufficientScope { listed: in_scope });
                assert_eq!(decided.denial(), expected.as_ref(), "{scope} {tools:?} {tool}");
            }
        }
    }
}
