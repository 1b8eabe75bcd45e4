//! No token without the right signature is accepted, and a signed one with any claims does not break the verifier.
#![no_main]

use std::{sync::LazyLock, time::Duration};

use futures_util::FutureExt;
use libfuzzer_sys::fuzz_target;
use svc_mcp::jwt::{Issuer, Keys, NewToken, OperatorClaim, SharedSecret, Verifier};
use svc_mcp_access::{Secret, Timestamp};

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

static ISSUER: LazyLock<Issuer> = LazyLock::new(|| Issuer {
    secret: Secret::new("fuzzing-with-a-secret-of-32-bytes-or-more".to_owned()),
    issuer: Some("app".to_owned()),
    audience: None,
    operator_claim: OperatorClaim::default(),
});
static VERIFIER: LazyLock<Verifier> = LazyLock::new(|| Verifier {
    keys: Keys::Shared(SharedSecret::new(&ISSUER.secret).expect("long enough")),
    issuer: ISSUER.issuer.clone(),
    audience: None,
    operator_claim: OperatorClaim::default(),
});
static VALID: LazyLock<Secret> = LazyLock::new(|| {
    let user_id = "ada".parse().expect("an id");
    ISSUER.issue(&NewToken { user_id, operator: false, valid_for: Duration::from_secs(3600) }, NOW)
});

fuzz_target!(|data: &[u8]| {
    let verify =
        |token: &str| VERIFIER.verify(token, NOW).now_or_never().expect("a shared secret never waits");
    if let Ok(token) = std::str::from_utf8(data) {
        assert!(verify(token).is_err(), "accepted without the secret");
    }
    // The valid token with some bytes changed: the first byte of each pair says where, the second how.
    let mut changed = VALID.expose().as_bytes().to_vec();
    for pair in data.chunks_exact(2).take(4) {
        let at = usize::from(pair[0]) % changed.len();
        changed[at] ^= pair[1];
    }
    let is_same = changed == VALID.expose().as_bytes();
    if let Ok(token) = std::str::from_utf8(&changed)
        && let Ok(user) = verify(token)
    {
        // Base64 ignores no bits here, so only the token itself is valid.
        assert!(is_same && user.user_id.to_string() == "ada" && !user.operator);
    }
});
