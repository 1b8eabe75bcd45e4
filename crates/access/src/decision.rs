//! May this key do this now? The one function that answers it, and what it answers.

use std::{future::Future, sync::Arc};

use crate::{
    BrandId, Fault, KeyId, PlanId, Scope, Timestamp, ToolAccess, UserId,
    key::{KeyDigest, KeyToken},
    limiter::Lent,
    rate::{Rate, Step},
    tally::Tally,
    time::Ticks,
};

/// Everything a decision needs to know of a key: what the cache holds. In the order it is looked at, and laid out so:
/// of a hundred thousand keys none is near at hand, and what a request needs should come in one go.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(C)]
pub struct Standing {
    pub digest: KeyDigest,
    pub expires_at: Option<Timestamp>,
    pub scope: Scope,
    pub revoked: bool,
    pub owner_is_member: bool,
    pub mcp_enabled: bool,
    pub window: Lent,
    pub tools: Option<Chosen>,
    pub tally: Tally,
    pub stamps: Stamps,
    pub key_id: KeyId,
    pub brand_id: BrandId,
    pub plan_id: PlanId,
    pub owner: UserId,
}

/// The tools a key is narrowed to. One pointer wide, since every active key has a place for it and few have a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen(Box<Box<[Box<str>]>>);

impl Chosen {
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|name| &**name)
    }
}

impl<T: Into<Box<str>>> FromIterator<T> for Chosen {
    fn from_iter<I: IntoIterator<Item = T>>(names: I) -> Self {
        Self(Box::new(names.into_iter().map(Into::into).collect()))
    }
}

/// Which version of its brand and plan a standing was read at, where several instances share them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stamps {
    pub brand: u64,
    pub plan: u64,
}

impl Standing {
    /// Whether the key's scope, and its list of tools if it has one, include this tool.
    pub fn may_call(&self, tool: &str, access: ToolAccess) -> bool {
        let listed = self.tools.as_ref().is_none_or(|chosen| chosen.names().any(|name| name == tool));
        listed && self.scope.covers(access)
    }
}

/// The store did not answer, so nothing can be decided. Never a reason to admit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the store does not answer")]
pub struct Unavailable;

/// Finds what is known of a key.
pub trait Standings: Send + Sync {
    /// May come from a cache.
    fn standing(
        &self,
        digest: &KeyDigest,
    ) -> impl Future<Output = Result<Option<Arc<Standing>>, Unavailable>> + Send;

    /// Called when the meter said that what `standing` gave is out of date.
    fn refreshed(
        &self,
        digest: &KeyDigest,
    ) -> impl Future<Output = Result<Option<Arc<Standing>>, Unavailable>> + Send;
}

/// Counts a key's requests, and knows whether a standing is still the newest one where several instances share it.
pub trait Meter: Send + Sync {
    fn step(
        &self,
        standing: &Arc<Standing>,
        now: Ticks,
        step: Step,
    ) -> impl Future<Output = Result<Reading, Unavailable>> + Send;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    Rate(Rate),
    /// The standing has changed since it was read. Nothing was counted.
    Stale,
}

/// The credential as it came in.
#[derive(Debug, Clone, Copy)]
pub enum Presented<'a> {
    Nothing,
    /// What stood behind `Bearer`.
    Bearer(&'a [u8]),
    /// An `Authorization` header that is no bearer token.
    Unusable,
    /// A key was put in the URL, where logs and histories keep it.
    InUrl {
        header_too: bool,
    },
}

/// What is asked for. Settled last, once the key itself is found good.
pub trait Ask {
    type Granted;

    fn settle(self, standing: &Standing) -> Result<Self::Granted, Denial>;
}

/// The list of tools: open to every good key, and shows what `Standing::may_call` allows.
#[derive(Debug)]
pub struct ListTools;

impl Ask for ListTools {
    type Granted = ();

    fn settle(self, _: &Standing) -> Result<(), Denial> {
        Ok(())
    }
}

/// The tools there are.
pub trait Catalog {
    /// Arguments that have passed their checks.
    type Prepared;

    fn access_of(&self, tool: &str) -> Option<ToolAccess>;
    fn nearest(&self, tool: &str) -> Option<String>;
    fn prepare(&self, tool: &str, arguments: serde_json::Value) -> Result<Self::Prepared, Vec<Fault>>;
}

/// A call of one tool.
#[derive(Debug)]
pub struct CallTool<'a, C> {
    pub catalog: &'a C,
    pub tool: String,
    pub arguments: serde_json::Value,
}

impl<C: Catalog> Ask for CallTool<'_, C> {
    type Granted = C::Prepared;

    fn settle(self, standing: &Standing) -> Result<C::Prepared, Denial> {
        let Some(access) = self.catalog.access_of(&self.tool) else {
            return Err(Denial::UnknownTool { nearest: self.catalog.nearest(&self.tool) });
        };
        if !standing.may_call(&self.tool, access) {
            return Err(Denial::InsufficientScope { listed: standing.scope.covers(access) });
        }
        self.catalog.prepare(&self.tool, self.arguments).map_err(Denial::InvalidArguments)
    }
}

/// Why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denial {
    CredentialMissing,
    KeyInUrl {
        header_too: bool,
    },
    KeyInvalid(KeyFault),
    OwnerRemoved,
    McpInactive,
    RateLimited,
    UnknownTool {
        nearest: Option<String>,
    },
    /// `listed`: the scope would do, but the tool is not on the key's own list.
    InsufficientScope {
        listed: bool,
    },
    InvalidArguments(Vec<Fault>),
    Unavailable,
}

