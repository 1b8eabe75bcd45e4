//! Rotation: a key gets a new secret, and the old one works for a while longer.

use rand::CryptoRng;

use super::{KeyDigest, KeyToken, SealOwner, Sealed, SealingKeys};
use crate::{BrandId, KeyId, Timestamp};

/// The secret that a key had before its last rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OldSecret {
    /// It works until then, unless the key expires or is revoked before.
    pub until: Timestamp,
    /// When somebody ended it before that time.
    pub ended_at: Option<Timestamp>,
    /// Its last use since the rotation.
    pub last_used_at: Option<Timestamp>,
}

/// A new secret to store for a key that exists. It is sealed if it can be revealed.
#[derive(Debug, Clone)]
pub struct NewSecret {
    pub prefix: String,
    pub digest: KeyDigest,
    pub sealed: Option<Sealed>,
}

impl NewSecret {
    pub fn generate(
        brand: &BrandId,
        key: &KeyId,
        sealing: Option<&SealingKeys>,
        random: &mut impl CryptoRng,
    ) -> (Self, KeyToken) {
        let token = KeyToken::generate(random);
        let owner = SealOwner::key(brand, key);
        let sealed = sealing.map(|keys| keys.seal(token.secret(), owner, random));
        (Self { prefix: token.shown_prefix().to_owned(), digest: token.digest(), sealed }, token)
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;
    use crate::key::{Key, KeySpec, NewKey};

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn key() -> Key {
        let spec = KeySpec {
            brand_id: "acme".parse().expect("an id"),
            created_by: "ada".parse().expect("an id"),
            label: "a label".into(),
            scope: crate::Scope::Read,
            expires_at: None,
            tools: None,
            approval: crate::ApprovalRule::None,
            allowed_networks: None,
        };
        NewKey::generate(spec, None, at(0), &mut StdRng::seed_from_u64(1)).0.key
    }

    #[test]
    fn key_rotates_until_the_old_secret_ends() {
        let old = OldSecret { until: at(10), ended_at: None, last_used_at: None };
        let rotated = Key { old_secret: Some(old), ..key() };
        assert_eq!(key().rotating_until(at(0)), None);
        assert_eq!((rotated.rotating_until(at(9)), rotated.rotating_until(at(10))), (Some(at(10)), None));
        let expiring = Key { expires_at: Some(at(5)), ..rotated.clone() };
        assert_eq!((expiring.rotating_until(at(4)), expiring.rotating_until(at(5))), (Some(at(5)), None));
        let ended = Key { old_secret: Some(OldSecret { ended_at: Some(at(3)), ..old }), ..rotated.clone() };
        let revoked = Key { revoked_at: Some(at(3)), ..rotated };
        assert_eq!((ended.rotating_until(at(0)), revoked.rotating_until(at(0))), (None, None));
    }

    #[test]
    fn new_secret_is_sealed_for_its_key() {
        let mut random = StdRng::seed_from_u64(2);
        let sealing = SealingKeys::generate("a", &mut random);
        let sealing = SealingKeys::parse(sealing.expose()).expect("valid");
        let key = key();
        let (new, token) = NewSecret::generate(&key.brand_id, &key.key_id, Some(&sealing), &mut random);
        let owner = SealOwner::key(&key.brand_id, &key.key_id);
        let opened = sealing.open(&new.sealed.expect("sealed"), owner).expect("it opens");
        assert_eq!(opened.expose(), token.expose());
        assert_eq!((new.prefix.as_str(), new.digest), (token.shown_prefix(), token.digest()));
        let (new, _) = NewSecret::generate(&key.brand_id, &key.key_id, None, &mut random);
        assert_eq!(new.sealed, None);
    }
}
