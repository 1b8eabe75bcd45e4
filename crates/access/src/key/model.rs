//! A key as people see it: everything but its secret.

use serde::Serialize;

use super::{KeyDigest, Sealed};
use crate::{BrandId, KeyId, Scope, Timestamp, UserId};

pub const ACTIVE_KEYS_PER_BRAND: usize = 50;

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
    /// Narrows the scope to these tools. It never widens it.
    pub tools: Option<Vec<String>>,
}

/// A key on its way into the store, with what is kept of its secret.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub key: Key,
    pub digest: KeyDigest,
    pub sealed: Option<Sealed>,
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