/// What is wrong with the key. The caller is told one and the same; metrics and the brand's activity tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyFault {
    Malformed,
    Unknown,
    Revoked,
    Expired,
}

impl Denial {
    /// The stable word for metrics and activity.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::CredentialMissing => "credential_missing",
            Self::KeyInUrl { .. } => "key_in_url",
            Self::KeyInvalid(KeyFault::Malformed) => "key_malformed",
            Self::KeyInvalid(KeyFault::Unknown) => "key_unknown",
            Self::KeyInvalid(KeyFault::Revoked) => "key_revoked",
            Self::KeyInvalid(KeyFault::Expired) => "key_expired",
            Self::OwnerRemoved => "key_owner_removed",
            Self::McpInactive => "mcp_inactive",
            Self::RateLimited => "rate_limited",
            Self::UnknownTool { .. } => "unknown_tool",
            Self::InsufficientScope { .. } => "insufficient_scope",
            Self::InvalidArguments(_) => "invalid_arguments",
            Self::Unavailable => "unavailable",
        }
    }
}

/// A key that was found good, and how it stands with its limit.
#[derive(Debug, Clone)]
pub struct Caller {
    pub standing: Arc<Standing>,
    pub rate: Rate,
}

/// A refusal. `E` is what went wrong with reading the request itself, once the key was found good.
#[derive(Debug)]
pub struct Refusal<E> {
    pub why: Refused<E>,
    /// Whose request it was, where the key is known.
    pub standing: Option<Arc<Standing>>,
    /// Set where the key is valid, so that also these answers can tell the limit.
    pub rate: Option<Rate>,
}

#[derive(Debug)]
pub enum Refused<E> {
    Denied(Denial),
    Unreadable(E),
}

/// How often a standing is read again when it changes under the decision, before giving up.
const MOST_REFRESHES: usize = 4;

/// May the bearer of this credential do this now?
///
/// The order is the contract's: credential → key → owner → plan → rate → tool → scope → arguments. What is asked
/// for is a future, and it is polled only once the key is admitted: a stranger's body is never read.
pub async fn decide<S, M, A, E>(
    standings: &S,
    meter: &M,
    presented: Presented<'_>,
    (now, ticks): (Timestamp, Ticks),
    ask: impl Future<Output = Result<A, E>>,
) -> Result<(Caller, A::Granted), Refusal<E>>
where
    S: Standings,
    M: Meter,
    A: Ask,
{
    let digest = recognise(presented).map_err(stranger)?;
    let mut found = standings.standing(&digest).await.map_err(|Unavailable| stranger(Denial::Unavailable))?;
    let mut refreshes = 0;
    let (standing, rate) = loop {
        let standing = found.ok_or_else(|| stranger(Denial::KeyInvalid(KeyFault::Unknown)))?;
        let good = examine(&standing, now);
        let step = if good.is_ok() { Step::Count } else { Step::Peek };
        match meter.step(&standing, ticks, step).await {
            Ok(Reading::Rate(rate)) => {
                good.map_err(|denial| known(&standing, rate, denial))?;
                break (standing, rate);
            }
            Ok(Reading::Stale) if refreshes < MOST_REFRESHES => {
                refreshes += 1;
                found = standings
                    .refreshed(&digest)
                    .await
                    .map_err(|Unavailable| stranger(Denial::Unavailable))?;
            }
            Ok(Reading::Stale) | Err(Unavailable) => return Err(stranger(Denial::Unavailable)),
        }
    };
    if !rate.admitted {
        return Err(known(&standing, rate, Denial::RateLimited));
    }
    let asked = ask.await.map_err(|unreadable| Refusal {
        why: Refused::Unreadable(unreadable),
        standing: Some(Arc::clone(&standing)),
        rate: Some(rate),
    })?;
    let granted = asked.settle(&standing).map_err(|denial| known(&standing, rate, denial))?;
    Ok((Caller { standing, rate }, granted))
}

fn recognise(presented: Presented<'_>) -> Result<KeyDigest, Denial> {
    match presented {
        Presented::Nothing => Err(Denial::CredentialMissing),
        Presented::InUrl { header_too } => Err(Denial::KeyInUrl { header_too }),
        Presented::Unusable => Err(Denial::KeyInvalid(KeyFault::Malformed)),
        Presented::Bearer(token) => {
            KeyToken::digest_of(token).map_err(|_| Denial::KeyInvalid(KeyFault::Malformed))
        }
    }
}

/// Key, owner, plan: what does not depend on how often it is used or for what.
fn examine(standing: &Standing, now: Timestamp) -> Result<(), Denial> {
    if standing.revoked {
        return Err(Denial::KeyInvalid(KeyFault::Revoked));
    }
    if standing.expires_at.is_some_and(|at| at <= now) {
        return Err(Denial::KeyInvalid(KeyFault::Expired));
    }
    if !standing.owner_is_member {
        return Err(Denial::OwnerRemoved);
    }
    if !standing.mcp_enabled {
        return Err(Denial::McpInactive);
    }
    Ok(())
}

fn stranger<E>(denial: Denial) -> Refusal<E> {
    Refusal { why: Refused::Denied(denial), standing: None, rate: None }
}

fn known<E>(standing: &Arc<Standing>, rate: Rate, denial: Denial) -> Refusal<E> {
    // A revoked or expired key is answered like one that never was.
    let rate = (!matches!(denial, Denial::KeyInvalid(_))).then_some(rate);
    Refusal { why: Refused::Denied(denial), standing: Some(Arc::clone(standing)), rate }
}
