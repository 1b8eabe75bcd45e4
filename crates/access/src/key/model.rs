//! A key without its secret.

use std::{net::IpAddr, str::FromStr, time::Duration};

use rand::CryptoRng;
use serde::Serialize;

use super::{KeyDigest, KeyToken, OldSecret, SealOwner, Sealed, SealingKeys};
use crate::{ApprovalRule, BrandId, KeyId, Networks, Scope, Timestamp, UserId};

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
    /// Where requests must come from. `None`: from anywhere.
    pub allowed_networks: Option<Networks>,
    pub last_used_ip: Option<IpAddr>,
    /// The name that the last client gave itself.
    pub last_used_client: Option<String>,
    /// `None`: the key was never rotated.
    pub old_secret: Option<OldSecret>,
    /// `None`: the key is not revoked.
    pub revoked_reason: Option<RevokedReason>,
}

/// A key is idle if it was not used for this long.
const IDLE_AFTER: Duration = Duration::from_hours(90 * 24);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevokedReason {
    /// A person revoked it.
    Requested,
    /// Somebody reported its secret as public.
    Leaked,
    /// An operator revoked it.
    Operator,
}

impl RevokedReason {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Leaked => "leaked",
            Self::Operator => "operator",
        }
    }
}

impl FromStr for RevokedReason {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Requested, Self::Leaked, Self::Operator]
            .into_iter()
            .find(|reason| reason.as_str() == text)
            .ok_or(())
    }
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
    pub allowed_networks: Option<Networks>,
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
            old_secret: None,
            revoked_reason: None,
            allowed_networks: spec.allowed_networks,
            last_used_ip: None,
            last_used_client: None,
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

    /// Until when the key has two secrets that work. `None`: it has one.
    pub fn rotating_until(&self, now: Timestamp) -> Option<Timestamp> {
        let old = self.old_secret.filter(|old| old.ended_at.is_none() && self.revoked_at.is_none())?;
        let until = self.expires_at.map_or(old.until, |expires| old.until.min(expires));
        (until > now).then_some(until)
    }

    /// Since when an active key was not used: its last use, or its creation. `None`: it is not idle.
    pub fn idle_since(&self, now: Timestamp) -> Option<Timestamp> {
        let since = self.last_used_at.unwrap_or(self.created_at);
        (self.status(now) == KeyStatus::Active && since.plus(IDLE_AFTER) <= now).then_some(since)
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);

    fn days(count: u64) -> Duration {
        Duration::from_hours(24 * count)
    }

    fn key(created_at: Timestamp) -> Key {
        let spec = KeySpec {
            brand_id: "acme".parse().unwrap(),
            created_by: "ada".parse().unwrap(),
            label: "a label".into(),
            scope: Scope::Read,
            expires_at: None,
            tools: None,
            approval: ApprovalRule::None,
            allowed_networks: None,
        };
        NewKey::generate(spec, None, created_at, &mut StdRng::seed_from_u64(1)).0.key
    }

    #[test]
    fn key_is_idle_after_90_days_without_a_use() {
        let created = NOW.minus(days(90));
        assert_eq!(key(created).idle_since(NOW), Some(created));
        assert_eq!(key(created).idle_since(NOW.minus(Duration::from_millis(1))), None);
        let used = |at| Key { last_used_at: Some(at), ..key(NOW.minus(days(200))) };
        assert_eq!(used(NOW.minus(days(89))).idle_since(NOW), None);
        assert_eq!(used(NOW.minus(days(91))).idle_since(NOW), Some(NOW.minus(days(91))));
    }

    #[test]
    fn only_active_keys_are_idle() {
        let old = key(NOW.minus(days(200)));
        let revoked =
            Key { revoked_at: Some(NOW), revoked_reason: Some(RevokedReason::Leaked), ..old.clone() };
        let expired = Key { expires_at: Some(NOW), ..old.clone() };
        assert_eq!((revoked.idle_since(NOW), expired.idle_since(NOW)), (None, None));
        let pause = Pause { at: NOW, by: old.created_by.clone(), reason: PauseReason::Requested };
        assert!(Key { pause: Some(pause), ..old }.idle_since(NOW).is_some());
    }
}
