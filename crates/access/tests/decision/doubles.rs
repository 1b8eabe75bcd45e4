//! Standings, tools and meters for a test, and a way to run a future that never waits.

use std::{
    collections::HashMap,
    future::Future,
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
    Fault, Scope, Ticks, Timestamp, ToolAccess,
    decision::{
        CallTool, Caller, Catalog, Denial, Meter, Presented, Reading, Refusal, Refused, Stamps, Standing,
        Standings, Unavailable, decide,
    },
    key::{KeyDigest, KeyToken},
    limiter::{Lent, Limiter},
    rate::{Rate, Step},
    tally::Tally,
};

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);
pub(crate) const TICKS: Ticks = Ticks(1_000_000_000);

pub(crate) fn token(seed: u64) -> KeyToken {
    KeyToken::generate(&mut StdRng::seed_from_u64(seed))
}

/// The first key, which may do everything.
pub(crate) fn good() -> Standing {
    Standing {
        digest: token(1).digest(),
        window: Lent::default(),
        tally: Tally::default(),
        key_id: "key_1".parse().expect("an id"),
        brand_id: "acme".parse().expect("an id"),
        plan_id: "pro".parse().expect("an id"),
        owner: "ada".parse().expect("an id"),
        scope: Scope::Write,
        tools: None,
        expires_at: None,
        revoked: false,
        owner_is_member: true,
        mcp_enabled: true,
        stamps: Stamps::default(),
    }
}

/// What is known of keys. `refreshed` gives one after the other of what was put there, the last one again and again.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) now: Mutex<HashMap<[u8; 32], Arc<Standing>>>,
    pub(crate) then: Mutex<Vec<Result<Option<Standing>, Unavailable>>>,
    pub(crate) looks: AtomicUsize,
    pub(crate) refreshes: AtomicUsize,
    pub(crate) away: bool,
}

impl Known {
    pub(crate) fn of(token: &KeyToken, standing: Standing) -> Self {
        let digest = token.digest();
        let now = HashMap::from([(*digest.as_bytes(), Arc::new(Standing { digest, ..standing }))]);
        Self { now: Mutex::new(now), ..Self::default() }
    }
}

impl Standings for Known {
    async fn standing(&self, digest: &KeyDigest) -> Result<Option<Arc<Standing>>, Unavailable> {
        self.looks.fetch_add(1, Ordering::SeqCst);
        if self.away {
            return Err(Unavailable);
        }
        Ok(self.now.lock().expect("no panic").get(digest.as_bytes()).cloned())
    }

    async fn refreshed(&self, digest: &KeyDigest) -> Result<Option<Arc<Standing>>, Unavailable> {
        self.refreshes.fetch_add(1, Ordering::SeqCst);
        let mut then = self.then.lock().expect("no panic");
        match then.len() {
            0 => Ok(self.now.lock().expect("no panic").get(digest.as_bytes()).cloned()),
            1 => then[0].clone().map(|found| found.map(Arc::new)),
            _ => then.remove(0).map(|found| found.map(Arc::new)),
        }
    }
}

/// The real limiter, and every step that was taken.
#[derive(Default)]
pub(crate) struct Counting {
    pub(crate) limiter: Limiter,
    pub(crate) steps: Mutex<Vec<Step>>,
    /// So many readings are stale before the first true one.
    pub(crate) stale: AtomicUsize,
    pub(crate) away: bool,
}

impl Counting {
    pub(crate) fn remaining(&self, token: &KeyToken) -> usize {
        self.step(token, Step::Peek).remaining
    }

    pub(crate) fn use_up(&self, token: &KeyToken, times: usize) {
        for _ in 0..times {
            assert!(self.step(token, Step::Count).admitted);
        }
    }

    fn step(&self, token: &KeyToken, step: Step) -> Rate {
        self.limiter.step(&Standing { digest: token.digest(), ..good() }, TICKS, step)
    }
}

impl Meter for Counting {
    async fn step(&self, standing: &Arc<Standing>, now: Ticks, step: Step) -> Result<Reading, Unavailable> {
        self.steps.lock().expect("no panic").push(step);
        if self.away {
            return Err(Unavailable);
        }
        let stale = self.stale.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if stale.is_ok() {
            return Ok(Reading::Stale);
        }
        Ok(Reading::Rate(self.limiter.step(standing, now, step)))
    }
}

/// Two tools, one to read and one to write. Arguments are right where they are `true`.
#[derive(Debug)]
pub(crate) struct Tools;

impl Catalog for Tools {
    type Prepared = String;

    fn access_of(&self, tool: &str) -> Option<ToolAccess> {
        match tool {
            "look" => Some(ToolAccess::Read),
            "change" => Some(ToolAccess::Write),
            _ => None,
        }
    }

    fn nearest(&self, _: &str) -> Option<String> {
        Some("look".into())
    }

    fn prepare(&self, tool: &str, arguments: Value) -> Result<String, Vec<Fault>> {
        if arguments == true { Ok(tool.to_owned()) } else { Err(faults()) }
    }
}

pub(crate) fn faults() -> Vec<Fault> {
    vec![Fault::new("arguments", "must be true"), Fault::new("mood", "must be better")]
}

/// What came of a request, and how often what it asks for was looked at.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(crate) result: Result<(Caller, String), Refusal<&'static str>>,
    pub(crate) polls: usize,
}

impl Decided {
    pub(crate) fn denial(&self) -> Option<&Denial> {
        match &self.result {
            Err(Refusal { why: Refused::Denied(denial), .. }) => Some(denial),
            _ => None,
        }
    }

    /// How the key stands with its limit, where the answer tells it.
    pub(crate) fn rate(&self) -> Option<Rate> {
        match &self.result {
            Ok((caller, _)) => Some(caller.rate),
            Err(refusal) => refusal.rate,
        }
    }
}

/// A call of this tool by this credential.
pub(crate) fn call(
    known: &Known,
    meter: &Counting,
    presented: Presented<'_>,
    tool: &str,
    good: bool,
) -> Decided {
    ask(known, meter, presented, Ok((tool.to_owned(), good)))
}

/// The same, with a body that perhaps cannot be read.
pub(crate) fn ask(
    known: &Known,
    meter: &Counting,
    presented: Presented<'_>,
    body: Result<(String, bool), &'static str>,
) -> Decided {
    let polls = AtomicUsize::new(0);
    let asked = async {
        polls.fetch_add(1, Ordering::SeqCst);
        body.map(|(tool, good)| CallTool { catalog: &Tools, tool, arguments: Value::Bool(good) })
    };
    let result = at_once(decide(known, meter, presented, (NOW, TICKS), asked));
    Decided { result, polls: polls.into_inner() }
}

/// Nothing here waits for anything, so one poll is enough.
pub(crate) fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}
