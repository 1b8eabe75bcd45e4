//! May this key do this now? One function decides, and all types of its result are here.

use std::{future::Future, net::IpAddr, sync::Arc};

use crate::{
    ApprovalRule, BrandId, Faults, KeyId, Networks, PlanId, Scope, StoreError, Timestamp, ToolAccess, UserId,
    key::{KeyDigest, KeyToken},
    rate::{Rate, Step, WindowSlot},
    time::Ticks,
    usage::UsageCounter,
};

/// Everything that a decision needs to know about a key. The cache holds these.
///
/// The fields are laid out in the order in which a request reads them. The window and the usage counter are kept together
/// with the key's data, so that a lookup costs one cache miss, not two.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(C)]
pub struct KeyState {
    pub digest: KeyDigest,
    pub expires_at: Option<Timestamp>,
    pub scope: Scope,
    pub revoked: bool,
    /// Whether the work that the key had queued goes on after its revoke.
    pub keeps_queued_work: bool,
    pub paused: bool,
    pub owner_is_member: bool,
    pub mcp_enabled: bool,
    /// The operator has suspended the brand.
    pub brand_suspended: bool,
    /// The stricter of the key's own rule and that of its brand.
    pub approval: ApprovalRule,
    /// `None`: the key was never rotated.
    pub rotation: Option<Box<Rotation>>,
    /// Where requests must come from. `None`: from anywhere.
    pub allowed_networks: Option<Networks>,
    pub window: WindowSlot,
    pub tools: Option<ToolSelection>,
    pub usage: UsageCounter,
    pub stamps: Stamps,
    pub key_id: KeyId,
    pub brand_id: BrandId,
    pub plan_id: PlanId,
    pub owner: UserId,
}

/// Which secret of a rotated key a state belongs to. Boxed, because few of the cached keys have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotation {
    /// The digest of the key's first secret. The window of the key is found by it, so that all secrets share one window.
    pub window: KeyDigest,
    pub secret: RotatedSecret,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RotatedSecret {
    Current,
    /// The secret that the key had before its last rotation. It works until then.
    Old {
        until: Timestamp,
    },
    /// The old secret, which somebody ended before its time.
    Ended,
}

/// The tools that a key is restricted to. One pointer wide, because every cached key has this field and few use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSelection(Box<Box<[Box<str>]>>);

impl ToolSelection {
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|name| &**name)
    }
}

impl<T: Into<Box<str>>> FromIterator<T> for ToolSelection {
    fn from_iter<I: IntoIterator<Item = T>>(names: I) -> Self {
        Self(Box::new(names.into_iter().map(Into::into).collect()))
    }
}

/// The versions of a brand and a plan at which a key state was read. Used where several instances share a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stamps {
    pub brand: u64,
    pub plan: u64,
}

impl KeyState {
    /// Whether the key's scope, and its list of tools if it has one, include this tool.
    pub fn may_call(&self, tool: &str, access: ToolAccess) -> bool {
        let listed = self.tools.as_ref().is_none_or(|selected| selected.names().any(|name| name == tool));
        listed && self.scope.covers(access)
    }

    /// The digest by which the key's window is found: the same for all secrets of the key.
    pub fn window_digest(&self) -> &KeyDigest {
        self.rotation.as_ref().map_or(&self.digest, |rotation| &rotation.window)
    }

    pub fn is_old_secret(&self) -> bool {
        self.rotation.as_ref().is_some_and(|rotation| rotation.secret != RotatedSecret::Current)
    }

    /// Whether this secret was replaced by a rotation and works no longer.
    pub fn secret_has_ended(&self, now: Timestamp) -> bool {
        self.rotation.as_ref().is_some_and(|rotation| match rotation.secret {
            RotatedSecret::Current => false,
            RotatedSecret::Old { until } => until <= now,
            RotatedSecret::Ended => true,
        })
    }
}

