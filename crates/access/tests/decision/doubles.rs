//! Test doubles: a key source, a rate limiter and a tool catalog, and a way to run a future that never waits.

use std::{
    collections::HashMap,
    future::Future,
    net::{IpAddr, Ipv4Addr},
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

use rand::{SeedableRng, rngs::StdRng};
use serde_json::Value;
use svc_mcp_access::{
    Fault, Faults, Scope, StoreError, Ticks, Timestamp, ToolAccess,
    decision::{
        CallTool, Caller, Catalog, Credential, Denial, KeySource, KeyState, RateLimiter, Rejection,
        RejectionCause, Stamps, StepOutcome, decide,
    },
    key::{KeyDigest, KeyToken},
    rate::{Rate, Step, Window, WindowSlot},
    usage::UsageCounter,
};

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);
pub(crate) const TICKS: Ticks = Ticks(1_000_000_000);
/// Where requests come from.
pub(crate) const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));

pub(crate) fn token(seed: u64) -> KeyToken {
    KeyToken::generate(&mut StdRng::seed_from_u64(seed))
}

/// The key of seed 1. It may call every tool.
pub(crate) fn good() -> KeyState {
    KeyState {
        digest: token(1).digest(),
        window: WindowSlot::default(),
        usage: UsageCounter::default(),
        key_id: "key_1".parse().expect("an id"),
        brand_id: "acme".parse().expect("an id"),
        plan_id: "pro".parse().expect("an id"),
        owner: "ada".parse().expect("an id"),
        scope: Scope::Write,
        tools: None,
        expires_at: None,
        revoked: false,
        keeps_queued_work: false,
        paused: false,
        owner_is_member: true,
        mcp_enabled: true,
        brand_suspended: false,
        approval: svc_mcp_access::ApprovalRule::None,
        rotation: None,
        allowed_networks: None,
        stamps: Stamps::default(),
    }
}

/// Key states by digest. `reload` returns the entries of `reloaded` in order, and the last one again and again.
#[derive(Default)]
pub(crate) struct TestKeys {
    pub(crate) cached: Mutex<HashMap<[u8; 32], Arc<KeyState>>>,
    pub(crate) reloaded: Mutex<Vec<Result<Option<KeyState>, StoreError>>>,
    pub(crate) lookups: AtomicUsize,
    pub(crate) reloads: AtomicUsize,
    pub(crate) is_unavailable: bool,
}

impl TestKeys {
    pub(crate) fn of(token: &KeyToken, key_state: KeyState) -> Self {
        let digest = token.digest();
        let cached = HashMap::from([(*digest.as_bytes(), Arc::new(KeyState { digest, ..key_state }))]);
        Self { cached: Mutex::new(cached), ..Self::default() }
    }
}

