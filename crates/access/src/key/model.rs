//! A key without its secret.

use std::str::FromStr;

use rand::CryptoRng;
use serde::Serialize;

use super::{KeyDigest, KeyToken, SealOwner, Sealed, SealingKeys};
use crate::{ApprovalRule, BrandId, KeyId, Scope, Timestamp, UserId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub key_id: KeyId,
    pub brand_id: BrandId,
    pub created_by: UserId,
    pub label: String,
    pub scope: Scope,
    pub prefix: String,
    pub can_reveal: bool,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// `None`: the key is not paused.
    pub pause: Option<Pause>,
    /// Restricts the scope to these tools. It never extends the scope.
    pub tools: Option<Vec<String>>,
    /// Its own rule. That of the brand may be stricter.
    pub approval: ApprovalRule,
}

/// Why a key does not work for now. It works again when its creator or an administrator resumes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    pub at: Timestamp,
    pub by: UserId,
    pub reason: PauseReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseReason {
    /// A person paused it.
    Requested,
    /// Its creator was removed from the brand.
    OwnerRemoved,
}

impl PauseReason {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::OwnerRemoved => "owner_removed",
        }
    }
}

impl FromStr for PauseReason {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Requested, Self::OwnerRemoved].into_iter().find(|reason| reason.as_str() == text).ok_or(())
    }
}

/// A key to store: its data, the digest of its secret, and the sealed secret if it can be revealed.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub key: Key,
    pub digest: KeyDigest,
    pub sealed: Option<Sealed>,
}

/// What the creator of a key chooses.
#[derive(Debug, Clone)]
pub struct KeySpec {
    pub brand_id: BrandId,
    pub created_by: UserId,
    pub label: String,
    pub scope: Scope,
    pub expires_at: Option<Timestamp>,
    pub tools: Option<Vec<String>>,
    pub approval: ApprovalRule,
}

impl NewKey {
    /// Generates a key. With `sealing`, its secret is sealed for it and can be revealed later.
    pub fn generate(
        spec: KeySpec,
        sealing: Option<&SealingKeys>,
        now: Timestamp,
        random: &mut impl CryptoRng,
    ) -> (Self, KeyToken) {
        let token = KeyToken::generate(random);
        let key = Key {
            key_id: KeyId::fresh(random),
            brand_id: spec.brand_id,
            created_by: spec.created_by,
            label: spec.label,
            scope: spec.scope,
            prefix: token.shown_prefix().to_owned(),
            can_reveal: sealing.is_some(),
            created_at: now,
            last_used_at: None,
            expires_at: spec.expires_at,
            revoked_at: None,
            pause: None,
            tools: spec.tools,
            approval: spec.approval,
        };
        let owner = SealOwner::key(&key.brand_id, &key.key_id);
        let sealed = sealing.map(|keys| keys.seal(token.secret(), owner, random));
        (Self { key, digest: token.digest(), sealed }, token)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyStatus {
    Active,
    Expired,
    Revoked,
}

impl Key {
    pub fn status(&self, now: Timestamp) -> KeyStatus {
        if self.revoked_at.is_some() {
            KeyStatus::Revoked
        } else if self.expires_at.is_some_and(|at| at <= now) {
            KeyStatus::Expired
        } else {
            KeyStatus::Active
        }
    }
}