/// Where key states come from.
pub trait KeySource: Send + Sync {
    /// May come from a cache. `None`: there is no such key.
    fn key_state(
        &self,
        digest: &KeyDigest,
    ) -> impl Future<Output = Result<Option<Arc<KeyState>>, StoreError>> + Send;

    /// Reads the state again, past the cache. Called when the rate limiter reports a stale state.
    fn reload(
        &self,
        digest: &KeyDigest,
    ) -> impl Future<Output = Result<Option<Arc<KeyState>>, StoreError>> + Send;
}

/// Counts the requests of keys. Where several instances share a database, it also detects stale key states.
pub trait RateLimiter: Send + Sync {
    fn step(
        &self,
        key_state: &Arc<KeyState>,
        now: Ticks,
        step: Step,
    ) -> impl Future<Output = Result<StepOutcome, StoreError>> + Send;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOutcome {
    Rate(Rate),
    /// The key state has changed since it was read. Nothing was counted.
    Stale,
}

/// The credential of a request.
#[derive(Debug, Clone, Copy)]
pub enum Credential<'a> {
    Nothing,
    /// The text after `Bearer`.
    Bearer(&'a [u8]),
    /// An `Authorization` header that is not a bearer token.
    Unusable,
    /// The key is in the URL, where logs and browser histories would keep it.
    InUrl {
        header_too: bool,
    },
}

/// What a request wants to do. It is authorized last, after the key is accepted.
pub trait ToolRequest {
    type Authorized;

    fn authorize(self, key_state: &KeyState)
    -> impl Future<Output = Result<Self::Authorized, Denial>> + Send;
}

/// The list of tools. Every accepted key may ask for it; it shows what `KeyState::may_call` allows.
#[derive(Debug)]
pub struct ListTools;

impl ToolRequest for ListTools {
    type Authorized = ();

    async fn authorize(self, _: &KeyState) -> Result<(), Denial> {
        Ok(())
    }
}

/// The tools of the service.
pub trait Catalog {
    /// A tool with validated arguments.
    type Prepared;

    fn access_of(&self, tool: &str) -> Option<ToolAccess>;
    /// The tool with the most similar name, among those that the key may call. `None`: no name is similar.
    fn nearest(&self, tool: &str, key_state: &KeyState) -> Option<String>;
    fn prepare(
        &self,
        tool: &str,
        arguments: serde_json::Value,
    ) -> impl Future<Output = Result<Self::Prepared, Faults>> + Send;
}

/// A call of one tool.
#[derive(Debug)]
pub struct CallTool<'a, C> {
    pub catalog: &'a C,
    pub tool: String,
    pub arguments: serde_json::Value,
}

impl<C: Catalog + Sync> ToolRequest for CallTool<'_, C> {
    type Authorized = C::Prepared;

    async fn authorize(self, key_state: &KeyState) -> Result<C::Prepared, Denial> {
        let Some(access) = self.catalog.access_of(&self.tool) else {
            return Err(Denial::UnknownTool { nearest: self.catalog.nearest(&self.tool, key_state) });
        };
        if !key_state.may_call(&self.tool, access) {
            return Err(Denial::InsufficientScope { listed: key_state.scope.covers(access) });
        }
        self.catalog.prepare(&self.tool, self.arguments).await.map_err(Denial::InvalidArguments)
    }
}

/// Why a request is denied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denial {
    CredentialMissing,
    KeyInUrl {
        header_too: bool,
    },
    KeyInvalid(KeyError),
    OwnerRemoved,
    KeyPaused,
    /// The request came from outside the networks of the key.
    AddressNotAllowed {
        address: IpAddr,
    },
    BrandSuspended,
    McpInactive,
    RateLimited,
    UnknownTool {
        nearest: Option<String>,
    },
    /// `listed`: the scope is sufficient, but the tool is not on the key's own list.
    InsufficientScope {
        listed: bool,
    },
    InvalidArguments(Faults),
    Store(StoreError),
}

/// What is wrong with the key. All of them get the same response; only metrics and the activity log tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyError {
    Malformed,
    Unknown,
    Revoked,
    Expired,
    /// It is the old secret of a key that was rotated.
    OldSecretEnded,
}