impl KeySource for TestKeys {
    async fn key_state(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyState>>, StoreError> {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        if self.is_unavailable {
            return Err(StoreError::Unavailable);
        }
        Ok(self.cached.lock().expect("no panic").get(digest.as_bytes()).cloned())
    }

    async fn reload(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyState>>, StoreError> {
        self.reloads.fetch_add(1, Ordering::SeqCst);
        let mut reloaded = self.reloaded.lock().expect("no panic");
        match reloaded.len() {
            0 => Ok(self.cached.lock().expect("no panic").get(digest.as_bytes()).cloned()),
            1 => reloaded[0].clone().map(|found| found.map(Arc::new)),
            _ => reloaded.remove(0).map(|found| found.map(Arc::new)),
        }
    }
}

/// Windows by digest, and every step that was taken.
#[derive(Default)]
pub(crate) struct TestLimiter {
    pub(crate) windows: Mutex<HashMap<[u8; 32], Window>>,
    pub(crate) steps: Mutex<Vec<Step>>,
    /// The number of steps that report a stale state before the first real one.
    pub(crate) stale: AtomicUsize,
    pub(crate) is_unavailable: bool,
}

impl TestLimiter {
    pub(crate) fn remaining(&self, token: &KeyToken) -> usize {
        self.step_window(&token.digest(), TICKS, Step::Peek).remaining
    }

    pub(crate) fn use_up(&self, token: &KeyToken, times: usize) {
        for _ in 0..times {
            assert!(self.step_window(&token.digest(), TICKS, Step::Count).admitted);
        }
    }

    /// The number of keys with counted requests.
    pub(crate) fn windows(&self) -> usize {
        self.windows.lock().expect("no panic").values().filter(|window| !window.is_untouched()).count()
    }

    fn step_window(&self, digest: &KeyDigest, now: Ticks, step: Step) -> Rate {
        self.windows.lock().expect("no panic").entry(*digest.as_bytes()).or_default().step(now, step)
    }
}

impl RateLimiter for TestLimiter {
    async fn step(
        &self,
        key_state: &Arc<KeyState>,
        now: Ticks,
        step: Step,
    ) -> Result<StepOutcome, StoreError> {
        self.steps.lock().expect("no panic").push(step);
        if self.is_unavailable {
            return Err(StoreError::Unavailable);
        }
        let stale = self.stale.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if stale.is_ok() {
            return Ok(StepOutcome::Stale);
        }
        Ok(StepOutcome::Rate(self.step_window(key_state.window_digest(), now, step)))
    }
}

/// Two tools, one that reads and one that writes. Their only valid argument is `true`.
#[derive(Debug)]
pub(crate) struct TestCatalog;

impl Catalog for TestCatalog {
    type Prepared = String;

    fn access_of(&self, tool: &str) -> Option<ToolAccess> {
        match tool {
            "look" => Some(ToolAccess::Read),
            "change" => Some(ToolAccess::Write),
            _ => None,
        }
    }

    fn nearest(&self, _: &str, _: &KeyState) -> Option<String> {
        Some("look".into())
    }

    async fn prepare(&self, tool: &str, arguments: Value) -> Result<String, Faults> {
        if arguments == true { Ok(tool.to_owned()) } else { Err(faults()) }
    }
}

pub(crate) fn faults() -> Faults {
    vec![Fault::new("arguments", "must be true"), Fault::new("mood", "must be better")].into()
}

/// The decision on a request, and how often its body was read.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(crate) result: Result<(Caller, String), Rejection<&'static str>>,
    pub(crate) body_reads: usize,
}

impl Decided {
    pub(crate) fn denial(&self) -> Option<&Denial> {
        match &self.result {
            Err(Rejection { cause: RejectionCause::Denied(denial), .. }) => Some(denial),
            _ => None,
        }
    }

    /// The limit, where the response states it.
    pub(crate) fn rate(&self) -> Option<Rate> {
        match &self.result {
            Ok((caller, _)) => Some(caller.rate),
            Err(rejection) => rejection.rate,
        }
    }
}

/// Calls a tool with this credential.
pub(crate) fn call(
    keys: &TestKeys,
    limiter: &TestLimiter,
    credential: Credential<'_>,
    tool: &str,
    good: bool,
) -> Decided {
    send(keys, limiter, credential, Ok((tool.to_owned(), good)))
}

/// The same, with a body that may be unreadable.
pub(crate) fn send(
    keys: &TestKeys,
    limiter: &TestLimiter,
    credential: Credential<'_>,
    body: Result<(String, bool), &'static str>,
) -> Decided {
    send_from(CLIENT, keys, limiter, credential, body)
}

/// The same, from another address.
pub(crate) fn send_from(
    address: IpAddr,
    keys: &TestKeys,
    limiter: &TestLimiter,
    credential: Credential<'_>,
    body: Result<(String, bool), &'static str>,
) -> Decided {
    let body_reads = AtomicUsize::new(0);
    let request = async {
        body_reads.fetch_add(1, Ordering::SeqCst);
        body.map(|(tool, good)| CallTool { catalog: &TestCatalog, tool, arguments: Value::Bool(good) })
    };
    let result = poll_once(decide(keys, limiter, credential, address, (NOW, TICKS), |_| request));
    Decided { result, body_reads: body_reads.into_inner() }
}

/// Nothing here waits, so one poll is enough.
pub(crate) fn poll_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}