impl Denial {
    /// Whether queued work waits until the reason is gone. Otherwise it is cancelled.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::KeyPaused | Self::BrandSuspended | Self::McpInactive)
    }

    /// The stable name for metrics and the activity log.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::CredentialMissing => "credential_missing",
            Self::KeyInUrl { .. } => "key_in_url",
            Self::KeyInvalid(KeyError::Malformed) => "key_malformed",
            Self::KeyInvalid(KeyError::Unknown) => "key_unknown",
            Self::KeyInvalid(KeyError::Revoked) => "key_revoked",
            Self::KeyInvalid(KeyError::Expired) => "key_expired",
            Self::KeyInvalid(KeyError::OldSecretEnded) => "old_secret_ended",
            Self::OwnerRemoved => "key_owner_removed",
            Self::KeyPaused => "key_paused",
            Self::AddressNotAllowed { .. } => "address_not_allowed",
            Self::BrandSuspended => "brand_suspended",
            Self::McpInactive => "mcp_inactive",
            Self::RateLimited => "rate_limited",
            Self::UnknownTool { .. } => "unknown_tool",
            Self::InsufficientScope { .. } => "insufficient_scope",
            Self::InvalidArguments(_) => "invalid_arguments",
            Self::Store(StoreError::Unavailable) => "unavailable",
            Self::Store(StoreError::Internal) => "internal",
        }
    }
}

/// An accepted key and the state of its limit.
#[derive(Debug, Clone)]
pub struct Caller {
    pub key_state: Arc<KeyState>,
    pub rate: Rate,
}

/// A rejected request. `E` is the error of reading its body.
#[derive(Debug)]
pub struct Rejection<E> {
    pub cause: RejectionCause<E>,
    /// The key of the request, if it exists.
    pub key_state: Option<Arc<KeyState>>,
    /// Set if the key is valid, so that the response can state the limit.
    pub rate: Option<Rate>,
}

#[derive(Debug)]
pub enum RejectionCause<E> {
    Denied(Denial),
    /// The key was admitted, and then the body could not be read.
    Body(E),
}

/// How often a stale key state is read again before the decision gives up.
const MAX_RELOADS: usize = 4;

/// May the bearer of this credential do this now?
///
/// The checks run in this order: credential, key, owner, pause, address, suspension of the brand, plan, rate, tool, scope,
/// arguments. `address` is that of the client. `request` reads the body. It is called only after the key is admitted.
pub async fn decide<S, L, F, R, E>(
    key_source: &S,
    rate_limiter: &L,
    credential: Credential<'_>,
    address: IpAddr,
    (now, ticks): (Timestamp, Ticks),
    request: impl FnOnce(&Arc<KeyState>) -> F,
) -> Result<(Caller, R::Authorized), Rejection<E>>
where
    S: KeySource,
    L: RateLimiter,
    F: Future<Output = Result<R, E>>,
    R: ToolRequest,
{
    let digest = key_digest(credential).map_err(reject_without_key)?;
    let mut found = key_source.key_state(&digest).await.map_err(reject_for_store)?;
    let mut reloads = 0;
    let (key_state, rate) = loop {
        let key_state = found.ok_or_else(|| reject_without_key(Denial::KeyInvalid(KeyError::Unknown)))?;
        let accepted = check_key(&key_state, now, Purpose::Request { address });
        let step = if accepted.is_ok() { Step::Count } else { Step::Peek };
        match rate_limiter.step(&key_state, ticks, step).await {
            Ok(StepOutcome::Rate(rate)) => {
                accepted.map_err(|denial| reject_key(&key_state, rate, denial))?;
                break (key_state, rate);
            }
            Ok(StepOutcome::Stale) if reloads < MAX_RELOADS => {
                reloads += 1;
                found = key_source.reload(&digest).await.map_err(reject_for_store)?;
            }
            Ok(StepOutcome::Stale) => return Err(reject_for_store(StoreError::Unavailable)),
            Err(error) => return Err(reject_for_store(error)),
        }
    };
    if !rate.admitted {
        return Err(reject_key(&key_state, rate, Denial::RateLimited));
    }
    let request = request(&key_state).await.map_err(|error| Rejection {
        cause: RejectionCause::Body(error),
        key_state: Some(Arc::clone(&key_state)),
        rate: Some(rate),
    })?;
    let authorized =
        request.authorize(&key_state).await.map_err(|denial| reject_key(&key_state, rate, denial))?;
    Ok((Caller { key_state, rate }, authorized))
}

fn key_digest(credential: Credential<'_>) -> Result<KeyDigest, Denial> {
    match credential {
        Credential::Nothing => Err(Denial::CredentialMissing),
        Credential::InUrl { header_too } => Err(Denial::KeyInUrl { header_too }),
        Credential::Unusable => Err(Denial::KeyInvalid(KeyError::Malformed)),
        Credential::Bearer(token) => {
            KeyToken::digest_of(token).map_err(|_| Denial::KeyInvalid(KeyError::Malformed))
        }
    }
}

/// May work that the key ordered before be done now? Workers ask before they begin a job and before they send anything, and
/// calls ask again when they commit.
///
/// It is the same decision as that on a request, except that expiry and the end of an old secret stop nothing that was
/// ordered before, that work comes from no address, and that a revoke may keep queued work.
pub fn decide_queued_work(key_state: &KeyState, now: Timestamp) -> Result<(), Denial> {
    check_key(key_state, now, Purpose::QueuedWork)
}

/// The same for work that a person ordered: only a suspension of the brand stops it.
pub fn decide_work_of_people(brand_suspended: bool) -> Result<(), Denial> {
    if brand_suspended { Err(Denial::BrandSuspended) } else { Ok(()) }
}

/// What a decision is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Request { address: IpAddr },
    QueuedWork,
}

/// Checks the key, its owner, its pause, its networks, its brand and its plan: everything that does not depend on the limit
/// or the request.
fn check_key(key_state: &KeyState, now: Timestamp, purpose: Purpose) -> Result<(), Denial> {
    let is_request = purpose != Purpose::QueuedWork;
    if key_state.revoked && (is_request || !key_state.keeps_queued_work) {
        return Err(Denial::KeyInvalid(KeyError::Revoked));
    }
    if is_request && key_state.expires_at.is_some_and(|at| at <= now) {
        return Err(Denial::KeyInvalid(KeyError::Expired));
    }
    if is_request && key_state.secret_has_ended(now) {
        return Err(Denial::KeyInvalid(KeyError::OldSecretEnded));
    }
    if !key_state.owner_is_member {
        return Err(Denial::OwnerRemoved);
    }
    if key_state.paused {
        return Err(Denial::KeyPaused);
    }
    if let (Purpose::Request { address }, Some(networks)) = (purpose, &key_state.allowed_networks)
        && !networks.contains(address)
    {
        return Err(Denial::AddressNotAllowed { address });
    }
    if key_state.brand_suspended {
        return Err(Denial::BrandSuspended);
    }
    if !key_state.mcp_enabled {
        return Err(Denial::McpInactive);
    }
    Ok(())
}

fn reject_without_key<E>(denial: Denial) -> Rejection<E> {
    Rejection { cause: RejectionCause::Denied(denial), key_state: None, rate: None }
}

fn reject_for_store<E>(error: StoreError) -> Rejection<E> {
    reject_without_key(Denial::Store(error))
}

fn reject_key<E>(key_state: &Arc<KeyState>, rate: Rate, denial: Denial) -> Rejection<E> {
    // A revoked or expired key gets the same response as one that never existed.
    let rate = (!matches!(denial, Denial::KeyInvalid(_))).then_some(rate);
    Rejection { cause: RejectionCause::Denied(denial), key_state: Some(Arc::clone(key_state)), rate }
}
